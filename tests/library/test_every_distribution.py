"""Every distribution, and all that one can ask of it, beside PyTorch's.

A distribution that inherits an answer from another kind is found here: whatever PyTorch knows of
it is asked of both.
"""

import itertools
import warnings
from functools import cache

import numpy as np
import pytest
from beside_torch import assert_close, plain

import tinytorch
from tinytorch import distributions
from tinytorch.distributions import Distribution

torch = pytest.importorskip("torch")
BOTH = tinytorch, torch

# --- what there is: each with a parameter a below 1, and another one, b, above ---

OF_NUMBERS = {
    "Bernoulli": lambda d, a, b: d.Bernoulli(a),
    "Bernoulli of logits": lambda d, a, b: d.Bernoulli(logits=b),
    "Beta": lambda d, a, b: d.Beta(b, a + 1),
    "Beta of little": lambda d, a, b: d.Beta(a, a / 2),
    "Binomial": lambda d, a, b: d.Binomial(3, a),
    "Binomial of logits": lambda d, a, b: d.Binomial(4, logits=a),
    "Cauchy": lambda d, a, b: d.Cauchy(a, b),
    "Chi2": lambda d, a, b: d.Chi2(b),
    "ContinuousBernoulli": lambda d, a, b: d.ContinuousBernoulli(a),
    "ContinuousBernoulli of logits": lambda d, a, b: d.ContinuousBernoulli(logits=b),
    "Exponential": lambda d, a, b: d.Exponential(b),
    "FisherSnedecor": lambda d, a, b: d.FisherSnedecor(b, a * 12),
    "Gamma": lambda d, a, b: d.Gamma(b, a),
    "Gamma of little": lambda d, a, b: d.Gamma(a, b),
    "Geometric": lambda d, a, b: d.Geometric(a),
    "Geometric of logits": lambda d, a, b: d.Geometric(logits=a),
    "Gumbel": lambda d, a, b: d.Gumbel(a, b),
    "HalfCauchy": lambda d, a, b: d.HalfCauchy(b),
    "HalfNormal": lambda d, a, b: d.HalfNormal(b),
    "InverseGamma": lambda d, a, b: d.InverseGamma(b * 2, a),
    "Kumaraswamy": lambda d, a, b: d.Kumaraswamy(b, a + 1),
    "Laplace": lambda d, a, b: d.Laplace(a, b),
    "LogNormal": lambda d, a, b: d.LogNormal(a, b / 4),
    "NegativeBinomial": lambda d, a, b: d.NegativeBinomial(b, a),
    "NegativeBinomial of logits": lambda d, a, b: d.NegativeBinomial(b, logits=a),
    "Normal": lambda d, a, b: d.Normal(a, b),
    "Pareto": lambda d, a, b: d.Pareto(a, b * 2),
    "Poisson": lambda d, a, b: d.Poisson(b),
    "StudentT": lambda d, a, b: d.StudentT(b * 2, a, b),
    "TransformedDistribution": lambda d, a, b: d.TransformedDistribution(
        d.Normal(a, b), [d.AffineTransform(1.0, -2.0), d.SigmoidTransform()]
    ),
    "Uniform": lambda d, a, b: d.Uniform(a, b),
    "VonMises": lambda d, a, b: d.von_mises.VonMises(a, b),
    "Weibull": lambda d, a, b: d.Weibull(a, b),
}
OF_TENSORS = {
    "LogitRelaxedBernoulli": lambda d, a, b: d.relaxed_bernoulli.LogitRelaxedBernoulli(
        b.sum() * 0 + 0.7, a
    ),
    "RelaxedBernoulli": lambda d, a, b: d.RelaxedBernoulli(b.sum() * 0 + 0.7, logits=a),
}
OF_VECTORS = {
    "Categorical": lambda d, a, b: d.Categorical(a),
    "Categorical of logits": lambda d, a, b: d.Categorical(logits=b),
    "Dirichlet": lambda d, a, b: d.Dirichlet(b),
    "Dirichlet of little": lambda d, a, b: d.Dirichlet(a),
    "ExpRelaxedCategorical": lambda d, a, b: d.relaxed_categorical.ExpRelaxedCategorical(
        b.sum() * 0 + 0.7, a
    ),
    "Independent": lambda d, a, b: d.Independent(d.Normal(a, b), 1),
    "Independent of halves": lambda d, a, b: d.Independent(d.HalfNormal(b), 1),
    "LogisticNormal": lambda d, a, b: d.LogisticNormal(a[..., 1:], b[..., 1:]),
    "MixtureSameFamily": lambda d, a, b: d.MixtureSameFamily(d.Categorical(a), d.Normal(a, b)),
    "MixtureSameFamily, its choice always the same": lambda d, a, b: d.MixtureSameFamily(
        d.Categorical(a.reshape(-1, 3)[0]), d.Laplace(a, b)
    ),
    "MixtureSameFamily of vectors": lambda d, a, b: d.MixtureSameFamily(
        d.Categorical(a[..., :2]),
        d.Independent(d.Normal(a.unsqueeze(-2) * b[..., :2].unsqueeze(-1), 1.0), 1),
    ),
    "Multinomial": lambda d, a, b: d.Multinomial(1, a),
    "Multinomial of logits": lambda d, a, b: d.Multinomial(4, logits=b),
    "MultivariateNormal": lambda d, a, b: d.MultivariateNormal(a, (b * b).diag_embed() + 0.5),
    "MultivariateNormal of precision": lambda d, a, b: d.MultivariateNormal(
        a, precision_matrix=(b * b).diag_embed() + 0.5
    ),
    "MultivariateNormal of one factor": lambda d, a, b: d.MultivariateNormal(
        a, scale_tril=(b.reshape(-1, 3)[0].diag_embed() + 0.25).tril()
    ),
    "OneHotCategorical": lambda d, a, b: d.OneHotCategorical(a),
    "OneHotCategoricalStraightThrough": lambda d, a, b: d.OneHotCategoricalStraightThrough(
        logits=b
    ),
    "RelaxedOneHotCategorical": lambda d, a, b: d.RelaxedOneHotCategorical(b.sum() * 0 + 0.7, a),
    "TransformedDistribution to shares": lambda d, a, b: d.TransformedDistribution(
        d.Normal(a, b), [d.AffineTransform(0.5, 2.0), d.StickBreakingTransform()]
    ),
}
ALL = OF_NUMBERS | OF_TENSORS | OF_VECTORS

