"""step_through shows what the student's own backward did, and leaves no trace."""

from heapq import heappush

import pytest
from pictures import build, faults, leaf_of, snapshot

import tinytorch
from course.drawing import step_through
from tinytorch import engine
from tinytorch.node import AccumulateGrad


def frames(picture):
    """For each frame its title and all its texts."""
    return [
        (axes.texts[0].get_text(), {text.get_text() for text in axes.texts})
        for axes in picture.figure.axes
    ]


@pytest.mark.parametrize("chapter", [3, 5])
def test_the_steps_of_a_small_graph(chapter):
    root, names = build("two_sums", chapter)
    titles = [title for title, _ in frames(step_through(root, names=names))]
    assert titles == [
        "start · e receives 1",
        "1 · × passes 2 to c and 3 to d",
        "2 · + passes 2 to a and 2 to b",
        "3 · b receives 2 + 3 = 5",
    ]


def test_a_given_gradient_starts_the_pass():
    root, names = build("two_sums")
    picture = step_through(root, type(root)(10.0), names)
    assert frames(picture)[0][0] == "start · e receives 10"


NAMES = ["two_sums", "unequal_paths", "x_times_x", "skip", "functions", "mlp", "wide", "lattice"]


@pytest.mark.parametrize("name", NAMES)
def test_no_label_lies_on_an_arrow_or_a_box(name):
    root, names = build(name)
    picture = step_through(root, names=names)
    assert faults(picture) == []


def test_every_message_of_a_small_graph_finds_its_place():
    root, names = build("two_sums")
    labels = [
        sorted(text.get_text() for text in axes.texts if text.get_gid() == "label")
        for axes in step_through(root, names=names).figure.axes
    ]
    assert labels == [[], ["2", "3"], ["2", "2"], ["3"]]  # the constant 1 is sent nothing


def test_gradients_and_contexts_are_put_back():
    root, names = build("two_sums")
    before = type(root)(7.0)
    names["a"].grad = before
    step_through(root, names=names)
    assert names["a"].grad is before and names["b"].grad is None
    assert isinstance(root.grad_fn.function, type)
    root.backward()  # the graph is neither freed nor changed
    assert names["a"].grad.item() == 9


def test_everything_is_put_back_when_the_backward_fails():
    root, names = build("two_sums", chapter=3)
    names["d"].grad_fn.function = Broken
    picture = step_through(root, names=names)
    assert names["b"].grad is None and root.grad_fn.function.__name__ == "Mul"
    notes = [text.get_text() for text in picture.figure.texts]
    assert "here backward() stopped: ValueError: no" in notes


class Broken:
    @staticmethod
    def backward(ctx, grad):
        raise ValueError("no")


def test_an_engine_that_overwrites_is_found_out():
    tt = snapshot(3)
    tt.propagate = overwriting
    a, b = leaf_of(tt)(2.0), leaf_of(tt)(1.0)
    e = (a + b) * (b + 1)
    title, texts = frames(step_through(e, names={"a": a, "b": b}))[-1]
    assert title == "3 · b has 3, but received 2 + 3"
    assert "grad 3, received 2 + 3" in texts


