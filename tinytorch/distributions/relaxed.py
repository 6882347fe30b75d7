"""Numbers near 0 and 1 in place of both, so that gradients pass: relaxed distributions.

C. Maddison et al., The Concrete Distribution, 2017; E. Jang et al., Categorical
Reparameterization with Gumbel-Softmax, 2017.
"""

from tinytorch.distributions import constraints
from tinytorch.distributions.base import together
from tinytorch.distributions.counts import WithProbability
from tinytorch.distributions.discrete import OfVectors
from tinytorch.distributions.location_scale import noise
from tinytorch.distributions.number_transforms import ExpTransform, SigmoidTransform
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.ops.elementwise import log, log1p, softplus
from tinytorch.ops.reductions import log_softmax
from tinytorch.ops.special import lgamma


class LogitRelaxedBernoulli(WithProbability):
    """The logits of RelaxedBernoulli: those of a Bernoulli with noise, over a temperature."""

    has_rsample, support, _shared = True, constraints.real, ("temperature",)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        (self.temperature,) = together(temperature)
        super().__init__(probs, logits, validate_args)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        share = noise(self._with_shape(sample_shape), self.logits.dtype)
        return (log(share) - log1p(-share) + self.logits) / self.temperature

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        apart = self.logits - value * self.temperature
        return log(self.temperature) + apart - 2 * softplus(apart)


class RelaxedBernoulli(TransformedDistribution):
    """Numbers between 0 and 1, the nearer to one of both the lower the temperature.

    >>> RelaxedBernoulli(0.5, probs=0.5).log_prob(tinytorch.tensor(0.5)).exp()
    tensor(0.5000)
    """

    support, arg_constraints = constraints.unit_interval, WithProbability.arg_constraints

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = LogitRelaxedBernoulli(temperature, probs, logits, validate_args)
        super().__init__(base, SigmoidTransform(), validate_args)

    temperature = property(lambda self: self.base_dist.temperature)
    probs = property(lambda self: self.base_dist.probs)
    logits = property(lambda self: self.base_dist.logits)


class ExpRelaxedCategorical(OfVectors):
    """The logarithms of RelaxedOneHotCategorical: log_softmax of logits with noise."""

    has_rsample, support, _shared = True, constraints.real_vector, ("temperature",)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        (self.temperature,) = together(temperature)
        super().__init__(probs, logits, validate_args)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        gumbel = -log(-log(noise(self._with_shape(sample_shape), self.logits.dtype)))
        return log_softmax((self.logits + gumbel) / self.temperature, -1)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        count = self.event_shape[0]
        scores = log_softmax(self.logits - value * self.temperature, -1).sum(-1)
        ways = lgamma(self.temperature.detach() * 0 + count)
        return scores + ways + (count - 1) * log(self.temperature)


class RelaxedOneHotCategorical(TransformedDistribution):
    """Shares (..., C), the nearer to a one among zeros the lower the temperature.

    >>> RelaxedOneHotCategorical(0.5, tinytorch.ones(3)).sample().shape
    tinytorch.Size([3])
    """

    support, arg_constraints = constraints.simplex, OfVectors.arg_constraints

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args)
        super().__init__(base, ExpTransform(), validate_args)

    temperature = property(lambda self: self.base_dist.temperature)
    probs = property(lambda self: self.base_dist.probs)
    logits = property(lambda self: self.base_dist.logits)
