"""Wrong answers to the exercises of chapter 10, each with words that its message must contain."""

import numpy as np

from course.misconceptions import wrong


@wrong("10.1", "modes.record", says="without train_mode, record() trains")
def record_does_not_train(train_mode=True):
    return Switch(grad_enabled=True, recording=True, unrecorded=False)


@wrong("10.1", "modes.record", says="train_mode alone says it")
def record_always_trains(train_mode=True):
    return Switch(grad_enabled=True, recording=True, unrecorded=False, training=True)


@wrong("10.1", "modes.record", says="grad_enabled is what decides, and record() switches it on")
def record_without_grad_mode(train_mode=True):
    return Switch(recording=True, unrecorded=False, training=train_mode)


@wrong("10.1", "modes.record", says="is_recording() wants grad_enabled and recording, both")
def record_is_grad_mode_only(train_mode=True):
    return Switch(grad_enabled=True, training=train_mode)


@wrong("10.1", "modes.record", says="grad_enabled becomes what unrecorded says")
def record_leaves_unrecorded(train_mode=True):
    return Switch(grad_enabled=True, recording=True, training=train_mode)


@wrong("10.1", "modes.record", says="record() moved recording, training before it was entered")
def record_sets_at_once(train_mode=True):
    set_recording(True)
    set_training(train_mode)
    return Switch(grad_enabled=True, recording=True, unrecorded=False, training=train_mode)


@wrong("10.1", "modes.record", says="a Switch waits for the `with`")
def record_sets_what_it_can_at_once(train_mode=True):
    set_recording(True)
    return Switch(training=train_mode)


@wrong("10.1", "modes.record", says="in here train_mode is the argument")
def record_enters_train_mode(train_mode=True):
    with train_mode():
        return Switch(grad_enabled=True, recording=True, unrecorded=False)


@wrong("10.1", "modes.record", says="record() gave None")
def record_only_sets(train_mode=True):
    set_recording(True)
    set_training(train_mode)


@wrong("10.1", "modes.record", says="set_recording() and set_training() act at once")
def record_sets_and_gives_none(train_mode=True):
    set_recording(True)
    set_training(train_mode)


@wrong("10.1", "modes.record", says="no yield is needed, return the Switch itself")
def record_yields(train_mode=True):
    with Switch(grad_enabled=True, recording=True, unrecorded=False, training=train_mode):
        yield


@wrong("10.1", "modes.record", says="no yield is needed, return the Switch itself")
def record_yields_in_a_context_manager(train_mode=True):
    from contextlib import contextmanager

    @contextmanager
    def scope():
        with Switch(grad_enabled=True, recording=True, unrecorded=False, training=train_mode):
            yield

    return scope()


@wrong("10.1", "modes.record", says="set_recording() moves unrecorded too, and a Switch puts back")
def record_by_hand_in_a_context_manager(train_mode=True):
    from contextlib import contextmanager

    @contextmanager
    def scope():
        recorded, trained = set_recording(True), set_training(train_mode)
        try:
            yield
        finally:
            set_training(trained)
            set_recording(recorded)

    return scope()


@wrong("10.1", "modes.pause", says="without train_mode, pause() doesn't train")
def pause_trains(train_mode=True):
    return Switch(grad_enabled=False, recording=False, training=train_mode)


@wrong("10.1", "modes.pause", says="train_mode alone says it")
def pause_leaves_training(train_mode=False):
    return Switch(grad_enabled=False, recording=False, unrecorded=False)


@wrong("10.1", "modes.pause", says="train_mode alone says it")
def pause_ignores_its_parameter(train_mode=False):
    return Switch(grad_enabled=False, recording=False, unrecorded=False, training=False)


@wrong("10.1", "modes.pause", says="grad_enabled is what decides, and pause() switches it off")
def pause_leaves_grad_mode(train_mode=False):
    return Switch(recording=False, unrecorded=False, training=train_mode)


@wrong("10.1", "modes.pause", says="pause() switches recording off, and not only grad_enabled")
def pause_is_no_grad(train_mode=False):
    return Switch(grad_enabled=False, training=train_mode)


@wrong("10.1", "modes.pause", says="pause() switches unrecorded too, and so puts it back")
def pause_forgets_unrecorded(train_mode=False):
    return Switch(grad_enabled=False, recording=False, training=train_mode)


@wrong("10.1", "modes.train_mode", says="it's only about training")
def train_mode_records(train_mode=True):
    return record()


@wrong("10.1", "modes.train_mode", says="it's only about training")
def train_mode_enables_grad():
    return Switch(training=True, grad_enabled=True)


@wrong("10.1", "modes.predict_mode", says="it's only about training")
def predict_mode_pauses():
    return pause()


@wrong("10.1", "modes.predict_mode", says="predict_mode() is about training")
def predict_mode_trains():
    return Switch(training=True)


@wrong("10.1", "modes.predict_mode", says="predict_mode() is about training")
def predict_mode_is_the_other_switch():
    return Switch(grad_enabled=False)


@wrong("10.1", "modes.predict_mode", says="a scope puts back what it found, whatever that was")
def predict_mode_leaves_the_default_behind():
    class Scope(Switch):
        def __exit__(self, *exception):
            super().__exit__(*exception)
            state.training = True

    return Scope(training=False)


@wrong("10.1", "modes.predict_mode", says="a scope puts back what it found, whatever that was")
def predict_mode_leaves_false_behind():
    class Scope(Switch):
        def __exit__(self, *exception):
            super().__exit__(*exception)
            state.training = False

    return Scope(training=False)


@wrong("10.1", "modes.train_mode", says="a scope ends with an exception as it ends without one")
def train_mode_forgets_an_exception():
    from contextlib import contextmanager

    @contextmanager
    def scope():
        before = set_training(True)
        yield
        set_training(before)

    return scope()


@wrong("10.1", "modes.train_mode", says="an exception comes out of a scope as it went in")
def train_mode_swallows_an_exception():
    class Scope(Switch):
        def __exit__(self, *exception):
            super().__exit__(*exception)
            return True

    return Scope(training=True)


@wrong(
    "10.1", "modes.train_mode", says="in_mode(): (is_recording(), is_training()) in another thread"
)
def train_mode_for_all_threads():
    class Scope(Switch):
        def __enter__(self):
            self.before, type(state).training = type(state).training, True
            return super().__enter__()

        def __exit__(self, *exception):
            type(state).training = self.before
            super().__exit__(*exception)

    return Scope(training=True)


@wrong("10.2", says="is_training() is False in a performance")
def drops_in_a_performance(x, p, rng):
    stays = rng.random(x.shape) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong("10.2", says="in a rehearsal some are dropped")
def drops_only_in_a_performance(x, p, rng):
    if is_training():
        return x
    stays = rng.random(x.shape) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong("10.2", says="those that stay are divided by 1 - p")
def no_louder(x, p, rng):
    if not is_training():
        return x
    return x * tensor(rng.random(x.shape) >= p, dtype=x.dtype)


@wrong("10.2", says="those that stay are divided by 1 - p")
def quieter_in_a_performance(x, p, rng):
    if not is_training():
        return x * (1 - p)
    return x * tensor(rng.random(x.shape) >= p, dtype=x.dtype)


@wrong("10.2", says="those that stay are divided by 1 - p, not by p")
def divided_by_p(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) >= p) / p if p else 1.0, dtype=x.dtype)


@wrong("10.2", says="divided by 1 - p, not by p; and 0.2 is not below 0.2")
def divided_by_p_and_drops_p_itself(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) > p) / p if p else 1.0, dtype=x.dtype)


@wrong("10.2", says="those below p are dropped, and the others stay")
def drops_the_others(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) < p) / (1 - p), dtype=x.dtype)


@wrong("10.2", says="0.2 is not below 0.2, so it stays")
def drops_p_itself(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) > p) / (1 - p), dtype=x.dtype)


@wrong("10.2", says="p is the share that's dropped, not the one that stays")
def keeps_with_probability_p(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) < p) / p if p else 1.0, dtype=x.dtype)


@wrong("10.2", says="each element has its own number: rng.random(x.shape)")
def one_mask_for_all_rows(x, p, rng):
    if not is_training():
        return x
    stays = rng.random(x.shape[-1:]) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong("10.2", says="NumPy's factors are float64: tensor(factors, dtype=x.dtype)")
def float64_factors(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) >= p) / (1 - p))


@wrong("10.2", says="x says which dtype it is")
def always_float32(x, p, rng):
    if not is_training():
        return x
    return (x * tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)).float()


@wrong("10.2", says="dropout(x, p, rng) has no history: multiply Tensors")
def no_history(x, p, rng):
    if not is_training():
        return x
    return tensor(x.detach().numpy() * (rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.2", says="the factors are constants")
def mask_is_a_leaf(x, p, rng):
    if not is_training():
        return x
    stays = rng.random(x.shape) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype, requires_grad=True)


@wrong("10.2", says="in a performance nothing is asked of rng")
def asks_the_dice_in_a_performance(x, p, rng):
    stays = rng.random(x.shape) >= p
    if not is_training():
        return x
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong("10.2", says="in a performance it's x itself that comes back")
def a_copy_in_a_performance(x, p, rng):
    if not is_training():
        return x.clone()
    return x * tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.2", says="training decides, not recording")
def asks_recording(x, p, rng):
    from tinytorch import is_grad_enabled

    if not is_grad_enabled() or not is_training():
        return x
    return x * tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.2", says="who was dropped has no say, and hears nothing")
def gradient_of_all(x, p, rng):
    if not is_training():
        return x
    kept = x.detach() * tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)
    return x + (kept - x.detach())


@wrong("10.2", says="the factor 1 / (1 - p) belongs to the slope too")
def scaled_outside_of_history(x, p, rng):
    if not is_training():
        return x
    kept = x * tensor(rng.random(x.shape) >= p, dtype=x.dtype)
    return kept + (kept.detach() / (1 - p) - kept.detach())


@wrong("10.2", says="rng wasn't asked: rng.random(x.shape) says who's dropped")
def a_generator_of_its_own(x, p, rng):
    import numpy as np

    if not is_training():
        return x
    rng = np.random.default_rng(0)
    return x * tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.2", says="rehearsal.dropout changed x, which it was given")
def changes_x(x, p, rng):
    if not is_training():
        return x
    with no_grad():
        x.mul_(tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype))
    return x


@wrong("10.2", says="divide by 1 - p, whatever share happened to stay")
def divided_by_the_share_that_stayed(x, p, rng):
    if not is_training():
        return x
    stays = rng.random(x.shape) >= p
    return x * tensor(stays * (stays.size / max(stays.sum(), 1)), dtype=x.dtype)


