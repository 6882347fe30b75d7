"""draw_slopes writes the chain rule out; draw_walk shows a walk back that was made by hand."""

import pytest
from pictures import build, faults, snapshot

from course.drawing import draw_slopes, draw_walk
from course.drawing.graphs import nearest
from course.drawing.reading import read_graph
from course.drawing.steps import Story
from course.drawing.walk import step_of, view_of


def texts(picture, gid=None):
    return {
        text.get_text()
        for axes in picture.figure.axes
        for text in axes.texts
        if gid is None or text.get_gid() == gid
    }


@pytest.mark.parametrize("chapter", [2, 3, 4, 5])
def test_products_along_paths_and_their_sum_are_written_out(chapter):
    root, names = build("twice", chapter)
    names["s"] = root.grad_fn.inputs[0]
    picture = draw_slopes(root, names)
    assert {"dz/dx = 3 · 1 = 3", "dz/dy = 5 + 3 · 1 = 8", "dz/ds = 3"} <= texts(picture)
    assert texts(picture, "label") == {"1", "3", "5"}
    assert faults(picture) == []


@pytest.mark.parametrize("name", ["twice", "skip", "functions", "x_times_x", "cubic", "wide"])
def test_no_slope_lies_on_anything(name):
    root, names = build(name)
    assert faults(draw_slopes(root, names)) == []


def test_many_paths_are_counted_not_listed():
    root, names = build("ladder")
    assert "dy/dx = 64, over 64 paths" in texts(draw_slopes(root, names))


def test_a_negative_slope_stands_in_brackets():
    tt = snapshot(2)
    x = tt.Tensor(2.0)
    y = -(x * 3)
    assert "dy/dx = (−1) · 3 = −3" in texts(draw_slopes(y, {"x": x, "y": y}))
    z = -x
    assert "dz/dx = −1" in texts(draw_slopes(z, {"x": x, "z": z}))


def test_an_array_is_refused():
    tt = snapshot(2)
    x = tt.Tensor([1.0, 2.0])
    with pytest.raises(ValueError, match=r"single numbers, and x has shape \(2,\)"):
        draw_slopes(x * x, {"x": x})


def test_a_walk_has_a_frame_for_each_note_that_was_asked():
    root, names = build("twice", 2)
    s = names["s"] = root.grad_fn.inputs[0]
    walk = [(root, type(root)(1.0)), (s, type(root)(3.0))]
    picture = draw_walk(root, walk, names)
    titles = [axes.texts[0].get_text() for axes in picture.figure.axes]
    assert titles == ["1 · × passes 3 to s and 5 to y", "2 · y receives 5 + 3 = 8"]
    assert faults(picture) == []


def test_a_frame_looks_alike_whether_or_not_the_walk_goes_on():
    root, names = build("twice", 2)
    s = names["s"] = root.grad_fn.inputs[0]
    graph = nearest(read_graph(root, names))
    walk = [(root, type(root)(1.0)), (s, type(root)(3.0))]
    for asked in (walk[:1], walk):
        story = Story(graph, [step_of(graph, *pair) for pair in asked], {})
        scene, many = story.scene()
        waiting = view_of(story, scene, 1, many).waiting
        assert [node.name for node in waiting] == ["s"]


def test_a_tensor_without_a_note_cannot_be_asked():
    root, names = build("twice", 2)
    with pytest.raises(ValueError, match="there is no note"):
        draw_walk(root, [(names["x"], root)], names)


def test_a_note_is_asked_after_something_has_arrived_there():
    tt = snapshot(2)
    x = tt.Tensor(2)
    s = x * x
    t = s.tanh()
    z = t * x
    one = tt.Tensor(1)
    with pytest.raises(ValueError, match="nothing has arrived at s yet"):
        draw_walk(z, [(z, one), (s, one), (t, one)], {"s": s, "t": t, "x": x, "z": z})
