"""The environment is made once, mended when it is incomplete, and never a riddle when it fails."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from course import environment
from course.environment import SetupError, ensure, is_complete, requirements
from course.paths import ROOT


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A project without .venv; what is done to it is noted, and nothing is installed."""
    root = tmp_path / "a project"
    root.mkdir()
    shutil.copy(ROOT / "pyproject.toml", root)
    place(monkeypatch, root)
    notes = []

    def make_venv(clear):
        notes.append("clear" if clear else "make")
        environment.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        environment.PYTHON.touch()

    monkeypatch.setattr(environment, "_make_venv", make_venv)
    monkeypatch.setattr(environment, "_install", lambda extras: notes.append(" ".join(extras)))
    return notes


def place(monkeypatch, root):
    venv = root / ".venv"
    monkeypatch.setattr(environment, "ROOT", root)
    monkeypatch.setattr(environment, "VENV", venv)
    python = Path(*environment.PYTHON.parts[-2:])
    monkeypatch.setattr(environment, "PYTHON", venv / python)
    monkeypatch.setattr(environment, "STAMP", venv / "tinytorch-stamp")
    monkeypatch.setattr(environment, "LOG", venv / "install.log")


def test_the_second_call_does_nothing(made):
    assert ensure(["dev"]) == ensure(["dev"]) == environment.PYTHON
    assert made == ["make", "dev"]


def test_changed_requirements_are_installed(made):
    ensure(["dev"])
    with (environment.ROOT / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("# more\n")
    ensure(["dev"])
    assert made == ["make", "dev"] * 2


def test_a_folder_that_moved_is_installed_again(made, monkeypatch):
    ensure(["dev"])
    moved = environment.ROOT.with_name("moved")
    environment.ROOT.rename(moved)
    place(monkeypatch, moved)
    ensure(["dev"])
    assert made == ["make", "dev"] * 2


def test_an_interrupted_install_begins_afresh(made, monkeypatch):
    def interrupted(extras):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(environment, "_install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ensure(["dev"])
    ensure(["dev"])
    assert made == ["make", "clear", "dev"]


def test_an_environment_that_is_not_ours_is_not_cleared(made):
    environment.VENV.mkdir()
    ensure(["dev"])
    assert made == ["make", "dev"]


def test_a_lost_interpreter_is_made_again(made):
    ensure(["dev"])
    environment.PYTHON.unlink()
    ensure(["dev"])
    assert made == ["make", "dev"] * 2


@pytest.mark.parametrize("is_inside", [False, True])
def test_an_interpreter_that_has_everything_is_used_as_it_is(made, monkeypatch, is_inside):
    monkeypatch.setattr(environment, "requirements", lambda extras: {"pytest": "1.0"})
    monkeypatch.setattr(environment, "_running_inside", lambda: is_inside)
    assert environment.run_inside(["check"], ("course",)) is None
    assert made == []


@pytest.mark.parametrize(
    "needed, complete",
    [
        ({"pytest": "1.0"}, True),
        ({"pytest": "999"}, False),
        ({"no_such_package": "1.0"}, False),
    ],
)
def test_an_interpreter_is_complete_when_all_is_there_and_new_enough(monkeypatch, needed, complete):
    monkeypatch.setattr(environment, "requirements", lambda extras: needed)
    assert is_complete(("course",)) is complete


def test_the_requirements_are_those_of_pyproject():
    needed = requirements(("course",))
    assert {"numpy", "matplotlib", "jupyterlab", "pytest"} <= set(needed)
    assert "ruff" in requirements(["course", "dev"]) and "ruff" not in needed


def test_no_extra_asks_for_this_project_by_name():
    """Another one is called tinytorch in the package index, and pip would install that."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["dependencies"] + sum(project["optional-dependencies"].values(), [])
    assert [line for line in lines if line.startswith("tinytorch")] == []


def test_grading_needs_no_jupyterlab():
    assert set(requirements(["grade"])) == {"numpy", "safetensors", "pytest"}


def test_what_is_there_stays_when_more_is_needed(made):
    ensure(["grade"])
    ensure(["course"])
    assert ensure(["grade"]) == ensure(["course", "grade"]) == environment.PYTHON
    assert made == ["make", "grade", "make", "course grade"]


def test_after_a_change_all_that_was_there_is_installed_again(made):
    ensure(["course"])
    with (environment.ROOT / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("# more\n")
    ensure(["grade"])
    assert made == ["make", "course", "make", "course grade"]


def test_versions_are_compared_as_numbers():
    assert environment._version("2.13.0+cpu") > environment._version("2.4")
    assert environment._version("5.0rc1") == [5, 0]


def test_a_real_environment_is_made_in_a_folder_with_a_space(tmp_path, monkeypatch):
    root = tmp_path / "a project"
    root.mkdir()
    place(monkeypatch, root)
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/uv")  # no pip: much faster
    environment._make_venv(clear=False)
    code = "import sys; print(sys.prefix)"
    ran = subprocess.run([environment.PYTHON, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == str(root / ".venv")


def test_debian_without_venv_says_which_package_is_missing(tmp_path, monkeypatch):
    place(monkeypatch, tmp_path)
    said = (
        "The virtual environment was not created successfully because ensurepip is not available."
    )
    failed = subprocess.CompletedProcess([], 1, stdout=said, stderr="")
    monkeypatch.setattr(subprocess, "run", lambda *args, **options: failed)
    with pytest.raises(SetupError, match=r"sudo apt install python3\.\d+-venv$"):
        environment._make_venv(clear=False)


OFFLINE = (
    "WARNING: Retrying ... NewConnectionError('Failed to establish a new connection')\nERROR: x"
)
NO_WHEEL = "Collecting numpy\nERROR: No matching distribution found for numpy\nmore"


@pytest.mark.parametrize(
    "log, says",
    [
        (OFFLINE, "no connection to the package index"),
        (NO_WHEEL, "installing failed: ERROR: No matching distribution found for numpy"),
        ("", "installing failed: no reason was given"),
    ],
)
def test_a_failed_install_gives_its_reason_in_one_line(log, says):
    reason = environment._why_it_failed(log)
    assert reason.startswith(says) and "\n" not in reason


def test_a_failed_install_leaves_no_valid_stamp(tmp_path, monkeypatch, made):
    def fails(extras):
        raise SetupError("no connection")

    with monkeypatch.context() as patch:
        patch.setattr(environment, "_install", fails)
        with pytest.raises(SetupError):
            ensure(["dev"])
    ensure(["dev"])
    assert made[-1] == "dev"


def test_the_exit_code_of_a_command_is_handed_on():
    assert environment.run([sys.executable, "-c", "raise SystemExit(3)"]) == 3


def test_all_that_is_installed_is_compiled_and_what_cannot_be_is_passed_over(made, monkeypatch):
    folder = environment.VENV / ("Lib" if sys.platform == "win32" else "lib") / "package"
    folder.mkdir(parents=True)
    (folder / "module.py").write_text("x = 1\n", encoding="utf-8")
    (folder / "template.py").write_text("{{ name }} =\n", encoding="utf-8")
    monkeypatch.setattr(environment, "PYTHON", Path(sys.executable))
    environment._compile()
    compiled = [path.name.partition(".")[0] for path in folder.glob("__pycache__/*.pyc")]
    assert compiled == ["module"]
