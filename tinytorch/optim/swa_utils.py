"""AveragedModel: a network whose parameters are means of those that another one has had."""

from copy import deepcopy

from tinytorch.grad_mode import no_grad
from tinytorch.nn.module import Module
from tinytorch.ops.creation import tensor


def get_ema_avg_fn(decay=0.999):
    """The function for AveragedModel that keeps the share `decay` of the mean at each update."""
    return lambda averaged, model, num_averaged: decay * averaged + (1 - decay) * model


def plain_mean(averaged, model, num_averaged):
    return averaged + (model - averaged) / (num_averaged + 1)


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
