"""The strip of errors: how far gradients are from the slopes that nudging shows."""

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, FAINT, GREY, INK, VERMILION, styled
from course.plots import pixels, write_title

LEAST = 1e-16  # what's nearer than that is drawn there
ROW = 34


@styled
def plot_errors(errors, *, apart=0, title=None):
    """A Picture of errors on a logarithmic axis: for each label a row of pairs (first, second).

    Errors of first order are blue dots, those of second order vermilion diamonds beneath them. A
    line sets the last `apart` rows apart.
    """
    height = 128 + ROW * len(errors)
    figure = style.new_figure(style.WIDTH, height)
    count = sum(map(len, errors.values()))
    title = title or f"{count} gradients, and the gradients of these"
    write_title(figure, title, height)
    axes = figure.add_axes(pixels(figure, 150, 68, style.WIDTH - 180, height - 122))
    for row, pairs in enumerate(errors.values()):
        if row % 2 == 0:
            axes.axhspan(row - 0.5, row + 0.5, color=FAINT, zorder=0)
        pairs = np.maximum(np.asarray(pairs, np.float64).reshape(-1, 2), LEAST)
        looks = (("o", BLUE, -0.17, "first order"), ("D", VERMILION, 0.17, "second order"))
        for k, (marker, colour, shift, label) in enumerate(looks):
            axes.plot(pairs[:, k], np.full(len(pairs), row + shift), marker, color=colour, ms=4.5,
                      mew=0, alpha=0.5, ls="", label=label if row == 0 else None)  # fmt: skip
    if apart:
        axes.axhline(len(errors) - apart - 0.5, xmin=-0.3, color=INK, lw=1, clip_on=False)
    axes.set_xscale("log")
    axes.set(xlim=(LEAST / 3, 10), ylim=(len(errors) - 0.5, -0.5))
    axes.set_xlabel("difference from the slope that a nudge shows")
    axes.set_xticks([1e-16, 1e-12, 1e-8, 1e-5, 1], ["0", "10⁻¹²", "10⁻⁸", "10⁻⁵", "1"])
    axes.minorticks_off()
    axes.set_yticks(range(len(errors)), [f"{name} ({len(p)})" for name, p in errors.items()])
    axes.tick_params(axis="y", length=0)
    axes.axvline(1e-5, color=GREY, lw=1, ls=(0, (4, 3)))
    axes.spines["left"].set_visible(False)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1.0), ncols=2, markerscale=1.3)
    return style.Picture(figure, title)
