"""What programs written for PyTorch say by habit: devices, dtypes, printing, loaders."""

import subprocess
import sys
from copy import deepcopy

import pytest
from beside_torch import programs_in, same_answer

import tinytorch
from course.paths import ROOT


def _refused(move):
    """RuntimeError, as without a driver, or AssertionError, as PyTorch built for CPUs has it."""
    with pytest.raises((RuntimeError, AssertionError)):
        move()
    return True


def asking_for_a_gpu_without_one(t):
    return _refused(t.ones(1).cuda)


def moving_a_module_to_a_gpu_without_one(t):
    return _refused(t.nn.Linear(1, 1).cuda)


def a_device(t):
    cpu = t.device("cpu")
    x = t.ones(2, device=cpu)
    return cpu.type, str(cpu), repr(cpu), cpu.index, x.is_cuda, x.is_cpu, x.device.type


def switches_of_what_computes_elsewhere(t):
    t.backends.cuda.matmul.allow_tf32 = True
    t.backends.cudnn.allow_tf32 = True
    with t.backends.cudnn.flags(enabled=False):
        return t.cuda.is_available(), t.cuda.is_bf16_supported() and t.cuda.is_available()


def types_that_are_chosen_by_name(t):
    types = {"float32": t.float32, "bfloat16": t.bfloat16, "complex64": t.complex64}
    x = t.ones(2).to(types["float32"])
    same = [name for name, each in types.items() if x.dtype == each]
    return same, t.bfloat16.is_floating_point, t.cfloat.is_complex, t.cdouble == t.complex128


def in_which_type_two_would_meet(t):
    long, none = t.tensor([1, 2, 3]), t.tensor([])
    pairs = [(long, none), (long, 2.5), (2, t.ones(2, dtype=t.float16)), (t.tensor(1.0), long)]
    return [str(t.result_type(a, b)).split(".")[-1] for a, b in pairs]


def a_vector_over_a_buffer(t):
    memory = bytearray(range(12))
    x = t.frombuffer(memory, dtype=t.int32, count=2, offset=4)
    memory[4] = 9
    return x.tolist(), t.frombuffer(bytearray(4), dtype=t.float32, requires_grad=True)


def what_may_become_what(t):
    types = (t.bool, t.uint8, t.int64, t.float32, t.float64)
    return [t.can_cast(a, b) for a in types for b in types]


def two_tensors_on_one_device(t):
    return t.ones(1).device == t.zeros(2).device == t.device("cpu")


def seeding_everything(t):
    t.manual_seed(3)
    t.cuda.manual_seed(3)
    t.cuda.manual_seed_all(3)
    t.cuda.empty_cache()
    t.backends.cudnn.benchmark = False
    t.backends.cudnn.deterministic = True
    return t.backends.mps.is_available()


def tensors_by_type(t):
    made = t.FloatTensor([1, 2]), t.LongTensor([[1], [2]]), t.ByteTensor([3]), t.DoubleTensor([1])
    return *made, t.IntTensor([4]), t.BoolTensor([0, 1]), t.HalfTensor([0.5]), t.LongTensor([1.5])


def tensors_by_sizes(t):
    made = t.Tensor(2, 3), t.FloatTensor(2), t.LongTensor(1, 2), t.Tensor()
    return [(list(x.shape), str(x.dtype).rpartition(".")[2]) for x in made]


def a_size_is_sizes(t):
    return list(t.Tensor(t.ones(2, 3).size()).shape)


def float64_by_default(t):
    t.set_default_dtype(t.float64)
    try:
        made = t.tensor([1.5]), t.zeros(1), t.arange(1.0), t.linspace(0, 1, 2), t.eye(1)
        results = t.arange(1, 3) / 2, t.sin(t.arange(2)), t.tensor([1, 2]) * 0.5, t.Tensor([1])
        text = repr(t.tensor([1.5])).replace("torch", "tinytorch")
        return *made, *results, t.nn.Linear(1, 1).weight.dtype == t.float64, text
    finally:
        t.set_default_dtype(t.float32)


def an_integer_dtype_by_default(t):
    t.set_default_dtype(t.int64)


def limits_of_dtypes(t):
    f = [(i.eps, i.max, i.min, i.tiny, i.bits) for i in (t.finfo(t.float32), t.finfo(t.float16))]
    return f, [(i.max, i.min, i.bits) for i in (t.iinfo(t.int64), t.iinfo(t.uint8))], t.finfo().eps


