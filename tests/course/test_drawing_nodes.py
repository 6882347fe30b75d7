"""draw_nodes draws the library's nodes; course.nodes makes graphs of them for graded tests."""

import pytest
from pictures import faults

import tinytorch as tt
from course.drawing import draw_nodes
from course.nodes import gradients_of, leaf_and_node, probe, random_graph
from course.zoo import ZOO


def leaf(data):
    return tt.tensor(data, requires_grad=True)


def texts(picture):
    return [text.get_text() for axes in picture.figure.axes for text in axes.texts]


def test_leaves_have_their_names_and_products_what_they_saved():
    a, b = leaf(2.0), leaf(1.0)
    e = (a + b) * (b + 1)
    said = texts(draw_nodes(e))
    assert [said.count(text) for text in ("AccumulateGrad", "AddBackward0", "None")] == [2, 2, 1]
    assert {"of a", "of b", "saved 3 and 2"} <= set(said)


def test_the_axes_and_flags_of_a_sum_are_not_said_to_be_saved():
    said = texts(draw_nodes(leaf([1.0, 2.0]).sum(0)))
    assert "SumBackward0" in said and not [text for text in said if "saved" in text]


def test_a_label_of_ones_own_stands_in_every_box_after_the_tensors_name():
    x = leaf(3.0)
    y = -(x * x)
    said = texts(draw_nodes(y, lambda node: f"number {node.number}", title="born in order"))
    first = x._node.number
    assert {f"x · number {first}", f"number {first + 1}", f"y · number {first + 2}"} <= set(said)
    assert texts(draw_nodes(y, lambda node: "")).count("y") == 1
    assert draw_nodes(y).title == "NegBackward0 and all nodes behind it"


def test_short_boxes_have_just_a_name():
    x = leaf(3.0)
    said = texts(draw_nodes(-(x * x.detach()), short=True, title="short"))
    assert sorted(said) == ["Mul", "Neg", "None", "short", "x"]


def test_a_label_of_two_texts_has_two_lines():
    x = leaf(3.0)
    said = texts(draw_nodes(-x, lambda node: ["turn 1", "turn 2"]))
    assert "x · turn 1" in said and said.count("turn 2") == 2


def test_the_larger_its_shade_the_darker_a_box():
    x = leaf(3.0)
    picture = draw_nodes(-(x * x), shade=lambda node: node.number)
    boxes = [patch for patch in picture.figure.axes[0].patches if patch.get_gid() == "box"]
    shades = [box.get_facecolor()[3] for box in sorted(boxes, key=lambda box: box.get_x())]
    assert shades[0] == 0 and shades[0] < shades[1] < shades[2] < 0.5  # its text can be read


@pytest.mark.parametrize("name", ["x_times_x", "two_sums", "unequal_paths", "skip", "wide"])
def test_nothing_overlaps_or_is_cut(name):
    picture = draw_nodes(ZOO[name](tt, leaf)[0])
    assert faults(picture) == []
    assert picture._repr_png_()[1]["width"] <= 640


def test_what_has_no_nodes_or_too_many_is_refused():
    with pytest.raises(TypeError, match="draw_nodes wants a result of the library, got Tensor"):
        draw_nodes(leaf(1.0))
    y = leaf(1.0)
    for _ in range(41):
        y = -y
    with pytest.raises(ValueError, match="too many for one picture"):
        draw_nodes(y)


def test_gradients_of_a_random_graph_are_those_of_the_library():
    for seed in range(10):
        root, nodes, pairs, leaves = random_graph(seed)
        want = gradients_of(nodes, pairs, {root: 1.0})
        tt.engine.run({root: tt.tensor(1.0).numpy()})
        assert [x.grad if x.grad is None else x.grad.item() for x in leaves] == [
            want.get(node) for node in nodes[:3]
        ]


def test_a_probe_tells_which_formulas_were_called():
    told = []
    (_, a) = leaf_and_node()
    assert probe((2.0, a), (None, a), told=told).backward(5.0) == [10.0, None]
    assert told == [0, 1]
