"""What no answer may do, whatever it is asked for: seen by the grader around every test."""

import pytest
from small_course import make_course, write

from course.grading import grade
from course.manifest import load_chapter

TEST = """import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect


@pytest.mark.exercise("1.1", points=1)
def test_double():
    expect(tt.double(tt.Tensor(np.ones(2))), [2, 2], "double", slips=[([5, 5], "a slip")])
"""
CONTRACT = TEST.replace("test_double", "test_double_of_all").replace("np.ones(2)", "np.ones(2) * 1")
SOLUTION = '''from functools import lru_cache

import numpy as np

kept = []
cached = lru_cache(lambda x: 2)


class Tensor:
    def __init__(self, data):
        self.data = np.array(data)
        self.grad = None


class Box:
    all = {}

    def __init__(self, thing=None):
        self.thing = thing

    @staticmethod
    def note(thing, noted={}):
        noted[1] = Box([thing])

    @classmethod
    def by_name(cls, thing, *, noted=[]):
        noted.append((thing,))

    def ask(self, thing):
        self.thing = thing


def around():
    noted = []

    def inner(thing):
        noted.append(lambda thing=thing: thing)

    return inner


inner, ask = around(), Box().ask


def double(x):
    """Twice x."""
    {body}
'''


@pytest.fixture
def answer(tmp_path):
    """Grade one body of double(); its one exercise."""
    make_course(tmp_path)
    chapter = load_chapter(1, tmp_path)
    write(chapter.tests / "test_all.py", TEST)
    write(chapter.tests / "test_zoo.py", CONTRACT)

    def graded(*body, manifest=""):
        if manifest:
            path = chapter.tests / "exercises.toml"
            write(path, path.read_text().replace('["double"]', f'["double"]\n{manifest}'))
        write(chapter.exercise_file, SOLUTION.replace("{body}", "\n    ".join(body)))
        return grade(load_chapter(1, tmp_path), only="1.1").exercises[0]

    return graded


RIGHT = "result = Tensor(2 * x.data)"


def test_a_right_answer_passes(answer):
    assert (
        answer(RIGHT, "return result").marks,
        answer("return Tensor(x.data + x.data)").marks,
    ) == (2, 2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "x.data[0] = 7",
            "double changed x, which it was given: x.data[0] was 1.0, is 7.0 afterwards",
        ),
        ("x.data[0] = -100 / 3", "x.data[0] was 1.0, is -33.333 afterwards"),
        ("x.data[0] += 1e-8", "x.data[0] was 1.0, is 1.00000001 afterwards"),
        ("x.data[0] += 2**-52", "That's a rounding error: keep the old value and set it again"),
        ("x.data = x.data + 0", "x.data is another array afterwards"),
        ("x.data.shape = (1, 2)", "x.data.shape was (2,), is (1, 2) afterwards"),
        ("x.data.dtype = np.int64", "x.data.dtype was float64, is int64 afterwards"),
        ("x.data = x.data[::-1]", "x.data.strides was (8,), is (-8,) afterwards"),
        ("x.data = x.data[0]", "x.data is no array afterwards, it is float64"),
        ("x.seen = True", "x.seen is new"),
        ("x.grad = result", "x.grad is not what it was before"),
        ("kept.append(x)", "tinytorch.kept still holds a Tensor afterwards"),
        ("cached(x)", "tinytorch.cached still holds a Tensor afterwards"),
        ("cached(Box(x))", "tinytorch.cached still holds a Tensor afterwards"),
        ("Box.all[Box(x)] = 1", "tinytorch.Box.all still holds a Tensor afterwards"),
        ("Box.note(x)", "a default of tinytorch.Box.note still holds a Tensor afterwards"),
        ("Box.by_name(x)", "a default of tinytorch.Box.by_name still holds a Tensor afterwards"),
        ("inner(x)", "noted, which tinytorch.inner has from around it, still holds a Tensor"),
        ("ask(x)", "tinytorch.ask still holds a Tensor afterwards"),
        ("np.set_printoptions(precision=3)", "precision is 3, was 8"),
        ("np.random.seed(3)", "np.random's state afterwards"),
        ("import sys; sys.setrecursionlimit(5000)", "the recursion limit afterwards: 5000"),
    ],
)
def test_what_a_right_result_does_beside_costs_the_contract_only(answer, line, says):
    exercise = answer(RIGHT, line, "return result")
    assert exercise.marks == 1 and says in exercise.message


