"""step_through: the student's own backward pass, frame by frame."""

import inspect
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from course.drawing.graphs import grad_line, makes_up, nearest
from course.drawing.reading import caller_names, is_drawn, is_node, numbers_of, read_graph
from course.drawing.text import MANY, array_text, gradient_text, sum_text

MOST_FRAMES = 8  # so many steps are all drawn; of a longer pass
KEY_FRAMES = 6  # these


def step_through(tensor, gradient=None, names=None, *, title=None):
    """A Picture of tensor.backward(gradient), one frame for each operation that was asked.

    play(step_through(y)) shows the frames one after the other, every step of a long pass too.
    What is shown is what the student's code did: which operation came when, and what it sent.
    A tensor of the library has nodes: a frame for each, leaves too, and all that wait for a turn.
    All `.grad` are put back afterwards. TypeError where there is no graph or no backward(),
    ValueError for too many nodes.
    """
    from course.drawing.render import picture
    from course.drawing.turns import follow_nodes

    names = caller_names(2) if names is None else names
    of_the_library = is_node(getattr(tensor, "grad_fn", None))
    story, error = (follow_nodes if of_the_library else follow)(tensor, gradient, names)
    if error is not None and not story.steps:
        raise error
    if not story.steps:
        raise TypeError("backward() ended, and no operation was asked for its gradients")
    scene, many = story.scene()
    stop = [] if error is None else [f"here backward() stopped: {type(error).__name__}: {error}"]
    views = story.views(scene, many)
    views[-1].notes += stop
    name = story.graph.root.name or "a tensor"
    drawn = picture(scene, views, title or f"the backward pass of {name}")
    drawn.frames = lambda: [picture(scene, [view]) for view in story.all_views(scene, many, stop)]
    return drawn


def follow(tensor, gradient, names):
    """The Story of tensor.backward(gradient), and the error that ended it or None."""
    graph = read_graph(tensor, names)
    require_backward(graph)
    steps, ends, error = record(graph, gradient)
    graph = nearest(graph)
    return Story(graph, [step for step in steps if step.node in graph.nodes], ends), error


def require_backward(graph):
    root = graph.root
    if not callable(getattr(root.tensor, "backward", None)):
        raise TypeError("step_through runs tensor.backward(), and this Tensor has none yet")
    if root.operation is None:
        raise TypeError("there is nothing to step through: no operation made this tensor")
    if any(not hasattr(op.call, "function") for op in graph.operations):
        raise TypeError("step_through follows a ctx with .function; these nodes have none")


@dataclass
class Step:
    """One operation asked for its gradients: what it got, what it sent to each input."""

    node: object
    grad: object
    sent: list


class Recorder:
    """Stands in for the Function of one ctx and writes down each of its backward calls."""

    def __init__(self, node, steps):
        self.node, self.steps = node, steps
        self.function = node.operation.call.function

    def __getattr__(self, name):
        return getattr(self.function, name)

    def backward(self, ctx, grad):
        inputs = ctx.inputs  # before the backward that is being drawn frees them
        grads = self.function.backward(ctx, grad)
        sent = grads if isinstance(grads, tuple) else (grads,)
        sent = [kept(g) for x, g in zip(inputs, sent, strict=False) if is_drawn(x)]
        self.steps.append(Step(self.node, kept(grad), sent))
        return grads


def kept(grad):
    """A copy of a gradient's numbers as they are now; None if there are none."""
    array = numbers_of(grad)
    return None if array is None else array.copy()


def record(graph, gradient):
    """Run backward() on the root: the steps, the gradients at the end, the error if one came."""
    steps, error = [], None
    with put_back(graph):
        for node in graph.nodes:
            if hasattr(node.tensor, "grad"):
                node.tensor.grad = None
            if node.operation:
                node.operation.call.function = Recorder(node, steps)
        try:
            run_backward(graph.root.tensor, gradient)
        except Exception as problem:  # the student's own code, at any stage
            error = problem
        ends = {
            node: kept(node.tensor.grad) for node in graph.nodes if hasattr(node.tensor, "grad")
        }
    return steps, ends, error