A, B = np.array([[0.5, 0.2, 0.8], [0.7, 0.4, 0.3]]), np.array([[1.5, 1.2, 3.0], [2.0, 1.7, 2.5]])
SHAPES = {
    "numbers": (0.4, 1.7),
    "0-d": (np.float32(0.4), np.float32(1.7)),
    "vectors": (A[0].astype("f4"), B[0].astype("f4")),
    "float64": (A[1], B[1]),
    "matrices": (A.astype("f4"), B.astype("f4")),
    "broadcast": (A[:, :1], B[0]),
}


def cases():
    """(name, shape) of all that are compared."""
    for name, shape in itertools.product(ALL, SHAPES):
        if name in OF_VECTORS and shape in ("numbers", "0-d", "broadcast", "vectors"):
            continue
        if (name, shape) not in itertools.product(OF_TENSORS, ("numbers", "broadcast")):
            yield name, shape


CASES = list(cases())


def parameters(t, shape, **settings):
    """The two parameters as numbers or tensors."""
    if shape == "numbers":
        return SHAPES[shape]
    return [t.tensor(np.asarray(x), **settings) for x in SHAPES[shape]]


def build(t, name, shape):
    return ALL[name](t.distributions, *parameters(t, shape))


@pytest.fixture(autouse=True)
def _checked():
    """PyTorch's compile() switches the checks off."""
    torch.distributions.Distribution.set_default_validate_args(True)


def asked(question):
    """An answer, or the type of an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(question())
        except (AttributeError, NotImplementedError, RuntimeError, ValueError) as error:
            return type(error)


NOTHING = AttributeError, NotImplementedError, RuntimeError  # no answer, or one of its bugs


def assert_same(questions, what, tolerance=1e-5):
    """Both answer alike, or neither does; it's ours that comes first."""
    ours, theirs = (asked(question) for question in questions)
    if theirs is NotImplementedError:  # then an answer of ours would be inherited from another kind
        assert isinstance(ours, type), f"{what}: {ours}, which PyTorch doesn't know"
    if theirs in NOTHING or (ours, theirs) == (NotImplementedError, ValueError):
        return
    try:
        assert_close(ours, theirs, tolerance)
    except AssertionError as error:
        raise AssertionError(f"{what}: {ours} instead of {theirs}") from error


# --- what it is ---

