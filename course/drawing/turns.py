"""step_through for the library: its backward pass from node to node, and who waits for a turn."""

from contextlib import contextmanager

from course.drawing.nodes import graph_of
from course.drawing.reading import Reader
from course.drawing.steps import Step, Story, kept, run_backward
from course.drawing.text import array_text, gradient_text


def follow_nodes(tensor, gradient, names):
    """The Turns of tensor.backward(gradient), and the error that ended it or None."""
    reader = Reader(names)
    graph, steps, error = graph_of(tensor.grad_fn, reader), [], None
    with grads_put_back(graph, reader), watched(graph, steps):
        try:
            run_backward(tensor, gradient)
        except Exception as problem:  # the student's own code, at any stage
            error = problem
    return Turns(graph, steps, {}), error


@contextmanager
def grads_put_back(graph, reader):
    """Within it no tensor has a gradient; afterwards each has the one that it had before."""
    holders = [reader.holder(box.tensor) for box in graph.nodes if box.tensor is not None]
    grads = [(tensor, tensor.grad) for tensor in holders if hasattr(tensor, "grad")]
    for tensor, _ in grads:
        tensor.grad = None
    try:
        yield
    finally:
        for tensor, grad in grads:
            tensor.grad = grad


@contextmanager
def watched(graph, steps):
    """Within it the nodes write down their calls of backward: it's their class that is listened
    to, so that hooks and engine may be a student's own."""
    boxes = {id(box.tensor): box for box in graph.nodes if box.tensor is not None}
    kinds = {type(box.tensor) for box in boxes.values()}
    own = {kind: vars(kind).get("backward") for kind in kinds}
    for kind in kinds:
        kind.backward = _noting(kind, kind.backward, boxes, steps)
    try:
        yield
    finally:
        for kind, backward in own.items():
            if backward is None:
                del kind.backward  # it was inherited
            else:
                kind.backward = backward


def _noting(kind, backward, boxes, steps):
    """A backward of this kind of node, `backward`, that writes each call down."""

    def noted(node, grad):
        got = kept(grad)  # as it comes: a leaf adds later ones into the same memory
        results = backward(node, grad)
        if type(node) is kind and id(node) in boxes:
            steps.append(Step(boxes[id(node)], got, [kept(result) for result in results or ()]))
        return results

    return noted


class Turns(Story):
    """The frames of a pass through nodes: a step is a node's turn, and a leaf has one too."""

    key = ["yellow: has its turn", "dotted: has a gradient and waits for its turn"]

    def text(self, box, k, many):
        heard = self.received[k][box]
        parted = any(step.node is box and step.grad is None for step in self.steps)
        if parted and heard:  # an operation with several results: the parts aren't added up
            return f"in {len(heard)} parts" if len(heard) > 1 else "in 1 part"
        return super().text(box, k, many)

    def lines(self, box, k, many):
        if box.tensor is None:
            return [("note", "None")]
        number = f"number {box.tensor.number}"
        known = f"{box.name} · {number}" if box.name else number
        text = self.text(box, k, many)
        grad = [("grad", f"grad {text}")] if text else []
        return [("name", box.tensor.name()), ("value", known), *grad]

    def view(self, scene, k, many):
        view = super().view(scene, k, many)
        waiting = sorted(view.waiting, key=lambda box: box.tensor.number, reverse=True)
        view.points_back = True
        view.row = [f"{box.name or ''} {box.tensor.number}".strip() for box in waiting]
        return view

    def title(self, k, many):
        if k == 0:
            return f"start · {who(self.graph.root)} receives {gradient_text(self.seed, many)}"
        step = self.steps[k - 1]
        has, _, received = self.text(step.node, k, many).partition(", received ")
        if received:  # the student's code made something else of it
            return f"{k} · {who(step.node)} has {has}, but received {received}"
        if step.node.kind == "leaf":
            return f"{k} · {who(step.node)} keeps {gradient_text(step.grad, many)}"
        sent = [f"{array_text(grad, many)} to {who(x)}" for x, grad in self.messages(step)]
        if len(sent) == 2 and sent[0] == sent[1]:
            sent = [f"{sent[0]}, twice"]
        return f"{k} · {who(step.node)} sends {' and '.join(sent) or 'nothing'}"


def who(box):
    return box.name or box.tensor.name()
