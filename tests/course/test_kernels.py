"""Pictures of chapter 12: windows, kernels, and who asks whom."""

import numpy as np
import pytest
from pictures import holds

from course.attention import draw_attention, draw_block
from course.kernels import (
    draw_columns,
    draw_windows,
    places_seen,
    show_found,
    show_images,
    show_kernels,
    two_sided,
)
from course.letters import load_text, shares_of_next, show_attention

ZERO = np.zeros((8, 8))
PICTURES = {
    "columns": lambda: draw_columns(np.arange(12).reshape(3, 4), np.ones((2, 2))),
    "windows": lambda: draw_windows(np.arange(20).reshape(4, 5), (2, 2), (2, 1), (1, 2)),
    "images": lambda: show_images(np.ones((10, 8, 8)), range(10), title="ten", columns=5),
    "kernels": lambda: show_kernels(np.ones((3, 3, 3)), ZERO, np.ones((3, 8, 8)), title="three"),
    "found": lambda: show_found(np.ones((3, 3)), [ZERO] * 8, np.ones((8, 6, 6)), title="eight"),
    "asked": lambda: draw_attention("sum", [1, 1, 0], np.log([3, 1, 4]), [4, 8, 9], row=1),
    "block": lambda: draw_block(),
    "attention": lambda: show_attention(np.zeros((4, 23, 23)), "the gradient of the sum"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_no_text_is_cut_off(name):
    figure = PICTURES[name]().figure
    figure.canvas.draw()
    assert figure.bbox.width <= 640
    inside = [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]
    assert not [t for t in inside if not holds(figure.bbox, t.get_window_extent(), 0)]


def texts_of(picture):
    return [text.get_text() for axes in picture.figure.axes for text in axes.texts]


def test_a_window_sees_the_places_of_its_kernel():
    seen = places_seen((4, 5), (2, 1), (2, 2), (1, 3))
    assert np.argwhere(seen).tolist() == [[2, 1], [2, 4], [3, 1], [3, 4]]


@pytest.mark.parametrize(("kernel", "strips"), [((2, 2), 3), ((3, 2), 2), ((2, 4), 2), ((3, 4), 1)])
def test_every_window_has_its_own_grid_and_three_are_drawn_in_memory(kernel, strips):
    texts = texts_of(draw_windows(np.arange(12).reshape(3, 4), kernel))
    windows = (4 - kernel[0]) * (5 - kernel[1])
    assert texts.count("11") == windows + strips


def test_the_next_windows_in_memory_begin_where_they_should():
    picture = draw_windows(np.arange(20).reshape(4, 5), (1, 2), (2, 1), (1, 3))
    texts = [text for text in texts_of(picture) if text.isdigit()][-60:]
    seen = [texts[end - 2 : end] for end in (20, 40, 60)]  # of each strip, they are drawn last
    assert seen == [["0", "3"], ["1", "4"], ["10", "13"]]


def test_every_window_is_a_column_and_has_its_result_below():
    texts = texts_of(draw_columns(np.arange(12).reshape(3, 4), [[1, 0], [0, 10]]))
    assert texts[-6:] == ["61", "72", "94", "105", "116", "50"]  # the first is drawn last
    twice = 2 * 2  # the kernel as it is, and as a row
    assert [texts.count(number) for number in ("0", "5", "11")] == [1 + twice, 4, 1]


@pytest.mark.parametrize("shape", [(1, 1), (9, 9)])
def test_no_window_and_too_many_are_refused(shape):
    with pytest.raises(ValueError, match="1 to 12 windows"):
        draw_windows(np.zeros(shape), (2, 2))
    with pytest.raises(ValueError, match="1 to 12 windows"):
        draw_columns(np.zeros(shape), np.ones((2, 2)))


def test_images_have_their_labels():
    picture = show_images(np.ones((3, 2, 2)), ["a", "b", "c"], title="three", signed=True)
    assert [axes.get_title() for axes in picture.figure.axes] == ["a", "b", "c"]


def test_images_are_as_wide_as_one_says():
    (axes,) = show_images(np.ones((1, 8, 8)), title="one", side=192).figure.axes
    assert axes.bbox.width == pytest.approx(192)


def test_what_a_kernel_found_stands_below_each_image_and_is_as_coarse():
    found = np.arange(-36, 36).reshape(2, 6, 6)
    picture = show_found([[-1, 0, 1]] * 3, [ZERO, ZERO], found, title="two", side=80)
    kernel, *images, first, second = picture.figure.axes
    for image, below in zip(images, (first, second), strict=True):
        assert below.bbox.width == pytest.approx(60) and below.bbox.y1 < image.bbox.y0
        assert sum(below.bbox.intervalx) == pytest.approx(sum(image.bbox.intervalx))
        assert below.images[0].get_clim() == (-36, 36)
    assert texts_of(picture) == ["−1", "0", "1"] * 3 and kernel.bbox.x1 < images[0].bbox.x0


def test_coarse_squares_have_lines_between_their_numbers():
    picture = show_kernels(np.ones((1, 3, 3)), ZERO, np.ones((1, 8, 8)), title="one")
    _, coarse, fine = picture.figure.axes
    assert [len(axes.get_xticks()) for axes in (coarse, fine)] == [2, 0]


def test_kernels_stand_above_what_they_found_and_the_image_beside_it():
    picture = show_kernels(np.ones((2, 3, 3)), ZERO, np.ones((2, 8, 8)), title="two")
    image, *kernels, first, second = picture.figure.axes
    assert [axes.get_title() for axes in kernels] == ["1", "2"]
    lefts = [axes.bbox.x0 for axes in (*kernels, first, second)]
    assert lefts[:2] == lefts[2:] and image.bbox.x0 < lefts[0]
    assert image.bbox.y0 == first.bbox.y0 < kernels[0].bbox.y0


def test_kernels_have_one_scale_and_so_has_what_they_found():
    picture = show_kernels([[[1, -3]], [[1, 2]]], [[0, 1]], [[[5, 0]], [[0, 0]]], title="two")
    limits = [axes.images[0].get_clim() for axes in picture.figure.axes[1:]]
    assert limits == [(-3, 3), (-3, 3), (-5, 5), (-5, 5)]


def test_kernels_with_two_sides_come_first_whichever_way_they_are_turned():
    slope, flat = np.array([[1, 0, -1]] * 3), np.ones((3, 3))
    spot = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    noisy = slope.T + 0.5 * spot
    assert two_sided([spot, noisy, flat, 9 * slope], count=2).tolist() == [3, 1]


def test_images_without_a_title_are_counted():
    assert show_images(np.ones((3, 2, 2))).title == "3 pictures"


def test_greys_of_one_picture_have_one_scale():
    axes = show_images([[[1, 9.0]], [[2, 3.0]]], title="two").figure.axes
    assert [each.images[0].get_clim() for each in axes] == [(1, 9), (1, 9)]


def test_each_head_has_a_square_with_the_letters_at_its_sides():
    picture = show_attention(np.zeros((2, 3, 3)), "a b")
    labels = [[t.get_text() for t in axes.get_xticklabels()] for axes in picture.figure.axes]
    assert labels == [["a", "•", "b"]] * 2


def test_names_stand_above_the_squares():
    axes = show_attention(np.zeros((2, 3, 3)), "a b", names=["one", "other"]).figure.axes
    assert [each.get_title(loc="left") for each in axes] == ["one", "other"]


def test_attention_is_shown_from_query_to_answer():
    picture = draw_attention("sum", [1, 1, 0], np.log([3, 1, 4]), [4, 8, 9], row=1)
    texts = texts_of(picture)
    assert picture.title == "u asks, and gets 5"
    assert [texts.count(text) for text in ("ln 3", "ln 4", "−∞", "1/3", "3/4", "1/4")] == [
        1 + 2 + 2, 1 + 2, 3, 3, 1, 1]  # fmt: skip
    assert [texts.count(answer) for answer in "457"] == [2, 1, 1]  # 4 is a value, too


def test_a_block_has_the_parts_of_the_gpt_and_two_sums():
    texts = texts_of(draw_block())
    assert [text for text in texts if text in ("ln1", "attn", "ln2", "mlp", "+")] == [
        "ln1", "attn", "+", "ln2", "mlp", "+"]  # fmt: skip


def test_weights_are_written_out_where_there_is_room():
    halves = np.array([[1, 0], [0.5, 0.5]])
    assert [t for t in texts_of(show_attention(halves, "ab")) if t] == ["1", "0.5", "0.5"]
    assert not texts_of(show_attention(np.ones((20, 20)), "twenty letters, here"))


def test_the_text_is_that_of_part_one_without_code():
    text = load_text()
    assert text.startswith("# Chapter 1") and "import numpy" not in text and len(text) > 50_000


def test_shares_of_a_letter_add_up_to_one():
    assert np.allclose(shares_of_next("abcab", "abc").sum(axis=1), 1)
