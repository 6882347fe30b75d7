"""`make mine`: which chapters are laid over the library and why others aren't, what runs on them,
and the picture of it all."""

import shutil
import subprocess
import sys

import numpy as np
import pytest
from pictures import holds
from small_course import edit, write
from small_package import make_package

from course.drawing import library as drawing
from course.imports import among, carried, imports_in, modules_of
from course.library import draw_library, picture_of
from course.manifest import all_chapters, load_chapter
from course.mine import programs, run
from course.mine.finished import Standing, standing, with_hint, without_clashes
from course.mine.whole import laid_over, suite
from course.modules import solution_of, write_code
from course.output import command
from course.paths import ROOT

BLANK = 'raise NotImplementedError("exercise 6.1: double")'


@pytest.fixture
def chapter(tmp_path):
    return make_package(tmp_path)


@pytest.fixture
def solved(chapter):
    """The folder of the student's modules, all of them right."""
    write_code(chapter.exercise_file, solution_of(chapter))
    return chapter.exercise_file


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "work"
    place.mkdir()
    return place


def contents(folder):
    return {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# Which chapters are finished


def test_a_chapter_whose_exercises_pass_is_finished_and_left_as_it_was(chapter, solved, folder):
    write(solved / "helper.py", "ONE = 1\n")
    before = contents(solved)
    found = standing(chapter, folder)
    assert found.is_finished and contents(solved) == before
    copied = {path.relative_to(found.home).as_posix() for path in contents(found.home)}
    assert copied == {"extra.py", "helper.py", "nn/conv.py", "sums.py"}


def missing(folder):
    (folder / "sums.py").unlink()


def elsewhere(folder):
    (folder / "nn" / "conv.py").rename(folder / "conv.py")


def not_importable(folder):
    edit(folder / "sums.py", '"""Sums."""', "import nothing_like_it")


def no_python(folder):
    edit(folder / "extra.py", "def quadruple(x):", "def quadruple(x:")


def renamed(folder):
    edit(folder / "nn" / "conv.py", "def forward(", "def forwards(")


def given_renamed(folder):
    edit(folder / "sums.py", "def triple", "def thrice")
    edit(folder / "extra.py", "    total = double(x)\n    return double(total)",
         "    import tinytorch.sums\n\n    return tinytorch.sums.triple(x) + x")  # fmt: skip


def half(folder):
    edit(folder / "sums.py", "    total = x + x\n    return total", f"    # TODO\n    {BLANK}")
    edit(folder / "nn" / "conv.py", "3 * result", "4 * result")


def gone(folder):
    shutil.rmtree(folder)


BACK = command("reset-6.1")
WRONG = [  # what was done, the lines about it
    (missing, ["sums.py is missing: there is no {}/sums.py; " + BACK + " brings it back"]),
    (elsewhere, ["conv.py is in the wrong folder: move it to nn/conv.py in {}"]),
    (not_importable, ["ModuleNotFoundError: No module named 'nothing_like_it' (sums.py, line 1)"]),
    (no_python, ["SyntaxError: '(' was never closed (extra.py, line 6)"]),
    (renamed, ["6.3: the file has no nn.conv.Conv.forward: exercise 6.3 asks for it"]),
    (given_renamed, ["AttributeError: module 'tinytorch.sums' has no attribute 'triple'",
                     "your sums.py has no triple, and ours has: did you rename it?"]),
    (half, ["still blank: 6.1", "6.3: forward(3) = 36, expected 27: count again",
            "6.4: needs exercise 6.1 first"]),
    (gone, ["sums.py is missing"]),
]  # fmt: skip


@pytest.mark.parametrize("do, lines", WRONG, ids=[do.__name__ for do, _ in WRONG])
def test_a_chapter_that_isnt_finished_says_why(chapter, solved, folder, do, lines):
    do(solved)
    found = standing(chapter, folder)
    assert not found.is_finished
    said = "\n".join(found.why_not)
    assert [line for line in lines if line.format(solved) not in said] == [], said


def test_a_chapter_full_of_blanks_is_not_begun(chapter, folder):
    assert standing(chapter, folder).why_not == ("not begun",)


def test_files_that_were_added_may_not_clash(chapter, solved, folder, tmp_path):
    write(solved / "helper.py", "ONE = 1\n")
    found = [standing(chapter, folder)]
    home = shutil.copytree(found[0].home.parent, tmp_path / "another") / "tinytorch"
    assert all(each.is_finished for each in without_clashes(found * 2))
    write(home / "helper.py", "ONE = 2\n")
    other = type(found[0])(load_chapter(6, chapter.root), home, found[0].result)
    first, second = without_clashes([*found, other])
    says = "its tinytorch/helper.py is another than chapter 6's: give it another name"
    assert first.is_finished and second.why_not == (says,)


def test_a_hint_is_given_for_what_is_gone_and_for_nothing_else():
    lost = [("Module.parts", "nn/module.py")]
    says = "AttributeError: 'Net' object has no attribute"
    assert with_hint(f"{says} 'parts'", lost).endswith("ours has: did you rename it?")
    assert with_hint(f"{says} '_parts'", lost) == f"{says} '_parts'"


# Everything on the whole


def test_the_whole_is_the_library_with_the_students_modules(chapter, solved, folder):
    edit(solved / "sums.py", '"""Sums."""', '"""My sums."""')
    write(solved.parent / "beside_it.py", "ONE = 1\n")
    edit(solved / "extra.py", "from tinytorch.sums", "import beside_it\nfrom tinytorch.sums")
    with laid_over(chapter.library, [standing(chapter, folder)], folder) as home:
        assert (home / "tinytorch/sums.py").read_text().startswith('"""My sums."""')
        assert (home / "tinytorch/tensor.py").is_file() and (home / "tinytorch/extra.py").is_file()
        assert [path.name for path in (home / "beside").iterdir()] == ["beside_it.py"]
    assert not home.exists()


def test_a_suite_runs_on_modules_of_other_chapters_too(chapter, solved, folder, monkeypatch):
    edit(chapter.tests / "exercises.toml", '"nn.conv"]', '"nn.conv", "later"]')
    write(solved / "later.py", "VALUE = 7\n")
    finished = [standing(load_chapter(6, chapter.root), folder)]
    edit(chapter.tests / "exercises.toml", ', "later"]', "]")
    chapter = load_chapter(6, chapter.root)
    text = "import pytest\n\nimport tinytorch as tt\nfrom course.testing import expect\n\n\n"
    text += '@pytest.mark.exercise("6.1", points=0)\ndef test_later():\n'
    write(chapter.tests / "test_more.py", text + '    expect(tt.later.VALUE, 7, "later")\n')
    assert suite(chapter, finished, folder, only=["6.1"]).passed
    assert not suite(chapter, [], folder, only=["6.1"]).passed


def test_with_nothing_finished_one_line_says_what_to_do(chapter, capsys):
    assert run.main(chapter.root) == 0
    said = capsys.readouterr().out
    assert "6  Package: not begun. Not yet yours: sums, nn.conv, extra" in said
    assert " ".join(said.split()).endswith(f"Chapter 6 is the nearest: {command('test-chapter6')}")
    assert not (chapter.root / "build").exists()


def test_all_is_run_and_a_picture_is_left(chapter, solved, capsys, monkeypatch):
    monkeypatch.setattr(run, "EXAMPLES", [])
    before = contents(solved)
    assert run.main(chapter.root) == 0
    said = capsys.readouterr().out
    assert "6  Package. Yours: sums, nn.conv, extra" in said
    assert "suite 6           8 of 8" in said
    assert "build/mine.png: the library as a graph, 3 of its 9 modules are yours" in said
    assert "Everything holds, and all of it is yours." in said and contents(solved) == before
    assert (chapter.root / "build/mine.png").read_bytes().startswith(b"\x89PNG")


def test_what_fails_on_the_whole_is_said_with_the_chapter_to_look_at(
    chapter, solved, capsys, monkeypatch
):
    def needs_triple(name, home, files):
        is_there = "def triple" in (home / "tinytorch/sums.py").read_text()
        return {"is_right": True} if is_there else {"error": "there is no triple"}

    edit(solved / "sums.py", "def triple", "def thrice")
    monkeypatch.setattr(run, "EXAMPLES", run.EXAMPLES[:1])
    monkeypatch.setattr(run, "run", needs_triple)
    assert run.main(chapter.root) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "digits_mlp there is no triple; your sums.py has no triple, and ours has" in said
    assert "With our chapter 6 in place of yours it works: look there first." in said
    assert "Something doesn't hold, see above." in said


# Programs


def test_a_part_that_doesnt_end_is_ended(folder):
    with laid_over(ROOT / "tinytorch", [], folder) as home:
        assert programs.run("digits_mlp", home, [], limit=0.05)["error"].startswith("it didn't end")


def test_a_part_that_fails_names_the_students_line(folder):
    with laid_over(ROOT / "tinytorch", [], folder) as home:
        edit(home / "tinytorch/nn/linear.py", "return linear(input", "return linear(input.nothing")
        error = programs.run("digits_mlp", home, ["nn/linear.py"])["error"]
    assert "'Tensor' object has no attribute 'nothing' (nn/linear.py, line " in error


def test_everything_runs_on_the_solutions(folder, capsys):
    finished = []
    for chapter in (chapter for chapter in all_chapters() if chapter.is_package):
        home = folder / chapter.slug / "tinytorch"
        write_code(home, solution_of(chapter))
        finished.append(Standing(chapter, home))
    whole = run.Whole(folder, [each.chapter for each in finished], finished)
    held = [*whole.programs()]
    own = sum(len(each.chapter.own) for each in finished)
    assert all(held) and len(held) == 5 + own, capsys.readouterr().out
    assert suite(finished[-1].chapter, finished, folder).passed


# The picture


def test_imports_are_read_from_sources_of_all_kinds(tmp_path):
    texts = {
        "__init__": "from pack.a import one",
        "a": "import pack.inner.b as b\nfrom . import c\n\n\ndef f():\n    import pack",
        "c": "import numpy\nfrom pack import inner, a",
        "inner/__init__": "",
        "inner/b": "from .. import c\nfrom .d import e\nfrom . import d",
        "inner/d": "from pack.inner import nothing",
    }
    for name, text in texts.items():
        write(tmp_path / "pack" / f"{name}.py", text)
    found = imports_in(modules_of(tmp_path / "pack"))
    assert found["pack"] == {"pack.a"} and found["pack.inner.d"] == {"pack.inner"}
    assert found["pack.a"] == {"pack.inner.b", "pack.c"}  # back to pack would go in circles
    assert found["pack.inner.b"] == {"pack.c", "pack.inner.d"} and found["pack.c"] == {"pack.inner"}


def test_a_way_by_others_is_an_edge_and_no_way_is_shown_twice():
    graph = {"ground": set(), "a": {"ground"}, "x": {"a"}, "y": {"x", "ground"}, "b": {"y", "a"}}
    found = among(graph | {"lonely": set()}, {"a", "b", "ground", "lonely"})
    assert found == {"ground": set(), "a": {"ground"}, "b": {"a"}, "lonely": set()}


def test_a_module_carries_all_that_lead_to_it():
    graph = {"ground": set(), "a": {"ground"}, "b": {"a", "ground"}, "lonely": set()}
    assert carried(graph) == {"ground": 2, "a": 1, "b": 0, "lonely": 0}


@pytest.fixture(scope="module")
def picture():
    return draw_library()


@pytest.fixture(scope="module", params=["all", "one"])
def either(request, picture):
    """The picture of the last page; and that of `make mine` with one chapter, of fewer modules."""
    chapters = [chapter for chapter in all_chapters() if chapter.is_package]
    return picture if request.param == "all" else picture_of(chapters, chapters[-1].files)[0]


def boxes_in(figure):
    return [a.get_window_extent() for a in figure.axes[0].artists + figure.axes[0].patches
            if a.get_gid() == "box"]  # fmt: skip


def test_every_module_of_the_chapters_is_in_the_picture(picture):
    texts = [t.get_text() for t in picture.figure.axes[0].texts]
    chapters = [chapter for chapter in all_chapters() if chapter.is_package]
    for chapter in chapters:
        for module in chapter.files:
            assert texts[texts.index(module.rpartition(".")[2]) + 1] == f"ch. {chapter.number}"
    assert picture.figure.bbox.width <= 640


def test_the_title_counts_what_stands_on_node(picture):
    above = {"tinytorch.node"}
    while more := {name for name, below in imports_in(modules_of(ROOT / "tinytorch")).items()
                   if below & above} - above:  # fmt: skip
        above |= more
    own = sum(len(chapter.own) for chapter in all_chapters() if chapter.is_package)
    stands, _, total = picture.title.split()[:3]
    assert len(above) - 1 <= int(stands) <= len(above) - 1 + own
    assert int(total) == len(modules_of(ROOT / "tinytorch")) + own


def test_no_box_overlaps_and_no_text_leaves_its_box(either):
    either.figure.canvas.draw()
    boxes = boxes_in(either.figure)
    assert not [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if a.overlaps(b)]
    texts = [t.get_window_extent() for t in either.figure.axes[0].texts if t.get_gid() == "line"]
    assert [t for t in texts if not any(holds(box, t, 0) for box in boxes)] == []
    assert all(holds(either.figure.bbox, t.get_window_extent(), 0)
               for t in either.figure.axes[0].texts)  # fmt: skip


def test_no_edge_runs_through_a_box(either):
    axes = either.figure.axes[0]
    boxes = boxes_in(either.figure)
    edges = [patch for patch in axes.patches if patch.get_gid() == "edge"]
    assert len(edges) > len(boxes) / 2
    for edge in edges:
        points = np.concatenate(edge.get_transform().transform_path(edge.get_path())
                                .to_polygons(closed_only=False))  # fmt: skip
        inner = points[2:-2]  # its ends are on borders
        for box in boxes:
            inside = ((inner > np.array(box.min) + 1) & (inner < np.array(box.max) - 1)).all(axis=1)
            assert not inside.any()


def test_the_colours_say_whose_it_is(monkeypatch):
    chapters = [chapter for chapter in all_chapters() if chapter.is_package]
    drawn = []
    monkeypatch.setattr(drawing, "draw_boxes", lambda *given: drawn.append(given[2]))
    picture_of(chapters, {"node": chapters[0].files["node"]})
    kinds = {name.rpartition(".")[2]: kind for name, kind in drawn[0].items()}
    asked = [kinds[name] for name in ("node", "engine", "tensor")]
    assert asked == ["yours", "not yet", "the library's"]


# The command


@pytest.mark.skipif(sys.platform == "win32", reason="a signal can't be sent there")
def test_the_command_stops_at_ctrl_c_without_a_traceback():
    lines = ["import os, signal, sys", "from course import cli", "from course.mine import run",
             "run.standing = lambda *_: os.kill(os.getpid(), signal.SIGINT)",
             "sys.exit(cli.main(['mine']))"]  # fmt: skip
    ran = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=ROOT, text=True,
                         capture_output=True, check=False)  # fmt: skip
    assert ran.returncode == 130 and ran.stderr == "\nstopped\n"
