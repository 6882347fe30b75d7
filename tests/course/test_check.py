"""check() and %load_ext course, as a notebook uses them."""

import base64
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from course import extension
from course.extension import CheckFailed, check
from course.manifest import load_chapter
from course.paths import ROOT

CHAPTER = load_chapter(3)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of chapter 3's folder, solved, as the working folder."""
    folder = tmp_path / CHAPTER.slug
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(extension, "_folder", None)
    write(folder, CHAPTER.solution_file.read_text(encoding="utf-8"))
    return folder


def write(folder, text):
    (folder / "tinytorch.py").write_text(text, encoding="utf-8", newline="\n")


def spoil(folder, old, new):
    text = CHAPTER.solution_file.read_text(encoding="utf-8")
    assert old in text
    write(folder, text.replace(old, new))


def test_a_passed_check_says_so(folder):
    checked = check("3.2")
    assert checked.passed
    assert repr(checked).splitlines()[0] == "Exercise 3.2 · topological_order"
    assert "passed" in repr(checked) and "hint" not in repr(checked)


def test_a_failed_check_says_what_the_terminal_says(folder):
    spoil(folder, "grads[x] + grad_x if x in grads else grad_x", "grad_x")
    checked = check("3.4")
    assert not checked.passed
    assert checked.results[0].message in repr(checked)
    assert checked.results[0].message.split(":")[0] in checked._repr_html_()
    assert "hint-3.4" in repr(checked) and "hint-3.4" in checked._repr_html_()


def test_an_exercise_waits_for_the_earlier_one_that_is_at_fault(folder):
    spoil(folder, "grads[x] + grad_x if x in grads else grad_x", "grad_x")
    checked = check("3.6")
    assert [result.id for result in checked.results] == ["3.6"]
    assert "passes as soon as exercise 3.4 is right: mend that one first" in repr(checked)
    assert "passes as soon as exercise 3.4 is right" in checked._repr_html_()


def test_a_wrong_gradient_comes_with_its_picture(folder):
    spoil(folder, "reversed(topological_order(self))", "reversed(topological_order(self)[1:])")
    checked = check("3.6")
    png = base64.b64decode(checked.results[0].picture)
    assert png.startswith(b"\x89PNG")
    assert "data:image/png;base64," in checked._repr_html_()


def test_of_two_exercises_it_says_that_it_takes_one(folder):
    says = 'check grades one exercise, or all with check(); call check("3.1") and check("3.2")'
    assert says in repr(check("3.1", "3.2"))
    assert not check(3.1, 3.2).passed


def test_without_an_id_the_whole_chapter_is_checked(folder):
    checked = check()
    assert len(checked.results) == len(CHAPTER.exercises) and checked.passed
    assert all(e.title in repr(checked) for e in CHAPTER.exercises)


def test_a_syntax_error_in_the_saved_file_is_said(folder):
    write(folder, "def f(:\n")
    checked = check("3.2")
    assert "SyntaxError" in checked._repr_html_()
    assert "(tinytorch.py, line 1)" in repr(checked) and "the code from before" in repr(checked)


def test_an_unknown_exercise_is_one_clear_line(folder):
    assert "there is no exercise 3.99" in repr(check("3.99"))
    assert "an exercise is named like 3.2" in repr(check("three"))


def test_a_number_names_an_exercise_as_well(folder):
    assert check(3.2).results == check("3.2").results
    assert "an exercise is named like 3.2, got '3'" in repr(check(3))


def test_a_number_that_may_mean_two_exercises_is_asked_about(folder, monkeypatch):
    ten = replace(CHAPTER, exercises=(*CHAPTER.exercises, replace(CHAPTER.exercises[0], id="3.10")))
    monkeypatch.setattr(extension, "find_exercise", lambda id: (ten, CHAPTER.exercises[0]))
    said = " ".join(repr(check(3.10)).split())
    assert 'are the same number; use quotes: check("3.1") or check("3.10")' in said


def test_messages_are_escaped(folder):
    spoil(
        folder,
        "    order, seen, stack = ",
        '    raise ValueError("<b>&")\n    order, seen, stack = ',
    )
    card = check("3.2")._repr_html_()
    assert "&lt;b&gt;&amp;" in card and "<b>" not in card


def test_spaces_in_a_message_stay_as_they_are(folder):
    old = "    order, seen, stack = "
    spoil(folder, old, f'    raise ValueError("[1.    2.]")\n{old}')
    card = check("3.2")._repr_html_()
    assert re.search(r'pre-wrap">[^<]*\[1\.    2\.\]', card)


def test_a_check_raises_only_where_it_is_told_to(folder, monkeypatch):
    monkeypatch.setenv("COURSE_STRICT", "1")
    assert check("3.2").passed
    write(folder, "def f(:\n")
    with pytest.raises(CheckFailed, match="SyntaxError"):
        check("3.2")
    with pytest.raises(CheckFailed, match="no exercise"):
        check("3.99")


