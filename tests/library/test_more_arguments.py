"""Arguments that are rarely given, and functions that go with them, as in PyTorch."""

import pytest
from beside_torch import numbers, programs_in, same_answer


def _filled(t, net):
    with t.no_grad():
        for place, param in enumerate(net.parameters()):
            param.copy_(t.tensor(numbers(*param.shape, seed=place)) / 3)
    return net


def a_transformer_told_that_its_masks_are_causal(t):
    net = _filled(t, t.nn.Transformer(4, 2, 1, 1, 8, dropout=0.0, batch_first=True))
    x, y = t.tensor(numbers(2, 3, 4, seed=50)), t.tensor(numbers(2, 3, 4, seed=51))
    mask = net.generate_square_subsequent_mask(3)
    masks = dict(src_mask=mask, tgt_mask=mask, memory_mask=mask)
    told = dict(src_is_causal=True, tgt_is_causal=True, memory_is_causal=True)
    within = net.decoder(y, x, mask, tgt_is_causal=True, memory_is_causal=False)
    return net(x, y, **masks, **told), net(x, y, tgt_mask=mask, tgt_is_causal=True), within


def a_transformer_told_so_without_a_mask(t):
    net = t.nn.Transformer(4, 2, 1, 1, 8, dropout=0.0, batch_first=True)
    return net(t.ones(1, 2, 4), t.ones(1, 2, 4), tgt_is_causal=True)


def _with_grads(t):
    params = [t.zeros(2, 2, requires_grad=True), t.zeros(3, requires_grad=True), t.zeros(1)]
    for place, param in enumerate(params[:2]):
        param.grad = t.tensor(numbers(*param.shape, seed=place) * 3)
    return params


def clipping_with_foreach(t):
    utils, params = t.nn.utils, _with_grads(t)
    total = utils.clip_grad_norm_(params, 2.0, foreach=False)
    grads = [param.grad.clone() for param in params[:2]]
    utils.clip_grad_value_(params, 0.5, foreach=True)
    return total, grads, [param.grad for param in params[:2]]


def norms_of_several_tensors(t):
    utils, params = t.nn.utils, _with_grads(t)
    grads = [param.grad for param in params[:2]]
    totals = [utils.get_total_norm(grads, p) for p in (2.0, 1, float("inf"))]
    utils.clip_grads_with_norm_(params, 1.0, totals[0], foreach=None)
    return totals, grads, utils.get_total_norm([]), utils.get_total_norm(t.ones(4), foreach=False)


def a_norm_that_is_not_finite(t):
    grads = [t.tensor([float("inf")])]
    return t.nn.utils.get_total_norm(grads, error_if_nonfinite=True)


def sequences_filled_up_on_the_left(t):
    pad, sequences = t.nn.utils.rnn.pad_sequence, [t.ones(2, 2), t.ones(3, 2) * 2]
    found = [pad(sequences, padding_side=side) for side in ("left", "right")]
    return found, pad(sequences, True, -1.0, "left")


def sequences_filled_up_on_top(t):
    return t.nn.utils.rnn.pad_sequence([t.ones(2)], padding_side="top")


def _checkpointed(t, **settings):
    x, calls = t.tensor([1.0, 2.0], requires_grad=True), []

    def part(x, scale=1.0):
        calls.append(t.is_grad_enabled())
        return (x * x).exp() * scale

    run = t.utils.checkpoint.checkpoint
    y = run(part, x, use_reentrant=False, scale=2.0, **settings)
    y.sum().backward()
    return y, x.grad, len(calls)


def checkpoints_with_all_arguments(t):
    return _checkpointed(t, determinism_check="none", debug=False, preserve_rng_state=False)


def checkpoints_in_blocks_of_ones_own(t):
    from contextlib import contextmanager

    seen = []

    @contextmanager
    def block(name):
        seen.append(name)
        yield
        seen.append(f"{name} ends")

    found = _checkpointed(t, context_fn=lambda: (block("first"), block("again")))
    return found, seen[:3]


def a_checkpoint_with_an_unknown_check(t):
    return _checkpointed(t, determinism_check="strict")


def norms_of_weights_taken_off(t):
    utils, found = t.nn.utils, []
    for add, remove in [
        (utils.weight_norm, utils.remove_weight_norm),
        (utils.spectral_norm, utils.remove_spectral_norm),
    ]:
        layer, x = t.nn.Linear(1, 3), t.ones(2, 1)
        layer = add(_filled(t, layer))
        before = layer(x)
        assert remove(layer) is layer
        found += [before, layer(x), sorted(dict(layer.named_parameters())), len(layer.state_dict())]
        found += [type(layer.weight).__name__, layer.weight.is_leaf, layer.weight.requires_grad]
    return found


def _no_norm(name):
    def program(t):
        return getattr(t.nn.utils, name)(t.nn.Linear(2, 2))

    program.__name__, program.__module__ = name, __name__
    return program


no_weight_norm, no_spectral_norm = map(_no_norm, ("remove_weight_norm", "remove_spectral_norm"))


