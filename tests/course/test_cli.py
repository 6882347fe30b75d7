"""The commands as a user types them: in a process of their own, in a folder with a space."""

import ast
import io
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from small_course import edit, make_course

from course import cli, environment
from course.manifest import UsageError
from course.output import command, use_plain_text_where_needed, wrapped
from course.paths import ROOT


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the machinery around a made-up course."""
    root = tmp_path_factory.mktemp("my course")
    make_course(root)
    shutil.copytree(ROOT / "course", root / "course", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    shutil.copy(ROOT / "Makefile", root)
    shutil.copy(ROOT / "README.md", root)
    return root


def course(project, *arguments, python=(), **environment):
    """Run python -m course there; output as text."""
    settings = {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80"} | environment
    return subprocess.run(
        [sys.executable, *python, "-m", "course", *arguments],
        cwd=project,
        env={**os.environ, **settings},
        capture_output=True,
        encoding=settings["PYTHONIOENCODING"],
        check=False,
    )


def test_without_a_verb_it_says_what_there_is(project):
    ran = course(project)
    assert ran.returncode == 0
    assert all(command(verb.name) in ran.stdout for verb in cli.VERBS)
    assert max(map(len, ran.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    "typed, says",
    [
        ("tset", "there is no command tset; did you mean test?"),
        ("test-chpter2", "there is no command test-chpter2; did you mean test-chapter2?"),
        ("hnt-1.2", "there is no command hnt-1.2; did you mean hint-1.2?"),
        ("xyzzy", "there is no command xyzzy; "),
        (
            "test-1.1",
            "there is no command test-1.1; make test-chapter1 grades 1.1 too (in the "
            'notebook, check("1.1") grades it alone)\n',
        ),
        ("tets-1.1", "there is no command tets-1.1; make test-chapter1 grades 1.1 too (in "),
        ("test-1.99", "there is no exercise 1.99; chapter 1 has 1.1 to 1.4"),
        ("test-1", "there is no command test-1; did you mean test-chapter1?"),
        ("diff-2.1", "there is no command diff-2.1; did you mean diff-chapter2?"),
        ("hint-1", "there is no command hint-1; did you mean hint-1.1?"),
        ("reset-1", "there is no command reset-1; make shows what there is"),
        ("rset-1.1", "there is no command rset-1.1; make shows what there is"),
        ("cary-chapter2", "there is no command cary-chapter2; make shows what there is"),
        ("carry-2", "there is no command carry-2; make shows what there is"),
        ("blank", "there is no command blank; make shows what there is"),
        ("grade-chapter1", "say which folder: make grade-chapter1 FOLDER=submissions OUT=marks"),
        ("test-chapter99", "there is no chapter 99; chapters are 1 to 2"),
        ("hint-1.99", "there is no exercise 1.99; chapter 1 has 1.1 to 1.4"),
        ("solution-9.1", "there is no chapter 9"),
        ("hint-1.1 --bla", "hint-1.1: unrecognized arguments: --bla"),
        ("test-chapter1 --who me", "test-chapter1: argument --who: invalid choice: 'me'"),
        ("test-chapter1 --json", "test-chapter1: argument --json: expected one argument"),
        (
            "test-chapter1 --json no/a.json",
            "--json no/a.json: there is no folder no; make it first",
        ),
        ("test-chapter1 --gradescope no/a", "--gradescope no/a: there is no folder no; make it"),
        ("test-chapter1 --json course", "--json course is a folder; name a file in it"),
    ],
)
def test_wrong_use_gets_one_line_and_exit_code_2(project, typed, says):
    ran = course(project, *typed.split())
    assert ran.returncode == 2 and ran.stdout == ""
    assert ran.stderr.startswith(says) and ran.stderr.count("\n") == 1


def test_a_mistake_in_a_manifest_is_one_line_too(project, tmp_path):
    make_course(tmp_path)
    shutil.copytree(project / "course", tmp_path / "course")
    edit(tmp_path / "tests" / "chapter01" / "exercises.toml", "points = 2", "points = ")
    ran = course(tmp_path, "hint-1.1")
    assert ran.returncode == 2 and ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("tests/chapter01/exercises.toml: Invalid value (at line ")


def test_exit_codes_of_grading_tell_passed_from_not_passed(project):
    assert course(project, "test-chapter1").returncode == 1
    assert course(project, "test-chapter1", "--who", "solution").returncode == 0
    solution = "solutions/01_first/tinytorch.py"
    assert course(project, "test-chapter1", "--file", solution).returncode == 0


def test_progress_shows_all_chapters(project):
    ran = course(project, "progress")
    assert ran.returncode == 0
    assert "1 First" in ran.stdout and "2 Second" in ran.stdout and "0/8" in ran.stdout


@pytest.mark.parametrize("verb", ["", "hint-1.1", "solution-1.1", "diff-chapter2", "reset-1.1"])
def test_every_line_can_be_shown_in_plain_ascii(project, verb):
    ran = course(project, *verb.split(), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ran.returncode == 0 and ran.stderr == ""
    assert "?" not in ran.stdout


def test_the_longer_plain_spelling_fits_into_the_window_too(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    monkeypatch.setenv("COLUMNS", "80")
    use_plain_text_where_needed()
    print(wrapped("… " * 80))
    sys.stdout.flush()
    lines = sys.stdout.buffer.getvalue().decode("ascii").splitlines()
    assert len(lines) == 4 and max(map(len, lines)) <= 80


@pytest.mark.parametrize("verb", ["", "hint-1.1", "solution-1.1", "reset-1.1", "blanks"])
def test_help_needs_nothing_but_python(project, verb):
    ran = course(project, *verb.split(), python=["-S"])
    assert ran.returncode == 0, ran.stderr


def test_importing_the_course_needs_nothing_but_python():
    code = "import course; course.__all__; course.draw_graf"
    ran = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True)
    assert b"module 'course' has no attribute 'draw_graf'" in ran.stderr


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_an_old_python_can_read_far_enough_to_say_that_it_is_too_old(name):
    text = (ROOT / "course" / name).read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 7))


@pytest.mark.parametrize("verb", ["diff-chapter2", "--help"])  # much to say, and little
def test_a_reader_that_stops_early_is_no_error(project, verb):
    ran = subprocess.Popen(
        [sys.executable, "-m", "course", verb],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"},
    )
    ran.stdout.close()
    assert ran.stderr.read() == b""
    ran.stderr.close()
    ran.wait()


def test_ctrl_c_stops_without_a_traceback(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "show_verbs", interrupted)
    assert cli.main([]) == 130
    assert capsys.readouterr().err == "\nstopped\n"


def test_what_the_system_refuses_is_one_line(monkeypatch, capsys):
    def refused():
        raise PermissionError(13, "Permission denied", "chapters/x.py")

    monkeypatch.setattr(cli, "show_verbs", refused)
    assert cli.main([]) == 1
    assert capsys.readouterr().err == "chapters/x.py: Permission denied\n"


def test_a_scheduler_has_dask_installed_as_all_else_is(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(environment, "run_inside", lambda line, extras: asked.append(extras) or 0)
    line = ["grade-chapter1", str(tmp_path)]
    assert cli.main(line) == cli.main([*line, "--scheduler", "tcp://127.0.0.1:9"]) == 0
    assert asked == [("grade", "classes"), ("grade", "classes", "dask")]


def test_every_verb_is_found_by_its_name():
    for verb in cli.VERBS:
        typed = verb.name.replace("N.M", "3.2").replace("N", "3")
        assert cli.find_verb(typed)[0] is verb


def test_a_number_belongs_to_the_verb_that_takes_it():
    for typed in ("hint-3", "test-chapter3.2", "test-chapter", "hint-3.2x", "blanks3"):
        with pytest.raises(UsageError):
            cli.find_verb(typed)


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize("verb", cli.VERBS, ids=lambda verb: verb.name)
def test_every_verb_is_a_make_target(project, verb):
    target = verb.name.replace("N.M", "1.1").replace("N", "1")
    made = subprocess.run(["make", "-n", target], cwd=project, capture_output=True, text=True)
    assert f"-m course {target}" in made.stdout, made.stderr


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize(
    "typed, says",
    [
        ("tset", "there is no command tset; did you mean test?"),
        ("test-chapter", "there is no command test-chapter; did you mean test-chapter1?"),
    ],
)
def test_make_gives_the_same_advice(project, typed, says):
    made = subprocess.run(["make", typed], cwd=project, capture_output=True, text=True)
    assert made.returncode == 2 and made.stderr.startswith(says + "\n")


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_hands_on_whose_file_is_graded_and_how_much_is_shown(project):
    made = subprocess.run(
        ["make", "-n", "test-chapter1", "WHO=solution", "V=1"],
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert "-m course test-chapter1 --who solution -v" in made.stdout


@pytest.fixture
def started(monkeypatch):
    """The command by which JupyterLab would be started, and its options."""
    calls = []
    monkeypatch.setattr(environment, "run", lambda *call, **options: calls.append((call, options)))
    cli.start(SimpleNamespace(no_browser=True))
    (command,), options = calls[0]
    return command, options


def test_jupyterlab_opens_without_its_question_about_news(started):
    code = "from jupyterlab_server.config import get_static_page_config as get; print(get())"
    ran = subprocess.run(
        [sys.executable, "-c", code], env=started[1]["env"], capture_output=True, text=True
    )
    assert "'@jupyterlab/apputils-extension:announcements': True" in ran.stdout, ran.stderr


def test_in_a_notebook_tinytorch_is_the_chapters_and_course_is_there(started):
    command, options = started
    assert "--no-browser" in command
    code = "import course, tinytorch; print(course.__file__); print(tinytorch.__file__)"
    folder = ROOT / "chapters" / "01_tensor"
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; del sys.path[0]; {code}"],
        cwd=folder,
        env=options["env"],
        capture_output=True,
        text=True,
    )
    found = [str(ROOT / "course" / "__init__.py"), str(folder / "tinytorch.py")]
    assert ran.stdout.split("\n")[:2] == found, ran.stderr
