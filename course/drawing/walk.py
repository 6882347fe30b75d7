"""draw_walk: the way back, as somebody walked it by hand."""

from course.drawing.graphs import nearest
from course.drawing.reading import caller_names, is_drawn, read_graph
from course.drawing.steps import Step, Story, kept


def draw_walk(tensor, asked, names=None, *, title=None):
    """A Picture of a walk back from a tensor: one frame for each note that was asked.

    `asked` lists pairs (tensor, gradient): whose note was asked, and with which gradient.
    ValueError where there is no such note, or no gradient has arrived there yet.
    """
    from course.drawing.render import picture

    names = caller_names(2) if names is None else names
    graph = nearest(read_graph(tensor, names))
    steps = []
    for pair in asked:
        steps.append(step_of(graph, *pair))
        expect_arrived(graph, steps)
    story = Story(graph, steps, {})
    scene, many = story.scene()
    views = [view_of(story, scene, k, many) for k in range(1, len(steps) + 1)]
    return picture(scene, views, title or f"walking back from {graph.root.name or 'the result'}")


def view_of(story, scene, k, many):
    """Frame k; who has a gradient and a note waits to be asked, also where the walk ends first."""
    view = story.view(scene, k, many)
    asked = {step.node for step in story.steps[:k]}
    unasked = [node for node in story.graph.nodes if node.operation and node not in asked]
    view.waiting = {node for node in unasked if story.text(node, k, many)}
    return view


def expect_arrived(graph, steps):
    """ValueError if the last note was asked before a gradient had come to its result."""
    *earlier, last = steps
    told = {box for step in earlier for box in step.node.operation.inputs}
    if last.node is not graph.root and last.node not in told:
        name = last.node.name or repr(last.node.tensor)
        raise ValueError(f"nothing has arrived at {name} yet: ask the note in front of it first")


def step_of(graph, tensor, grad):
    found = [node for node in graph.nodes if node.tensor is tensor and node.operation]
    if not found:
        raise ValueError(f"there is no note to ask on {tensor!r}")
    call = found[0].operation.call
    grads = call.backward(grad)
    grads = grads if isinstance(grads, tuple) else (grads,)
    sent = [kept(g) for x, g in zip(call.inputs, grads, strict=False) if is_drawn(x)]
    return Step(found[0], kept(grad), sent)
