"""Changes in place: values, versions, and what they do to history."""

import tracemalloc

import numpy as np
import pytest

import tinytorch
from tinytorch import node, tensor


def leaf(values):
    return tensor(values, requires_grad=True)


def test_a_change_of_a_saved_tensor_is_an_error_at_backward():
    x = leaf([1.0, 2.0])
    y = x * 1
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match="changed in place"):
        z.sum().backward()


def test_a_change_through_a_view_or_an_alias_counts_too():
    for alias in (lambda y: y[0], lambda y: y.detach(), lambda y: y.data, lambda y: y.view(2, 1)):
        y = leaf([1.0, 2.0]) * 1
        z = y * y
        alias(y).add_(1)
        with pytest.raises(RuntimeError, match="changed in place"):
            z.sum().backward()


@pytest.mark.parametrize("name", ["neg", "round"])
def test_a_result_or_an_input_that_no_formula_needs_may_be_changed(name):
    x = tensor([1.5, 2.5], requires_grad=True)
    y = x * 1
    z = getattr(y, name)()
    y += 1
    z += 1
    z.sum().backward()
    assert x.grad.tolist() == ([-1, -1] if name == "neg" else [0, 0])


def test_a_change_of_what_no_formula_needs_is_fine():
    x = leaf([1.0, 2.0])
    y = x * 3
    z = y + 1
    y.add_(1)
    z.sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_a_change_of_a_leaf_that_requires_grad_is_an_error_at_once():
    x = leaf([1.0, 2.0])
    for change in (lambda: x.add_(1), lambda: x.zero_(), lambda: x[0].mul_(2)):
        with pytest.raises(RuntimeError, match="leaf"):
            change()
    with pytest.raises(RuntimeError, match="leaf"):
        x[0] = 5.0


def test_every_operator_with_an_equals_sign_writes_into_the_same_tensor():
    x = tensor([5, 7])
    same = x
    x //= 2
    assert same is x and x.tolist() == [2, 3]
    x %= 2
    x |= tensor([2, 2])
    assert same is x and x.tolist() == [2, 3]
    x &= 1
    x ^= 1
    assert same is x and x.tolist() == [1, 0]


def test_a_result_is_stored_in_every_dtype_of_its_kind_or_a_higher_one():
    x = tensor([1, 2], dtype=tinytorch.uint8)
    x += tensor([1, 2])
    assert x.tolist() == [2, 4] and x.dtype == tinytorch.uint8
    with pytest.raises(RuntimeError, match="float32 cannot be stored in tinytorch.uint8"):
        x *= 0.5


def test_products_and_quotients_are_added_in_place():
    x = tensor([1.0, 2.0])
    x.addcmul_(tensor([3.0, 4.0]), tensor([2.0, 2.0]), value=0.5)
    assert x.tolist() == [4, 6]
    x.addcdiv_(tensor([3.0, 4.0]), tensor([1.0, 2.0]), value=-1)
    assert x.tolist() == [1, 4]


def test_copy_broadcasts_but_fill_takes_one_number():
    x = tinytorch.zeros(2, 2)
    assert x.copy_(tensor([1.0, 2.0])).tolist() == [[1, 2], [1, 2]]
    assert x.fill_(tensor(3)).tolist() == [[3, 3], [3, 3]]
    with pytest.raises(RuntimeError, match="copy_"):
        x.fill_(tensor([1.0, 2.0]))


def test_settings_of_other_operations_and_impossible_ones_are_refused():
    x = tinytorch.ones(2)
    assert x.add_(1, alpha=3).sub_(1, alpha=2).tolist() == [2, 2]
    with pytest.raises(TypeError, match="alpha"):
        x.mul_(2, alpha=3)
    with pytest.raises(RuntimeError, match="at least 0"):
        x.normal_(0, -1)
    with pytest.raises(RuntimeError, match="a = 2"):
        x.uniform_(2, 1)


def test_under_no_grad_a_leaf_can_be_changed():
    x = leaf([1.0, 2.0])
    with tinytorch.no_grad():
        x -= 1
        x[0] = 7.0
    assert x.tolist() == [7, 1]
    assert x.is_leaf and x.requires_grad


def test_the_version_counts_changes_of_all_views():
    x = tinytorch.zeros(3)
    assert x._version == 0
    x.add_(1)
    x[1].mul_(2)
    x[2] = 5
    assert x._version == 3 == x.view(3, 1)._version


def test_in_place_operations_are_recorded():
    x = leaf([1.0, 2.0])
    y = x * 2
    y.mul_(3).add_(x)
    y.sum().backward()
    assert x.grad.tolist() == [7, 7]


