"""torch.func: functions made of functions."""

import pytest
from beside_torch import same_answer

import tinytorch
from tinytorch import func, tensor


def test_grad_is_a_function_that_can_be_differentiated_again():
    third = func.grad(func.grad(func.grad(lambda x: x**4)))
    assert third(tensor(2.0)).item() == 48
    assert not third(tensor(2.0)).requires_grad


def test_grad_of_chosen_arguments_with_more_that_the_function_says():
    def loss(w, x, y):
        error = w @ x - y
        return error * error, {"error": error}

    w, x, y = tensor([1.0, 2.0]), tensor([3.0, 4.0]), tensor(10.0)
    gradient, more = func.grad(loss, has_aux=True)(w, x, y)
    assert gradient.tolist() == [6, 8] and more["error"].item() == 1
    both = func.grad(lambda *a: loss(*a)[0], argnums=(0, 2))(w, x, y)
    assert [g.tolist() for g in both] == [[6, 8], -2]
    found, value = func.grad_and_value(lambda w: (w * w).sum())(w)
    assert found.tolist() == [2, 4] and value.item() == 5 and not value.requires_grad
    assert w.grad is None and not w.requires_grad


def test_an_argument_that_is_not_used_has_zeros():
    assert func.grad(lambda x, y: y.sum(), argnums=0)(tensor([1.0]), tensor([2.0])).tolist() == [0]


def test_a_gradient_of_what_is_in_a_graph_stays_in_it():
    x = tensor(3.0, requires_grad=True)
    func.grad(lambda x: x**3)(x).backward()
    assert x.grad.item() == 18


def test_vmap_is_a_loop_over_slices():
    x, w = tensor([[1.0, 2.0], [3.0, 4.0]]), tensor([1.0, 10.0])
    assert func.vmap(lambda x, w: x @ w, in_dims=(0, None))(x, w).tolist() == [21, 43]
    assert tinytorch.vmap(lambda x: x * 2, in_dims=1, out_dims=1)(x).tolist() == [[2, 4], [6, 8]]
    low, high = func.vmap(lambda x: (x.min(), x.max()))(x)
    assert (low.tolist(), high.tolist()) == ([1, 3], [2, 4])
    each = func.vmap(func.grad(lambda w, x: (w * x).sum() ** 2), in_dims=(None, 0))(w, x)
    assert each.tolist() == [[42, 84], [258, 344]]
    with pytest.raises(ValueError, match="one length"):
        func.vmap(lambda a, b: a + b)(x, tensor([1.0, 2.0, 3.0]))


