"""Second names, under which some look for a method."""

from tinytorch.tensor import Tensor

SECOND = {
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