def compiled(t):
    @t.compile(backend="eager")
    def double(x):
        return 2 * x

    return double(t.ones(1)), t.compile(lambda x: x + 1, backend="eager")(t.ones(1))


def _printed(t, x, **options):
    t.set_printoptions(**options)
    try:
        return repr(x)
    finally:
        t.set_printoptions(profile="default")


def printing(t):
    x = t.arange(12.0).reshape(3, 4) / 7
    settings = (
        {"precision": 2},
        {"threshold": 5, "edgeitems": 1},
        {"linewidth": 30},
        {"sci_mode": True},
        {"profile": "short"},
        {},
    )
    large = t.tensor([1e-5, 1.0])
    texts = [_printed(t, x, **options) for options in settings]
    return (
        *texts,
        _printed(t, large, sci_mode=False),
        len(_printed(t, t.ones(2000), profile="full")),
    )


# --- data ---


def _batches(loader):
    return [batch.tolist() for batch in loader], len(loader)


def loaders_with_samplers(t):
    data, utils = list(range(10)), t.utils.data
    in_order = utils.SequentialSampler(data)
    return [
        _batches(utils.DataLoader(data, batch_size=4, sampler=in_order)),
        _batches(utils.DataLoader(data, sampler=[3, 1])),
        _batches(utils.DataLoader(data, batch_sampler=[[1, 2], [3]])),
        _batches(utils.DataLoader(data, batch_sampler=utils.BatchSampler(in_order, 4, True))),
        _batches(utils.DataLoader(data, 5, num_workers=0, pin_memory=False, timeout=0)),
        sorted(utils.SubsetRandomSampler([5, 7])),
        len(list(utils.RandomSampler(data, num_samples=25))),
        len(list(utils.RandomSampler(data, replacement=True, num_samples=3))),
        sorted(utils.RandomSampler(data)),
        list(utils.WeightedRandomSampler([0.0, 1.0], 3)),
        type(utils.DataLoader(data, shuffle=True).sampler).__name__,
    ]


def streams_of_samples(t):
    class Stream(t.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(5))

    loader = t.utils.data.DataLoader(Stream(), batch_size=2)
    single = t.utils.data.DataLoader(Stream(), batch_size=None)
    return [batch.tolist() for batch in loader], list(single), [b.tolist() for b in loader]


def the_length_of_a_stream(t):
    class Stream(t.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(5))

    return len(t.utils.data.DataLoader(Stream()))


def a_data_set_that_grows(t):
    data = [1, 2]
    loader = t.utils.data.DataLoader(data, batch_size=2, shuffle=True)
    data += [3, 4, 5]
    return sorted(number for batch in loader for number in batch.tolist()), len(loader)


def sampler_and_shuffle(t):
    t.utils.data.DataLoader([1], sampler=[0], shuffle=True)


def batch_sampler_and_batch_size(t):
    t.utils.data.DataLoader([1], batch_sampler=[[0]], batch_size=2)


def a_shuffled_stream(t):
    class Stream(t.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(5))

    t.utils.data.DataLoader(Stream(), shuffle=True)


def tensors_that_are_resized(t):
    x = t.arange(6)
    small, large = x.clone().resize_(2, 2), t.ones(2).resize_((3, 4)).fill_(7.0)
    x.resize_(3).fill_(8)  # the memory of before
    return small, large, t.empty(0).resize_as_(large).zero_(), x.resize_(2, 3)


def a_tensor_that_may_not_be_resized(t):
    return t.ones(2, requires_grad=True).resize_(3)


def an_optimizer_that_fills_in_what_copies_lack(t):
    class Plain(t.optim.SGD):
        def __setstate__(self, state):
            super().__setstate__(state)
            for group in self.param_groups:
                group.setdefault("extra", 3)

    w = t.nn.Parameter(t.ones(2))
    copy = deepcopy(Plain([w], lr=0.5))
    (x,) = copy.param_groups[0]["params"]
    x.grad = t.ones(2)
    copy.step()
    return copy.param_groups[0]["extra"], x.detach(), w.detach()


