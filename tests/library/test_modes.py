"""Recording and training: scopes, threads, and MXNet's interface."""

import gc
import threading

import pytest

import tinytorch
from tinytorch import autograd, modes, tensor


def leaf(values):
    return tensor(values, requires_grad=True)


# --- no_grad and its family ---


def test_under_no_grad_nothing_is_recorded():
    x = leaf(2.0)
    with tinytorch.no_grad():
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_scopes_nest_and_restore_what_was():
    with tinytorch.no_grad():
        with tinytorch.enable_grad():
            assert tinytorch.is_grad_enabled()
            with tinytorch.no_grad():
                assert not tinytorch.is_grad_enabled()
            assert tinytorch.is_grad_enabled()
        assert not tinytorch.is_grad_enabled()
    assert tinytorch.is_grad_enabled()


def test_an_exception_restores_too():
    with pytest.raises(ValueError), tinytorch.no_grad():
        raise ValueError
    assert tinytorch.is_grad_enabled()


def test_scopes_are_decorators_that_can_recurse():
    @tinytorch.no_grad()
    def depth(n):
        assert not tinytorch.is_grad_enabled()
        return 0 if n == 0 else 1 + depth(n - 1)

    assert depth(3) == 3
    assert tinytorch.is_grad_enabled()
    assert depth.__name__ == "depth"


def test_a_decorated_generator_is_switched_while_it_runs_only():
    x = leaf(2.0)

    @tinytorch.no_grad()
    def squares():
        yield (x * x).requires_grad
        yield (x * x).requires_grad
        return 3

    items = squares()
    assert [(next(items), tinytorch.is_grad_enabled()) for _ in range(2)] == [(False, True)] * 2
    with pytest.raises(StopIteration, match="3"):
        next(items)


@pytest.mark.parametrize("decorator", [tinytorch.no_grad, tinytorch.inference_mode])
def test_a_decorator_without_parentheses_works_too(decorator):
    assert decorator(tinytorch.is_grad_enabled)() is False


def test_set_grad_enabled_acts_at_once_and_as_a_scope():
    with tinytorch.set_grad_enabled(False):
        assert not tinytorch.is_grad_enabled()
    assert tinytorch.is_grad_enabled()
    tinytorch.set_grad_enabled(False)
    assert not tinytorch.is_grad_enabled()
    tinytorch.set_grad_enabled(True)


def test_set_grad_enabled_as_a_decorator_switches_in_the_calls_only():
    recording = tinytorch.set_grad_enabled(False)(tinytorch.is_grad_enabled)
    assert tinytorch.is_grad_enabled()
    assert not recording()
    assert tinytorch.is_grad_enabled()


def test_inference_mode_records_nothing():
    with tinytorch.inference_mode():
        assert tinytorch.is_inference_mode_enabled()
        assert not (leaf(1.0) * 2).requires_grad
    assert not tinytorch.is_inference_mode_enabled()
    with tinytorch.inference_mode(False):
        assert tinytorch.is_grad_enabled()


def test_each_thread_has_its_own_modes():
    seen = {}
    inside, done = threading.Event(), threading.Event()

    def work():
        with autograd.record():
            inside.set()
            done.wait(5)
            seen["thread"] = (tinytorch.is_grad_enabled(), autograd.is_training())

    thread = threading.Thread(target=work)
    with tinytorch.no_grad():
        thread.start()
        inside.wait(5)
        seen["main"] = (tinytorch.is_grad_enabled(), autograd.is_training())
        done.set()
        thread.join()
    assert seen == {"thread": (True, True), "main": (False, False)}


# --- record, pause, train_mode, predict_mode ---


def test_record_and_pause_switch_recording_and_training():
    states = []
    for scope in (
        autograd.record(),
        autograd.record(False),
        autograd.pause(),
        autograd.pause(True),
    ):
        with scope:
            states.append((autograd.is_recording(), autograd.is_training()))
    assert states == [(True, True), (True, False), (False, False), (False, True)]


