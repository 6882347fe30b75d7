"""Modules: names, walks, modes, states, hooks, printing; the layers that hold parameters."""

import copy
import inspect

import numpy as np
import pytest
from beside_torch import numbers, same_as_torch, same_module_as_torch

import tinytorch
from tinytorch import nn


class Network(nn.Module):
    """Parameters, a buffer, a list, and one layer used twice."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(tinytorch.tensor(2.0))
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.BatchNorm1d(2)])
        self.again = self.layers[0]
        self.register_buffer("seen", tinytorch.zeros(1))
        self.register_buffer("scratch", tinytorch.zeros(1), persistent=False)

    def forward(self, x):
        return self.again(self.layers[1](self.layers[0](x))) * self.scale


# --- names ---


def test_parameters_are_named_by_dots_and_counted_once():
    names = [name for name, _ in Network().named_parameters()]
    layers = ["layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias"]
    assert names == ["scale", *layers]


def test_buffers_and_modules_are_named_by_dots():
    net = Network()
    statistics = [f"layers.1.{name}" for name in ("running_mean", "running_var")]
    names = [name for name, _ in net.named_buffers()]
    assert names == ["seen", "scratch", *statistics, "layers.1.num_batches_tracked"]
    assert [name for name, _ in net.named_modules()] == ["", "layers", "layers.0", "layers.1"]
    assert [name for name, _ in net.named_children()] == ["layers", "again"]
    assert list(net.children()) == [net.layers, net.again]


def test_a_part_used_twice_has_a_state_under_both_names():
    layer = nn.Linear(1, 1)
    net = nn.Sequential(layer, layer)
    assert list(net.state_dict()) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    assert [name for name, _ in net.named_modules(remove_duplicate=False)] == ["", "0", "1"]
    assert [name for name, _ in net.named_parameters()] == ["0.weight", "0.bias"]


def test_a_part_that_became_none_keeps_its_place():
    net = nn.Sequential(nn.Tanh(), nn.ReLU())
    net.register_module("1", None)
    assert len(net) == 2 and list(net.modules()) == [net, net[0]]
    assert repr(net) == "Sequential(\n  (0): Tanh()\n  (1): None\n)"


def test_assigning_replaces_what_was_registered():
    net = nn.Linear(2, 3)
    net.weight = nn.Parameter(tinytorch.zeros(3, 2))
    net.bias = None
    assert net(tinytorch.ones(1, 2)).tolist() == [[0.0, 0.0, 0.0]]
    assert [name for name, _ in net.named_parameters()] == ["weight"]
    net.weight = nn.Linear(1, 1)
    assert list(net.parameters()) == [*net.weight.parameters()]
    del net.weight
    assert not hasattr(net, "weight")


def test_a_plain_attribute_gives_way_to_a_parameter():
    net = nn.Module()
    net.weight = None
    net.weight = nn.Parameter(tinytorch.ones(1))
    assert net.weight.tolist() == [1.0]


def test_a_parameter_cannot_become_a_plain_tensor():
    net = nn.Linear(2, 3)
    with pytest.raises(TypeError, match="'weight' must be a Parameter or None, got Tensor"):
        net.weight = tinytorch.zeros(3, 2)
    net.bias = None
    with pytest.raises(TypeError, match="'bias' must be a Parameter or None, got Tensor"):
        net.bias = tinytorch.zeros(3)
    del net.bias
    net.bias = tinytorch.zeros(3)
    with pytest.raises(TypeError, match="a Tensor or None, got int"):
        net.register_buffer("count", 3)


def test_a_parameter_before_super_init_says_what_to_do():
    class Hasty(nn.Module):
        def __init__(self):
            self.weight = nn.Parameter(tinytorch.ones(1))

    with pytest.raises(AttributeError, match=r"call super\(\).__init__\(\) before 'weight'"):
        Hasty()


def test_an_unknown_attribute_names_the_class():
    with pytest.raises(AttributeError, match="'Linear' object has no attribute 'wieght'"):
        _ = nn.Linear(1, 1).wieght


@pytest.mark.parametrize("name", ["", "a.b", "forward", "training"])
def test_names_that_would_confuse_are_refused(name):
    with pytest.raises(KeyError):
        nn.Module().register_parameter(name, None)


def test_a_name_that_is_no_string_is_refused():
    with pytest.raises(TypeError, match="must be a string, got 3"):
        nn.ModuleDict()[3] = nn.ReLU()


def test_a_buffer_that_is_not_saved_stays_so_when_it_changes():
    net = Network()
    net.scratch = net.scratch + 1
    assert "scratch" not in net.state_dict() and net.scratch.tolist() == [1.0]


def test_what_takes_a_name_over_comes_last():
    net = nn.Module()
    net.a, net.b = nn.ReLU(), nn.Parameter(tinytorch.ones(1))
    net.c = nn.Parameter(tinytorch.ones(1))
    net.a = nn.Parameter(tinytorch.ones(1))
    assert [name for name, _ in net.named_parameters()] == ["b", "c", "a"]


@pytest.mark.parametrize("register", ["parameter", "buffer", "module"])
def test_the_name_of_an_attribute_cannot_be_registered(register):
    net = nn.Module()
    net.count = 3
    with pytest.raises(KeyError, match="'count' cannot be registered"):
        getattr(net, f"register_{register}")("count", None)


def test_a_buffer_registered_again_may_become_part_of_the_state():
    net = nn.Module()
    net.register_buffer("seen", tinytorch.zeros(1), persistent=False)
    net.register_buffer("seen", tinytorch.zeros(1))
    assert list(net.state_dict()) == ["seen"]


def test_a_buffer_that_is_deleted_leaves_nothing_behind():
    net = nn.Module()
    net.register_buffer("seen", tinytorch.zeros(1), persistent=False)
    del net.seen
    net.seen = nn.Parameter(tinytorch.zeros(1))
    assert list(net.state_dict()) == ["seen"]


@pytest.mark.parametrize("kind", ["Linear", "Conv2d", "LayerNorm", "BatchNorm1d"])
def test_a_bias_left_out_can_only_become_a_parameter(kind):
    arguments = {"Linear": (2, 3), "Conv2d": (2, 3, 1)}.get(kind, (3,))
    net = getattr(nn, kind)(*arguments, bias=False)
    assert net.bias is None
    with pytest.raises(TypeError, match="'bias' must be a Parameter or None"):
        net.bias = tinytorch.zeros(3)


def test_train_takes_true_or_false_only():
    with pytest.raises(ValueError, match="takes True or False, got 'no'"):
        nn.ReLU().train("no")


def test_a_module_without_forward_says_so():
    with pytest.raises(NotImplementedError, match=r"Module has no forward\(\)"):
        nn.Module()(1)


# --- parameters ---


def test_a_parameter_is_a_leaf_that_requires_grad_and_shares_memory():
    data = tinytorch.zeros(2)
    param = nn.Parameter(data)
    data[0] = 5.0
    assert param.requires_grad and param.is_leaf
    assert repr(param) == "Parameter containing:\ntensor([5., 0.], requires_grad=True)"
    assert not nn.Parameter(tinytorch.tensor([1]), requires_grad=False).requires_grad
    with pytest.raises(RuntimeError, match="floating-point"):
        nn.Parameter(tinytorch.tensor([1]))


def test_a_result_made_of_parameters_is_no_parameter():
    param = nn.Parameter(tinytorch.ones(2))
    assert type(param * 2) is type(param + param) is type(param.sum()) is tinytorch.Tensor


def test_a_copied_module_learns_on_its_own():
    net = nn.Sequential(nn.Linear(2, 1))
    net(tinytorch.ones(1, 2)).sum().backward()
    other = copy.deepcopy(net)
    assert other[0].weight.grad is None and net[0].weight.grad is not None
    other[0].bias.data.fill_(7.0)
    assert type(other[0].weight) is nn.Parameter
    assert net[0].bias.item() != 7.0
    assert other[0].weight.tolist() == net[0].weight.tolist()


# --- modes ---


def test_train_and_eval_reach_all_parts():
    net = Network().eval()
    assert not any(module.training for module in net.modules())
    assert all(module.training for module in net.train().modules())


def test_requires_grad_and_zero_grad_reach_all_parameters():
    net = Network()
    net(tinytorch.randn(3, 2)).sum().backward()
    assert all(param.grad is not None for param in net.parameters())
    net.zero_grad(set_to_none=False)
    assert net.scale.grad.item() == 0.0
    net.zero_grad()
    assert all(param.grad is None for param in net.parameters())
    net.requires_grad_(False)
    assert not any(param.requires_grad for param in net.parameters())


def test_double_turns_floats_and_leaves_integers():
    net = Network().double()
    assert {param.dtype for param in net.parameters()} == {tinytorch.float64}
    assert net.layers[1].num_batches_tracked.dtype == tinytorch.int64
    assert net(tinytorch.zeros(2, 2, dtype=tinytorch.float64)).dtype == tinytorch.float64
    assert net.to(dtype=tinytorch.float32).to("cpu").scale.dtype == tinytorch.float32


def test_apply_visits_parts_before_the_whole():
    seen = []
    net = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Tanh()))
    assert net.apply(lambda module: seen.append(type(module).__name__)) is net
    assert seen == ["ReLU", "Tanh", "Sequential", "Sequential"]


# --- state ---


class Vocabulary(nn.Module):
    """Keeps words, which are no tensors, as extra state."""

    def __init__(self, *words):
        super().__init__()
        self.words = list(words)
        self.weight = nn.Parameter(tinytorch.ones(1))

    def get_extra_state(self):
        return {"words": list(self.words)}

    def set_extra_state(self, state):
        self.words = state["words"]


def test_extra_state_goes_with_the_state_dict(tmp_path):
    net = nn.Sequential(nn.Linear(1, 1), Vocabulary("a", "b"))
    tinytorch.save(net.state_dict(), tmp_path / "net")
    state = tinytorch.load(tmp_path / "net")
    assert state["1._extra_state"] == {"words": ["a", "b"]}
    other = nn.Sequential(nn.Linear(1, 1), Vocabulary())
    assert other.load_state_dict(state) == ([], [])
    assert other[1].words == ["a", "b"] and "1._extra_state" in state
    del state["1._extra_state"]
    with pytest.raises(RuntimeError, match=r'Missing .*"1._extra_state"'):
        other.load_state_dict(state)
    with pytest.raises(RuntimeError, match=r'Unexpected .*"_extra_state"'):
        nn.Linear(1, 1).load_state_dict({**nn.Linear(1, 1).state_dict(), "_extra_state": 3})


def test_state_dict_holds_what_persists_under_every_name():
    state = Network().state_dict()
    assert "seen" in state and "scratch" not in state
    assert {"layers.0.weight", "again.weight", "layers.1.running_var"} <= state.keys()
    assert not state["scale"].requires_grad


def test_a_prefix_stands_before_every_name_of_a_state():
    assert list(nn.Sequential(nn.Linear(1, 1)).state_dict(prefix="net.")) == [
        "net.0.weight",
        "net.0.bias",
    ]


def test_a_buffer_may_become_a_parameter_and_is_then_no_buffer():
    net = Network()
    net.seen = nn.Parameter(tinytorch.ones(1))
    assert "seen" not in dict(net.named_buffers()) and "seen" in dict(net.named_parameters())
    with pytest.raises(TypeError, match="'scratch' must be a Tensor or None, got int"):
        net.scratch = 3


def test_a_loaded_state_gives_the_same_results():
    one, other, x = Network(), Network(), tinytorch.randn(3, 2)
    assert other.load_state_dict(one.state_dict()) == ([], [])
    assert other.eval()(x).tolist() == one.eval()(x).tolist()
    assert other.scale.requires_grad


def test_of_two_values_for_one_parameter_the_last_one_stays():
    net = nn.Sequential(*[nn.Linear(1, 1, bias=False)] * 5)
    values = {name: tinytorch.full((1, 1), i) for i, name in enumerate(net.state_dict())}
    net.load_state_dict(values)
    assert net[0].weight.item() == 4


def test_missing_and_unexpected_keys_are_all_named():
    net = nn.Linear(2, 1)
    with pytest.raises(RuntimeError) as caught:
        net.load_state_dict({"weight": tinytorch.zeros(1, 3), "wieght": tinytorch.zeros(1)})
    message = str(caught.value)
    assert 'Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: "bias"' in (
        message
    )
    assert 'Unexpected key(s) in state_dict: "wieght"' in message
    assert "size mismatch for weight: the state_dict has shape (1, 3), the model (1, 2)" in message


def test_a_lenient_load_takes_what_fits_and_reports_the_rest():
    net = nn.Linear(2, 1)
    result = net.load_state_dict({"bias": tinytorch.tensor([3.0]), "more": 1}, strict=False)
    assert result.missing_keys == ["weight"] and result.unexpected_keys == ["more"]
    assert net.bias.tolist() == [3.0]


# --- hooks ---


def test_hooks_see_and_change_what_goes_in_and_out():
    net, seen = nn.Identity(), []
    before = net.register_forward_pre_hook(lambda module, args: args[0] + 1)
    after = net.register_forward_hook(
        lambda module, args, out: seen.append((args, out)) or out * 10
    )
    assert net(2) == 30
    assert seen == [((3,), 3)]
    before.remove()
    after.remove()
    after.remove()
    assert net(2) == 2


# --- containers ---


def test_sequential_calls_one_after_the_other():
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    assert net(tinytorch.zeros(5, 2)).shape == (5, 1)
    assert len(net) == 3 and net[-1] is list(net)[2]
    assert list(net[1:].state_dict()) == ["2.weight", "2.bias"]
    net[1] = nn.Tanh()
    assert type(net[1]) is nn.Tanh
    with pytest.raises(IndexError, match="index 3"):
        net[3]
    assert list(nn.Sequential({"first": nn.Linear(1, 1)}).state_dict())[0] == "first.weight"


@pytest.mark.parametrize("kind", ["Sequential", "ModuleList"])
def test_rows_of_modules_change_as_lists_do(kind):
    def changed(nn):
        parts = [nn.ReLU(), nn.Tanh(), nn.Sigmoid()]
        row = nn.Sequential(*parts) if kind == "Sequential" else nn.ModuleList(parts)
        row.insert(1, nn.GELU())
        del row[0]
        row.extend([nn.SiLU()])
        return repr(row.pop(1)) + repr(row)

    torch = pytest.importorskip("torch")
    assert changed(nn) == changed(torch.nn)
    assert nn.ReLU() not in nn.Sequential(nn.ReLU())


@pytest.mark.parametrize("kind", ["Sequential", "ModuleList"])
def test_rows_of_modules_are_added_as_lists_are(kind):
    def added(nn):
        one, two = nn.Sequential(nn.ReLU()), nn.Sequential(nn.Tanh(), nn.GELU())
        if kind == "ModuleList":
            one, two = nn.ModuleList(one), list(two)
        return repr(one + two) + repr(one)

    torch = pytest.importorskip("torch")
    assert added(nn) == added(torch.nn)


def test_lists_and_dicts_of_modules_register_them():
    parts = nn.ModuleList([nn.Linear(1, 1)]).append(nn.ReLU()).extend([nn.Linear(1, 1, bias=False)])
    assert [name for name, _ in parts.named_parameters()] == ["0.weight", "0.bias", "2.weight"]
    parts += [nn.ReLU()]
    assert len(parts[:2]) == 2 and len(parts) == 4
    named = nn.ModuleDict({"a": nn.Linear(1, 1, bias=False)})
    named["b"] = nn.ReLU()
    assert "b" in named and list(named.keys()) == ["a", "b"] and len(named) == 2
    del named["b"]
    with pytest.raises(KeyError, match="b"):
        del named["b"]
    assert named.get("b") is None and named == named and named != nn.ModuleDict(named)
    assert [name for name, _ in named.named_parameters()] == ["a.weight"]


# --- printing ---


def test_modules_print_as_pytorch_prints_them():
    torch = pytest.importorskip("torch")

    def build(nn):
        inner = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2))
        layers = [inner, nn.Flatten(), nn.Dropout(0.1), nn.Embedding(3, 4, padding_idx=0)]
        others = nn.ModuleList([nn.LayerNorm(3), nn.GELU(), nn.LeakyReLU(), nn.Softmax(dim=1)])
        return nn.Sequential(*layers, nn.ModuleDict({"a": nn.Linear(1, 2, bias=False)}), others)

    ours = [line for line in repr(build(nn)).split("\n")]
    theirs = [line for line in repr(build(torch.nn)).split("\n")]
    assert ours == theirs


def test_a_network_may_have_settings_of_its_own():
    class Named(nn.Module):
        def __init__(self):
            super().__init__()
            self.settings = {"width": 3}

    assert repr(Named()) == "Named()"


def test_a_list_prints_equal_neighbours_once():
    torch = pytest.importorskip("torch")

    def build(nn):
        blocks = [nn.Sequential(nn.Linear(1, 1), nn.ReLU()) for _ in range(2)]
        return nn.ModuleList([nn.Tanh(), *blocks, nn.Tanh(), nn.Tanh()])

    assert "(3-4): 2 x Tanh()" in repr(build(nn))
    assert repr(build(nn)) == repr(build(torch.nn))


# --- layers, beside PyTorch's ---


@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 5, 3), (0, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_linear_agrees_with_torch(shape, bias):
    same_module_as_torch(lambda nn: nn.Linear(3, 2, bias=bias), numbers(*shape))


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(
    "build, shape",
    [
        (lambda nn: nn.BatchNorm1d(3), (4, 3)),
        (lambda nn: nn.BatchNorm1d(3, momentum=None, eps=0.1), (4, 3, 2)),
        (lambda nn: nn.BatchNorm2d(3, momentum=0.3), (2, 3, 2, 4)),
        (lambda nn: nn.BatchNorm2d(3, affine=False), (2, 3, 2, 4)),
        (lambda nn: nn.BatchNorm1d(3, track_running_stats=False), (4, 3)),
    ],
)
def test_batch_norm_agrees_with_torch(build, shape, training):
    same_module_as_torch(lambda nn: build(nn).train(training), numbers(*shape), tolerance=1e-4)


def test_batch_norm_remembers_mean_and_unbiased_variance():
    norm = nn.BatchNorm1d(1, momentum=0.5)
    y = norm(tinytorch.tensor([[1.0], [3.0]]))
    assert y.round().tolist() == [[-1.0], [1.0]]
    assert norm.running_mean.tolist() == [0.5 * 0 + 0.5 * 2]
    assert norm.running_var.tolist() == [0.5 * 1 + 0.5 * 2]
    assert norm.num_batches_tracked.item() == 1
    again = norm.eval()(tinytorch.tensor([[1.0]]))
    assert again.item() == pytest.approx(0.0) and norm.num_batches_tracked.item() == 1


def test_batch_norm_refuses_what_it_cannot_normalize():
    with pytest.raises(ValueError, match="more than one number a channel"):
        nn.BatchNorm1d(2)(tinytorch.zeros(1, 2))
    with pytest.raises(ValueError, match="BatchNorm2d needs 4-d input, got 2-d"):
        nn.BatchNorm2d(2)(tinytorch.zeros(1, 2))
    with pytest.raises(RuntimeError, match=r"running_mean must have shape \(3,\), got \(2,\)"):
        nn.BatchNorm1d(2)(tinytorch.zeros(4, 3))


@pytest.mark.parametrize(
    "build",
    [
        lambda nn: nn.LayerNorm(4),
        lambda nn: nn.LayerNorm((3, 4), eps=0.1),
        lambda nn: nn.LayerNorm(4, bias=False),
        lambda nn: nn.LayerNorm(4, elementwise_affine=False),
    ],
)
def test_layer_norm_agrees_with_torch(build):
    same_module_as_torch(build, numbers(2, 3, 4), tolerance=1e-4)


def test_running_statistics_can_be_switched_off_and_on_as_in_torch():
    def outputs(t):
        x = t.tensor(numbers(4, 2))
        norm = t.nn.BatchNorm1d(2)
        results = [norm(x)]
        norm.track_running_stats = False
        results += [norm(x * 3), norm.eval()(x), norm.running_mean]
        norm.running_mean = norm.running_var = None
        return [result.detach().numpy() for result in [*results, norm(x)]]

    torch = pytest.importorskip("torch")
    for ours, theirs in zip(outputs(tinytorch), outputs(torch), strict=True):
        np.testing.assert_allclose(ours, theirs, 1e-5, 1e-5)


@pytest.mark.parametrize("build", [lambda: nn.BatchNorm1d(2), lambda: nn.LayerNorm(np.int64(2))])
def test_norms_can_be_reset(build):
    norm = build()
    norm(tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    for tensor in norm.state_dict().values():
        tensor.fill_(7)
    norm.reset_parameters()
    state = {name: tensor.tolist() for name, tensor in norm.state_dict().items()}
    assert state["weight"] == [1.0, 1.0] and state["bias"] == [0.0, 0.0]
    if "running_mean" in state:
        assert state["running_mean"] == [0.0, 0.0] and state["running_var"] == [1.0, 1.0]
        assert state["num_batches_tracked"] == 0


@pytest.mark.parametrize("freeze", [True, False])
def test_a_table_of_words_may_be_given(freeze):
    table = tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]])
    words = nn.Embedding.from_pretrained(table, freeze=freeze, padding_idx=-1)
    assert words(tinytorch.tensor([1])).tolist() == [[3.0, 4.0]]
    assert words.weight.requires_grad is not freeze
    assert repr(words) == "Embedding(2, 2, padding_idx=1)"


def test_a_layer_without_inputs_gives_its_bias_of_zero():
    assert nn.Linear(0, 2)(tinytorch.zeros(1, 0)).tolist() == [[0.0, 0.0]]


def test_embedding_agrees_with_torch():
    words = np.array([[1, 0, 1], [3, 2, 1]])
    torch = pytest.importorskip("torch")
    ours, theirs = nn.Embedding(4, 2, padding_idx=2), torch.nn.Embedding(4, 2, padding_idx=2)
    ours.load_state_dict({"weight": tinytorch.tensor(theirs.weight.detach().numpy())})
    for layer, t in ((ours, tinytorch), (theirs, torch)):
        (layer(t.tensor(words)) * t.tensor([1.0, 2.0])).sum().backward()
    assert ours.weight.grad.tolist() == theirs.weight.grad.tolist()
    assert ours.weight.grad.tolist() == [[1, 2], [3, 6], [0, 0], [1, 2]]


@pytest.mark.parametrize(
    "build",
    [
        lambda nn: nn.ReLU(),
        lambda nn: nn.LeakyReLU(negative_slope=0.2),
        lambda nn: nn.GELU(),
        lambda nn: nn.GELU("tanh"),
        lambda nn: nn.SiLU(),
        lambda nn: nn.Sigmoid(),
        lambda nn: nn.Tanh(),
        lambda nn: nn.Softmax(dim=-1),
        lambda nn: nn.LogSoftmax(dim=0),
        lambda nn: nn.Flatten(),
        lambda nn: nn.Flatten(0, 1),
        lambda nn: nn.Identity(),
        lambda nn: nn.Dropout(0.5).eval(),
    ],
)
def test_modules_without_parameters_agree_with_torch(build):
    same_module_as_torch(build, numbers(2, 3, 4) * 3)


@pytest.mark.parametrize("name", ["relu", "silu", "leaky_relu"])
def test_activations_in_place_agree_with_torch(name):
    def activate(t, x):
        x = x * 1
        y = getattr(t.nn.functional, name)(x, inplace=True)
        assert y is x
        return y

    same_as_torch(activate, numbers(2, 3))
    assert repr(nn.ReLU(inplace=True)) == "ReLU(inplace=True)"


def test_a_module_of_a_function_says_what_it_takes():
    assert str(inspect.signature(nn.LeakyReLU)) == "(negative_slope=0.01, inplace=False)"
    assert str(inspect.signature(nn.Dropout)) == "(p=0.5, inplace=False)"


@pytest.mark.parametrize(
    "build",
    [
        lambda **like: nn.Conv2d(1, 2, 3, **like),
        lambda **like: nn.Embedding(3, 2, **like),
        lambda **like: nn.BatchNorm1d(2, **like),
        lambda **like: nn.LayerNorm(2, **like),
    ],
)
def test_layers_are_made_in_the_dtype_that_is_asked_for(build):
    layer = build(device="cpu", dtype=tinytorch.float64)
    tensors = [t for t in layer.state_dict().values() if t.is_floating_point()]
    assert len(tensors) > 0 and all(t.dtype == tinytorch.float64 for t in tensors)
    with pytest.raises(RuntimeError, match="cuda"):
        build(device="cuda")


def test_a_module_of_a_function_can_be_built_upon():
    class Louder(nn.LeakyReLU):
        def __init__(self, factor):
            super().__init__(negative_slope=0.5)
            self.factor = factor

        def forward(self, input):
            return super().forward(input) * self.factor

    assert Louder(3)(tinytorch.tensor([-2.0, 1.0])).tolist() == [-3.0, 3.0]


def test_dictionaries_of_parts_can_be_changed_as_in_torch():
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    net._modules["1"] = nn.Tanh()
    net._modules["more"] = nn.Linear(3, 1)
    assert [name for name, _ in net.named_children()] == ["0", "1", "more"]
    assert net.more is net._modules["more"] and net(tinytorch.ones(4, 2)).shape == (4, 1)
    weight = net[0]._parameters.pop("weight")
    net[0]._parameters["bias"] = None
    assert not hasattr(net[0], "weight") and net[0].bias is None and list(net[0].state_dict()) == []
    net[0]._parameters["weight"] = weight
    assert net[0].weight is weight and [*net[0].parameters()] == [weight]
    with pytest.raises(KeyError):
        del net[0]._parameters["nothing"]
    with pytest.raises(TypeError, match="must be a Parameter"):
        net[0]._parameters["weight"] = tinytorch.ones(1)
    del net._modules["more"]
    assert len(net) == 2 and repr(net._modules) == repr(dict(net.named_children()))
