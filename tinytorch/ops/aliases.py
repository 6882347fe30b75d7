"""Second names, under which some look for a method."""

from tinytorch.ops import more_inplace  # noqa: F401 (its methods have second names, too)
from tinytorch.tensor import Tensor

SECOND = {
    "abs_": "absolute_", "acos_": "arccos_", "acosh_": "arccosh_", "asin_": "arcsin_",
    "asinh_": "arcsinh_", "atan_": "arctan_", "atan2_": "arctan2_", "atanh_": "arctanh_",
    "ge_": "greater_equal_", "gt_": "greater_", "le_": "less_equal_", "lt_": "less_",
    "ne_": "not_equal_", "trunc_": "fix_",
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atan2": "arctan2", "atanh": "arctanh", "clamp_": "clip_", "dim": "ndimension", "sign_": "sgn_",
    "div_": "divide_", "ge": "greater_equal", "gt": "greater", "le": "less_equal", "lt": "less",
    "mul_": "multiply_", "ne": "not_equal",
    "neg_": "negative_", "nonzero": "argwhere", "outer": "ger", "sign": "sgn",
    "dot": "vdot", "sub": "subtract", "sub_": "subtract_", "trunc": "fix",
}  # fmt: skip
for _name, _second in SECOND.items():
    setattr(Tensor, _second, getattr(Tensor, _name))
Tensor.true_divide_ = Tensor.div_