PROGRAMS = {
    "grad": lambda t, x, y: t.func.grad(lambda x, y: (x * y).sin().sum(), argnums=1)(x, y),
    "vjp": lambda t, x, y: t.func.vjp(lambda a, b: a.exp() * b, x, y)[1](y)[0],
    "jvp": lambda t, x, y: t.func.jvp(lambda a, b: a.exp() * b, (x, y), (y, x))[1],
    "jacrev": lambda t, x, y: t.func.jacrev(lambda a, b: a.outer(b), argnums=(0, 1))(x, y)[1],
    "hessian": lambda t, x, y: t.func.hessian(lambda a: (a**3 * y).sum())(x),
    "vmap of jacrev": lambda t, x, y: t.func.vmap(t.func.jacrev(lambda a: a * a * y.sum()))(x),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    data = [1.0, 2.0, -1.0], [0.5, -2.0, 3.0]
    ours, theirs = (PROGRAMS[name](t, *map(t.tensor, data)) for t in (tinytorch, torch))
    assert tinytorch.allclose(ours, tinytorch.from_numpy(theirs.numpy()), atol=1e-5)
    assert ours.requires_grad == theirs.requires_grad


def test_a_result_that_nothing_moves_adds_nothing():
    _, back = func.vjp(lambda x: (x * 2, tensor(3.0)), tensor([1.0, 5.0]))
    (found,) = back((tensor([1.0, 1.0]), tensor(1.0)))
    assert found.tolist() == [2.0, 2.0]  # as in PyTorch 2.14


def _network(t):
    net = t.nn.Sequential(t.nn.Linear(2, 3), t.nn.BatchNorm1d(3), t.nn.Tanh(), t.nn.Linear(3, 1))
    with t.no_grad():
        for place, param in enumerate(net.parameters()):
            param.copy_(t.arange(param.numel()).reshape(param.shape).float().sin() + place / 10)
    return net.eval()


def calls_of_networks(t):
    net, x = _network(t), t.tensor([[1.0, 2.0], [3.0, -1.0]])
    params = {name: p.detach() * 2 for name, p in net.named_parameters()}
    buffers = dict(net.named_buffers())
    call = t.func.functional_call
    found = call(net, (params, buffers), (x,)), call(net, {"3.bias": t.ones(1)}, x), net(x)

    def loss(params, x, y):
        return ((call(net, params, (x.unsqueeze(0),)) - y) ** 2).mean()

    slopes = t.func.grad(loss)(params, x[0], t.tensor(1.0))
    each = t.func.vmap(t.func.grad(loss), in_dims=(None, 0, 0))(params, x, t.tensor([1.0, 2.0]))
    _, back = t.func.vjp(lambda p: call(net, p, (x,)), params)
    return [y.detach() for y in found], slopes, each, back(t.ones(2, 1))[0]


def ensembles(t):
    nets, x = [_network(t), _network(t)], t.tensor([[1.0, 2.0], [3.0, -1.0]])
    params, buffers = t.func.stack_module_state(nets)

    def call(params, buffers, x):
        return t.func.functional_call(nets[0], (params, buffers), (x,))

    y = t.func.vmap(call, in_dims=(0, 0, None))(params, buffers, x)
    return y.detach(), list(params["0.weight"].shape), params["0.weight"].requires_grad


def slopes_of_trees(t):
    f, a, b = t.func, t.tensor([1.0, 2.0]), t.tensor([3.0, 5.0])
    pair, tree = (a, b), {"a": a, "b": [b]}
    found = [
        f.jacrev(lambda d: d["a"] * d["b"][0])(tree),
        f.jacrev(lambda p, x: p[0] * p[1] * x, argnums=(0, 1))(pair, b),
        f.jacrev(lambda x: {"square": x * x, "parts": (x.sum(), x[0])})(a),
        f.jacfwd(lambda x: (x * x, {"more": x + 1}), has_aux=True)(a),
        f.hessian(lambda d: (d["a"] * d["b"][0] ** 2).sum())(tree),
        f.jvp(lambda d: {"product": d["a"] * d["b"][0]}, (tree,), ({"a": b, "b": [a]},)),
        f.vmap(f.jacrev(lambda d: d["a"] ** 2))({"a": t.stack([a, b])}),
    ]
    outputs, back = f.vjp(lambda x: {"double": 2 * x, "first": x[0]}, a)
    return found, outputs, back({"double": b, "first": t.tensor(1.0)})


def slopes_of_what_is_no_tensor(t):
    errors = []
    for ask in (t.func.jacrev, lambda f: lambda x: t.func.jvp(f, (x,), (x,))):
        with pytest.raises(Exception) as caught:
            ask(lambda x: 3.0)(t.ones(2))
        errors.append(issubclass(caught.type, (TypeError, RuntimeError, AssertionError)))
    return errors


def counts_of_a_network_that_is_a_function(t):
    norm = t.nn.BatchNorm1d(2)
    buffers = {name: buffer.clone() for name, buffer in norm.named_buffers()}
    t.func.functional_call(norm, buffers, (t.tensor([[1.0, 2.0], [3.0, 5.0]]),))
    return norm.num_batches_tracked, [[name, x] for name, x in norm.state_dict().items()]


def names_that_a_network_does_not_have(t):
    return t.func.functional_call(t.nn.Linear(1, 1), {"w": t.ones(1)}, t.ones(1), strict=True)


@pytest.mark.parametrize(
    "program",
    [
        calls_of_networks,
        ensembles,
        slopes_of_trees,
        slopes_of_what_is_no_tensor,
        counts_of_a_network_that_is_a_function,
        names_that_a_network_does_not_have,
    ],
)
def test_networks_as_functions_of_their_parameters_as_in_pytorch(program):
    same_answer(program)


def test_a_network_has_its_own_parameters_back_after_an_error():
    layer = tinytorch.nn.Linear(2, 1)
    weight = layer.weight
    with pytest.raises(RuntimeError):
        func.functional_call(layer, {"weight": tensor([[1.0]])}, tinytorch.ones(2))
    assert layer.weight is weight


def test_old_programs_wrap_tensors_in_variables():
    from tinytorch.autograd import Variable

    x = Variable(tensor([1, 2]))
    y = Variable(tensor([1.0]), requires_grad=True)
    assert x.dtype == tinytorch.int64 and y.requires_grad and isinstance(x, Variable)
    assert not isinstance(3, Variable)