@contextmanager
def put_back(graph):
    """Afterwards every tensor has the gradient and every ctx the attributes that it had before."""
    grads = [
        (node.tensor, node.tensor.grad) for node in graph.nodes if hasattr(node.tensor, "grad")
    ]
    calls = [(op.call, dict(vars(op.call))) for op in graph.operations]
    try:
        yield
    finally:
        for tensor, grad in grads:
            tensor.grad = grad
        for call, attributes in calls:
            vars(call).clear()
            vars(call).update(attributes)


def run_backward(tensor, gradient):
    options = {} if gradient is None else {"gradient": gradient}
    if "retain_graph" in inspect.signature(tensor.backward).parameters:
        options["retain_graph"] = True
    tensor.backward(**options)


class Story:
    """What has been received when: turns recorded steps into frames."""

    key = ["yellow: passes its gradient on", "dotted: has a gradient and waits for its turn"]

    def __init__(self, graph, steps, ends):
        self.graph, self.steps, self.ends = graph, steps, ends
        self.seed = steps[0].grad if steps else None
        self.received = self.all_received()

    def all_received(self):
        """After each step, the gradients that each node has received up to then, in order."""
        received = {node: [] for node in self.graph.nodes}
        found = [received]
        for step in self.steps:
            received = {node: list(parts) for node, parts in received.items()}
            for source, message in self.messages(step):
                received[source].append(message)
            found.append(received)
        return found

    def messages(self, step):
        """Pairs (input, what it is sent), constants left out: they want no gradient."""
        pairs = zip(step.node.operation.inputs, step.sent, strict=False)
        return [(x, m) for x, m in pairs if m is not None and x.kind != "constant"]

    def text(self, node, k, many):
        """The gradient of a node after step k, as far as it is known; "" before anything came."""
        parts = self.received[k][node]
        used = [step.grad for step in self.steps[:k] if step.node is node]
        if node is self.graph.root and not parts:
            return gradient_text(self.seed, many)
        if not parts:
            return ""
        if k == len(self.steps) and self.ends.get(node) is not None:
            used.append(self.ends[node])
        if not used:
            return self.sum_so_far(parts, many)
        return self.sum_used(parts, used[-1], many)

    def sum_so_far(self, parts, many):
        if any(part.shape != parts[0].shape for part in parts):
            return " + ".join(array_text(part, 1) for part in parts)
        return sum_text(parts, np.asarray(sum(parts)), many)

    def sum_used(self, parts, used, many):
        """The sum, or what the student's code went on with although it had received other parts."""
        if makes_up(parts, used) or (len(parts) == 1 and np.array_equal(parts[0], used)):
            return sum_text(parts, used, many)
        got = " + ".join(array_text(part, many) for part in parts)
        return f"{gradient_text(used, many)}, received {got}"

    def lines(self, node, k, many):
        lines = [("name", node.name)] if node.name else []
        if node.value is not None:
            lines.append(("value", array_text(node.value, many)))
        text = self.text(node, k, many)
        return [*lines, grad_line(node, text, many)] if text else lines

    def longest_lines(self, node, many):
        """The lines of a box when it is fullest: all frames are laid out for them."""
        states = [self.lines(node, k, many) for k in range(len(self.received))]
        return max(states, key=lambda lines: (len(lines), len(lines[-1][1])))

    def scene(self):
        """The scene that all frames share, and up to how many elements arrays are written out."""
        from course.drawing.scene import make_scene
        from course.drawing.style import WIDTH

        for many, compact in ((MANY, False), (1, True)):
            scene = make_scene(
                self.graph,
                lambda node: self.longest_lines(node, many),  # noqa: B023
                lambda arrow: self.longest_message(arrow, many),  # noqa: B023
                compact,
            )
            if scene.width <= 1.2 * WIDTH:
                break
        return scene, many

    def longest_message(self, arrow, many):
        source, target, slot = arrow
        if source.kind == "constant":
            return ""
        sent = [
            step.sent[slot] for step in self.steps if step.node is target and slot < len(step.sent)
        ]
        return max((message_text(source, m, many) for m in sent), key=len, default="")

    def key_frames(self):
        """Which steps are drawn: all, or where there are too many, the ends and where sums form."""
        count = len(self.steps)
        if count <= MOST_FRAMES:
            return list(range(count == MOST_FRAMES, count + 1))
        sums = [k for k in range(1, count + 1) if self.new_sums(k)]
        middle = [k for k in sums if k not in (1, count)][: KEY_FRAMES - 2]
        spare = np.linspace(1, count, KEY_FRAMES).round().astype(int).tolist()
        chosen = {1, count, *middle}
        for k in spare:
            if len(chosen) < KEY_FRAMES:
                chosen.add(k)
        return sorted(chosen)

    def views(self, scene, many):
        frames = self.key_frames()
        views = [self.view(scene, k, many) for k in frames]
        views[-1].notes = [*self.graph.notes, *self.key]
        if len(frames) < len(self.steps):
            views[-1].notes.append(f"{len(frames)} of {len(self.steps)} steps are drawn")
        return views

    def all_views(self, scene, many, stop):
        """A view for each step, one picture each: under all of them stand as many notes."""
        views = [self.view(scene, k, many) for k in range(len(self.steps) + 1)]
        for view in views:
            view.notes = [*self.graph.notes, *self.key, *[" " for _ in stop]]
        if stop:
            views[-1].notes[-1:] = stop
        return views

    def view(self, scene, k, many):
        from course.drawing.render import View

        view = View({node: self.lines(node, k, many) for node in self.graph.nodes})
        later = {step.node for step in self.steps[k:]}
        view.waiting = {node for node in later if self.text(node, k, many)}
        view.title = self.title(k, many)
        if k > 0:
            step = self.steps[k - 1]
            view.active = step.node
            view.waiting.discard(step.node)
        for number, (source, target, slot) in enumerate(scene.arrows):
            steps = [j for j, s in enumerate(self.steps[:k]) if s.node is target]
            if not steps or source.kind == "constant" or slot >= len(self.steps[steps[-1]].sent):
                continue
            message = self.steps[steps[-1]].sent[slot]
            if steps[-1] == k - 1 and message is not None:
                view.carried[number] = message_text(source, message, many)
            elif message is not None:
                view.earlier.add(number)
        return view

    def new_sums(self, k):
        """The nodes that got a second or later gradient in step k, those with a name first."""
        grown = [
            node
            for node in self.graph.nodes
            if len(self.received[k][node]) > max(1, len(self.received[k - 1][node]))
        ]
        return sorted(grown, key=lambda node: not node.name)

    def title(self, k, many):
        """What to see in frame k."""
        root = self.graph.root.name or "the result"
        if k == 0:
            return f"start · {root} receives {gradient_text(self.seed, many)}"
        for node in self.new_sums(k):
            if node.name and all(part.size <= 2 for part in self.received[k][node]):
                has, _, received = self.text(node, k, many).partition(", received ")
                if received:  # the student's code made something else of it
                    return f"{k} · {node.name} has {has}, but received {received}"
                return f"{k} · {node.name} receives {has}"
        step = self.steps[k - 1]
        return f"{k} · {symbol(step.node)} passes {sent_text(self.messages(step), many)}"


def sent_text(messages, many):
    """What an operation sends, and to whom: `2 to c and 3 to d`, `36 and 44 back`."""
    named = [f"{array_text(m, many)} to {x.name}" for x, m in messages if x.name]
    nameless = list(dict.fromkeys(array_text(m, many) for x, m in messages if not x.name))
    back = [" and ".join(nameless) + " back"] if nameless else []
    return " and ".join([*back, *dict.fromkeys(named)]) or "nothing on"


def message_text(source, message, many):
    """What stands beside an arrow; where only shapes are shown, no shape that was expected."""
    if message is None or (many == 1 < message.size and message.shape == _shape(source)):
        return ""
    return array_text(message, many)


def _shape(node):
    return None if node.value is None else node.value.shape


def symbol(node):
    from course.drawing.scene import SYMBOLS

    return SYMBOLS.get(node.operation.name, node.operation.name)
