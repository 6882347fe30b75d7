"""Learning rates over time."""

import math

import pytest
from beside_torch import same_answer

import tinytorch
from tinytorch import optim
from tinytorch.optim.lr_scheduler import (
    CosineAnnealingLR,
    LambdaLR,
    LinearLR,
    LRScheduler,
    SequentialLR,
    StepLR,
)

SCHEDULERS = [
    ("StepLR", {"step_size": 3}),
    ("StepLR", {"step_size": 2, "gamma": 0.5}),
    ("CosineAnnealingLR", {"T_max": 5}),
    ("CosineAnnealingLR", {"T_max": 4, "eta_min": 0.01}),
    ("ExponentialLR", {"gamma": 0.9}),
    ("MultiStepLR", {"milestones": [2, 5, 5], "gamma": 0.5}),
    ("LinearLR", {"total_iters": 4}),
    ("LinearLR", {"start_factor": 0.5, "end_factor": 0.2}),
    ("CosineAnnealingWarmRestarts", {"T_0": 2, "T_mult": 2, "eta_min": 0.1}),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 13, "three_phase": True, "pct_start": 0.4}),
    (
        "CyclicLR",
        {
            "base_lr": [0.1, 0.2],
            "max_lr": [1.0, 2.0],
            "base_momentum": [0.5, 0.6],
            "max_momentum": [0.8, 0.7],
            "step_size_up": 3,
            "step_size_down": 2,
        },
    ),
    (
        "CyclicLR",
        {
            "base_lr": 0.1,
            "max_lr": 1.0,
            "step_size_up": 3,
            "scale_fn": lambda x: 0.9**x,
            "scale_mode": "iterations",
        },
    ),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 13}),
    ("OneCycleLR", {"max_lr": [1.0, 2.0], "epochs": 4, "steps_per_epoch": 4}),
    (
        "OneCycleLR",
        {"max_lr": 1.0, "total_steps": 20, "anneal_strategy": "linear", "cycle_momentum": False},
    ),
    ("LambdaLR", {"lr_lambda": lambda epoch: 1 / (1 + epoch)}),
    ("ConstantLR", {"factor": 0.25, "total_iters": 3}),
    ("MultiplicativeLR", {"lr_lambda": lambda epoch: 0.9 if epoch % 2 else 0.5}),
    ("PolynomialLR", {"total_iters": 7, "power": 2.0}),
    *[
        ("CyclicLR", {"base_lr": 0.1, "max_lr": 1.0, "step_size_up": 3, **settings})
        for settings in (
            {"step_size_down": 2},
            {"mode": "triangular2"},
            {"mode": "exp_range", "gamma": 0.9, "cycle_momentum": False},
        )
    ],
    ("LambdaLR", {"lr_lambda": [lambda epoch: 0.9**epoch, lambda epoch: epoch]}),
]


def optimizer_with_two_groups(t):
    one, other = (t.zeros(1, requires_grad=True) for _ in range(2))
    return t.optim.SGD([{"params": [one]}, {"params": [other], "lr": 0.5}], lr=8.0)


def rates(t, name, settings, epochs=12):
    optimizer = optimizer_with_two_groups(t)
    scheduler = getattr(t.optim.lr_scheduler, name)(optimizer, **settings)
    found = []
    for _ in range(epochs):
        found += scheduler.get_last_lr()
        optimizer.step()
        scheduler.step()
    return found


@pytest.mark.parametrize("name, settings", SCHEDULERS)
def test_rates_agree_with_torch(name, settings):
    torch = pytest.importorskip("torch")
    assert rates(tinytorch, name, settings) == pytest.approx(
        rates(torch, name, settings), rel=1e-9, abs=1e-12
    )


PAIRS = [
    (("StepLR", {"step_size": 2, "gamma": 0.5}), ("CosineAnnealingLR", {"T_max": 3})),
    (("CosineAnnealingLR", {"T_max": 4, "eta_min": 1.0}), ("StepLR", {"step_size": 3})),
    (("LambdaLR", {"lr_lambda": lambda e: e / 4}), ("StepLR", {"step_size": 1, "gamma": 0.5})),
]


def rates_of_two(t, pair):
    optimizer = optimizer_with_two_groups(t)
    schedulers = [getattr(t.optim.lr_scheduler, name)(optimizer, **s) for name, s in pair]
    found = []
    for _ in range(10):
        found += [rate for scheduler in schedulers for rate in scheduler.get_last_lr()]
        optimizer.step()
        for scheduler in schedulers:
            scheduler.step()
    return found


@pytest.mark.parametrize("pair", PAIRS)
def test_two_schedulers_on_one_optimizer_agree_with_torch(pair):
    torch = pytest.importorskip("torch")
    assert rates_of_two(tinytorch, pair) == pytest.approx(rates_of_two(torch, pair), rel=1e-9)


