"""Settings that every optimizer takes by name."""

from functools import wraps
from inspect import Parameter, signature

COMMON = dict(maximize=False, foreach=None, fused=None, capturable=False, differentiable=False)


def with_common(cls):
    """Let the class take, by name, `maximize`, to go uphill, and settings of other machines.

    `foreach`, `fused` and `capturable` change nothing here. NotImplementedError for a
    `differentiable` step: steps are not recorded.
    """
    init = cls.__init__
    own = signature(init)

    @wraps(init)
    def initialize(self, *args, **settings):
        given = {name: settings.pop(name, value) for name, value in COMMON.items()}
        if given["differentiable"]:
            raise NotImplementedError("steps are not recorded: no optimizer is differentiable here")
        init(self, *args, **settings)
        if given["maximize"]:
            self.defaults["maximize"] = True
            for group in self.param_groups:
                group.setdefault("maximize", True)

    more = [Parameter(n, Parameter.KEYWORD_ONLY, default=value) for n, value in COMMON.items()]
    names = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    initialize.__signature__ = own.replace(parameters=[*names, *more])
    cls.__init__ = initialize
    return cls
