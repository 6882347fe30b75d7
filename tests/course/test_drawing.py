"""draw_graph: nothing overlaps, nothing is cut, and a bad layout would be found."""

import subprocess
import sys

import pytest
from pictures import build, faults, leaf_of, snapshot, zoo_names

from course.drawing import draw_graph, mismatch_png, read_graph
from course.drawing.graphs import fitting_scene, lines_of
from course.drawing.render import View, path_of, picture
from course.zoo import chain


def scene_of(name):
    root, names = build(name)
    return fitting_scene(
        read_graph(root, names), lambda node, many: lines_of(node, {}, None, many)
    )[0]


def render(scene):
    view = View({unit.node: unit.lines for unit in scene.units}, labels=scene.labels)
    return picture(scene, [view])


@pytest.mark.parametrize("name", zoo_names())
def test_boxes_arrows_and_texts_keep_clear_of_each_other(name):
    root, names = build(name)
    assert faults(draw_graph(root, names)) == []


@pytest.mark.parametrize("name", ["two_sums", "unequal_paths", "wide", "mlp", "crossed"])
def test_boxes_have_room_for_written_out_sums(name):
    root, names = build(name, chapter=4)
    root.backward()
    assert faults(draw_graph(root, names)) == []


@pytest.mark.parametrize("name", zoo_names())
def test_every_arrow_begins_at_its_box_and_ends_at_its_operation(name):
    scene = scene_of(name)
    units = {unit.node: unit for unit in scene.units}
    for (source, target, _), path in zip(scene.arrows, scene.paths, strict=True):
        left, top, right, bottom = units[source].box or units[source].pill
        assert path[0][0] == pytest.approx(right) and top < path[0][1] < bottom
        left, top, right, bottom = units[target].pill
        assert left <= path[-1][0] < (left + right) / 2 and top < path[-1][1] < bottom


@pytest.mark.parametrize("name", zoo_names())
def test_every_arrow_has_a_direction_at_its_end(name):
    for path in scene_of(name).paths:
        *_, before, last = path_of(path)[1]
        assert before != last  # or else its head would not be drawn


def test_known_graphs_are_drawn_without_crossings():
    planar = ["tree", "twice", "two_sums", "diamond", "unequal_paths", "skip", "ladder", "chain"]
    assert {name: scene_of(name).crossings for name in planar} == dict.fromkeys(planar, 0)


@pytest.mark.parametrize("name, most", [("crossed", 5), ("lattice", 12), ("functions", 2)])
def test_tangled_graphs_have_few_crossings(name, most):
    assert scene_of(name).crossings <= most


def test_a_box_on_a_box_would_be_found():
    scene = scene_of("tree")
    scene.units[0].y = scene.units[1].y
    scene.units[0].left = scene.units[1].left
    assert any("boxes overlap" in fault for fault in faults(render(scene)))


def test_an_arrow_through_a_box_would_be_found():
    scene = scene_of("unequal_paths")
    names = [(a.name, b.name) for a, b, _ in scene.arrows]
    long = scene.paths[names.index(("b", "d"))]
    box = next(unit.box for unit in scene.units if unit.node.name == "c")
    for k in range(1, len(long) - 2):  # the straight way, along the row of c
        long[k] = (long[k][0], (box[1] + box[3]) / 2)
    assert any("runs through" in fault for fault in faults(render(scene)))


def test_a_text_wider_than_its_box_would_be_found():
    scene = scene_of("tree")
    scene.units[0].lines = [("name", "a name that no box was made for")]
    assert any("leaves its box" in fault for fault in faults(render(scene)))


def test_a_text_cut_off_by_the_figure_would_be_found():
    scene = scene_of("tree")
    scene.width -= 40
    assert any("cut off" in fault for fault in faults(render(scene)))


def test_a_label_on_its_arrow_would_be_found():
    scene = scene_of("broadcast")
    k, (_, _, text) = next(iter(scene.labels.items()))
    (x0, y0), (x1, y1) = scene.paths[k][:2]
    scene.labels[k] = ((x0 + x1) / 2, (y0 + y1) / 2, text)
    assert any("lies on an arrow" in fault for fault in faults(render(scene)))


def test_the_same_graph_gives_the_same_picture():
    root, names = build("broadcast")
    again, same_names = build("broadcast")
    assert draw_graph(root, names).png() == draw_graph(again, same_names).png()


def test_a_notebook_shows_a_picture_at_half_its_resolution_and_at_most_640_pixels_wide():
    root, names = build("mlp")
    png, size = draw_graph(root, names)._repr_png_()
    width = int.from_bytes(png[16:20], "big")
    assert size["width"] == 640 and width == 1280


def test_x_times_x_shows_two_arrows():
    assert len(scene_of("x_times_x").arrows) == 2


def test_the_exponent_stands_in_the_operation_and_has_no_box():
    scene = scene_of("cubic")
    assert [unit.symbol for unit in scene.units if unit.symbol] == ["** 3", "+"]
    assert len(scene.units) == 3


def test_broadcasting_is_written_on_the_arrow():
    texts = {text for _, _, text in scene_of("broadcast").labels.values()}
    assert texts == {"(3,) → (4, 3)", "(4, 1) → (4, 3)"}


