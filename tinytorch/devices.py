"""Where tensors live: on the CPU, the only device there is."""

from tinytorch.tensor import Tensor, method


class device(str):
    """`device("cpu")`, the text "cpu" with a `type` and an `index`; RuntimeError for another one.

    "cpu:0" is the same.

    >>> device("cpu").type, tinytorch.ones(2).device == "cpu"
    ('cpu', True)
    """

    type = property(str)
    index = None

    def __new__(cls, type):
        if str(type) not in ("cpu", "cpu:0"):
            raise RuntimeError(f"the only device is cpu, got {str(type)!r}")
        return super().__new__(cls, "cpu")

    def __repr__(self):
        return "device(type='cpu')"


check_device = device  # under a name that does not hide behind the argument `device`
CPU = device("cpu")


def _device(tensor) -> device:
    """Always the device cpu."""
    return CPU


def _is_cuda(tensor) -> bool:
    """Always False."""
    return False


def _is_cpu(tensor) -> bool:
    """Always True."""
    return True


Tensor.device, Tensor.is_cuda, Tensor.is_cpu = map(property, (_device, _is_cuda, _is_cpu))


@method("cuda")
def cuda_refused(input, *args, **kwargs):
    """RuntimeError: there is no GPU. Ask `cuda.is_available()` first."""
    raise RuntimeError("there is no GPU here; call cuda() only if cuda.is_available()")
