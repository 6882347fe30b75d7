"""How a loss for each element becomes one number, under the names of today and of old programs."""

import warnings
from functools import wraps


def reduced(loss, reduction):
    """`loss` as "none", its "sum" or its "mean"."""
    check_reduction(reduction)
    return loss if reduction == "none" else getattr(loss, reduction)()


def check_reduction(reduction):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"reduction must be 'none', 'mean' or 'sum', got {reduction!r}")


def in_todays_names(settings, size_average=None, reduce=None):
    """The settings of a loss, where `size_average` and `reduce`, bools, stand for `reduction`.

    >>> in_todays_names({"margin": 2.0}, size_average=False)
    {'margin': 2.0, 'reduction': 'sum'}
    """
    if size_average is None and reduce is None:
        return settings
    reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    warnings.warn(
        f"size_average and reduce are names of old programs; use reduction={reduction!r}",
        stacklevel=3,
    )
    return {**settings, "reduction": reduction}


def with_old_names(loss):
    """Decorator: the loss also takes `size_average` and `reduce`."""

    @wraps(loss)
    def asked(*args, size_average=None, reduce=None, **named):
        return loss(*args, **in_todays_names(named, size_average, reduce))

    return asked