def test_a_matrix_product_stretches_its_batch_axes_alone():
    tt = snapshot(4)
    y = tt.ones(5, 2, 3) @ tt.ones(3, 4)
    scene, _ = fitting_scene(read_graph(y, {}), lambda node, many: lines_of(node, {}, None, many))
    texts = {text for _, _, text in scene.labels.values()}
    assert texts == {"(3, 4) → (5, 3, 4)"}


def test_leaf_constant_and_result_differ_without_colour():
    root, names = build("two_sums")
    figure = draw_graph(root, names).figure
    boxes = [patch for patch in figure.axes[0].patches if patch.get_gid() == "box"]
    looks = {(patch.get_linewidth(), str(patch.get_linestyle())) for patch in boxes}
    assert len(looks) == 3


def test_a_sum_is_written_out():
    root, names = build("two_sums", chapter=3)
    root.backward()
    assert "grad 2 + 3 = 5" in texts_of(draw_graph(root, names))
    assert draw_graph(root, names).title == "b receives 2 + 3"


def test_a_wrong_gradient_is_marked_with_what_was_expected():
    root, names = build("two_sums", chapter=3)
    root.backward()
    names["b"].grad = type(root)(2.0)
    drawn = draw_graph(root, names, expected={"a": 2.0, "b": 5.0})
    assert {"✗ grad 2", "expected 5"} <= texts_of(drawn)
    assert drawn.title == "b.grad is 2, expected 5"
    assert faults(drawn) == []


def test_the_picture_of_a_wrong_gradient_comes_from_a_graph_read_before():
    root, names = build("two_sums")
    graph = read_graph(root, names)
    root.backward()
    assert mismatch_png(graph, {"b": 6.0}).startswith(b"\x89PNG")


def test_only_the_first_wrong_gradient_in_backward_order_is_marked():
    root, names = build("two_sums", chapter=3)
    drawn = draw_graph(root, names, expected={"a": 2.0, "c": 2.0, "e": 1.0})
    assert drawn.title == "e.grad is None, expected 1"


def test_a_gradient_of_the_wrong_shape_is_marked():
    root, names = build("x_plus_x", chapter=3)
    names["x"].grad = type(root)([2.0, 2.0])
    title = draw_graph(root, names, expected={"x": 2.0}).title
    assert title == "x.grad has shape (2,), expected shape ()"


def test_a_graph_read_before_it_was_freed_still_shows_its_gradients():
    root, names = build("twice")
    graph = read_graph(root, names)
    root.backward()
    assert "grad 8" in texts_of(draw_graph(graph))  # y: 3 from the sum, 5 from the product


def test_a_long_chain_is_cut_and_says_so():
    tt = snapshot(3)
    root, names = chain(10_000)(tt, leaf_of(tt))
    drawn = draw_graph(root, names)
    assert faults(drawn) == []
    assert any("of 20,001 tensors: those nearest to y" in text for text in texts_of(drawn))


def test_arrays_of_up_to_many_elements_show_their_numbers():
    tt = snapshot(4)
    x, b = tt.Tensor([[1, 2, 3], [4, 5, 6]]), tt.Tensor([100, 200, 300])
    z = x + b
    z.backward(tt.Tensor([[1, 2, 3], [10, 20, 30]]))
    names = {"x": x, "b": b, "z": z}
    assert "grad (2, 3)" in texts_of(draw_graph(z, names))
    drawn = draw_graph(z, names, many=6)
    assert faults(drawn) == []
    assert "grad [[1, 2, 3], [10, 20, 30]]" in texts_of(drawn)
    wrong = draw_graph(z, names, expected={"x": 0}, many=6)
    assert "✗ grad [[1, 2, 3], [10, 20, 30]]" in texts_of(wrong)


def test_a_small_graph_can_be_drawn_as_a_wide_one_is():
    tt = snapshot(3)
    x = tt.Tensor(2.0)
    y = (x * x).exp()
    assert "4" in texts_of(draw_graph(y, {"x": x, "y": y}))
    drawn = draw_graph(y, {"x": x, "y": y}, compact=True)
    assert faults(drawn) == []
    assert "4" not in texts_of(drawn) and "unnamed results are hidden" in texts_of(drawn)


def test_the_names_come_from_the_callers_variables():
    tt = snapshot(3)
    x = tt.Tensor(2.0)
    area = x * x
    assert {"x", "area"} <= texts_of(draw_graph(area))


def test_a_dollar_sign_in_a_name_is_no_formula():
    tt = snapshot(3)
    x = tt.Tensor(2.0)
    assert faults(draw_graph(x * x, {"$x$": x})) == []


def test_the_style_of_the_user_changes_nothing():
    import matplotlib

    root, names = build("twice")
    plain = draw_graph(root, names).png()
    with matplotlib.rc_context({"font.size": 30, "font.family": "serif", "lines.linewidth": 9}):
        assert draw_graph(root, names).png() == plain


def test_matplotlib_is_loaded_by_the_first_picture_and_not_before():
    code = (
        "import sys, course.drawing; course.drawing.read_graph; print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def texts_of(picture):
    figure = picture.figure
    drawn = [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]
    return {text.get_text() for text in drawn}
