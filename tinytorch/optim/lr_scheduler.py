"""Schedulers: how the learning rate changes from epoch to epoch."""

import math

from tinytorch.optim.optimizer import Optimizer


class LRScheduler:
    """The base of all schedulers: a subclass says in `get_lr` what the learning rates become.

    Call `step()` after each epoch. Where `get_lr` goes on from the rates as they are, several
    schedulers can work on one optimizer. KeyError for a `last_epoch` with a new optimizer.
    """

    def __init__(self, optimizer, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"a scheduler needs an Optimizer, got {type(optimizer).__name__}")
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError("last_epoch is for an optimizer whose state was loaded first")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._is_initial = True  # the first step finds the rates that belong to its epoch
        self.step()
        self._is_initial = False

    def rates(self):
        """The learning rates of the groups as they are now."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_lr(self):
        """The learning rates of the groups at the epoch `last_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} has no get_lr()")

    def step(self):
        """Count an epoch, and set the learning rates of all groups."""
        self.last_epoch += 1
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = rate
        self._last_lr = self.rates()

    def get_last_lr(self):
        """The learning rates that this scheduler set last."""
        return self._last_lr

    def state_dict(self):
        """Where the scheduler stands, all but the optimizer and functions."""
        left_out = ("optimizer", "lr_lambdas")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def load_state_dict(self, state_dict):
        """Go on from what state_dict() gave."""
        vars(self).update(state_dict)


class StepLR(LRScheduler):
    """Every `step_size` epochs, the rate is multiplied by `gamma`.

    >>> optimizer = tinytorch.optim.SGD([tinytorch.zeros(1)], lr=8.0)
    >>> scheduler = StepLR(optimizer, step_size=1, gamma=0.5)
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [4.0]
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
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

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
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

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        several = isinstance(lr_lambda, (list, tuple))
        count = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * count
        if len(self.lr_lambdas) != count:
            raise ValueError(f"got {len(self.lr_lambdas)} functions for {count} parameter groups")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        return [base * function(self.last_epoch) for base, function in pairs]
