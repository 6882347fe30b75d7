"""Two moons: a problem that no straight line solves, and what a classifier makes of it."""

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, GREY, INK, PALE, VERMILION, styled
from course.plots import numbers, pixels, write_title

WIDE, HIGH = 2.0, 1.45  # the part of the plane that is drawn reaches so far from its middle


def two_moons(n=240, seed=0):
    """Points on two half circles that reach into each other: arrays (n, 2) and (n,).

    Coordinates are float32 around 0; labels are 0 for the upper moon, 1 for the lower one.

    >>> x, y = two_moons(100)
    >>> x.shape, np.bincount(y).tolist()
    ((100, 2), [50, 50])
    """
    generator = np.random.default_rng(seed)
    y = np.arange(n) % 2
    angle = generator.uniform(0, np.pi, n)
    turned = np.where(y == 0, 1, -1)  # the lower moon stands on its head
    x = np.stack([turned * np.cos(angle) + y - 0.5, turned * np.sin(angle) + y * 0.5 - 0.25], 1)
    return (x + generator.normal(0, 0.16, x.shape)).astype(np.float32), y


@styled
def plot_regions(x, y, classifiers, *, lines=None, title=""):
    """A Picture of points (N, 2) of two classes and of where each classifier says which.

    `classifiers` maps names to functions, which are given points (N, 2) as an array and return
    scores (N, 2). The title gets the share that each has right, rounded down. Without any, the
    points stand alone. `lines` maps some of the names to (W, b): for each column of W a thin line
    shows where x @ W + b is zero.
    """
    x, y = numbers(x), numbers(y).astype(int)
    shares = {name: share_right(f, x, y) for name, f in classifiers.items()}
    said = ", ".join(f"{name} {int(100 * share)}%" for name, share in shares.items())
    title = ": ".join(filter(None, (title, said and f"{said} right")))
    width = 12 + 314 * max(1, len(classifiers))
    size = 4 if len(x) > 20 else 10  # a few points need not make room for each other
    figure = style.new_figure(width, 284)
    write_title(figure, title, 284)
    for k, (name, f) in enumerate((classifiers or {"": None}).items()):
        axes = figure.add_axes(pixels(figure, 14 + 314 * k, 40, 298, 216))
        if f is not None:
            draw_regions(axes, f)
            draw_lines(axes, *(lines or {}).get(name, ((), ())))
        for label, colour, marker in ((0, BLUE, "o"), (1, VERMILION, "^")):
            axes.plot(*x[y == label].T, marker, color=colour, ms=size, mew=0, ls="")
        axes.set(xlim=(-WIDE, WIDE), ylim=(-HIGH, HIGH), xticks=[], yticks=[], xlabel=name)
        for spine in axes.spines.values():
            spine.set(visible=True, color=PALE)
    return style.Picture(figure, title)


def scores_of(f, points):
    scores = numbers(f(points.astype(np.float32)))
    if scores.shape != (len(points), 2):
        raise ValueError(
            f"plot_regions needs scores of shape ({len(points)}, 2), got {scores.shape}"
        )
    return scores


def share_right(f, x, y):
    return (scores_of(f, x).argmax(axis=1) == y).mean()


def draw_regions(axes, f, steps=61):
    """Each side in the colour of its class, and the border between them."""
    across, up = np.meshgrid(np.linspace(-WIDE, WIDE, steps), np.linspace(-HIGH, HIGH, steps))
    scores = scores_of(f, np.stack([across.ravel(), up.ravel()], 1))
    lead = (scores[:, 1] - scores[:, 0]).reshape(across.shape)
    axes.contourf(across, up, lead, [-np.inf, 0, np.inf], colors=[BLUE, VERMILION], alpha=0.16)
    if lead.min() < 0 < lead.max():  # or there is no border
        axes.contour(across, up, lead, [0], colors=[INK], linewidths=2)


def draw_lines(axes, W, b):
    """The line on which x @ W + b is zero, for each column of W (2, n) that has one."""
    for w, height in zip(numbers(W).T, numbers(b), strict=True):
        if w.any():
            nearest = -height * w / (w @ w)  # of all points on the line, to the middle
            along = (WIDE + HIGH) / np.hypot(*w) * np.array([-w[1], w[0]])
            axes.plot(*np.transpose([nearest - along, nearest + along]), color=GREY, lw=0.6)
