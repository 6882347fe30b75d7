"""draw_graph: a tensor and all that it was made from."""

import numpy as np

from course.drawing.reading import (
    Constant,
    Graph,
    Operation,
    caller_names,
    is_drawn,
    numbers_of,
    read_graph,
)
from course.drawing.text import MANY, array_text, gradient_text, sum_text

MOST_NODES, MOST_COLUMNS = 40, 18  # what can still be read in one picture
FEW_COLUMNS = 10  # of a graph that is cut anyway, so much is drawn


def draw_graph(tensor, names=None, *, expected=None, title=None, many=MANY, compact=False):
    """A Picture of a tensor (or a Graph that was read before) and all that is behind it.

    `names` maps names to tensors; without it the caller's variables give the names. `expected`
    maps names to gradients: the first wrong one, in the order of the backward pass, is marked.
    Arrays of more than `many` elements show their shapes instead of their numbers. `compact` draws
    any graph as a wide one is drawn, so that it can be compared with one. TypeError if there is no
    tensor.
    """
    from course.drawing.render import View, picture

    names = caller_names(2) if names is None and not isinstance(tensor, Graph) else names
    graph = tensor if isinstance(tensor, Graph) else read_graph(tensor, names)
    wrong = first_wrong(graph, expected or {})
    graph = nearest(graph)
    sums = sums_of(graph)
    scene, notes = fitting_scene(
        graph, lambda node, many: lines_of(node, sums, wrong, many), many, compact
    )
    view = View({unit.node: unit.lines for unit in scene.units})
    view.title, view.notes = title or title_of(graph, sums, wrong), graph.notes + notes
    view.wrong, view.labels = wrong and wrong[0], scene.labels
    return picture(scene, [view])


def fitting_scene(graph, lines_of, many=MANY, compact=False):
    """The scene with all values or, if it's compact or too wide, with less; and a note on it.

    `lines_of(node, many)` are the lines of a box that shows arrays of up to `many` elements.
    """
    from course.drawing.scene import make_scene
    from course.drawing.style import WIDTH

    if not compact:
        scene = make_scene(graph, lambda node: lines_of(node, many), broadcast_label)
        if scene.width <= 1.35 * WIDTH:
            return scene, []
    scene = make_scene(graph, lambda node: lines_of(node, 1), short_label, compact=True)
    arrays = any(getattr(node.value, "size", 1) > 1 for node in graph.nodes)
    shapes = "arrays show their shapes; " if arrays else ""
    return scene, [("" if compact else "a wide graph: ") + f"{shapes}unnamed results are hidden"]


def lines_of(node, sums, wrong=None, many=MANY):
    """The lines in the box of a node: name, value, gradient."""
    lines = [("name", node.name)] if node.name else []
    value = node.value
    if isinstance(node.tensor, Constant):
        return [("note", "constant")]
    if value is None:
        return lines or [("note", getattr(node.operation, "name", "?"))]
    lines.append(("value", array_text(value, many)))
    if wrong and node is wrong[0]:
        got = "no grad" if node.grad is None else f"grad {gradient_text(node.grad, many)}"
        return [*lines, ("wrong", f"✗ {got}"), ("expected", f"expected {gradient_text(wrong[1])}")]
    if node.grad is not None and node.kind != "constant":
        text = sum_text(sums.get(node, []), node.grad, many)
        lines.append(grad_line(node, text, many))
    return lines


def grad_line(node, text, many):
    """The gradient's line; where only shapes are shown, no shape that the value has too."""
    value = node.value
    known = many == 1 and value is not None and value.size > 1 and text == array_text(value, many)
    return ("grad", "grad" if known else f"grad {text}")


def mismatch_png(graph, expected):
    """The PNG that goes with a wrong gradient, its bytes."""
    return draw_graph(graph, expected=expected).png()


def title_of(graph, sums, wrong):
    root = graph.root.name or "this tensor"
    if wrong:
        return wrong_title(*wrong)
    if graph.root.operation and graph.root.operation.freed:
        return f"what was behind {root} has been freed"
    if len(graph.nodes) == 1:
        return f"{root}, and nothing behind it"
    for node, parts in sums.items():
        if node.name and len(parts) > 1:
            return f"{node.name} receives {sum_text(parts, node.grad).split(' =')[0].split(',')[0]}"
    if any(node.grad is not None for node in graph.nodes):
        return f"how {root} moves with each tensor behind it"
    return f"{root} and what it was made from"


