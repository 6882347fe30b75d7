"""What PyTorch's own sample inputs and examples ask for: numbers, and beside PyTorch."""

import math

import numpy as np
import pytest
from beside_torch import numbers, programs_in, proven, same_answer, same_as_torch

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn
from tinytorch.ops.array_functions import accumulated

IMAGE = [[[1.0, 5, 2, 3], [4, 0, 9, 9], [7, 8, 6, 0]]]


def rounded_to_decimals(t):
    x = t.tensor([1.2345, 2.5, -0.125, 1250.0])
    return x.round(), x.round(decimals=2), t.round(x, decimals=1), x.round(decimals=-2)


def taken_from_the_end(t):
    x = t.arange(6.0).reshape(2, 3)
    return t.take_along_dim(x, t.tensor([[-1, 0], [1, -3]]), 1)


def pieces(t):
    x = t.arange(5)
    return x.tensor_split(t.tensor(2)), x.tensor_split(t.tensor([1, 3]))


def turned_round_nowhere(t):
    return t.arange(4).reshape(2, 2).flip(dims=[]), t.arange(3).flip([])


def inverses_of_batches(t):
    x = t.tensor([[[2.0, 0.0], [1.0, 1.0]], [[1.0, 0.0], [3.0, 2.0]]])
    return t.cholesky_inverse(x), t.cholesky_inverse(x.mT, upper=True), t.cholesky_inverse(x[:0])


def frames_of_nothing(t):
    return t.nn.functional.pad(t.zeros(0, 3, 3), (1, 2), mode="reflect")


def runs_of_slices(t):
    x = t.tensor([[1, 1, 2, 2], [3, 3, 2, 4]])
    return (
        t.unique_consecutive(x, dim=1),
        t.unique_consecutive(x, dim=0, return_inverse=True, return_counts=True),
        x.mT.unique_consecutive(return_counts=True, dim=-2),
    )


def means_of_windows(t):
    F, x = t.nn.functional, t.tensor(IMAGE)
    return (
        F.avg_pool1d(x[0], 2, 2, 1, True, False),
        F.avg_pool2d(x, 2, 1, 1, False, True, 3),
        F.avg_pool3d(x[None], (1, 2, 2), 2, divisor_override=2),
        t.nn.AvgPool1d(3, 2, 1, True, False)(x),
        t.nn.AvgPool2d(2, divisor_override=5)(x),
    )


def heads_that_are_shared(t):
    generator = np.random.default_rng(0)
    query, key, value = (t.tensor(generator.normal(size=(2, n, 3, 4))) for n in (6, 2, 3))
    attention = t.nn.functional.scaled_dot_product_attention
    return attention(query, key, value, is_causal=True, enable_gqa=True)


def places_of_the_largest(t):
    F, x = t.nn.functional, t.tensor(IMAGE)
    volume = t.tensor(np.random.default_rng(1).integers(0, 5, (2, 3, 4, 6, 5))).float()
    return (
        F.max_pool2d(x, 2, 1, return_indices=True),
        F.max_pool2d(x, 2, 2, 1, 1, True, True),
        F.max_pool1d(x[0], 3, 2, 1, return_indices=True),
        F.max_pool3d(volume, 2, return_indices=True),
        F.max_pool3d(volume[0], (2, 3, 1), 2, (1, 1, 0), 1, True, True),
        t.nn.MaxPool2d(2, 2, 0, 1, True)(x),
        t.nn.MaxPool3d(2, return_indices=True)(volume),
    )


def put_back(t):
    F, x = t.nn.functional, t.tensor(IMAGE)
    found, places = F.max_pool2d(x, 2, return_indices=True)
    row = t.nn.MaxPool1d(2, return_indices=True)(x[0])
    volume = t.nn.MaxPool3d(2, return_indices=True)(t.arange(64.0).reshape(1, 4, 4, 4) % 7)
    return (
        F.max_unpool2d(found, places, 2),
        F.max_unpool2d(found, places, 2, output_size=(3, 4)),
        F.max_unpool2d(found[None], places[None], 2, output_size=(1, 1, 3, 4)),
        t.nn.MaxUnpool1d(2)(*row),
        t.nn.MaxUnpool2d(2, stride=2)(found, places, output_size=[3, 4]),
        t.nn.MaxUnpool3d(2)(*volume),
    )


def distances_of_pairs(t):
    x = t.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
    return t.pdist(x), t.nn.functional.pdist(x, 1.0), t.pdist(x[:1])


