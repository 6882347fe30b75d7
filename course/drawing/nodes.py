"""draw_nodes: the library's graph as the engine sees it, nodes and where they point, no tensors."""

from course.drawing.graphs import MOST_NODES
from course.drawing.reading import Graph, Node, Operation, Reader, caller_names, numbers_of
from course.drawing.text import array_text


def draw_nodes(tensor, label=None, names=None, *, title=None, shade=None, short=False):
    """A Picture of the node of a tensor and all nodes behind it; each points to its edges.

    `label(node)` gives a text for each box, written after the name of the node's tensor, or a list
    of two, for two lines; without it that's what the node has saved, or the leaf's name.
    `shade(node)` is a number: the larger, the darker. `short` is for graphs that are wide: their
    boxes have just a name, without Backward0. TypeError where no node made the tensor, ValueError
    for too many nodes.

    >>> import tinytorch as tt
    >>> x = tt.tensor(3.0, requires_grad=True)
    >>> draw_nodes(x * x)
    <Picture: MulBackward0 and all nodes behind it>
    """
    from course.drawing.render import View, picture
    from course.drawing.scene import make_scene

    names = caller_names(2) if names is None else names
    root = getattr(tensor, "grad_fn", None)
    if not hasattr(root, "next_functions"):
        raise TypeError(f"draw_nodes wants a result of the library, got {type(tensor).__name__}")
    graph = graph_of(root, Reader(names))
    lines = {box: short_lines(box) if short else lines_of(box, label) for box in graph.nodes}
    scene = make_scene(graph, lines.get)
    title = title or f"{root.name()} and all nodes behind it"
    shades = {} if shade is None else shades_of(graph, shade)
    return picture(scene, [View(lines, title, points_back=True, shades=shades)])


def shades_of(graph, shade):
    """For each node's box a number from 0 to 1."""
    amounts = {box: shade(box.tensor) for box in graph.nodes if box.tensor is not None}
    least, most = min(amounts.values()), max(amounts.values())
    return {box: (amount - least) / ((most - least) or 1) for box, amount in amounts.items()}


def graph_of(root, reader):
    """The nodes as boxes of a picture, those that are pointed to first; a box for each None.

    The name of a box is that of its tensor.
    """
    boxes, stack = {}, [(root, False)]
    found = []
    while stack:
        node, edges_done = stack.pop()
        if edges_done and node not in boxes:
            edges = [boxes[edge] if edge else nowhere(found) for edge in edges_of(node)]
            name = reader.names.get(id(reader.holder(node)), "")
            boxes[node] = Node(node, name, kind_of(node), Operation("", edges, {}, False, node))
            found.append(boxes[node])
        elif node not in boxes:
            stack.append((node, True))
            stack += [(edge, False) for edge in edges_of(node) if edge]
        if len(boxes) > MOST_NODES:
            raise ValueError(f"more than {MOST_NODES} nodes are too many for one picture")
    return Graph(boxes[root], found)


def nowhere(found):
    """A box for an edge that leads to no node."""
    found.append(Node(None, "", "constant", None))
    return found[-1]


def edges_of(node):
    return [edge for edge, _ in node.next_functions]


def kind_of(node):
    return "leaf" if hasattr(node, "variable") else "result"


def lines_of(box, label):
    node = box.tensor
    if node is None:
        return [("note", "None")]
    texts = held_by(node, box.name) if label is None else label(node)
    first, *others = texts if isinstance(texts, list) else [str(texts)]
    if label is not None:
        first = " · ".join(part for part in (box.name, first) if part)
    lines = [("name", node.name()), ("value", first), *[("other", text) for text in others]]
    return [line for line in lines if line[1]]


def short_lines(box):
    if box.tensor is None:
        return [("note", "None")]
    return [("name", box.name or box.tensor.name().removesuffix("Backward0"))]


def held_by(node, name):
    """The leaf that a node adds to, by its name; or what it saved."""
    if hasattr(node, "variable"):
        return f"of {name}" if name else ""
    kept = [item for item in node.saved or () if not isinstance(item, int)]  # no axis, no flag
    arrays = [numbers_of(item) for item in kept]
    texts = [array_text(array) for array in arrays if array is not None]
    return f"saved {' and '.join(texts)}" if texts else ""
