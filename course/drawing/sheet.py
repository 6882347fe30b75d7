"""A sheet to draw on: pixels as coordinates, y growing downwards."""

from course.drawing import style
from course.drawing.style import NORMAL


class Sheet:
    """One rectangle `frame` of a figure (fractions of it), `size` pixels wide and high.

    The origin lies `top` pixels below its upper border; texts and lines are scaled with it.
    """

    def __init__(self, figure, size, frame=(0, 0, 1, 1), scale=1, top=0):
        self.axes = figure.add_axes(frame)
        self.axes.set_axis_off()
        self.axes.set_xlim(0, size[0])
        self.axes.set_ylim(size[1] - top, -top)
        self.scale = scale

    def text(
        self, x, y, text, size=NORMAL, weight="normal", colour=style.INK, align="center", gid=None
    ):
        across = "center_baseline" if align == "center" else "center"
        return self.axes.text(
            x, y, text.replace("$", r"\$"), fontsize=size * self.scale, fontweight=weight,
            color=colour, ha=align, va=across, gid=gid,
        )  # fmt: skip

    def rounded(self, frame, radius, fill, edge, line, gid, dashes="-"):
        from matplotlib.patches import FancyBboxPatch

        left, top, right, bottom = frame
        self.axes.add_artist(
            FancyBboxPatch(
                (left, top),
                right - left,
                bottom - top,
                gid=gid,
                zorder=3,
                boxstyle=f"round,pad=0,rounding_size={radius}",
                facecolor=fill,
                edgecolor=edge,
                linewidth=line * self.scale,
                linestyle=dashes,
            )  # fmt: skip
        )

    def cell(self, frame, fill, edge, line, dashes="-"):
        """A plain rectangle."""
        from matplotlib.patches import Rectangle

        left, top, right, bottom = frame
        self.axes.add_artist(
            Rectangle(
                (left, top),
                right - left,
                bottom - top,
                facecolor=fill,
                edgecolor=edge,
                linewidth=line * self.scale,
                linestyle=dashes,
            )  # fmt: skip
        )

    def line(self, start, end, colour=style.VERMILION):
        """A straight arrow."""
        from matplotlib.patches import FancyArrowPatch

        self.axes.add_artist(
            FancyArrowPatch(
                start,
                end,
                arrowstyle="-|>,head_length=0.36,head_width=0.18",
                color=colour,
                mutation_scale=16 * self.scale,
                linewidth=1.4 * self.scale,
                shrinkA=0,
                shrinkB=0,
            )  # fmt: skip
        )

    def rule(self, left, right, y):
        """A thin level line."""
        self.axes.plot([left, right], [y, y], color=style.PALE, linewidth=self.scale)