def test_what_only_garbage_keeps_is_not_left_behind(answer):
    loop = ["known = vars(double).setdefault('known', weakref.WeakKeyDictionary())"]
    loop += ["known[x] = Tensor(1)", "loop = [x]", "loop.append(loop)"]  # it goes when x does
    assert answer("import weakref", *loop, RIGHT, "return result").marks == 2
    exercise = answer("import weakref", *loop, "kept.append(x)", RIGHT, "return result")
    assert exercise.marks == 1 and "tinytorch.double.known still holds" in exercise.message


def test_a_result_must_be_new(answer):
    lines = ["x.data *= 1", "result = Tensor(0)", "result.data = x.data[:1]", "return result"]
    says = "the result of double shares its memory with x: make a new array for what you return"
    assert answer(*lines).message == says
    pair = [RIGHT, "return [result, result]"]
    assert "gave two results that share their memory" in answer(*pair).message


@pytest.mark.parametrize("view", ["", "[:]"])
def test_a_later_call_leaves_a_result_alone(answer, tmp_path, view):
    test = load_chapter(1, tmp_path).tests / "test_zoo.py"
    write(test, CONTRACT.replace("* 1)), [2, 2]", "* 2)), [4, 4]"))
    buffer = ["result = Tensor(0)", "kept[:] = kept or [np.zeros(2)]", "kept[0][...] = 2 * x.data"]
    buffer += [f"result.data = kept[0]{view}", "return result"]
    says = "double changed the result of an earlier call: it[0] was 2.0, is 4.0 afterwards. Make a"
    exercise = answer(*buffer)
    assert exercise.marks == 1 and exercise.message.startswith(says)
    assert answer(*buffer, manifest="may_share = true").message.startswith(says)
    assert answer(*buffer, manifest='changes = ["data"]').marks == 2


def test_a_result_may_be_kept_that_nobody_changes(answer):
    lines = ["result = Tensor(0)", "kept[:] = kept or [2 * x.data]", "result.data = kept[0]"]
    assert answer(*lines, "return result").marks == 2


def test_it_may_share_where_that_is_declared(answer):
    lines = ["x.data = 2 * x.data", "return x"]
    exercise = answer(*lines, manifest='may_share = true\nchanges = ["data"]')
    assert exercise.marks == 2


def test_a_slip_keeps_its_words_and_the_contract_says_what_was_seen(answer):
    exercise = answer("x.data[0] = 7", "return Tensor([5, 5])")
    assert exercise.message == "double = [5, 5], expected [2, 2]: a slip"
    assert exercise.tests[1].message.startswith("double changed x, which it was given")


def test_an_exception_or_ctrl_c_leaves_the_next_test_alone(answer):
    for end in ("raise ValueError", "raise KeyboardInterrupt"):
        lines = ["np.seterr(all='ignore')", "if len(kept) == 0:", "    kept.append(1)"]
        exercise = answer(*lines, f"    {end}", RIGHT, "return result")
        assert "np.geterr()" not in exercise.tests[0].message
        assert exercise.status == "failed"


def test_an_error_is_reported_before_what_it_left_half_done(answer):
    exercise = answer("x.data[0] = 7", "raise ValueError('at half time')")
    assert "at half time" in exercise.message
    assert all("which it was given" not in test.message for test in exercise.tests)


@pytest.mark.parametrize("line", ["x[0][1] = 1.0", "x[0].append(0)", "x.append(0)"])
def test_the_lists_that_came_stay_as_they_were(answer, tmp_path, line):
    for test in (load_chapter(1, tmp_path).tests / name for name in ("test_all.py", "test_zoo.py")):
        text = test.read_text().replace("tt.Tensor(np.ones(2) * 1)", "[[1, True]]")
        write(test, text.replace("tt.Tensor(np.ones(2))", "[[1, True]]"))
    right = "result = Tensor(2 * np.array(x[0], float))"
    assert answer(right, "return result").marks == 2
    exercise = answer(right, line, "return result")
    assert exercise.marks == 1
    assert "double changed x" in exercise.message
    assert "a list which it was given: it was [" in exercise.message
