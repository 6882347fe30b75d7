"""The graph and the backward pass."""

import gc
import threading
import weakref

import numpy as np
import pytest

import tinytorch
from tinytorch import tensor
from tinytorch.autograd import backward, grad
from tinytorch.node import AccumulateGrad


def leaf(value):
    return tensor(value, dtype=tinytorch.float64, requires_grad=True)


# --- small graphs, numbers to check by head ---


def test_a_tensor_used_twice_gets_both_gradients():
    x = leaf(3.0)
    (x + x).backward()
    assert x.grad.item() == 2


def test_a_product_with_itself_has_slope_2x():
    x = leaf(3.0)
    (x * x).backward()
    assert x.grad.item() == 6


def test_paths_of_unequal_length_wait_for_each_other():
    a = leaf(2.0)
    b = a * a
    (b * (b * 3)).backward()  # 3 a^4
    assert a.grad.item() == 96


def test_a_second_backward_adds_to_grad():
    x = leaf(3.0)
    (x * 2).backward()
    (x * 5).backward()
    assert x.grad.item() == 7


def test_the_upstream_gradient_is_used():
    x = leaf([1.0, 2.0])
    (x * x).backward(tensor([10.0, 100.0], dtype=tinytorch.float64))
    assert x.grad.tolist() == [20, 400]


def test_two_leaves_of_one_sum_do_not_share_the_memory_of_their_gradients():
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    upstream = tensor([1.0, 1.0], dtype=tinytorch.float64)
    (x + y).backward(upstream)
    x.grad.add_(1)
    assert y.grad.tolist() == [1, 1]
    assert upstream.tolist() == [1, 1]


def test_the_gradient_of_a_sum_can_be_written_to():
    x = leaf([1.0, 2.0])
    x.sum().backward()
    x.grad.mul_(2)
    assert x.grad.tolist() == [2, 2]


def test_several_roots_add_up():
    x = leaf(2.0)
    backward([x * 2, x * 3], [tensor(1.0), tensor(10.0)])
    assert x.grad.item() == 32


def test_the_same_root_twice_counts_twice():
    x = leaf(2.0)
    y = x * 3
    backward([y, y])
    assert x.grad.item() == 6


# --- grad() ---


def test_grad_returns_gradients_and_leaves_grad_alone():
    x, y = leaf(2.0), leaf(5.0)
    found = grad(x * y, (x, y))
    assert [g.item() for g in found] == [5, 2]
    assert x.grad is None


def test_grad_works_for_results_in_the_middle():
    x = leaf(2.0)
    y = x * x
    assert grad(y * 3, y)[0].item() == 3


def test_an_unused_input_is_an_error_none_or_zeros():
    x, z = leaf([1.0, 2.0]), leaf([1.0, 1.0])
    with pytest.raises(RuntimeError, match="allow_unused"):
        grad(x.sum(), z)
    assert grad(x.sum(), z, allow_unused=True) == (None,)
    assert grad(x.sum(), z, materialize_grads=True)[0].tolist() == [0, 0]


def test_backward_with_inputs_fills_only_these():
    x, y = leaf(2.0), leaf(5.0)
    (x * y).backward(inputs=[x])
    assert x.grad.item() == 5
    assert y.grad is None


def test_create_graph_gives_gradients_of_gradients():
    x = leaf(2.0)
    (first,) = grad(x**4, x, create_graph=True)
    (second,) = grad(first, x, create_graph=True)
    (third,) = grad(second, x)
    assert [first.item(), second.item(), third.item()] == [32, 48, 48]


def test_backward_with_create_graph_leaves_a_gradient_with_history():
    x = leaf(3.0)
    (x**3).backward(create_graph=True)
    assert grad(x.grad, x)[0].item() == 18


def test_a_gradient_that_was_recorded_stays_so_when_another_is_added():
    x = leaf(2.0)
    (x * x).backward(create_graph=True)  # 2 x
    (x * 3).backward()
    assert x.grad.item() == 7
    assert grad(x.grad, x)[0].item() == 2


def test_what_does_not_lead_to_the_inputs_sees_no_gradient():
    x, w, seen = leaf(2.0), leaf(3.0), []
    middle = x * 2
    middle.retain_grad()
    middle.register_hook(seen.append)
    y = middle * w + middle.exp()
    assert grad(y, w)[0].item() == 4
    assert middle.grad is None and seen == []


