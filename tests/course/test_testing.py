"""The words and the judgement of course.testing, tried on a small engine made for breaking."""

import sys

import numpy as np
import pytest

from course import testing
from course.basics import needs_notes
from course.drawing import read_graph
from course.grading.graded import Graded
from course.manifest import load_chapter
from course.testing import (
    GradientMismatch,
    Mismatch,
    blank_behind,
    calling,
    error_of,
    expect,
    expect_backward,
    expect_local_gradients,
    expect_raises,
    leaf,
    upstream_for,
    visits,
)


@pytest.fixture
def tt(monkeypatch):
    """Chapter 3, solved, as the tinytorch that is graded."""
    graded = Graded().at(load_chapter(3).solution_file)
    monkeypatch.setitem(sys.modules, "tinytorch", graded.module)
    graded.load()
    return graded.module


@pytest.fixture
def accumulate_last(tt, monkeypatch):
    """The mistake in which the last gradient wins."""

    def propagate(ctx, grad, grads):
        for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
            if isinstance(x, tt.Tensor):
                grads[x] = grad_x

    monkeypatch.setattr(tt, "propagate", propagate)
    return tt


def says(call):
    with pytest.raises(Mismatch) as caught:
        call()
    return str(caught.value)


def test_a_wrong_number_is_said_with_why_another_is_expected():
    assert says(lambda: expect(1, 2, "x.grad", because="add")) == "x.grad = 1, expected 2: add"
    assert says(lambda: expect(1, 2, "x.grad")) == "x.grad = 1, expected 2"


def test_a_mistake_is_named_only_where_its_own_value_came():
    slips = {3: "was it added?", 6: "was it doubled?"}
    for got, end in {3: ": was it added?", 6: ": was it doubled?", 7: ": 2 + 2"}.items():
        message = says(lambda got=got: expect(got, 4, "z", slips=slips, because="2 + 2"))
        assert message == f"z = {got}, expected 4{end}"


def test_a_mistake_can_be_an_array_a_type_of_exception_or_a_question():
    slips = [([1, 2], "list"), (KeyError, "key"), (lambda got: got.size == 3, "three")]
    for got, end in [([1, 2], "list"), (KeyError("x"), "key"), (np.ones(3), "three")]:
        assert says(lambda got=got: expect(got, 4, "z", slips=slips)).endswith(f": {end}")
    assert says(lambda: expect([1, 3], 4, "z", slips=slips)).endswith("expected shape ()")


def test_a_mistake_is_remembered_and_a_reason_is_not():
    for options, slip in [({"slips": {1: "add"}}, "add"), ({"because": "add"}, "")]:
        with pytest.raises(Mismatch) as caught:
            expect(1, 2, "x.grad", **options)
        assert caught.value.slip == slip


def test_an_exception_out_of_lines_that_are_run_says_which_and_why():
    with pytest.raises(KeyError) as caught, calling("f(x)", slips={KeyError: "look first"}):
        raise KeyError("x")
    assert (caught.value.called, caught.value.slip) == ("f(x)", "look first")
    with pytest.raises(TypeError) as caught, calling("f(x)", slips={KeyError: "look first"}):
        raise TypeError
    assert caught.value.slip == ""


def test_a_blank_is_found_behind_other_exceptions():
    def fails():
        try:
            raise NotImplementedError("exercise 3.5: accumulate")
        except NotImplementedError as blank:
            raise RuntimeError("it failed") from blank

    for judge in (error_of, lambda call: expect_raises(RuntimeError, call, "it")):
        with pytest.raises(RuntimeError) as caught:
            judge(fails)
        assert blank_behind(caught.value) == "3.5"
    assert blank_behind(NotImplementedError("later")) is None


def test_a_wrong_shape_is_said_first():
    message = says(lambda: expect(np.ones((1, 2)), [3, 4], "x", because="sum"))
    assert message == "x has shape (1, 2), expected shape (2,): sum"


def test_short_arrays_are_shown_whole():
    message = says(lambda: expect(np.array([[1.0, 2.5]]), [[1, 2]], "x"))
    assert message == "x = [[1, 2.5]], expected [[1, 2]]"


def test_of_long_arrays_the_first_wrong_element_is_shown():
    got = np.zeros((3, 4))
    got[1, 2] = got[2, 0] = 7
    message = says(lambda: expect(got, np.zeros((3, 4)), "x"))
    assert message == "x: element [1, 2] = 7, expected 0 (2 of 12 are wrong)"


def test_numbers_that_look_alike_get_more_digits():
    message = says(lambda: expect(1.0000001, 1, "x", atol=0, rtol=1e-9))
    assert message == "x = 1.0000001, expected 1"


def test_tolerances_are_kept():
    expect(1 + 1e-6, 1, "x")
    assert says(lambda: expect(1 + 1e-3, 1, "x")) == "x = 1.001, expected 1"


