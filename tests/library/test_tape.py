"""The tape: names, entries, gradients of gradients, and aggregate operations."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tinytorch
from tinytorch.tape import Tape, add_optional

A, B = [1.0, 2.0], [3.0, 5.0]


@pytest.fixture
def tape():
    return Tape(trace=None)


def simple(a, b):
    return (a + b) * b


def test_names_count_up_and_reset_begins_again(tape):
    a = tape.variable(A, name="a")
    assert [(a * a).name, (a * a).name] == ["v0", "v1"]
    tape.reset()
    assert tape.entries == []
    assert tape.variable(A).name == "v0"


def test_no_two_variables_have_one_name(tape):
    tape.variable(A, "v0")
    assert tape.variable(A).name == "v1"
    with pytest.raises(ValueError, match="'v0' on this tape already"):
        tape.variable(A, "v0")


def test_shapes_numbers_and_other_tapes_are_refused(tape):
    a = tape.variable(A)
    for operation in (a.__add__, a.__sub__, a.__mul__):
        with pytest.raises(ValueError, match=r"shapes \(2,\) and \(\) differ"):
            operation(tape.variable(2.0))
        with pytest.raises(TypeError, match="expected a Variable of the same tape, got 2"):
            operation(2.0)
        with pytest.raises(TypeError, match="of the same tape"):
            operation(Tape(trace=None).variable(A))
    with pytest.raises(ValueError, match="L is on another tape"):
        Tape(trace=None).grad(a.sum(name="L"), [a])


def test_doubles_stay_doubles(tape):
    a = tape.variable(tinytorch.tensor(0.1, dtype=tinytorch.float64))
    (da,) = tape.grad(a * a, [a])
    assert da.value.dtype == tinytorch.float64
    assert da.value.item() == 0.2


def test_an_entry_names_inputs_and_outputs(tape):
    a, b = tape.variable(A, "a"), tape.variable(B, "b")
    simple(a, b)
    assert [str(entry) for entry in tape.entries] == ["v0 <- a, b", "v1 <- v0, b"]


def test_the_trace_tells_the_forward_and_the_backward_pass():
    lines = []
    tape = Tape(trace=lines.append)
    a = tape.variable(2.0, "a")
    tape.grad(a * a, [a])
    assert lines == [
        "a = tensor(2.)",
        "v0 = a * a",
        "dv0 " + "-" * 24,
        "v1 = tensor(1.)",
        "v2 = v1 * a",
        "v3 = v1 * a",
        "v4 = v2 + v3",
        "dv0_dv0 = v1",
        "dv0_da = v4",
        "-" * 24,
    ]


def test_the_gradient_of_a_simple_function(tape):
    a, b = tape.variable(A), tape.variable(B)
    da, db = tape.grad(simple(a, b).sum(), [a, b])
    assert da.value.tolist() == [3, 5]  # b
    assert db.value.tolist() == [7, 12]  # a + 2 b


def test_a_variable_that_was_not_used_has_gradient_none(tape):
    a, b = tape.variable(A), tape.variable(B)
    assert tape.grad((a * a).sum(), [b]) == [None]


def second_gradients(tape, function):
    tape.reset()
    a, b = tape.variable(A), tape.variable(B)
    da, db = tape.grad(function(a, b).sum(), [a, b])
    found = tape.grad((da * da + db * db).sum(), [a, b])
    return [None if g is None else g.value.tolist() for g in found]


def test_gradients_of_gradients(tape):
    # da = b, db = a + 2b; the derivative of b^2 + (a + 2b)^2 is 2(a + 2b) and 2b + 4(a + 2b)
    assert second_gradients(tape, simple) == [[14, 24], [34, 58]]


def aggregate(declare):
    """simple() as one operation; its intermediate value is declared as an output, or not."""

    def operation(a, b):
        t = a.tape.result(a.value + b.value, "a + b, inside")
        r = a.tape.result(t.value * b.value, "simple(a, b)")

        def propagate(gradients):
            dr, dt = gradients if declare else (*gradients, None)
            db = None
            if dr is not None:
                dt, db = add_optional(dt, dr * b), dr * t
            return [dt, add_optional(db, dt)]

        a.tape.record([a, b], [r, t] if declare else [r], propagate)
        return r

    return operation


def test_an_aggregate_with_its_intermediate_as_output_is_right_twice(tape):
    assert second_gradients(tape, aggregate(declare=True)) == [[14, 24], [34, 58]]


def test_an_aggregate_that_hides_its_intermediate_is_wrong_at_second_order(tape):
    a, b = tape.variable(A), tape.variable(B)
    hidden = aggregate(declare=False)
    assert tape.grad(hidden(a, b).sum(), [a])[0].value.tolist() == [3, 5]
    assert second_gradients(tape, hidden)[0] is None


def test_it_agrees_with_the_library():
    tape = Tape(trace=None)
    x = tape.variable([0.3, 0.7])
    (dx,) = tape.grad((x.exp() * x.sin() - x).sum(), [x])
    y = tinytorch.tensor([0.3, 0.7], requires_grad=True)
    (y.exp() * y.sin() - y).sum().backward()
    assert dx.value.allclose(y.grad)


SESSION = """
import sys, time
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "autoreload")
shell.run_line_magic("autoreload", "2")
right = Path({source!r}).read_text(encoding="utf-8")
file = Path("edited_tape.py")
file.write_text(right.replace("self.value * other.value", "self.value + other.value"))
shell.run_cell("from edited_tape import Tape; tape = Tape(trace=None)")
product = "print((tape.variable(2.0) * tape.variable(5.0)).value.item())"
shell.run_cell(product)
time.sleep(1.1)  # the time of a file may have whole seconds
file.write_text(right)
shell.run_cell(product)
"""


def test_an_edited_product_is_the_one_that_runs(tmp_path):
    pytest.importorskip("IPython")
    program = SESSION.format(source=tinytorch.tape.__file__)
    root = str(Path(tinytorch.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": root, "IPYTHONDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["7.0", "10.0"], done.stdout + done.stderr
