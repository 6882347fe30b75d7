"""Draw scenes with matplotlib: boxes, operations, arrows and their labels."""

from dataclasses import dataclass, field

from course.drawing import style
from course.drawing.scene import LINE, MARGIN, PILL, ROLES, box_width, text_width
from course.drawing.sheet import Sheet
from course.drawing.style import NORMAL, SMALL, TITLE, styled

BAND = 26  # height of a title
ROW = 28  # of a row of small boxes below it
NOTE = 18  # and of a line below the frames
DOTTED = (0, (1.2, 1.6))

COLOURS = {
    "name": style.INK,
    "value": style.BLUE,
    "grad": style.VERMILION,
    "other": style.GREEN,
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
    labels: dict = field(default_factory=dict)  # arrow number -> text
    loud: bool = False  # are the labels what one is to see, or grey?
    points_back: bool = False  # do arrows lead from a result to what it was made from?
    shades: dict = field(default_factory=dict)  # node -> 0 to 1, how dark its box is
    row: list | None = None  # what stands in small boxes below the title: those that wait


@styled
def picture(scene, views, title=""):
    """A Picture with one frame a view, side by side where they can be read so, notes below."""
    width = max([scene.width] + [text_width(v.title, TITLE, "bold") + 2 * MARGIN for v in views])
    above = BAND * any(view.title for view in views) + ROW * (views[0].row is not None)
    height = scene.height + above
    columns, scale = columns_for(width, len(views))
    rows = -(-len(views) // columns)
    notes = [note for view in views for note in view.notes]
    footer = NOTE * len(notes) + 6 * bool(notes)
    total = rows * height * scale + footer
    figure = style.new_figure(columns * width * scale, total)
    for k, view in enumerate(views):
        row, column = divmod(k, columns)
        bottom = 1 - (row + 1) * height * scale / total
        frame = (column / columns, bottom, 1 / columns, height * scale / total)
        Frame(figure, (width, height), frame, scale, above).draw(scene, view)
    write_notes(figure, notes, total, NORMAL * scale)
    return style.Picture(figure, title or views[0].title)


def columns_for(width, frames):
    """How many frames stand side by side, and the scale: as large as can be read and fits."""
    for columns in (3, 2):
        scale = min(1, style.WIDTH / (columns * width))
        if columns <= frames and scale >= 0.74:
            return columns, scale
    return 1, min(1, style.WIDTH / width)


def write_notes(figure, notes, total, size):
    """The notes, one below the other, in this size, or a smaller one where they are too long."""
    width = figure.get_size_inches()[0] * 72
    for k, note in enumerate(reversed(notes)):
        fitting = NORMAL * (width - 2 * MARGIN) / text_width(note, NORMAL)
        y = (12 + NOTE * k) / total
        figure.text(MARGIN / width, y, note, fontsize=min(size, fitting), va="center")


class Frame(Sheet):
    """One state of a scene."""

    def draw(self, scene, view):
        if view.title:
            above = BAND + ROW * (view.row is not None)
            self.text(MARGIN, 18 - above, view.title, TITLE, "bold", align="left")
        if view.row is not None:
            self.row(view.row)
        for k, arrow in enumerate(scene.arrows):
            self.arrow(scene.paths[k], arrow, k, view)
        lefts = left_edges(scene.units, view)
        for unit in scene.units:
            self.unit(unit, view, lefts.get(unit.node))
        for k, (x, y, text) in scene.labels.items():
            if k in view.carried:
                self.text(x, y, view.carried[k], SMALL + 1, "bold", style.VERMILION, gid="label")
            elif k in view.labels and view.loud:
                self.text(x, y, text, SMALL + 1, gid="label")
            elif k in view.labels:
                self.text(x, y, text, SMALL, colour=style.GREY, gid="label")

    def row(self, texts):
        """Who waits, whoever is next first; as many as there is room for."""
        x, y, end = MARGIN, -ROW / 2, self.axes.get_xlim()[1] - 2 * MARGIN
        says = "waiting:" if texts else "nobody waits"
        self.text(x, y, says, SMALL + 1, colour=style.GREY, align="left")
        x += text_width(says, SMALL + 1) + 8
        for text in texts:
            right = x + text_width(text, SMALL + 1) + 14
            if right > end:
                self.text(x, y, "…", SMALL + 1, align="left")
                break
            self.rounded((x, y - 9, right, y + 9), 5, "white", style.VERMILION, 1.6, "box", DOTTED)
            self.text((x + right) / 2, y, text, SMALL + 1, colour=style.BLUE, gid="line")
            x = right + 6

    def arrow(self, points, arrow, k, view):
        """Grey from the input to the operation; the other way round where it carries a gradient."""
        from matplotlib.patches import FancyArrowPatch
        from matplotlib.path import Path

        codes, vertices = path_of(points)
        back = k in view.carried or k in view.earlier
        if back or view.points_back:
            vertices = vertices[::-1]
            codes = [Path.MOVETO] + codes[:0:-1]
        colour = style.VERMILION if k in view.carried else "#EDB48F" if back else "#9A9A9A"
        self.axes.add_artist(
            FancyArrowPatch(
                path=Path(vertices, codes),
                color=colour,
                gid="arrow",
                arrowstyle="-|>,head_length=0.36,head_width=0.17"
                if not back
                else "-|>,head_length=0.42,head_width=0.2",
                mutation_scale=16 * self.scale,
                shrinkA=0,
                shrinkB=0,
                capstyle="butt",
                linewidth=(2.2 if k in view.carried else 1.6 if back else 1.2) * self.scale,
                joinstyle="miter",
            )  # fmt: skip
        )

    def unit(self, unit, view, left):
        """`left` is where its box begins."""
        active = unit.node is view.active
        if unit.symbol:
            self.operation(unit, active, left)
        if unit.lines:
            self.box(unit, view, active, (left, *unit.box[1:]))

    def operation(self, unit, active, edge):
        left, top, right, bottom = unit.pill
        if unit.lines:
            self.axes.plot(
                [right, edge], [unit.y] * 2, color="#9A9A9A", lw=1.2 * self.scale, zorder=1,
                solid_capstyle="butt",
            )  # fmt: skip
        self.pill(unit.pill, style.YELLOW if active else "white")
        self.text((left + right) / 2, unit.y, unit.symbol, NORMAL, gid="symbol")
        if unit.note:
            self.text((left + right) / 2, bottom + 7.5, unit.note, SMALL, colour=style.GREY)

    def box(self, unit, view, active, frame):
        kind, node = unit.node.kind, unit.node
        edge, line, dashes, radius = {
            "leaf": (style.INK, 2.2, "-", 8),
            "constant": (style.GREY, 1, (0, (3, 2.2)), 3),
            "result": (style.GREY, 1, "-", 8),
        }[kind]
        fill = style.YELLOW if active else "white"
        if node in view.shades:
            fill = f"{style.BLUE}{round(120 * view.shades[node]):02x}"  # the rest is see-through
        if node is view.wrong:
            edge, line, fill, dashes = style.VERMILION, 3, "#FDEBE0", "-"
        elif node in view.waiting:
            edge, line, dashes = style.VERMILION, max(line, 1.6), DOTTED
        self.rounded(frame, radius, fill, edge, line, "box", dashes)
        lines = view.lines[node]
        x = (frame[0] + frame[2]) / 2
        y = unit.y - LINE * (len(lines) - 1) / 2
        for k, (role, text) in enumerate(lines):
            size, weight = ROLES[role]
            colour = style.GREY if kind == "constant" and role == "value" else COLOURS[role]
            colour = style.INK if node in view.shades else colour  # blue on blue is hard to read
            self.text(x, y + LINE * k, text, size, weight, colour, gid="line")

    def pill(self, frame, fill):
        """A circle, drawn out in the middle where the name of the operation is longer."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        left, top, right, bottom = frame
        radius, y = PILL / 2, (top + bottom) / 2
        ends = [Path.arc(90, 270), Path.arc(-90, 90)]
        sides = [(left + radius, y), (right - radius, y)]
        vertices = [end.vertices * radius + at for end, at in zip(ends, sides, strict=True)]
        codes = [*ends[0].codes, Path.LINETO, *ends[1].codes[1:], Path.CLOSEPOLY]
        points = [*vertices[0], *vertices[1], vertices[0][0]]
        self.axes.add_artist(
            PathPatch(
                Path(points, codes),
                facecolor=fill,
                edgecolor=style.GREY,
                gid="pill",
                zorder=3,
                linewidth=self.scale,
            )  # fmt: skip
        )


def left_edges(units, view):
    """Where each box begins: it is as wide as what stands in its column now, not in the end.

    A node of the library keeps its width: arrows leave from its left side.
    """
    columns, edges = {}, {}
    for unit in units:
        if unit.lines and unit.node.operation and not unit.symbol:
            edges[unit.node] = unit.box[0]
        elif unit.lines:
            columns.setdefault((unit.box[2], unit.box_width), []).append(unit)
    for (right, most), column in columns.items():
        needed = max(box_width(view.lines[unit.node]) for unit in column)
        edges.update({unit.node: right - min(most, needed) for unit in column})
    return edges


def path_of(points):
    """Codes and vertices of an arrow: it bends between columns and is level inside them."""
    from matplotlib.path import Path

    codes, vertices = [Path.MOVETO], [points[0]]
    for k, ((x0, y0), (x1, y1)) in enumerate(zip(points, points[1:], strict=False)):
        if abs(x1 - x0) + abs(y1 - y0) < 0.01:
            continue  # a step of hardly any length may point anywhere, and its head with it
        if k % 2:
            codes.append(Path.LINETO)
            vertices.append((x1, y1))
        else:
            middle = (x0 + x1) / 2
            codes += [Path.CURVE4] * 3
            vertices += [(middle, y0), (middle, y1), (x1, y1)]
    return codes, vertices