def test_nan_and_infinity_equal_only_themselves():
    expect([np.nan, np.inf], np.array([np.nan, np.inf]), "x")
    for got, want in [(np.nan, 1), (1, np.nan), (np.inf, 1), (1, np.inf), (np.inf, -np.inf)]:
        assert "expected" in says(lambda got=got, want=want: expect(got, want, "x"))


def test_none_is_no_number():
    assert says(lambda: expect(None, 2, "x.grad")) == "x.grad = None, expected 2"


def test_other_things_must_be_equal_and_of_the_same_kind():
    expect((2, 3), (2, 3), "shape")
    expect(np.dtype("float32"), np.float32, "dtype")
    expect(float, float, "type")
    assert says(lambda: expect([2, 3], (2, 3), "shape")) == "shape = [2, 3], expected (2, 3)"
    assert says(lambda: expect(1, True, "flag")) == "flag = 1, expected True"
    assert says(lambda: expect("a", "b", "repr")) == "repr = 'a', expected 'b'"
    assert says(lambda: expect(np.dtype("i8"), np.float32, "d")) == "d = int64, expected float32"


def test_nothing_equals_everything():
    class Yes:
        __eq__ = __bool__ = lambda *_: True

    for want in (1, "a", True, None, (1, 2), np.float32, [1.0]):
        assert "expected" in says(lambda want=want: expect(Yes(), want, "it"))
    assert "expected" in says(lambda: expect((Yes(), Yes()), (2, 3), "shape"))


def test_tensors_are_compared_by_their_numbers(tt):
    expect(tt.Tensor([1, 2]), [1, 2], "x")
    assert says(lambda: expect(tt.Tensor([1, 3]), [1, 2], "x")) == "x = [1, 3], expected [1, 2]"


def test_an_error_that_is_not_raised_is_said():
    message = says(lambda: expect_raises(ValueError, lambda: 5, "f(x)", because="look"))
    assert message == "f(x) gave 5, expected ValueError: look"
    slips = {5: "five", None: "nothing was raised"}
    for got, reason in {5: "five", 6: "nothing was raised"}.items():
        call = lambda got=got: expect_raises(ValueError, lambda: got, "f(x)", slips=slips)  # noqa: E731
        assert says(call) == f"f(x) gave {got}, expected ValueError: {reason}"


def test_an_error_of_another_kind_is_said():
    message = says(lambda: expect_raises(ValueError, lambda: 1 / 0, "f(x)"))
    assert message == "f(x) raised ZeroDivisionError: division by zero, expected ValueError"


def test_an_error_must_say_the_words():
    expect_raises(ZeroDivisionError, lambda: 1 / 0, "1 / 0", says=["zero"])
    message = says(lambda: expect_raises(ZeroDivisionError, lambda: 1 / 0, "1 / 0", says=["(2,)"]))
    assert message.endswith("division by zero; its message should contain (2,)")
    words = ["one", "two"]
    message = says(lambda: expect_raises(ZeroDivisionError, lambda: 1 / 0, "1 / 0", says=words))
    assert message.endswith("division by zero; its message should contain one and two")


def test_a_blank_is_not_taken_for_the_error_that_is_wanted():
    def blank():
        raise NotImplementedError("exercise 3.1: f")

    with pytest.raises(NotImplementedError, match="exercise 3.1"):
        expect_raises(RuntimeError, blank, "f()")


def test_upstream_gradients_are_never_uniform_and_always_the_same(tt):
    upstream = upstream_for(leaf(np.zeros((2, 3)))).data
    assert len(np.unique(upstream)) == 6 and 1 not in upstream
    assert (upstream == upstream_for(leaf(np.zeros((2, 3)))).data).all()


def test_right_local_gradients_pass(tt):
    x, y = leaf([1, 2]), leaf([3, 4])
    expect_local_gradients(x / y, [x, y], lambda x, y: x / y, "x / y")
    expect_local_gradients(x**3, [x], lambda x: x**3, "x ** 3")
    expect_local_gradients(x * x, [x, x], lambda a, b: a * b, "x * x")


def test_a_wrong_local_gradient_names_its_input(tt, monkeypatch):
    monkeypatch.setattr(tt.Div, "backward", staticmethod(lambda ctx, g: (g / ctx.inputs[1], g)))
    x, y = leaf(1), leaf(2)
    message = says(lambda: expect_local_gradients(x / y, [x, y], lambda x, y: x / y, "x / y"))
    assert message.startswith("x / y: the gradient of y = ")