def rates_in_turns(t):
    """Three schedulers, one after the other, and where the second one stands in between."""
    optimizer = optimizer_with_two_groups(t)
    lr = t.optim.lr_scheduler
    parts = [
        lr.LinearLR(optimizer, start_factor=0.1, total_iters=3),
        lr.CosineAnnealingLR(optimizer, T_max=4),
        lr.ExponentialLR(optimizer, gamma=0.5),
    ]
    scheduler = lr.SequentialLR(optimizer, parts, milestones=[3, 7])
    found = []
    for _ in range(11):
        found += scheduler.get_last_lr() + [group["lr"] for group in optimizer.param_groups]
        optimizer.step()
        scheduler.step()
    return found


def rates_chained(t):
    optimizer = optimizer_with_two_groups(t)
    lr = t.optim.lr_scheduler
    parts = [lr.ConstantLR(optimizer, 0.1, 2), lr.ExponentialLR(optimizer, 0.9)]
    scheduler, found = lr.ChainedScheduler(parts), []
    for _ in range(5):
        optimizer.step()
        scheduler.step()
        found += scheduler.get_last_lr()
    return found


@pytest.mark.parametrize("program", [rates_in_turns, rates_chained])
def test_schedulers_of_schedulers_agree_with_torch(program):
    torch = pytest.importorskip("torch")
    assert program(tinytorch) == pytest.approx(program(torch), rel=1e-9)


def test_schedulers_in_turns_go_on_from_their_state():
    def built():
        optimizer = optimizer_with_two_groups(tinytorch)
        parts = [LinearLR(optimizer, 0.1, total_iters=3), StepLR(optimizer, 2, gamma=0.5)]
        return optimizer, SequentialLR(optimizer, parts, milestones=[3])

    (one, first), (other, second) = built(), built()
    for _ in range(4):
        first.step()
    other.load_state_dict(one.state_dict())
    second.load_state_dict(first.state_dict())
    for scheduler in (first, second):
        scheduler.step()
        scheduler.step()
    assert first.get_last_lr() == second.get_last_lr() == [4.0, 0.25]


def test_wrong_schedulers_of_schedulers_are_refused():
    optimizer, other = (optimizer_with_two_groups(tinytorch) for _ in range(2))
    pair = [StepLR(optimizer, 1), StepLR(optimizer, 1)]
    with pytest.raises(ValueError, match="one milestone less"):
        SequentialLR(optimizer, pair, milestones=[])
    with pytest.raises(ValueError, match="one optimizer"):
        SequentialLR(other, pair, milestones=[3])


def test_two_schedulers_multiply_what_each_of_them_does():
    optimizer = optimizer_with_two_groups(tinytorch)
    schedulers = [StepLR(optimizer, 1, gamma=0.5), StepLR(optimizer, 1, gamma=0.25)]
    for scheduler in schedulers:
        scheduler.step()
    assert optimizer.param_groups[0]["lr"] == 8 * 0.5 * 0.25


def test_step_lr_halves_at_every_second_epoch():
    assert rates(tinytorch, "StepLR", {"step_size": 2, "gamma": 0.5}, 5)[::2] == [8, 8, 4, 4, 2]


def test_the_cosine_falls_from_the_first_rate_to_the_last():
    found = rates(tinytorch, "CosineAnnealingLR", {"T_max": 2, "eta_min": 2.0}, 3)[::2]
    assert found == pytest.approx([8, 5, 2])


def test_a_scheduler_goes_on_from_its_state():
    optimizer = optimizer_with_two_groups(tinytorch)
    scheduler = StepLR(optimizer, 1, gamma=0.5)
    scheduler.step()
    other = optimizer_with_two_groups(tinytorch)
    resumed = StepLR(other, 1, gamma=0.25)
    other.load_state_dict(optimizer.state_dict())
    resumed.load_state_dict(scheduler.state_dict())
    resumed.step()
    assert other.param_groups[0]["lr"] == 2.0


def test_last_epoch_resumes_an_optimizer_that_was_loaded():
    optimizer = optimizer_with_two_groups(tinytorch)
    with pytest.raises(KeyError, match="state was loaded first"):
        CosineAnnealingLR(optimizer, 4, last_epoch=1)
    CosineAnnealingLR(optimizer, 4)
    optimizer.param_groups[0]["lr"] = 4.0  # the rate at epoch 2
    scheduler = CosineAnnealingLR(optimizer, 4, last_epoch=1)
    assert scheduler.get_last_lr()[0] == 4.0
    scheduler.step()
    assert scheduler.get_last_lr()[0] == pytest.approx(4 * (1 + math.cos(3 * math.pi / 4)))


def test_resuming_at_an_epoch_agrees_with_torch():
    torch = pytest.importorskip("torch")

    def resumed(t, last_epoch):
        optimizer = optimizer_with_two_groups(t)
        for group in optimizer.param_groups:
            group["initial_lr"] = 16.0
        t.optim.lr_scheduler.StepLR(optimizer, 3, 0.5, last_epoch=last_epoch)
        return [group["lr"] for group in optimizer.param_groups]

    assert [resumed(tinytorch, e) for e in range(4)] == [resumed(torch, e) for e in range(4)]


def test_functions_must_match_the_groups():
    with pytest.raises(ValueError, match="got 1 values for 2 parameter groups"):
        LambdaLR(optimizer_with_two_groups(tinytorch), [lambda epoch: 1])
    with pytest.raises(NotImplementedError, match=r"no get_lr\(\)"):
        LRScheduler(optim.SGD([tinytorch.zeros(1)]))


