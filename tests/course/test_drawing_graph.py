"""read_graph and draw_graph cope with student code at every stage, and with wrong code."""

import itertools

import numpy as np
import pytest
from pictures import build, faults, leaf_of, snapshot

from course.drawing import draw_graph, draw_saved, read_graph
from course.drawing.render import path_of
from course.zoo import chain


def test_chapter_1_knows_one_lonely_box():
    tt = snapshot(1)
    x, y = tt.Tensor(2), tt.Tensor(3)
    z = (x + y) * y
    graph = read_graph(z)
    assert [node.name for node in graph.nodes] == ["z"]
    assert draw_graph(z).title == "z, and nothing behind it"


def test_inputs_come_before_results():
    root, names = build("two_sums")
    graph = read_graph(root, names)
    place = {node: k for k, node in enumerate(graph.nodes)}
    assert all(place[x] < place[n] for n in graph.nodes if n.operation for x in n.operation.inputs)


def test_kinds_before_chapter_5_follow_the_names():
    root, names = build("two_sums", chapter=3)
    for tensor in names.values():
        vars(tensor).pop("requires_grad", None)  # as before chapter 5
    kinds = {
        node.name or "1": node.kind for node in read_graph(root, names).nodes if not node.operation
    }
    assert kinds == {"a": "leaf", "b": "leaf", "1": "constant"}


def test_kinds_from_chapter_5_on_follow_requires_grad():
    tt = snapshot(5)
    x, c = tt.Tensor(2.0, requires_grad=True), tt.Tensor(3.0)
    kinds = {node.name: node.kind for node in read_graph(x * c, {"x": x, "c": c}).nodes}
    assert kinds == {"x": "leaf", "c": "constant", "": "result"}


def test_of_two_names_the_shorter_is_taken_then_the_first():
    tt = snapshot(3)
    x = tt.Tensor(2.0)
    assert read_graph(x, {"width": x, "y": x, "x": x}).root.name == "x"


def test_names_with_an_underscore_are_ignored():
    x = _1 = snapshot(3).Tensor(2.0)
    _ = _1
    assert read_graph(x).root.name == "x"


def test_plain_inputs_are_settings_under_their_names():
    tt = snapshot(4)
    x = tt.Tensor([[1.0, 2.0]])
    operation = read_graph(x.sum(axis=1, keepdims=True)).root.operation
    assert operation.settings == {"axis": 1, "keepdims": True}


def test_a_deep_graph_needs_no_recursion():
    tt = snapshot(3)
    root, names = chain(20_000)(tt, leaf_of(tt))
    assert len(read_graph(root, names).nodes) == 40_001


def test_a_freed_graph_says_so():
    root, names = build("two_sums")
    root.backward()
    graph = read_graph(root, names)
    assert graph.root.operation.freed and len(graph.nodes) == 1
    assert draw_graph(root, names).title == "what was behind e has been freed"
    assert faults(draw_graph(root, names)) == []


def test_a_cycle_is_cut_and_said():
    root, names = build("tree")
    root.grad_fn.inputs = (names["x"], root)
    assert read_graph(root, names).notes == ["a cycle: z is made from itself"]
    assert faults(draw_graph(root, names)) == []


@pytest.mark.parametrize("grad", ["text", 3.0, np.zeros((4, 4)), [1, 2], np.nan, object()])
def test_a_gradient_that_is_no_tensor_is_still_drawn(grad):
    root, names = build("tree", chapter=3)
    names["x"].grad = grad
    assert faults(draw_graph(root, names)) == []


@pytest.mark.parametrize("missing", ["function", "inputs", "_saved"])
def test_a_ctx_without_its_fields_is_still_drawn(missing):
    root, names = build("tree", chapter=3)
    delattr(root.grad_fn, missing)
    assert faults(draw_graph(root, names)) == []
    draw_saved(root, names)


def test_a_tensor_without_grad_is_still_drawn():
    root, names = build("tree", chapter=2)
    assert not hasattr(root, "grad")
    assert faults(draw_graph(root, names)) == []


def test_a_backward_that_fails_costs_only_the_written_out_sum():
    root, names = build("two_sums", chapter=3)
    root.backward()
    names["c"].grad_fn.inputs = ()
    root.grad_fn.function = None
    assert faults(draw_graph(root, names)) == []


def test_an_array_among_the_inputs_is_a_constant():
    root, names = build("tree", chapter=3)
    root.grad_fn.inputs = (np.array([1.0, 2.0]), names["w"])
    kinds = [node.kind for node in read_graph(root, names).nodes]
    assert kinds == ["leaf", "constant", "result"] or kinds == ["constant", "leaf", "result"]


