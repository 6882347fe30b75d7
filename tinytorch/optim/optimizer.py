"""Optimizer: what all of them share. Groups of parameters, their states, and the step."""

from collections import defaultdict

import numpy as np

from tinytorch import memory
from tinytorch.grad_mode import enable_grad
from tinytorch.nn.parameter import forget_grad
from tinytorch.operation import quiet
from tinytorch.ops.creation import numbers_of
from tinytorch.optim.step_hooks import StepHooks
from tinytorch.tensor import Tensor, wrap

required = object()  # the default of a setting that has none, for optimizers of one's own


class Optimizer(StepHooks):
    """The base of all optimizers: a subclass says in `update` how one parameter moves.

    `params` are parameters, pairs of names and parameters, or dictionaries: a group of parameters
    with its own settings; what a group does not say comes from `defaults`. ValueError for no
    parameters, for results of operations, and for a parameter that comes twice; TypeError for
    anything but tensors.
    """

    def __init__(self, params, defaults):
        if isinstance(params, (Tensor, dict)):
            raise TypeError(
                f"params must be a list of tensors or dicts, got one {type(params).__name__}"
            )
        self.defaults = {**defaults, **vars(self).pop("_common", {})}  # see with_common()
        self.state = defaultdict(dict)  # parameter -> what the optimizer remembers of it
        self.param_groups = []
        self._placed = set()  # all parameters of the groups, so that a new group is checked fast
        groups = list(params)
        if not groups:
            raise ValueError("the optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self._add_groups(groups)

    def __setstate__(self, state):
        self.__dict__.update(state)  # what a copy begins with; a subclass may add to it

    def update(self, x, grad, group, state):
        """Move the array `x` in place, along the array `grad`; every subclass writes its own."""
        raise NotImplementedError(f"{type(self).__name__} has no update()")

    def step(self, closure=None):
        """Move every parameter that has a gradient; returns the loss that `closure` computes."""
        closure, loss = self._called_before_step(closure), None
        if closure is not None:
            with enable_grad():
                loss = closure()
        self._move()
        self._called_after_step(closure)
        return loss

    @quiet
    def _move(self):
        for group in self.param_groups:
            # a learning rate may be a tensor
            settings = dict(zip(group, numbers_of(*group.values()), strict=True))
            for param in group["params"]:
                if param._grad is not None:
                    grad = param._grad._data
                    grad = -grad if settings.get("maximize") else grad
                    self.update(param._data, grad, settings, self.state[param])
                    memory.touch(param._data)  # a graph that saved the old values must notice

    def zero_grad(self, set_to_none=True):
        """Forget the gradients of all parameters, or set them to zero."""
        for param in self.all_params():
            forget_grad(param, set_to_none)

    # --- groups ---

    def add_param_group(self, param_group):
        """Add a dictionary {"params": tensors, settings of their own}."""
        self._add_groups([param_group])

    def _add_groups(self, groups):
        new = [{**self.defaults, **with_params(group)} for group in groups]
        added = [param for group in new for param in group["params"]]
        if not self._placed.isdisjoint(added):  # or did somebody take it out of its group?
            self._placed = set(self.all_params())
        if len(set(added)) < len(added) or not self._placed.isdisjoint(added):
            raise ValueError("a parameter comes twice; each one belongs to one group, once")
        self._placed.update(added)
        self.param_groups += new

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])

    # --- state ---

    def all_params(self):
        """The parameters of all groups in their order; their places name them in state_dict()."""
        return [param for group in self.param_groups for param in group["params"]]

    def state_dict(self):
        """What is needed to go on later: {"state": {place: …}, "param_groups": […]}."""
        self._call("state_pre")
        places = {param: place for place, param in enumerate(self.all_params())}
        state = {places[param]: dict(kept) for param, kept in self.state.items() if kept}
        groups = [
            {**group, "params": [places[param] for param in group["params"]]}
            for group in self.param_groups
        ]
        return self._call("state_post", {"state": state, "param_groups": groups})

    def load_state_dict(self, state_dict):
        """Go on from what state_dict() gave; ValueError if its groups do not fit ours."""
        state_dict = self._call("load_pre", {**state_dict})
        groups = state_dict["param_groups"]
        sizes, own = ([len(g["params"]) for g in gs] for gs in (groups, self.param_groups))
        if sizes != own:
            raise ValueError(
                f"the state has parameter groups of sizes {sizes}, this optimizer {own}"
            )
        places = [place for group in groups for place in group["params"]]
        params = dict(zip(places, self.all_params(), strict=True))
        self.state.clear()
        for place, kept in state_dict["state"].items():
            param = params[place]
            self.state[param] = {name: copied(name, x, param.dtype) for name, x in kept.items()}
        for mine, group in zip(self.param_groups, groups, strict=True):
            mine.update({**group, "params": mine["params"]})
        self._call("load_post")


def with_params(group):
    """A group with a list of parameters; pairs (name, parameter) also give it their names.

    TypeError or ValueError for what cannot be moved.
    """
    if not isinstance(group, dict):
        raise TypeError(f"a group is a dict, got {type(group).__name__}")
    params = group["params"]
    params = [params] if isinstance(params, Tensor) else list(params)
    names = [item[0] for item in params if isinstance(item, tuple)]
    if names and len(names) == len(params):
        group, params = {**group, "param_names": names}, [param for _, param in params]
    for param in params:
        check_parameter(param)
    return {**group, "params": params}


def check_parameter(param):
    if not isinstance(param, Tensor):
        raise TypeError(f"an optimizer moves tensors, got {type(param).__name__}")
    if not param.is_leaf:
        raise ValueError("an optimizer moves leaves, got the result of an operation")


def copied(name, value, dtype):
    """A value of a state; a tensor as a copy in the dtype of the parameter, but for a count."""
    if not isinstance(value, Tensor):
        return value
    return value.clone() if name == "step" else value.clone().to(dtype)


def kept(state, name, like):
    """The array that `state` keeps under `name`; the first time, zeros as many as in `like`."""
    if state.get(name) is None:
        state[name] = wrap(np.zeros_like(like))
    return state[name]._data


PIECE = 2**15  # numbers: so many of x, of direction and of their product fit into the cache


def step_back(x, direction, rate):
    """x -= rate * direction in place; what is large a piece at a time.

    >>> x = np.array([1.0, 2.0])
    >>> step_back(x, np.array([10.0, 10.0]), 0.1)
    >>> x
    array([0., 1.])
    """
    if x.size <= PIECE:
        x -= rate * direction
        return
    rows = max(1, PIECE * len(x) // x.size)
    for start in range(0, len(x), rows):
        piece = x[start : start + rows]
        piece -= rate * direction[start : start + rows]


def with_decay(x, grad, group):
    """The gradient with the part that draws x towards 0."""
    return grad + group["weight_decay"] * x if group["weight_decay"] else grad


def check_settings(**settings):
    """ValueError for a setting that is negative."""
    for name, value in settings.items():
        if value < 0:
            raise ValueError(f"{name} must not be negative, got {value}")
