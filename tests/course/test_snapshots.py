"""What the snapshots of Part I promise beside their exercises: one copy, and errors said early."""

import importlib.util
import tracemalloc

import numpy as np
import pytest

from course.manifest import all_chapters
from course.source import read_source

CHAPTERS = {chapter.number: chapter for chapter in all_chapters() if not chapter.is_package}


def snapshot(number):
    """The solved tinytorch.py of a chapter, as a module of its own."""
    path = CHAPTERS[number].solution_file
    spec = importlib.util.spec_from_file_location(f"snapshot_{number}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tt():
    return snapshot(5)


def doubling(tt, backward):
    """A Function of one's own with this backward."""

    class Double(tt.Function):
        @staticmethod
        def forward(ctx, x, c):
            return tt.Tensor(x.data * 2)

    Double.backward = staticmethod(backward)
    return lambda x, c=None: Double.apply(x, c)


@pytest.mark.parametrize("number", CHAPTERS)
def test_sections_come_in_one_order(number):
    order = [
        "Small helpers",
        "The tensor",
        "The parts of Tensor.backward",
        "What a result remembers",
        "The operations",
        "Makers",
        "Slopes by nudging",
        "A walk by hand",
        "Losses",
        "Training",
        "A network",
    ]
    lines = read_source(CHAPTERS[number].solution_file).splitlines()
    sections = [line[2:] for line in lines if line.startswith("# ")]
    assert sections == [section for section in order if section in sections]


@pytest.mark.parametrize("number", CHAPTERS)
def test_a_tensor_copies_what_it_is_given_once(number):
    tt, array = snapshot(number), np.ones(1_000_000)
    assert not np.shares_memory(tt.Tensor(array).data, array)
    for data in (array, array.astype(np.float32), np.ones(1_000_000, int)):
        tracemalloc.start()
        size = tt.Tensor(data).data.nbytes
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert size <= peak < 1.1 * size, data.dtype


@pytest.mark.parametrize("number", [2, 3, 4, 5])
@pytest.mark.parametrize("a, b", [((3,), (3,)), ((2, 3), (3,)), ((), (3, 2)), ((2, 3), (2, 3))])
def test_a_product_that_backward_could_not_pass_is_refused_at_once(number, a, b):
    tt = snapshot(number)
    with pytest.raises(RuntimeError) as error:
        tt.zeros(*a) @ tt.zeros(*b)
    assert f"got {a} @ {b}" in str(error.value)


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_T_reverses_all_axes(number):
    tt = snapshot(number)
    assert tt.zeros(2, 3).T.shape == (3, 2)
    assert tt.zeros(2, 3, 4).T.shape == (4, 3, 2)
    assert tt.zeros(3).T.shape == (3,)


def test_mT_transposes_each_matrix(tt):
    x = tt.Tensor(np.arange(24.0).reshape(2, 3, 4), requires_grad=True)
    assert (x.mT.data == x.data.swapaxes(-1, -2)).all()
    assert tt.gradcheck(lambda x: x.mT, [x]) and tt.gradcheck(lambda x: x.T, [x])


@pytest.mark.parametrize(
    "backward, says",
    [
        (lambda ctx, g: (g.data, None), "Double.backward gave ndarray of shape (2,)"),
        (lambda ctx, g: (2.0, None), "Double.backward gave float of shape ()"),
        (lambda ctx, g: (None, None), "Double.backward gave NoneType"),
        (lambda ctx, g: (g.sum(), None), "Double.backward gave Tensor of shape ()"),
        (lambda ctx, g: g, "Double.backward gave 1 gradients for 2 inputs"),
        (lambda ctx, g: (g, None, None), "Double.backward gave 3 gradients for 2 inputs"),
    ],
)
def test_a_gradient_that_does_not_fit_is_an_error_that_names_the_function(tt, backward, says):
    x = tt.Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError) as error:
        doubling(tt, backward)(x).sum().backward()
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert x.grad is None and tt.recording


def test_a_gradient_for_a_constant_may_be_anything(tt):
    x, c = tt.Tensor([1.0, 2.0], requires_grad=True), tt.Tensor(3.0)
    doubling(tt, lambda ctx, g: (g * 2, 7))(x, c).sum().backward()
    assert x.grad.data.tolist() == [2, 2]


@pytest.mark.parametrize("number", [4, 5])
@pytest.mark.parametrize(
    "labels, says",
    [
        ([[1], [2]], "must have shape (2,), got (2, 1)"),
        ([1, 2, 0], "must have shape (2,), got (3,)"),
        ([1, 3], "must be whole, 0 to 2, got 1.0 to 3.0"),
        ([0.5, 1], "must be whole, 0 to 2, got 0.5 to 1.0"),
        ([-1, 0], "must be whole, 0 to 2, got -1.0 to 0.0"),
    ],
)
def test_labels_that_do_not_fit_are_an_error(number, labels, says):
    tt = snapshot(number)
    with pytest.raises(ValueError) as error:
        tt.cross_entropy(tt.zeros(2, 3), labels)
    assert says in str(error.value)


def test_labels_may_come_as_list_array_or_tensor(tt):
    labels = [0, 2]
    for given in (labels, np.array(labels, np.uint8), tt.Tensor(labels)):
        assert np.isclose(tt.cross_entropy(tt.zeros(2, 3), given).item(), np.log(3))


def test_gradcheck_of_constants_is_an_error(tt):
    with pytest.raises(RuntimeError, match="requires_grad"):
        tt.gradcheck(lambda x: x * x, [tt.Tensor([1.0])])


def test_the_loop_of_chapter_4_trains_in_the_engine_of_chapter_5(tt):
    w = tt.Tensor(8.0, requires_grad=True)
    assert tt.train(lambda: w * w, [w], lr=0.25, steps=3) == [64, 16, 4]
    assert w.item() == 1 and w.is_leaf