@wrong(
    "10.3",
    "rehearsal.BatchNorm.remember",
    says="momentum is the share of what came, and 1 - momentum that of",
)
def momentum_the_wrong_way_round(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = k * self.mean + (1 - k) * mean
        self.variance = k * self.variance + (1 - k) * variance


@wrong(
    "10.3",
    "rehearsal.BatchNorm.remember",
    says="a memory with a history holds on to every batch: use no_grad()",
)
def remembers_with_its_history(self, mean, variance):
    k = self.momentum
    self.mean = (1 - k) * self.mean + k * mean
    self.variance = (1 - k) * self.variance + k * variance


@wrong(
    "10.3",
    "rehearsal.BatchNorm.remember",
    says="remember changed self.mean in place",
)
def remembers_in_place(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean.mul_(1 - k).add_(k * mean)
        self.variance.mul_(1 - k).add_(k * variance)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="what was there counts too")
def remembers_the_last(self, mean, variance):
    self.mean, self.variance = mean.detach(), variance.detach()


@wrong("10.3", "rehearsal.BatchNorm.remember", says="and the mean has moved")
def remembers_only_the_mean(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean


@wrong("10.3", "rehearsal.BatchNorm.remember", says="use self.momentum: this layer's is not 0.1")
def a_momentum_of_its_own(self, mean, variance):
    with no_grad():
        self.mean = 0.9 * self.mean + 0.1 * mean
        self.variance = 0.9 * self.variance + 0.1 * variance


@wrong(
    "10.3",
    "rehearsal.BatchNorm.remember",
    says="(1 - momentum) times what it was: the old one shrinks",
)
def the_old_one_does_not_shrink(self, mean, variance):
    with no_grad():
        self.mean = self.mean + self.momentum * mean
        self.variance = self.variance + self.momentum * variance


@wrong(
    "10.3",
    "rehearsal.BatchNorm.remember",
    says="a memory with a history holds on to every batch: use no_grad()",
)
def half_remembered_with_history(self, mean, variance):
    k = self.momentum
    self.mean = (1 - k) * self.mean + k * mean.detach()
    self.variance = (1 - k) * self.variance + k * variance


@wrong("10.3", "rehearsal.BatchNorm.remember", says="the variance moves, not its root")
def remembers_the_deviation(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = ((1 - k) * self.variance.sqrt() + k * variance.sqrt()) ** 2


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="that's with the mean and the variance of this batch",
)
def always_the_batch(self, x):
    mean, variance = x.mean(0), x.var(0, correction=0)
    if is_training():
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="that's with the mean and variance that it has just remembered",
)
def always_the_memory(self, x):
    if is_training():
        self.remember(x.mean(0), x.var(0, correction=0))
    return (x - self.mean) / (self.variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="in a performance nothing is remembered")
def remembers_in_a_performance(self, x):
    self.remember(x.mean(0), x.var(0, correction=0))
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="remember() hears of each batch")
def remembers_nothing(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="hand it to self.remember()")
def keeps_the_last_batch(self, x):
    if is_training():
        self.mean, self.variance = x.mean(0).detach(), x.var(0, correction=0).detach()
        mean, variance = x.mean(0), x.var(0, correction=0)
    else:
        mean, variance = self.mean, self.variance
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the mean of the squared distances")
def divides_by_n_minus_1(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="the variance is the mean of the squared distances here too",
)
def remembers_the_unbiased_variance(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, x.var(0))
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3", "rehearsal.BatchNorm.__call__", says="each element moves its column's mean and variance"
)
def detached_moments(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0).detach(), x.var(0, correction=0).detach()
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the variance moves with each element, too")
def detached_variance(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.detach().var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the mean moves with each element, too")
def detached_mean(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.detach().mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="eps is added to the variance, before the root is taken",
)
def eps_outside_of_the_root(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance.sqrt() + self.eps) * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="eps is added to the variance")
def no_eps(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / variance.sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="divide by the root of the variance")
def no_root(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps) * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="first scale, then shift")
def shift_before_scale(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return ((x - mean) / (variance + self.eps).sqrt() + self.shift) * self.scale


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="scale and shift were forgotten")
def no_scale_and_shift(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt()


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="mean and variance are those of each column, not of the whole",
)
def moments_of_everything(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(), x.var(correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="mean and variance are those of the columns, not the rows",
)
def moments_of_the_rows(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(1, True), x.var(1, correction=0, keepdim=True)
        self.remember(x.mean(0), x.var(0, correction=0))
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="mean and variance are those of the columns, not the rows",
)
def moments_of_the_rows_laid_out_as_columns(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(1), x.var(1, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="the mean is that of each column, not of the whole batch",
)
def mean_of_everything(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="the variance is that of each column, not of the whole batch",
)
def variance_of_everything(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="that's the root of a root")
def deviation_for_variance(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.std(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="that's the root of a root")
def deviation_over_n_minus_1_for_variance(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.std(0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="subtract the mean")
def mean_stays(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return x / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="scale was forgotten")
def no_scale(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="shift was forgotten")
def no_shift(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="multiply by scale")
def divides_by_scale(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() / self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="training decides, not recording")
def asks_recording_not_training(self, x):
    from tinytorch import is_grad_enabled

    mean, variance = self.mean, self.variance
    if is_training() and is_grad_enabled():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="once is enough")
def memory_after_remembering(self, x):
    if is_training():
        self.remember(x.mean(0), x.var(0, correction=0))
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    else:
        mean, variance = self.mean, self.variance
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3", "rehearsal.BatchNorm.__call__", says="each element moves its column's mean and variance"
)
def under_no_grad(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        with no_grad():
            mean, variance = x.mean(0), x.var(0, correction=0)
            self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.4",
    "modes.WriteGrad.backward",
    says="write replaces what was there",
)
def adds_all_the_same(self, grad):
    return super().backward(grad)


@wrong("10.4", "modes.WriteGrad.backward", says="the Tensor that was handed in is to be filled")
def a_new_tensor(self, grad):
    variable = self.variable
    if variable.requires_grad:
        variable.grad = wrap(np.array(grad)) if type(grad) is not Tensor else grad
    return ()


@wrong(
    "10.4",
    "modes.WriteGrad.backward",
    says="where it's None, AccumulateGrad's own backward knows what to",
)
def forgets_none(self, grad):
    variable = self.variable
    if variable.requires_grad:
        variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="return super().backward(grad)")
def hands_on_none_and_goes_on(self, grad):
    variable = self.variable
    if variable.grad is None:
        super().backward(grad)
    if variable.grad is None or variable.requires_grad:
        variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="the Tensor that was handed in is to be filled")
def makes_a_tensor_by_a_name_that_isnt_there(self, grad):
    self.variable.grad = tensor(grad)
    return ()


@wrong(
    "10.4",
    "modes.WriteGrad.backward",
    says="where it's None, AccumulateGrad's own backward knows what to",
)
def none_is_left_alone(self, grad):
    variable = self.variable
    if variable.grad is not None and variable.requires_grad:
        variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="nobody asks any more")
def writes_although_nobody_asks(self, grad):
    variable = self.variable
    if variable.grad is None:
        return super().backward(grad)
    variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="nothing lies behind a leaf")