def old_names(t):
    w = t.nn.Parameter(t.ones(4))
    w.grad = t.ones(4)
    norm = t.nn.utils.clip_grad_norm(w, 1.0)
    b, A = t.tensor([[1.0], [2.0]]), t.tensor([[2.0, 1.0], [5.0, 4.0]])
    ways = [(True, False), (True, True), (False, False), (False, True)]
    solved = [t.triangular_solve(b, A, *way) for way in ways]
    t.testing.assert_allclose(t.ones(2), t.ones(2, dtype=t.float64))
    return norm, w.grad, [list(each) for each in solved], solved[0].solution.shape


@pytest.mark.filterwarnings("ignore:.*size_average")
def losses_of_old_programs(t):
    F, nn = t.nn.functional, t.nn
    x, y = t.tensor([[0.2, 0.9], [0.6, 0.3]]), t.tensor([[0.0, 1.0], [1.0, 1.0]])
    ways = [dict(size_average=False), dict(reduce=False), dict(size_average=True, reduce=True)]
    found = []
    for way in ways:
        found += [F.binary_cross_entropy(x, y, **way), F.mse_loss(x, y, **way)]
        found += [F.cross_entropy(x, t.tensor([1, 0]), **way), nn.L1Loss(**way)(x, y)]
        found += [nn.NLLLoss(t.tensor([1.0, 2.0]), **way)(x, t.tensor([1, 0]))]
        found += [F.kl_div(x.log(), y, **way), nn.MultiMarginLoss(p=2, **way)(x, t.tensor([1, 0]))]
    return found


@pytest.mark.filterwarnings("ignore:.*size_average")
def losses_of_old_programs_by_place(t):
    F, nn = t.nn.functional, t.nn
    x, y = t.tensor([[0.2, 0.9], [0.6, 0.3]]), t.tensor([[0.0, 1.0], [1.0, 1.0]])
    weight, classes, sides = t.tensor([1.0, 2.0]), t.tensor([1, 0]), t.tensor([1.0, -1.0])
    of_numbers = [
        [loss(x, y, False), loss(x, y, True, False), loss(x, y, None, None, "sum")]
        for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.soft_margin_loss, F.kl_div)
    ]
    of_classes = [
        [loss(x, classes, weight, False), loss(x, classes, weight, None, 0)]
        + [loss(x, classes, None, None, 1, False), loss(x, classes, None, None, -100, None, "sum")]
        for loss in (F.nll_loss, F.cross_entropy)
    ]
    modules = [
        nn.MSELoss(False)(x, y),
        nn.CrossEntropyLoss(weight, None, 1, False)(x, classes),
        nn.NLLLoss(None, False)(x, classes),
        nn.BCEWithLogitsLoss(None, None, None, "sum", weight)(x, y),
        nn.PoissonNLLLoss(True, False, False, 1e-8)(x, y),
        nn.TripletMarginLoss(1.0, 2.0, 1e-6, False, False)(x, y, x + 1),
        nn.CosineEmbeddingLoss(0.5, None, False)(x, y, sides),
    ]
    pairs = [
        F.hinge_embedding_loss(x, sides, 1.0, False),
        F.margin_ranking_loss(x[0], x[1], sides, 0.5, None, False),
        F.multi_margin_loss(x, classes, 1, 1.0, weight, False),
        F.multilabel_soft_margin_loss(x, y, weight, None, False),
        F.poisson_nll_loss(x, y, True, False, None, 1e-8, False),
        F.binary_cross_entropy(x, y, None, False),
    ]
    return of_numbers, of_classes, modules, pairs


def a_loss_with_a_setting_said_twice(t):
    x, y = t.ones(2), t.zeros(2)
    with pytest.raises(TypeError):
        t.nn.functional.mse_loss(x, y, None, None, "sum", reduction="sum")
    with pytest.raises(TypeError):
        t.nn.MSELoss(None, None, "sum", 1, 2)
    with pytest.raises(TypeError):
        t.nn.functional.soft_margin_loss(x, y, None, None, "sum", 1, 2)


def a_shuffled_data_set_without_samples(t):
    return t.utils.data.DataLoader([], shuffle=True)


def second_names_in_place(t):
    x = t.tensor([-3.0, 1.0, 5.0])
    return x.clone().clip_(min=0), x.clone().clip_(max=2.0), x.clone().clip_(0, 2), x.clip(0)


def starts_of_recurrent_layers(t):
    net = t.nn.GRU(2, 3, num_layers=2, bidirectional=True, bias=False)
    for name in net._flat_weights_names:
        t.nn.init.ones_(net._parameters[name])
    return net._flat_weights_names, sum(p.sum() for p in net.parameters()).detach()