def test_an_in_place_operation_keeps_the_old_value_for_its_own_gradient():
    x, w = leaf([2.0, 3.0]), leaf([5.0, 7.0])
    y = x * 1
    y *= w
    y.sum().backward()
    assert w.grad.tolist() == [2, 3]


def test_a_change_of_a_view_reaches_the_history_of_the_whole():
    x, w = leaf([1.0, 2.0, 3.0]), leaf([10.0])
    y = x * 1
    y[1:2].mul_(w)
    y.sum().backward()
    assert x.grad.tolist() == [1, 10, 1]
    assert w.grad.tolist() == [2]


def test_data_and_detach_can_be_changed_though_a_leaf_has_views():
    x = tensor([1.0, 2.0], requires_grad=True)
    view = x[0]
    x.data.add_(10)
    x.detach()[1] = 5
    assert (x.tolist(), view.item()) == ([11, 5], 11)


def test_a_change_of_a_detached_tensor_leaves_the_history_alone():
    x = tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    view = y[:1]
    y.detach().zero_()
    (y.sum() + view.sum()).backward()
    assert x.grad.tolist() == [4, 2]


def test_a_change_of_the_whole_reaches_the_history_of_a_view():
    x = leaf([1.0, 2.0, 3.0])
    y = x * 1
    view = y[1:]
    y.mul_(5)
    view.sum().backward()
    assert x.grad.tolist() == [0, 5, 5]


def test_a_change_of_one_view_reaches_another_that_overlaps():
    x = leaf([1.0, 2.0, 3.0])
    y = x * 1
    first, last = y[:2], y[1:]
    first.mul_(4)
    last.sum().backward()
    assert x.grad.tolist() == [0, 4, 1]


def test_a_change_of_the_whole_reaches_each_repetition_in_a_view():
    x = tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    rows = y.expand(3, 2)
    y.mul_(2)
    rows.sum().backward()
    assert x.grad.tolist() == [6, 6]


def test_a_retained_gradient_is_that_of_the_values_after_a_change():
    x = tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.mul_(3)
    y[:1].mul_(5)
    (y * y).sum().backward()
    assert y.tolist() == [15, 6]
    assert y.grad.tolist() == [30, 12]


def test_views_that_a_change_reaches_retain_the_gradient_of_what_they_are_now():
    x = tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    first, last = y[:2], y[1:]
    for kept in (y, first, last):
        kept.retain_grad()
    first.mul_(3)
    ((last * last).sum() + (first * 10).sum()).backward()
    assert (first.tolist(), last.tolist()) == ([3, 6], [6, 3])
    assert last.grad.tolist() == [12, 6]
    assert first.grad.tolist() == [10, 10]
    assert y.grad.tolist() == [10, 22, 6]  # all of it: both views are made of it
    assert x.grad.tolist() == [30, 66, 6]


def test_a_copy_that_reshape_makes_has_a_history_of_its_own():
    x = tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    copy = y.T.reshape(4)
    y.mul_(5)
    copy.sum().backward()
    assert x.grad.tolist() == [[1, 1], [1, 1]]


def test_a_change_costs_as_much_with_many_views_as_with_one():
    y = tensor([1.0] * 100, requires_grad=True) * 1
    views = list(y)
    made = []
    node.watchers.append(made.append)
    try:
        y.mul_(2)
        views[0].mul_(2)
        views[1].sum()
    finally:
        node.watchers.remove(made.append)
    # mul; a view made anew, mul, the base; another view made anew, sum
    assert [one.name() for one in made] == [
        "MulBackward0",
        *("AsStridedBackward0", "MulBackward0", "CopySlices"),
        *("AsStridedBackward0", "SumBackward0"),
    ]


