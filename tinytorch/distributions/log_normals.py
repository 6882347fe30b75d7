"""What functions make of normal numbers: LogNormal and LogisticNormal."""

from tinytorch.distributions import constraints
from tinytorch.distributions.continuous import Normal
from tinytorch.distributions.number_transforms import ExpTransform
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.distributions.vector_transforms import StickBreakingTransform
from tinytorch.ops.elementwise import exp, expm1


class LogNormal(TransformedDistribution):
    """The exponential of a normal number with mean `loc` and standard deviation `scale`.

    >>> LogNormal(0.0, 1.0).cdf(tinytorch.tensor(1.0))
    tensor(0.5000)
    """

    support = constraints.positive
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args), ExpTransform(), validate_args)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: exp(self.loc + self.scale**2 / 2))
    mode = property(lambda self: exp(self.loc - self.scale**2))
    variance = property(lambda self: expm1(self.scale**2) * exp(2 * self.loc + self.scale**2))

    def entropy(self):
        """-E log p, in nats."""
        return self.base_dist.entropy() + self.loc


class LogisticNormal(TransformedDistribution):
    """Shares (..., K) that normal numbers (..., K - 1) make by breaking a stick."""

    support = constraints.simplex
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args)
        base = base if base.batch_shape else base.expand((1,))
        super().__init__(base, StickBreakingTransform(), validate_args)

    loc = property(lambda self: self.base_dist.base_dist.loc)
    scale = property(lambda self: self.base_dist.base_dist.scale)
