"""draw_a_digit: a sheet to draw on, and the student's own network that reads it, in the browser."""

import numpy as np

from course.drawing import style
from course.drawing.reading import numbers_of
from course.plots import bare, pixels, write_title
from course.widgets import strokes
from course.widgets.stills import image_of, small_png
from course.widgets.widget import LIMIT, base64_text, make_widget

SIZES = {"sheet": strokes.SHEET, "high": strokes.HIGH, "wide": strokes.WIDE}
SIZES |= {"thin": strokes.THIN, "ink": strokes.INK}
EXAMPLE = 4, 2  # a digit, and a way to write it, that stand where no script runs
WANTED = "draw_a_digit needs [W1, b1, W2, b2] of shapes (64, H), (H,), (H, 10), (10,)"


def draw_a_digit(parameters, *, title="draw a digit, and your own network reads it"):
    """A sheet to draw on: the network relu(x @ W1 + b1) @ W2 + b2 reads along as you draw.

    `parameters` are [W1, b1, W2, b2] as Tensors or arrays, of shapes (64, H), (H,), (H, 10) and
    (10,); x are 64 pixels from 0 to 1. They become part of the notebook's output: no kernel is
    asked any more. ValueError where the shapes are others, or H is too large for a notebook.
    """
    arrays = checked(parameters)
    data = {
        "hidden": len(arrays[1]),
        "weights": base64_text(b"".join(array.astype("<f4").tobytes() for array in arrays)),
        "ways": [lines_of(strokes.WAYS[digit][0]) for digit in range(10)],
        "sizes": SIZES,
    }
    widget = make_widget("digit", data, still(arrays, title), 600, f"Draw a digit: {title}")
    if widget.size > LIMIT:
        raise ValueError(
            f"{len(arrays[1])} hidden numbers make {widget.size // 1000} kB, a notebook takes "
            f"{LIMIT // 1000} kB: take a smaller network"
        )
    return widget


def checked(parameters):
    """The four arrays; ValueError unless they are the two layers that are wanted."""
    arrays = [numbers_of(p) if hasattr(p, "data") else np.asarray(p) for p in parameters]
    hidden = arrays[0].shape[-1] if len(arrays) == 4 and arrays[0].ndim == 2 else 0
    shapes = [array.shape for array in arrays]
    if shapes != [(64, hidden), (hidden,), (hidden, 10), (10,)]:
        raise ValueError(f"{WANTED}, got {', '.join(map(str, shapes)) or 'nothing'}")
    return arrays


def lines_of(way):
    """The lines of a digit in the middle of the sheet, as lists."""
    lines = strokes.strokes_of(way)
    return [(0.72 * line + [0.28, 0.14]).round(3).tolist() for line in lines]


def shares_of(arrays, image):
    """How sure the network is of each digit, given 64 pixels from 0 to 16."""
    w1, b1, w2, b2 = arrays
    scores = np.maximum(image / 16 @ w1 + b1, 0) @ w2 + b2
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@style.styled
def still(arrays, title):
    """The PNG that stands where no script runs: an example on the sheet, and what is read."""
    digit, way = EXAMPLE
    lines = [np.array(line) for line in lines_of(strokes.WAYS[digit][way])]
    image = strokes.pixels_of(lines)
    figure = style.new_figure(600, 270)
    write_title(figure, title, 270)
    axes = figure.add_axes(pixels(figure, 16, 42, 180, 180))
    for line in lines:
        axes.plot(*line.T, color=style.INK, lw=11, solid_capstyle="round", solid_joinstyle="round")
    axes.set(xlim=(0, 1), ylim=(1, 0), xlabel="for example")
    bare(axes)
    axes = figure.add_axes(pixels(figure, 212, 42, 180, 180))
    axes.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
    axes.set_xlabel("what your network sees")
    bare(axes)
    draw_bars(figure.add_axes(pixels(figure, 428, 42, 150, 190)), shares_of(arrays, image))
    return small_png(image_of(style.Picture(figure, title)), 1200)


def draw_bars(axes, shares):
    colours = [style.BLUE if share == shares.max() else "#99C7E1" for share in shares]
    axes.barh(range(10), shares, color=colours, height=0.66)
    axes.set(yticks=range(10), xticks=[], xlim=(0, 1.3), ylim=(9.6, -0.6))
    axes.spines["bottom"].set_visible(False)
    for digit, share in enumerate(shares):
        if share >= 0.005:
            text = f"{share:.0%}"
            axes.text(share + 0.03, digit, text, va="center_baseline", fontsize=style.SMALL)
