"""Special functions under PyTorch's names."""
# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off

from tinytorch.ops.elementwise import erf, exp2, expm1, log1p, round, sigmoid as expit
from tinytorch.ops.rare import entr, i0, i0e, i1, i1e, mvlgamma as multigammaln, ndtr, xlog1py
from tinytorch.ops.reductions import log_softmax, logsumexp, softmax
from tinytorch.ops.special import (
    digamma, digamma as psi, erfc, erfinv, lgamma as gammaln, logit, polygamma, sinc, xlogy,
)

__all__ = [
    "digamma", "entr", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "i0", "i0e",
    "i1", "i1e", "log1p", "log_softmax", "logit", "logsumexp", "multigammaln", "ndtr", "polygamma",
    "psi", "round", "sinc", "softmax", "xlog1py", "xlogy",
]
