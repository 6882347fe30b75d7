"""The names that functions of `init` once had, without the line at the end."""

from tinytorch.nn import init

NAMES = (
    "constant eye dirac kaiming_normal kaiming_uniform normal orthogonal uniform xavier_normal"
    " xavier_uniform"
)
for _name in NAMES.split():
    if hasattr(init, f"{_name}_"):
        setattr(init, _name, getattr(init, f"{_name}_"))
