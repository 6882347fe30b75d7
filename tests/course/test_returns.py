"""A return that was forgotten is seen; one that nobody asked for is not missed."""

from types import ModuleType

import pytest

from course.grading.graded import Graded
from course.grading.probes import set_probes
from course.grading.returns import forgotten_return

LOST = "f has no return, and what its last line makes is lost"
FORGOTTEN = {
    "a name": "total = x + 1",
    "two names": "a, b = x, 1",
    "a value": "x + 1",
    "a Tensor": "Tensor(x)",
    "in a branch": "if x:\n        y = 1\n    else:\n        return",
    "in a loop": "for i in x:\n        y = x",
    "a function": "def back(y):\n        return x + y",
    "what an inner function has": "def back(y):\n        return x\n    way = back",
}
FINE = {
    "a return": "return x",
    "one above": "if x:\n        return 1\n    y = 2",
    "a generator": "y = yield x",
    "an attribute": "x.data = 1",
    "an element": "x[0] = 1",
    "a call": "x.append(1)",
    "a global": "global y\n    y = 1",
    "what was given, changed in place": "x += 1",
    "an error": "raise ValueError(x)",
    "nothing": "pass",
    "a function that is handed on": "@x.append\n    def back(y):\n        return x",
    "a global function": "global back\n    def back(y):\n        return x",
}


@pytest.fixture
def lost(tmp_path):
    def see(body, name="f"):
        file = tmp_path / "tinytorch.py"
        file.write_text(f"def f(x):\n    '''A line.'''\n    {body}\n", encoding="utf-8")
        module = ModuleType("tinytorch")
        exec(compile(file.read_bytes(), str(file), "exec"), vars(module))
        module.Add = type("Add", (), {"forward": staticmethod(module.f)})
        graded = Graded().at(file)
        graded.parts = {"": module}
        return forgotten_return(graded, [name])

    return see


@pytest.mark.parametrize("body", FORGOTTEN.values(), ids=FORGOTTEN)
def test_a_last_line_in_vain_is_seen(lost, body):
    assert lost(body) == LOST


@pytest.mark.parametrize("body", FINE.values(), ids=FINE)
def test_whoever_has_nothing_to_return_is_left_alone(lost, body):
    assert lost(body) == ""


def test_what_no_file_holds_is_left_alone(lost):
    assert lost("pass\n\nexec('def f(x):\\n    y = x')") == ""


def test_a_forward_always_has_something_to_return(lost):
    assert lost("x.append(1)", "Add.forward") == "Add.forward has no return"


def test_an_answer_that_no_file_holds_has_no_probes():
    module = ModuleType("tinytorch")
    exec("def f(x):\n    return x + 1", vars(module))
    set_probes({"": module}, ["f"], None)
    assert module.f(2) == 3
