"""Curves, digits, weights and confusion matrices, in the one style of the course."""

import numpy as np

from course.drawing import style
from course.drawing.reading import numbers_of
from course.drawing.style import BLUE, GREY, INK, LINES, MARKERS, PALE, SERIES, VERMILION, styled
from course.drawing.text import bytes_text, number_text


@styled
def plot_tangent(f, x, slope, *, between=None, title=None):
    """A Picture of the function f around x, and of the line with this slope that touches it.

    `between` is the stretch of f to draw, as in (0, 1); without it, 1.5 to both sides of x.
    """
    at, slope = number(x), number(slope)
    start, stop = (at - 1.5, at + 1.5) if between is None else between
    xs = np.linspace(start, stop, 961)
    ys, y = np.array([value_at(f, v, x) for v in xs]), value_at(f, at, x)
    title = title or f"at x = {number_text(at)} the slope is {number_text(slope)}"
    name = getattr(f, "__name__", "f").replace("<lambda>", "f")
    picture, axes = new_axes(title, "x", f"{name}(x)", height=320)
    axes.plot(xs, ys, color=BLUE, label=name)
    reach = min(0.3 * (stop - start), 0.45 * np.ptp(ys) / max(abs(slope), 1e-9))
    near = np.array([at - reach, at + reach])
    axes.plot(near, y + slope * (near - at), color=VERMILION, ls="--", label="its tangent")
    if reach > 0.04 * (stop - start):  # else there is no room for its numbers
        is_narrow = reach < 0.1 * (stop - start)
        draw_triangle(axes, at, y, slope, round_below(reach if is_narrow else reach / 1.5))
    axes.plot([at], [y], "o", color=INK, ms=7)
    axes.legend(loc="best")
    return picture


@styled
def plot_slopes(x, z, slopes, *, f=None, title=None):
    """A Picture of a curve that nobody drew: at each point (x, z) one short stroke of its slope.

    With `f`, a thin line underneath shows that function, to compare. Few points are drawn as dots.
    """
    x, z, slopes = numbers(x).ravel(), numbers(z).ravel(), numbers(slopes).ravel()
    require_lengths(x, z)
    require_lengths(x, slopes)
    name = "z" if f is None else f"{f.__name__}(x)"
    picture, axes = new_axes(title or f"{len(x)} points, {len(x)} slopes", "x", name, height=320)
    if f is not None:
        xs = np.linspace(x.min(), x.max(), 961)
        axes.plot(xs, [value_at(f, v, 0.0) for v in xs], color=PALE, lw=1)
    few = len(x) <= 32
    length = 0.35 if few else 0.6  # dots stand apart, many strokes may touch
    wide, high = length * np.ptp(x) / len(x), 0.04 * np.ptp(z)  # half a stroke at most, either way
    run = 1 / np.hypot(1 / wide, slopes / high)
    strokes = np.array([[x - run, z - slopes * run], [x + run, z + slopes * run]])
    axes.plot(strokes[:, 0], strokes[:, 1], color=VERMILION, lw=1.5)
    if few:
        axes.scatter(x, z, color=VERMILION, s=14, zorder=3)
    return picture


@styled
def plot_error_curve(eps, errors, *, title=None):
    """A Picture of the error of a numerical slope for each nudge, on logarithmic axes.

    The least error of each series is ringed, the largest of all is written out.
    `errors` is a sequence as long as `eps`, or a dict from label to sequence. An error of zero has
    no place on such an axis and is left out.
    """
    title = title or "too coarse a nudge on the right, too fine a nudge on the left"
    picture, axes = new_axes(title, "nudge", "error of the slope", height=320)
    eps, errors = numbers(eps), as_series(errors, len(eps))
    for k, (label, series) in enumerate(errors.items()):
        known = np.where(series > 0, series, np.nan)
        axes.loglog(eps, known, label=label, ms=4, **look(k))
        least = np.where(series > 0, series, np.inf).argmin()
        axes.plot(eps[least], known[least], "o", ms=13, mfc="none", mec=INK, mew=1)
    worst = max(errors.values(), key=max)
    point = (eps[worst == worst.max()].min(), worst.max())
    write_beside(axes, number_text(worst.max()), point, (-7, 0), "right", INK, "bold")
    finish_legend(axes)
    return picture


