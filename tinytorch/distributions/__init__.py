"""Probability distributions: drawing from them, and how probable things are.

Parameters broadcast with each other; a drawn tensor has the shape `sample_shape` in front.
"""
# ruff: noqa: F401 (this file only gathers names)

import sys

from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution
from tinytorch.distributions.continuous import Normal, Uniform
from tinytorch.distributions.continuous_bernoulli import ContinuousBernoulli
from tinytorch.distributions.counts import (
    Bernoulli,
    Binomial,
    Geometric,
    NegativeBinomial,
    Poisson,
)
from tinytorch.distributions.discrete import (
    Categorical,
    Multinomial,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
)
from tinytorch.distributions.gammas import Chi2, FisherSnedecor, Gamma, InverseGamma, StudentT
from tinytorch.distributions.halves import HalfCauchy, HalfNormal
from tinytorch.distributions.independent import Independent
from tinytorch.distributions.kl import kl_divergence, register_kl
from tinytorch.distributions.location_scale import Cauchy, Gumbel, Laplace
from tinytorch.distributions.log_normals import LogisticNormal, LogNormal
from tinytorch.distributions.mixture import MixtureSameFamily
from tinytorch.distributions.multivariate import MultivariateNormal
from tinytorch.distributions.number_transforms import (
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
    Transform,
)
from tinytorch.distributions.relaxed import (
    ExpRelaxedCategorical,
    LogitRelaxedBernoulli,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)
from tinytorch.distributions.shares import Beta, Dirichlet, Kumaraswamy
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.distributions.vector_transforms import (
    ComposeTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)
from tinytorch.distributions.von_mises import VonMises
from tinytorch.distributions.waiting import Exponential, Pareto, Weibull

# so that they can be imported from where PyTorch has them, as from torch.distributions.normal
NAMES = [
    "bernoulli", "beta", "binomial", "categorical", "cauchy", "chi2", "dirichlet", "distribution",
    "exponential", "fishersnedecor", "gamma", "geometric", "gumbel", "half_cauchy", "half_normal",
    "inverse_gamma", "kumaraswamy", "laplace", "log_normal", "logistic_normal",
    "mixture_same_family", "multinomial", "multivariate_normal", "negative_binomial", "normal",
    "one_hot_categorical", "pareto", "poisson", "relaxed_bernoulli", "relaxed_categorical",
    "studentT", "transformed_distribution", "transforms", "uniform", "weibull",
]  # fmt: skip
for _name in NAMES:
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = sys.modules[__name__]
