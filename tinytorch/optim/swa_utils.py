"""AveragedModel: a network whose parameters are means of those that another one has had."""

import math
from copy import deepcopy

from tinytorch.grad_mode import no_grad
from tinytorch.nn.module import Module
from tinytorch.nn.normalization import BatchNorm
from tinytorch.ops.creation import tensor
from tinytorch.optim.scheduler import LRScheduler, for_each_group


def get_ema_avg_fn(decay=0.999):
    """The function for AveragedModel that keeps the share `decay` of the mean at each update.

    ValueError for a share outside [0, 1].
    """
    if not 0 <= decay <= 1:
        raise ValueError(f"decay must be in [0, 1], got {decay}")
    return lambda averaged, model, num_averaged: decay * averaged + (1 - decay) * model


def get_swa_avg_fn():
    """The function for AveragedModel that makes the plain mean: all that it was shown, alike."""
    return lambda averaged, model, num_averaged: averaged + (model - averaged) / (num_averaged + 1)


def for_lists(mean):
    """A function for `multi_avg_fn` that draws each tensor of a list to `mean` of both."""

    @no_grad()
    def update(averaged, model, num_averaged):
        for own, given in zip(averaged, model, strict=True):
            own.copy_(mean(own, given, num_averaged))

    return update


def get_ema_multi_avg_fn(decay=0.999):
    """get_ema_avg_fn() for all tensors at once, in place: for `multi_avg_fn` of AveragedModel.

    >>> mean = tinytorch.zeros(2)
    >>> get_ema_multi_avg_fn(0.75)([mean], [tinytorch.ones(2)], 1)
    >>> mean
    tensor([0.2500, 0.2500])
    """
    return for_lists(get_ema_avg_fn(decay))


def get_swa_multi_avg_fn():
    """get_swa_avg_fn() for all tensors at once, in place: for `multi_avg_fn` of AveragedModel."""
    return for_lists(get_swa_avg_fn())


class SWALR(LRScheduler):
    """From the rates as they are to `swa_lr` in `anneal_epochs` epochs, and there it stays.

    `anneal_strategy` is "cos" or "linear"; ValueError for another one.
    """

    def __init__(
        self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch: int = -1
    ):
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be 'cos' or 'linear', got {anneal_strategy!r}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be a whole number from 0 on, got {anneal_epochs}")
        self.goals = for_each_group(optimizer, swa_lr)
        self.anneal_epochs, self.linear = anneal_epochs, anneal_strategy == "linear"
        for group, goal in zip(optimizer.param_groups, self.goals, strict=True):
            group["swa_lr"] = goal
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if not self.anneal_epochs:
            return list(self.goals)
        before, now = self.share(self.last_epoch - 1), self.share(self.last_epoch)
        pairs = zip(self.rates(), self.goals, strict=True)
        if before == 1:
            return list(self.goals)
        return [goal + (rate - goal) * (1 - now) / (1 - before) for rate, goal in pairs]

    def share(self, epoch):
        """How much of the way is done at `epoch`."""
        done = max(0, min(1, epoch / max(1, self.anneal_epochs)))
        return done if self.linear else (1 - math.cos(math.pi * done)) / 2


@no_grad()
def update_bn(loader, model, device=None):
    """Let the norms of batches in `model` count anew, from all batches of `loader`.

    Of a batch that is a list or tuple, the first part goes into the model.
    """
    norms = [part for part in model.modules() if isinstance(part, BatchNorm)]
    momenta, was = [part.momentum for part in norms], model.training
    for part in norms:
        part.reset_running_stats()
        part.momentum = None
    model.train()
    for batch in loader:
        model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for part, momentum in zip(norms, momenta, strict=True):
        part.momentum = momentum
    model.train(was)


class AveragedModel(Module):
    """A copy of `model`; each update_parameters() draws it towards `model` as it is by then.

    By default it is the mean of all that it was shown. `avg_fn(averaged, model, num_averaged)`
    gives another mean of two tensors; `multi_avg_fn` has lists of them, and changes the first in
    place. AssertionError for both. P. Izmailov et al., 2018.
    """

    def __init__(
        self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers: bool = False
    ):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("give avg_fn or multi_avg_fn, not both")
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", tensor(0))
        self.avg_fn, self.multi_avg_fn = avg_fn, multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    @no_grad()
    def update_parameters(self, model):
        """Take the parameters of `model` into the means; its buffers are copied."""
        seen = self.n_averaged.item()
        update = self.multi_avg_fn or for_lists(self.avg_fn or get_swa_avg_fn())
        pairs = list(zip(self.module.parameters(), model.parameters(), strict=True))
        buffers = list(zip(self.module.buffers(), model.buffers(), strict=True))
        if self.use_buffers:
            pairs += buffers
        else:
            for own, given in buffers:
                own.copy_(given)
        own, given = ([x.detach() for x in tensors] for tensors in zip(*pairs, strict=True))
        if seen:
            update(own, given, seen)
        else:
            for_lists(lambda averaged, model, num_averaged: model)(own, given, seen)
        self.n_averaged += 1
