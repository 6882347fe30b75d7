"""The geometry of a graph's picture: how big each box is, where it stands, where arrows end."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt

from course.drawing.labels import place_labels
from course.drawing.layout import Edge, depths_of, layout
from course.drawing.style import NORMAL, SMALL

PILL = 22  # height of an operation
LINE = 15  # height of a line of text
PAD_X, PAD_Y = 11, 7
STEM = 9  # from an operation to its result
MARGIN = 14

SYMBOLS = {
    "Add": "+",
    "Neg": "−",
    "Sub": "−",
    "Mul": "×",
    "Div": "÷",
    "Pow": "**",
    "MatMul": "@",
    "Mm": "@",
    "Sum": "Σ",
    "Transpose": "T",
    "Exp": "exp",
    "Log": "log",
    "Tanh": "tanh",
    "ReLU": "relu",
    "Relu": "relu",
    "Reshape": "reshape",
}
COMMUTES = {"Add", "Mul"}


@dataclass
class Unit:
    """One node with its text lines [(role, text)], the operation before it, and their sizes."""

    node: object
    lines: list
    symbol: str
    note: str
    pill_width: float = 0
    box_width: float = 0
    box_height: float = 0
    left: float = 0  # of the operation, or of the box where there is none
    y: float = 0

    @property
    def width(self):
        return self.pill_width + self.box_width + (STEM if self.symbol and self.lines else 0)

    @property
    def height(self):
        pill = PILL + (28 if self.note else 0) if self.symbol else 0
        return max(pill, self.box_height)

    @property
    def box(self):
        """Left, top, right, bottom of the tensor; None where only its operation is drawn."""
        if not self.lines:
            return None
        right, half = self.left + self.width, self.box_height / 2
        return right - self.box_width, self.y - half, right, self.y + half

    @property
    def pill(self):
        if not self.symbol:
            return None
        return self.left, self.y - PILL / 2, self.left + self.pill_width, self.y + PILL / 2

    @property
    def note_frame(self):
        """Where the small text below the operation stands."""
        middle, width = self.left + self.pill_width / 2, text_width(self.note, SMALL)
        top = self.y + PILL / 2
        return middle - width / 2, top + 1, middle + width / 2, top + 14

    @property
    def frames(self):
        """All that an arrow or a label must keep clear of."""
        found = [self.box, self.pill, self.note_frame if self.note else None]
        return [frame for frame in found if frame]


@dataclass
class Scene:
    """A graph laid out: units by node, one path an arrow, labels beside the arrows."""

    graph: object
    units: list
    arrows: list  # (source node, target node, slot among the inputs)
    paths: list  # the points between which an arrow is level, bends, is level …
    width: float
    height: float
    crossings: int
    labels: dict = field(default_factory=dict)  # arrow number -> (x, y, text)


@lru_cache(maxsize=4096)
def text_width(text, size=NORMAL, weight="normal"):
    """How many pixels wide a text will be."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    return text_to_path.get_text_width_height_descent(text, font, False)[0]


ROLES = {  # size and weight of the lines in a box
    "name": (NORMAL + 0.5, "bold"),
    "value": (NORMAL, "normal"),
    "grad": (NORMAL, "normal"),
    "other": (NORMAL, "normal"),
    "wrong": (NORMAL, "bold"),
    "expected": (NORMAL, "bold"),
    "note": (SMALL, "normal"),
}


def make_scene(graph, lines_of, label_of=lambda arrow: "", compact=False):
    """Lay out a graph. `lines_of(node)` are the lines of its box, `label_of(arrow)` a text."""
    units = [make_unit(n, lines_of(n), compact and n is not graph.root) for n in graph.nodes]
    arrows = arrows_of(graph)
    texts = {k: label_of(arrow) for k, arrow in enumerate(arrows) if label_of(arrow)}
    for stretch in (1, 1.3, 1.7, 2.2):
        scene = arrange(graph, units, arrows, texts, compact, stretch)
        if all(scene.labels.values()):
            break
    scene.labels = {k: (*at, texts[k]) for k, at in scene.labels.items() if at}
    return scene


def arrows_of(graph):
    return [
        (source, node, slot)
        for node in graph.nodes
        if node.operation
        for slot, source in enumerate(node.operation.inputs)
    ]


def make_unit(node, lines, compact):
    symbol, note = operation_texts(node.operation)
    if compact and symbol and not node.name and lines[0][0] != "wrong":
        lines = []
    unit = Unit(node, lines, symbol, note)
    if symbol:
        unit.pill_width = PILL if len(symbol) == 1 else text_width(symbol, NORMAL) + 14
    if lines:
        unit.box_width = box_width(lines)
        unit.box_height = LINE * len(lines) + 2 * PAD_Y
    return unit


def box_width(lines):
    return max(40, max(text_width(text, *ROLES[role]) for role, text in lines) + 2 * PAD_X)