def test_a_tuple_of_one_is_named_where_it_was_taken_for_what_is_in_it(tt, monkeypatch):
    packed = "saved_tensors is a tuple, even of one: mind the comma, as in (x,) = ctx.saved_tensors"

    class Packed:
        @staticmethod
        def backward(ctx, grad_z):
            z = ctx.saved_tensors
            return grad_z * z

    class Shaped:
        @staticmethod
        def backward(ctx, grad_z):
            shape = grad_z.shape  # a tuple of one as well, and not to blame
            return grad_z * [None] * len(shape)

    for rule, slip in ((Packed, packed), (Shaped, "")):
        monkeypatch.setattr(tt.Exp, "backward", rule.backward)
        x = leaf([1, 2])
        error = error_of(lambda x=x: expect_local_gradients(x.exp(), [x], np.exp, "exp"))
        assert (error.called, error.slip) == ("the backward of exp", slip)


def test_too_few_local_gradients_are_counted(tt, monkeypatch):
    monkeypatch.setattr(tt.Mul, "backward", staticmethod(lambda ctx, grad_z: grad_z))
    x, y = leaf(1), leaf(2)
    message = says(lambda: expect_local_gradients(x * y, [x, y], lambda x, y: x * y, "x * y"))
    assert message.startswith("x * y: backward gave 1 gradient, but forward had 2 inputs: ")


def test_gradients_in_a_list_are_named(tt, monkeypatch):
    monkeypatch.setattr(tt.Mul, "backward", staticmethod(lambda ctx, g: [g, g]))
    x, y = leaf([1, 2]), leaf([3, 4])
    with pytest.raises(Mismatch, match="backward gave a list; return a tuple"):
        expect_local_gradients(x * y, [x, y], lambda x, y: x * y, "x * y")


def test_a_test_of_an_operation_runs_where_notes_are_kept(tt):
    ran = []
    needs_notes(lambda: ran.append(True))()
    assert ran == [True]


@pytest.mark.parametrize(
    ("owner", "name", "wrong", "exercise"),
    [
        ("Context", "saved_tensors", property(lambda ctx: ctx._saved[::-1]), "2.1"),
        ("Context", "saved_tensors", property(lambda ctx: ctx.no_such_name), "2.1"),
        ("Function", "apply", classmethod(lambda cls, *x: cls.forward(cls, *x)), "2.2"),
    ],
)
def test_a_test_of_an_operation_waits_for_the_notes(tt, monkeypatch, owner, name, wrong, exercise):
    monkeypatch.setattr(getattr(tt, owner), name, wrong)
    with pytest.raises(NotImplementedError, match=f"exercise {exercise}"):
        needs_notes(lambda: None)()


def test_right_gradients_pass(tt):
    x = leaf(3)
    expect_backward(x * x + x, "y = x * x + x", x=(x, 7))


def test_a_wrong_gradient_names_the_call_and_the_slip(accumulate_last):
    x = leaf(3)
    message = says(lambda: expect_backward(x + x, "y = x + x", x=(x, 2), slips={1: "both count"}))
    assert message == "backward() on y = x + x gave x.grad = 1, expected 2: both count"


def test_the_first_wrong_gradient_on_the_way_back_is_named(accumulate_last):
    a = leaf(2)
    b = a * a
    c = b + b
    message = says(lambda: expect_backward(c, "c = b + b", a=(a, 8), b=(b, 2), c=(c, 1)))
    assert "gave b.grad = 1, expected 2" in message


def test_a_wrong_gradient_brings_its_graph(accumulate_last, monkeypatch):
    monkeypatch.setattr(testing, "PICTURES", True)
    x = leaf(3)
    with pytest.raises(GradientMismatch) as caught:
        expect_backward(x + x, "y = x + x", x=(x, 2))
    assert type(caught.value.graph) is type(read_graph(x))
    assert caught.value.expected == {"x": 2}


def test_visits_counts_each_operation_and_leaves_all_as_it_was(tt):
    x = leaf(3)
    y = x * x
    z = y + y
    assert visits(z) == [1, 1]
    assert (y.grad_fn.function, z.grad_fn.function) == (tt.Mul, tt.Add)


def test_visits_stops_a_pass_that_takes_every_path(tt, monkeypatch):
    def backward(self, gradient=None):
        gradient = tt.Tensor(1.0) if gradient is None else gradient
        if self.grad_fn is not None:
            for x, grad in zip(self.grad_fn.inputs, self.grad_fn.backward(gradient), strict=True):
                backward(x, grad)

    monkeypatch.setattr(tt.Tensor, "backward", backward)
    x = leaf(1)
    for _ in range(60):
        x = x + x
    assert max(visits(x)) == testing.TOO_OFTEN + 1


def test_a_graph_that_nobody_would_see_anything_in_is_not_read(monkeypatch, tt):
    monkeypatch.setattr(testing, "PICTURES", True)
    read = []
    monkeypatch.setattr(testing, "_graph", lambda root, *names: read.append(root))
    x = y = leaf(1)
    testing.expect_backward(x * x, "y = x * x", x=(x, 2))
    x.grad = None
    for _ in range(testing.DRAWN):
        y = y + 1
    testing.expect_backward(y, "a long sum", x=(x, 1))
    assert len(read) == 1