def limits_of_a_dtype_that_is_a_name(t):
    found = t.finfo(t.bfloat16)
    return [getattr(found, name) for name in ("resolution", "max", "eps", "tiny", "bits")]


def a_vector_normalized_into_another(t):
    out = t.empty(2)
    return t.nn.functional.normalize(t.tensor([3.0, 4.0]), dim=0, out=out) is out, out


def mixtures(t):
    D = t.distributions
    choice = D.Categorical(t.tensor([[0.25, 0.75], [0.5, 0.5]]))
    one = D.MixtureSameFamily(choice, D.Normal(t.tensor([0.0, 4.0]), t.tensor([1.0, 2.0])))
    pairs = D.Independent(D.Normal(t.arange(8.0).reshape(2, 2, 2), t.ones(2, 2, 2)), 1)
    two = D.MixtureSameFamily(choice, pairs)
    return one.mean, one.variance, two.mean, two.variance, one.stddev


def processes_that_are_not_asked_for(t):
    return t.distributed.is_initialized()


def a_loop_that_draws(t):
    t.manual_seed(1)
    one = t.func.vmap(lambda x: x + t.rand(2), randomness="different")(t.zeros(3, 2))
    same = t.func.vmap(lambda x: x + t.rand(2), randomness="same")(t.zeros(3, 2))
    return (one[0] == one[1]).any(), (same == same[0]).all()


def a_loop_that_draws_in_no_known_way(t):
    return t.func.vmap(lambda x: x, randomness="often")(t.zeros(3, 2))


def products_by_name(t):
    A, x = t.tensor([[1.0, 2.0], [3.0, 4.0]]), t.tensor([5.0, 6.0])
    B = A.expand(3, 2, 2)
    added = [
        t.addmv(x, mat=A, vec=x, beta=2),
        t.addr(A, vec1=x, vec2=x),
        t.baddbmm(B, batch1=B, batch2=B),
        A.addbmm(batch1=B, batch2=B, alpha=0.5),
        x.clone().addmv_(mat=A, vec=x),
    ]
    return added, A.mm(mat2=A), B.bmm(mat2=B), t.mv(A, vec=x), t.dot(x, tensor=x)


def a_copy_that_does_not_wait(t):
    return t.zeros(2).copy_(t.ones(1), non_blocking=True)


def tables_of_short_rows(t):
    table = t.tensor([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0], [1.0, 1.0]])
    layer = t.nn.Embedding.from_pretrained(table.clone(), freeze=False, max_norm=1.0, norm_type=1)
    found = layer(t.tensor([[0, 0], [1, 3]]))
    (found * t.tensor([1.0, 10.0])).sum().backward()
    other = t.nn.functional.embedding(t.tensor([2]), table, max_norm=2.0)
    return found.detach(), layer.weight.detach(), layer.weight.grad, other, table


def tables_whose_gradients_count(t):
    layer = t.nn.Embedding(4, 2, 1, scale_grad_by_freq=True)
    layer(t.tensor([[0, 0, 0], [1, 3, 3]])).sum().backward()
    shown = t.nn.Embedding(4, 2, max_norm=1.0, norm_type=1.0, sparse=True), t.nn.Embedding(4, 2)
    return layer.weight.grad, repr(layer), *map(repr, shown)


def functions_that_give_more(t):
    def f(x):
        return (x**2).sum(), {"twice": x * 2}

    def g(x):
        return x**2, x + 1

    x = t.tensor([1.0, 2.0])
    y, back, more = t.func.vjp(f, x, has_aux=True)
    forward = t.func.jvp(g, (x,), (t.ones(2),), has_aux=True)
    rows = t.func.jacrev(g, has_aux=True)(x)
    columns = t.func.jacfwd(g, has_aux=True)(x)
    pieces = t.func.vmap(lambda x: x * 2, chunk_size=1)(x)
    asked = [more["twice"].requires_grad, rows[1].requires_grad]
    return y, back(t.tensor(1.0)), more, list(forward), list(rows), list(columns), pieces, asked


def a_check_with_other_settings(t):
    x = t.tensor([1.0, 2.0], dtype=t.float64, requires_grad=True)
    return t.autograd.gradcheck(lambda x: x**3, x, nondet_tol=1e-6, fast_mode=True)


