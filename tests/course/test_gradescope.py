"""Gradescope's container, in a folder of its own: whatever is handed in, there are results."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from argparse import Namespace

import pytest
from small_chapter import SOLUTION, make_chapter, zipped
from small_package import make_package

from course.gradescope.archive import contents_of, main
from course.manifest import UsageError
from course.modules import solution_of, write_code

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the container is a Linux")
FIELDS = {"score", "max_score", "status", "name", "output", "output_format", "visibility"}


def build(root, chapter):
    """/autograder as Gradescope makes it of the zip, with this Python for that of setup.sh."""
    main(chapter, Namespace(out=root / "autograder.zip"))
    subprocess.run(["unzip", "-q", root / "autograder.zip", "-d", root / "source"], check=True)
    shutil.copy(root / "source/run_autograder", root)
    python = root / "venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return root


def marks(autograder, files):
    """Hand files in; the table in results.json, which has all that Gradescope asks for."""
    for name in ("submission", "results"):
        shutil.rmtree(autograder / name, ignore_errors=True)
        (autograder / name).mkdir()
    for name, data in files.items():
        path = autograder / "submission" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    settings = os.environ | {"AUTOGRADER": str(autograder)}
    ran = subprocess.run([autograder / "run_autograder"], cwd=autograder, env=settings)
    assert ran.returncode == 0
    table = json.loads((autograder / "results/results.json").read_text(encoding="utf-8"))
    assert table["tests"] and all(set(test) >= FIELDS for test in table["tests"])
    assert {test["status"] for test in table["tests"]} <= {"passed", "failed"}
    assert {test["output_format"] for test in table["tests"]} == {"text"}
    assert table["score"] == sum(test["score"] for test in table["tests"])
    return table


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    root = tmp_path_factory.mktemp("gradescope")
    return build(root / "autograder", make_chapter(root))


def test_the_zip_has_what_the_specification_asks_for_and_no_answers(tmp_path):
    chapter = make_chapter(tmp_path)
    (chapter.tests / "misconceptions.py").write_text("answers")
    main(chapter, Namespace(out=tmp_path / "a.zip"))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        scripts = [archive.getinfo(name) for name in ("setup.sh", "run_autograder")]
        assert all(info.external_attr >> 16 & 0o111 for info in scripts)
        names = archive.namelist()
        texts = [archive.read(name) for name in names]
    assert not any("solutions" in name or "/misconceptions" in name[7:] for name in names)
    assert not any(b"    total = x + x" in text for text in texts)
    assert b"jupyterlab" not in texts[names.index("requirements.txt")]
    main(chapter, Namespace(out=tmp_path / "a.zip"))  # an older one is written anew
    main(chapter, Namespace(out=tmp_path / "b.zip"))
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_file_that_is_none_of_ours_is_not_overwritten(tmp_path):
    (tmp_path / "thesis.zip").write_bytes(zipped(thesis="x"))
    with pytest.raises(UsageError, match="thesis.zip is there already, and is no autograder"):
        main(make_chapter(tmp_path), Namespace(out=tmp_path / "thesis.zip"))
    assert (tmp_path / "thesis.zip").read_bytes() == zipped(thesis="x")


def test_setup_is_a_script_that_bash_can_read(autograder):
    subprocess.run(["bash", "-n", autograder / "source/setup.sh"], check=True)


@pytest.mark.parametrize("name", ["tinytorch.py", "mine.py", "chapters/01_first/tinytorch.py"])
def test_the_one_file_is_found_and_graded(autograder, name):
    table = marks(autograder, {name: SOLUTION.replace("x + x", "x - x")})
    assert [(test["number"], test["score"], test["max_score"]) for test in table["tests"]] == [
        ("1.1", 1, 2), ("1.2", 2, 2),
    ]  # fmt: skip
    assert table["tests"][0]["output"].startswith("double(3) = 0, expected 6")
    assert table["stdout_visibility"] == "hidden"


@pytest.mark.parametrize(
    "files, says",
    [
        ({}, "there is no tinytorch.py in it; hand in chapters/01_first/tinytorch.py"),
        ({"a.py": "", "b.py": ""}, "there is no tinytorch.py in it, only a.py, b.py; hand in"),
        ({"a/tinytorch.py": "", "b/tinytorch.py": ""}, "there is more than one tinytorch.py"),
        ({"mine.zip": "no zip"}, "mine.zip is no zip that can be read"),
        ({"tinytorch.py": b"\xff\xfe\x00"}, "tinytorch.py is not saved as UTF-8"),
        ({"mine.zip": zipped(**{"a__tinytorch.py": "def"})}, "SyntaxError: invalid syntax (tiny"),
        ({"tinytorch.py": "open('notes.txt')"}, "FileNotFoundError: [Errno 2] No such file or"),
    ],
)
def test_what_cannot_be_graded_is_told_in_one_line(autograder, files, says):
    table = marks(autograder, files)
    assert says in table["output"] and "\n" not in table["output"]
    assert (table["score"], table["output_format"]) == (0, "text")
    assert str(autograder) not in table["output"] and "/desk/" not in table["output"]


def test_where_the_grader_fails_the_student_is_told_whose_fault_it_is(autograder):
    tests = autograder / "source/tests"
    tests.rename(autograder / "elsewhere")
    try:
        assert "not your fault" in marks(autograder, {"tinytorch.py": SOLUTION})["output"]
    finally:
        (autograder / "elsewhere").rename(tests)


def test_a_chapter_of_part_ii_comes_with_the_library_around_it(tmp_path):
    chapter = make_package(tmp_path)
    assert not set(contents_of(chapter)) & {"tinytorch/sums.py", "tinytorch/nn/conv.py"}
    root = build(tmp_path / "autograder", chapter)
    write_code(tmp_path / "in", solution_of(chapter))
    code = {path.relative_to(tmp_path / "in").as_posix(): path.read_bytes() for path in
            (tmp_path / "in").rglob("*.py")}  # fmt: skip
    folder = {f"06_package/tinytorch/{name}": data for name, data in code.items()}
    assert marks(root, folder | {"06_package/06_package.ipynb": "{}"})["score"] == 8
    del folder["06_package/tinytorch/sums.py"]
    assert "sums.py is missing" in marks(root, folder)["output"]