def losses_of_texts(t):
    guesses = t.tensor(numbers(7, 3, 4), requires_grad=True)
    logs = guesses.log_softmax(2)
    texts, lengths = t.tensor([[1, 1, 2], [3, 2, 0], [0, 0, 0]]), t.tensor([3, 2, 0])
    given = [7, 5, 4]
    F = t.nn.functional
    found = [F.ctc_loss(logs, texts, t.tensor(given), lengths, reduction=r) for r in REDUCTIONS]
    row = F.ctc_loss(logs, t.tensor([1, 1, 2, 3, 2]), (7, 5, 4), (3, 2, 0))
    never = t.nn.CTCLoss(0, "none", True)(logs, texts, t.tensor([3, 5, 4]), lengths)
    other = t.nn.CTCLoss(blank=3)(logs[:, 0], t.tensor([1, 1, 2]), t.tensor(6), t.tensor(3))
    (found[1] + row + never.sum() + other).backward()
    return found, row, never, other, guesses.grad, F.ctc_loss(logs, texts, [3, 5, 4], [3, 2, 0])


X, Y = tinytorch.ones(2, 3), tinytorch.zeros(4, 2, 5)
REDUCTIONS = "mean", "sum", "none"


def divergences(t):
    F, x = t.nn.functional, t.tensor(numbers(3, 2))
    y = t.tensor([[0.5, 0.0], [-1.0, 2.0], [1.0, 0.25]])
    return F.kl_div(x, y, reduction="none"), t.nn.KLDivLoss(reduction="batchmean")(x, y.abs())


def variances_that_broadcast(t):
    x, y = t.tensor(numbers(4, 3)), t.tensor(numbers(4, 3, seed=1))
    loss = t.nn.GaussianNLLLoss(reduction="none")
    return loss(x, y, t.ones(1, 3) * 2), loss(x, y, t.ones(4)), loss(x, y, t.ones(4, 1) * 3)


def norms_of_half_numbers(t):
    x = t.tensor([300.0, -400.0], dtype=t.float16, requires_grad=True)
    found = x.norm(), x.norm(4), t.linalg.vector_norm(x, 3), t.dist(x, 2 * x), x.norm(1)
    found[0].backward()
    return [y.item() for y in found[:2]], found[0].dtype == t.float16, x.grad.tolist()


def sums_of_products_of_integers(t):
    x = t.ones(2, 3, 3, dtype=t.int32)
    return t.addbmm(x[0], x, x), x[0].addbmm(x, x, alpha=2)


def bags_of_words(t):
    words, table = t.tensor([1, 2, 0, 2, 1]), t.tensor(numbers(3, 4))
    bag = t.nn.functional.embedding_bag
    layer = t.nn.EmbeddingBag(3, 4, mode="sum", sparse=False, include_last_offset=True)
    layer.load_state_dict({"weight": table})
    ends = t.tensor([0, 2, 5])
    return bag(words, table, ends, include_last_offset=True, mode="max"), layer(words, ends)


def norms_of_rows(t):
    x = t.tensor(numbers(2, 3, 7) ** 2)
    return t.nn.functional.lp_pool1d(x, 2, 3, 2, True), t.nn.LPPool1d(3, 2)(x)


def steps_of_optimizers(t):
    found = []
    for name, settings in [
        ("NAdam", dict(weight_decay=0.1, decoupled_weight_decay=True)),
        ("RAdam", dict(weight_decay=0.1, decoupled_weight_decay=True)),
        ("LBFGS", dict(lr=t.tensor(0.5))),
    ]:
        x = t.tensor([1.0, -2.0], requires_grad=True)
        optimizer = getattr(t.optim, name)([x], **settings)
        for _ in range(8):
            optimizer.step(lambda x=x, optimizer=optimizer: loss_of(x, optimizer))
        found.append(x)
    return found


def parameters_by_name(t):
    layer = t.nn.Linear(2, 1)
    t.nn.init.ones_(layer.weight)
    optimizer = t.optim.SGD(layer.named_parameters(), lr=0.1)
    layer.weight.sum().backward()
    optimizer.step()
    (group,) = optimizer.param_groups
    return layer.weight, group["param_names"], optimizer.state_dict()["param_groups"][0]["params"]


