"""Indices that NumPy reads in another way than PyTorch: ellipses, and places in nothing."""

import pytest
from beside_torch import answer, programs_in, same_answer

INDICES = {
    "ellipses for nothing": [
        (slice(None), [0, 2], ..., [0, 1]),
        ([0, 1], ..., 0, [0, 1]),
        ([0, 1], [0, 2], ..., [0, 1]),
        ([0, 1], ..., slice(None), [0, 1]),
        (slice(None), [[0], [2]], ..., [0, 1]),
        (0, [0, 2], ..., [0, 1]),
        (slice(None), None, [0, 2], ..., [0, 1]),
        (slice(None), [0, 2], ..., None, [0, 1]),
        (slice(None), ..., [True, False, True], ..., [0, 1]),
        ([0, 1], ..., [1, 0]),
        (..., [0, 2], [0, 1]),
        ([0, 2], [0, 1], [0, 0], ..., [1, 1]),
    ],
    "several ellipses": [
        (..., ...),
        (..., 0, ...),
        (0, ..., 0, ...),
        (..., ..., 0),
        (..., ..., 0, 0, 0),
        (..., [0], ...),
        ([0, 1], ..., [0], ...),
        ([0, 1], ..., ..., [0]),
        (slice(None), ..., slice(None), ...),
        (None, ..., None, ...),
        (0, 1, ..., 0, ..., ...),
        (0, 1, 0, 0, ..., ...),
    ],
    "places in nothing": [
        (slice(0), [7]),
        (slice(0), [-9]),
        (slice(0), 7),
        (slice(2, 2), [7], [8]),
        ([7], slice(5, 3)),
        ([7], slice(None), slice(9, None)),
        ([[7], [3]], [5, 4], slice(0)),
        (slice(0), [1]),
        ([7], slice(1)),
        (slice(0), [True] * 5),
        (slice(0), 1, [7]),
    ],
}


def _read(index):
    def read(t):
        x = t.arange(12.0).reshape(2, 3, 2).requires_grad_()
        y = x[index]
        (y * y).sum().backward()
        return y.detach(), x.grad

    return read


def _written(index):
    def written(t):
        x = t.arange(12.0).reshape(2, 3, 2)
        y = x[index]
        values = t.arange(1.0, 1 + y.numel()).reshape(y.shape).requires_grad_()
        x[index] = 5.0
        z = x.clone()
        z[index] = values * 2
        x[index] += 1
        (z * x).sum().backward()
        return x, z.detach(), values.grad

    return written


@pytest.mark.parametrize("kind", INDICES)
@pytest.mark.parametrize("use", [_read, _written])
def test_an_index_means_the_same(kind, use):
    for index in INDICES[kind]:
        same_answer(use(index))


def places_of_a_tensor_without_elements(t):
    x = t.zeros(3, 0, requires_grad=True)
    x[[7]].sum().backward()
    y = t.zeros(3, 0)
    y[[5]] = 1.0
    found = [x.grad, y, y.index_put((t.tensor([7]),), t.zeros(0))]
    for index in ([0], ([5], [0]), [True] * 4):
        found.append(str(answer(t, lambda _, index=index: t.zeros(0, 3)[index].shape)))
    return found


def a_mask_of_two_dimensions_before_an_ellipsis_for_nothing(t):
    mask = t.tensor([[True, False, True], [False, True, False]])
    x = t.arange(24).reshape(2, 2, 3, 2)
    return x[:, mask, ..., [0, 0, 1]], x[:, mask, ...], x[0][..., mask, [0, 0, 1]]


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)
