"""AveragedModel: a network whose parameters are means of those that another one has had."""

import math
from copy import deepcopy

from tinytorch.grad_mode import no_grad
from tinytorch.nn.module import Module
from tinytorch.nn.normalization import BatchNorm
from tinytorch.ops.creation import tensor
from tinytorch.optim.scheduler import LRScheduler, for_each_group


def get_ema_avg_fn(decay=0.999):
    """The function for AveragedModel that keeps the share `decay` of the mean at each update."""
    return lambda averaged, model, num_averaged: decay * averaged + (1 - decay) * model


def plain_mean(averaged, model, num_averaged):
    return averaged + (model - averaged) / (num_averaged + 1)


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

    By default it is the mean of all that it was shown. P. Izmailov et al., 2018.
    """

    def __init__(self, model, device=None, avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", tensor(0))
        self.avg_fn = avg_fn or plain_mean
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    @no_grad()
    def update_parameters(self, model):
        """Take the parameters of `model` into the means; its buffers are copied."""
        seen = self.n_averaged.item()
        mean = self.avg_fn if seen else lambda averaged, model, num_averaged: model
        for own, given in zip(self.module.parameters(), model.parameters(), strict=True):
            own.copy_(mean(own, given, seen))
        for own, given in zip(self.module.buffers(), model.buffers(), strict=True):
            averages = self.use_buffers and own.is_floating_point()
            own.copy_(mean(own, given, seen) if averages else given)
        self.n_averaged += 1