@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_momenta_of_one_cycle_agree_with_torch(kind):
    torch = pytest.importorskip("torch")

    def momenta(t):
        optimizer = getattr(t.optim, kind)([t.zeros(1, requires_grad=True)], lr=0.1)
        scheduler = t.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=10)
        for _ in range(10):
            group = optimizer.param_groups[0]
            yield group["betas"][0] if kind == "Adam" else group["momentum"]
            optimizer.step()
            scheduler.step()

    assert list(momenta(tinytorch)) == pytest.approx(list(momenta(torch)))


PLATEAUS = [
    {"patience": 1},
    {"mode": "max", "patience": 0, "factor": 0.5, "cooldown": 2},
    {"patience": 0, "threshold": 0.5, "threshold_mode": "abs", "min_lr": 0.2},
]


@pytest.mark.parametrize("settings", PLATEAUS)
def test_rates_on_a_plateau_agree_with_torch(settings):
    torch = pytest.importorskip("torch")

    def found(t):
        scheduler = t.optim.lr_scheduler.ReduceLROnPlateau(optimizer_with_two_groups(t), **settings)
        for loss in (5.0, 4.0, 4.0, 4.0, 3.9999, 3.9, 3.9, 4.2, 4.4, 4.4, 4.4, 1.0, 1.0, 1.0, 0.0):
            scheduler.step(loss)
            yield from scheduler.get_last_lr()

    assert list(found(tinytorch)) == pytest.approx(list(found(torch)))


def test_schedulers_name_settings_that_cannot_be():
    optimizer = optimizer_with_two_groups(tinytorch)
    schedulers = tinytorch.optim.lr_scheduler
    with pytest.raises(ValueError, match="total_steps, or epochs and steps_per_epoch"):
        schedulers.OneCycleLR(optimizer, 1.0)
    with pytest.raises(ValueError, match="factor must be below 1"):
        schedulers.ReduceLROnPlateau(optimizer, factor=1.0)
    with pytest.raises(ValueError, match="at least 1, got 0 and 1"):
        schedulers.CosineAnnealingWarmRestarts(optimizer, 0)
    scheduler = schedulers.OneCycleLR(optimizer, 1.0, total_steps=1, pct_start=0.5)
    scheduler.step()
    with pytest.raises(ValueError, match="made for 1 steps"):
        scheduler.step()


def rates_at_an_epoch(t):
    found = []
    for name, settings in (("StepLR", {"step_size": 2}), ("ExponentialLR", {"gamma": 0.5})):
        optimizer = t.optim.SGD([t.zeros(1)], lr=1.0)
        scheduler = getattr(t.optim.lr_scheduler, name)(optimizer, **settings)
        for epoch in (0, 4, 2):
            scheduler.step(epoch)
            found.append((scheduler.last_epoch, scheduler.get_last_lr()))
    return found


def a_plateau_of_two_groups(t):
    groups = [{"params": [t.zeros(1)], "lr": 1.0}, {"params": [t.zeros(1)], "lr": 0.5}]
    optimizer = t.optim.SGD(groups)
    scheduler = t.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=[0.4, 0.3])
    for _ in range(3):
        scheduler.step(1.0)
    return [group["lr"] for group in optimizer.param_groups]


class _Halved:
    def __init__(self, by):
        self.by = by

    def __call__(self, epoch):
        return self.by**epoch


def a_function_that_holds_something(t):
    rates = []
    kept = None
    for by in (0.5, 0.1):
        optimizer = t.optim.SGD([t.zeros(1)], lr=1.0)
        scheduler = t.optim.lr_scheduler.LambdaLR(optimizer, _Halved(by))
        if kept:
            scheduler.load_state_dict(kept)
        scheduler.step()
        kept = scheduler.state_dict()
        rates.append(scheduler.get_last_lr())
    return rates, kept["lr_lambdas"]


def to_the_rates_of_averaging(t):
    found = []
    for way, epochs in (("cos", 3), ("linear", 4), ("cos", 0)):
        optimizer = t.optim.SGD([t.zeros(1)], lr=1.0)
        falling = t.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        swa = t.optim.swa_utils.SWALR(optimizer, 0.1, epochs, way)
        for step in range(7):
            (falling if step < 2 else swa).step()
            found.append(optimizer.param_groups[0]["lr"])
    return found


def an_unknown_way_to_the_rates_of_averaging(t):
    return t.optim.swa_utils.SWALR(t.optim.SGD([t.zeros(1)]), 0.1, anneal_strategy="steep")


def statistics_counted_anew(t):
    norm = t.nn.BatchNorm1d(2)
    t.optim.swa_utils.update_bn([t.arange(8.0).reshape(4, 2), t.ones(2, 2)], norm)
    return norm.running_mean, norm.running_var, norm.momentum


PROGRAMS = [
    rates_at_an_epoch,
    a_plateau_of_two_groups,
    a_function_that_holds_something,
    to_the_rates_of_averaging,
    an_unknown_way_to_the_rates_of_averaging,
    statistics_counted_anew,
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)
