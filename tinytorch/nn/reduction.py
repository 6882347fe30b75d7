"""How a loss for each element becomes one number, under the names of today and of old programs."""

import warnings
from functools import wraps
from inspect import Parameter, signature


def reduced(loss, reduction):
    """`loss` as "none", its "sum" or its "mean"."""
    check_reduction(reduction)
    return loss if reduction == "none" else getattr(loss, reduction)()


def check_reduction(reduction):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"reduction must be 'none', 'mean' or 'sum', got {reduction!r}")


def in_todays_names(size_average=None, reduce=None, **settings):
    """The settings of a loss, where `size_average` and `reduce`, bools, stand for `reduction`."""
    if size_average is None and reduce is None:
        return settings
    for value in (size_average, reduce):
        if value is not None and not isinstance(value, bool):
            raise TypeError(
                f"size_average and reduce are True or False, got {value!r}; what comes by place may"
                " belong to another name, as in reduction='sum'"
            )
    reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    warnings.warn(
        f"size_average and reduce are names of old programs; use reduction={reduction!r}",
        stacklevel=3,
    )
    return {**settings, "reduction": reduction}


def with_old_names(before="reduction"):
    """Decorator: the loss also takes `size_average` and `reduce`, in the places that they have.

    `reduce` stands before `reduction`, `size_average` somewhere `before` it.
    """

    def decorate(loss):
        parameters = with_old_parameters(signature(loss), before)
        names = [parameter.name for parameter in parameters]
        first = names.index("size_average")

        @wraps(loss)
        def asked(*args, **named):
            if first < len(args) <= len(names):
                by_place = zip(names[first:], args[first:], strict=False)
                args, named = args[:first], dict(**dict(by_place), **named)
            return loss(*args, **in_todays_names(**named))

        asked.__signature__ = signature(loss).replace(parameters=parameters)
        return asked

    return decorate


def with_old_parameters(own, before):
    """The parameters of a loss in PyTorch's order, a list."""
    found = []
    for name, parameter in own.parameters.items():
        for place, old in ((before, "size_average"), ("reduction", "reduce")):
            if name == place:
                found.append(Parameter(old, Parameter.POSITIONAL_OR_KEYWORD, default=None))
        found.append(parameter)
    return found