# --- a graph is used once ---


def test_a_second_pass_through_a_graph_says_that_it_was_freed():
    y = (leaf(2.0) * 3).exp()
    y.backward()
    with pytest.raises(RuntimeError, match="retain_graph"):
        y.backward()


def test_a_graph_that_saved_nothing_can_be_used_again():
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    z = tinytorch.cat([x + y[:1], -y]).reshape(2, 2).sum()
    z.backward()
    z.backward()
    assert x.grad.tolist() == [2, 2]
    assert y.grad.tolist() == [4 - 2, -2]


def test_a_second_pass_stops_where_the_first_let_go():
    x = leaf([1.0, 2.0])
    y = x * x + x
    y.sum().backward()
    with pytest.raises(RuntimeError, match="MulBackward0 was freed"):
        y.sum().backward()


def test_retain_graph_allows_a_second_pass():
    x = leaf(2.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 8


def test_a_part_that_two_results_share_is_freed_by_the_first():
    x = leaf(2.0)
    shared = x.exp()
    (shared * 2).backward()
    with pytest.raises(RuntimeError, match="freed"):
        (shared * 3).backward()


def test_a_freed_part_is_no_zero_where_gradients_are_asked_for():
    x = leaf(2.0)
    shared = x.exp()
    shared.backward()
    with pytest.raises(RuntimeError, match="freed"):
        grad(shared + x * 3, x)
    with pytest.raises(RuntimeError, match="freed"):
        grad(shared, x, allow_unused=True)


def test_a_freed_part_is_no_hindrance_to_the_gradient_of_its_result():
    shared = leaf(2.0).exp()
    shared.backward()
    later = leaf(3.0)
    assert [g.item() for g in grad(shared * 3 + later, [shared, later])] == [3, 1]


# --- nodes ---


def test_the_graph_is_nodes_that_end_in_accumulate_grad():
    x, c = leaf(2.0), tensor(3.0, dtype=tinytorch.float64)
    z = x * x + c
    assert z.grad_fn.name() == "AddBackward0"
    (product, number), (constant, _) = z.grad_fn.next_functions
    assert product.name() == "MulBackward0" and number == 0
    ends = [node for node, _ in product.next_functions]
    assert all(isinstance(node, AccumulateGrad) and node.variable is x for node in ends)
    assert ends[0] is ends[1]
    assert constant is None


@pytest.mark.parametrize(
    ("operation", "constants"),
    [
        (lambda x: x * 2, [False, True]),
        (lambda x: 2 - x, [True, False]),
        (lambda x: x / tinytorch.ones(3), [False, True]),
        (lambda x: x * x, [False, False]),
        (lambda x: -x, [False]),
    ],
)
def test_a_constant_has_its_place_among_the_next_functions(operation, constants):
    y = operation(leaf(3.0))
    assert [node is None for node, _ in y.grad_fn.next_functions] == constants


def test_leaves_have_no_grad_fn():
    assert leaf(1.0).grad_fn is None
    assert leaf(1.0).is_leaf and tensor(1.0).is_leaf
    assert not (leaf(1.0) * 2).is_leaf


def test_constants_are_not_recorded():
    z = tensor(2.0) * tensor(3.0)
    assert z.grad_fn is None and not z.requires_grad


def test_a_leaf_that_stopped_asking_before_the_backward_pass_gets_nothing():
    x, y = leaf(2.0), leaf(3.0)
    z = x * y
    x.requires_grad_(False)
    z.backward()
    assert (x.grad, y.grad.item()) == (None, 2)


def test_only_floats_can_require_grad():
    with pytest.raises(RuntimeError, match="floating"):
        tensor([1, 2], requires_grad=True)


def test_a_hook_sees_the_complete_gradient_and_may_replace_it():
    x = leaf(2.0)
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    y.register_hook(lambda g: g * 10)
    (y + y).backward()
    assert seen == [2]
    assert x.grad.item() == 20


WAYS_TO_LOOK = {
    "a leaf's hook": lambda x, look: x.register_hook(look) and x * 2,
    "a result's": lambda x, look: with_hook(x + 1, look) * 2,
    "a node's": lambda x, look: with_node_hook(x + 1, lambda _, grads: look(*grads)) * 2,
    "a node's, of what it sends": lambda x, look: (
        with_node_hook(x + 1, lambda g, _: look(g[0])) * 2
    ),
    "a leaf's node's, before its turn": lambda x, look: (
        x._node.register_prehook(lambda grads: look(grads[0])) and x * 2
    ),
    "a leaf's node's, after it": lambda x, look: (
        x._node.register_hook(lambda _, grads: look(*grads)) and x * 2
    ),
}


def with_hook(y, hook):
    y.register_hook(hook)
    return y


def with_node_hook(y, hook):
    y.grad_fn.register_hook(hook)
    return y


@pytest.mark.parametrize("way", WAYS_TO_LOOK)
def test_what_a_hook_has_kept_stays_as_it_was(way):
    x, seen = leaf([1.0]), []
    for _ in range(2):
        x._node.hooks = None
        WAYS_TO_LOOK[way](x, seen.append).sum().backward()
    assert [grad.item() for grad in seen] == [2, 2]
    assert x.grad.item() == 4


def test_a_removed_hook_is_not_called():
    x = leaf(2.0)
    handle = x.register_hook(lambda g: g * 10)
    handle.remove()
    (x * 3).backward()
    assert x.grad.item() == 3


def test_a_hook_is_there_for_the_length_of_a_with_block():
    x = leaf(2.0)
    with x.register_hook(lambda grad: grad * 10):
        (x * 3).backward()
    (x * 3).backward()
    assert x.grad.item() == 33


def test_a_hook_may_not_change_shape_or_dtype():
    x = leaf([1.0, 2.0])
    for answer in (tinytorch.ones(3, dtype=tinytorch.float64), tinytorch.ones(2)):
        with (
            x.register_hook(lambda grad, answer=answer: answer),
            pytest.raises(RuntimeError, match="a hook returned shape"),
        ):
            x.sum().backward()
    assert x.grad is None


def test_hooks_on_nodes_see_gradients_on_both_sides():
    x = leaf(2.0)
    y = x * 3
    seen = []
    y.grad_fn.register_prehook(lambda outs: seen.append(outs[0].item()))
    y.grad_fn.register_hook(lambda ins, outs: seen.append((ins[0].item(), outs[0].item())))
    y.backward()
    assert seen == [1, (3, 1)]


def test_a_post_accumulate_hook_sees_the_finished_grad():
    x = leaf(2.0)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
    (x * 3).backward()
    assert seen == [3]


def test_a_post_accumulate_hook_is_called_for_an_input_of_backward_too():
    x, seen = leaf(2.0), []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
    (x * 3).backward(inputs=[x])
    assert seen == [3]


def test_an_input_that_is_named_twice_gets_its_gradient_once():
    x = leaf(2.0)
    (x * 3).backward(inputs=[x, x])
    assert x.grad.item() == 3


def test_an_input_that_retains_its_gradient_gets_it_once():
    middle = leaf(2.0) * 2
    middle.retain_grad()
    (middle * 3).backward(inputs=[middle])
    assert middle.grad.item() == 3


def test_a_retained_gradient_is_not_the_one_that_grad_returned():
    y = leaf(2.0) * 2
    y.retain_grad()
    (given,) = grad(y, y, create_graph=True)
    y.backward()
    assert (given.item(), y.grad.item()) == (1, 2)


def test_zeros_for_what_was_not_used_are_recorded_like_other_gradients():
    x, unused = leaf(2.0), leaf(3.0)
    zeros = grad(x * 2, unused, create_graph=True, materialize_grads=True)[0]
    assert zeros.requires_grad
    assert not grad(x * 2, unused, materialize_grads=True)[0].requires_grad


def test_retain_grad_keeps_the_gradient_of_a_result():
    x = leaf(2.0)
    y = x * x
    y.retain_grad()
    (y * 5).backward()
    assert y.grad.item() == 5


# --- size ---


def test_a_chain_of_two_hundred_thousand_operations():
    x = leaf(1.0)
    y = x
    for _ in range(200_000):
        y = y + 1
    y.backward()
    assert x.grad.item() == 1


def test_a_long_chain_that_no_backward_walked_dies_without_recursion():
    y = leaf(1.0)
    for _ in range(200_000):
        y = y + 1
    del y


def test_a_ladder_of_a_thousand_diamonds_visits_each_node_once():
    x = leaf(1.0)
    y = x
    for _ in range(1000):
        y = (y + y) * 0.5
    y.backward()
    assert x.grad.item() == 1


def test_ten_thousand_inputs_to_one_cat():
    xs = [leaf([1.0]) for _ in range(10_000)]
    tinytorch.cat(xs).sum().backward()
    assert all(x.grad.item() == 1 for x in xs)


# --- memory ---


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


OPERATIONS = {
    "mul": lambda x: x * x,
    "exp": lambda x: x.exp(),
    "matmul": lambda x: x @ x,
    "softmax": lambda x: x.softmax(1),
    "index": lambda x: x[0],
    "view": lambda x: x.view(4),
    "split": lambda x: x.split(1)[0],
    "in place": lambda x: (x * 1).exp_(),
    "max": lambda x: x.max(1).values,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_graph_dies_with_its_result_without_the_collector(name, no_collector):
    y = OPERATIONS[name](leaf([[1.0, 2.0], [3.0, 4.0]]))
    node = weakref.ref(y.grad_fn)
    del y
    assert node() is None


@pytest.mark.parametrize("name", OPERATIONS)
def test_after_backward_nothing_that_was_computed_is_alive(name, no_collector):
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    middle = OPERATIONS[name](x)
    result = middle.sum()
    array = weakref.ref(middle._data)
    del middle
    result.backward()
    assert array() is None


def test_after_backward_a_node_that_kept_an_array_holds_nothing_behind_it(no_collector):
    x = leaf([1.0, 2.0])
    middle = x * 2
    result = middle.exp()
    behind = weakref.ref(middle.grad_fn)
    del middle
    result.backward(tensor([1.0, 1.0]))
    assert behind() is None


def test_a_leaf_with_hooks_dies_without_the_collector(no_collector):
    x = leaf([1.0, 2.0])
    x.register_hook(lambda grad: grad * 2)
    x.register_post_accumulate_grad_hook(lambda x: None)
    y = x * 2
    y.retain_grad()
    y.sum().backward()
    nodes = [weakref.ref(x._node), weakref.ref(y._node)]
    del x, y
    assert [node() for node in nodes] == [None, None]


def test_a_product_with_a_constant_does_not_keep_its_input(no_collector):
    x = leaf(np.ones(5))
    y = x * 2
    array = weakref.ref(y._data)
    z = y * tensor(3.0, dtype=tinytorch.float64)
    del y
    assert array() is None
    assert z.requires_grad


def test_two_threads_run_backward_at_the_same_time():
    results = []

    def work(factor):
        x = leaf(1.0)
        y = x
        for _ in range(2000):
            y = y * 1.0
        (y * factor).backward()
        results.append(x.grad.item() == factor)

    threads = [threading.Thread(target=work, args=(float(i),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_an_upstream_gradient_takes_the_dtype_of_its_tensor():
    x = leaf([1.0, 2.0])
    (x * 3).backward(tensor([1, 2]))
    assert x.grad.dtype == x.dtype and x.grad.tolist() == [3, 6]


def test_grad_is_settable_with_the_right_shape_only():
    x = leaf([1.0, 2.0])
    x.grad = tinytorch.ones(2, dtype=x.dtype)
    with pytest.raises(RuntimeError, match=r"\(3,\)"):
        x.grad = tinytorch.zeros(3)
    with pytest.raises(TypeError):
        x.grad = 5


def test_gradcheck_finds_a_gradient_that_was_cut_off():
    x = tensor([1.0, 2.0], dtype=tinytorch.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match="is 0 by backward, 2 by nudging"):
        tinytorch.gradcheck(lambda x: x.detach() * 2, x)
    assert tinytorch.gradcheck(lambda x: x.detach().floor(), x + 0.5)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_gradcheck_undoes_its_nudge_whatever_its_function_raises(error):
    x = tensor([1.0, 2.0], dtype=tinytorch.float64, requires_grad=True)

    def function(x):
        if x.tolist() != [1.0, 2.0]:
            raise error
        return x * x

    with pytest.raises(error):
        tinytorch.gradcheck(function, x)
    assert x.tolist() == [1.0, 2.0]
