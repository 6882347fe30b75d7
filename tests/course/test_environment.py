"""The environment is made once, mended when it is incomplete, and never a riddle when it fails.

One process at a time is at it, and nothing that's in it is ever lost.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
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

    def make_venv():
        notes.append("make")
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
    monkeypatch.setattr(environment, "LOCK", root / ".course" / "setting-up")


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


def broken_off_by(error, monkeypatch, extras, begun=True):
    """Have an installation broken off, before or after it has begun to change .venv."""

    def breaks_off(wanted):
        if begun:
            environment._write_stamp(environment.INSTALLING, wanted)
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(environment, "_install", breaks_off)
        with pytest.raises(type(error)):
            ensure(extras)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SetupError("no room"), OSError("no room")])
def test_a_first_install_that_was_broken_off_is_gone_on_with(made, monkeypatch, error):
    broken_off_by(error, monkeypatch, ["dev"])
    ensure(["dev"])
    assert made == ["make", "make", "dev"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SetupError("no room")])
def test_what_was_there_and_what_was_begun_is_there_after_a_break_off(made, monkeypatch, error):
    ensure(["course"])
    theirs = environment.VENV / "their package"
    theirs.touch()
    broken_off_by(error, monkeypatch, ["classes"])
    ensure(["grade"])
    ensure(["course", "classes"])
    assert made == ["make", "course", "make", "make", "classes course grade"]
    assert theirs.exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SetupError("no connection")])
def test_what_was_broken_off_before_anything_changed_takes_nothing_away(made, monkeypatch, error):
    ensure(["course"])
    broken_off_by(error, monkeypatch, ["classes"], begun=False)
    ensure(["course"])
    assert made == ["make", "course", "make"]


PROGRAM = """
import shutil, sys, time
from pathlib import Path
from course import environment

root = Path(sys.argv[1])
environment.ROOT, environment.VENV, environment.LOCK = root, root / ".venv", root / ".course/lock"
environment.STAMP, environment.LOG = root / ".venv/tinytorch-stamp", root / ".venv/install.log"
environment.PYTHON = root / ".venv/python"
environment._make_venv = environment.PYTHON.touch

def install(extras):
    (root / "began").touch()
    while not (root / "go on").exists():
        time.sleep(0.01)
    with (root / "installed").open("a") as file:
        file.write(" ".join(extras) + ";")

environment._install = install
from course import cli
cli.show_verbs = lambda: environment.ensure(sys.argv[2:]) and None
sys.exit(cli.main([]))
"""


@pytest.fixture
def terminals(tmp_path):
    """Start processes that want the same .venv; whatever is still running is ended."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    running = []

    def start(*extras):
        command = [sys.executable, "-c", PROGRAM, str(tmp_path), *extras]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
        running.append(subprocess.Popen(command, cwd=ROOT, **pipes))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def wait_for(path):
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


def waits(process):
    """Does it say so? If it sets up instead, its line hasn't ended yet."""
    said = process.stdout.read(7)
    return (
        said == environment.WAITS[:7]
        and said + process.stdout.readline() == f"{environment.WAITS}\n"
    )


def begun(terminals, tmp_path):
    """Two terminals, the second of which has said that it waits."""
    first = terminals("course")
    wait_for(tmp_path / "began")
    second = terminals("grade")
    assert waits(second)
    return first, second


def test_one_sets_up_the_other_says_that_it_waits_and_installs_what_it_needs_more(
    terminals, tmp_path
):
    first, second = begun(terminals, tmp_path)
    (tmp_path / "go on").touch()
    assert first.communicate()[0].startswith("Setting up .venv; this takes a minute")
    assert second.communicate()[0].startswith("Adding to .venv what is missing; ")
    assert (tmp_path / "installed").read_text() == "course;course grade;"
    assert first.returncode == second.returncode == 0


