"""Views in which one number stands for several elements: what may be written there."""

import numpy as np
import pytest
from beside_torch import programs_in, same_answer

import tinytorch


def _leaf(t, *shape):
    return t.arange(1.0, 1 + int(np.prod(shape))).reshape(shape).requires_grad_()


def _error(action):
    try:
        action()
    except RuntimeError:
        return "refused"
    return "done"


def a_row_of_an_expanded_tensor(t):
    found = []
    for index in (0, (0, 1), slice(0, 1), (..., 0, slice(None)), t.tensor([0]), (0, t.tensor([1]))):
        y = t.zeros(3).expand(2, 3)
        y[index] = 5.0
        found.append(y)
    return found


def the_outputs_of_meshgrid_and_broadcasts(t):
    a, b = t.meshgrid(t.arange(2.0), t.arange(3.0), indexing="ij")
    a[0, 0], b[:1, 2] = 5, 7
    c, d = t.broadcast_tensors(t.arange(3.0), t.zeros(2, 1))
    c[0], d[1, 2] = t.ones(3), 4
    e = t.broadcast_to(t.zeros(3), (2, 3))
    e[1] += 2
    return a, b, c, d, e


def a_mask_over_repeated_numbers(t):
    a = t.meshgrid(t.arange(4), t.arange(3), indexing="ij")[0]
    a[a > 2] = -1
    return a


def parts_of_parts(t):
    x = t.zeros(3)
    y = x.expand(2, 3).t().expand(4, 3, 2)
    y[0, :, 1].add_(1)
    y[1, 2:, 0].mul_(3)
    y.detach()[1, 0, 0] = 9
    y.data[3, 1, :1] = 4
    return x, y, x.expand(0, 3).add_(1), t.zeros(1).expand(1, 1).add_(1)


def whole_numbers_over_all(t):
    x = t.zeros(3, 1)
    y = x.expand(3, 4)
    y.fill_(2).diagonal().zero_()
    y[1:].fill_(3)
    return x, y, t.nn.init.ones_(t.zeros(3).expand(2, 3))


def writes_that_overlap_themselves(t):
    changes = [
        lambda y: y.add_(1),
        lambda y: y.relu_(),
        lambda y: y.copy_(t.ones(2, 3)),
        lambda y: y[:].mul_(1),
        lambda y: y[:, 0].exp_(),
        lambda y: y.normal_(),
        lambda y: y.index_add_(0, t.tensor([0]), t.ones(1, 3)),
        lambda y: t.add(y, 1, out=y),
        lambda y: y.__setitem__(slice(None), 5.0),
        lambda y: y.__setitem__((slice(None), 0), t.tensor([1.0, 2.0])),
        lambda y: y.__setitem__(..., t.arange(3.0)),
        lambda y: t.optim.SGD([t.nn.Parameter(y)], 1.0).step(),
    ]
    found = []
    for change in changes:
        x = t.zeros(3)
        found += [_error(lambda x=x, change=change: change(x.expand(2, 3))), x]
    strided = [lambda: t.zeros(3).as_strided((2, 3), (0, 1)).add_(1)]
    return found, [_error(change) for change in strided]


def new_dimensions_of_its_own(t):
    x = t.zeros(3)
    y = x.expand(2, 3)
    y.unsqueeze_(0).transpose_(1, 2)
    y[0, :, 1] = t.tensor([1.0, 2.0, 3.0])
    return x, y


def the_history_of_a_row_that_was_written(t):
    found = []
    for index in (0, (0, 1), (slice(1), slice(2))):
        x = _leaf(t, 3)
        h = x * 1
        y = h.expand(2, 3)
        y[index] = x[2] * 4
        (y * t.arange(6.0).reshape(2, 3)).sum().backward()
        found += [h, y, x.grad]
    return [each.detach() for each in found]


def the_history_of_a_row_that_was_changed(t):
    x = _leaf(t, 3)
    h = x * 1
    y = h.expand(2, 3)
    y[0].mul_(x)
    y[:1] += x
    h.expand(2, 3)[1].fill_(0.5)
    z = (h * x).expand(2, 3)
    z[1, 1].mul_(x[0])
    ((y + z) * t.arange(6.0).reshape(2, 3)).sum().backward()
    return h.detach(), y.detach(), x.grad


def the_history_of_a_window_that_was_written(t):
    x = _leaf(t, 4)
    h = x * 1
    y = h.unfold(0, 2, 1)
    y[0] = x[:2] * 3
    y[2, 0] = x[3]
    (y * t.arange(6.0).reshape(3, 2)).sum().backward()
    return h.detach(), y.detach(), x.grad


def changes_through_windows_and_steps(t):
    found = []
    views = [
        lambda y: y.unfold(0, 2, 1)[0],
        lambda y: y.as_strided((2,), (1,)),
        lambda y: y.as_strided((4,), (1,)).as_strided((2,), (2,))[1:],
        lambda y: y.unfold(0, 2, 2).unfold(1, 2, 1)[0, 0],
        lambda y: y.expand(2, 4)[1],
        lambda y: y.expand(2, 4).expand(3, 2, 4)[1, 1, :2],
        lambda y: y.view(2, 2).diagonal(),
    ]
    for view in views:
        for without in (lambda v: v, lambda v: v.detach()):
            x = _leaf(t, 4)
            y = x.exp()
            version = y._version
            part = without(view(y))
            part.mul_(2)
            counted = y._version - version
            found += [y.detach(), counted, _error(lambda y=y: y.sum().backward())]
    return found


def a_weight_changed_through_its_windows(t):
    W, x = t.ones(2, 2, requires_grad=True), t.ones(1, 2, requires_grad=True)
    y = x @ W
    with t.no_grad():
        W.unfold(0, 1, 1).mul_(0.0)
    return _error(lambda: y.sum().backward()), W._version


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)


def test_a_change_through_a_buffer_is_noticed():
    x = tinytorch.ones(3, requires_grad=True)
    y = x.exp()
    buffer = memoryview(y.detach().numpy())
    tinytorch.frombuffer(buffer, dtype=tinytorch.float32).mul_(2)
    with pytest.raises(RuntimeError, match="changed in place"):
        y.sum().backward()


def test_what_was_read_only_stays_so():
    array = np.zeros(3)
    array.flags.writeable = False
    seen = np.zeros(3)[:]
    seen.flags.writeable = False
    for memory in (array, seen, np.broadcast_to(np.zeros(3), (2, 3))):
        x = tinytorch.from_numpy(memory)
        for part in (x, x.expand(2, *x.shape)[0], x[..., :1], x.as_strided((1,), (1,))):
            with pytest.raises(RuntimeError, match="read-only"):
                part.add_(1)
            with pytest.raises(RuntimeError, match="read-only"):
                part[...] = 1


def test_a_history_that_no_part_could_tell_is_refused():
    x = tinytorch.ones(3, requires_grad=True)
    for repeated in (tinytorch.zeros(3).expand(2, 3), tinytorch.zeros(4).unfold(0, 3, 1)):
        with pytest.raises(RuntimeError, match="clone"):
            repeated[tinytorch.tensor([0])] = x
        with pytest.raises(RuntimeError, match="clone"):
            repeated.detach()[0] = x