def modules_as_text(t):
    norm = t.nn.InstanceNorm1d(3, affine=True, bias=False)
    return repr(t.nn.RNNCell(2, 3, nonlinearity="relu")), norm.bias is None, norm.weight.shape[0]


def largest_of_regions(t):
    """Of equal numbers, the first gets the gradient and is the one that is found."""
    F, found = t.nn.functional, []
    for shape, size in [((2, 3, 7, 5), (3, 2)), ((3, 4, 4), 4), ((1, 2, 5, 6), (None, 3))]:
        x = t.tensor(np.random.default_rng(0).integers(0, 3, shape)).double().requires_grad_()
        values, places = F.adaptive_max_pool2d(x, size, return_indices=True)
        values.sum().backward()
        found += [values, places, x.grad]
    row = t.tensor([[1.0, math.nan, 2.0, 5.0]])
    found += [F.adaptive_max_pool1d(row, 2, True), t.nn.AdaptiveMaxPool1d(3)(row)]
    return found


def layers_of_integers(t):
    F, x = t.nn.functional, t.arange(40).reshape(1, 2, 4, 5)
    weight = t.arange(24).reshape(3, 2, 2, 2) - 10
    return (
        F.conv2d(x, weight, t.tensor([1, 2, 3]), stride=2, padding=1),
        F.conv1d(x[0], weight[:, :, 0][:, :1].repeat(1, 4, 1)),
        F.conv3d(x[:, :, None], weight[:, :, None]),
        F.conv_transpose2d(x, weight.transpose(0, 1), stride=2),
        F.linear(x, t.ones(3, 5, dtype=t.int64), t.tensor([1, 2, 3])),
        F.linear(x.to(t.uint8), t.full((3, 5), 9, dtype=t.uint8)),
        F.max_pool2d(x - 40, 3, 2, 1, ceil_mode=True, return_indices=True),
        F.max_pool2d(x.to(t.uint8), 2, padding=1),
    )


def sums_without_what_was_there(t):
    nothing = t.full((2, 2), math.nan, requires_grad=True)
    a, found = t.ones(2, 2), []
    for name, *factors in [("addmm", a, a), ("addmv", a, a[0]), ("addr", a[0], a[1])]:
        y = getattr(t, name)(nothing[0] if name == "addmv" else nothing, *factors, beta=0)
        found += [y, *t.autograd.grad(y.sum(), nothing)]
    return found, t.baddbmm(nothing, a[None], a[None], beta=0), t.addbmm(nothing, a[None], a[None])


def half_numbers_over_their_size(t):
    F, found = t.nn.functional, []
    for scale in (30.0, 1.0, 0.001):
        x = (t.arange(12.0).reshape(3, 4) * scale).half().requires_grad_()
        y = F.rms_norm(x, (4,), t.full((4,), 1.5).half())
        y[:, 0:2].sum().backward()
        found += [y, x.grad]
    return found


def nothing_to_look_at(t):
    places = t.searchsorted(t.zeros(0, 0), t.zeros(0, 0))
    norm = t.nn.functional.local_response_norm(t.zeros(0, 1, 2), 1)
    return places, norm, t.zeros(0).histc(3)


def rest_of_nothing(t):
    x = t.ones(3, requires_grad=True)
    y = t.nn.functional.alpha_dropout(x, 1.0, training=True)
    y.sum().backward()
    target = t.tensor([1])
    return y, x.grad, t.nn.functional.multi_margin_loss(t.tensor([0.1, 0.5, 0.2]), target, p=2)


def bytes_far_from_0(t):
    x = t.tensor([0, 1, 5], dtype=t.uint8)
    return t.special.i0e(x), t.special.i1e(x), t.special.i0e(x > 2)


def bessel_functions_far_out(t):
    x = t.tensor([-1e30, -800.0, -499.0, -3.0, 0.0, 0.5, 20.0, 501.0, math.inf]).double()
    x.requires_grad_()
    found = []
    for name in ("i0", "i0e", "i1", "i1e"):
        y = getattr(t.special, name)(x)
        found += [y, *t.autograd.grad(y.sum(), x)]
    return found


def dtypes_of_normal_numbers(t):
    two = t.zeros(2)
    drawn = [t.normal(0.0, 1.0, (2,), dtype=t.float64, requires_grad=True), t.normal(two, 1.0)]
    drawn += [t.normal(two.half(), 1.0), t.normal(two, two.double()), t.normal(0.0, two.double())]
    return [(str(x.dtype).split(".")[-1], x.requires_grad, x.is_leaf) for x in drawn]


