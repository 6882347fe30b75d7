"""Small programs that give the same answer, or the same kind of error, in both libraries."""

import io

import pytest
from beside_torch import answer

import tinytorch


def hvp_while_nothing_is_recorded(t):
    with t.no_grad():
        x = t.tensor([1.0, 2.0])
        products = t.autograd.functional.hvp, t.autograd.functional.vhp
        return [f(lambda x: (x**3).sum(), x, t.ones(2))[1].tolist() for f in products]


def a_list_of_tensors_is_an_index_for_each_dimension(t):
    x = t.arange(6).reshape(2, 3)
    lists = [t.tensor(1), t.tensor(0)], [t.tensor([1, 0]), t.tensor([0, 2])], [slice(None), 1]
    return [x[index].tolist() for index in (*lists, [[0, 1], [1, 2]], [1, 0], [None, 1])]


def writing_through_a_list_of_tensors(t):
    x = t.zeros(2, 3)
    x[[t.tensor(1), t.tensor(0)]] = 5
    return x.tolist()


def reversed_tensors(t):
    return [reversed(x).tolist() for x in (t.arange(3), t.arange(4).reshape(2, 2), t.tensor(7))]


def an_empty_index_of_floats(t):
    return t.arange(3)[t.tensor([])]


def an_empty_list_as_an_index(t):
    return t.arange(3)[[]].tolist()


def nothing_drawn(t):
    drawn = t.multinomial(t.ones(0, 3), 2)
    return str(drawn.dtype).rpartition(".")[2], list(drawn.shape)


def half_precision_beside_numbers(t):
    one, large = t.ones(2, dtype=t.float16), t.full((2,), 60000.0, dtype=t.float16)
    third = t.full((2,), 3.0, dtype=t.float16)
    results = [
        one / 1e6,
        large * 1e-9,
        one * 1e6,
        1e6 / one,
        third * 0.1,
        0.1 + third,
        70000 - one,
    ]
    results += [one.clone().div_(1e6), one.clone().mul_(0.1), one.add(large, alpha=-0.5)]
    return [(str(x.dtype)[-7:], x.tolist()) for x in results]


def half_precision_lerp(t):
    start, end = (t.tensor(x, dtype=t.float16) for x in ([1.0, 60000.0], [2.0, -60000.0]))
    return [t.lerp(start, end, weight).tolist() for weight in (0.0, 0.3, 0.7, 1.0)]


def lerp_all_the_way_is_the_end(t):
    end = t.tensor([0.1, 0.3, 1e-7])
    return t.lerp(t.full((3,), 1e8), end, 1.0).tolist()


def a_number_too_large_for_half_precision(t):
    return t.ones(2, dtype=t.float16).masked_fill(t.tensor([True, False]), -1e9)


def generators_record_nothing(t):
    log = []

    @t.no_grad
    def bare():
        yield t.is_grad_enabled()

    @t.no_grad()
    def receives():
        got = yield t.is_grad_enabled()
        try:
            yield got, t.is_grad_enabled()
        except ValueError:
            yield "caught", t.is_grad_enabled()
        finally:
            log.append(t.is_grad_enabled())

    @t.no_grad()
    def nested(n):
        if n:
            yield from nested(n - 1)
        yield n, t.is_grad_enabled()

    items = receives()
    first, second, third = next(items), items.send(3), items.throw(ValueError())
    items.close()
    outside = [(item, t.is_grad_enabled()) for item in nested(2)]
    return [*bare()], first, second, third, log, outside, t.is_grad_enabled()


def a_retained_gradient_is_what_all_hooks_made_of_it(t):
    x = t.ones(1, requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: grad + 1)
    y.retain_grad()
    y.register_hook(lambda grad: grad * 10)
    (y * 3).backward()
    return y.grad.tolist(), x.grad.tolist()


def a_retained_gradient_after_a_change_in_place(t):
    x = t.ones(1, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.mul_(5)
    y.register_hook(lambda grad: grad * 10)
    (y * 3).backward()
    return y.grad.tolist(), x.grad.tolist()


def numpy_while_nothing_is_recorded(t):
    x = t.ones(2, requires_grad=True)
    with t.no_grad():
        return x.numpy().tolist()


def writing_into_an_expand_that_repeats_nothing(t):
    x = t.ones(2, 3)
    x.expand(2, 3).add_(1)
    x.expand(1, 2, 3).mul_(3)
    x.expand(-1, 3)[0] = 0
    return x.tolist()


def writing_into_an_expand_that_repeats(t):
    return t.ones(1, 3).expand(2, 3).add_(1)


def negative_padding(t):
    x = t.arange(6.0).reshape(2, 3).requires_grad_()
    f = t.nn.functional
    results = [f.pad(x, p, value=7.0) for p in ((-1, 1), (-1, -1, 1, 0), (0, 0, -1, -1), (-2, -1))]
    sum(y.sum() for y in results).backward()
    return [y.tolist() for y in results], x.grad.tolist()


def padding_that_cuts_off_too_much(t):
    return t.nn.functional.pad(t.ones(2), (-2, -1))


def a_deleted_gradient(t):
    x = t.ones(1, requires_grad=True)
    (x * 2).backward()
    del x.grad
    return x.grad


def files_that_are_objects(t):
    file = io.BytesIO()
    t.save({"a": t.ones(2), "epoch": 3}, file)
    file.seek(0)
    loaded = t.load(file)
    return loaded["a"].tolist(), loaded["epoch"]


def data_sets_one_after_the_other(t):
    data = t.utils.data.TensorDataset(t.arange(2)) + t.utils.data.TensorDataset(t.arange(3))
    return type(data).__name__, len(data), [int(data[i][0]) for i in (0, 1, 2, 4, -1, -5)]


def a_sample_beyond_all_data_sets(t):
    data = t.utils.data.TensorDataset(t.arange(2)) + t.utils.data.TensorDataset(t.arange(3))
    return data[-6]


def bits_shifted(t):
    x = t.arange(5)
    return [y.tolist() for y in (x << 2, x >> 1, 1 << x, 64 >> x, t.bitwise_left_shift(x, x))]


PROGRAMS = [
    program
    for program in list(globals().values())
    if callable(program) and getattr(program, "__module__", "") == __name__
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    torch = pytest.importorskip("torch")
    assert answer(tinytorch, program) == answer(torch, program)


def test_gradcheck_warns_of_float32():
    x = tinytorch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="small slopes, got tinytorch.float32"):
        assert tinytorch.autograd.gradcheck(lambda x: x * 2, x, eps=1e-2, atol=1e-2)
