"""What strangers find around the code says the same as the code."""

import ast
import json
import re
import shlex
import tomllib

import nbformat
import pytest

from course import cli, environment
from course.manifest import all_chapters
from course.paths import ROOT
from tinytorch.contents import __version__


def test_the_citation_and_the_changelog_name_the_version_that_there_is():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == __version__
    assert __version__ in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_pythons_that_are_named_are_those_that_are_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    tested = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.*)\]", workflow)[1])
    assert set(named) <= set(tested)
    assert project["requires-python"] == f">={tested[0]}"


def test_the_workflows_call_what_the_makefile_calls():
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert "python -m course test" in workflow


@pytest.mark.filterwarnings("error")  # so that two cells with one id are one
@pytest.mark.parametrize("chapter", all_chapters(), ids=lambda chapter: chapter.slug)
def test_a_notebook_is_what_its_format_says(chapter):
    for folder in ("chapters", "solutions"):
        nbformat.validate(nbformat.read(ROOT / folder / chapter.slug / f"{chapter.slug}.ipynb", 4))


def test_editors_look_in_each_chapter_first_and_then_in_the_library():
    pyright = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    places = {place["root"]: place["extraPaths"] for place in pyright["executionEnvironments"]}
    assert all(places[f"chapters/{chapter.slug}"] == ["."] for chapter in all_chapters())


def test_the_dev_container_sets_up_what_start_needs(monkeypatch):
    asked = []
    monkeypatch.setattr(environment, "ensure", asked.append)
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8")
    python, option, code = shlex.split(json.loads(text)["postCreateCommand"])
    assert (python, option) == ("python", "-c")
    exec(code)
    (start,) = [verb for verb in cli.VERBS if verb.name == "start"]
    assert set(asked[0]) == set(start.needs)


@pytest.fixture(scope="module")
def trees():
    folders = [ROOT / name for name in ("course", "tinytorch", "examples", "benchmarks")]
    paths = sorted(path for folder in folders for path in folder.rglob("*.py"))
    return [(p.relative_to(ROOT).as_posix(), ast.parse(p.read_text("utf-8"))) for p in paths]


def test_no_function_has_more_than_thirty_lines_besides_its_docstring(trees):
    long = []
    for path, tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                words = (ast.get_docstring(node, clean=False) or "").splitlines()
                if node.end_lineno - node.lineno + 1 - len(words) > 30:
                    long.append(f"{path}: {node.name}")
    assert long == []


def test_a_leading_underscore_means_that_no_other_module_of_the_course_uses_it(trees):
    taken = []
    for path, tree in trees:
        for node in ast.walk(tree) if path.startswith("course/") else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("course"):
                taken += [f"{path}: {n.name}" for n in node.names if re.match("_[^_]", n.name)]
    assert taken == []