@styled
def plot_cost(sizes, seconds, *, title=None, xlabel="how many numbers"):
    """A Picture of what one gradient costs, for ever more numbers, on logarithmic axes.

    `seconds` is a sequence as long as `sizes`, or a dict from label to sequence. A dashed line
    beside a single sequence shows what it would be, were it in proportion to the sizes.
    """
    sizes, series = numbers(sizes), as_series(seconds, len(sizes))
    ends = {label: time_text(values[-1]) for label, values in series.items()}
    said = " and ".join(f"{label} {end}".strip() for label, end in ends.items())
    title = title or f"one gradient of {sizes[-1]:,.0f} numbers: {said}"
    picture, axes = new_axes(title, xlabel, "seconds for one gradient", height=320)
    for k, (label, values) in enumerate(series.items()):
        axes.loglog(sizes, values, label=label, **look(k))
        point = (sizes[-1], values[-1])
        write_beside(axes, ends[label], point, (-6, 12), "right", SERIES[k], "bold")
    axes.margins(y=0.1)  # room for the highest of these numbers
    if not isinstance(seconds, dict):
        fair = series[""][0] * sizes / sizes[0]
        axes.loglog(sizes, fair, color=GREY, ls="--", lw=1.2, label="in proportion")
        write_beside(axes, time_text(fair[-1]), (sizes[-1], fair[-1]), (4, -32), "right")
    if sizes[-1] < 100 * sizes[0]:  # there are too few powers of ten to read them off
        axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
        axes.xaxis.set_minor_formatter("")
    finish_legend(axes)
    return picture


@styled
def plot_fit(
    x, y, curves, *, dashed=None, title="the curve moves to the points", xlabel="x", ylabel="y"
):
    """A Picture of points and of the curves {label: (xs, ys)} that were fitted, in this order.

    The one whose label is `dashed` is no fit, and looks it. play(plot_fit(…)) shows the curves one
    after the other.
    """
    curves = {k: (numbers(xs).ravel(), numbers(ys).ravel()) for k, (xs, ys) in curves.items()}
    points = numbers(x).ravel(), numbers(y).ravel()
    picture, axes = new_axes(title, xlabel, ylabel, height=340)
    axes.plot(*points, "o", color=INK, ms=dot_size(points), mew=0, zorder=3)
    for k, (label, curve) in enumerate(curves.items()):
        late = (k + 1) / len(curves)
        fitted = {"color": blend("#BBD9EA", BLUE, late), "lw": 1.2 + 1.8 * late}
        known = {"color": VERMILION, "lw": 2.5, "ls": "--"}
        axes.plot(*curve, label=label, **(known if label == dashed else fitted))
    axes.legend(loc="best")
    picture.frames = lambda: fit_frames(points, curves, xlabel, ylabel)
    return picture


@styled
def fit_frames(points, curves, xlabel, ylabel):
    """A Picture for each curve, with a pale trace of those before; all have the same axes."""
    labels, lines = list(curves), list(curves.values())
    everything = np.concatenate([points[1], *(ys for _, ys in lines)])
    low, high = everything.min(), everything.max()
    pictures = []
    for k, label in enumerate(labels):
        picture, axes = new_axes(label, xlabel, ylabel, height=340)
        for before in lines[:k]:
            axes.plot(*before, color="#BBD9EA", lw=1)
        axes.plot(*points, "o", color=INK, ms=dot_size(points), mew=0, zorder=3)
        axes.plot(*lines[k], color=BLUE, lw=3)
        axes.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
        pictures.append(picture)
    return pictures


def dot_size(points):
    """Few points are drawn large: a single one in a corner is easily missed."""
    return 4 if len(points[0]) > 5 else 9


