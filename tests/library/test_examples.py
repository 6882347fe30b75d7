"""The examples run, and a few steps lead in the right direction."""

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    return lambda name: import_module(f"examples.{name}").main


def test_a_few_epochs_of_the_mlp_read_most_digits(example):
    assert example("digits_mlp")(epochs=3) > 0.85


def test_one_epoch_of_the_cnn_reads_more_digits_than_guessing(example):
    assert example("digits_cnn")(epochs=1) > 0.5


def test_the_gpt_learns_in_its_first_steps_and_writes(example, capsys):
    assert example("small_gpt")(steps=8, sample=20) < 4.0
    assert len(capsys.readouterr().out.split("\n", 1)[1].strip("\n")) > 10


def test_the_critic_finds_the_clouds(example):
    distance, slope = example("gradient_penalty")(steps=40)
    assert distance > 1.0 and 0.5 < slope < 1.5


def test_newton_reaches_the_bottom_where_descent_does_not(example):
    newton, descent = example("newton")(descent_steps=50)
    assert newton < 1e-15 < descent


def test_every_example_says_what_it_measured():
    for path in (ROOT / "examples").glob("[a-z]*.py"):
        assert "Measured" in path.read_text(encoding="utf-8"), path.name