def overwriting(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        grads[x] = grad_x


def test_an_engine_that_goes_path_by_path_is_shown_as_it_goes():
    tt = snapshot(3)
    tt.Tensor.backward = lambda self: tt.recursive_backward(self, tt.Tensor(1.0))
    a = leaf_of(tt)(2.0)
    b = a * a
    d = b * (b * 3)
    titles = [title for title, _ in frames(step_through(d, names={"a": a, "b": b, "d": d}))]
    assert titles[2] == "2 · a receives 24 + 24 = 48"  # too early: b was not complete
    assert titles[4] == "4 · a receives 24 + 24 + 24 + 24 = 96"


def test_a_long_pass_is_told_in_key_frames_and_says_so():
    root, names = build("lattice")
    picture = step_through(root, names=names)
    assert len(picture.figure.axes) == 6
    assert "6 of 15 steps are drawn" in [text.get_text() for text in picture.figure.texts]


def test_before_chapter_3_there_is_nothing_to_step_through():
    root, names = build("tree", chapter=2)
    with pytest.raises(TypeError, match="this Tensor has none yet"):
        step_through(root, names=names)


def test_a_leaf_has_no_steps():
    root, names = build("single", chapter=3)
    with pytest.raises(TypeError, match="no operation made this tensor"):
        step_through(root, names=names)


def test_an_error_before_the_first_step_is_the_students_own():
    root, names = build("tree", chapter=3)

    class Blank(type(root)):
        def backward(self, gradient=None):
            raise NotImplementedError("exercise 3.6: Tensor.backward")

    root.__class__ = Blank
    with pytest.raises(NotImplementedError, match="exercise 3.6"):
        step_through(root, names=names)


def test_the_same_pass_gives_the_same_picture():
    root, names = build("unequal_paths")
    assert step_through(root, names=names).png() == step_through(root, names=names).png()


def test_a_box_is_as_wide_as_what_stands_in_it_now():
    root, names = build("two_sums")
    first, *_, last = step_through(root, names=names).figure.axes

    def widths(axes):  # of the two leaves, the only ones with a thick border
        boxes = [patch for patch in axes.patches if patch.get_gid() == "box"]
        return [box.get_width() for box in boxes if box.get_edgecolor()[0] < 0.2]

    assert max(widths(first)) < 0.5 * min(widths(last))  # no room yet for `grad 2 + 3 = 5`


# The library's nodes


@pytest.fixture
def two_sums():
    """e = (a + b) * (b + 1) in the library; its root and its names."""
    a, b = tinytorch.tensor(2.0, requires_grad=True), tinytorch.tensor(1.0, requires_grad=True)
    c, d = a + b, b + 1
    e = c * d
    return e, {"a": a, "b": b, "c": c, "d": d, "e": e}


def test_the_librarys_backward_pass_is_followed_from_node_to_node(two_sums):
    root, names = two_sums
    picture = step_through(root, names=names)
    assert [title for title, _ in frames(picture)] == [
        "start · e receives 1",
        "1 · e sends 2 to c and 3 to d",
        "2 · d sends 3 to b",  # the younger node first
        "3 · c sends 2 to a and 2 to b",
        "4 · b keeps 5",  # a leaf has its turn, too
        "5 · a keeps 2",
    ]
    assert faults(picture) == []


def test_those_that_wait_stand_in_a_row_the_youngest_first(two_sums):
    root, names = two_sums
    number = {name: f"{name} {names[name]._node.number}" for name in names}
    rows = [
        [t.get_text() for t in axes.texts if t.get_text() in number.values()]
        for axes in step_through(root, names=names).figure.axes
    ]
    assert rows == [[number[name] for name in order] for order in ("e", "dc", "cb", "ba", "a", "")]


def test_a_node_that_sends_the_same_to_one_twice_says_so_and_a_long_row_ends_in_dots():
    x = tinytorch.tensor(3.0, requires_grad=True)
    picture = step_through(x * x, names={"x": x})
    assert frames(picture)[1][0] == "1 · MulBackward0 sends 3 to x, twice"
    many = tinytorch.stack([tinytorch.tensor(1.0, requires_grad=True) for _ in range(30)])
    assert "…" in frames(step_through(many.sum(), names={}))[2][1]


def test_nothing_of_it_stays_with_the_library(two_sums):
    root, names = two_sums
    before = {kind: vars(kind).get("backward") for kind in (type(root.grad_fn), AccumulateGrad)}
    step_through(root, names=names)
    assert before == {kind: vars(kind).get("backward") for kind in before}
    assert names["a"].grad is None
    root.backward()  # its graph is not freed
    assert names["b"].grad.item() == 5


def test_a_students_engine_that_overwrites_is_shown_as_it_is(two_sums, monkeypatch):
    root, names = two_sums

    def deliver(result, edge, grads, heap):
        if edge not in grads:
            heappush(heap, (-edge.number, edge))
        grads[edge] = result

    monkeypatch.setattr(engine, "deliver", deliver)
    titles = [title for title, _ in frames(step_through(root, names=names))]
    assert "4 · b has 2, but received 3 + 2" in titles


def test_an_engine_that_raises_or_asks_nobody_is_said(two_sums, monkeypatch):
    root, names = two_sums
    monkeypatch.setattr(engine, "deliver", lambda *args: 1 / 0)
    picture = step_through(root, names=names)
    notes = {text.get_text() for text in picture.figure.texts} | frames(picture)[-1][1]
    assert "here backward() stopped: ZeroDivisionError: division by zero" in notes
    monkeypatch.setattr("tinytorch.gradients.run", lambda *args, **options: None)
    with pytest.raises(TypeError, match="no operation was asked for its gradients"):
        step_through(root, names=names)


def test_a_result_that_nobody_holds_is_drawn_by_its_node():
    x = tinytorch.tensor([3.0, 1.0, 2.0], requires_grad=True)
    largest, _ = x.max(0)
    titles = [title for title, _ in frames(step_through(largest * 2, names={"x": x}))]
    assert titles[3] == "3 · IndexBackward0 sends [2, 0, 0] to x"


def test_the_gradients_of_several_results_are_not_added_up():
    first, second, _ = tinytorch.tensor([1.0, 2.0, 3.0], requires_grad=True).split(1)
    title, texts = frames(step_through(first * second, names={"first": first}))[2]
    assert title == "2 · first sends [2, 1, 0] to AccumulateGrad" and "grad in 2 parts" in texts


def test_a_pass_through_too_many_nodes_is_refused():
    y = tinytorch.tensor(1.0, requires_grad=True)
    for _ in range(41):
        y = -y
    with pytest.raises(ValueError, match="too many for one picture"):
        step_through(y)