def main_directions(t):
    x = t.tensor(numbers(6, 4))
    found = [t.pca_lowrank(x.double(), q, center) for q, center in [(None, True), (4, False)]]
    found += [t.svd_lowrank(x.double(), 4, M=t.ones(6, 4).double())]
    return [(s, (u * s) @ v.mT) for u, s, v in found]


def pictures_made_larger(t):
    F, x = t.nn.functional, t.tensor([IMAGE])
    return F.upsample_nearest(x, scale_factor=2), F.upsample_bilinear(x, (5, 7))


def shares_of_rows_of_nan(t):
    x = t.tensor([[math.nan, math.nan], [1.0, 2.0]])
    return x.nanquantile(0.5, dim=1), x.nanquantile(t.tensor([0.0, 1.0]), dim=0)


def hook_that_returns_the_leaf(t):
    x = t.tensor([0.0, 0.0, 0.0], requires_grad=True)
    handle = x.register_post_accumulate_grad_hook(lambda p: p.add_(p.grad, alpha=-0.01))
    x.backward(t.tensor([1.0, 2.0, 3.0]))
    handle.remove()
    x.backward(t.tensor([1.0, 2.0, 3.0]))
    return x, x.grad


def slopes_of_integers(t):
    x = t.tensor([[1, 2, 4, 8], [10, 20, 40, 80]])
    places = (t.tensor([0, 2]), t.tensor([0, 3, 6, 9]))
    found = t.gradient(x), t.gradient(x, spacing=2.0, dim=1), t.gradient(x, spacing=places)
    return [[str(y.dtype)[-7:], y] for ys in found for y in ys]


def systems_that_share_a_matrix(t):
    a = t.tensor(numbers(3, 3)).double().requires_grad_()
    b = t.tensor(numbers(2, 3, 2)).double().requires_grad_()
    many, one = t.tensor(numbers(2, 3, 3, seed=1)).double(), t.tensor(numbers(3, 1)).double()
    x = t.linalg.solve(a, b)
    factors = t.linalg.lu_factor(a.detach())
    found = t.linalg.solve(many, one), t.linalg.lu_solve(*factors, b.detach())
    return x, t.autograd.grad((x * x).sum(), (a, b)), found


def diagonals_that_begin_anew(t):
    shapes = [(7, 3), (3, 7), (4, 4)]
    return [
        t.zeros(*shape).fill_diagonal_(5, wrap=wrap) for shape in shapes for wrap in (True, False)
    ]


def history_of_arrays(t):
    x = t.tensor([1.0, 2.0], requires_grad=True)
    asked = t.asarray(t.ones(2), requires_grad=True), t.asarray(x, requires_grad=True)
    found = *asked, t.asarray(x * 2, requires_grad=True), t.asarray(x * 2, requires_grad=False)
    return [(y.requires_grad, y.is_leaf) for y in found], t.asarray([1, 2], requires_grad=False)


def derivatives_all_at_once(t):
    functional, x = t.autograd.functional, t.tensor([1.0, 2.0])
    jacobian = functional.jacobian(lambda x: x * x, x, vectorize=True)
    return jacobian, functional.hessian(lambda x: (x**3).sum(), x, vectorize=True)


def most_frequent_in_rows(t):
    x = t.tensor([[3, 1, 1, 3, 2, 3], [2, 2, 0, 0, 1, 1]])
    return x.mode().values, x.mode(0, True).values, x.float().mode(1).values, x[0].mode().values


@pytest.mark.parametrize("program", programs_in(globals()))
def test_the_same_as_in_torch(program):
    same_answer(program)


def test_numbers_that_one_can_check():
    assert tinytorch.tensor([1.25, -0.75]).round(decimals=1).tolist() == pytest.approx([1.2, -0.8])
    assert tinytorch.tensor([300.0, -400.0], dtype=tinytorch.float16).norm().item() == 500
    assert taken_from_the_end(tinytorch).tolist() == [[2, 0], [4, 3]]
    found, places = F.max_pool2d(tinytorch.tensor(IMAGE), 2, return_indices=True)
    assert (found.tolist(), places.tolist()) == ([[[5, 9]]], [[[1, 6]]])
    back = F.max_unpool2d(found, places, 2, output_size=(3, 4))
    assert back.tolist() == [[[0, 5, 0, 0], [0, 0, 9, 0], [0, 0, 0, 0]]]
    halves = tinytorch.full((2, 1, 2), 0.5).log()  # 11, 01 and 10 say 1: three of four
    assert np.exp(-F.ctc_loss(halves, tinytorch.tensor([[1]]), [2], [1]).item()) == pytest.approx(
        0.75
    )
    assert F.pdist(tinytorch.tensor([[0.0, 0.0], [3.0, 4.0]])).tolist() == [5]
    assert repr(nn.MaxPool2d(2, return_indices=True)).endswith("dilation=1, ceil_mode=False)")