def gives_none(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.copy_(grad)
    return None


@wrong("10.4", "modes.WriteGrad.backward", says="the Tensor that was handed in is to be filled")
def new_memory(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.data = grad if type(grad) is Tensor else wrap(np.array(grad))
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="once is enough")
def writes_then_adds(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.copy_(grad)
    return super().backward(grad)


@wrong("10.4", "modes.WriteGrad.backward", says="each number is written")
def only_the_first_element(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.fill_(float(np.asarray(grad).ravel()[0]) if np.size(grad) else 0.0)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="the Tensor that was handed in is to be filled")
def keeps_what_came(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad._data = grad if type(grad) is np.ndarray else grad._data
    return ()


@wrong(
    "10.4",
    "modes.WriteGrad.backward",
    says="write replaces what was there",
)
def writes_once(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    if not variable.grad.any():
        variable.grad.copy_(grad)
        return ()
    return super().backward(grad)


@wrong("10.4", "modes.WriteGrad.backward", says="made an array of that Tensor: with create_graph")
def wraps_what_came(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.copy_(wrap(grad))
    return ()


@wrong("10.4", "modes.mark", says="a marked variable is a leaf")
def keeps_its_history(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    if grad_req != "null":
        variable.requires_grad_()
    variable.grad = gradient
    if grad_req == "write" and variable.is_leaf:
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="mark the variable, not a copy")
def detaches_a_copy(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable = variable.detach().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="null asks for no gradient")
def null_asks_too(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_()
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="whatever grad_req is, it's the tensor that was handed")
def null_has_no_gradient(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_()
    if grad_req != "null":
        variable.requires_grad_()
        variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="whatever grad_req is, it's the tensor that was handed")
def forgets_the_gradient(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="that tensor itself, and no copy of it")
def a_copy_of_the_gradient(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = None if gradient is None else gradient.clone()
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="that's write")
def add_writes(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req != "null":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="that's add")
def write_adds(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient


@wrong("10.4", "modes.mark", says="check grad_req: it's 'write', 'add' or 'null'")
def any_word_will_do(variable, gradient, grad_req):
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="look at grad_req before anything is changed")
def complains_too_late(variable, gradient, grad_req):
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)
    elif grad_req not in ("add", "null"):
        raise ValueError(grad_req)


@wrong("10.4", "modes.mark", says="raise a ValueError: an assert is for your own mistakes")
def asserts(variable, gradient, grad_req):
    assert grad_req in ("write", "add", "null")
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="mark changes no numbers: add begins with what's there")
def begins_with_zeros(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    if gradient is not None:
        gradient.zero_()
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="lets go of what was before")
def a_result_keeps_its_history(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    if isinstance(variable._node, AccumulateGrad):
        variable._node = None
    variable.grad = gradient
    if grad_req != "null":
        variable.requires_grad_()
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="the last mark counts")
def an_old_node_stays(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    if not variable.is_leaf:
        variable.detach_()
    variable.requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.5", "modes.with_ones", says="a gradient that's given counts")
def always_ones(heads, head_grads):
    return [wrap(np.ones_like(head._data)) for head in as_tuple(heads)]


@wrong("10.5", "modes.with_ones", says="ones of the shape of the head")
def a_single_one(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones((), h._data.dtype)) if g is None else g for h, g in pairs]


@wrong("10.5", "modes.with_ones", says="wrap(array) is a Tensor of the array's dtype")
def ones_by_the_constructor(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    pairs = zip(heads, head_grads, strict=True)
    return [Tensor(np.ones(h.shape), dtype=h.dtype) if g is None else g for h, g in pairs]


@wrong("10.5", "modes.with_ones", says="ones of the dtype of the head")
def ones_in_float32(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones(h._data.shape, np.float32)) if g is None else g for h, g in pairs]


@wrong("10.5", "modes.with_ones", says="None in a list means ones, too")
def none_within_a_list_stays(heads, head_grads):
    heads = as_tuple(heads)
    if head_grads is None:
        return [wrap(np.ones_like(head._data)) for head in heads]
    head_grads = as_tuple(head_grads)
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    return list(head_grads)


@wrong("10.5", "modes.with_ones", says="count the heads and the gradients")
def nobody_counts(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    pairs = zip(heads, head_grads, strict=False)
    return [wrap(np.ones_like(h._data)) if g is None else g for h, g in pairs]


@wrong("10.5", "modes.with_ones", says="its text says how many of each there are")
def zips_error(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if g is None else g for h, g in pairs]


@wrong("10.5", "modes.with_ones", says="a Tensor is one head")
def lists_only(heads, head_grads):
    head_grads = [None] * len(heads) if head_grads is None else head_grads
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if g is None else g for h, g in pairs]


@wrong("10.5", "modes.with_ones", says="ones, not zeros")
def zeros_for_none(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.zeros_like(h._data)) if g is None else g for h, g in pairs]


@wrong(
    "10.5", "modes.with_ones", says="with_ones([a, b], None), a of shape (2,), b of shape (1, 1),"
)
def a_generator(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    pairs = zip(heads, head_grads, strict=True)
    return (wrap(np.ones_like(h._data)) if g is None else g for h, g in pairs)


@wrong("10.5", "modes.with_ones", says="changed head_grads, a list which it was given")
def fills_the_callers_list(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = [None] * len(heads) if head_grads is None else head_grads
    head_grads = [head_grads] if isinstance(head_grads, Tensor) else head_grads
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    for place, head in enumerate(heads):
        if head_grads[place] is None:
            head_grads[place] = wrap(np.ones_like(head._data))
    return list(head_grads)


@wrong("10.5", "modes.backward", says="head_grads were forgotten")
def head_grads_forgotten(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, None), retain_graph)


@wrong("10.5", "modes.backward", says="train_mode is the mode of the pass, whatever it is outside")
def mode_ignored(heads, head_grads=None, retain_graph=False, train_mode=True):
    gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


@wrong("10.5", "modes.backward", says="train_mode is the mode of the pass, whatever it is outside")
def mode_always_on(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=True):
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


@wrong("10.5", "modes.backward", says="Switch(training=train_mode) puts back what it found")
def mode_stays(heads, head_grads=None, retain_graph=False, train_mode=True):
    set_training(train_mode)
    gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


@wrong("10.5", "modes.backward", says="Switch(training=train_mode) puts back what it found")
def mode_is_off_afterwards(heads, head_grads=None, retain_graph=False, train_mode=True):
    set_training(train_mode)
    try:
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)
    finally:
        set_training(False)


@wrong("10.5", "modes.backward", says="Switch(training=train_mode) puts back what it found")
def mode_is_the_other_one_afterwards(heads, head_grads=None, retain_graph=False, train_mode=True):
    set_training(train_mode)
    try:
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)
    finally:
        set_training(not train_mode)


@wrong("10.5", "modes.backward", says="Switch(training=train_mode) puts back what it found")
def mode_stays_after_an_exception(heads, head_grads=None, retain_graph=False, train_mode=True):
    before = set_training(train_mode)
    gradients.backward(heads, with_ones(heads, head_grads), retain_graph)
    set_training(before)


@wrong("10.5", "modes.backward", says="in here train_mode is the argument, True or False")
def calls_its_argument(heads, head_grads=None, retain_graph=False, train_mode=True):
    with train_mode():
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


@wrong("10.5", "modes.backward", says="in here train_mode is the argument, True or False")
def enters_its_argument(heads, head_grads=None, retain_graph=False, train_mode=True):
    with train_mode:
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


@wrong(
    "10.5", "modes.backward", says="unrecorded = False, expected True: backward switches training"
)
def in_a_recording(heads, head_grads=None, retain_graph=False, train_mode=True):
    with record(train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


@wrong("10.5", "modes.backward", says="retain_graph has to be passed on")
def never_retains(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads))


@wrong("10.5", "modes.backward", says="retain_graph is False unless somebody asks")
def always_retains(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), True)


