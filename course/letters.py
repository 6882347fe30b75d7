"""The text of the course's own notebooks, and pictures of who asks whom in a text."""

import json

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, INK, PALE, styled
from course.paths import ROOT
from course.plots import bare, numbers, pixels, write_title

ROOM = 40  # pixels that a written weight needs


def load_text(chapters=range(1, 6)):
    """The text of the notebooks of these chapters, without their code."""
    found = []
    for number in chapters:
        for path in ROOT.glob(f"chapters/{number:02}_*/*.ipynb"):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            found += ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    return "\n\n".join(found)


@styled
def show_attention(
    weights, text, *, names=None, title="each letter (row) and those it asks (columns)"
):
    """A Picture of weights (L, L), or of one such square for each of several heads.

    Where there's room for it, each weight that isn't 0 is written out. `names` stand above the
    squares; without them heads are numbered.
    """
    from course.drawing.scene import text_width

    weights = numbers(weights)
    weights = weights.reshape(-1, *weights.shape[-2:])
    columns = min(2, len(weights))
    side = min(44 * len(text), 400, (style.WIDTH - 20) // columns - 44)
    rows, pitch = -(-len(weights) // columns), side + 52
    height = 30 + rows * pitch
    room = text_width(title, style.TITLE, "bold") + 28
    figure = style.new_figure(max(columns * (side + 44) + 20, min(room, style.WIDTH)), height)
    write_title(figure, title, height)
    for k, square in enumerate(weights):
        row, column = divmod(k, columns)
        left, top = 34 + column * (side + 44), 70 + row * pitch
        axes = figure.add_axes(pixels(figure, left, top, side, side))
        draw_square(axes, square, text, side)
        if len(weights) > 1:
            name = names[k] if names else f"head {k}"
            axes.set_title(name, fontsize=style.SMALL, loc="left", pad=16)
    return style.Picture(figure, title)


def draw_square(axes, square, text, side):
    """The weights of one head, with its letters at the left, which ask, and above."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("weight", ["#FFFFFF", BLUE])
    axes.imshow(square, cmap=colours, vmin=0, vmax=1)
    bare(axes)
    letters, size = [*text.replace(" ", "•")], min(10, 0.62 * side / len(text))
    axes.set_xticks(range(len(text)), letters, fontsize=size)
    axes.set_yticks(range(len(text)), letters, fontsize=size)
    axes.tick_params(length=0, pad=2, top=False, labeltop=True, labelbottom=False)
    axes.set_ylabel("asks", fontsize=style.SMALL, labelpad=4)
    axes.set_title("is asked", fontsize=style.SMALL, loc="center", pad=16, fontweight="normal")
    if side >= ROOM * len(text):
        write_weights(axes, square)
    else:  # where a letter would ask itself
        axes.axline((0, 0), slope=1, color=PALE, lw=0.8)


def write_weights(axes, square):
    for (row, column), weight in np.ndenumerate(square):
        if weight:
            colour = "white" if weight > 0.6 else INK
            axes.text(column, row, f"{weight:.2g}", color=colour, ha="center", va="center")


def shares_of_next(text, alphabet):
    """A table (V, V): after each letter, the share of each that came next, counted; none is 0.

    >>> shares_of_next("abab", "ab").round(2)
    array([[0.25, 0.75],
           [0.67, 0.33]])
    """
    counts = np.ones((len(alphabet), len(alphabet)))
    places = np.array([alphabet.index(letter) for letter in text])
    np.add.at(counts, (places[:-1], places[1:]), 1)
    return counts / counts.sum(axis=1, keepdims=True)