def test_the_nodes_of_the_finished_library_are_read_too():
    lib = pytest.importorskip("tinytorch")
    x, y = lib.tensor(2.0, requires_grad=True), lib.tensor(3.0, requires_grad=True)
    h = x + y
    z = (h * y).exp()
    graph = read_graph(z)
    assert {node.name for node in graph.nodes} == {"x", "y", "h", "z", ""}
    assert [node.kind for node in graph.nodes].count("leaf") == 2
    assert faults(draw_graph(z)) == []


def test_a_wide_graph_whose_values_nobody_holds_is_drawn():
    lib = pytest.importorskip("tinytorch")
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x
    for _ in range(6):
        y = (y * x + x).tanh()
    assert faults(draw_graph(y)) == []


def test_a_symbol_is_drawn_with_the_names_that_it_prints():
    lib = pytest.importorskip("tinytorch")
    x, y = lib.tensor(2.0, requires_grad=True), lib.tensor(3.0, requires_grad=True)
    symbol = lib.autograd.get_symbol(((x + y) * y).exp())
    graph = read_graph(symbol)
    assert {node.name for node in graph.nodes} == {entry.name for entry in symbol.entries}
    assert [operation.name for operation in graph.operations] == ["Add", "Mul", "Exp"]
    assert faults(draw_graph(symbol)) == []


def test_a_symbol_is_drawn_with_its_constants():
    lib = pytest.importorskip("tinytorch")
    x = lib.tensor(2.0, requires_grad=True)
    symbol = lib.autograd.get_symbol((1 - x).exp())
    minus = read_graph(symbol).operations[0]
    assert [node.kind for node in minus.inputs] == ["constant", "leaf"]
    drawn = draw_graph(symbol)
    assert "constant" in [text.get_text() for text in drawn.figure.axes[0].texts]
    assert faults(drawn) == []


def test_an_arrow_that_hardly_moves_at_its_end_keeps_its_direction():
    _, vertices = path_of([(0, 5), (40, 5), (40 - 1e-13, 5)])
    assert vertices[-1] == (40, 5)


@pytest.mark.parametrize("thing", [3.0, "x", None, np.zeros(3)])
def test_what_is_no_tensor_is_refused_in_one_line(thing):
    with pytest.raises(TypeError, match="drawn from a Tensor, got"):
        draw_graph(thing)


def test_saved_tensors_are_weighed_once():
    tt = snapshot(2)
    x, y = tt.Tensor([1.0, 2.0]), tt.Tensor([3.0, 4.0])
    drawn = draw_saved((x * y) * y, {"x": x, "y": y})
    texts = [text.get_text() for text in drawn.figure.axes[0].texts]
    assert texts[-1] == "24 bytes"  # x, y and x * y: three arrays of 8 bytes


def test_the_columns_of_saved_tensors_are_as_wide_as_their_texts():
    tt = snapshot(2)
    drawn = draw_saved(tt.Tensor([0.1, 0.2, 0.3, 0.4]).exp() * 2, {})
    axes = drawn.figure.axes[0]
    boxes = [text.get_window_extent(drawn.figure.canvas.get_renderer()) for text in axes.texts]
    for box, other in itertools.combinations(boxes, 2):
        assert not box.overlaps(other)


def test_inputs_that_nobody_saved_are_weighed_where_that_is_asked():
    tt = snapshot(5)
    x = tt.Tensor([1.0, 2.0], requires_grad=True)
    drawn = draw_saved((x * 3).sum(), {"x": x}, inputs=True)
    texts = [text.get_text() for text in drawn.figure.axes[0].texts]
    assert "holds" in texts
    assert texts[-1] == "20 bytes"  # x and the 3 are saved; Sum only holds x * 3


def test_the_table_of_saved_tensors_keeps_to_the_width_of_a_notebook():
    tt = snapshot(4)
    layer = (tt.ones(1437, 64) @ tt.ones(64, 32)).relu().sum(axis=(0, 1), keepdims=True)
    assert draw_saved(layer)._repr_png_()[1]["width"] <= 640


def test_a_wide_graph_says_what_it_hides_and_still_shows_its_root():
    tt = snapshot(5)
    x = y = tt.Tensor(2.0, requires_grad=True)
    for _ in range(8):
        y = y * 2 - 1
    picture = draw_graph(y, {"x": x})
    texts = [text for text in picture.figure.findobj() if hasattr(text, "get_text")]
    sizes = {text.get_text(): text.get_fontsize() for text in texts}
    assert sizes["a wide graph: unnamed results are hidden"] < sizes[picture.title]
    assert "257" in sizes


def test_what_has_no_room_is_named_without_its_value_and_flags_that_are_off_are_left_out():
    tt = snapshot(5)
    root = (tt.ones(1437, 64) * tt.Tensor(2.0, requires_grad=True)).sum()
    root.grad_fn.freed = False
    texts = [text.get_text() for text in draw_saved(root, inputs=True).figure.axes[0].texts]
    assert "(1437, 64), shape, kept_shape" in texts
