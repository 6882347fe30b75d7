"""Draw scenes with matplotlib: boxes, operations, arrows and their labels."""

from dataclasses import dataclass, field

from course.drawing import style
from course.drawing.scene import LINE, MARGIN, PILL, ROLES, text_width
from course.drawing.style import NORMAL, SMALL, TITLE

BAND = 26  # height of a title

COLOURS = {
    "name": style.INK,
    "value": style.BLUE,
    "grad": style.VERMILION,
    "wrong": style.VERMILION,
    "expected": style.INK,
    "note": style.GREY,
}


@dataclass
class View:
    """What one picture shows of a scene: the lines of each box and what is going on."""

    lines: dict  # node -> [(role, text)]
    title: str = ""
    notes: list = field(default_factory=list)
    active: object = None  # the node whose operation passes its gradient on
    waiting: set = field(default_factory=set)  # nodes that have received and not yet passed on
    wrong: object = None
    carried: dict = field(default_factory=dict)  # arrow number -> text: gradients under way now
    earlier: set = field(default_factory=set)  # arrows that carried one before
    labels: dict = field(default_factory=dict)  # arrow number -> grey text


def picture(scene, views, columns=1, scale=1.0, title=""):
    """A Picture with one frame a view, in rows of so many columns."""
    width = max([scene.width] + [text_width(v.title, TITLE, "bold") + 2 * MARGIN for v in views])
    notes = max(len(view.notes) for view in views)
    height = scene.height + 16 * notes + (BAND if any(view.title for view in views) else 0)
    rows = -(-len(views) // columns)
    figure = style.new_figure(columns * width * scale, rows * height * scale)
    for k, view in enumerate(views):
        row, column = divmod(k, columns)
        frame = (column / columns, 1 - (row + 1) / rows, 1 / columns, 1 / rows)
        with style.style():
            Frame(figure, frame, (width, height), scale).draw(scene, view)
    return style.Picture(figure, title or views[0].title)


class Frame:
    """One rectangle of a figure, with pixels as coordinates and y growing downwards."""

    def __init__(self, figure, frame, size, scale):
        self.axes = figure.add_axes(frame)
        self.axes.set_axis_off()
        self.axes.set_xlim(0, size[0])
        self.axes.set_ylim(size[1], 0)
        self.size, self.scale = size, scale

    def draw(self, scene, view):
        if view.title:
            self.text(MARGIN, 15, view.title, TITLE, "bold", align="left")
        self.axes.set_ylim(self.size[1] - (BAND if view.title else 0), -(BAND if view.title else 0))
        if view.title:
            self.axes.texts[-1].set_y(15 - BAND + 4)
        for k, arrow in enumerate(scene.arrows):
            self.arrow(scene.paths[k], arrow, k, view)
        for unit in scene.units:
            self.unit(unit, view)
        for k, (x, y, text) in scene.labels.items():
            if k in view.carried:
                self.text(x, y, text, SMALL + 1, "bold", style.VERMILION, gid="label")
            elif k in view.labels:
                self.text(x, y, text, SMALL, colour=style.GREY, gid="label")
        for k, note in enumerate(view.notes):
            y = scene.height - 4 + 16 * k
            self.text(MARGIN, y, note, SMALL, colour=style.GREY, align="left")

    def text(self, x, y, text, size=NORMAL, weight="normal", colour=style.INK, align="center", gid=None):
        return self.axes.text(
            x, y, text.replace("$", r"\$"), fontsize=size * self.scale, fontweight=weight,
            color=colour, ha=align, va="center_baseline" if align == "center" else "center", gid=gid,
        )  # fmt: skip

    def arrow(self, points, arrow, k, view):
        """Grey from the input to the operation; the other way round where it carries a gradient."""
        from matplotlib.patches import FancyArrowPatch
        from matplotlib.path import Path

        codes, vertices = path_of(points)
        back = k in view.carried or k in view.earlier
        if back:
            vertices = vertices[::-1]
            codes = [Path.MOVETO] + codes[:0:-1]
        colour = style.VERMILION if k in view.carried else "#EDB48F" if back else "#9A9A9A"
        self.axes.add_patch(
            FancyArrowPatch(
                path=Path(vertices, codes), color=colour, gid="arrow",
                arrowstyle="-|>,head_length=0.36,head_width=0.17" if not back
                else "-|>,head_length=0.42,head_width=0.2",
                mutation_scale=16 * self.scale, shrinkA=0, shrinkB=0, capstyle="butt",
                linewidth=(2.2 if k in view.carried else 1.6 if back else 1.2) * self.scale,
                joinstyle="miter",
            )  # fmt: skip
        )

    def unit(self, unit, view):
        active = unit.node is view.active
        if unit.symbol:
            self.operation(unit, active)
        if unit.lines:
            self.box(unit, view, active)

    def operation(self, unit, active):
        left, top, right, bottom = unit.pill
        if unit.lines:
            self.axes.plot(
                [right, unit.box[0]], [unit.y] * 2, color="#9A9A9A", lw=1.2 * self.scale, zorder=1,
                solid_capstyle="butt",
            )  # fmt: skip
        self.rounded(
            unit.pill, PILL / 2 - 0.01, style.YELLOW if active else "white", style.GREY, 1, "pill"
        )
        self.text((left + right) / 2, unit.y, unit.symbol, NORMAL, gid="symbol")
        if unit.note:
            self.text((left + right) / 2, bottom + 7.5, unit.note, SMALL, colour=style.GREY)

    def box(self, unit, view, active):
        kind, node = unit.node.kind, unit.node
        edge, line, dashes, radius = {
            "leaf": (style.INK, 2.2, "-", 8),
            "constant": (style.GREY, 1, (0, (3, 2.2)), 3),
            "result": (style.GREY, 1, "-", 8),
        }[kind]
        fill = style.YELLOW if active else "white"
        if node is view.wrong:
            edge, line, fill, dashes = style.VERMILION, 3, "#FDEBE0", "-"
        elif node in view.waiting:
            edge, line, dashes = style.VERMILION, max(line, 1.6), (0, (1.2, 1.6))
        self.rounded(unit.box, radius, fill, edge, line, "box", dashes)
        lines = view.lines[node]
        x = (unit.box[0] + unit.box[2]) / 2
        y = unit.y - LINE * (len(unit.lines) - 1) / 2
        for k, (role, text) in enumerate(lines):
            size, weight = ROLES[role]
            colour = style.GREY if kind == "constant" and role == "value" else COLOURS[role]
            self.text(x, y + LINE * k, text, size, weight, colour, gid="line")

    def rounded(self, frame, radius, fill, edge, line, gid, dashes="-"):
        from matplotlib.patches import FancyBboxPatch

        left, top, right, bottom = frame
        self.axes.add_patch(
            FancyBboxPatch(
                (left, top), right - left, bottom - top, gid=gid, zorder=3,
                boxstyle=f"round,pad=0,rounding_size={radius}", facecolor=fill, edgecolor=edge,
                linewidth=line * self.scale, linestyle=dashes,
            )  # fmt: skip
        )


def path_of(points):
    """Codes and vertices of an arrow: it bends between columns and is level inside them."""
    from matplotlib.path import Path

    codes, vertices = [Path.MOVETO], [points[0]]
    for k, ((x0, y0), (x1, y1)) in enumerate(zip(points, points[1:], strict=False)):
        if k % 2:
            codes.append(Path.LINETO)
            vertices.append((x1, y1))
        else:
            middle = (x0 + x1) / 2
            codes += [Path.CURVE4] * 3
            vertices += [(middle, y0), (middle, y1), (x1, y1)]
    return codes, vertices
