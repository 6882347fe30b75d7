"""Probability distributions: drawing from them, and how probable things are.

Parameters broadcast with each other; a drawn tensor has the shape `sample_shape` in front.
"""
# ruff: noqa: F401 (this file only gathers names)

import sys

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

# so that they can be imported from where PyTorch has them, as from torch.distributions.normal
NAMES = [
    "bernoulli", "beta", "binomial", "categorical", "cauchy", "chi2", "dirichlet", "distribution",
    "exponential", "gamma", "geometric", "gumbel", "half_normal", "laplace", "log_normal",
    "mixture_same_family", "multivariate_normal", "normal", "one_hot_categorical", "poisson",
    "transformed_distribution", "transforms", "uniform",
]  # fmt: skip
for _name in NAMES:
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = sys.modules[__name__]
