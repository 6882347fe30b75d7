"""What strangers find around the code says the same as the code."""

import re
import tomllib

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