def wrong_title(node, want):
    got = node.grad
    if isinstance(got, np.ndarray) and isinstance(want, np.ndarray) and got.shape != want.shape:
        return f"{node.name}.grad has shape {got.shape}, expected shape {want.shape}"
    got = got if isinstance(got, str) or got is None else f"is {gradient_text(got)}"
    return f"{node.name}.grad {got or 'is None'}, expected {gradient_text(want)}"


def broadcast_label(arrow):
    """`(3,) → (4, 3)` where an input is stretched to the shape of the result.

    A matrix product stretches the batch axes alone: `(3, 2) → (5, 3, 2)`.
    """
    source, target, _ = arrow
    values = [node.value for node in target.operation.inputs]
    result = target.value
    if len(values) < 2 or result is None or any(value is None for value in values):
        return ""
    kept = 2 if target.operation.name in ("MatMul", "Mm") else 0
    if min(value.ndim for value in values) < kept:
        return ""
    shape, *batches = (v.shape[: v.ndim - kept] for v in (result, *values))
    try:
        stretched = np.broadcast_shapes(*batches) == shape
    except ValueError:
        return ""
    full = shape + source.value.shape[source.value.ndim - kept :]
    return f"{source.value.shape} → {full}" if stretched and source.value.shape != full else ""


def short_label(arrow):
    """The end of that label, for pictures with little room: `→ (4, 3)`."""
    return "".join(broadcast_label(arrow).partition("→")[1:])


def sums_of(graph):
    """For each node the gradients that were added up to its own, where they really make it up.

    Each operation is asked once more what it sends back; an unfinished one has nothing to say.
    """
    parts = {node: [] for node in graph.nodes}
    for node in reversed(graph.nodes):
        if node.operation and isinstance(node.grad, np.ndarray):
            for source, message in messages(node):
                parts[source].append(message)
    return {node: found for node, found in parts.items() if makes_up(found, node.grad)}


def messages(node):
    """Pairs (input, array) that the operation of a node sends back for the node's gradient."""
    call = node.operation.call
    try:
        grads = call.backward(node.tensor.grad)
        grads = grads if isinstance(grads, tuple) else (grads,)
        sent = [grads[slot] for slot, x in enumerate(call.inputs) if is_drawn(x)]
    except Exception:  # the student's own code, at any stage
        return []
    pairs = zip(node.operation.inputs, map(numbers_of, sent), strict=False)
    return [(source, message) for source, message in pairs if message is not None]


def makes_up(parts, grad):
    """Whether two or more parts of one shape add up to this gradient."""
    if len(parts) < 2 or not isinstance(grad, np.ndarray):
        return False
    if any(part.shape != grad.shape for part in parts):
        return False
    return bool(np.allclose(sum(parts), grad, rtol=1e-4, equal_nan=True))


def first_wrong(graph, expected):
    """(node, what its gradient should be) for the first wrong one in backward order, or None."""
    for node in reversed(graph.nodes):
        if node.name in expected:
            want = expected[node.name]
            want = want if want is None else numbers_of(np.asarray(getattr(want, "data", want)))
            if not same(node.grad, want):
                return node, want
    return None


def same(got, want):
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "biufc":
        return got is want
    return got.shape == want.shape and np.allclose(got, want, rtol=1e-4, atol=1e-6, equal_nan=True)


def nearest(graph):
    """The graph, cut down to the tensors nearest to its root where it is too large to be read."""
    depths = depths_in(graph)
    if len(graph.nodes) <= MOST_NODES and max(depths.values()) < MOST_COLUMNS:
        return graph
    order = sorted(graph.nodes, key=depths.__getitem__)
    kept = {node for node in order[:MOST_NODES] if depths[node] < FEW_COLUMNS}
    nodes = [node for node in graph.nodes if node in kept]
    for node in nodes:
        cut_off(node, kept)
    name = graph.root.name or "the result"
    note = f"{len(kept)} of {len(graph.nodes):,} tensors: those nearest to {name}"
    return Graph(graph.root, nodes, [*graph.notes, note])


def cut_off(node, kept):
    """Let the operation of a node forget the inputs that are not kept, and say so by `…`."""
    old = node.operation
    if old is not None and not kept.issuperset(old.inputs):
        inputs = [source for source in old.inputs if source in kept]
        node.operation = Operation(old.name, inputs, {"…": True}, old.freed, old.call)


def depths_in(graph):
    """How many operations lie between each node and the root, on the longest way."""
    depths = dict.fromkeys(graph.nodes, 0)
    for node in reversed(graph.nodes):
        for source in node.operation.inputs if node.operation else ():
            depths[source] = max(depths[source], depths[node] + 1)
    return depths