def test_elsewhere_the_students_own_chapter_is_graded(tmp_path, monkeypatch):
    seen = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(extension, "_folder", None)
    monkeypatch.setattr(extension, "grade", lambda chapter, file, **_: seen.append(file) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        check("3.2")
    assert seen == [CHAPTER.exercise_file]
    assert "name an exercise" in repr(check())


SESSION = """
import sys, types
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
{before}
for _ in range(2):
    shell.run_line_magic("load_ext", "course")
import os
try:
    import tinytorch
    print("FILE", tinytorch.__file__)
except ImportError:
    print("NONE")
"""


EDITED = """
from pathlib import Path
shell.run_cell("from tinytorch import Tensor")
for line in ("def f(:", "nobody", "    x = 1", "", ""):
    file = Path("tinytorch.py")
    file.write_text(line + "\\n" + file.read_text(encoding="utf-8").partition("\\n")[2], "utf-8")
    shell.run_cell("print('cell')")
"""


def session(folder, before="", after="", **environment):
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run(
        [sys.executable, "-c", SESSION.format(before=before) + after],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_extension_puts_the_chapters_own_tinytorch_first(folder):
    assert f"FILE {folder / 'tinytorch.py'}" in session(folder)


MISSING = """
shell.run_cell("from tinytorch import Tensor")
Path("tinytorch.py").write_text("class Tensor: mine = True\\n", "utf-8")
shell.run_cell("from tinytorch import Tensor; print(Tensor.mine)")
Path("tinytorch.py").write_text("class Tensor: mine = 'edited'\\n", "utf-8")
shell.run_cell("print(Tensor.mine)")
"""


def test_without_its_file_a_chapter_does_not_take_the_library_for_it(folder):
    (folder / "tinytorch.py").unlink()
    said = session(folder, after="from pathlib import Path\n" + MISSING)
    assert "NONE" in said and "FILE" not in said
    assert f"there is no {folder / 'tinytorch.py'}; make reset-chapter3 brings it back" in said
    assert said.splitlines()[-2:] == ["True", "edited"]


def test_the_extension_forgets_a_tinytorch_from_elsewhere(folder):
    before = "sys.modules['tinytorch'] = types.ModuleType('tinytorch')"
    assert f"FILE {folder / 'tinytorch.py'}" in session(folder, before)


def test_the_extension_finds_the_notebook_of_vs_code(folder, tmp_path):
    notebook = folder / f"{CHAPTER.slug}.ipynb"
    before = f"shell.user_ns['__vsc_ipynb_file__'] = {str(notebook)!r}"
    assert f"FILE {folder / 'tinytorch.py'}" in session(tmp_path, before)


def test_the_extension_finds_the_notebook_that_jupyter_names(folder, tmp_path):
    told = {"JPY_SESSION_NAME": str(folder / f"{CHAPTER.slug}.ipynb")}
    assert f"FILE {folder / 'tinytorch.py'}" in session(tmp_path, **told)


def test_the_extension_says_where_there_is_no_chapter(tmp_path):
    said = session(tmp_path)
    assert f"there is no tinytorch of a chapter here, in {tmp_path}" in said
    assert "import tinytorch gives you the finished library" in said
    assert "%cd chapters/03_backward" in said and "%reload_ext course" in said


def test_what_the_extension_advises_helps(folder, tmp_path):
    advised = f'shell.run_line_magic("cd", {folder.name!r})\n'
    advised += 'shell.run_line_magic("reload_ext", "course")\n'
    advised += "import tinytorch\nprint('NOW', tinytorch.__file__)\n"
    assert f"NOW {folder / 'tinytorch.py'}" in session(tmp_path, after=advised)


def test_an_edit_that_cannot_be_run_is_one_line_before_the_next_cell(folder):
    write(folder, "\nclass Tensor: pass\n")
    said = session(folder, after=EDITED).partition("FILE ")[2].splitlines()[1:]
    old = "; until that is mended, cells go on running the code from before"
    assert said == [
        f"SyntaxError: invalid syntax (tinytorch.py, line 1){old}", "cell",
        f"NameError: name 'nobody' is not defined (tinytorch.py, line 1){old}", "cell",
        f"IndentationError: unexpected indent (tinytorch.py, line 1){old}", "cell",
        "cell", "cell",
    ]  # fmt: skip


def test_an_extension_loaded_again_says_it_once(folder):
    write(folder, "\nclass Tensor: pass\n")
    again = 'shell.run_line_magic("reload_ext", "course")\n'
    said = session(folder, after=again + EDITED)
    assert said.count("SyntaxError: invalid syntax") == 1
