"""Grids and plots: what they say is computed from what they were given."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from pictures import holds, snapshot

from course import plots
from course.drawing import (
    draw_broadcast,
    draw_modes,
    draw_modules,
    draw_permute,
    draw_place,
    draw_rows,
    draw_tape,
    draw_unbroadcast,
)
from course.drawing.tapes import ROW, TOP, bands_of
from course.moons import plot_regions, two_moons
from course.strips import plot_errors
from course.valley import plot_basins, plot_valley, show_table
from tinytorch import nn
from tinytorch.tape import Tape

X = np.linspace(-1, 1, 9)
DIGITS = np.tile(np.arange(64.0) / 63, (12, 1))


def upper(points):
    """Scores that call everything above the middle 0."""
    return np.stack([points[:, 1], -points[:, 1]], axis=1)


def lower(points):
    return -upper(points)


def bowl(x, y):
    return x * x + 10 * y * y


def tape_of(passes):
    """A tape on which a product was taken back so often, and its length after each pass."""
    tape = Tape(trace=None)
    a = tape.variable(5.0, "a")
    loss, lengths = a * a * a, {"forward": 2}
    for number in range(passes):
        (loss,) = tape.grad(loss, [a])
        lengths[f"way back {number}"] = len(tape.entries)
    return tape, lengths


def network():
    """A layer with two names, parts within a part, and one that is None."""
    shared = nn.Linear(4, 4)
    net = nn.Sequential(shared, nn.Sequential(nn.BatchNorm1d(4), nn.Tanh()), shared)
    net.rest, net.rest = nn.Tanh(), None
    return net


MOMENTS = [
    ("# outside", {"recording": False, "training": False}),
    ("with record():", {"recording": True, "training": True}),
    ("    with predict_mode():", {"recording": True, "training": False}),
]
PICTURES = {
    "broadcast row": lambda: draw_broadcast(np.zeros((4, 3)), np.arange(3.0)),
    "broadcast both": lambda: draw_broadcast(np.zeros((3, 1)), np.zeros((1, 4)), "*"),
    "unbroadcast row": lambda: draw_unbroadcast(np.ones((4, 3)), (3,)),
    "unbroadcast column": lambda: draw_unbroadcast(np.ones((4, 3)), (4, 1)),
    "unbroadcast scalar": lambda: draw_unbroadcast(np.ones((8, 8)), ()),
    "rows": lambda: draw_rows(np.ones((2, 3)), np.ones((4, 3)), 0, 3),
    "tangent": lambda: plots.plot_tangent(lambda x: x**3 + x, 1.0, 4.0),
    "errors": lambda: plots.plot_error_curve([0.1, 0.01], {"float32": [0.1, 0.2], "b": [0.1, 0]}),
    "steep tangent": lambda: plots.plot_tangent(np.sin, 0.3, -8, between=(0, 1)),
    "slopes": lambda: plots.plot_slopes(X, X**3, 3 * X**2),
    "cost": lambda: plots.plot_cost([10, 100, 1000], [0.001, 0.01, 0.1]),
    "two costs": lambda: plots.plot_cost([10, 1e6], {"nudging": [1e-3, 9e3], "b": [1e-5, 1e-2]}),
    "fit": lambda: plots.plot_fit(X, X**3, {"step 0": (X, 0 * X), "step 9": (X, X**3)}),
    "epochs": lambda: plots.plot_losses([3, 2, 2, 1, 1, 0.5], epoch=2),
    "learning": lambda: plots.plot_learning(
        [5, 4, 3] * 50, {"a": 4.6, "b": 2}, ends=[9], title="t"
    ),
    "regions": lambda: plot_regions(*two_moons(40), {"one layer": upper, "other": lower}),
    "losses": lambda: plots.plot_losses({"train": [3, 2, 1], "test": [3, 2.5, 2]}),
    "counts": lambda: plots.plot_counts([1, 2, 3], {"a": [2, 4, 8], "b": [1, 2, 3]}, xlabel="n"),
    "memory": lambda: plots.plot_memory(range(3), {"kept": [1e6, 2e6, 3e6], "freed": [1e6] * 3}),
    "digits": lambda: plots.show_digits(DIGITS, np.arange(12) % 10, np.zeros(12)),
    "weights": lambda: plots.show_weights(np.linspace(-1, 1, 640).reshape(64, 10)),
    "valley": lambda: plot_valley(bowl, {"a": [[1, 1], [0, 0.5]], "b": np.ones((99, 2))}, (0, 0)),
    "hessian": lambda: show_table(np.array([[802.0, -400], [-400, 200]]), "xy"),
    "jacobian": lambda: show_table(np.eye(3), ["number"] * 3, rows=["a share"] * 3),
    "large hessian": lambda: show_table(np.eye(40)),
    "large table with names": lambda: show_table(np.eye(28), [f"into {k}" for k in range(28)]),
    "basins": lambda: plot_basins([[0, 1], [2, -1]], (0, 1), (0, 1)),
    "tape": lambda: draw_tape(*tape_of(2), "v8"),
    "permute": lambda: draw_permute((2, 3, 4, 5), (1, 2, 3, 0)),
    "place": lambda: draw_place([0, 0, -1, 2, 2, 0], [1.0, 2, -10, 30, 5.5, 7], 4),
    "strip": lambda: plot_errors(
        {"element by element": [(1e-9, 0)], "b": [(1e-16, 1)] * 40}, apart=1
    ),
    "modes": lambda: draw_modes(MOMENTS),
    "modules": lambda: draw_modules(network()),
    "shares": lambda: plots.plot_shares({"a rather long label": [98.1, 97], "b": [0, 100]}),
    "confusion": lambda: plots.show_confusion([0, 1, 2, 2], [0, 1, 2, 1]),
}


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_is_cut_off(name):
    assert not is_cut_off(PICTURES[name]().figure)


def test_a_text_that_is_cut_off_would_be_found():
    figure = PICTURES["tangent"]().figure
    figure.text(0.9, 0.5, "much too long for this place")
    assert is_cut_off(figure)


def is_cut_off(figure):
    figure.canvas.draw()
    return not holds(figure.bbox_inches, figure.get_tightbbox(), 0)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_at_most_640_pixels_wide_and_always_the_same(name):
    first, again = PICTURES[name](), PICTURES[name]()
    assert first._repr_png_()[1]["width"] <= 640
    assert first.png() == again.png()


def test_pyplot_knows_nothing_of_the_pictures():
    PICTURES["losses"]().png()
    assert plt.get_fignums() == []


def test_a_picture_can_be_saved(tmp_path):
    PICTURES["fit"]().save(tmp_path / "fit.png")
    assert (tmp_path / "fit.png").read_bytes().startswith(b"\x89PNG")


def texts_in(picture):
    return [text.get_text() for axes in picture.figure.axes for text in axes.texts]


def test_the_copies_of_a_broadcast_are_ghosts():
    cells = draw_broadcast(np.zeros((4, 3)), np.arange(3.0)).figure.axes[0].patches
    assert sum(cell.get_linestyle() not in ("-", "solid") for cell in cells) == 9  # 3 rows of 3


def arcs(picture):
    """(row where it begins, row where it ends) of each arc, and its kind of line."""
    (axes,) = picture.figure.axes
    lines = [line for line in axes.lines if len(line.get_xdata()) > 1]
    ends = [((y[-1] - TOP) / ROW, (y[0] - TOP) / ROW) for y in (a.get_ydata() for a in lines)]
    return [(*map(int, pair), a.get_linestyle()) for pair, a in zip(ends, lines, strict=True)]


def test_an_arc_leads_from_each_entry_behind_the_start_to_what_made_its_inputs():
    tape, lengths = tape_of(0)
    picture = draw_tape(tape, lengths, "v1")
    assert "v1  ←  v0, a" in [text.get_text() for text in picture.figure.axes[0].texts]
    assert arcs(picture) == [(1, 0, "-")]
    assert arcs(draw_tape(tape, lengths, "v0")) == []
    tape, lengths = tape_of(1)
    found = arcs(draw_tape(tape, lengths, "v8"))
    assert {row for pair in found for row in pair[:2]} == {0, 2, 3, 4, 5, 6, 7}  # not 1, the loss


def test_a_variable_that_no_entry_made_has_a_line_of_its_own_if_there_is_a_note_on_it():
    tape, lengths = tape_of(1)
    picture = draw_tape(tape, lengths, "v8", {"v2": "the seed", "v8": "75"})
    words = [text.get_text() for text in picture.figure.axes[0].texts]
    assert words.index("v2") < words.index("the seed") < words.index("v3  ←  v2, a")
    assert "75" in words
    assert [a for a in arcs(picture) if a[2] == "--"] == [(4, 2, "--"), (3, 2, "--")]


def test_what_no_entry_made_stands_where_it_was_computed():
    tape = Tape(trace=None)
    a = tape.variable(5.0, "a")
    t = tape.result(a.value, "hidden")
    tape.record([a], [tape.result(a.value, "r")], lambda dr: [dr[0] * t])
    a * t
    passes = {"forward": 1, "later": 2}
    found = bands_of(tape, passes, {"v0": "hidden"})
    assert found["forward"] == [(["v0"], []), (["v1"], ["a"])]
    assert found["later"] == [(["v2"], ["a", "v0"])]


def test_basins_take_pairs_and_whole_ranges():
    pictures = [
        plot_basins(np.eye(50, dtype=int), ends, ends) for ends in ((-6, 6), np.linspace(-6, 6, 50))
    ]
    extents = [picture.figure.axes[0].images[0].get_extent() for picture in pictures]
    assert np.allclose(extents, [-6, 6, -6, 6])


def test_a_module_has_a_box_and_an_arrow_for_each_name():
    words = texts_in(draw_modules(network()))
    assert [words.count(text) for text in ("Linear", "Sequential", "0", "1", "2")] == [
        1,
        2,
        2,
        2,
        1,
    ]
    assert {"weight (4, 4)", "running_mean (4,)", "num_batches_tracked ()"} <= set(words)
    assert "rest" not in words


def test_modules_are_drawn_before_the_walk_over_them_is_written(monkeypatch):
    def blank(self, *_):
        raise NotImplementedError("exercise 11.2: Module.named_modules")

    wanted = texts_in(draw_modules(network()))
    monkeypatch.setattr(nn.Module, "named_modules", blank)
    assert texts_in(draw_modules(network())) == wanted


def test_each_line_says_of_each_mode_whether_it_is_on():
    words = texts_in(draw_modes(MOMENTS))
    recording, training = words.index("recording"), words.index("training")
    assert words[recording + 1 : training] == ["off", "on", "on"]
    assert words[training + 1 :] == ["off", "on", "off"]


def test_gradients_of_one_place_are_added_up():
    words = texts_in(draw_place([0, -1, 0], [1.0, 10, 2], 3))
    assert words[-3:] == ["1 + 2 = 3", "0", "10"]


def test_a_permutation_shows_each_length_in_its_new_place():
    words = texts_in(draw_permute((2, 3, 4), (2, 0, 1)))
    assert words[-3:] == ["0: length 4", "1: length 2", "2: length 3"]


def test_a_strip_says_how_many_cases_a_row_has():
    axes = plot_errors({"a": [(1e-9, 0.0), (1e-10, 1)], "b": [(0, 0)]}).figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a (2)", "b (1)"]
    assert axes.lines[1].get_xdata().tolist() == [1e-16, 1]  # what is 0 is drawn at the edge


def test_a_strip_has_a_place_for_what_is_no_number_or_far_off():
    axes = plot_errors({"a": [(np.nan, 1e-9), (np.inf, 0)], "b": [(99, 1)]}).figure.axes[0]
    assert axes.get_xticklabels()[-1].get_text() == "NaN\nor > 10"
    assert axes.lines[0].get_xdata().tolist() == [100, 100]
    assert axes.get_xlim()[1] > 100


def test_curves_that_end_in_one_place_share_its_number():
    words = texts_in(plots.plot_counts([1, 2], {"a": [9, 6], "b": [8, 6], "c": [7, 5]}))
    assert [words.count("6"), words.count("5")] == [1, 1]


def test_counts_are_written_out_where_that_is_asked_for():
    words = texts_in(plots.plot_counts(["1", "4", "9"], {"a": [7, 5, 1]}, written=["4"]))
    assert sorted(words) == ["1", "5"]


def test_a_number_stands_where_its_curve_does_not_go_on():
    series = {"a": [7, 8, 9, 3], "b": [1, 5, 6, 2]}
    places = [plots.beside(series, place) for place in range(4)]
    wanted = [((-7, 0), "right"), ((7, -9), "left"), ((5, 10), "left"), ((7, 0), "left")]
    assert places == wanted


def test_rows_of_shares_of_one_kind_have_one_colour():
    picture = plots.plot_shares({"a, first": [90], "a, second": [80], "b": [50]})
    first, second, third = (text.get_color() for text in picture.figure.axes[0].texts)
    assert first == second != third


@pytest.mark.parametrize("last", [{"a": 3.5, "b": 2.7}, {"a": 30, "b": 31, "c": 30.5}])
def test_numbers_at_the_ends_of_curves_keep_apart(last):
    series = {name: [0.003, end] for name, end in last.items()}
    picture = plots.plot_counts(["1,000", "1,000,000"], series)
    picture.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in picture.figure.axes[0].texts]
    assert len(boxes) == len(last)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_a_row_of_shares_shows_its_mean():
    assert texts_in(plots.plot_shares({"a": [90, 80], "b": [0, 50]})) == ["85.0 %", "25.0 %"]


def test_empty_squares_of_a_hessian_have_no_number():
    assert texts_in(show_table([[2.0, 0.0], [0.0, -3.0]])) == ["2", "−3"]


def test_a_large_table_shows_a_few_names_of_its_columns_and_rows():
    picture = show_table(np.eye(28), range(1, 29), rows=[f"row {k}" for k in range(1, 29)])
    (axes,) = picture.figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "10", "19", "28"]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    assert rows == ["row 1", "row 10", "row 19", "row 28"]


def test_a_row_times_a_row_is_written_out():
    picture = draw_rows([[1, 2]], [[3, 4], [5, -6]], 0, 1, names=("grad_z", "y", "grad_x"))
    assert {"1 · 5 + 2 · (−6) = −7", "grad_z", "y", "grad_x", "11"} <= {*texts_in(picture)}


def test_summed_gradients_are_written_out():
    assert "1 + 3 = 4" in texts_in(draw_unbroadcast(np.array([[1.0, 2], [3, 4]]), (2,)))
    assert "1 + 2 = 3" in texts_in(draw_unbroadcast(np.array([[1.0, 2], [3, 4]]), (2, 1)))
    assert "1 + 2 + 7 = 10" in texts_in(draw_unbroadcast(np.array([[1.0, 2, 7]]), ()))


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: draw_broadcast(np.zeros(3), np.zeros(4)), r"\(3,\) and \(4,\) do not broadcast"),
        (lambda: draw_rows(np.zeros((2, 3)), np.zeros((3, 2)), 0, 0), "rows of equal length"),
        (lambda: draw_broadcast(np.zeros(3), np.zeros(3), "@"), "op must be one of"),
        (lambda: draw_broadcast(np.zeros((2, 2, 2)), 1.0), "at most two axes"),
        (lambda: draw_unbroadcast(np.zeros((4, 3)), (4,)), r"\(4,\) does not broadcast"),
        (lambda: plots.show_weights(np.zeros((3, 3))), r"needs weights of shape \(64, 10\)"),
        (lambda: plots.show_weights({"a": np.zeros(3)}), r"of shape \(64, 10\), got \(3,\)"),
        (lambda: plots.plot_losses([3, 2, 1], epoch=4), "an epoch of 3 steps has 1 to 3, got 4"),
        (lambda: plot_regions(*two_moons(8), {"a": np.sum}), r"scores of shape \(8, 2\), got"),
        (lambda: show_table(np.zeros((2, 3))), r"a square table, got shape \(2, 3\)"),
        (lambda: draw_tape(*tape_of(3), "v1"), "up to 40 entries, this one has 54"),
        (lambda: draw_modules(nn.Sequential(*[nn.Tanh() for _ in range(24)])), "these are 25"),
        (lambda: plots.plot_cost([1, 2], [0.1]), "expected 2 values, got 1"),
        (lambda: plots.plot_slopes([1, 2], [1, 2], [3]), "both must have one length"),
        (lambda: plots.plot_counts([1, 2], [1, 2, 3]), "expected 2 values, got 3"),
    ],
)
def test_what_cannot_be_drawn_is_a_clear_error(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_tensors_are_taken_as_they_are():
    tt = snapshot(3)
    losses = [tt.Tensor(4.0), tt.Tensor(2.0)]
    assert plots.plot_losses(losses).title == "the loss falls from 4 to 2"
    assert plots.plot_tangent(lambda x: x * x, tt.Tensor(3.0), tt.Tensor(6.0)).figure.axes


def test_the_cost_of_the_largest_is_said():
    title = plots.plot_cost([10, 1000], [0.001, 100.0]).title
    assert title == "one gradient of 1,000 numbers: 2 minutes"
    title = plots.plot_cost([10, 1000], {"nudging": [0.001, 100.0], "rules": [0.001, 0.5]}).title
    assert title == "one gradient of 1,000 numbers: nudging 2 minutes and rules 0.5 seconds"


def test_each_stroke_has_the_slope_of_its_point():
    lines = plots.plot_slopes([0, 1, 2], [5, 5, 9], [0, 3, -2]).figure.axes[0].lines
    strokes = [np.ptp(line.get_ydata()) / np.ptp(line.get_xdata()) for line in lines]
    assert np.allclose(strokes, [0, 3, 2])


def test_strokes_may_be_compared_with_the_function():
    def square(x):
        return x * x

    (axes,) = plots.plot_slopes([0, 1, 2], [0, 1, 4], [0, 2, 4], f=square).figure.axes
    curve = axes.lines[0]
    assert axes.get_ylabel() == "square(x)"
    assert np.allclose(curve.get_ydata(), curve.get_xdata() ** 2)


def test_the_least_error_is_ringed_and_the_largest_written():
    errors = {"a": [4, 4, 1, 2], "b": [3, 0, 0.5, 0.1]}
    picture = plots.plot_error_curve([1e-3, 0.01, 0.1, 1], errors)
    rings = [line for line in picture.figure.axes[0].lines if line.get_markersize() > 10]
    assert [(*line.get_xdata(), *line.get_ydata()) for line in rings] == [(0.1, 1), (1, 0.1)]
    assert texts_in(picture) == ["4"]


def test_a_single_cost_is_compared_with_one_in_proportion():
    picture = plots.plot_cost([10, 100, 1000], [0.1, 2, 7200])
    assert texts_in(picture) == ["2 hours", "10 seconds"]
    assert texts_in(plots.plot_cost([10, 1000], {"nudging": [0.1, 7200]})) == ["2 hours"]


def test_what_is_written_at_the_first_label_stands_on_its_left():
    picture = plots.plot_counts([1, 2], {"a": [9.1e-10, 1], "b": [70, 1]}, written=[1])
    first, second, _ = picture.figure.axes[0].texts
    assert [first.get_text(), second.get_text()] == ["$9·10^{-10}$", "70"]
    assert first.get_ha() == second.get_ha() == "right"


def test_of_many_labels_every_nth_is_written_and_the_last():
    (axes,) = plots.plot_counts(range(1, 31), np.arange(30)).figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()][-2:] == ["27", "30"]
    (axes,) = plots.plot_counts(range(1, 31), np.arange(30), written=[1]).figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()][:2] == ["1", "3"]


def test_a_confusion_matrix_names_the_commonest_mistake():
    title = plots.show_confusion([0, 8, 8, 1], [0, 1, 1, 1]).title
    assert title == "2 of 4 wrong; most often 8 is taken for 1"


def test_a_wrong_prediction_is_marked_in_words():
    picture = plots.show_digits(DIGITS[:2], [3, 8], [3, 5])
    assert [axes.get_title() for axes in picture.figure.axes] == ["3", "said 5, is 8"]


def test_digits_stand_in_rows_of_equal_length():
    picture = plots.show_digits(np.tile(DIGITS[:1], (19, 1, 1)), [3] * 19, [5] * 19)
    tops = [round(axes.get_position().y0, 3) for axes in picture.figure.axes]
    assert [tops.count(top) for top in sorted(set(tops), reverse=True)] == [5, 5, 5, 4]


def test_a_single_point_is_drawn_larger_than_one_of_many():
    few, many = plots.plot_fit([4], [3], {"throw": (X, X)}), plots.plot_fit(X, X, {"line": (X, X)})
    sizes = [picture.figure.axes[0].lines[0].get_markersize() for picture in (few, many)]
    assert sizes[0] > 2 * sizes[1]


def test_the_fit_moves_curve_by_curve_on_the_same_axes():
    curves = {"step 0": (X, 0 * X), "step 9": (X, 4 * X)}
    frames = plots.plot_fit(X, X**3, curves).frames()
    assert [frame.title for frame in frames] == ["step 0", "step 9"]
    assert len({frame.figure.axes[0].get_ylim() for frame in frames}) == 1


def test_weights_form_in_the_same_colours():
    story = {"step 0": np.zeros((64, 10)), "step 9": np.ones((64, 10))}
    picture = plots.show_weights(story, title="weights")
    frames = picture.frames()
    assert picture.title == "weights" and [f.title for f in frames] == ["step 0", "step 9"]
    limits = {image.get_clim() for f in frames for axes in f.figure.axes for image in axes.images}
    assert limits == {(-1, 1)}
    assert plots.show_weights(np.ones((64, 10))).frames is None


def test_the_mean_of_each_epoch_stands_in_its_middle():
    picture = plots.plot_losses([4, 2, 2, 1, 9], epoch=2)  # the last epoch is not over
    _, means = picture.figure.axes[0].lines
    assert means.get_xdata().tolist() == [0.5, 2.5] and means.get_ydata().tolist() == [3, 1.5]
    assert picture.title == "the mean of an epoch falls from 3 to 1.5"


def test_the_mean_of_neighbours_stands_in_their_middle_with_levels_to_compare_with():
    picture = plots.plot_learning([4, 2, 3, 1], {"guessing": 5}, ends=[2], title="t", over=2)
    each, means, level, end = picture.figure.axes[0].lines
    assert each.get_ydata().tolist() == [4, 2, 3, 1]
    assert means.get_xdata().tolist() == [0.5, 1.5, 2.5]
    assert means.get_ydata().tolist() == [3, 2.5, 2]
    assert {*level.get_ydata()} == {5} and {*end.get_xdata()} == {2}


def test_regions_say_how_many_are_right():
    x, y = np.array([[0, 1], [1, 1], [0, -1], [1, -1.0]]), np.array([0, 0, 0, 1])
    picture = plot_regions(x, y, {"up": upper, "down": lower}, title="epoch 3")
    assert picture.title == "epoch 3: up 75%, down 25% right"


def test_two_moons_are_the_same_each_time_and_no_line_parts_them():
    x, y = two_moons(400)
    assert (x == two_moons(400)[0]).all() and (x != two_moons(400, seed=1)[0]).any()
    columns = np.concatenate([x, np.ones((400, 1))], axis=1)
    line = np.linalg.lstsq(columns, 2 * y - 1, rcond=None)[0]
    assert 0.8 < ((columns @ line > 0) == y).mean() < 0.93


def test_lines_go_where_a_hidden_number_is_zero():
    W, b = np.array([[1, 0, 0], [1, 2, 0]]), np.array([-1, 1, 4])  # the last one has no line
    both = {"up": upper, "down": lower}
    picture = plot_regions(*two_moons(8), both, lines={"down": (W, b)})
    up, down = picture.figure.axes
    first, second = [line.get_xydata() for line in down.lines[:-2]]
    assert len(up.lines) == 2  # the points of two classes
    assert np.allclose(first.sum(axis=1), 1) and np.allclose(second[:, 1], -0.5)


def test_points_without_a_classifier_stand_alone():
    picture = plot_regions(*two_moons(8), {}, title="two moons")
    (axes,) = picture.figure.axes
    assert picture.title == "two moons" and len(axes.lines) == 2 and not axes.collections


@pytest.mark.parametrize(("linear", "scale"), [(False, "log"), (True, "linear")])
def test_counts_of_very_different_sizes_get_the_axis_that_was_asked_for(linear, scale):
    picture = plots.plot_counts([1, 2], {"all": [1, 900], "wanted": [1, 1]}, linear=linear)
    assert picture.figure.axes[0].get_yscale() == scale


def test_counts_on_a_logarithmic_axis_are_written_without_powers():
    (axes,) = plots.plot_counts([1, 2], [1, 4095]).figure.axes
    axes.figure.draw_without_rendering()
    low, high = axes.get_ylim()
    shown = [t.get_text() for t in axes.get_yticklabels() if low < t.get_position()[1] < high]
    assert [text for text in shown if text] == ["1", "10", "100", "1,000"]


def test_large_counts_have_commas_on_both_axes():
    (axes,) = plots.plot_counts([1, 1437], [0, 92618], linear=True).figure.axes
    axes.figure.draw_without_rendering()
    assert "80,000" in [text.get_text() for text in axes.get_yticklabels()]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "1,437"]


@pytest.mark.parametrize(("losses", "low"), [([2.3, 1, 0.28], 0), ([5, 3.5, 3], 2.9)])
def test_a_loss_that_comes_near_0_is_drawn_above_an_axis_that_begins_there(losses, low):
    for picture in (plots.plot_losses(losses), plots.plot_losses(losses, epoch=1)):
        (axes,) = picture.figure.axes
        assert axes.get_ylim()[0] == pytest.approx(low)


@pytest.mark.parametrize("height", [6.0, 1e6])  # the second on a logarithmic axis
def test_a_legend_lies_on_no_line_even_where_lines_are_everywhere(height):
    waves = {f"a wave, {k} of three": height ** np.sin(np.arange(80) / 4 + k) for k in range(3)}
    (axes,) = plots.plot_losses(waves).figure.axes
    axes.figure.draw_without_rendering()
    box = axes.get_legend().get_window_extent()
    assert box.y1 <= axes.bbox.y1 and box.width <= axes.bbox.width
    for line in axes.lines:
        assert not line.get_path().transformed(line.get_transform()).intersects_bbox(box, False)
