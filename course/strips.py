"""The strip of errors: how far gradients are from the slopes that nudging shows."""

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, FAINT, GREY, INK, VERMILION, styled
from course.plots import pixels, write_title

LEAST, MOST = 1e-16, 100.0  # what's nearer, or further off, is drawn there
ROW = 34


@styled
def plot_errors(errors, *, apart=0, title=None):
    """A Picture of errors on a logarithmic axis: for each label a row of pairs (first, second).

    Errors of first order are blue dots, those of second order vermilion diamonds beneath them. A
    line sets the last `apart` rows apart. NaN has a place of its own, at the right edge, where
    there is one; with it is whatever is off by more than 10.
    """
    height = 128 + ROW * len(errors)
    figure = style.new_figure(style.WIDTH, height)
    count = sum(map(len, errors.values()))
    title = title or f"{count} gradients, and the gradients of these"
    write_title(figure, title, height)
    axes = figure.add_axes(pixels(figure, 150, 68, style.WIDTH - 180, height - 122))
    draw_dots(axes, errors)
    if apart:
        axes.axhline(len(errors) - apart - 0.5, xmin=-0.3, color=INK, lw=1, clip_on=False)
    scale_errors(axes, errors)
    axes.minorticks_off()
    axes.set_yticks(range(len(errors)), [f"{name} ({len(p)})" for name, p in errors.items()])
    axes.tick_params(axis="y", length=0)
    axes.axvline(1e-5, color=GREY, lw=1, ls=(0, (4, 3)))
    axes.spines["left"].set_visible(False)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1.0), ncols=2, markerscale=1.3)
    return style.Picture(figure, title)


def draw_dots(axes, errors):
    """The two errors of each gradient, on stripes of two colours."""
    for row, pairs in enumerate(errors.values()):
        if row % 2 == 0:
            axes.axhspan(row - 0.5, row + 0.5, color=FAINT, zorder=0)
        pairs = np.maximum(np.asarray(pairs, np.float64).reshape(-1, 2), LEAST)
        pairs = np.where(pairs <= 10, pairs, MOST)
        looks = (("o", BLUE, -0.17, "first order"), ("D", VERMILION, 0.17, "second order"))
        for k, (marker, colour, shift, label) in enumerate(looks):
            axes.plot(pairs[:, k], np.full(len(pairs), row + shift), marker, color=colour, ms=4.5,
                      mew=0, alpha=0.5, ls="", label=label if row == 0 else None)  # fmt: skip


def scale_errors(axes, errors):
    """A logarithmic axis that begins with 0, and ends with NaN where there is one."""
    axes.set_xscale("log")
    ticks = {LEAST: "0", 1e-12: "10⁻¹²", 1e-10: "10⁻¹⁰", 1e-8: "10⁻⁸", 1e-5: "10⁻⁵", 1: "1"}
    if any(not np.all(np.asarray(pairs) <= 10) for pairs in errors.values()):
        ticks[MOST] = "NaN\nor > 10"
    axes.set(xlim=(LEAST / 3, 10 * max(ticks)), ylim=(len(errors) - 0.5, -0.5))
    axes.set_xlabel("difference from the slope that a nudge shows")
    axes.set_xticks(list(ticks), list(ticks.values()))
    axes.text(  # the axis is broken there: a logarithmic one has no 0
        1e-14, 0, "//", transform=axes.get_xaxis_transform(), ha="center", va="center", zorder=5,
        color=GREY, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
    )  # fmt: skip
