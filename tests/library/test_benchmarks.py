"""The benchmarks' own arithmetic, and that each piece of work runs."""

from importlib import import_module
from pathlib import Path

import pytest

import tinytorch


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2])


def test_the_ratio_is_the_median_within_rounds():
    measure = import_module("benchmarks.measure")
    assert measure.ratio([1.0, 20.0, 3.0], [2.0, 10.0, 6.0]) == 0.5


def test_a_row_names_every_peer_and_says_whether_the_goal_is_met():
    measure = import_module("benchmarks.measure")
    work = measure.Work(
        "sum", {"tinytorch": lambda: sum(range(9000)), "numpy": list}, {"numpy": 0.1}
    )
    seconds, ratios = measure.compared(work, rounds=3)
    line = measure.row(work, seconds, ratios)
    assert line.startswith("sum ") and "x numpy (goal 0.1: MISSED)" in line
    assert measure.verdict(0.3, 0.5) == " (goal 0.5: met)" and measure.verdict(0.3, None) == ""


@pytest.mark.parametrize("module", ["networks", "language", "arrays", "convolutions", "operations"])
def test_each_piece_of_work_runs_for_every_competitor(module):
    for work in import_module(f"benchmarks.{module}").works():
        assert "tinytorch" in work.competitors
        for run in work.competitors.values():
            run()


def test_chains_run_forward_and_backward():
    chains = import_module("benchmarks.chains")
    for chain in (chains.times_number, chains.tanh_and_relu, chains.own_function):
        for run in chains.chain_work("", chain, 1.0, length=4).competitors.values():
            run()


def test_what_must_not_grow_is_measured_at_two_sizes():
    growth = import_module("benchmarks.growth")
    for make, small, large in growth.CASES.values():
        assert large >= 4 * small
        make(tinytorch, 3)()


def test_the_table_of_the_readme_has_the_rows_that_are_printed():
    measure = import_module("benchmarks.measure")
    modules = ("chains", "networks", "language", "arrays", "convolutions", "operations")
    names = [w.name for m in modules for w in import_module(f"benchmarks.{m}").works()]
    text = (Path(tinytorch.__file__).parent / "README.md").read_text(encoding="utf-8")
    table = text.partition("x NumPy |\n|---|---:|---:|\n")[2].partition("\n\n")[0]
    assert [row.split(" | ")[0] for row in table.split("\n")] == [f"| {name}" for name in names]
    work = measure.Work("op: sum", {})
    assert measure.table_row(work, {"torch": 0.5}) == "| op: sum | 0.50 | |"
    assert measure.table_row(work, {"numpy": 1.25, "torch": 2}) == "| op: sum | 2.00 | 1.25 |"


def test_unknown_names_are_refused(capsys):
    with pytest.raises(SystemExit):
        import_module("benchmarks.__main__").main(["chian"])
    assert "no such rows: chian" in capsys.readouterr().err


def test_the_command_prints_versions_and_rows(capsys):
    import_module("benchmarks.__main__").main(["import", "--rounds", "1"])
    out = capsys.readouterr().out
    assert out.startswith("numpy ") and "OPENBLAS_CORETYPE" in out and "goal 15" in out