FACTS = {
    **{
        name: lambda p, name=name: getattr(p, name)
        for name in ("mean", "mode", "variance", "stddev", "has_enumerate_support")
    },
    "batch_shape": lambda p: list(p.batch_shape),
    "event_shape": lambda p: list(p.event_shape),
    "entropy": lambda p: p.entropy(),
    "perplexity": lambda p: p.perplexity(),
    "support": lambda p: p.support.event_dim,
    "is_discrete": lambda p: p.support.is_discrete,
    "enumerate_support": lambda p: p.enumerate_support(),
    "enumerate_support(False)": lambda p: p.enumerate_support(expand=False),
    "arg_constraints": lambda p: sorted(p.arg_constraints),
    "sample": lambda p: plain(p.sample() * 0),
    "sample((2,))": lambda p: plain(p.sample((2,)) * 0),
    "sample((2, 1))": lambda p: plain(p.sample(p.batch_shape.__class__((2, 1))) * 0),
    "sample_n": lambda p: plain(p.sample_n(2) * 0),
}


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_what_it_is(name, shape):
    ours, theirs = (build(t, name, shape) for t in BOTH)
    for fact, ask in FACTS.items():
        tolerance = 1e-5 if name.startswith("VonMises") or shape != "float64" else 1e-7
        assert_same([lambda p=p, ask=ask: ask(p) for p in (ours, theirs)], fact, tolerance)


@pytest.mark.parametrize(("name", "shape"), [c for c in CASES if c[1] in ("0-d", "matrices")])
def test_what_it_is_when_expanded(name, shape):
    def larger(t):
        p = build(t, name, shape)
        return p.expand(t.Size((4, 2)) + p.batch_shape)

    ours, theirs = map(larger, BOTH)
    for fact, ask in FACTS.items():
        assert_same([lambda p=p, ask=ask: ask(p) for p in (ours, theirs)], fact)
    drawn = ours.sample()
    assert list(ours.log_prob(drawn).shape) == list(ours.batch_shape)


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_gradients_pass_its_draws_where_they_do_in_pytorch(name, shape):
    ours, theirs = (build(t, name, shape) for t in BOTH)
    if name != "LogitRelaxedBernoulli":  # it has rsample(), and PyTorch doesn't say so
        assert ours.has_rsample == theirs.has_rsample
    if ours.has_rsample:
        assert ours.rsample((2,)).shape == tuple(theirs.rsample((2,)).shape)
    else:
        with pytest.raises(NotImplementedError, match="no rsample"):
            ours.rsample()


def test_all_distributions_are_compared():
    kinds = {k for k in vars(distributions).values() if isinstance(k, type)}
    names = {k.__name__ for k in kinds if issubclass(k, Distribution)} - {"Distribution"}
    assert names == {name.split(" ")[0].rstrip(",") for name in ALL}


def test_all_that_pytorch_has_is_there():
    missing = {
        "CatTransform", "CorrCholeskyTransform", "CumulativeDistributionTransform",
        "ExponentialFamily", "GeneralizedPareto", "IndependentTransform", "LKJCholesky",
        "LowerCholeskyTransform", "LowRankMultivariateNormal", "PositiveDefiniteTransform",
        "ReshapeTransform", "StackTransform", "Wishart", "biject_to", "identity_transform",
        "transform_to",
    }  # fmt: skip
    assert {n for n in torch.distributions.__all__ if not hasattr(distributions, n)} <= missing


# --- how probable values are ---

PLACES = (-1.5, 0.0, 0.3, 0.5, 0.9, 1.0, 2.0, 3.5, float("nan"))
VECTORS = (
    [0.2, 0.3, 0.5],
    [0.0, 1.0, 0.0],
    [1.0, 2.0, 1.0],
    [-2.0, -1.0, -0.5],
    [0.2, 0.3, 0.1],
    [0.1, 0.2, 0.3, 0.4],
)


def values(t, p, dtype):
    """Values of the shape of the events, some of them possible."""
    if not p.event_shape:
        for place in PLACES:
            yield t.tensor(place, dtype=dtype), place
    for vector in VECTORS if p.event_shape else ():
        yield t.tensor(vector, dtype=dtype), vector


WAYS = ("log_prob", "cdf", "icdf")


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_how_probable_values_are(name, shape):
    found = []
    for t in BOTH:
        p, dtype = (
            build(t, name, shape),
            t.float64 if shape in ("float64", "broadcast") else t.float32,
        )
        found.append([(way, p, x, text) for way in WAYS for x, text in values(t, p, dtype)])
    for ours, theirs in zip(*found, strict=True):
        way, _, _, place = ours
        if way == "icdf" and (place != place or not 0 <= np.min(place) <= np.max(place) <= 1):
            continue
        if name == "Gumbel" and way == "icdf" and place in (0, 1):
            continue  # PyTorch keeps from infinity
        questions = [
            lambda way=way, p=p, x=x: getattr(p, way)(x) for way, p, x, _ in (ours, theirs)
        ]
        assert_same(questions, f"{way}({place})", 3e-5)