def test_train_mode_and_predict_mode_leave_recording_alone():
    with autograd.pause():
        with autograd.train_mode():
            assert (autograd.is_recording(), autograd.is_training()) == (False, True)
        with autograd.predict_mode():
            assert (autograd.is_recording(), autograd.is_training()) == (False, False)


def test_set_recording_and_set_training_return_what_was():
    assert autograd.set_training(True) is False
    assert autograd.set_training(False) is True
    assert autograd.set_recording(True) is False
    assert autograd.is_recording()
    assert autograd.set_recording(False) is True


def test_recording_begins_with_record_and_grad_mode_goes_on_as_it_was():
    assert not autograd.is_recording() and tinytorch.is_grad_enabled()
    before = autograd.set_recording(True)
    autograd.set_recording(before)
    assert not autograd.is_recording() and tinytorch.is_grad_enabled()
    with tinytorch.no_grad():
        before = autograd.set_recording(True)
        assert tinytorch.is_grad_enabled()
        autograd.set_recording(before)
        assert not tinytorch.is_grad_enabled()


def test_set_recording_inside_of_the_scopes():
    with autograd.record():
        autograd.set_recording(False)
        assert not (leaf(1.0) * 2).requires_grad
        autograd.set_recording(True)
        assert (leaf(1.0) * 2).requires_grad
        with tinytorch.no_grad():
            assert not autograd.is_recording()
        with autograd.pause():
            assert autograd.set_recording(True) is False
            autograd.set_recording(False)
            assert not tinytorch.is_grad_enabled()
        assert autograd.is_recording()
    assert tinytorch.is_grad_enabled()


