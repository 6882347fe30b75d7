"""Schedulers: how the learning rate changes from epoch to epoch."""

import math

from tinytorch.optim.more_schedulers import (  # noqa: F401 (the names belong here, too)
    ChainedScheduler,
    ConstantLR,
    CyclicLR,
    MultiplicativeLR,
    PolynomialLR,
    SequentialLR,
    bounds_of_groups,
)
from tinytorch.optim.scheduler import LRScheduler, for_each_group, set_momentum

_LRScheduler = LRScheduler  # as it was called before


class StepLR(LRScheduler):
    """Every `step_size` epochs, the rate is multiplied by `gamma`.

    >>> optimizer = tinytorch.optim.SGD([tinytorch.zeros(1)], lr=8.0)
    >>> scheduler = StepLR(optimizer, step_size=1, gamma=0.5)
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [4.0]
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch: int = -1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        due = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return [rate * self.gamma if due else rate for rate in self.rates()]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine, from the first rate at epoch 0 down to `eta_min` at epoch `T_max`.

    I. Loshchilov and F. Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts, 2017.
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch: int = -1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return self.rates()
        before, now = self.height(self.last_epoch - 1), self.height(self.last_epoch)
        if before < 1e-12:  # at the bottom the quotient says nothing: start from the first rates
            pairs = zip(self.rates(), self.base_lrs, strict=True)
            return [rate + (base - self.eta_min) * now for rate, base in pairs]
        return [self.eta_min + (rate - self.eta_min) * now / before for rate in self.rates()]

    def height(self, epoch):
        """The cosine at `epoch`: 1 at the top, 0 at the bottom."""
        return (1 + math.cos(math.pi * epoch / self.T_max)) / 2


class LambdaLR(LRScheduler):
    """The first rate times `lr_lambda(epoch)`; one function, or one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch: int = -1):
        self.lr_lambdas = for_each_group(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        return [base * function(self.last_epoch) for base, function in pairs]


class ExponentialLR(LRScheduler):
    """Every epoch, the rate is multiplied by `gamma`."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate if self._is_initial else rate * self.gamma for rate in self.rates()]


class MultiStepLR(LRScheduler):
    """At each of the epochs `milestones`, the rate is multiplied by `gamma`."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = sorted(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factor = self.gamma ** self.milestones.count(self.last_epoch)
        return [rate * factor for rate in self.rates()]


class LinearLR(LRScheduler):
    """From `start_factor` of the first rate to `end_factor` of it, in `total_iters` epochs.

    ValueError for a `start_factor` of 0, and for factors above 1 or below 0.
    """

    def __init__(self, optimizer, start_factor=1 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1:
            raise ValueError(f"factors must be between 0 and 1, got {start_factor}, {end_factor}")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return [rate * self.start_factor for rate in self.rates()]
        before, now = self.factor(self.last_epoch - 1), self.factor(self.last_epoch)
        return [rate * now / before for rate in self.rates()]

    def factor(self, epoch):
        """The part of the first rate at `epoch`."""
        done = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * done


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down to `eta_min` in `T_0` epochs, then anew, each time `T_mult` as long.

    `step(epoch)` sets the epoch, which may lie between two. ValueError for lengths below 1.
    I. Loshchilov and F. Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts, 2017.
    """

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 < 1 or T_mult < 1:
            raise ValueError(f"T_0 and T_mult must be at least 1, got {T_0} and {T_mult}")
        self.T_0 = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def step(self, epoch=None):
        """Count an epoch, or go to `epoch`, and set the learning rates of all groups."""
        if epoch is not None:
            self.last_epoch = epoch - 1
        super().step()

    def get_lr(self):
        since, length = self.last_epoch, self.T_0
        while since >= length:
            since, length = since - length, length * self.T_mult
        height = (1 + math.cos(math.pi * since / length)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]


class OneCycleLR(LRScheduler):
    """Up to `max_lr` for the part `pct_start` of all steps, then down to next to nothing.

    It begins at max_lr / div_factor, and ends at that / final_div_factor; with `three_phase`, it
    goes down as long as it went up, and only then to the end. Call `step()` after each
    batch: there are `total_steps`, or `epochs` times `steps_per_epoch`; ValueError for neither, and
    for a step too many. With `cycle_momentum`, the momentum (for Adam, the first beta) goes from
    `max_momentum` down to `base_momentum` and back. L. Smith and N. Topin, 2018.
    """

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        check_cycle(total_steps, epochs, steps_per_epoch, anneal_strategy, pct_start)
        self.total_steps = total_steps or epochs * steps_per_epoch
        self.linear = anneal_strategy == "linear"
        up = pct_start * self.total_steps
        middle = [2 * up - 2] if three_phase else []
        self.turns = [0, up - 1, *middle, self.total_steps - 1]
        self.peaks = peaks(optimizer, max_lr, div_factor, final_div_factor, three_phase)
        between = bounds_of_groups(optimizer, base_momentum, max_momentum) if cycle_momentum else []
        self.momenta = [(high, low, high, high) for low, high in between]
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch > self.total_steps:
            raise ValueError(f"OneCycleLR was made for {self.total_steps} steps, this is one more")
        return [self.rate_at(self.last_epoch, *peak) for peak in self.peaks]

    def step(self, epoch: int | None = None):
        """Count a batch, and set learning rates and momenta of all groups."""
        super().step(epoch)
        if self.momenta:
            momenta = [self.rate_at(self.last_epoch, *each) for each in self.momenta]
            set_momentum(self.optimizer, momenta)

    def rate_at(self, step, *rates):
        """The rate at `step` of a cycle that has these rates where it turns."""
        phase = sum(step > turn for turn in self.turns[1:-1])
        since, until = self.turns[phase : phase + 2]
        start, goal = rates[phase : phase + 2]
        done = (step - since) / (until - since)
        done = done if self.linear else (1 - math.cos(math.pi * done)) / 2
        return start + (goal - start) * done


def check_cycle(total_steps, epochs, steps_per_epoch, anneal_strategy, pct_start):
    """ValueError for settings of OneCycleLR that make no cycle."""
    if total_steps is None and (epochs is None or steps_per_epoch is None):
        raise ValueError("OneCycleLR needs total_steps, or epochs and steps_per_epoch")
    if anneal_strategy not in ("cos", "linear"):
        raise ValueError(f"anneal_strategy must be 'cos' or 'linear', got {anneal_strategy!r}")
    if not 0 <= pct_start <= 1:
        raise ValueError(f"pct_start must be between 0 and 1, got {pct_start}")


def peaks(optimizer, max_lr, div_factor, final_div_factor, three_phase):
    """For each group the rates where a cycle turns, from its beginning to its end."""
    tops = for_each_group(optimizer, max_lr)
    lows = [top / div_factor for top in tops]
    back = [[low] if three_phase else [] for low in lows]
    ways = zip(lows, tops, back, strict=True)
    return [(low, top, *middle, low / final_div_factor) for low, top, middle in ways]


class ReduceLROnPlateau:
    """When the number given to `step()` has not got better for `patience` epochs: rate * factor.

    Better is less, or with `mode="max"` more, by the part `threshold`, or by the number itself for
    `threshold_mode="abs"`. After a change, `cooldown` epochs do not count. No rate falls below
    `min_lr`, or by less than `eps`. ValueError for a factor of 1 or more, and for other modes.

    >>> optimizer = tinytorch.optim.SGD([tinytorch.zeros(1)], lr=1.0)
    >>> scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    >>> for loss in (3.0, 2.0, 2.0):
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0.0,
        eps=1e-8,
    ):
        if factor >= 1.0 or mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ValueError("factor must be below 1, mode min or max, threshold_mode rel or abs")
        self.optimizer = optimizer
        self.sign = 1 if mode == "min" else -1
        self.factor, self.patience, self.cooldown = factor, patience, cooldown
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.min_lr, self.eps = for_each_group(optimizer, min_lr), eps
        self.best = self.sign * math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics):
        """Count an epoch that ended with the number `metrics`."""
        metrics = float(metrics)
        self.last_epoch += 1
        better = self.is_better(metrics)
        self.best = metrics if better else self.best
        self.num_bad_epochs = 0 if better else self.num_bad_epochs + 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self.reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def is_better(self, number):
        """Is the number far enough below (or above) the best one?"""
        margin = self.threshold * (abs(self.best) if self.threshold_mode == "rel" else 1)
        return math.isinf(self.best) or self.sign * (self.best - number) > margin

    def reduce(self):
        """Multiply all rates by the factor."""
        for group, lowest in zip(self.optimizer.param_groups, self.min_lr, strict=True):
            rate = max(group["lr"] * self.factor, lowest)
            group["lr"] = rate if group["lr"] - rate > self.eps else group["lr"]

    get_last_lr = LRScheduler.get_last_lr
    state_dict, load_state_dict = LRScheduler.state_dict, LRScheduler.load_state_dict