@wrong("10.5", "modes.backward", says="both heads count")
def only_the_first_head(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        grads = with_ones(heads, head_grads)
        gradients.backward(as_tuple(heads)[0], grads[:1], retain_graph)


@wrong("10.5", "modes.backward", says="all heads go in one pass: hand over all at once")
def head_by_head(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        for head, grad in zip(as_tuple(heads), with_ones(heads, head_grads), strict=True):
            gradients.backward(head, [grad], retain_graph)


@wrong("10.5", "modes.backward", says="nobody asked to record the pass")
def records_the_pass(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph, True)


@wrong("10.5", "modes.backward", says="with_ones(heads, head_grads) fills in what's missing")
def without_ones(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(heads, head_grads, retain_graph)


@wrong("10.6", "modes.Function.__call__", says="self._used says whether there was a first call")
def called_as_often_as_you_like(self, *inputs):
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="self._used says whether there was a first call")
def never_used(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="each object has its own first call: set self._used")
def the_class_is_used(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    type(self)._used = True
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="self._call.apply records, forward alone doesn't")
def only_forward(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = True
    return self.forward(*inputs)


@wrong("10.6", "modes.Function.__call__", says="apply wants the object first, then the inputs")
def without_the_owner(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = True
    return self._call.apply(*inputs)


@wrong("10.6", "modes.Function.__call__", says="the call of x * y by an object gave None")
def gives_nothing(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = True
    self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="self._call has this class's name")
def no_name_of_its_own(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = True
    return ObjectCall.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="each first call counts, recorded or not")
def used_only_while_recording(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    results = self._call.apply(self, *inputs)
    self._used = any(x.requires_grad for x in as_tuple(results))
    return results


@wrong(
    "10.6",
    "modes.ObjectCall.forward",
    says="once the ctx has them, the object's saved_tensors are () again",
)
def keeps_them_on_the_object(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    return tuple(results) if isinstance(results, list) else results


@wrong(
    "10.6", "modes.ObjectCall.forward", says="the object's saved_tensors were () in its backward"
)
def saves_nothing(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    return tuple(results) if isinstance(results, list) else results


@wrong(
    "10.6", "modes.ObjectCall.forward", says="the object's saved_tensors were () in its backward"
)
def saves_before_forward(ctx, owner, *inputs):
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    results = owner.forward(*inputs)
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="that's the input, and not what forward saved")
def saves_the_inputs(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*[x for x in inputs if isinstance(x, Tensor)])
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="a list becomes a tuple")
def a_list_stays_a_list(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return results


@wrong("10.6", "modes.ObjectCall.forward", says="a single result stays a Tensor")
def always_a_tuple(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return as_tuple(results)


@wrong(
    "10.6",
    "modes.ObjectCall.forward",
    says="once the ctx has them, the object's saved_tensors are () again",
)
def owner_of_the_class(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    type(owner).owner = owner
    ctx.owner = type(owner).owner
    ctx.save_for_backward(*owner.saved_tensors)
    type(owner).saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong(
    "10.6",
    "modes.ObjectCall.forward",
    says="once the ctx has them, the object's saved_tensors are () again",
)
def tensors_as_an_attribute(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.kept = owner.saved_tensors
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ctx.kept
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall", says="ctx.owner is the owner: forward's docstring promises it")
class OwnerUnderAnotherName:
    def forward(ctx, owner, *inputs):
        results = owner.forward(*inputs)
        ctx.me = owner
        ctx.save_for_backward(*owner.saved_tensors)
        owner.saved_tensors = ()
        return tuple(results) if isinstance(results, list) else results

    def backward(ctx, *grads):
        ctx.me.saved_tensors = ctx.saved_tensors
        try:
            results = ctx.me.backward(*grads)
        finally:
            ctx.me.saved_tensors = ()
        return None, *as_tuple(results)


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="None for the owner, and then one by one what owner.backward",
)
def owner_has_no_place(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return as_tuple(results)


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="the first argument of apply was the owner: its place gets None",
)
def none_at_the_end(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return *as_tuple(results), None


@wrong(
    "10.6", "modes.ObjectCall.backward", says="the object's saved_tensors were () in its backward"
)
def not_given_back(ctx, *grads):
    return None, *as_tuple(ctx.owner.backward(*grads))


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="an object that's kept would keep them, after the pass too",
)
def kept_after_backward(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    return None, *as_tuple(ctx.owner.backward(*grads))


@wrong("10.6", "modes.ObjectCall.backward", says="exception or not")
def kept_after_an_exception(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    results = ctx.owner.backward(*grads)
    ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="None for the owner, and then one by one what owner.backward",
)
def a_tuple_in_a_tuple(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return None, results


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="one Tensor is the gradient of the one input: as_tuple",
)
def tuples_only(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return None, *results


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="each result has a gradient, and owner.backward(*grads) gets",
)
def gradients_in_one_argument(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(grads)
    finally:
        ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="each result has a gradient, and owner.backward(*grads) gets",
)
def only_the_first_gradient(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(grads[0], *[None] * (len(grads) - 1))
    finally:
        ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong(
    "10.6",
    "modes.ObjectCall.backward",
    says="what was saved has its history, and nothing is switched off",
)
def backward_without_history(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        with Switch(grad_enabled=False):
            results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong("10.7", "modes.get_symbol", says="leaves and results are counted apart: x0, x1, v0, v1, v2")
def one_count_for_both(x):
    names, entries = {}, []
    for number, node in enumerate(reachable([recorded_node(x)])):
        names[node] = f"{'x' if isinstance(node, AccumulateGrad) else 'v'}{number}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="recorded_node(x) is that of x")
def walks_from_the_tensor(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    recorded_node(x)
    for node in reachable([x]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="both counts begin with 0")
def from_one_on(x):
    names, entries, counts = {}, [], {"x": count(1), "v": count(1)}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="the oldest comes first")
def the_youngest_first(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries[::-1])


@wrong("10.7", "modes.get_symbol", says="names are given from the oldest on")
def named_from_the_result_on(x):
    names, counts = {}, {"x": count(), "v": count()}
    nodes = reachable([recorded_node(x)])
    for node in reversed(nodes):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
    return Symbol([entry_of(node, names) for node in nodes])


@wrong("10.7", "modes.get_symbol", says="the order is that of birth: reachable()")
def leaves_first(x):
    nodes = reachable([recorded_node(x)])
    nodes.sort(key=lambda node: not isinstance(node, AccumulateGrad))
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in nodes:
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="leaves have a line, too")
def results_only(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        if kind == "v":
            entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="x0 is the oldest, whoever was found first")
def in_the_order_of_discovery(x):
    order, names, entries, counts = [], {}, [], {"x": count(), "v": count()}

    def visit(node):
        if node not in order:
            for edge in node.operands:
                if edge is not None:
                    visit(edge)
            order.append(node)

    visit(recorded_node(x))
    for node in order:
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="gave a list, expected a Symbol: Symbol(entries)")
def the_list_of_entries(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return entries


@wrong("10.7", "modes.get_symbol", says="oldest first, and each name before its entry")
def named_too_late(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        entries.append(entry_of(node, names))
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="'x1 = Split(v0)'], expected")
def names_of_the_operations(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "v" if node.saved else "x"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong(
    "10.7",
    "modes.get_symbol",
    says="a node of its own, in front of the operation's: recorded_node(x) gives it",
)
def grad_fn_only(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([x.grad_fn]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="each symbol has names of its own, from x0 and v0")
def names_that_go_on(x, names={}, counts={"x": count(), "v": count()}):  # noqa: B006, B008
    entries = []
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.Symbol.list_arguments", says="their names, not the entries")
def the_entries(self):
    return [entry for entry in self.entries if entry.operation is None]


@wrong("10.7", "modes.Symbol.list_arguments", says="only leaves have no operation")
def everybody(self):
    return [entry.name for entry in self.entries]


@wrong("10.7", "modes.Symbol.list_arguments", says="a list is what's asked for")
def a_tuple(self):
    return tuple(entry.name for entry in self.entries if entry.operation is None)


@wrong("10.7", "modes.Symbol.list_arguments", says="the oldest first")
def a_set(self):
    return list({entry.name: 0 for entry in self.entries[::-1] if entry.operation is None})


@wrong("10.7", "modes.Symbol.list_arguments", says="the operation of a leaf's entry is None")
def the_inputs_of_the_last(self):
    return [name for name in self.entries[-1].inputs if name.startswith("x")]


@wrong("10.7", "modes.Symbol.list_arguments", says="the operation of a leaf's entry is None")
def those_without_inputs(self):
    return [entry.name for entry in self.entries if entry.operation == ""]


@wrong("10.1", "modes.train_mode", says="looks where it's entered, not where it was made")
def looks_where_it_was_made():
    return Switch(training=True, recording=state.recording, grad_enabled=state.grad_enabled)


@wrong("10.1", "modes.predict_mode", says="gave a _GeneratorContextManager")
def puts_back_after_errors_only():
    from contextlib import contextmanager

    @contextmanager
    def scope():
        before = set_training(False)
        try:
            yield
        except Exception:
            set_training(before)
            raise
        set_training(before)

    return scope()


@wrong("10.2", says="1 - p is 0.8 here, and not always a half")
def half_of_them_whatever_p(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) >= p) * 2.0, dtype=x.dtype)


@wrong("10.2", says="rng.random(x.shape), once, whatever p is")
def draws_float32(x, p, rng):
    import numpy as np

    if not is_training():
        return x
    return x * tensor((rng.random(x.shape, dtype=np.float32) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="self.momentum stays what it is")
def momentum_that_fades(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = (1 - k) * self.variance + k * variance
    self.momentum = k * 0.99


@wrong(
    "10.3",
    "rehearsal.BatchNorm.__call__",
    says="squares of the distances from the mean",
)
def mean_square_for_variance(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), (x * x).mean(0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.4", "modes.WriteGrad.backward", says="a leaf keeps memory of its own")
def shares_what_came(self, grad):
    variable = self.variable
    if variable.grad is None:
        variable.grad = wrap(grad) if type(grad) is np.ndarray else grad
        return ()
    if variable.requires_grad:
        variable.grad.copy_(grad)
    return ()


@wrong("10.5", "modes.with_ones", says="ask whether it `is None`")
def truth_of_a_tensor(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(heads) != len(head_grads):
        raise ValueError(f"{len(heads)} heads, {len(head_grads)} gradients")
    pairs = zip(heads, head_grads, strict=True)
    return [grad or wrap(np.ones_like(head._data)) for head, grad in pairs]


@wrong("10.6", "modes.ObjectCall.forward", says="the ctx saves all that the object saved")
def saves_the_first_only(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors[:1])
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.backward", says="a None where it gave None")
def leaves_out_none(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return None, *[grad for grad in as_tuple(results) if grad is not None]


@wrong("10.7", "modes.Symbol.list_arguments", says="the oldest first, not by the alphabet")
def by_the_alphabet(self):
    return sorted(entry.name for entry in self.entries if entry.operation is None)


@wrong("10.1", "modes.train_mode", says="each call makes a Switch of its own")
def one_switch_for_all_calls(scope=Switch(training=True)):  # noqa: B008
    return scope


@wrong("10.1", "modes.predict_mode", says="gave a _GeneratorContextManager")
def a_scope_for_one_use():
    from contextlib import contextmanager

    @contextmanager
    def scope():
        before = set_training(False)
        try:
            yield
        finally:
            set_training(before)

    return scope()


@wrong("10.1", "modes.record", says="that's no business of a scope")
def record_ends_inference_mode(train_mode=True):
    return Switch(
        grad_enabled=True, recording=True, unrecorded=False, inference=False, training=train_mode
    )


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="a batch of one is a batch")
def one_row_relies_on_memory(self, x):
    mean, variance = self.mean, self.variance
    if is_training() and len(x) > 1:
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="subtract the mean before you square")
def mean_of_squares_less_squared_mean(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean = x.mean(0)
        variance = (x * x).mean(0) - mean * mean
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="slopes flow in both modes")
def a_performance_has_no_slopes(self, x):
    mean, variance = x.mean(0), x.var(0, correction=0)
    if is_training():
        self.remember(mean, variance)
        return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift
    with no_grad():
        return (x - self.mean) / (self.variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.remember", says="what came stays as it is")
def detaches_what_came(self, mean, variance):
    k = self.momentum
    self.mean = (1 - k) * self.mean + k * mean.detach_()
    self.variance = (1 - k) * self.variance + k * variance.detach_()


@wrong("10.4", "modes.WriteGrad.backward", says="a write counts as a change in place")
def writes_past_the_tensor(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad._data[...] = grad._data if isinstance(grad, Tensor) else grad
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="nothing is left of what was there")
def adds_to_nothing(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.mul_(0).add_(grad if isinstance(grad, Tensor) else wrap(grad))
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="the gradient's history counts")
def writes_the_numbers_only(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    with Switch(grad_enabled=False):
        variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.mark", says="and nothing else will do")
def a_part_of_a_word_will_do(variable, gradient, grad_req):
    if not isinstance(grad_req, str) or grad_req not in "write, add, null":
        raise ValueError("grad_req is 'write', 'add' or 'null'")
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.5", "modes.with_ones", says="ones are constants, whatever the head is")
def ones_with_a_history(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"as many head_grads as heads: {len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [head**0 if grad is None else grad for head, grad in pairs]


@wrong("10.5", "modes.with_ones", says="ones have nothing to do with the head's numbers")
def ones_of_the_heads_numbers(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"as many head_grads as heads: {len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [head.detach() * 0 + 1 if grad is None else grad for head, grad in pairs]


@wrong("10.5", "modes.backward", says="all heads go in one pass")
def a_pass_for_each_head_that_keeps(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        pairs = list(zip(as_tuple(heads), with_ones(heads, head_grads), strict=True))
        for place, (head, head_grad) in enumerate(pairs, 1):
            gradients.backward(head, head_grad, retain_graph or place < len(pairs))


@wrong("10.5", "modes.backward", says="a pass that's recorded another")
def a_kept_graph_is_recorded(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), create_graph=retain_graph)


@wrong("10.5", "modes.backward", says="unless somebody asks, however many heads")
def several_heads_keep_the_graph(heads, head_grads=None, retain_graph=False, train_mode=True):
    several = len(as_tuple(heads)) > 1
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph or several)


@wrong("10.6", "modes.Function.__call__", says="self._used says whether there was a first call")
def a_refusal_makes_it_new(self, *inputs):
    if self._used:
        self._used = False
        raise RuntimeError("this Function was called before")
    self._used = True
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="was a call, too: set self._used first")
def used_once_it_worked(self, *inputs):
    if self._used:
        raise RuntimeError("this Function was called before")
    results = self._call.apply(self, *inputs)
    self._used = True
    return results


@wrong("10.6", "modes.ObjectCall", says="each ctx has its own owner")
class the_class_knows_the_last_owner:
    @staticmethod
    def forward(ctx, owner, *inputs):
        results = owner.forward(*inputs)
        type(owner)._owner, ctx.kind = owner, type(owner)
        ctx.save_for_backward(*owner.saved_tensors)
        owner.saved_tensors = ()
        return tuple(results) if isinstance(results, list) else results

    @staticmethod
    def backward(ctx, *grads):
        owner = ctx.kind._owner
        owner.saved_tensors = ctx.saved_tensors
        try:
            results = owner.backward(*grads)
        finally:
            owner.saved_tensors = ()
        return None, *as_tuple(results)


@wrong("10.6", "modes.ObjectCall.forward", says="a list of one becomes a tuple of one")
def a_list_of_one_is_unwrapped(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    if isinstance(results, list):
        return results[0] if len(results) == 1 else tuple(results)
    return results


@wrong("10.6", "modes.ObjectCall.forward", says="what the object saved is kept, and nothing else")
def keeps_the_inputs(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner, ctx.inputs = owner, inputs
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="a None that was saved has its place")
def saves_only_tensors(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*[tensor for tensor in owner.saved_tensors if tensor is not None])
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.backward", says="gets the gradients as they come")
def gradients_without_history(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*[grad.detach() for grad in grads])
    finally:
        ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong("10.6", "modes.ObjectCall.backward", says="whatever exception ends it: finally")
def forgets_after_ordinary_exceptions(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*grads)
    except Exception:
        ctx.owner.saved_tensors = ()
        raise
    ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong("10.7", "modes.get_symbol", says="an AccumulateGrad of any kind is a leaf's")
def a_marked_leaf_is_a_result(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if type(node) is AccumulateGrad else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="x0 is the oldest, whoever is used first")
def names_in_the_order_of_use(x):
    nodes, names, counts = reachable([recorded_node(x)]), {}, {"x": count(), "v": count()}
    for node in nodes:
        for edge in (*node.operands, node):
            kind = "x" if isinstance(edge, AccumulateGrad) else "v"
            is_used = edge is not node or kind == "v" or len(nodes) == 1
            if edge is not None and edge not in names and is_used:
                names[edge] = f"{kind}{next(counts[kind])}"
    return Symbol([entry_of(node, names) for node in nodes])


@wrong("10.7", "modes.get_symbol", says="reachable() comes to each node once")
def along_every_path(x):
    nodes, stack = set(), [recorded_node(x)]
    while stack:
        node = stack.pop()
        nodes.add(node)
        stack += [edge for edge in node.edges if edge is not None]
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in sorted(nodes, key=lambda node: node.number):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="is a generator: hand over a list")
def entries_that_are_read_once(x):
    nodes, names, counts = reachable([recorded_node(x)]), {}, {"x": count(), "v": count()}
    for node in nodes:
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
    return Symbol(entry_of(node, names) for node in nodes)


@wrong("10.1", "modes.predict_mode", says="a scope looks where it's entered, not where it was made")
def predict_mode_brings_its_unrecorded_along():
    return Switch(training=False, unrecorded=state.unrecorded)


@wrong("10.2", says="compare with p, and not with 1 - p")
def drops_the_upper_end(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(x.shape) < 1 - p) / (1 - p), dtype=x.dtype)


@wrong("10.2", says="its factor was float32: dtype=x.dtype")
def factors_in_float32(x, p, rng):
    if not is_training():
        return x
    factors = tensor((rng.random(x.shape) >= p) / (1 - p), dtype=zeros(1).dtype)
    return x * factors


@wrong("10.3", "rehearsal.BatchNorm.remember", says="remember changed mean, which it was given")
def reckons_in_what_came(self, mean, variance):
    k = self.momentum
    with no_grad():
        mean *= k
        variance *= k
        self.mean = (1 - k) * self.mean + mean
        self.variance = (1 - k) * self.variance + variance


@wrong("10.3", "rehearsal.BatchNorm.remember", says="in memory of its own")
def a_momentum_of_one_keeps_what_came(self, mean, variance):
    k = self.momentum
    if k == 1:
        self.mean, self.variance = mean.detach(), variance.detach()
        return
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = (1 - k) * self.variance + k * variance


@wrong(
    "10.3",
    "rehearsal.BatchNorm.remember",
    says="is False after it, when RuntimeError cuts it short",
)
def switches_by_hand(self, mean, variance):
    from tinytorch.state import state

    k = self.momentum
    before, state.grad_enabled = state.grad_enabled, False
    self.mean = (1 - k) * self.mean + k * mean
    self.variance = (1 - k) * self.variance + k * variance
    state.grad_enabled = before


@wrong(
    "10.3",
    "rehearsal.BatchNorm.remember",
    says="is False after it, when KeyboardInterrupt cuts it short",
)
def switches_back_after_ordinary_exceptions(self, mean, variance):
    from tinytorch.state import state

    k = self.momentum
    before, state.grad_enabled = state.grad_enabled, False
    try:
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = (1 - k) * self.variance + k * variance
    except Exception:
        state.grad_enabled = before
        raise
    state.grad_enabled = before


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="is_training() alone decides")
def rehearses_only_what_requires_grad(self, x):
    mean, variance = self.mean, self.variance
    if is_training() and x.requires_grad:
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="each step on the way to them too")
def a_mean_without_history_in_the_variance(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean = x.mean(0)
        variance = ((x - mean.detach()) ** 2).mean(0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="one number for each column: no keepdim")
def remembers_rows(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0, keepdim=True), x.var(0, correction=0, keepdim=True)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="remember() hears of the variance itself")
def remembers_eps_too(self, x):
    mean, variance = self.mean, self.variance + self.eps
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0) + self.eps
        self.remember(mean, variance)
    return (x - mean) / variance.sqrt() * self.scale + self.shift


@wrong("10.5", "modes.with_ones", says="one Tensor is one of each, and no row: as_tuple")
def a_gradient_is_a_row(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"got {len(head_grads)} for {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.5", "modes.backward", says="is False after it, when KeyboardInterrupt cuts it short")
def mode_ends_after_ordinary_exceptions(
    heads, head_grads=None, retain_graph=False, train_mode=True
):
    before = set_training(train_mode)
    try:
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)
    except Exception:
        set_training(before)
        raise
    set_training(before)


@wrong("10.6", "modes.Function.__call__", says="each first call counts, recorded or not")
def counts_calls_that_require_grad(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = any(isinstance(x, Tensor) and x.requires_grad for x in inputs)
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="each first call counts, recorded or not")
def counts_recorded_calls(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = state.grad_enabled
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="what's no Tensor comes as it is")
def makes_tensors_of_all(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = True
    return self._call.apply(self, *[x if isinstance(x, Tensor) else Tensor(x) for x in inputs])


@wrong("10.6", "modes.Function.__call__", says="it's the object that was called, and no copy")
def applies_a_copy(self, *inputs):
    from copy import copy

    if self._used:
        raise RuntimeError("called before")
    self._used = True
    return self._call.apply(copy(self), *inputs)


@wrong("10.6", "modes.ObjectCall.forward", says="forward runs without")
def records_within_forward(ctx, owner, *inputs):
    with Switch(grad_enabled=True):
        results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="what the object saved is kept, and nothing else")
def keeps_the_results(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner, ctx.results = owner, results
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="what the object saved is kept, and nothing else")
def the_object_knows_its_ctx(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner, owner.ctx = owner, ctx
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong(
    "10.6", "modes.ObjectCall.forward", says="how many saved_tensors an object that saves nothing"
)
def saves_the_inputs_if_nothing_was(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    tensors = [x for x in inputs if isinstance(x, Tensor)]
    ctx.save_for_backward(*(owner.saved_tensors or tensors))
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.7", "modes.get_symbol", says="again, when its leaves have a grad")
def a_leaf_that_has_a_gradient_is_a_result(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        is_leaf = isinstance(node, AccumulateGrad) and node.variable.grad is None
        kind = "x" if is_leaf else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.Symbol.list_arguments", says="the oldest first, not in the order of use")
def leaves_in_the_order_of_use(self):
    used = (name for entry in self.entries for name in entry.inputs if name.startswith("x"))
    return list(dict.fromkeys(used))


@wrong("10.7", "modes.Symbol.list_arguments", says="a WriteGrad too: isinstance")
def leaves_of_one_kind(self):
    return [entry.name for entry in self.entries if type(entry.node) is AccumulateGrad]


@wrong("10.7", "modes.Symbol.list_arguments", says="a list is what's asked for")
def names_one_by_one(self):
    return (entry.name for entry in self.entries if entry.operation is None)


@wrong("10.7", "modes.Symbol.list_arguments", says="leaves stand between the results, too")
def leaves_before_the_first_result(self):
    from itertools import takewhile

    leaves = takewhile(lambda entry: entry.operation is None, self.entries)
    return [entry.name for entry in leaves]


@wrong("10.5", "modes.with_ones", says="a list of one is one gradient")
def a_single_head_has_a_single_gradient(heads, head_grads):
    if isinstance(heads, Tensor):
        return [wrap(np.ones_like(heads._data)) if head_grads is None else head_grads]
    heads = tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"got {len(head_grads)} for {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.6", "modes.ObjectCall.backward", says="stays None: no gradient, and no zeros")
def zeros_for_none_from_the_owner(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = as_tuple(ctx.owner.backward(*grads))
    finally:
        ctx.owner.saved_tensors = ()
    return None, *[grads[0] * 0 if result is None else result for result in results]


@wrong("10.6", "modes.Function.__call__", says="self._call.apply(...)")
def the_call_class_is_called(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = True
    return self._call()(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="self._call.apply(...)")
def the_call_class_is_made(self, *inputs):
    if self._used:
        raise RuntimeError("called before")
    self._used = True
    return self._call(self, *inputs)


@wrong("10.7", "modes.get_symbol", says="of one node too: reachable([node])")
def reachable_from_a_bare_node(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable(recorded_node(x)):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.5", "modes.backward", says="raised no error, expected RuntimeError")
def every_graph_is_kept(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), True)


@wrong("10.5", "modes.with_ones", says="None stands for ones, in place of a list too")
def head_grads_are_always_a_list(heads, head_grads):
    heads, head_grads = as_tuple(heads), as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"got {len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.6", "modes.ObjectCall.forward", says="in forward what the owner's gave")
@staticmethod
def forward_gives_nothing(ctx, owner, *inputs):
    owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()


@wrong("10.6", "modes.ObjectCall.forward", says="forward notes it: ctx.owner = owner")
@staticmethod
def the_owner_is_not_noted(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="owner(...) is another call")
@staticmethod
def the_owner_is_called(ctx, owner, *inputs):
    results = owner(*inputs)
    ctx.owner = owner
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="owner.forward gets the inputs, no more")
@staticmethod
def the_owner_gets_the_ctx(ctx, owner, *inputs):
    results = owner.forward(ctx, *inputs)
    ctx.owner = owner
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="ctx.saved is taken by the graph")
@staticmethod
def saved_beside_the_ctx(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner, ctx.saved = owner, owner.saved_tensors
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.7", "modes.get_symbol", says="append() changes the list, and gives None")
def entries_from_append(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries = entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.2", says="dropout of a transposed x")
def flat_by_view(x, p, rng):
    if not is_training():
        return x
    factors = tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)
    return (x.view(-1) * factors.view(-1)).view(x.shape)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="the Tensors that were there before remember()")
def nothing_to_do_at_momentum_0(self, mean, variance):
    if self.momentum == 0:
        return
    with no_grad():
        self.mean = (1 - self.momentum) * self.mean + self.momentum * mean
        self.variance = (1 - self.momentum) * self.variance + self.momentum * variance


@wrong("10.4", "modes.WriteGrad.backward", says="what was there is replaced, and its history too")
def the_old_history_stays(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    if isinstance(grad, Tensor) and grad.requires_grad:
        variable.grad.copy_(grad)
    else:
        variable.grad.data.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="the Tensor that was handed in is to be filled")
def adds_before_it_writes(self, grad):
    super().backward(grad)
    if self.variable.grad is not None and self.variable.requires_grad:
        self.variable.grad.copy_(grad)
    return ()


@wrong("10.5", "modes.with_ones", says="one Tensor is one gradient, and its rows are none")
def rows_for_several_heads(heads, head_grads):
    heads = as_tuple(heads)
    if head_grads is None:
        head_grads = [None] * len(heads)
    elif len(heads) == 1:
        head_grads = as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"got {len(head_grads)} for {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.5", "modes.with_ones", says="gave another Tensor than g: use it as it is")
def zeros_count_as_none(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"got {len(head_grads)} for {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [g if g is not None and g._data.any() else wrap(np.ones_like(h._data)) for h, g in pairs]


@wrong("10.5", "modes.with_ones", says="raise a ValueError that says both counts")
def a_runtime_error(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise RuntimeError(f"got {len(head_grads)} for {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.5", "modes.backward", says="a head that's there twice starts with both its gradients")
def each_head_once(heads, head_grads=None, retain_graph=False, train_mode=True):
    starts = dict(zip(as_tuple(heads), with_ones(heads, head_grads), strict=True))
    with Switch(training=train_mode):
        gradients.backward(list(starts), list(starts.values()), retain_graph)


@wrong("10.6", "modes.Function.__call__", says="_used of an object that was called")
def notes_the_call_elsewhere(self, *inputs):
    if hasattr(self, "was_called"):
        raise RuntimeError("called before")
    self.was_called = True
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.ObjectCall.forward", says="recorded or not: once the ctx has them")
@staticmethod
def saves_only_what_is_recorded(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    if any(ctx.needs_input_grad):
        ctx.save_for_backward(*owner.saved_tensors)
        owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.backward", says="as they come: None for what's no Tensor")
@staticmethod
def leaves_out_grads_that_are_none(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*[grad for grad in grads if grad is not None])
    finally:
        ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong("10.6", "modes.ObjectCall.backward", says="as they come: None for what's no Tensor")
@staticmethod
def zeros_for_grads_that_are_none(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        grads = [wrap(np.zeros(())) if grad is None else grad for grad in grads]
        results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong("10.7", "modes.get_symbol", says="each of several results has a node of its own")
def begins_at_grad_fn(x):
    recorded_node(x)
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([x.grad_fn or x._node]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="in front of the operation's: reachable() has them all")
def by_next_functions(x):
    found, stack = set(), [recorded_node(x)]
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found.add(node)
            stack += [edge for edge, _ in node.next_functions]
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in sorted(found, key=lambda node: node.number):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="get_symbol of the graph 'asks_again'")
def a_name_for_each_variable(x):
    names, entries, seen, counts = {}, [], {}, {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        if isinstance(node, AccumulateGrad):
            who = id(node.variable)
            seen[who] = names[node] = seen.get(who) or f"x{next(counts['x'])}"
        else:
            names[node] = f"v{next(counts['v'])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="is a tuple: hand over a list")
def a_tuple_of_entries(x):
    names, counts, nodes = {}, {"x": count(), "v": count()}, reachable([recorded_node(x)])
    for node in nodes:
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
    return Symbol(tuple(entry_of(node, names) for node in nodes))


@wrong("10.7", "modes.get_symbol", says="the names of the leaves in get_symbol(a sum of 13 leaves)")
def only_ten_digits(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind]) % 10}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.Symbol.list_arguments", says="list_arguments() changed the symbol's entries")
def takes_the_entries_away(self):
    names = []
    while self.entries:
        entry = self.entries.pop(0)
        if entry.operation is None:
            names.append(entry.name)
    return names


@wrong(
    "10.7", "modes.get_symbol", says="a graph may be deep: reachable() goes through it in a loop"
)
def a_walk_that_calls_itself(x):
    found = set()

    def visit(node):
        if node is not None and node not in found:
            found.add(node)
            for edge in node.edges:
                visit(edge)

    visit(recorded_node(x))
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in sorted(found, key=lambda node: node.number):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.2", "rehearsal.dropout", says="compare it before its digits are lost")
def coins_in_the_dtype_of_x(x, p, rng):
    if not is_training():
        return x
    coins = tensor(rng.random(x.shape), dtype=x.dtype)
    return x * (coins >= p).to(x.dtype) / (1 - p)


@wrong("10.6", "modes.ObjectCall.backward", says="after its backward pass, gave")
def free_again_after_its_pass(ctx, *grads):
    owner = ctx.owner
    owner.saved_tensors = ctx.saved_tensors
    try:
        results = owner.backward(*grads)
    finally:
        owner.saved_tensors = ()
        owner._used = False
    return None, *as_tuple(results)


@wrong("10.4", "modes.mark", says="and requires_grad_() refuses that dtype")
def mark_adds_to_integers(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(f"grad_req is 'write', 'add' or 'null', got {grad_req!r}")
    variable.detach_()
    variable.grad = gradient
    if grad_req == "write" or variable.is_floating_point():
        variable.requires_grad_(grad_req != "null")
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.5", "modes.with_ones", says="each head's ones are of its own kind")
def with_ones_once_for_each_shape(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"pass as many head_grads as heads: got {len(head_grads)}, {len(heads)}")
    ones = {}
    for head in heads:
        ones.setdefault(head.shape, wrap(np.ones_like(head._data)))
    pairs = zip(heads, head_grads, strict=True)
    return [ones[head.shape] if grad is None else grad for head, grad in pairs]


@wrong("10.7", "modes.get_symbol", says="its node is still an AccumulateGrad")
def get_symbol_of_leaves_that_ask(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        is_leaf = isinstance(node, AccumulateGrad) and node.variable.requires_grad
        names[node] = f"{'x' if is_leaf else 'v'}{next(counts['x' if is_leaf else 'v'])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="a leaf is what is an AccumulateGrad")
def get_symbol_of_what_has_a_variable(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if hasattr(node, "variable") else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.Symbol.list_arguments", says="its node is still an AccumulateGrad")
def list_arguments_that_ask(self):
    leaves = [entry for entry in self.entries if entry.operation is None]
    return [entry.name for entry in leaves if entry.node.variable.requires_grad]


@wrong("10.2", says="it has to return the Tensor that it makes")
def makes_it_and_keeps_it(x, p, rng):
    if not is_training():
        return x
    x * tensor((rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="nothing moved")
def remembers_in_variables(self, mean, variance):
    k = self.momentum
    with no_grad():
        mean = (1 - k) * self.mean + k * mean
        variance = (1 - k) * self.variance + k * variance


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="remember() hears of the variance itself")
def remembers_the_root(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance.sqrt())
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.5", "modes.with_ones", says="ask whether it `is None`")
def asks_for_the_truth_of_all(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if not head_grads else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"got {len(head_grads)} for {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.6", "modes.ObjectCall.forward", says="a star before the tuple")
def saves_a_tuple(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="this owner has saved nothing")
def saves_whatever_came_in(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*inputs)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.7", "modes.get_symbol", says="a counter is no number")
def counters_that_never_count(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{counts[kind]}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="momentum * what came: all of it was added")
def adds_all_that_came(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = (1 - k) * self.mean + mean
        self.variance = (1 - k) * self.variance + variance


@wrong("10.3", "rehearsal.BatchNorm.remember", says="momentum * what came: all of it was added")
def adds_all_of_the_variance(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = (1 - k) * self.variance + variance


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="those aren't squared")
def distances_for_the_variance(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean = x.mean(0)
        variance = (x - mean).abs().mean(0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="divided by the mean distance, not by the root")
def distances_for_the_root(self, x):
    if not is_training():
        return (x - self.mean) / (self.variance + self.eps).sqrt() * self.scale + self.shift
    mean = x.mean(0)
    self.remember(mean, x.var(0, correction=0))
    distance = (((x - mean).abs().mean(0)) ** 2 + self.eps).sqrt()
    return (x - mean) / distance * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="ask is_training()")
def asks_a_flag_of_the_layer(self, x):
    mean, variance = self.mean, self.variance
    if self.training:
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.2", says="an array has no history, with or without detach()")
def multiplies_arrays(x, p, rng):
    if not is_training():
        return x
    return tensor(x.numpy() * (rng.random(x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.4", "modes.WriteGrad.backward", says="that wrote into the variable itself")
def writes_into_the_variable(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="return what super().backward(grad) gives")
def gives_nothing_of_the_ordinary_leaf(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        super().backward(grad)
        return
    variable.grad.copy_(grad)
    return ()


@wrong("10.5", "modes.backward", says="the pass is gradients.backward(...)")
def backward_calls_itself(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        backward(heads, with_ones(heads, head_grads), retain_graph)


@wrong("10.5", "modes.with_ones", says="it has to return the list that it makes")
def with_ones_keeps_them(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"got {len(head_grads)} for {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.6", "modes.ObjectCall.backward", says="gave the object for the owner, expected None")
def the_owner_is_its_own_gradient(ctx, *grads):
    owner = ctx.owner
    owner.saved_tensors = ctx.saved_tensors
    try:
        results = owner.backward(*grads)
    finally:
        owner.saved_tensors = ()
    return owner, *as_tuple(results)


@wrong("10.6", "modes.ObjectCall.forward", says="a star before the tuple, *inputs")
def forward_of_a_tuple(ctx, owner, *inputs):
    results = owner.forward(inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.backward", says="owner.backward gets the gradients, no more")
def backward_with_the_ctx(ctx, *grads):
    owner = ctx.owner
    owner.saved_tensors = ctx.saved_tensors
    try:
        results = owner.backward(ctx, *grads)
    finally:
        owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong("10.7", "modes.get_symbol", says="it has to return the Symbol")
def get_symbol_keeps_it(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    Symbol(entries)


@wrong("10.1", "modes.record", says="the switches are called recording and training")
def record_switches_a_question(train_mode=True):
    return Switch(grad_enabled=True, is_recording=True, unrecorded=False, training=train_mode)


@wrong("10.1", "modes.record", says="the switches are called grad_enabled")
def record_switches_what_it_was_told(train_mode=True):
    return Switch(grad_enabled=True, recording=True, unrecorded=False, train_mode=train_mode)


@wrong("10.1", "modes.train_mode", says="Switch(...) is one")
def train_mode_is_the_class():
    return Switch


@wrong("10.1", "modes.train_mode", says="told by name what it sets")
def train_mode_without_a_name():
    return Switch(True)


@wrong("10.2", "rehearsal.dropout", says="the shape goes in whole")
def draws_with_a_star(x, p, rng):
    if not is_training():
        return x
    return x * tensor((rng.random(*x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.2", "rehearsal.dropout", says="1 - p needs brackets")
def divides_without_brackets(x, p, rng):
    if not is_training():
        return x
    return x * tensor(rng.random(x.shape) >= p, dtype=x.dtype) / 1 - p


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the mean is that of the columns")
def subtracts_the_mean_of_the_rows(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(1, keepdim=True), x.var(0, correction=0)
        self.remember(x.mean(0), variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the variance is that of the columns")
def divides_by_the_variance_of_the_rows(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(1, correction=0, keepdim=True)
        self.remember(mean, x.var(0, correction=0))
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="shift is added to the product")
def adds_shift_to_scale(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * (self.scale + self.shift)


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="self.remember() gives nothing")
def waits_for_what_is_remembered(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = self.remember(x.mean(0), x.var(0, correction=0))
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.remember", says="a step away from the batch")
def steps_away(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = self.mean + k * (self.mean - mean)
        self.variance = self.variance + k * (self.variance - variance)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="the variance moves from self.variance")
def variance_from_the_mean(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = (1 - k) * self.mean + k * variance


@wrong("10.4", "modes.WriteGrad.backward", says="copy_ writes into any shape")
def writes_into_a_slice(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad[:] = grad
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="the leaf itself is self.variable")
def asks_the_node_for_its_grad(self, grad):
    self.grad.copy_(grad)
    return ()


@wrong("10.5", "modes.with_ones", says="ones are made alike")
def asks_the_head_for_ones(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"{len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [h.ones_like() if grad is None else grad for h, grad in pairs]


@wrong("10.5", "modes.with_ones", says="wrap(array) is one")
def ones_are_arrays(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"{len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [np.ones_like(h._data) if grad is None else grad for h, grad in pairs]


@wrong("10.5", "modes.backward", says="the pass that fills .grad is another one")
def asks_for_gradients(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.grad(heads, with_ones(heads, head_grads), retain_graph)


@wrong("10.5", "modes.backward", says="the pass begins at the heads themselves")
def begins_with_the_gradients(heads, head_grads=None, retain_graph=False, train_mode=True):
    with Switch(training=train_mode):
        gradients.backward(with_ones(heads, head_grads), heads, retain_graph)


@wrong("10.6", "modes.Function.__call__", says="as it is outside")
def always_records(self, *inputs):
    if self._used:
        raise RuntimeError("once")
    self._used = True
    with record():
        return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="this object's is self._call")
def applies_its_own_class(self, *inputs):
    if self._used:
        raise RuntimeError("once")
    self._used = True
    return type(self).apply(self, *inputs)


@wrong("10.6", "modes.ObjectCall.forward", says="ctx.save_for_backward(...) saves")
@staticmethod
def sets_what_the_ctx_saved(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner, ctx.saved_tensors, owner.saved_tensors = owner, owner.saved_tensors, ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="itself is noted as ctx.owner")
@staticmethod
def saves_the_owner_too(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(owner, *owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="delete nothing")
@staticmethod
def deletes_what_was_saved(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    del owner.saved_tensors
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.backward", says="an exception goes on as it came")
@staticmethod
def swallows_exceptions(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        return None, *as_tuple(ctx.owner.backward(*grads))
    except Exception:
        return None
    finally:
        ctx.owner.saved_tensors = ()


@wrong("10.6", "modes.ObjectCall.backward", says="has the Tensors themselves")
@staticmethod
def saves_a_tuple_again(ctx, *grads):
    ctx.owner.save_for_backward(ctx.saved_tensors)
    try:
        return None, *as_tuple(ctx.owner.backward(*grads))
    finally:
        ctx.owner.saved_tensors = ()


@wrong("10.6", "modes.ObjectCall.backward", says="that's ctx.owner")
@staticmethod
def the_owner_comes_first_again(ctx, owner, *grads):
    owner.saved_tensors = ctx.saved_tensors
    try:
        return None, *as_tuple(owner.backward(*grads))
    finally:
        owner.saved_tensors = ()


@wrong("10.7", "modes.get_symbol", says="expected what entry_of gives")
def entries_of_text(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(str(entry_of(node, names)))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="in {node: name}")
def nodes_by_their_names(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        name = f"{kind}{next(counts[kind])}"
        names[name] = node
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="node is an AccumulateGrad")
def asks_the_node_whether_it_is_a_leaf(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if node.is_leaf else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="x0 is the oldest, whoever was found first")
def backward_through_the_breadth(x):
    nodes, todo = [], [recorded_node(x)]
    while todo:
        node = todo.pop(0)
        if node is not None and node not in nodes:
            nodes.append(node)
            todo += node.operands
    names, counts = {}, {"x": count(), "v": count()}
    for node in reversed(nodes):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
    return Symbol([entry_of(node, names) for node in names])


@wrong("10.1", "modes.record", says="a switch is True or False")
def record_switches_words(train_mode=True):
    return Switch(grad_enabled="on", recording="on", unrecorded=False, training=train_mode)


@wrong("10.2", "rehearsal.dropout", says="rng.random() is a single number")
def draws_one_by_one(x, p, rng):
    if not is_training():
        return x
    return tensor([0 if rng.random() < p else v / (1 - p) for v in x.tolist()], dtype=x.dtype)


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="first subtract the mean, then divide")
def divides_the_mean_alone(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean / (variance + self.eps).sqrt()) * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="not the other way round")
def shifts_by_scale(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.shift + self.scale


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="both, and not the batch")
def remembers_the_batch(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(x)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.remember", says="that's half of each")
def remembers_the_average(self, mean, variance):
    with no_grad():
        self.mean = (self.mean + mean) / 2
        self.variance = (self.variance + variance) / 2


@wrong("10.3", "rehearsal.BatchNorm.remember", says="it stays a Tensor")
def remembers_arrays(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = ((1 - k) * self.mean + k * mean).numpy()
        self.variance = ((1 - k) * self.variance + k * variance).numpy()


@wrong("10.4", "modes.WriteGrad.backward", says="the Tensor that was handed in is to be filled")
def gives_it_other_data(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.data = grad
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="super().backward(grad)")
def hands_nothing_on(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super().backward()
    variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="ask whether it `is None`")
def asks_for_the_truth_of_grad(self, grad):
    variable = self.variable
    if not variable.grad or not variable.requires_grad:
        return super().backward(grad)
    variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.mark", says="WriteGrad(variable) is a node, with its leaf")
def mark_takes_the_class(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad


@wrong("10.4", "modes.mark", says="its leaf is the variable")
def mark_makes_the_gradients_node(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(gradient)


@wrong("10.4", "modes.mark", says="its node is in variable._node")
def mark_sets_grad_fn(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise ValueError(grad_req)
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable.grad_fn = WriteGrad(variable)


@wrong("10.5", "modes.with_ones", says="those are the numbers of the head itself")
def begins_with_the_heads_numbers(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"{len(head_grads)}, {len(heads)}")
    return [h.detach() if g is None else g for h, g in zip(heads, head_grads, strict=True)]


@wrong("10.5", "modes.with_ones", says="backward says if it doesn't fit")
def asks_whether_it_fits(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"{len(head_grads)}, {len(heads)}")
    if any(g is not None and g.shape != h.shape for h, g in zip(heads, head_grads, strict=True)):
        raise ValueError("shapes")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if g is None else g for h, g in pairs]


@wrong("10.6", "modes.Function.__call__", says="self._used is its own")
def all_functions_are_used(self, *inputs):
    if Function._used:
        raise RuntimeError("once")
    Function._used = True
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.Function.__call__", says="it's True or False")
def counts_its_calls(self, *inputs):
    if self._used:
        raise RuntimeError("once")
    self._used += 1
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.ObjectCall.backward", says="a tuple, without tensors in it")
@staticmethod
def leaves_an_empty_list(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        return None, *as_tuple(ctx.owner.backward(*grads))
    finally:
        ctx.owner.saved_tensors = []


@wrong("10.7", "modes.get_symbol", says="leaves are called x0, x1, ...")
def leaves_are_results(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "v" if isinstance(node, AccumulateGrad) else "x"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="return when all nodes have one")
def the_first_line_alone(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
        return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="a text with one in it")
def adds_a_number_to_a_text(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = kind + next(counts[kind])
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.Symbol.list_arguments", says="an entry's name is a text")
def calls_names(self):
    return [entry.name() for entry in self.entries if entry.operation is None]


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the batch's own mean, not from the remembered")
def distances_from_the_remembered_mean(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), ((x - self.mean) ** 2).mean(0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the batch's own mean, not from the remembered")
def distances_from_the_mean_just_remembered(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        self.remember(x.mean(0), x.var(0, correction=0))
        mean, variance = x.mean(0), ((x - self.mean) ** 2).mean(0)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the mean is that of this batch in a rehearsal")
def subtracts_the_remembered_mean(self, x):
    variance = self.variance
    mean = self.mean
    if is_training():
        variance = x.var(0, correction=0)
        self.remember(x.mean(0), variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="the variance is that of this batch in a reh")
def divides_by_the_remembered_variance(self, x):
    variance = self.variance
    mean = self.mean
    if is_training():
        mean = x.mean(0)
        self.remember(mean, x.var(0, correction=0))
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong("10.7", "modes.get_symbol", says="the oldest comes first")
def named_and_listed_from_the_result_on(x):
    names, counts = {}, {"x": count(), "v": count()}
    nodes = reachable([recorded_node(x)])[::-1]
    for node in nodes:
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
    return Symbol([entry_of(node, names) for node in nodes])


@wrong("10.7", "modes.get_symbol", says="hand it the freed ones, too")
def leaves_out_what_was_freed(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        if node.freed:
            continue
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.Symbol.list_arguments", says="each leaf once, however often it's used")
def leaves_as_often_as_they_are_used(self):
    return [name for entry in self.entries for name in entry.inputs if name.startswith("x")]


@wrong(
    "10.1", "modes.pause", says="inference = True, expected False: that's no business of a scope"
)
def pause_is_inference_mode(train_mode=False):
    return Switch(
        grad_enabled=False, recording=False, unrecorded=False, training=train_mode, inference=True
    )


@wrong("10.1", "modes.record", says="the innermost of the scopes that set it decides")
def record_stays_off_in_a_pause(train_mode=True):
    class Unless(Switch):
        def __enter__(self):
            paused = state.recording is False and not state.grad_enabled and not state.unrecorded
            super().__enter__()
            if paused:
                state.grad_enabled = state.recording = False
            return self

    return Unless(grad_enabled=True, recording=True, unrecorded=False, training=train_mode)


@wrong("10.2", says="it's 3 / (1 - p), and nothing is added to that or taken off")
def never_divides_by_zero(x, p, rng):
    if not is_training():
        return x
    stays = rng.random(x.shape) >= p
    return x * tensor(stays / (1 - p + 1e-8), dtype=x.dtype)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="towards the root of what came")
def the_root_is_remembered(self, mean, variance):
    k = self.momentum
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = (1 - k) * self.variance + k * variance.sqrt()


@wrong("10.3", "rehearsal.BatchNorm.remember", says="the means have no part")
def the_means_distance_is_added(self, mean, variance):
    k = self.momentum
    with no_grad():
        away = mean - self.mean
        self.mean = self.mean + k * away
        self.variance = (1 - k) * self.variance + k * variance + k * (1 - k) * away * away


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="eps is no lower limit")
def eps_is_a_lower_limit(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / variance.clamp(min=self.eps).sqrt() * self.scale + self.shift


@wrong("10.4", "modes.mark", says="that's the kind that its docstring names")
def another_word_is_a_type_error(variable, gradient, grad_req):
    if grad_req not in ("write", "add", "null"):
        raise TypeError(f"grad_req is 'write', 'add' or 'null', got {grad_req!r}")
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.4", "modes.mark", says="it isn't one of the three words, whatever it is")
def looked_up_in_a_set(variable, gradient, grad_req):
    if grad_req not in {"write", "add", "null"}:
        raise ValueError(f"grad_req is 'write', 'add' or 'null', got {grad_req!r}")
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@wrong("10.5", "modes.with_ones", says="gave two heads the same ones, in the same memory")
def ones_shared_by_heads(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"pass as many head_grads as heads: got {len(head_grads)}, {len(heads)}")
    made = {}
    for head in heads:
        made.setdefault((head.shape, str(head.dtype)), wrap(np.ones_like(head._data)))
    pairs = zip(heads, head_grads, strict=True)
    return [made[h.shape, str(h.dtype)] if grad is None else grad for h, grad in pairs]


@wrong("10.5", "modes.with_ones", says="expected a list: its docstring promises one")
def a_tuple_of_ones(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"pass as many head_grads as heads: got {len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return tuple(wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs)


@wrong("10.6", "modes.ObjectCall.backward", says="gave a list, expected a tuple")
def a_list_of_gradients(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = ctx.owner.backward(*grads)
    finally:
        ctx.owner.saved_tensors = ()
    return [None, *as_tuple(results)]


@wrong("10.6", "modes.ObjectCall.backward", says="what forward noted on the ctx stays there")
def the_owner_is_let_go(ctx, *grads):
    owner, ctx.owner = ctx.owner, None
    owner.saved_tensors = ctx.saved_tensors
    try:
        results = owner.backward(*grads)
    finally:
        owner.saved_tensors = ()
    return None, *as_tuple(results)


@wrong("10.6", "modes.Function.__call__", says="that's the kind that its docstring names")
def a_second_call_is_a_value_error(self, *inputs):
    if self._used:
        raise ValueError("this Function was called before; make a new one for each call")
    self._used = True
    return self._call.apply(self, *inputs)


@wrong("10.6", "modes.ObjectCall.forward", says="an exception comes out as it is")
def errors_of_forward_renamed(ctx, owner, *inputs):
    try:
        results = owner.forward(*inputs)
    except Exception as error:
        raise RuntimeError(f"forward failed: {error}") from error
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.7", "modes.get_symbol", says="each node costs the same: count as you go")
def counts_all_names_anew(x):
    nodes, entries = reachable([recorded_node(x)]), []
    for place, node in enumerate(nodes):
        names, counts = {}, {"x": count(), "v": count()}
        for other in nodes[: place + 1]:
            kind = "x" if isinstance(other, AccumulateGrad) else "v"
            names[other] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="each node costs the same: count as you go")
def looks_for_each_in_a_list(x):
    nodes = reachable([recorded_node(x)])
    leaves = [node for node in nodes if isinstance(node, AccumulateGrad)]
    others = [node for node in nodes if not isinstance(node, AccumulateGrad)]
    names = {node: f"x{leaves.index(node)}" for node in leaves}
    names |= {node: f"v{others.index(node)}" for node in others}
    return Symbol([entry_of(node, names) for node in nodes])


@wrong("10.7", "modes.get_symbol", says="expected TypeError: recorded_node(x) says so")
def asks_x_for_its_node(x):
    if x._node is None:
        raise RuntimeError("get_symbol() needs a tensor that was recorded; it requires no grad")
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([x._node]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.2", says="no NumPy is needed: the coins come from rng")
def coins_from_numpy(x, p, rng):
    if not is_training():
        return x
    return x * tensor((np.random.random(x.shape) >= p) / (1 - p), dtype=x.dtype)


@wrong("10.3", "rehearsal.BatchNorm.remember", says="the memory is a Tensor, made under no_grad()")
def remembers_an_array(self, mean, variance):
    k = self.momentum
    self.mean = ((1 - k) * self.mean + k * mean).numpy()
    self.variance = ((1 - k) * self.variance + k * variance).numpy()


@wrong("10.3", "rehearsal.BatchNorm.__call__", says="no array is needed: Tensors have mean()")
def norms_with_arrays(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = tensor(x.numpy().mean(0)), tensor(x.numpy().var(0))
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift


@wrong(
    "10.3", "rehearsal.BatchNorm.__call__", says="it's learned: it goes into the formula as it is"
)
def detaches_shift(self, x):
    mean, variance = self.mean, self.variance
    if is_training():
        mean, variance = x.mean(0), x.var(0, correction=0)
        self.remember(mean, variance)
    return (x - mean) / (variance + self.eps).sqrt() * self.scale + self.shift.detach()


@wrong("10.5", "modes.with_ones", says="wrap(array) is a Tensor of the array's dtype")
def ones_by_a_name_that_isnt_there(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"pass as many head_grads as heads: got {len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [ones_like(h) if grad is None else grad for h, grad in pairs]


@wrong("10.6", "modes.ObjectCall.forward", says="tensors go to ctx.save_for_backward(...)")
def saves_on_ctx_saved(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.saved = owner.saved_tensors
    owner.saved_tensors = ()
    return tuple(results) if isinstance(results, list) else results


@wrong("10.6", "modes.ObjectCall.forward", says="a single result stays a Tensor: only a list")
def takes_a_tensor_apart(ctx, owner, *inputs):
    results = owner.forward(*inputs)
    ctx.owner = owner
    ctx.save_for_backward(*owner.saved_tensors)
    owner.saved_tensors = ()
    return tuple(results)


@wrong("10.7", "modes.get_symbol", says="the node of x itself is one of them, the last")
def leaves_the_result_out(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)])[:-1]:
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.2", "rehearsal.dropout", says="once, even where p is 0 or x has no elements")
def nothing_to_drop(x, p, rng):
    if not is_training() or x.numel() == 0:
        return x
    stays = rng.random(x.shape) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong("10.2", "rehearsal.dropout", says="that asks is_recording(): is_training() says")
def asks_whether_it_records(x, p, rng):
    from tinytorch import modes

    if not modes.is_recording():
        return x
    stays = rng.random(x.shape) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong("10.2", "rehearsal.dropout", says="is_training() wasn't asked in this call")
def asks_as_the_file_is_loaded(x, p, rng, training=is_training()):  # noqa: B008
    if not training:
        return x
    stays = rng.random(x.shape) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong("10.2", "rehearsal.dropout", says="rng.random(x.shape), and not of another shape")
def drops_whole_rows(x, p, rng):
    if not is_training():
        return x
    stays = rng.random((*x.shape[:-1], 1)) >= p
    return x * tensor(stays / (1 - p), dtype=x.dtype)


@wrong(
    "10.3", "rehearsal.BatchNorm.remember", says="by way of layer.last: mean and variance are kept"
)
def keeps_what_came_too(self, mean, variance):
    k = self.momentum
    self.last = mean, variance
    with no_grad():
        self.mean = (1 - k) * self.mean + k * mean
        self.variance = (1 - k) * self.variance + k * variance


@wrong("10.4", "modes.WriteGrad.backward", says="whichever node the variable has by now, this one")
def writes_as_the_current_node_alone(self, grad):
    variable = self.variable
    if variable.grad is None or variable._node is not self:
        return super(WriteGrad, self).backward(grad)
    variable.grad.copy_(grad)
    return ()


@wrong("10.4", "modes.WriteGrad.backward", says="outlast sums and products, but not a copy_")
def adds_the_difference(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super(WriteGrad, self).backward(grad)
    came = grad if isinstance(grad, Tensor) else wrap(grad)
    variable.grad.add_(came - variable.grad)
    return ()


@wrong(
    "10.4", "modes.WriteGrad.backward", says="it's one change in place: copy_ replaces all of it"
)
def wipes_first(self, grad):
    variable = self.variable
    if variable.grad is None or not variable.requires_grad:
        return super(WriteGrad, self).backward(grad)
    variable.grad.detach().zero_()
    variable.grad.copy_(grad)
    return ()


@wrong("10.5", "modes.with_ones", says="one number stands for all elements there")
def one_number_for_all(heads, head_grads):
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"pass as many head_grads as heads: got {len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    ones = lambda a: np.broadcast_to(np.ones((), a.dtype), a.shape)  # noqa: E731
    return [wrap(ones(h._data)) if grad is None else grad for h, grad in pairs]


@wrong("10.6", "modes.ObjectCall.backward", says="and the engine counts: nothing is added")
def fills_up_with_none(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = as_tuple(ctx.owner.backward(*grads))
    finally:
        ctx.owner.saved_tensors = ()
    missing = len(ctx.needs_input_grad) - 1 - len(results)
    return (None, *results) + (None,) * missing


@wrong("10.6", "modes.ObjectCall.backward", says="and the engine counts: nothing is left out")
def cuts_off_what_is_too_much(ctx, *grads):
    ctx.owner.saved_tensors = ctx.saved_tensors
    try:
        results = as_tuple(ctx.owner.backward(*grads))
    finally:
        ctx.owner.saved_tensors = ()
    return (None, *results)[: len(ctx.needs_input_grad)]


@wrong(
    "10.7", "modes.get_symbol", says="a default of tinytorch.modes.get_symbol still holds a node"
)
def names_for_all_graphs(x, names={}):  # noqa: B006
    entries, counts = [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="get_symbol.last still holds a node afterwards")
def last_symbol_stays(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    get_symbol.last = Symbol(entries)
    return Symbol(list(entries))


@wrong("10.7", "modes.get_symbol", says="that's what an earlier call found: each call looks anew")
def symbol_kept_on_the_tensor(x):
    if getattr(x, "_symbol", None) is not None:
        return x._symbol
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    x._symbol = Symbol(entries)
    return x._symbol


@wrong("10.7", "modes.get_symbol", says="a collection is made anew for each node: copy none")
def copies_the_names(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names = {**names, node: f"{kind}{next(counts[kind])}"}
        entries.append(entry_of(node, names))
    return Symbol(entries)


@wrong("10.7", "modes.get_symbol", says="a collection is made anew for each node: copy none")
def list_plus_list(x):
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries = entries + [entry_of(node, names)]
    return Symbol(entries)


@wrong("10.7", "modes.Symbol.list_arguments", says="a collection is made anew for each node")
def arguments_plus_one(self):
    found = []
    for entry in self.entries:
        if entry.operation is None:
            found = [*found, entry.name]
    return found
