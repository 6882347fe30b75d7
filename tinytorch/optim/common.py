"""Settings that every optimizer takes by name."""

from functools import wraps
from inspect import Parameter, signature

COMMON = dict(maximize=False, foreach=None, fused=None, capturable=False, differentiable=False)


def with_common(cls, *elsewhere):
    """Let the class take, by name, `maximize`, to go uphill, and settings of other machines.

    `foreach`, `fused` and `capturable` change nothing here; groups have those of the latter two
    that `elsewhere` names. NotImplementedError for a `differentiable` step: steps are not recorded.
    """
    init = cls.__init__
    own = signature(init)
    shown = ("maximize", "foreach", "differentiable", *elsewhere)

    @wraps(init)
    def initialize(self, *args, **settings):
        given = {name: settings.pop(name, value) for name, value in COMMON.items()}
        if given["differentiable"]:
            raise NotImplementedError("steps are not recorded: no optimizer is differentiable here")
        if "_common" not in vars(self):  # AdamW has called this before Adam does
            self._common = {name: given[name] for name in shown}
        init(self, *args, **settings)

    more = [Parameter(n, Parameter.KEYWORD_ONLY, default=value) for n, value in COMMON.items()]
    names = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    initialize.__signature__ = own.replace(parameters=[*names, *more])
    cls.__init__ = initialize
    return cls