@styled
def plot_losses(losses, *, epoch=None, title=None, xlabel="step", ylabel="loss", linear=False):
    """A Picture of losses over the steps: a sequence, or a dict from label to sequence.

    `epoch` is how many steps make one; then the mean of each epoch is drawn over a pale sequence.
    Losses of very different sizes get a logarithmic axis, unless it is to be linear. A linear axis
    shows 0 where the least loss is below a quarter of the largest.
    """
    if epoch is not None:
        return plot_epochs(numbers(losses), epoch, title, xlabel, ylabel)
    series = as_series(losses)
    title = title or f"the {ylabel} falls {fall_text(next(iter(series.values())))}"
    picture, axes = new_axes(title, xlabel, ylabel)
    for k, (label, values) in enumerate(series.items()):
        line = 1 if len(values) > 300 else 2  # a dense curve is drawn thin
        marker = len(values) <= 12
        axes.plot(range(len(values)), values, label=label, linewidth=line, **look(k, marker))
    axes.xaxis.get_major_locator().set_params(integer=True)  # there is no step 2.5
    if not linear:
        scale_y(axes, series)
    show_zero(axes, series)
    finish_legend(axes)
    return picture


def plot_epochs(losses, epoch, title, xlabel, ylabel):
    """The losses of all steps, pale, and the mean of each epoch in the middle of it."""
    if not 0 < epoch <= len(losses):
        raise ValueError(f"an epoch of {len(losses)} steps has 1 to {len(losses)}, got {epoch}")
    count = len(losses) // epoch
    means = losses[: count * epoch].reshape(count, epoch).mean(axis=1)
    title = title or f"the mean of an epoch falls {fall_text(means)}"
    picture, axes = new_axes(title, xlabel, ylabel)
    axes.plot(losses, color="#A9CFE5", lw=0.8, label="each step")
    middles = np.arange(count) * epoch + (epoch - 1) / 2
    axes.plot(middles, means, color=INK, marker="o", ms=4, label="mean of an epoch")
    scale_y(axes, {"": losses})
    show_zero(axes, {"": losses})
    axes.legend(loc="best")
    return picture


@styled
def plot_learning(losses, levels, *, ends=(), title, over=25):
    """A Picture of the losses of all steps, pale, and over them the mean of those around each.

    `over` is how many steps share a mean. `levels` are losses to compare with, {label: loss}, and
    `ends` are steps at which a part of the training ended.
    """
    losses = numbers(losses)
    over = min(over, len(losses))
    means = np.convolve(losses, np.ones(over) / over, "valid")
    picture, axes = new_axes(title, "step", "loss")
    axes.plot(losses, color="#A9CFE5", lw=0.8, label="each step")
    axes.plot(np.arange(len(means)) + (over - 1) / 2, means, color=INK, label=f"mean of {over}")
    for label, level in levels.items():
        axes.axhline(level, color=VERMILION, lw=1.2, ls=(0, (4, 3)))
        text = f"{label}: {level:.2f}"
        write_beside(axes, text, (len(losses), level), (0, 8), "right", VERMILION)
    for end in ends:
        axes.axvline(end, color=GREY, lw=1, ls=":")
        axes.annotate(f"{end}", (end, 1), (3, -6), xycoords=("data", "axes fraction"),
                      textcoords="offset points", color=GREY, fontsize=style.SMALL)  # fmt: skip
    axes.legend(loc="center right", bbox_to_anchor=(1, 0.72))
    return picture