def hooks_with_named_arguments(t):
    class Scaled(t.nn.Module):
        def forward(self, x, by=1.0):
            return x * by

    net, seen = Scaled(), []
    net.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    net.register_forward_pre_hook(
        lambda module, args, named: (args, {"by": named.get("by", 1) * 2}), with_kwargs=True
    )
    net.register_forward_hook(lambda module, args, output: output * 10)
    net.register_forward_hook(lambda *all_of_it: seen.append(all_of_it[1:]), with_kwargs=True)
    return net(t.ones(2), by=3.0), net(t.ones(1)), seen


def a_hook_that_gives_too_little(t):
    net = t.nn.Identity()
    net.register_forward_pre_hook(lambda module, args, named: args, with_kwargs=True)
    return net(t.ones(2))


def elements_by_functions_of_python(t):
    x = t.tensor([[1.0, -2.0], [3.0, 0.5]])
    found = x.clone().apply_(lambda x: x**2 + 1), x.clone().map_(x.mT, lambda x, y: x * y)
    return *found, t.arange(4).apply_(lambda n: n * 3)


def a_function_of_python_has_no_gradient(t):
    return t.ones(2, requires_grad=True).apply_(abs)


def decompositions_of_old_programs(t):
    A = t.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
    u, s, v = A.svd()
    return u @ t.diag(s) @ v.T, s, [x.shape for x in t.svd(A, some=False)]


def packed_sequences_that_move(t):
    packed = t.nn.utils.rnn.pack_sequence([t.ones(2, 1), t.ones(1, 1)])
    moved = packed.to("cpu"), packed.cpu(), packed.double(), packed.to(t.float64).float()
    return [(x.data, x.batch_sizes) for x in moved], packed.is_cuda


def functions_of_layers_beside_the_others(t):
    x, w, row = t.tensor([[[1.0, -2.0, 3.0, 0.5]]]), t.tensor([[[1.0, 2.0]]]), t.tensor([-1.0, 4.0])
    found = [t.conv1d(x, w), t.conv1d(x, w, None, 2), t.layer_norm(x, (4,)), t.max_pool1d(x, 2)]
    found += [t.dropout(x, 0.5, False), t.prelu(x, w[0, 0, :1]), t.selu(x), t.threshold(x, 0.0, 7)]
    found += [t.conv_transpose1d(x, w), t.group_norm(x, 1), t.avg_pool1d(x, 2), t.rms_norm(x, (4,))]
    changed = [t.relu_(row.clone()), t.exp_(row.clone()), t.clamp_(row.clone(), 0, 1)]
    changed += [t.zero_(row.clone()), t.nn.functional.elu_(row.clone(), 2.0)]
    changed += [t.nn.functional.relu_(row), row]
    return found, changed


def modules_that_turn(t):
    net = t.nn.Linear(2, 1)
    net.compile()
    doubled = t.nn.BatchNorm1d(2)._apply(lambda x: x * 2)
    state = [[name, x] for name, x in doubled.state_dict().items()]
    return net.type(t.float64).weight.dtype == t.float64, t.Generator().device.type, state


def names_of_types(t):
    x = t.ones(2)
    asked = isinstance(x, t.FloatTensor), isinstance(x, t.LongTensor), isinstance(3, t.IntTensor)
    made = t.LongTensor([1, 2]), t.FloatTensor(2, 3).shape, x.type(t.DoubleTensor), x.type()
    return asked, made, isinstance(x.long(), t.LongTensor), t.HalfTensor.dtype == t.float16


def an_inverse_that_is_not_there(t):
    try:
        t.linalg.inv(t.zeros(2, 2))
    except t.linalg.LinAlgError as error:
        return isinstance(error, RuntimeError)


def pieces_beyond_the_ends(t):
    x = t.arange(4)
    return [t.tensor_split(x, ends) for ends in ((-9, 9), (1, -1), (-3, 2), (5, 1))]


def booleans_with_a_factor(t):
    yes, no, two = t.tensor(True), t.tensor(False), t.tensor(2)
    found = [t.add(yes, yes, alpha=2), t.add(no, yes, alpha=0), t.add(yes, two, alpha=2)]
    return [
        *found,
        t.add(two, yes, alpha=3),
        two.add(yes, alpha=3),
        t.add(two * 1.0, yes, alpha=2.5),
    ]


def sequences_out_of_their_batch(t):
    rows = [t.arange(n * 2.0).reshape(n, 2) for n in (2, 3, 1)]
    rnn = t.nn.utils.rnn
    packed = rnn.pack_sequence(rows, enforce_sorted=False)
    return rnn.unpack_sequence(packed), rnn.unpad_sequence(
        rnn.pad_sequence(rows), t.tensor([2, 3, 1])
    )


