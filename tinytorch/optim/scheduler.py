"""LRScheduler: what all schedulers share."""

from types import FunctionType

from tinytorch.optim.optimizer import Optimizer


class LRScheduler:
    """The base of all schedulers: a subclass says in `get_lr` what the learning rates become.

    Call `step()` after each epoch. Where `get_lr` goes on from the rates as they are, several
    schedulers can work on one optimizer. KeyError for a `last_epoch` with a new optimizer.
    """

    def __init__(self, optimizer, last_epoch: int = -1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"a scheduler needs an Optimizer, got {type(optimizer).__name__}")
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError("last_epoch is for an optimizer whose state was loaded first")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._begin(last_epoch)

    def _begin(self, last_epoch=-1):
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

    def step(self, epoch: int | None = None):
        """Count an epoch, or go to `epoch`, and set the learning rates of all groups."""
        if epoch is not None:
            return self._go_to(epoch)
        self.last_epoch += 1
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = rate
        self._last_lr = self.rates()

    def _go_to(self, epoch):
        for group, rate in zip(self.optimizer.param_groups, self.base_lrs, strict=True):
            group["lr"] = rate
        self._begin()
        for _ in range(epoch):
            self.step()

    def get_last_lr(self):
        """The learning rates that this scheduler set last."""
        return self._last_lr

    def state_dict(self):
        """Where the scheduler stands, all but the optimizer and functions.

        Of objects that are called like functions, what they hold is kept.
        """
        state = {name: value for name, value in vars(self).items() if name not in LEFT_OUT}
        if "lr_lambdas" in vars(self):
            state["lr_lambdas"] = [held_by(function) for function in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict):
        """Go on from what state_dict() gave."""
        state = dict(state_dict)
        kept = state.pop("lr_lambdas", [])
        for function, held in zip(getattr(self, "lr_lambdas", []), kept, strict=False):
            if held is not None:
                vars(function).update(held)
        vars(self).update(state)


LEFT_OUT = ("optimizer", "lr_lambdas", "_scale_fn")


def held_by(function):
    """What an object that is called like a function holds; None for a function."""
    return None if isinstance(function, FunctionType) else dict(vars(function))


def set_momentum(optimizer, momenta):
    """Give the groups these momenta, or first betas; ValueError for an optimizer without."""
    for group, momentum in zip(optimizer.param_groups, momenta, strict=True):
        if "betas" in group:
            group["betas"] = (momentum, *group["betas"][1:])
        elif "momentum" in group:
            group["momentum"] = momentum
        else:
            raise ValueError("cycle_momentum=True needs an optimizer with momentum or betas")


def for_each_group(optimizer, value):
    """A list of values, one for each group, from one or from as many."""
    count = len(optimizer.param_groups)
    values = list(value) if isinstance(value, (list, tuple)) else [value] * count
    if len(values) != count:
        raise ValueError(f"got {len(values)} values for {count} parameter groups")
    return values