def operation_texts(operation):
    """What stands in the circle of an operation, and below it."""
    if operation is None:
        return "", ""
    symbol, settings = SYMBOLS.get(operation.name, operation.name), dict(operation.settings)
    if operation.name == "Pow" and len(settings) == 1:
        return f"** {settings.popitem()[1]}", ""
    notes = [setting_text(name, value) for name, value in settings.items()]
    notes += ["freed"] if operation.freed else []
    return symbol, shortened(", ".join(notes), 26)


def setting_text(name, value):
    value = shortened(str(value), 18)
    return name if value == "True" else value if name == "shape" else f"{name}={value}"


def shortened(text, length):
    return text if len(text) <= length else text[: length - 1] + "…"


def arrange(graph, units, arrows, texts, compact, stretch):
    index = {id(unit.node): k for k, unit in enumerate(units)}
    edges = [Edge(index[id(a)], index[id(b)], port_of(b, slot)) for a, b, slot in arrows]
    depths = depths_of(len(units), edges)
    even_out(units, depths)
    room = gutters(edges, depths, texts, 26 if compact else 44, stretch)
    sizes = [(unit.width, unit.height) for unit in units]
    plan = layout(sizes, edges, lambda depth: room.get(depth, 30), 18 * stretch)
    for unit, place in zip(units, plan.places, strict=True):
        unit.left, unit.y = place.left + MARGIN, place.y + MARGIN
    paths = attach(units, edges, plan.routes)
    size = plan.width + 2 * MARGIN, plan.height + 2 * MARGIN
    wanted = {k: (text_width(text, SMALL + 1), 11) for k, text in texts.items()}
    frames = [frame for unit in units for frame in unit.frames]
    labels = place_labels(wanted, [sampled(path) for path in paths], frames, size)
    return Scene(graph, units, arrows, paths, *size, plan.crossings, labels)


def port_of(node, slot):
    """Where an input arrives, from -1 (top) to 1; 0 where the order of inputs does not matter."""
    count = len(node.operation.inputs)
    if count < 2 or node.operation.name in COMMUTES:
        return 0
    return 2 * slot / (count - 1) - 1


def even_out(units, depths):
    """Boxes of one column get one width."""
    for depth in set(depths):
        column = [u for u, d in zip(units, depths, strict=True) if d == depth and u.lines]
        widest = max((unit.box_width for unit in column), default=0)
        for unit in column:
            unit.box_width = widest if widest < 2.2 * unit.box_width else unit.box_width


def gutters(edges, depths, texts, base, stretch):
    """The room on the right of each column: more where labels must find their place."""
    room = {depth: base for depth in depths}
    for k, text in texts.items():
        depth = depths[edges[k].source]
        room[depth] = max(room[depth], (text_width(text, SMALL + 1) + 20) * stretch)
    return room


def attach(units, edges, routes):
    """Let the arrows leave and arrive side by side: nothing shall meet in one point."""
    leaving = fan(edges, routes, "source", lambda k: routes[k][1][1], units)
    arriving = fan(edges, routes, "target", lambda k: routes[k][-2][1], units)
    paths = []
    for k, (edge, points) in enumerate(zip(edges, routes, strict=True)):
        moved = [(x + MARGIN, y + MARGIN) for x, y in points]
        moved[0] = (moved[0][0], moved[0][1] + leaving[k])
        moved[-1] = (moved[-1][0], moved[-1][1] + arriving[k])
        target = units[edge.target]
        dent = PILL / 2 - sqrt((PILL / 2) ** 2 - arriving[k] ** 2) if target.symbol else 0
        paths.append([*moved, (target.left + dent, moved[-1][1])])
    return paths


def fan(edges, routes, end, height_of, units):
    """How far from the middle each arrow leaves its source or arrives at its target."""
    groups, shifts = {}, {}
    for k, edge in enumerate(edges):
        groups.setdefault(getattr(edge, end), []).append(k)
    for box, members in groups.items():
        members.sort(key=lambda k: (edges[k].port if end == "target" else 0, height_of(k), k))
        half = 8 if end == "target" else min(units[box].box_height / 2 - 6, 5 * (len(members) - 1))
        half = max(half, 5)
        for place, k in enumerate(members):
            shifts[k] = half * (2 * place / (len(members) - 1) - 1) if len(members) > 1 else 0
    return shifts


def sampled(points, steps=14):
    """Points along an arrow, close enough together for every question of what lies on what."""
    found = [points[0]]
    for k, ((x0, y0), (x1, y1)) in enumerate(zip(points, points[1:], strict=False)):
        for step in range(1, steps + 1):
            t = step / steps
            if k % 2:  # level
                found.append((x0 + (x1 - x0) * t, y0))
            else:  # the bend that render.py draws: a cubic whose handles lie level, half way
                bend = 3 * t * t - 2 * t**3
                along = 1.5 * t * (1 - t) + t**3  # 3t(1-t)²/2 + 3t²(1-t)/2 + t³
                found.append((x0 + (x1 - x0) * along, y0 + (y1 - y0) * bend))
    return found
