"""The marks of a class as a table that spreadsheets read."""

import csv
import difflib
import io
from dataclasses import dataclass, field
from unicodedata import normalize

from course.manifest import UsageError

NOT_GRADED = "not graded"  # yet
NOTHING = "nothing was handed in"
LONGEST = 100_000  # characters of a table in which its first line is looked for
NAME = "name"  # the column of a roster that says what a student's submission is called


@dataclass(frozen=True)
class Row:
    """One student: the record of the grading, or the problem that there is none."""

    name: str
    record: dict | None = None
    problem: str = ""
    roster: dict = field(default_factory=dict)


def read_roster(path, chapter):
    """{name: the other columns} of a CSV file with a column "name"; UsageError without.

    What separates the columns is a comma, or as some spreadsheets have it a semicolon or a tab.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"the roster {path} is no text in UTF-8; Excel's CSV UTF-8 is") from None
    except OSError as error:
        raise UsageError(f"the roster {path} cannot be read: {error.strerror}") from None
    table = csv.DictReader(io.StringIO(text), delimiter=_separator(text))
    try:
        return _by_name([(table.line_num, row) for row in table if any(row.values())], chapter)
    except (UsageError, csv.Error) as error:
        raise UsageError(f"the roster {path} {error}") from None


def _separator(text):
    return max(",;\t", key=text.partition("\n")[0].count)


def _by_name(lines, chapter):
    """The lines of a roster by their names; UsageError with what is wrong with it."""
    columns = [column for column in (lines[0][1] if lines else ()) if column]
    if NAME not in columns:
        has = f"has the columns {', '.join(columns)}" if columns else "is empty"
        raise UsageError(f"{has}; it needs {NAME}, as the submissions are called")
    for column in columns:
        if column in _columns(chapter):
            raise UsageError(f"has the column {column}, as the table of marks has; rename it")
    roster = {}
    for number, row in lines:
        name = normalize("NFC", row[NAME] or "").strip()
        if not name:
            raise UsageError(f"has nobody's name in line {number}")
        if name in roster:
            raise UsageError(f"names {name} twice")
        roster[name] = {k: v for k, v in row.items() if k and k != NAME}
    return roster


def _columns(chapter):
    """What the table has beside the names and the roster's columns."""
    ids = [exercise.id for exercise in chapter.exercises]
    return ["marks", "out_of", *ids, "note", "seconds", "sha256", "course"]


def rows_of(handed_in, kept, roster):
    """A Row for each submission, and for each student of the roster without one."""
    rows = []
    for one in handed_in:
        result = kept.of(one)
        problem = "" if result else kept.problems.get(one.name, NOT_GRADED)
        rows.append(Row(one.name, result and result["record"], problem, roster.get(one.name, {})))
    names = {one.name for one in handed_in}
    missing = [name for name in roster if name not in names]
    return rows + [Row(name, None, NOTHING, roster[name]) for name in missing]


def strangers(handed_in, roster):
    """The names of submissions that the roster lacks."""
    return [one.name for one in handed_in if one.name not in roster]


def with_nearest(name, rows):
    """The name, and where there's one like it for which nothing was handed in, that too."""
    missing = {row.name.casefold(): row.name for row in rows if row.problem == NOTHING}
    near = difflib.get_close_matches(name.casefold(), missing, n=1)
    return f"{name} ({missing[near[0]]}?)" if near else name


def marks_of(rows, chapter):
    """What's in marks.csv, as bytes: a row a student, a column an exercise."""
    ids = [exercise.id for exercise in chapter.exercises]
    extra = list(dict.fromkeys(column for row in rows for column in row.roster))
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow([NAME, *extra, *_columns(chapter)])
    for row in rows:
        given = [row.roster.get(column, "") for column in extra]
        table.writerow(map(_harmless, [row.name, *given, *_marks(row, chapter, ids)]))
    return text.getvalue().encode("utf-8-sig", "backslashreplace")


def lost_columns(before, now):
    """The columns that one marks.csv has and another hasn't, both given as bytes."""
    return [column for column in _head(before) if column and column not in _head(now)]


def _head(data):
    """The columns of a marks.csv, also as a spreadsheet saved it; [] where it's something else."""
    text = data.decode("utf-8-sig", "replace")[:LONGEST]
    columns = next(csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text)), [])
    return columns if NAME in columns else []


def _marks(row, chapter, ids):
    if not row.record:
        return [0, chapter.points, *[0 for _ in ids], row.problem, "", "", ""]
    record = row.record
    marks = {exercise["id"]: exercise["marks"] for exercise in record["exercises"]}
    about = [record[key] for key in ("note", "seconds", "sha256", "course")]
    return [record["marks"], record["out_of"], *[marks.get(id, 0) for id in ids], *about]


def _harmless(cell):
    """The cell; text that a spreadsheet would take for a formula gets an apostrophe before it."""
    is_formula = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if is_formula else cell
