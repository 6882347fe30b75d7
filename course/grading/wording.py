"""What went wrong in a graded test, in one line."""

import linecache
import re
import traceback

import pytest

from course.grading.probes import functions_of
from course.grading.returns import forgotten_return
from course.testing import Mismatch, first_line, name_and_text

ENDS = (KeyboardInterrupt, SystemExit, pytest.exit.Exception, pytest.skip.Exception)
ENDS += (pytest.xfail.Exception, pytest.fail.Exception)
LIMIT = 600  # characters: a message is to be read, not scrolled
CALL = 70  # characters of a test's line that are quoted
SHAPES = r"(\([\d,]+\))->\([\w,]+\)"
PRODUCTS = (  # what NumPy says about @, and the same in words
    (r"Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \S+ "
     r"\(size (\d+) is different from (\d+)\)",
     r"the first array's last length is \2, the second's last but one (or only one) is \1: they "
     r"must be the same"),
    (r"Input operand \d does not have enough dimensions \(has 0, gufunc core .*? requires 1\)",
     "one of the two is a single number, and @ multiplies arrays"),
    (rf"operands could not be broadcast together with .*?: {SHAPES} {SHAPES} +and requested \S+",
     r"matmul: shapes \1 and \2 do not fit before their last two lengths"),
)  # fmt: skip
NOTHING_CAME = re.compile(r"'NoneType'|(?<!\.grad) (= |is |gave )None\b(?!.*\breturn\b)")
OURS = r"(?:(?:[\w.]|<lambda>)+\.<locals>\.)+|(?<=[<'])test_\w+\.| at 0x[0-9a-fA-F]+"


class Stopped(Exception):
    """The graded file tried to end or skip the test instead of answering."""


def line_about(error, graded, names=()):
    """One line about an exception: the grader's own words, or its type; and its place.

    `names` are the definitions that the exercise asks for.
    """
    line = _line_about(error, graded, names)
    lost = forgotten_return(graded, names) if NOTHING_CAME.search(line) else ""
    return f"{line}: {lost}" if lost else line


def _line_about(error, graded, names):
    if isinstance(error, Mismatch):
        place = place_of(error.__cause__, graded, names) if error.__cause__ else ""
        return shorten(error) + (f" ({place})" if place else "")
    place = place_of(error, graded, names)
    if isinstance(error, Stopped) or is_an_end(error):
        text = str(error) if isinstance(error, Stopped) else how_it_ended(error)
        return shorten(text) + (f" ({place})" if place else "")
    call, slip = vars(error).get("called") or _call_in_test(error), vars(error).get("slip")
    text = f"{call} raised {_name_and_text(error)}" if call else _name_and_text(error)
    return shorten(text) + (f" ({place})" if place else "") + (f": {shorten(slip)}" if slip else "")


def is_an_end(error):
    """Did the graded file leave the test? The pytest that it imports is not the one that judges."""
    kinds = [(kind.__module__, kind.__name__) for kind in type(error).__mro__]
    outside = [("_pytest.outcomes", "OutcomeException"), ("_pytest.outcomes", "Exit")]
    return isinstance(error, ENDS) or any(kind in kinds for kind in outside)


def how_it_ended(error):
    """What the graded file did to leave the test."""
    if isinstance(error, SystemExit):
        return "sys.exit() was called"
    name = type(error).__name__
    return f"{'' if isinstance(error, KeyboardInterrupt) else 'pytest: '}{name} was raised"


def place_of(error, graded, names=()):
    """Where an exception arose: in the exercise, and where that led to.

    "tinytorch.py, line 87, in Div.backward, then line 30, in unbroadcast"
    """
    steps = [(f.f_code, line) for f, line in traceback.walk_tb(error.__traceback__)]
    mine = [step for step in steps if graded.holds(step[0].co_filename)]
    if isinstance(error, RecursionError) and mine and mine[-1][1] == mine[-1][0].co_firstlineno:
        mine.pop()  # it had not begun: the limit was reached on the way into it
    if not mine:
        return ""
    asked = {_definition(f.__code__) for n in names for f in functions_of(graded.parts, n)}
    last = max((i for i, (code, _) in enumerate(mine) if _definition(code) in asked), default=-1)
    own, end = mine[last], mine[-1]
    home, other = graded.name_of(own[0].co_filename), graded.name_of(end[0].co_filename)
    place = f"{home}, line {own[1]}{_function(own[0])}"
    if isinstance(error, RecursionError) and mine.count(own) > 2:
        return place + _way_round(mine, own)
    if own[0] is end[0] or _definition(own[0]) == _definition(end[0]):
        return place
    return f"{place}, then {f'{other}, ' * (other != home)}line {end[1]}{_function(end[0])}"


def shorten(text):
    """The text on one line that is not endless, tells the terminal nothing and names no test."""
    line = re.sub(r"\s*\n\s*", " ", str(text).strip())  # spaces within it may be the mistake
    line = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in line)
    # "test_a_sum.<locals>.f() takes 1 argument", "<test_zoo.Odd object at 0x7f…>"
    line = re.sub(OURS, "", line[: 4 * LIMIT])
    for said, plainly in PRODUCTS:
        line = re.sub(said, plainly, line)
    return line if len(line) <= LIMIT else line[:LIMIT] + "…"


def _name_and_text(error):
    return first_line(error) if isinstance(error, Stopped) else name_and_text(error)


def _way_round(steps, step):
    """How a definition came to call itself, from the last two times that it did."""
    second, last = [i for i, other in enumerate(steps) if other == step][-2:]
    between = [_owner(code) for code, _ in steps[second + 1 : last]]
    names = [name for name in dict.fromkeys(between) if name != _owner(step[0])]
    return ", which calls itself" + (f" through {' and '.join(names)}" if names else "")


def _call_in_test(error):
    """The lines of a test that an exception came out of, where they are short: "x.sum(axis=2)"."""
    entries = []
    entry = error.__traceback__
    while entry is not None:
        entries += [entry] if _is_test(entry.tb_frame.f_code) else []
        entry = entry.tb_next
    if not entries:
        return ""
    code = entries[-1].tb_frame.f_code
    positions = list(code.co_positions())[entries[-1].tb_lasti // 2]
    first, last, start, stop = positions
    if None in positions or first != last:
        return ""
    line = linecache.getline(code.co_filename, first).encode()
    text = line[start:stop].decode(errors="replace").replace("tt.", "")
    text = re.sub(r"\bleaf(_like)?\(", "Tensor(", text)  # a name that only tests know
    return text if len(text) <= CALL and not text.startswith(("expect", "call(")) else ""


def _is_test(code):
    return re.match(r"test_\w+\.py$", _file(code)) is not None


def _file(code):
    return re.split(r"[\\/]", code.co_filename)[-1]


def _owner(code):
    """The definition that some code belongs to: "Mul.forward", also for a loop within it."""
    return code.co_qualname.partition(".<locals>")[0]


def _definition(code):
    return code.co_filename, _owner(code)


def _function(code):
    return "" if code.co_qualname.startswith("<") else f", in {_owner(code)}"