def test_a_change_where_nothing_is_recorded_copies_nothing():
    x = tinytorch.zeros(100_000)
    numbers = x.numpy()
    tracemalloc.start()
    x[7] = 1.0
    x.add_(1.0)
    x[[1, 2]] = tensor([5.0, 6.0])
    x.copy_(x * 1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert numbers[:3].tolist() == [1, 5, 6] and numbers[7] == 2
    assert peak < 1.5 * x.nbytes  # that of x * 1


def test_integers_that_floats_were_written_into_require_no_grad():
    x = tensor(3.0, requires_grad=True)
    y = tinytorch.zeros(2, dtype=tinytorch.int64)
    y[0] = x
    assert (y.tolist(), y.requires_grad) == ([3, 0], False)


def test_filling_a_buffer_row_by_row_is_recorded():
    w = leaf([1.0, 2.0])
    buffer = tinytorch.zeros(3, 2)
    for i in range(3):
        buffer[i] = w * i
    buffer.sum().backward()
    assert w.grad.tolist() == [3, 3]


def test_assignment_by_mask_cuts_the_gradient_there():
    x = leaf([1.0, 5.0])
    y = x * 2
    y[y > 5] = 0
    y.sum().backward()
    assert x.grad.tolist() == [2, 0]


def test_a_result_of_another_shape_or_kind_does_not_fit():
    with pytest.raises(RuntimeError, match="shape"):
        tinytorch.zeros(3).add_(tinytorch.ones(2, 3))
    with pytest.raises(RuntimeError, match="int64"):
        tensor([1, 2]).add_(tensor([0.5, 0.5]))


def test_an_expanded_tensor_cannot_be_changed_in_place():
    with pytest.raises(RuntimeError, match="clone"):
        tinytorch.zeros(1).expand(3).add_(1)


def test_views_share_memory_and_copies_do_not():
    x = tinytorch.zeros(2, 3)
    for view in (x.view(6), x.T, x[0], x[:, 1:], x.unsqueeze(0), x[1, 2], x.detach(), x.data):
        view.add_(1)
    assert x.sum().item() == 6 * 5 + 3 + 4 + 1 + 0
    before = x.sum().item()
    for copy in (x.clone(), x[[0, 1]], x * 1, tensor(x), x.repeat(2, 1, 1), x.diag()):
        copy.add_(1)
    assert x.sum().item() == before


def test_a_diagonal_is_a_view_and_a_repetition_is_not():
    x = tinytorch.zeros(2, 2)
    x.diagonal().fill_(1)
    repeated = x.repeat(2, 1, 1)
    x.add_(1)
    assert x.tolist() == [[2, 1], [1, 2]]
    assert repeated[1].tolist() == [[1, 0], [0, 1]]


def test_from_numpy_shares_and_numpy_shares():
    a = np.zeros(3)
    x = tinytorch.from_numpy(a)
    x.add_(1)
    x.numpy()[0] = 5
    assert a.tolist() == [5, 1, 1]
    assert x.tolist() == [5, 1, 1]


PROGRAMS = {
    "row of a result": lambda t, x, w: rows(x * 1, lambda y: y[0].mul_(w)),
    "column by mask": lambda t, x, w: rows(x * 1, lambda y: y.masked_fill_(y > 2, 0)),
    "through view and transpose": lambda t, x, w: rows(x * 1, lambda y: y.view(6)[2:4].exp_()),
    "zeros filled": lambda t, x, w: rows(t.zeros(2, 3), lambda y: y[1].add_(w)),
    "assigned twice": lambda t, x, w: rows(x * 1, lambda y: (put(y, 0, w), put(y, 0, w * 2))),
    "copy_": lambda t, x, w: rows(x * 1, lambda y: y.copy_(w)),
}


def rows(y, change):
    change(y)
    return y * y


def put(y, index, value):
    y[index] = value


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_change_in_place_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    found = []
    for t in (tinytorch, torch):
        x = t.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
        w = t.tensor([2.0, 3.0, 4.0], requires_grad=True)
        y = PROGRAMS[name](t, x, w)
        y.sum().backward()
        found.append([y.tolist(), *[None if v.grad is None else v.grad.tolist() for v in (x, w)]])
    assert found[0] == found[1]


VIEWS = {  # two views of a tensor, and how they are changed
    "a sibling": (lambda y: (y[0], y[:, 1:]), lambda a, b, w: a.mul_(w)),
    "a view of a view": (lambda y: (y.T, y.T[1:]), lambda a, b, w: b.mul_(2)),
    "one after the other": (lambda y: (y.view(6), y[1]), lambda a, b, w: (b.mul_(w), a.add_(1))),
    "written over": (lambda y: (y[1], y), lambda a, b, w: a.copy_(w)),
    "a diagonal": (lambda y: (y.diagonal(), y[0]), lambda a, b, w: a.mul_(3)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_retained_gradients_of_views_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    views, change = VIEWS[name]
    found = []
    for t in (tinytorch, torch):
        w = t.tensor([2.0, 3.0, 4.0], requires_grad=True)
        y = t.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True) * 1
        a, b = views(y)
        for each in (y, a, b):
            each.retain_grad()
        change(a, b, w)
        ((a * a).sum() * 2 + (b * b).sum()).backward()
        found.append([None if v.grad is None else v.grad.tolist() for v in (w, y, a, b)])
    assert found[0] == found[1]
