"""Optimizers, each step beside PyTorch's."""

import numpy as np
import pytest
from beside_torch import numbers, same_answer

import tinytorch
from tinytorch import nn, optim

ALL = (
    *("ASGD", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax"),
    *("NAdam", "RAdam", "RMSprop", "Rprop"),
)
SETTINGS = [
    ("SGD", {"lr": 0.02}),
    ("SGD", {"lr": 0.01, "momentum": 0.9}),
    ("SGD", {"lr": 0.01, "momentum": 0.9, "dampening": 0.5, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.01, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("Adam", {}),
    ("Adam", {"lr": 0.1, "betas": (0.5, 0.9), "eps": 1e-3, "weight_decay": 0.1}),
    ("AdamW", {}),
    ("AdamW", {"lr": 0.1, "weight_decay": 0.5}),
    ("Adam", {"lr": 0.1, "betas": (0.5, 0.6), "amsgrad": True, "weight_decay": 0.1}),
    ("AdamW", {"lr": 0.1, "betas": (0.5, 0.6), "amsgrad": True}),
    ("Adam", {"lr": 0.1, "weight_decay": 0.5, "decoupled_weight_decay": True}),
    ("Adagrad", {}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.5, "initial_accumulator_value": 2, "weight_decay": 0.1}),
    *[
        (name, settings)
        for name in ("Adadelta", "Adamax", "NAdam", "RAdam")
        for settings in ({}, {"lr": 0.1, "weight_decay": 0.1, "eps": 1e-3})
    ],
    ("RAdam", {"betas": (0.5, 0.6)}),
    ("Rprop", {"lr": 0.1}),
    ("Rprop", {"etas": (0.3, 1.5), "step_sizes": (0.005, 0.02)}),
    ("RMSprop", {}),
    ("RMSprop", {"lr": 0.1, "alpha": 0.5, "momentum": 0.9, "weight_decay": 0.1}),
    ("RMSprop", {"lr": 0.1, "alpha": 0.5, "eps": 1e-2}),
    ("RMSprop", {"lr": 0.1, "alpha": 0.5, "eps": 1e-2, "centered": True, "momentum": 0.5}),
    ("ASGD", {}),
    ("ASGD", {"lr": 0.02, "lambd": 0.1, "alpha": 0.5, "t0": 2, "weight_decay": 0.1}),
    *[
        (name, {"maximize": True, "lr": 1e-3, "foreach": False})
        for name in [
            "ASGD",
            "SGD",
            "Adadelta",
            "Adagrad",
            "Adam",
            "AdamW",
            "Adamax",
            "NAdam",
            "RAdam",
            "RMSprop",
            "Rprop",
        ]
    ],
]


def loss_of(params):
    """A valley with its bottom at (1, 2, 3), steeper in some directions."""
    x, y = params
    return ((x - 2) ** 2).sum() + 3 * (y * y * y * y).mean() + (x.sum() * y.sum())


def trained(t, name, settings, steps, groups=False):
    x, y = (t.tensor(numbers(*shape), requires_grad=True) for shape in ((3,), (2, 2)))
    params = [{"params": [x]}, {"params": [y], "lr": 0.01}] if groups else [x, y]
    optimizer = getattr(t.optim, name)(params, **settings)
    for _ in range(steps):
        optimizer.zero_grad()
        loss_of([x, y]).backward()
        optimizer.step()
    return [x, y], optimizer


@pytest.mark.parametrize("groups", [False, True])
@pytest.mark.parametrize("name, settings", SETTINGS)
def test_twenty_steps_lead_where_pytorchs_lead(name, settings, groups):
    torch = pytest.importorskip("torch")
    ours, our_optimizer = trained(tinytorch, name, settings, 20, groups)
    theirs, their_optimizer = trained(torch, name, settings, 20, groups)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine.tolist(), other.tolist(), rtol=2e-4, atol=1e-6)
    same_state(our_optimizer.state_dict(), their_optimizer.state_dict())


def same_state(ours, theirs):
    assert ours["state"].keys() == theirs["state"].keys()
    for place, kept in ours["state"].items():
        assert kept.keys() == theirs["state"][place].keys()
        for name, value in kept.items():
            expected = np.asarray(theirs["state"][place][name])
            np.testing.assert_allclose(np.asarray(value), expected, rtol=2e-4, atol=1e-6)
    for group, expected in zip(ours["param_groups"], theirs["param_groups"], strict=True):
        assert group == expected


@pytest.mark.parametrize("name, settings", SETTINGS)
def test_a_saved_state_goes_on_as_if_nothing_had_happened(name, settings):
    whole, _ = trained(tinytorch, name, settings, 4)
    (x, y), optimizer = trained(tinytorch, name, settings, 2)
    state = optimizer.state_dict()
    again = [tinytorch.tensor(p.tolist(), requires_grad=True) for p in (x, y)]
    resumed = getattr(optim, name)(again, lr=123.0)
    resumed.load_state_dict(state)
    for _ in range(2):
        resumed.zero_grad()
        loss_of(again).backward()
        resumed.step()
    assert [p.tolist() for p in again] == [p.tolist() for p in whole]


def stepped(optimizer_of, grad):
    x = tinytorch.tensor([1.0], requires_grad=True)
    x.grad = tinytorch.tensor([grad])
    optimizer = optimizer_of([x])
    optimizer.step()
    return x.item(), optimizer


def test_sgd_goes_down_the_slope():
    assert stepped(lambda p: optim.SGD(p, lr=0.5), 4.0)[0] == -1.0


@pytest.mark.parametrize("shape", [(3, 40_000), (40_001, 3), (1, 100_000), (100_001,), (3, 0)])
def test_a_large_parameter_moves_whole(shape):
    start = np.arange(np.prod(shape), dtype="float64").reshape(shape)
    for array in start, np.asfortranarray(start):
        x = tinytorch.tensor(np.zeros(shape)).requires_grad_()
        x.data = tinytorch.from_numpy(array.copy(order="K"))
        x.grad = tinytorch.full(shape, 2.0, dtype=tinytorch.float64)
        optim.SGD([x], lr=0.5).step()
        np.testing.assert_array_equal(x.detach().numpy(), start - 1)


def test_momentum_adds_up_the_slopes():
    x = tinytorch.tensor([0.0], requires_grad=True)
    optimizer = optim.SGD([x], lr=1.0, momentum=0.5)
    for _ in range(2):
        x.grad = tinytorch.tensor([4.0])
        optimizer.step()
    assert x.item() == -4 - (0.5 * 4 + 4)


def test_adams_first_step_is_lr_whatever_the_slope():
    for grad in (1e-3, 1.0, 1e3):
        assert stepped(lambda p: optim.Adam(p, lr=0.25), grad)[0] == pytest.approx(0.75, abs=1e-5)


def test_adamw_shrinks_what_has_no_slope_and_adam_does_not_shrink_without_decay():
    assert stepped(lambda p: optim.AdamW(p, lr=0.5, weight_decay=0.5), 0.0)[0] == 0.75
    assert stepped(lambda p: optim.Adam(p, lr=0.5), 0.0)[0] == 1.0


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"])
def test_the_learning_rate_may_be_a_tensor(name):
    def moved(rate):
        make = getattr(optim, name)
        return stepped(lambda p: make(p, lr=rate), 2.0)[0]

    assert moved(tinytorch.tensor(0.5)) == moved(0.5) != 2.0


def test_a_parameter_without_gradient_stays():
    x, y = nn.Parameter(tinytorch.ones(1)), nn.Parameter(tinytorch.ones(1))
    x.grad = tinytorch.ones(1)
    optimizer = optim.Adam([x, y], lr=1.0, weight_decay=1.0)
    optimizer.step()
    assert y.item() == 1.0 and list(optimizer.state_dict()["state"]) == [0]


def test_a_step_is_noticed_by_a_graph_that_saved_the_old_values():
    x = tinytorch.tensor([3.0], requires_grad=True)
    y = x * x
    x.grad = tinytorch.ones(1)
    optim.SGD([x], lr=1.0).step()
    with pytest.raises(RuntimeError, match="changed in place"):
        y.backward()


def test_zero_grad_forgets_or_zeroes():
    _, optimizer = stepped(lambda p: optim.SGD(p, lr=1.0), 2.0)
    [x] = optimizer.param_groups[0]["params"]
    grad = x.grad
    optimizer.zero_grad(set_to_none=False)
    assert x.grad is grad and grad.tolist() == [0.0]
    optimizer.zero_grad()
    assert x.grad is None


def test_step_calls_a_closure_with_gradients_on():
    x = tinytorch.tensor([2.0], requires_grad=True)
    optimizer = optim.SGD([x], lr=0.25)

    def closure():
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss

    with tinytorch.no_grad():
        assert optimizer.step(closure).item() == 4.0
    assert x.item() == 1.0


def test_groups_have_settings_of_their_own():
    one, other = nn.Parameter(tinytorch.zeros(1)), nn.Parameter(tinytorch.zeros(1))
    optimizer = optim.SGD([{"params": one}, {"params": [other], "lr": 3.0}], lr=1.0, momentum=0.5)
    assert [group["lr"] for group in optimizer.param_groups] == [1.0, 3.0]
    optimizer.add_param_group({"params": nn.Parameter(tinytorch.zeros(1)), "momentum": 0})
    assert [group["momentum"] for group in optimizer.param_groups] == [0.5, 0.5, 0]
    assert repr(optimizer).startswith("SGD (\nParameter Group 0\n    dampening: 0\n    diff")


def test_a_parameter_that_was_taken_out_of_its_group_can_be_added_again():
    x, y = (nn.Parameter(tinytorch.zeros(1)) for _ in range(2))
    optimizer = optim.SGD([x, y], lr=1.0)
    with pytest.raises(ValueError, match="comes twice"):
        optimizer.add_param_group({"params": [y]})
    optimizer.param_groups[0]["params"].pop()
    optimizer.add_param_group({"params": [y]})
    assert [id(param) for param in optimizer.all_params()] == [id(x), id(y)]


@pytest.mark.parametrize(
    "error, words, make",
    [
        (ValueError, "empty parameter list", lambda x: optim.SGD([])),
        (TypeError, "list of tensors or dicts, got one Tensor", lambda x: optim.SGD(x)),
        (TypeError, "moves tensors, got int", lambda x: optim.SGD([3])),
        (ValueError, "leaves", lambda x: optim.SGD([x * 2])),
        (ValueError, "comes twice", lambda x: optim.SGD([x, x])),
        (ValueError, "lr must not be negative, got -1", lambda x: optim.Adam([x], lr=-1)),
        (ValueError, r"betas must be in \[0, 1\)", lambda x: optim.Adam([x], betas=(0.9, 1.0))),
        (ValueError, "nesterov needs a momentum", lambda x: optim.SGD([x], nesterov=True)),
        (ValueError, "alpha", lambda x: optim.RMSprop([x], alpha=-0.1)),
        (NotImplementedError, r"no update\(\)", lambda x: optim.Optimizer([x], {}).step()),
    ],
)
def test_bad_settings_are_named(error, words, make):
    x = tinytorch.ones(1, requires_grad=True)
    x.grad = tinytorch.ones(1)
    with pytest.raises(error, match=words):
        make(x)


def test_a_state_for_other_groups_is_refused():
    x, y = tinytorch.ones(1, requires_grad=True), tinytorch.ones(1, requires_grad=True)
    with pytest.raises(ValueError, match=r"groups of sizes \[2\], this optimizer \[1\]"):
        optim.SGD([x]).load_state_dict(optim.SGD([x, y]).state_dict())


@pytest.mark.filterwarnings("error")
def test_a_step_to_infinity_is_no_reason_to_warn():
    w = tinytorch.tensor([1e38], requires_grad=True)
    (w * 3e38).sum().backward()
    optim.Adam([w]).step()
    optim.SGD([w], lr=10.0).step()
    assert w.item() == float("-inf")


# --- L-BFGS ---


def banana(params):
    """Rosenbrock's valley, with its bottom at (1, 1)."""
    x, y = params
    return ((1 - x) ** 2 + 100 * (y - x * x) ** 2).sum()


def lbfgs(t, loss, settings, steps, start=((-1.0,), (1.5,))):
    params = [t.tensor(numbers, dtype=t.float64, requires_grad=True) for numbers in start]
    optimizer = t.optim.LBFGS(params, **settings)

    def closure():
        optimizer.zero_grad()
        value = loss(params)
        value.backward()
        return value

    losses = [optimizer.step(closure).item() for _ in range(steps)]
    return losses, [param.tolist() for param in params], optimizer


@pytest.mark.parametrize("settings", [{}, {"lr": 0.3, "history_size": 2}, {"max_iter": 3}])
def test_steps_of_lbfgs_lead_where_pytorchs_lead(settings):
    torch = pytest.importorskip("torch")
    start = ((0.5, -1.0, 2.0), (0.3, 0.2, 0.1))
    bowl = lambda p: (p[0] * p[0]).sum() + (p[0] * p[1]).sum() + 3 * (p[1] ** 4).sum()  # noqa: E731
    ours = lbfgs(tinytorch, bowl, settings, 4, start)
    theirs = lbfgs(torch, bowl, settings, 4, start)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-6, abs=1e-12)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-6, atol=1e-8)