def test_who_waited_for_what_it_needs_installs_nothing(terminals, tmp_path):
    first, second = begun(terminals, tmp_path)
    third = terminals("course")
    assert waits(third)
    second.kill()
    (tmp_path / "go on").touch()
    assert third.communicate() == ("", "")
    assert (tmp_path / "installed").read_text() == "course;"


@pytest.mark.skipif(sys.platform == "win32", reason="a lock isn't handed on there")
def test_an_installer_that_outlives_its_terminal_is_waited_for(terminals, tmp_path):
    installs = "import sys, time, pathlib; here = pathlib.Path(sys.argv[1])\n"
    installs += "(here / 'began').touch()\n"
    installs += "while not (here / 'go on').exists(): time.sleep(0.01)"
    starts = "import sys; from pathlib import Path; from course import environment, lock\n"
    starts += "with lock.alone(Path(sys.argv[1]) / '.course/lock', ''):\n"
    starts += "    environment._run_logged([sys.executable, '-c', *sys.argv[2:]], None, None)"
    line = [sys.executable, "-c", starts, str(tmp_path), installs, str(tmp_path)]
    first = subprocess.Popen(line, cwd=ROOT)
    wait_for(tmp_path / "began")
    first.kill()
    first.wait()
    second = terminals("grade")
    assert waits(second)
    (tmp_path / "go on").touch()
    assert second.wait(60) == 0


def test_the_lock_goes_with_its_process(terminals, tmp_path):
    first, second = begun(terminals, tmp_path)
    first.kill()
    (tmp_path / "go on").touch()
    assert second.wait(60) == 0
    assert (tmp_path / "installed").read_text() == "grade;"


@pytest.mark.skipif(sys.platform == "win32", reason="a signal can't be sent there")
def test_ctrl_c_while_waiting_says_stopped_and_leaves_the_other_alone(terminals, tmp_path):
    first, second = begun(terminals, tmp_path)
    second.send_signal(signal.SIGINT)
    assert second.communicate()[1] == "\nstopped\n" and second.returncode == 130
    (tmp_path / "go on").touch()
    assert first.wait(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="made for each user another way there")
def test_where_no_lock_can_be_had_nobody_waits(made, monkeypatch):
    import fcntl

    def refuses(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuses)
    ensure(["dev"])
    environment.LOCK.unlink()
    environment.LOCK.mkdir()  # and where the file can't be written
    ensure(["grade"])
    assert made == ["make", "dev", "make", "dev grade"]


def test_a_failure_gets_a_line_of_its_own(made, monkeypatch, capsys):
    broken_off_by(SetupError("no room"), monkeypatch, ["dev"])
    assert capsys.readouterr().out.endswith(" \n")


def test_an_environment_that_is_not_ours_is_added_to(made):
    info = environment.VENV / Path(environment.PACKAGES).with_name("theirs.dist-info")
    info.mkdir(parents=True)
    ensure(["dev"])
    assert made == ["make", "dev"] and info.is_dir()


def test_a_package_that_was_half_there_is_installed_again(made, monkeypatch):
    packages = environment.VENV / Path(environment.PACKAGES.replace("*", "3.11", 1)).parent
    for name in ("whole-1.0.dist-info", "half-1.0.dist-info"):
        (packages / name).mkdir(parents=True)
        (packages / name / "METADATA").touch()
    (packages / "whole-1.0.dist-info" / "INSTALLER").touch()
    ensure(["dev"])
    broken_off_by(KeyboardInterrupt(), monkeypatch, ["dev", "grade"])
    ensure(["dev"])
    assert [path.name for path in packages.iterdir()] == ["whole-1.0.dist-info"]