def test_slopes():
    same_as_torch(lambda t, x: t.linalg.norm(x, 2) + 2 * t.linalg.norm(x, -2), np.eye(3))
    same_as_torch(lambda t, x: t.nn.functional.pdist(x), numbers(4, 3))
    proven(lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), numbers(1, 4, 4))
    proven(lambda x: x.cumprod(1), numbers(30, 2))
    proven(lambda x: x.prod(1), numbers(30, 2))


@pytest.mark.parametrize("include_self", [True, False])
def test_products_of_what_goes_to_one_place_have_slopes(include_self):
    x, y = numbers(4, 3), numbers(5, 3, seed=1)
    y[1, 0] = y[3, 2] = y[4, 2] = x[2, 1] = 0  # where a product over a division would fail
    index = np.array([[0, 3, 1], [0, 0, 2], [2, 3, 1], [0, 1, 1], [3, 3, -4]]) % 4

    def products(t, x, y):
        places = t.tensor(index)
        return x.scatter_reduce(0, places, y, "prod", include_self=include_self)

    same_as_torch(products, x, y)
    proven(lambda x, y: products(tinytorch, x, y), x, y)
    proven(lambda x, y: x.index_reduce(0, tinytorch.tensor([0, 2, 0]), y, "prod"), x, y[:3])


@pytest.mark.parametrize(("shape", "axis"), [((300, 3), 1), ((3, 300), 0), ((20, 4, 20), 1)])
def test_many_short_rows_are_gone_through_side_by_side(shape, axis):
    x = numbers(*shape).astype(np.float32)
    for ufunc in (np.add, np.multiply):
        want = ufunc.accumulate(x, axis, x.dtype)
        assert np.array_equal(accumulated(ufunc, x, axis), want)
        assert np.array_equal(accumulated(ufunc, np.asfortranarray(x), axis), want)
        back = np.flip(ufunc.accumulate(np.flip(x, axis), axis, x.dtype), axis)
        assert np.array_equal(accumulated(ufunc, x, axis, step=-1), back)


@pytest.mark.parametrize(
    "make",
    [
        lambda optim, x: optim.Adadelta(x, rho=1.1),
        lambda optim, x: optim.NAdam(x, momentum_decay=-0.2),
        lambda optim, x: optim.Rprop(x, etas=(1.0, 0.5)),
        lambda _, x: F.triplet_margin_loss(x[0], x[0], x[0], margin=0),
        lambda _, x: F.hardtanh(x[0], 1, -1),
    ],
)
def test_settings_that_make_no_sense_are_refused(make):
    with pytest.raises(ValueError, match="must|needs"):
        make(tinytorch.optim, [tinytorch.ones(1, requires_grad=True)])


def test_what_does_not_fit_is_refused():
    for says, call in [
        ("needs floats", lambda: tinytorch.tensor([12]).round(decimals=-1)),
        ("must not be 0", lambda: F.avg_pool2d(tinytorch.tensor(IMAGE), 2, divisor_override=0)),
        ("6 heads of queries cannot share 4", lambda: shared_heads(6, 4)),
        ("one shape", lambda: F.max_unpool2d(tinytorch.ones(1, 2, 2), tinytorch.tensor([0]), 2)),
        ("out of range", lambda: F.max_unpool1d(*[tinytorch.tensor([[9]])] * 2, 2)),
        ("needs a matrix", lambda: tinytorch.pdist(tinytorch.ones(3))),
        ("rms_norm over", lambda: F.rms_norm(X, (3, 2))),
        ("different dimensions", lambda: X.rot90(1, (1, -1))),
        ("at least 0", lambda: X.diff(n=-1)),
        ("for each channel", lambda: F.prelu(X, X)),
        ("one dtype", lambda: X.scatter_add(0, X.long(), X.double())),
        ("one dtype", lambda: X.scatter(0, X.long(), X.double())),
        ("floats", lambda: tinytorch.multinomial(tinytorch.tensor([1, 2]), 1)),
        ("1 sample or more", lambda: tinytorch.multinomial(X[0], 0)),
        ("matrix or a vector", lambda: tinytorch.cov(X[None])),
        ("3 weights", lambda: tinytorch.cov(X, aweights=-X[0])),
        ("integers", lambda: tinytorch.cov(X, fweights=X[0])),
        ("or .T, C.", lambda: F.ctc_loss(X[0], X.long(), [2], [3])),
        ("2 lengths of targets", lambda: F.ctc_loss(Y, X.long(), [2], [3])),
        ("up to 4", lambda: F.ctc_loss(Y, X.long(), [5, 4], [3, 3])),
        ("do not fit targets of shape .2, 3.", lambda: F.ctc_loss(Y, X.long(), [4, 4], [3, 4])),
        ("do not fit targets of shape .3,.", lambda: F.ctc_loss(Y, X[0].long(), [4, 4], [3, 3])),
    ]:
        with pytest.raises(RuntimeError, match=says):
            call()


