"""Marks as JSON, and as Gradescope reads them."""

import hashlib
import json
from dataclasses import replace

import jsonschema
import pytest
from small_chapter import SOLUTION, body, make_chapter, write

from course.grading import grade, record
from course.paths import ROOT

SCHEMA = json.loads((ROOT / "course/grading/grade.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def chapter(tmp_path):
    chapter = make_chapter(tmp_path)
    write(chapter, SOLUTION.replace(*body("return 2")))
    return chapter


@pytest.fixture
def result(chapter):
    return grade(chapter)


def written(result, folder):
    record.write_json(result, folder / "marks.json", 1.234)
    table = json.loads((folder / "marks.json").read_text(encoding="utf-8"))
    jsonschema.validate(table, SCHEMA, format_checker=jsonschema.FormatChecker())
    return table


def test_json_says_what_was_graded_and_every_failed_test(chapter, result, tmp_path):
    table = written(result, tmp_path)
    assert (table["chapter"], table["marks"], table["out_of"], table["passed"]) == (1, 2, 4, False)
    assert table["sha256"] == hashlib.sha256(chapter.exercise_file.read_bytes()).hexdigest()
    assert table["seconds"] == 1.23 and table["course"] == record.course_version()
    double, square = table["exercises"]
    assert [(t["test"].rpartition("::")[2], t["points"]) for t in double["failed"]] == [
        ("test_double_of_a_number", 1), ("test_double_of_zero", 1),
    ]  # fmt: skip
    assert double["message"] == double["failed"][0]["message"] == "double(3) = 2, expected 6"
    assert (square["marks"], square["failed"]) == (2, [])


def test_a_file_that_cannot_be_graded_has_the_same_form(chapter, tmp_path):
    chapter.exercise_file.unlink()
    table = written(grade(chapter), tmp_path)
    assert table["sha256"] is None and table["marks"] == 0 and "there is no" in table["note"]


def test_the_schema_refuses_what_is_not_such_a_record(result, tmp_path):
    table = written(result, tmp_path)
    del table["exercises"][0]["failed"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(table, SCHEMA)


def test_a_folders_fingerprint_changes_with_its_files_and_their_names(tmp_path):
    seen = set()
    for name, text in [("a.py", "1"), ("a.py", "2"), ("b.py", "2")]:
        (tmp_path / name).write_text(text)
        seen.add(record.fingerprint(tmp_path))
    assert len(seen) == 3 and record.fingerprint(tmp_path / "nothing") is None


def test_a_name_that_is_not_utf_8_can_be_written(result, tmp_path):
    odd = replace(result, file=tmp_path / "caf\udce9.py")
    assert written(odd, tmp_path)["file"].endswith("caf\udce9.py")


def test_gradescope_gets_scores_that_add_up(result, tmp_path):
    record.write_gradescope(result, tmp_path / "results.json")
    table = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert table["score"] == sum(test["score"] for test in table["tests"]) == 2
    assert [test["max_score"] for test in table["tests"]] == [2, 2]
    assert [test["status"] for test in table["tests"]] == ["failed", "passed"]
    assert table["tests"][0]["output"] == "double(3) = 2, expected 6"
