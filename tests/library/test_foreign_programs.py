"""What programs written for PyTorch bring: old names, rarer arguments, checkpoints, data sets."""

import pytest
from beside_torch import numbers, programs_in, same_answer, same_as_torch, same_module_as_torch

import tinytorch
from tinytorch import nn

IMAGE = numbers(2, 3, 4, 5)


def sigmoid_next_to_zero(t):
    x = t.tensor([-5.0, -12.0, -20.0, -80.0, -200.0, 30.0, float("-inf")])
    return [t.sigmoid(x).log().tolist(), t.sigmoid(x.double())]


def softmax_without_a_dimension(t):
    F, x = t.nn.functional, t.arange(6.0).reshape(2, 3)
    found = [F.softmax(x), F.log_softmax(x[0]), F.softmin(x[None]), t.nn.Softmax()(x)]
    return found, t.nn.LogSoftmax()(x), F.softmax(x, 1, dtype=t.float64)


def in_place_by_its_place(t):
    x = t.tensor([-1.0, 2.0])
    t.nn.functional.threshold(x, 0.0, 0.5, True)
    return x, t.nn.functional.elu(x.clone(), 2.0, True)


def old_names_of_initial_values(t):
    x = t.nn.init.constant(t.zeros(2), 3.0)
    return x, list(t.nn.init.xavier_normal(t.zeros(2, 2)).shape)


def weighted_covariances(t):
    x = t.tensor([[1.0, 2.0, 4.0], [2.0, 0.0, 1.0]])
    often, much = t.tensor([1, 2, 3]), t.tensor([0.5, 1.0, 2.0])
    found = [x.cov(fweights=often), x.cov(aweights=much), x.cov(fweights=often, aweights=much)]
    return found, x.cov(correction=0, aweights=much), x[:1].cov(), x[0].cov(), x.long().cov()


def medians_along_a_dimension(t):
    x = t.tensor([[3.0, float("nan"), 1.0, 2.0], [float("nan"), float("nan"), 5.0, 4.0]])
    return list(t.nanmedian(x, 1)), list(x.nanmedian(dim=0, keepdim=True))


def places_in_an_order(t):
    x = t.tensor([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]])
    y, order = t.tensor([[2.0, 5.0], [2.0, 7.0]]), t.tensor([[2, 1, 0], [0, 1, 2]])
    found = [t.searchsorted(x, y, out_int32=True), t.bucketize(y, x[0], right=True)]
    turned = t.tensor([[5.0, 3.0, 1.0], [2.0, 4.0, 6.0]])
    return found, t.searchsorted(turned, y, sorter=order), t.isin(x, y, invert=True)


def constants_of_a_loss(t):
    x, y = t.tensor([0.5, 1.0, 2.0]), t.tensor([0.0, 1.0, 4.0])
    loss = t.nn.functional.poisson_nll_loss
    return loss(x, y, full=True), loss(x, y, False, True), t.nn.PoissonNLLLoss(full=True)(x, y)


def rarer_arguments(t):
    x = t.tensor([1, 2])
    return (
        t.rsub(x, 3, alpha=2),
        t.repeat_interleave(x),
        t.cdist(x[:, None] * 1.0, x[:, None] * 2.0),
    )


def factors_before_what_they_multiply(t):
    x, y = t.ones(2), t.tensor([1.0, 3.0])
    found = [t.add(x, 2, y), x.sub(2, y), x.addcmul(0.5, y, y), t.addcdiv(x, 3, x, y)]
    x.requires_grad_(False).add_(-0.5, y).addcmul_(2.0, y, y)
    return found, x, x.sub_(2, y)


def mixed_precision(t):
    scaler, x = t.amp.GradScaler("cpu", enabled=False), t.ones(2, requires_grad=True)
    optimizer = t.optim.SGD([x], lr=0.1)
    with t.autocast("cpu", enabled=False), t.amp.autocast("cpu", t.float16, enabled=False):
        loss = (x * x).sum()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    return x, scaler.get_scale(), scaler.is_enabled(), scaler.state_dict()


def instance_norm_with_running_moments(t):
    x, mean, var = t.tensor(IMAGE), t.zeros(3), t.ones(3)
    norm = t.nn.functional.instance_norm
    found = norm(x, mean, var, momentum=0.5), norm(x, mean, var, use_input_stats=False)
    return found, mean, var


def streams_and_stacks(t):
    data = t.utils.data

    class Stream(data.IterableDataset[int]):
        def __init__(self, n):
            self.n = n

        def __iter__(self):
            assert data.get_worker_info() is None
            return iter(range(self.n))

        def __len__(self):
            return self.n

    both = Stream(2) + Stream(3)
    stack = data.StackDataset([1, 2], t.arange(2))
    named = data.StackDataset(x=[1, 2], y=t.arange(2))
    batches = [batch.tolist() for batch in data.DataLoader(both, batch_size=2)]
    return list(both), len(both), batches, list(stack[1]), named[0], len(named)


def stacks_of_other_lengths(t):
    return t.utils.data.StackDataset([1], [1, 2])


def a_network_wrapped(t):
    net = t.nn.DataParallel(t.nn.Linear(2, 1))
    return sorted(net.state_dict()), list(net(t.ones(3, 2)).shape)


def a_state_that_nobody_takes(t):
    class Counting(t.nn.Module):
        def get_extra_state(self):
            return 5

    return Counting().load_state_dict(Counting().state_dict())


def computed_twice(t):
    from importlib import import_module

    again = import_module(f"{t.__name__}.utils.checkpoint")
    net = t.nn.Sequential(*[t.nn.Linear(3, 3) for _ in range(3)])
    for param in net.parameters():
        t.nn.init.constant_(param, 0.1)
    x, calls = t.arange(6.0).reshape(2, 3).requires_grad_(), []

    def part(x, scale):
        calls.append(t.is_grad_enabled())
        return net(x) * scale, x * 2

    y, z = again.checkpoint(part, x, 3.0, use_reentrant=True)
    (y.sum() + z.sum()).backward()
    grads = [x.grad] + [param.grad.clone() for param in net.parameters()]
    again.checkpoint_sequential(net, 2, x.detach(), use_reentrant=False).sum().backward()
    return calls, grads, [param.grad for param in net.parameters()]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)


LAYERS = {
    "InstanceNorm2d": lambda nn: nn.InstanceNorm2d(3, affine=True, track_running_stats=True),
    "InstanceNorm2d, later": lambda nn: nn.InstanceNorm2d(3, track_running_stats=True).eval(),
    "InstanceNorm3d": lambda nn: nn.InstanceNorm3d(2),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_agree_with_pytorch(name):
    same_module_as_torch(LAYERS[name], IMAGE if "2d" in name else numbers(1, 2, 3, 4, 2))


def test_weights_of_covariances_agree():
    same_as_torch(lambda t, x, w: x.cov(aweights=w.abs() + 1), numbers(3, 4), numbers(4, seed=2))


def test_dropout_drops_the_same_twice():
    drop, x = nn.Dropout(0.5), tinytorch.ones(100, requires_grad=True)
    y = tinytorch.utils.checkpoint.checkpoint(drop, x)
    y.sum().backward()
    assert tinytorch.equal(x.grad, y)