@styled
def plot_counts(
    labels, counts, *, title=None, xlabel="", ylabel="visits", written=(), linear=False
):
    """A Picture of counts for each label: a sequence, or a dict from label to sequence.

    The last counts are written out, and those at the labels in `written`. Counts of very different
    sizes get a logarithmic axis, unless it is to be linear.
    """
    series = as_series(counts, len(labels))
    picture, axes = new_axes(title or counts_title(series, ylabel), xlabel, ylabel, height=320)
    at = np.arange(len(labels)) if isinstance(labels[0], str) else numbers(labels)
    places = [list(labels).index(label) for label in written] + [len(at) - 1]
    numbers_at = {place: {} for place in places}  # where curves meet, their number is written once
    for k, (label, values) in enumerate(series.items()):
        axes.plot(at, values, label=label, ms=6, **look(k))
        for place in places:
            told = numbers_at[place]
            told[values[place]] = INK if values[place] in told else SERIES[k]
    if not linear:
        scale_y(axes, series)
    if axes.get_yscale() == "linear":
        lay_out_counts(axes, series)
    shown = sorted({*range(len(at))[:: len(at) // -12], *places})  # those with a number have a tick
    axes.set_xticks(at[shown], [label_text(labels[place]) for place in shown])
    is_wide = any(count_text(y).startswith("$") for y in numbers_at.get(0, ()))
    axes.margins(x=0.17 if is_wide else 0.12)  # room for a number before the curves
    for place, told in numbers_at.items():
        write_apart(axes, at[place], told, *beside(series, place))
    finish_legend(axes)
    return picture


def lay_out_counts(axes, series):
    """A linear axis begins at 0 where no count is below it; large ones are written 80,000."""
    least, largest = min(map(np.min, series.values())), max(map(np.max, series.values()))
    if least >= 0:
        axes.set_ylim(bottom=0)
    if largest >= 1000:
        axes.yaxis.set_major_formatter("{x:,.10g}")


def label_text(label):
    """A label below an axis, a large count as beside the curves.

    >>> label_text(1437), label_text(0.02), label_text("1e5")
    ('1,437', '0.02', '1e5')
    """
    return f"{label:,}" if isinstance(label, int) else str(label)


def beside(series, place):
    """Where the numbers of a place stand, as (shift, alignment): where the curves don't run."""
    if place == 0:
        return (-7, 0), "right"
    steps = [step for values in series.values() for step in np.diff(values[place : place + 2])]
    if not steps:
        return (7, 0), "left"
    return ((7, -9) if min(steps) > 0 else (5, 10)), "left"


def write_apart(axes, x, colours, shift, align="left", apart=15):
    """The numbers {y: colour} of curves at x, beside them; those too close are moved apart."""
    axes.autoscale_view()
    ys = sorted(y for y in colours if np.isfinite(y))
    points = axes.transData.transform(np.array([(x, y) for y in ys]).reshape(-1, 2))
    heights = points[:, 1] * 72 / axes.figure.dpi
    floor = axes.bbox.y0 * 72 / axes.figure.dpi
    places = np.maximum(heights, floor + apart / 2)  # no number stands in the axis
    for _ in ys:  # each time two neighbours make room, half of it each
        for k in range(len(ys) - 1):
            missing = max(apart - (places[k + 1] - places[k]), 0)
            places[k : k + 2] += np.array([-missing, missing]) / 2
    for y, moved in zip(ys, places - heights, strict=True):
        write_beside(axes, count_text(y), (x, y), (shift[0], shift[1] + moved), align, colours[y])


def count_text(y):
    """A number beside a curve: whole where it's large, and short where it's huge or tiny.

    >>> count_text(4095), count_text(0.25), count_text(2.16e8), count_text(9.1e-10)
    ('4,095', '0.25', '$2.2·10^{8}$', '$9·10^{-10}$')
    """
    if 1e-4 < abs(y) < 1e8 or y == 0:
        return f"{y:,.0f}" if y >= 10 else f"{y:.2g}"
    digits, _, exponent = (f"{y:.1e}" if y >= 1e8 else f"{y:.0e}").partition("e")
    return f"${digits}·10^{{{int(exponent)}}}$"  # as on a logarithmic axis


@styled
def plot_shares(shares, *, between=(0, 100), title=None, xlabel="% right"):
    """A Picture of percentages: for each label a row, with a dot for each number and their mean.

    Rows whose labels begin alike, up to a comma, have one colour. The axis goes from the first to
    the second number of `between`.
    """
    first, last = between
    rows = {label: numbers(values).ravel() for label, values in shares.items()}
    height = 104 + 30 * len(rows)
    figure = style.new_figure(600, height)
    title = title or f"{len(rows)} rows of percentages"
    write_title(figure, title, height)
    axes = figure.add_axes(pixels(figure, 210, 46, 316, height - 96))
    kinds = list(dict.fromkeys(label.partition(",")[0] for label in rows))
    for row, (label, values) in enumerate(rows.items()):
        mean, colour = values.mean(), SERIES[kinds.index(label.partition(",")[0]) % 6]
        axes.plot([first, last], [row, row], color=PALE, lw=0.8, zorder=0)
        apart = row + np.linspace(-0.24, 0.24, len(values))  # equal numbers shall not hide
        axes.plot(values, apart, "o", color=colour, ms=5, mec="white", mew=0.5, zorder=3)
        axes.plot([mean, mean], [row - 0.42, row + 0.42], color=INK, lw=1.2, zorder=4)
        write_beside(axes, f"{mean:.1f} %", (last, row), (14, 0), "left", colour, "bold")
    axes.set_yticks(range(len(rows)), list(rows))
    axes.tick_params(left=False)
    margin = (last - first) / 50
    xlim, ylim = (first - margin, last + margin), (len(rows) - 0.4, -0.6)
    axes.set(xlim=xlim, ylim=ylim, xlabel=xlabel)
    axes.spines["left"].set_visible(False)
    return style.Picture(figure, title)


@styled
def plot_memory(steps, series, *, title=None, xlabel="step"):
    """A Picture of bytes in use over the steps: `series` maps labels to bytes at each step."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    series = as_series(series, len(steps))
    picture, axes = new_axes(title or memory_title(series), xlabel, "", height=320)
    for k, (label, values) in enumerate(series.items()):
        axes.plot(steps, values, label=label, ms=5, **look(k))
    axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])  # room for a line that lies on the floor
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: bytes_text(round(value))))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    finish_legend(axes)
    return picture


@styled
def show_digits(images, labels=None, predictions=None, *, title=None):
    """A Picture of digits (N, 64) or (N, 8, 8); a wrong one is marked: `said 3, is 8`."""
    images = numbers(images).reshape(-1, 8, 8)
    known = [None] * len(images) if labels is None else numbers(labels).astype(int)
    said = known if predictions is None else numbers(predictions).astype(int)
    is_wrong = [a is not None and a != b for a, b in zip(known, said, strict=True)]
    side = 120 if len(images) == 1 else 52  # one alone is drawn large
    below = 12 if all(each is None for each in said) else 32  # room for what was said
    pitch = max(90 if any(is_wrong) else 60, side + 8)  # room for `said 3, is 8`
    rows = -(-len(images) // (600 // pitch))
    columns = -(-len(images) // rows)  # 5, 5, 5, 4 rather than 6, 6, 6, 1
    title = title or (
        "digits, 8 x 8 pixels each" if predictions is None else said_title(known, said)
    )
    figure = style.new_figure(max(columns * pitch, 300) + 20, 44 + rows * (side + below))
    height = figure.get_size_inches()[1] * 72
    write_title(figure, title, height)
    for k, image in enumerate(images):
        row, column = divmod(k, columns)
        left, top = 14 + column * pitch + (pitch - side - 8) / 2, 40 + row * (side + below)
        axes = figure.add_axes(pixels(figure, left, top, side, side))
        show_digit(axes, image, known[k], said[k], below=13 / side)  # nearer than the next
    return style.Picture(figure, title)


def show_weights(
    weights, *, over=None, title="what speaks for each digit (+, blue) and against it (−)"
):
    """A Picture of weights (64, 10): for each class the pixels that speak for and against it.

    The outline of a digit `over` (64,) is drawn into each square.

    `weights` may be a dict from label to weights, how they formed: then the last are shown, and
    play(show_weights(…)) shows all of them, one after the other, in the same colours.
    """
    story = weights if isinstance(weights, dict) else {title: weights}
    story = {label: numbers(weights) for label, weights in story.items()}
    for shape in (weights.shape for weights in story.values()):
        if shape != (64, 10):
            raise ValueError(f"show_weights needs weights of shape (64, 10), got {shape}")
    *_, last = story.values()
    largest = np.quantile(abs(last), 0.98) or 1
    picture = draw_weights(last, largest, title, over)
    if len(story) > 1:
        frames = story.items()
        picture.frames = lambda: [draw_weights(w, largest, label, over) for label, w in frames]
    return picture


@styled
def draw_weights(weights, largest, title, over):
    """A square for each class, white at 0, full colour at `largest`."""
    figure = style.new_figure(600, 44 + 2 * 136)
    write_title(figure, title, 44 + 2 * 136)
    for digit in range(10):
        row, column = divmod(digit, 5)
        axes = figure.add_axes(pixels(figure, 16 + column * 116, 60 + row * 134, 104, 104))
        image = weights[:, digit].reshape(8, 8)
        axes.imshow(image, cmap=signs(), vmin=-largest, vmax=largest)
        mark_signs(axes, image, largest)
        if over is not None:
            draw_outline(axes, numbers(over).reshape(8, 8))
        axes.set_title(str(digit), fontsize=11.5, loc="center", pad=4)
        bare(axes)
    return style.Picture(figure, title)


def draw_outline(axes, image):
    """A line around what is dark, and around the holes in it; closed at the edge of the image."""
    ink, places = np.pad(image, 1), np.arange(-1, 9)
    axes.contour(places, places, ink, levels=[0.6 * ink.max()], colors=INK, linewidths=0.8)
    axes.set(xlim=(-0.5, 7.5), ylim=(7.5, -0.5))


@styled
def show_confusion(labels, predictions, *, title=None):
    """A Picture of how often each digit (row) was taken for each digit (column)."""
    labels, predictions = numbers(labels).astype(int), numbers(predictions).astype(int)
    require_lengths(labels, predictions)
    size = max(labels.max(), predictions.max()) + 1
    counts = np.zeros((size, size), int)
    np.add.at(counts, (labels, predictions), 1)
    figure = style.new_figure(440, 452)
    title = title or confusion_title(counts)
    write_title(figure, title, 452)
    axes = figure.add_axes(pixels(figure, 56, 70, 366, 366))
    draw_confusion(axes, counts)
    return style.Picture(figure, title)


def new_axes(title, xlabel, ylabel, width=540, height=300):
    """A Picture and its axes, with a title on the left and a quiet grid."""
    figure = style.new_figure(width, height)
    write_title(figure, title, height)
    axes = figure.add_axes(pixels(figure, 76, 46, width - 100, height - 96))
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel, rotation=0 if len(ylabel) == 1 else 90)  # a z on its side is an N
    axes.grid(True, color="#ECECEC", lw=0.8)
    axes.set_axisbelow(True)
    return style.Picture(figure, title), axes


def draw_triangle(axes, x, y, slope, run):
    """Under a tangent: so far to the right, so far up, with both lengths beside them."""
    rise = slope * run
    axes.plot([x, x + run, x + run], [y, y, y + rise], color=GREY, lw=1)
    if slope > 0:
        write_beside(axes, number_text(run), (x + run / 2, y), (0, -9), "center")
    else:  # the line comes from the upper left
        write_beside(axes, number_text(run), (x, y), (6, 9), "left")
    write_beside(axes, number_text(rise), (x + run, y + rise / 2), (6, 0), "left")


def round_below(length):
    """The largest of 1, 2 and 5 times a power of ten that is at most `length`.

    >>> round_below(0.6), round_below(0.033)
    (0.5, 0.02)
    """
    power = 10.0 ** np.floor(np.log10(length))
    return max(float(f"{k * power:.1g}") for k in (1, 2, 5) if k * power <= length * (1 + 1e-9))


def write_beside(axes, text, point, shift, align, colour=GREY, weight="normal"):
    """A text so many pixels away from a point of the data."""
    axes.annotate(
        text, point, shift, textcoords="offset points", ha=align, va="center", color=colour,
        weight=weight,
    )  # fmt: skip


def write_title(figure, title, height):
    from course.drawing.scene import text_width

    width = figure.get_size_inches()[0] * 72
    size = style.TITLE * min(1, (width - 28) / text_width(title, style.TITLE, "bold"))
    figure.text(14 / width, 1 - 20 / height, title, fontsize=size, weight="bold", va="center")


def pixels(figure, left, top, width, height):
    """A rectangle given in pixels from the upper left corner, as matplotlib wants it."""
    full_width, full_height = figure.get_size_inches() * 72
    bottom = 1 - (top + height) / full_height
    return left / full_width, bottom, width / full_width, height / full_height


def numbers(thing):
    """An array from a Tensor, an array, a list of numbers or of Tensors."""
    array = numbers_of(thing)
    if array is None:
        array = np.array([numbers_of(item) if hasattr(item, "data") else item for item in thing])
    return array if array.dtype.kind in "iu" else array.astype(float)


def number(thing):
    return float(numbers(thing).reshape(()))


def value_at(f, value, like):
    """f at one number, which it gets as a Tensor where `like` is one."""
    x = type(like)(value) if hasattr(like, "data") and not np.isscalar(like) else value
    return number(f(x))


def as_series(values, length=None):
    """A dict from label to array; a plain sequence becomes one without a label."""
    series = values if isinstance(values, dict) else {"": values}
    series = {label: numbers(v).ravel() for label, v in series.items()}
    for v in series.values():
        if length is not None and len(v) != length:
            raise ValueError(f"expected {length} values, got {len(v)}")
    return series


def require_lengths(a, b):
    if len(a) != len(b):
        raise ValueError(f"both must have one length, got {len(a)} and {len(b)}")


def look(k, marker=True):
    """Colour, line and marker of the k-th series: never told apart by colour alone."""
    found = {"color": SERIES[k % 6], "ls": LINES[k % 6]}
    return {**found, "marker": MARKERS[k % 6]} if marker else found


def finish_legend(axes):
    """A legend where there is most room; where it would lie on a line, above them all."""
    labels = [label for label in axes.get_legend_handles_labels()[1] if label]
    if not labels:
        return
    box = drawn_legend(axes, "best")
    paths = [line.get_path().transformed(line.get_transform()) for line in axes.lines]
    if any(path.intersects_bbox(box, filled=False) for path in paths):
        box = drawn_legend(axes, "upper left", len(labels))
        if box.width > axes.bbox.width:
            box = drawn_legend(axes, "upper left", -(-len(labels) // 2))
        free = 1 - box.height / axes.bbox.height - 0.02
        (_, low), (_, high) = axes.transScale.transform([(1, y) for y in axes.get_ylim()])
        top = axes.transScale.inverted().transform((1, low + (high - low) / free))[1]
        axes.set_ylim(top=top)


def drawn_legend(axes, where, columns=1):
    """Where on the sheet the legend has found its place."""
    legend = axes.legend(loc=where, ncols=columns)
    axes.figure.draw_without_rendering()
    return legend.get_window_extent()


def finite(series):
    """All values of all series in one array, without infinity and NaN."""
    values = np.concatenate(list(series.values()))
    return values[np.isfinite(values)]


def scale_y(axes, series):
    """A logarithmic axis where positive values span more than two decades."""
    values = finite(series)
    if len(values) and values.min() > 0 and values.max() > 100 * values.min():
        axes.set_yscale("log")
        axes.yaxis.set_minor_formatter("")
        if values.min() >= 1e-4 and values.max() < 1e6:  # 1,000 is easier to read than 10³
            axes.yaxis.set_major_formatter(lambda y, _: f"{y:,.0f}" if y >= 1 else f"{y:g}")
        decades = np.log10(values.max() / values.min())
        if decades > 20:  # few numbers on the axis, and 1 is one of them
            axes.yaxis.get_major_locator().set_params(base=10.0 ** round(decades / 8))


def show_zero(axes, series):
    """Start a linear axis at 0 where the values come so close that it could be taken for the 0."""
    values = finite(series)
    if axes.get_yscale() == "linear" and len(values) and 0 <= 4 * values.min() < values.max():
        axes.set_ylim(bottom=0)


def blend(start, end, share):
    from matplotlib.colors import to_rgb

    return tuple(np.array(to_rgb(start)) * (1 - share) + np.array(to_rgb(end)) * share)


def time_text(seconds):
    """A duration for people.

    >>> time_text(0.5), time_text(90), time_text(200_000)
    ('0.5 seconds', '2 minutes', '2 days')
    """
    for size, unit in ((31_557_600, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.2g} seconds"


def fall_text(values):
    """`from 3.2 to 0.1`, in two digits."""
    return f"from {values[0]:.2g} to {values[-1]:.2g}"


def counts_title(series, what):
    most = max(series.items(), key=lambda item: item[1][-1])
    return f"{most[0]}: {most[1][-1]:,.0f} {what}" if most[0] else f"{most[1][-1]:,.0f} {what}"


def memory_title(series):
    ends = [f"{label or 'memory'} {bytes_text(int(v[-1]))}" for label, v in series.items()]
    return "at the end: " + ", ".join(ends)


def said_title(known, said):
    wrong = sum(int(a != b) for a, b in zip(known, said, strict=True))
    if wrong == len(said):
        return f"{wrong} mistakes: what was said, and what it is"
    return f"{wrong} of {len(said)} wrong: what was said, and what it is"


def show_digit(axes, image, label, said, below=0.36):
    axes.imshow(image, cmap="gray_r", vmin=0, vmax=max(1, image.max()))
    bare(axes, VERMILION if label is not None and said != label else PALE)
    if said is None:
        return
    wrong = label is not None and said != label
    text = f"said {said}, is {label}" if wrong else str(said)
    colour, weight = (VERMILION, "bold") if wrong else (INK, "normal")
    axes.set_title(text, y=-below, pad=0, fontsize=10.5, color=colour, weight=weight, loc="center")


def bare(axes, edge=PALE):
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set(visible=True, color=edge, linewidth=1 if edge == PALE else 2)


def mark_signs(axes, image, largest):
    """A + or − on every pixel that speaks clearly, with room around it where a line passes."""
    from matplotlib.patheffects import withStroke

    for row, column in np.argwhere(abs(image) > 0.6 * largest):
        sign, colour = ("+", BLUE) if image[row, column] > 0 else ("−", VERMILION)
        text = axes.text(column, row, sign, ha="center", va="center_baseline", fontsize=8)
        text.set(color=colour, weight="bold", zorder=4)
        text.set_path_effects([withStroke(linewidth=3, foreground="white")])


def confusion_title(counts):
    wrong = counts - np.diag(np.diag(counts))
    if not wrong.any():
        return f"all {counts.sum()} right"
    row, column = np.unravel_index(wrong.argmax(), wrong.shape)
    return f"{wrong.sum()} of {counts.sum()} wrong; most often {row} is taken for {column}"


def draw_confusion(axes, counts):
    wrong = counts - np.diag(np.diag(counts))
    shade = np.where(np.eye(len(counts), dtype=bool), 0.0, wrong / max(wrong.max(), 1))
    axes.imshow(shade, cmap=warm(), vmin=0, vmax=1)
    for row, column in np.argwhere(counts > 0):
        right = row == column
        axes.text(
            column, row, str(counts[row, column]), ha="center", va="center_baseline", fontsize=11,
            color=BLUE if right else INK, weight="normal" if right else "bold",
        )  # fmt: skip
    axes.set_xticks(range(len(counts)))
    axes.set_yticks(range(len(counts)))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("said to be")
    axes.set_ylabel("really is")
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(len(counts) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(counts) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="#E4E4E4", lw=1)
    axes.tick_params(which="minor", length=0)
    for spine in axes.spines.values():
        spine.set(visible=True, color=PALE)


def signs():
    """The colours of numbers on both sides of 0: vermilion below, white at 0, blue above."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("signs", [VERMILION, "#FFFFFF", BLUE])


def warm():
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("warm", ["#FFFFFF", "#F2A36B"])
