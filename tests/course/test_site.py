"""The book's pages say what the notebooks say, and give no answer away before it is asked for."""

import json
import re

import pytest

from course.manifest import all_chapters, load_chapter
from course.modules import definitions, solution_of
from course.site import build, changes, chapters, reference


@pytest.fixture(scope="module", params=[3, 8], ids=["Part I", "Part II"])
def chapter(request):
    return load_chapter(request.param)


@pytest.fixture(scope="module")
def cells(chapter):
    return chapters.page(chapter)["cells"]


def markdown(cells):
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def test_each_exercise_has_its_name_its_docstring_its_hints_and_its_answer(chapter, cells):
    text = markdown(cells)
    for exercise in chapter.exercises:
        assert f"(exercise-{exercise.id.replace('.', '-')})=\n### Exercise {exercise.id}" in text
        for hint in exercise.hints:
            assert hint in text
        assert exercise.reason in text


def test_no_answer_stands_in_the_open(chapter, cells):
    text = re.sub(r"^(:{3,4})\{dropdown\}.*?^\1$", "", markdown(cells), flags=re.M | re.S)
    answers = definitions(solution_of(chapter))
    for exercise in chapter.exercises:
        for name in exercise.names:
            body = answers[name].text.splitlines()[-1]
            assert answers[name].text.rstrip() not in text
            assert f"{body}\n```" not in text


def test_every_picture_has_a_text_for_those_who_do_not_see_it(cells):
    for cell in cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data and "text/html" not in data:
                alt = cell["metadata"]["mystnb"]["image"]["alt"]
                assert alt.startswith("Picture: ")


def test_no_link_leads_to_a_file_of_the_students(cells):
    assert not re.search(r"\]\([^)]*\.py\)", markdown(cells))


def test_a_page_of_changes_counts_what_it_shows():
    before, chapter = load_chapter(4), load_chapter(5)
    page = changes.page(before, chapter)
    added, gone = map(int, re.search(r"(\d+) lines come, (\d+) go", page).groups())
    lines = page.splitlines()
    assert sum(line.startswith("+") and line[:3] != "+++" for line in lines) == added > 0
    assert sum(line.startswith("-") and line[:3] != "---" for line in lines) == gone > 0


def test_each_public_name_is_described_once():
    pages = reference.pages()
    described = re.findall(r"^\.\. auto\w+:: (\S+)$", "\n".join(pages.values()), re.MULTILINE)
    assert len(described) == len(set(described)) > 500
    assert "tinytorch.Tensor" in described and "tinytorch.nn.Linear" in described
    assert "`Tensor` ([tinytorch](tinytorch))" in pages["tinytorch.func"]


def test_sphinx_builds_it_without_a_complaint(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reference, "MODULES", ("tinytorch.func",))
    build.build(tmp_path / "site")
    assert re.search(r"index.html: \d+ pages, \d+ MB, \d+ s", capsys.readouterr().out)
    texts = {p: p.read_text("utf-8") for p in (tmp_path / "site").rglob("*.html")}
    for path, text in texts.items():
        hosts = re.findall(
            r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"(https?://[^\"]*)", text
        )
        assert not hosts, path
    for chapter in all_chapters():
        assert chapter.question in json.dumps(texts[tmp_path / "site" / "map.html"])


def test_docstrings_mean_what_they_say():
    lines = ["|x| * 2 of *args", "I. Newton, 1687.", "", ">>> a * b | c", "I. stays", "", "a*b"]
    reference.plain(None, None, None, None, None, lines)
    assert lines[:2] == [r"\|x\| \* 2 of \*args", r"\I. Newton, 1687."]
    assert lines[3:] == [">>> a * b | c", "I. stays", "", r"a\*b"]
