"""draw_slopes: the chain rule. A slope on each arrow, products along paths, sums over paths."""

from dataclasses import dataclass, field

import numpy as np

from course.drawing.graphs import nearest
from course.drawing.reading import caller_names, is_drawn, numbers_of, read_graph
from course.drawing.text import array_text, number_text

MOST_PATHS = 3  # so many products are written out,
LONGEST = 32  # in so many letters


def draw_slopes(tensor, names=None, *, title=None):
    """A Picture of a computation with single numbers, and of how its result moves with each.

    Beside an arrow stands the slope that the operation's own backward gives for it: how fast the
    result of the operation moves with that input. ValueError where there is more than one number.
    """
    from course.drawing.render import View, picture
    from course.drawing.scene import make_scene

    names = caller_names(2) if names is None else names
    graph = nearest(read_graph(tensor, names))
    require_single_numbers(graph)
    slopes = {node: local_slopes(node) for node in graph.nodes if node.operation}
    ways = ways_from_root(graph, slopes)
    scene = make_scene(
        graph, lambda node: lines_of(graph, node, ways[node]), lambda arrow: label_of(arrow, slopes)
    )
    view = View({unit.node: unit.lines for unit in scene.units}, labels=scene.labels, loud=True)
    view.title = title or "multiply along a path, add up the paths"
    view.notes = graph.notes
    return picture(scene, [view])


def require_single_numbers(graph):
    for node in graph.nodes:
        if node.value is None or node.value.size != 1:
            what = "an unknown value" if node.value is None else f"shape {node.value.shape}"
            who = node.name or "a result"
            raise ValueError(f"draw_slopes needs single numbers, and {who} has {what}")


def local_slopes(node):
    """For each input that is drawn, how fast the operation's result moves with it."""
    call = node.operation.call
    grads = call.backward(type(node.tensor)(np.ones_like(node.value)))
    grads = grads if isinstance(grads, tuple) else (grads,)
    pairs = zip(call.inputs, grads, strict=False)
    return [numbers_of(grad).item() for x, grad in pairs if is_drawn(x)]


@dataclass
class Ways:
    """All paths from the root back to one node: how many, their sum, and the first few products."""

    count: int = 0
    total: float = 0.0
    products: list = field(default_factory=list)  # of each path, its slopes from the root on

    def add(self, other, slope):
        """Every path that leads to the node behind an arrow, and the arrow's slope as well."""
        self.count += other.count
        self.total += other.total * slope
        longer = [[*product, slope] for product in other.products]
        self.products = (self.products + longer)[:MOST_PATHS]


def ways_from_root(graph, slopes):
    ways = {node: Ways() for node in graph.nodes}
    ways[graph.root] = Ways(1, 1.0, [[]])
    for node in reversed(graph.nodes):
        if node.operation:
            for source, slope in zip(node.operation.inputs, slopes[node], strict=False):
                ways[source].add(ways[node], slope)
    return ways


def lines_of(graph, node, ways):
    """Name, value, and how the root moves with it: `dz/dy = 5 + 3 · 1 = 8`."""
    value = ("value", array_text(node.value))
    if not node.name:
        return [value]
    lines = [("name", node.name), value]
    if node is graph.root or node.kind == "constant":
        return lines
    of = f"d{graph.root.name or 'result'}/d{node.name}"
    return [*lines, ("grad", f"{of} = {ways_text(ways)}")]


def ways_text(ways):
    """The sum of the products, as long as it is short.

    >>> ways_text(Ways(2, 8.0, [[5.0], [3.0, 1.0]]))
    '5 + 3 · 1 = 8'
    """
    total = number_text(ways.total)
    text = " + ".join(product_text(product) for product in ways.products)
    if ways.count > MOST_PATHS or len(text) > LONGEST:
        return f"{total}, over {ways.count:,} paths" if ways.count > 1 else total
    return total if text in (total, f"({total})") else f"{text} = {total}"


def product_text(slopes):
    texts = [number_text(slope) for slope in slopes]
    return " · ".join(f"({text})" if text.startswith("−") else text for text in texts)


def label_of(arrow, slopes):
    source, target, slot = arrow
    return "" if source.kind == "constant" else number_text(slopes[target][slot])
