"""Schedulers: the learning rate as a function of how many epochs have passed."""

import math


class LRScheduler:
    """The base of all schedulers: a subclass says in `rate` what a learning rate has become.

    Call `step()` after each epoch.
    """

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group["initial_lr"] = group["lr"]
            elif "initial_lr" not in group:
                raise KeyError("last_epoch is for an optimizer whose state was loaded first")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def rate(self, base, epoch, group_number):
        """The learning rate at `epoch` of a group that started with `base`."""
        raise NotImplementedError(f"{type(self).__name__} has no rate()")

    def step(self):
        """Count an epoch, and set the learning rates of all groups."""
        self.last_epoch += 1
        for number, group in enumerate(self.optimizer.param_groups):
            group["lr"] = self.rate(self.base_lrs[number], self.last_epoch, number)

    def get_last_lr(self):
        """The learning rates of the groups as they are now."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        """Where the scheduler stands; functions are not part of it."""
        return {"base_lrs": list(self.base_lrs), "last_epoch": self.last_epoch}

    def load_state_dict(self, state_dict):
        """Go on from what state_dict() gave."""
        self.base_lrs = list(state_dict["base_lrs"])
        self.last_epoch = state_dict["last_epoch"]


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

    def rate(self, base, epoch, group_number):
        return base * self.gamma ** (epoch // self.step_size)


class CosineAnnealingLR(LRScheduler):
    """Half a cosine, from the first rate at epoch 0 down to `eta_min` at epoch `T_max`."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def rate(self, base, epoch, group_number):
        height = (1 + math.cos(math.pi * epoch / self.T_max)) / 2
        return self.eta_min + (base - self.eta_min) * height


class LambdaLR(LRScheduler):
    """The first rate times `lr_lambda(epoch)`; one function, or one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        count = len(optimizer.param_groups)
        self.lr_lambdas = (
            list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        )
        if len(self.lr_lambdas) != count:
            raise ValueError(f"got {len(self.lr_lambdas)} functions for {count} parameter groups")
        super().__init__(optimizer, last_epoch)

    def rate(self, base, epoch, group_number):
        return base * self.lr_lambdas[group_number](epoch)
