"""What strangers find around the code says the same as the code."""

import re
import tomllib

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


def test_editors_look_in_each_chapter_first_and_then_in_the_library():
    pyright = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    places = {place["root"]: place["extraPaths"] for place in pyright["executionEnvironments"]}
    assert all(places[f"chapters/{chapter.slug}"] == ["."] for chapter in all_chapters())