@pytest.mark.parametrize("name", [n for n in ALL if n != "Categorical of logits"])
def test_gradients_of_how_probable_values_are(name):
    grads = []
    p = build(torch, name, "float64")
    drawn = (p.sample((4,)) if p.support.is_discrete else p.sample((4,)).clamp(-9, 9)).numpy()
    for t in BOTH:
        a, b = parameters(t, "float64", requires_grad=True)
        p = ALL[name](t.distributions, a, b)
        total = p.log_prob(t.tensor(drawn)).sum()
        for ask in (p.entropy, lambda p=p: p.mean, lambda p=p: p.variance):
            try:
                more = ask()
            except NotImplementedError:
                continue
            if t is torch and name.startswith("VonMises"):
                more = more * 0  # the polynomials there aren't exact
            if more.isfinite().all() and more.requires_grad:
                total = total + more.sum() * (0 if name.startswith("VonMises") else 1)
        total.backward()
        grads.append([None if x.grad is None else plain(x.grad) for x in (a, b)])
    for ours, theirs in zip(*grads, strict=True):
        zero = ["float64", [0.0] * 3]
        assert_close(ours or zero, theirs or zero, 1e-5)


# --- how far one is from another ---


@pytest.mark.parametrize("name", ALL)
def test_how_far_it_is_from_others(name):
    ours, theirs = (build(t, name, "float64") for t in BOTH)
    for other in ALL:
        my_q, their_q = (swapped(t, other) for t in BOTH)
        both = [
            lambda q=my_q: distributions.kl_divergence(ours, q),
            lambda q=their_q: torch.distributions.kl_divergence(theirs, q),
        ]
        mine = asked(both[0])
        alike = name.split(" ")[0] == other.split(" ")[0]
        if mine is not NotImplementedError or (alike and "Transf" not in name):
            assert_same(both, f"the divergence from {other}")


@cache
def swapped(t, name):
    """The distribution with other parameters of that shape."""
    return ALL[name](t.distributions, t.tensor(A[0]), t.tensor(B[0]))


# --- what is drawn ---

DRAWN = [n for n in ALL if n not in ("Cauchy", "HalfCauchy")]


@pytest.mark.parametrize("name", DRAWN)
def test_draws_come_as_often_as_they_are_likely(name):
    tinytorch.manual_seed(0)
    p = build(tinytorch, name, "float64")
    drawn = p.sample((10_000,))
    p.log_prob(drawn)  # all of them are possible
    try:
        share = p.cdf(drawn)
    except NotImplementedError:
        share = None
    if share is not None:
        places = np.linspace(0, 1, 10_000)[:, None]
        assert np.abs(np.sort(share.reshape(10_000, -1).numpy(), 0) - places).max() < 0.02
    try:
        mean, spread = p.mean, p.stddev
    except NotImplementedError:
        return
    sure = spread.isfinite() & mean.isfinite()
    if name.startswith(("Categorical", "VonMises")):
        return
    away = ((drawn.mean(0) - mean) / spread)[sure]
    assert away.numel() == 0 or away.abs().max() < 0.05


def test_directions_are_drawn_as_often_as_they_are_likely():
    tinytorch.manual_seed(0)
    p = build(tinytorch, "VonMises", "float64")
    drawn = p.sample((10_000,))
    length = (drawn - p.mean).cos().mean(0)
    assert (1 - length - p.variance).abs().max() < 0.02


@pytest.mark.parametrize("name", [n for n in ALL if build(tinytorch, n, "vectors").has_rsample])
def test_gradients_of_draws_move_what_they_are_on_average(name):
    """The slope of the mean of a smooth function of draws, beside PyTorch's."""
    slopes = []
    for t in BOTH:
        t.manual_seed(0)
        a, b = parameters(t, "float64", requires_grad=True)
        p = ALL[name](t.distributions, a, b)
        drawn = p.rsample((10_000,))
        weights = t.arange(1.0, drawn.shape[-1] + 1)
        (drawn.tanh().mean(0) * weights).sum().backward()
        slopes.append(
            np.concatenate([np.zeros(3) if x.grad is None else x.grad.numpy() for x in (a, b)])
        )
    np.testing.assert_allclose(*slopes, rtol=0.1, atol=0.03)