def a_device_with_a_number(t):
    return t.ones(2, device="cpu:0"), t.device("cpu:0").type


def the_type_of_plain_floats(t):
    return t.arange(2).type(t.Tensor), (t.ones(2) > 0).type(t.Tensor)


def nothing_at_all(t):
    x = t.zeros(0)
    return x.unique_consecutive(), x.logcumsumexp(0), t.zeros(0, 2).logcumsumexp(1)


def numbers_that_are_drawn_aside(t):
    t.manual_seed(0)
    expected = t.rand(3)
    t.manual_seed(0)
    with t.random.fork_rng():
        t.rand(5)
    return t.equal(t.rand(3), expected)


def names_of_objects(t):
    class Named(t.nn.Linear):
        def _get_name(self):
            return "Mine"

    net = t.nn.Sequential(Named(1, 2))
    return t.typename(t.ones(1)), t.typename([]), t.typename(3), repr(net)


def functions_with_autocast(t):
    class Double(t.autograd.Function):
        @staticmethod
        @t.amp.custom_fwd(device_type="cpu")
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @t.amp.custom_bwd(device_type="cpu")
        def backward(ctx, grad):
            return grad * 2

    x = t.ones(2, requires_grad=True)
    Double.apply(x).sum().backward()
    return x.grad, t.get_num_threads() > 0, t.version.cuda if t.__name__ != "torch" else None


def memory_of_a_gpu_without_one(t):
    return t.cuda.memory_allocated(), t.cuda.max_memory_allocated(), t.cuda.memory_reserved()


def starts_that_pass_on_what_comes(t):
    kernels = [t.nn.init.dirac_(t.ones(*shape)) for shape in ((3, 2, 3), (2, 3, 4, 3))]
    return kernels, t.nn.init.dirac_(t.ones(4, 2, 1, 3, 3), 2), t.nn.init.eye_(t.ones(2, 3))


def a_dirac_of_two_dimensions(t):
    return t.nn.init.dirac_(t.ones(2, 3))


def a_dirac_of_unequal_groups(t):
    return t.nn.init.dirac_(t.ones(3, 3, 1), 2)


def an_eye_of_three_dimensions(t):
    return t.nn.init.eye_(t.ones(2, 3, 1))


def zeros_in_each_column(t):
    w = t.nn.init.sparse_(t.ones(10, 4), 0.25)
    return (w == 0).sum(0), (w.abs() < 0.1).all()


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


@pytest.mark.parametrize("name", ["bfloat16", "complex64"])
def test_a_type_that_is_only_a_name_has_no_tensors(name):
    with pytest.raises(RuntimeError, match=f"a dtype that tensors have, .* got tinytorch.{name}"):
        tinytorch.ones(2).to(getattr(tinytorch, name))


def test_the_old_name_of_qr_that_newer_versions_of_pytorch_refuse():
    A = tinytorch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
    for found in (A.qr(), tinytorch.qr(A), tinytorch.qr(A, some=False)):
        assert tinytorch.allclose(found.Q @ found.R, A)
    assert found.Q.shape == (3, 3) and found.R.shape == (3, 2)


def test_workers_are_accepted_and_all_is_done_here():
    settings = dict(num_workers=4, pin_memory=True, persistent_workers=True, prefetch_factor=2)
    loader = tinytorch.utils.data.DataLoader(range(3), 2, **settings)
    assert [batch.tolist() for batch in loader] == [[0, 1], [2]]


@pytest.mark.parametrize(
    "name",
    [
        "backends.cudnn",
        "cuda",
        "cuda.amp.GradScaler",
        "utils.data.dataloader",
        "autograd.gradcheck.gradgradcheck",
        "nn.utils.clip_grad.clip_grad_norm_",
        "nn.utils.convert_parameters.vector_to_parameters",
        "nn.utils.spectral_norm.spectral_norm",
        "nn.utils.weight_norm.weight_norm",
    ],
)
def test_names_can_be_imported_from_where_torch_has_them(name):
    home, _, last = name.rpartition(".")
    run = f"from tinytorch.{home} import {last}" if home else f"import tinytorch.{last}"
    subprocess.run([sys.executable, "-c", run], check=True, cwd=ROOT)