def a_norm_taken_off_after_a_change(t):
    layer = t.nn.utils.weight_norm(_filled(t, t.nn.Linear(2, 3)))
    with t.no_grad():
        layer.weight_g *= 2
    t.nn.utils.remove_weight_norm(layer)
    return layer.weight, layer(t.ones(1, 2)), layer.training


def a_norm_taken_off_looks_for_no_better_one(t):
    layer = t.nn.utils.spectral_norm(_filled(t, t.nn.Linear(2, 3)))
    with t.no_grad():
        layer.weight_u.copy_(t.tensor([1.0, 0.0, 0.0]))
        layer.weight_v.copy_(t.tensor([1.0, 0.0]))
    t.nn.utils.remove_spectral_norm(layer)
    return layer.weight, layer.training


def the_wrong_norm_of_a_weight_taken_off(t):
    return t.nn.utils.remove_spectral_norm(t.nn.utils.weight_norm(t.nn.Linear(2, 2)))


def hooks_that_come_first(t):
    net, seen = t.nn.Linear(1, 1), []
    net.register_forward_pre_hook(lambda m, args: seen.append("pre 1"))
    first = net.register_forward_pre_hook(lambda m, args: seen.append("pre 2"), prepend=True)
    net.register_forward_hook(lambda m, args, y: seen.append("post 1"))
    net.register_forward_hook(
        lambda m, a, k, y: seen.append("post 2"), prepend=True, with_kwargs=True
    )
    net.register_full_backward_hook(lambda m, i, o: seen.append("back 1"))
    net.register_full_backward_hook(lambda m, i, o: seen.append("back 2"), prepend=True)
    net.register_full_backward_pre_hook(lambda m, o: seen.append("to 1"))
    net.register_full_backward_pre_hook(lambda m, o: seen.append("to 2"), prepend=True)
    net(t.ones(1, 1, requires_grad=True)).sum().backward()
    first.remove()
    net(t.ones(1, 1)).sum().backward()
    return seen


def hooks_that_change_gradients_before_a_module(t):
    net, seen = _filled(t, t.nn.Linear(2, 2)), []
    handle = net.register_full_backward_pre_hook(lambda m, grads: (grads[0] * 2,))
    net.register_full_backward_pre_hook(lambda m, grads: (grads[0] + 1,))
    net.register_full_backward_hook(lambda m, i, o: seen.append([*i, *o]))
    x = t.tensor(numbers(3, 2), requires_grad=True)
    (net(x) ** 2).sum().backward()
    handle.remove()
    again = t.tensor(numbers(3, 2), requires_grad=True)
    (net(again) ** 2).sum().backward()
    return x.grad, again.grad, net.weight.grad, seen


def as_many_gradients_as_come(t):
    net = t.nn.Linear(2, 2)
    net.register_full_backward_pre_hook(lambda m, grads: (grads[0], grads[0]))
    net(t.ones(1, 2, requires_grad=True)).sum().backward()


def averages_of_all_parameters_at_once(t):
    swa, found = t.optim.swa_utils, []
    makers = [
        {"multi_avg_fn": swa.get_ema_multi_avg_fn(0.75)},
        {"multi_avg_fn": swa.get_swa_multi_avg_fn()},
        {"avg_fn": swa.get_swa_avg_fn()},
        {"multi_avg_fn": swa.get_ema_multi_avg_fn(0.5), "use_buffers": True},
    ]
    for settings in makers:
        net = _filled(t, t.nn.Sequential(t.nn.Linear(2, 2), t.nn.BatchNorm1d(2)))
        mean = swa.AveragedModel(net, **settings)
        for place in range(3):
            net(t.tensor(numbers(4, 2, seed=place)))
            with t.no_grad():
                net[0].weight *= 2
            mean.update_parameters(net)
        found += [mean.n_averaged, *mean.module.parameters(), *mean.module.buffers()]
    return found


def two_ways_to_average(t):
    swa = t.optim.swa_utils
    multi = swa.get_ema_multi_avg_fn()
    return swa.AveragedModel(t.nn.Linear(1, 1), avg_fn=swa.get_ema_avg_fn(), multi_avg_fn=multi)


def a_decay_above_one(t):
    return t.optim.swa_utils.get_ema_multi_avg_fn(1.5)


def a_table_that_is_given(t):
    rows = t.tensor(numbers(3, 2))
    table = t.nn.Embedding(3, 2, padding_idx=1, _weight=rows)
    still = t.nn.Embedding(3, 2, _weight=rows, _freeze=True)
    same = table.weight.data_ptr() == rows.data_ptr()
    found = table(t.tensor([0, 1])), table.weight.requires_grad, still.weight.requires_grad, same
    return found, t.nn.EmbeddingBag(3, 2, mode="sum", _weight=rows)(t.tensor([[0, 2]]))


def a_table_of_another_size(t):
    return t.nn.Embedding(3, 2, _weight=t.ones(2, 2))


def loaders_with_settings_of_other_machines(t):
    loader = t.utils.data.DataLoader(
        range(5),
        batch_size=2,
        multiprocessing_context=None,
        pin_memory_device="",
        in_order=True,
        persistent_workers=False,
    )
    return [batch.tolist() for batch in loader]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)