INSTALLER = """
import signal, sys, time
print("Collecting numpy", flush=True)
{line}
try:
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.5)
    open(sys.argv[1], "w").close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a signal can't be sent there")
@pytest.mark.parametrize("changes", [True, False])
def test_who_breaks_an_installer_off_waits_for_its_end(tmp_path, monkeypatch, capsys, changes):
    """And what the stamp says holds until the installer says that it changes something."""
    place(monkeypatch, tmp_path)
    line = 'print("Installing collected packages: numpy", flush=True)' if changes else ""
    command = [sys.executable, "-c", INSTALLER.format(line=line), str(tmp_path / "ended")]
    calls, starts = [], subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *a, **o: calls.append(starts(*a, **o)) or calls[0]
    )

    def ctrl_c():
        time.sleep(2)
        calls[0].send_signal(signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=ctrl_c).start()
    noted = []
    with pytest.raises(KeyboardInterrupt), (tmp_path / "log").open("w") as log:
        environment._run_logged(command, log, lambda: noted.append("changes"))
    assert (tmp_path / "ended").exists() and noted == ["changes"] * changes
    assert capsys.readouterr().out == "."


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
    environment._make_venv()
    assert prefix() == str(root / ".venv")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no links there")
def test_a_python_that_has_gone_is_replaced_and_what_was_installed_stays(tmp_path, monkeypatch):
    place(monkeypatch, tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/uv")
    environment._make_venv()
    theirs = next(environment.VENV.glob("lib/python*/site-packages")) / "theirs.py"
    theirs.touch()
    for link in environment.PYTHON.parent.glob("python*"):
        link.unlink()
        link.symlink_to("/nowhere/python")
    environment._make_venv()
    assert prefix() == str(environment.VENV) and theirs.exists()


def prefix():
    code = "import sys; print(sys.prefix)"
    ran = subprocess.run([environment.PYTHON, "-c", code], capture_output=True, text=True)
    return ran.stdout.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no links there")
def test_another_python_is_installed_into_again(made, monkeypatch, tmp_path):
    ensure(["dev"])
    environment.PYTHON.rename(tmp_path / "python3.99")
    environment.PYTHON.symlink_to(tmp_path / "python3.99")
    ensure(["dev"])
    assert made == ["make", "dev"] * 2


def test_debian_without_venv_says_which_package_is_missing(tmp_path, monkeypatch):
    place(monkeypatch, tmp_path)
    said = (
        "The virtual environment was not created successfully because ensurepip is not available."
    )
    failed = subprocess.CompletedProcess([], 1, stdout=said, stderr="")
    monkeypatch.setattr(subprocess, "run", lambda *args, **options: failed)
    with pytest.raises(SetupError, match=r"sudo apt install python3\.\d+-venv$"):
        environment._make_venv()


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


@pytest.mark.skipif(sys.platform == "win32", reason="a signal can't be sent there")
def test_sigterm_is_handed_on_and_the_command_may_tidy_up(tmp_path):
    inner = "import signal, sys, time, pathlib; here = pathlib.Path(sys.argv[1]);"
    inner += "signal.signal(signal.SIGTERM, lambda *_: sys.exit((here / 'tidy').touch()));"
    inner += "(here / 'began').touch(); time.sleep(60)"
    outer = "import sys; from course import environment; environment.run(sys.argv[1:])"
    command = [sys.executable, "-c", outer, sys.executable, "-c", inner, str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT)
    wait_for(tmp_path / "began")
    process.terminate()
    assert process.wait(60) == 143 and (tmp_path / "tidy").exists()


def test_all_that_is_installed_is_compiled_and_what_cannot_be_is_passed_over(made, monkeypatch):
    folder = environment.VENV / ("Lib" if sys.platform == "win32" else "lib") / "package"
    folder.mkdir(parents=True)
    (folder / "module.py").write_text("x = 1\n", encoding="utf-8")
    (folder / "template.py").write_text("{{ name }} =\n", encoding="utf-8")
    monkeypatch.setattr(environment, "PYTHON", Path(sys.executable))
    environment._compile()
    compiled = [path.name.partition(".")[0] for path in folder.glob("__pycache__/*.pyc")]
    assert compiled == ["module"]
