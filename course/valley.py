"""A bent valley to walk down, the paths of those who try, and tables of second derivatives."""

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, GREEN, INK, ORANGE, PURPLE, VERMILION, styled
from course.drawing.text import number_text
from course.plots import bare, look, new_axes, numbers, pixels, signs, write_title

MOST = 14  # rows of a table whose numbers are still readable
FEW = 4  # rows and columns that have their names beside them in a larger one
BASINS = [BLUE, ORANGE, GREEN, PURPLE, "#56B4E9", VERMILION, "#F0E442", "#999999", INK]


@styled
def plot_valley(height, paths, bottom, *, title="ways down", across=(-1.6, 1.6), up=(-3.6, 2.2)):
    """A Picture from above: the lower, the darker; and paths that lead to the star at `bottom`.

    `height(x, y)` takes arrays; `paths` maps names to points (N, 2).
    """
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    picture, axes = new_axes(title, "x", "y", width=600, height=380)
    axes.grid(False)
    x, y = np.meshgrid(np.linspace(*across, 401), np.linspace(*up, 401))
    heights = np.maximum(height(x, y), 0.1)
    levels = np.geomspace(0.1, heights.max(), 13)
    greys = LinearSegmentedColormap.from_list("depth", ["#AEB9C2", "#FFFFFF"])
    axes.contourf(x, y, heights, levels, cmap=greys, norm=LogNorm(0.1, heights.max()))
    axes.contour(x, y, heights, levels[2:], colors="#C9CED2", linewidths=0.6)
    for k, (name, points) in enumerate(paths.items()):
        draw_path(axes, numbers(points), k, f"{name}: {len(points) - 1:,} steps")
    axes.plot(*bottom, "*", color=INK, ms=20, zorder=3)  # below the paths: they end on it
    axes.set(xlim=across, ylim=up)
    axes.legend(loc="lower left", frameon=True, framealpha=0.9, edgecolor="none")
    return picture


def draw_path(axes, points, k, label):
    """The steps of one walker; those of a long walk lie so close that they make a line."""
    shape = look(k)
    shape["marker"] = shape["marker"] if len(points) < 60 else ""
    axes.plot(*points.T, label=label, zorder=4, ms=6, **shape)
    axes.plot(*points[-1], look(k)["marker"], color=shape["color"], ms=8, zorder=6)


@styled
def show_table(matrix, labels=None, *, rows=None, title="how each slope changes with each number"):
    """A Picture of a square table: blue is above 0, vermilion below, white is 0.

    `labels` name its columns, and its rows, unless these have names of their own in `rows`. Of
    more than fourteen, a few show their names, and none its numbers.
    """
    matrix = numbers(matrix)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"show_table wants a square table, got shape {matrix.shape}")
    count, side = len(matrix), min(340, 90 + 35 * len(matrix))
    width = max(side, 300) + 100
    figure = style.new_figure(width, side + 92)
    write_title(figure, title, side + 92)
    axes = figure.add_axes(pixels(figure, (width - side) / 2, 66, side, side))
    largest = abs(matrix).max() or 1
    axes.imshow(matrix, cmap=signs(), vmin=-1.6 * largest, vmax=1.6 * largest)
    bare(axes)
    if labels is not None or count <= MOST:
        labels = range(count) if labels is None else labels
        name_places(axes, labels, labels if rows is None else rows)
    if count <= MOST:
        size = 13 if count < 5 else style.SMALL
        for (row, column), value in np.ndenumerate(matrix):
            if value:  # an empty square says more than a 0
                axes.text(column, row, number_text(value), ha="center", va="center", fontsize=size)
    return style.Picture(figure, title)


def name_places(axes, columns, rows):
    """The names of a table's columns above it and of its rows beside it; of many, a few."""
    count = len(rows)
    places = range(count) if count <= MOST else np.linspace(0, count - 1, FEW).astype(int)
    axes.set_xticks(places, [columns[k] for k in places])
    axes.set_yticks(places, [rows[k] for k in places])
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False)


@styled
def plot_basins(ends, across, up, *, title="where each starting point ends up"):
    """A Picture of which end each starting point finds: `ends` is a table of whole numbers.

    Columns run from the least to the greatest number of `across`, rows through those of `up`; so
    either may be a pair or all the values in between. -1 is none, and stays white.
    """
    from matplotlib.colors import ListedColormap

    ends = np.asarray(ends)
    picture, axes = new_axes(title, "x", "y", width=520, height=500)
    axes.grid(False)
    colours = ListedColormap(["#FFFFFF", *BASINS[: max(ends.max() + 1, 1)]])
    extent = [end(values) for values in (across, up) for end in (np.min, np.max)]
    axes.imshow(ends, cmap=colours, vmin=-1, vmax=max(ends.max(), 0), origin="lower",
                extent=extent, aspect="auto", interpolation="nearest")  # fmt: skip
    return picture