def test_backward_and_grad_of_modes_start_from_ones():
    x = tensor([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y, z = x * x, x * 3
    modes.backward([y, z], [None, tensor([1.0, 10.0])])
    assert x.grad.asnumpy().tolist() == [5, 34]
    assert modes.grad(x * x, x).asnumpy().tolist() == [2, 4]
    with pytest.raises(ValueError, match="got 2, 1"):
        modes.backward(x * x, [None, None])


def test_asnumpy_is_a_copy():
    x = leaf([1.0, 2.0])
    x.asnumpy()[0] = 5
    assert x.tolist() == [1, 2]


# --- mark_variables ---


def test_write_replaces_add_adds_and_null_asks_for_nothing():
    x = [tensor([1.0, 2.0]) for _ in range(3)]
    dx = [tinytorch.ones(2) for _ in range(3)]
    autograd.mark_variables(x, dx, ["write", "add", "null"])
    for _ in range(2):
        (x[0] * 2 + x[1] * 3 + x[2] * 4).sum().backward()
    assert [g.tolist() for g in dx] == [[2, 2], [7, 7], [1, 1]]
    assert x[0].grad is dx[0] and x[0].is_leaf


def test_head_gradients_and_train_mode():
    x, dx = tensor([1.0, 2.0]), tinytorch.zeros(2)
    autograd.mark_variables(x, dx)
    modes.backward(x * x, tensor([1.0, 10.0]), train_mode=False)
    assert dx.tolist() == [2, 40]


def test_grad_of_one_variable_is_a_tensor_and_of_a_list_a_list():
    x = leaf(3.0)
    first = modes.grad(x * x, x, create_graph=True)
    assert first.item() == 6
    assert [g.item() for g in modes.grad(first, [x])] == [2]


def test_marks_that_do_not_fit_are_errors():
    x = tensor([1.0, 2.0])
    with pytest.raises(ValueError, match="'over'"):
        autograd.mark_variables(x, tinytorch.zeros(2), "over")
    with pytest.raises(ValueError, match=r"gradients.*\(1, 2, 1\)"):
        autograd.mark_variables([x], [x, x])
    with pytest.raises(RuntimeError, match="shape"):
        autograd.mark_variables(x, tinytorch.zeros(3))
    with pytest.raises(RuntimeError, match="float"):
        autograd.mark_variables(tensor([1, 2]), tensor([0, 0]))


def test_a_written_gradient_that_was_set_to_none_is_made_anew():
    x = tensor([1.0, 2.0])
    autograd.mark_variables(x, tinytorch.zeros(2))
    x.grad = None
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_a_marked_leaf_that_stopped_asking_keeps_its_gradient_as_it_is():
    x = tensor([1.0])
    x.attach_grad()
    y = x * 3
    x.requires_grad_(False)
    y.backward()
    assert x.grad.tolist() == [0]


def test_attach_grad_makes_a_leaf_with_a_gradient_of_zeros():
    y = leaf([1.0, float("nan")]) * 2
    y.attach_grad()
    assert y.is_leaf and y.grad.tolist() == [0, 0]
    with autograd.record():
        z = (y * 3).sum()
    z.backward()
    assert y.grad.tolist() == [3, 3]


# --- a Function object ---


class Sigmoid(modes.Function):
    def forward(self, x):
        y = 1 / (1 + (-x).exp())
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


def test_a_function_object_is_differentiable_twice():
    x = tensor([0.3, -0.7], dtype=tinytorch.float64, requires_grad=True)
    assert tinytorch.gradgradcheck(lambda x: Sigmoid()(x), (x,))


def test_a_function_object_shows_its_name_in_the_graph_and_leaves_no_cycle_behind():
    x = leaf(1.0)
    gc.collect()
    assert [Sigmoid()(x).grad_fn.name() for _ in range(3)] == ["SigmoidBackward"] * 3
    assert gc.collect() == 0


def test_a_function_object_is_called_once():
    sigmoid = Sigmoid()
    sigmoid(leaf(1.0))
    with pytest.raises(RuntimeError, match="new one"):
        sigmoid(leaf(1.0))


# --- get_symbol ---


def test_the_symbol_of_a_result_can_be_read():
    x, y = leaf(2.0), leaf(3.0)
    symbol = autograd.get_symbol((1 - (x * y + x)).exp())
    assert str(symbol).splitlines() == [
        "x0: leaf of shape ()",
        "x1: leaf of shape ()",
        "v0 = Mul(x0, x1)",
        "v1 = Add(v0, x0)",
        "v2 = Sub(constant, v1)",
        "v3 = Exp(v2)",
    ]
    assert symbol.list_arguments() == ["x0", "x1"]
    assert symbol.name == "v3"


def test_a_symbol_shows_functions_of_ones_own():
    symbol = autograd.get_symbol(Sigmoid()(leaf(1.0)).exp())
    assert str(symbol).splitlines()[1:] == ["v0 = Sigmoid(x0)", "v1 = Exp(v0)"]


def test_there_is_no_symbol_of_a_graph_that_was_freed():
    y = leaf(2.0).exp()
    z = y + 1
    y.backward()
    with pytest.raises(RuntimeError, match="ExpBackward0 was freed"):
        autograd.get_symbol(z)


# --- anomaly detection ---


def test_anomaly_detection_names_the_forward_call():
    with autograd.detect_anomaly():
        x = leaf([-1.0, 4.0])
        y = x.sqrt()  # the culprit
        with pytest.raises(RuntimeError, match="SqrtBackward0.*the culprit"):
            (y * 0).sum().backward()
    assert not autograd.is_anomaly_enabled()


def test_without_anomaly_detection_nan_passes():
    x = leaf([-1.0])
    x.sqrt().backward()
    assert x.grad.isnan().all()


def test_anomaly_detection_finds_a_function_of_ones_own():
    class Bad(tinytorch.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g * float("nan")

    with autograd.set_detect_anomaly(True), pytest.raises(RuntimeError, match="BadBackward"):
        Bad.apply(leaf(1.0)).backward()