def shared_heads(heads, fewer):
    query, key = tinytorch.ones(1, heads, 2, 2), tinytorch.ones(1, fewer, 2, 2)
    return F.scaled_dot_product_attention(query, key, key, enable_gqa=True)


def loss_of(x, optimizer):
    optimizer.zero_grad()
    loss = (x * x).sum() + x[0] * x[1]
    loss.backward()
    return loss


def test_numbers_of_the_largest_of_regions():
    x = tinytorch.tensor([[[2.0, 2.0, 1.0, 2.0]]], requires_grad=True)
    values, places = F.adaptive_max_pool2d(x, (1, 2), return_indices=True)
    values.sum().backward()
    assert (values.tolist(), places.tolist()) == ([[[2, 2]]], [[[0, 3]]])
    assert x.grad.tolist() == [[[1, 0, 0, 1]]]


def test_a_factor_of_0_leaves_nan_out():
    a, nothing = tinytorch.ones(2, 2), tinytorch.full((2, 2), math.nan)
    assert tinytorch.addmm(nothing, a, a, beta=0).tolist() == [[2, 2], [2, 2]]
    assert tinytorch.addmm(nothing, a, a).isnan().all()


def test_what_these_cannot_do():
    with pytest.raises(RuntimeError, match=r"conv2d needs numbers, got bool"):
        F.conv2d(tinytorch.ones(1, 2, 2) > 0, tinytorch.ones(1, 1, 2, 2) > 0)
    with pytest.raises(RuntimeError, match=r"q must be between 0 and 2, got 3"):
        tinytorch.svd_lowrank(tinytorch.ones(2, 5), 3)
    with pytest.raises(RuntimeError, match=r"knows no norm 'nuc'; linalg.matrix_norm"):
        tinytorch.norm(tinytorch.ones(2, 2), "nuc")
    with pytest.raises(RuntimeError, match=r"without pivoting"):
        tinytorch.linalg.lu_factor(tinytorch.eye(2), pivot=False)


def test_the_largest_of_the_directions():
    x = tinytorch.tensor(numbers(6, 4))
    rows, size, columns = tinytorch.pca_lowrank(x, 2)
    assert size.tolist() == tinytorch.linalg.svdvals(x - x.mean(0))[:2].tolist()
    assert (rows.shape, columns.shape) == ((6, 2), (4, 2))


def test_the_most_frequent_of_many():
    values, indices = tinytorch.arange(200_000).remainder(1000).mode()  # no pair of all is made
    assert (values.item(), indices.item()) == (0, 199_000)
    values, indices = tinytorch.tensor([[math.nan, math.nan, 2.0], [4.0, 1.0, 4.0]]).mode()
    assert (values.tolist(), indices.tolist()) == ([2, 4], [2, 2])


def test_integers_become_what_is_usual():
    x = tinytorch.arange(1, 5)
    tinytorch.set_default_dtype(tinytorch.float64)
    try:
        found = [*tinytorch.gradient(x), x.cov(), x.logit(0.1), tinytorch.ldexp(x, x), x / 2]
    finally:
        tinytorch.set_default_dtype(tinytorch.float32)
    assert {y.dtype for y in found} == {tinytorch.float64}
    assert nn.Sequential().insert(0, nn.ReLU()).append(nn.Tanh()).__len__() == 2