def test_lbfgs_with_a_line_search_finds_the_bottom_of_a_bent_valley():
    settings = {"line_search_fn": "strong_wolfe", "max_iter": 100, "tolerance_change": 1e-14}
    losses, found, _ = lbfgs(tinytorch, banana, settings, 3)
    assert losses[1] < 1e-12
    np.testing.assert_allclose(found, [[1], [1]], atol=1e-6)


def test_lbfgs_goes_on_from_its_saved_state(tmp_path):
    settings = {"max_iter": 2}
    bowl = lambda p: (p[0] ** 2 + 3 * p[1] ** 2 + p[0] * p[1]).sum()  # noqa: E731
    whole = lbfgs(tinytorch, bowl, settings, 2)[0]
    _, half, optimizer = lbfgs(tinytorch, bowl, settings, 1)
    params = [tinytorch.tensor(x, dtype=tinytorch.float64, requires_grad=True) for x in half]
    other = optim.LBFGS(params, **settings)
    tinytorch.save(optimizer.state_dict(), tmp_path / "state")
    other.load_state_dict(tinytorch.load(tmp_path / "state"))

    def closure():
        other.zero_grad()
        value = bowl(params)
        value.backward()
        return value

    assert other.step(closure).item() == whole[1]


def test_lbfgs_moves_one_group_and_knows_one_line_search():
    x = tinytorch.ones(1, requires_grad=True)
    y = tinytorch.ones(1, requires_grad=True)
    with pytest.raises(ValueError, match="one group"):
        optim.LBFGS([{"params": [x]}, {"params": [y]}])
    with pytest.raises(RuntimeError, match="got 'armijo'"):
        optim.LBFGS([x], line_search_fn="armijo")


