"""Probability distributions: drawing from them, and how probable things are.

Parameters broadcast with each other; a drawn tensor has the shape `sample_shape` in front.
"""
# ruff: noqa: F401 (this file only gathers names)

from tinytorch.distributions.base import Distribution
from tinytorch.distributions.continuous import Normal, Uniform
from tinytorch.distributions.counts import (
    Binomial,
    Geometric,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
    Poisson,
)
from tinytorch.distributions.discrete import Bernoulli, Categorical
from tinytorch.distributions.independent import Independent
from tinytorch.distributions.kl import kl_divergence
from tinytorch.distributions.mixture import MixtureSameFamily
from tinytorch.distributions.more_continuous import (
    Beta,
    Cauchy,
    Chi2,
    Dirichlet,
    Exponential,
    Gamma,
    Gumbel,
    HalfNormal,
    Laplace,
    LogNormal,
)
from tinytorch.distributions.transformed import (
    AffineTransform,
    ExpTransform,
    MultivariateNormal,
    SigmoidTransform,
    TanhTransform,
    Transform,
    TransformedDistribution,
)
