"""DataParallel, for programs that wrap their network in it: here there is one device."""

from tinytorch.nn.module import Module


class DataParallel(Module):
    """The module itself, as the part `module`."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.dim = dim
        self.device_ids = []

    def forward(self, *inputs, **named):
        return self.module(*inputs, **named)