def _hooked(library):
    x = library.zeros(2, requires_grad=True)
    x.grad = library.ones(2)
    return x, library.optim.SGD([x], lr=0.5), []


def hooks_around_steps(t):
    x, optimizer, seen = _hooked(t)
    handle = optimizer.register_step_pre_hook(
        lambda o, args, kwargs: seen.append(("pre", len(args)))
    )
    optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append(("post", x.tolist())))
    optimizer.step()
    handle.remove()
    optimizer.step()
    return seen


def hooks_around_states(t):
    x, optimizer, seen = _hooked(t)
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("pre"))
    optimizer.register_state_dict_post_hook(lambda o, state: {**state, "more": 3})
    state = optimizer.state_dict()
    optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append(state["more"]))
    optimizer.register_load_state_dict_pre_hook(lambda o, state: seen.append("first"), prepend=True)
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
    optimizer.load_state_dict(state)
    return seen


def a_group_that_goes_uphill(t):
    x, y = [t.ones(1, requires_grad=True) for _ in range(2)]
    optimizer = t.optim.SGD([{"params": [x], "maximize": True}, {"params": [y]}], lr=0.1)
    (x + y).sum().backward()
    optimizer.step()
    return x, y


def a_decay_that_another_optimizer_knew(t):
    found = []
    for own, other in [("AdamW", "Adam"), ("Adam", "AdamW")]:
        x = t.ones(2, requires_grad=True)
        optimizer = getattr(t.optim, own)([x], weight_decay=0.5)
        optimizer.load_state_dict(getattr(t.optim, other)([x], weight_decay=0.25).state_dict())
        (x * x).sum().backward()
        optimizer.step()
        found += [x, optimizer.param_groups[0]["decoupled_weight_decay"]]
    return found


def what_an_optimizer_shows(t):
    made = [getattr(t.optim, name)([t.ones(1)], maximize=True) for name in ALL]
    return [repr(optimizer) for optimizer in made], [o.defaults["maximize"] for o in made]


@pytest.mark.parametrize(
    "program",
    [
        hooks_around_steps,
        hooks_around_states,
        a_group_that_goes_uphill,
        a_decay_that_another_optimizer_knew,
        what_an_optimizer_shows,
    ],
)
def test_hooks_and_groups_work_as_in_pytorch(program):
    same_answer(program)


def test_no_step_is_recorded():
    with pytest.raises(NotImplementedError, match="not recorded"):
        optim.Adam([tinytorch.zeros(1)], differentiable=True)
