"""Where tensors live: on the CPU, the only device there is."""

from tinytorch.tensor import Tensor, method


class device(str):
    """`device("cpu")`, the text "cpu" with a `type` and an `index`; RuntimeError for another one.

    >>> device("cpu").type, tinytorch.ones(2).device == "cpu"
    ('cpu', True)
    """

    type = property(str)
    index = None

    def __new__(cls, type):
        if str(type) != "cpu":
            raise RuntimeError(f"the only device is cpu, got {str(type)!r}")
        return super().__new__(cls, type)

    def __repr__(self):
        return "device(type='cpu')"


check_device = device  # under a name that does not hide behind the argument `device`
CPU = device("cpu")

Tensor.device = property(lambda self: CPU, doc="Always the device cpu.")
Tensor.is_cuda = property(lambda self: False, doc="Always False.")
Tensor.is_cpu = property(lambda self: True, doc="Always True.")


@method("cuda")
def cuda_refused(input, *args, **kwargs):
    """RuntimeError: there is no GPU. Ask `cuda.is_available()` first."""
    raise RuntimeError("there is no GPU here; call cuda() only if cuda.is_available()")
