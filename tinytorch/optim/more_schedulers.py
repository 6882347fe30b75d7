"""Less common schedulers, and schedulers of schedulers."""

from bisect import bisect_right

from tinytorch.optim.scheduler import LRScheduler, for_each_group, set_momentum


class ConstantLR(LRScheduler):
    """The rate times `factor`, until the epoch `total_iters`."""

    def __init__(self, optimizer, factor=1 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError(f"factor must be between 0 and 1, got {factor}")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        scale = self.factor if self._is_initial else 1
        if self.last_epoch == self.total_iters:
            scale /= self.factor
        return [rate * scale for rate in self.rates()]


class MultiplicativeLR(LRScheduler):
    """Every epoch, the rate is multiplied by `lr_lambda(epoch)`; one function, or one a group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = for_each_group(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return self.rates()
        pairs = zip(self.rates(), self.lr_lambdas, strict=True)
        return [rate * function(self.last_epoch) for rate, function in pairs]


class PolynomialLR(LRScheduler):
    """Down to 0 in `total_iters` epochs: the first rate times (the share that is left) ** power."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return self.rates()
        left = self.total_iters - self.last_epoch
        return [rate * (left / (left + 1)) ** self.power for rate in self.rates()]


class CyclicLR(LRScheduler):
    """Up from `base_lr` to `max_lr` in `step_size_up` steps, down in `step_size_down`, and again.

    `mode` "triangular2" halves the height with each cycle, "exp_range" multiplies it by `gamma`
    with each step. With `cycle_momentum`, the momentum goes from `max_momentum` down to
    `base_momentum` meanwhile. `scale_fn` stands for the mode: what the height is multiplied by, a
    function of the number of the cycle from 1 on, or with `scale_mode` "iterations" of the step.
    ValueError for other modes. L. Smith, 2017.
    """

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
    ):
        if mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError(f"mode is 'triangular', 'triangular2' or 'exp_range', got {mode!r}")
        self.up, self.down = step_size_up, step_size_down or step_size_up
        self.mode, self.gamma = mode, gamma
        self._scale_fn, self.scale_mode = scale_fn, scale_mode
        self.bounds = bounds_of_groups(optimizer, base_lr, max_lr)
        self.momenta = (
            bounds_of_groups(optimizer, max_momentum, base_momentum) if cycle_momentum else None
        )
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [self.between(*pair) for pair in self.bounds]

    def step(self, epoch: int | None = None):
        """Count a batch, and set learning rates and momenta of all groups."""
        super().step(epoch)
        if self.momenta is not None:
            set_momentum(self.optimizer, [self.between(*pair) for pair in self.momenta])

    def between(self, low, high):
        """The rate at this step of a cycle from `low` to `high` and back."""
        cycle, step = divmod(self.last_epoch, self.up + self.down)
        height = step / self.up if step <= self.up else (self.up + self.down - step) / self.down
        if self._scale_fn is not None:
            height *= self._scale_fn(cycle + 1 if self.scale_mode == "cycle" else self.last_epoch)
        elif self.mode != "triangular":
            height *= 0.5**cycle if self.mode == "triangular2" else self.gamma**self.last_epoch
        return low + (high - low) * height


def bounds_of_groups(optimizer, low, high):
    """For each group its two bounds."""
    return list(zip(*[for_each_group(optimizer, each) for each in (low, high)], strict=True))


class ChainedScheduler:
    """Several schedulers, each of which takes its step whenever this one does."""

    def __init__(self, schedulers, optimizer=None):
        self._schedulers = list(schedulers)
        self.optimizer = optimizer or self._schedulers[0].optimizer
        if any(scheduler.optimizer is not self.optimizer for scheduler in self._schedulers):
            raise ValueError("schedulers can only work together on one optimizer")
        self._last_lr = self._schedulers[-1].get_last_lr()

    def step(self):
        """Let all schedulers take a step, in their order."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._schedulers[-1].get_last_lr()

    def state_dict(self):
        """Where all the schedulers stand."""
        own = {name: value for name, value in vars(self).items() if name != "optimizer"}
        return {**own, "_schedulers": [scheduler.state_dict() for scheduler in self._schedulers]}

    def load_state_dict(self, state_dict):
        """Go on from what state_dict() gave."""
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(state)
        vars(self).update({**state_dict, "_schedulers": self._schedulers})

    get_last_lr = LRScheduler.get_last_lr


class SequentialLR(ChainedScheduler):
    """Several schedulers, one after the other: the next one begins at each of the `milestones`.

    ValueError unless there is one scheduler more than milestones.

    >>> from tinytorch.optim.lr_scheduler import ExponentialLR
    >>> optimizer = tinytorch.optim.SGD([tinytorch.zeros(1)], lr=1.0)
    >>> parts = [ConstantLR(optimizer, 0.1), ExponentialLR(optimizer, 0.5)]
    >>> scheduler = SequentialLR(optimizer, parts, milestones=[2])
    >>> for _ in range(3):
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        super().__init__(schedulers, optimizer)
        if len(milestones) != len(self._schedulers) - 1:
            raise ValueError(
                f"{len(self._schedulers)} schedulers need one milestone less, got {len(milestones)}"
            )
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self._begin(0)

    def _begin(self, number):
        for group in self.optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        self._schedulers[number]._begin()
        self._last_lr = self._schedulers[number].get_last_lr()

    def step(self):
        """Count an epoch; the scheduler whose turn it is sets the learning rates."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        if number and self._milestones[number - 1] == self.last_epoch:
            self._begin(number)
        else:
            self._schedulers[number].step()
            self._last_lr = self._schedulers[number].get_last_lr()
