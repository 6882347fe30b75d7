"""There is no CUDA here: its switches may be set, and change nothing."""

from types import SimpleNamespace

from tinytorch.backends.mps import is_built  # noqa: F401 (the same answer)

matmul = SimpleNamespace(
    allow_tf32=False,
    allow_fp16_reduced_precision_reduction=True,
    allow_bf16_reduced_precision_reduction=True,
)
