"""What went wrong in a graded test, in one line."""

import re
import traceback

import pytest

from course.testing import Mismatch

ENDS = (KeyboardInterrupt, SystemExit, pytest.exit.Exception, pytest.skip.Exception)
ENDS += (pytest.xfail.Exception, pytest.fail.Exception)
LIMIT = 600  # characters: a message is to be read, not scrolled


class Stopped(Exception):
    """The graded file tried to end or skip the test instead of answering."""


def line_about(error, graded):
    """One line about an exception: the grader's own words, or its type and its place."""
    if isinstance(error, Mismatch):
        return shorten(str(error))
    text = how_it_ended(error) if isinstance(error, ENDS) else _name_and_text(error)
    place = place_of(error, graded)
    return shorten(text) + (f" ({place})" if place else "")


def how_it_ended(error):
    """What the graded file did to leave the test."""
    if isinstance(error, SystemExit):
        return "sys.exit() was called"
    name = type(error).__name__
    return f"{'' if isinstance(error, KeyboardInterrupt) else 'pytest: '}{name} was raised"


def place_of(error, graded):
    """Where in the graded file an exception arose: "tinytorch.py, line 87, in backward"."""
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if graded.holds(frame.filename)]
    if not mine:
        return _place_in_test(frames)
    return f"{_file(mine[-1])}, line {mine[-1].lineno}{_function(mine[-1].name)}"


def blank_behind(error):
    """The exercise whose blank was met: "3.1" for NotImplementedError("exercise 3.1: …")."""
    match = re.match(r"exercise (\d+\.\d+)", _first_line(error))
    return match[1] if isinstance(error, NotImplementedError) and match else None


def shorten(text):
    """The text on one line that is not endless and tells the terminal nothing."""
    line = re.sub(r"\s*\n\s*", " ", str(text).strip())  # spaces within it may be the mistake
    line = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in line)
    return line if len(line) <= LIMIT else line[:LIMIT] + "…"


def _name_and_text(error):
    parts = [] if isinstance(error, Stopped) else [type(error).__name__]
    return ": ".join(filter(None, [*parts, _first_line(error)]))


def _first_line(error):
    try:
        return (str(error).strip().splitlines() or [""])[0]
    except Exception:  # the graded file's own exception class may fail here too
        return ""


def _place_in_test(frames):
    tests = [frame for frame in frames if re.match(r"test_\w+\.py$", _file(frame))]
    return f"{_file(tests[-1])}, line {tests[-1].lineno}" if tests else ""


def _file(frame):
    return re.split(r"[\\/]", frame.filename)[-1]


def _function(name):
    return "" if name.startswith("<") else f", in {name}"
