"""draw_a_digit(): one's own network in one piece of HTML; digits as a hand draws them."""

import re

import numpy as np
import pytest
from pictures import snapshot

from course import draw_a_digit, drawn_digits, load_digits, slanted
from course.widgets.digit import shares_of
from course.widgets.strokes import INK, WAYS, pixels_of, strokes_of


def network(hidden=16):
    generator = np.random.default_rng(0)
    shapes = [(64, hidden), (hidden,), (hidden, 10), (10,)]
    return [generator.normal(size=shape).astype(np.float32) for shape in shapes]


def test_it_has_html_a_png_and_words():
    bundle, _ = draw_a_digit(network())._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    assert bundle["text/plain"].startswith("<Draw a digit: ")
    assert not re.search(r"https?:|src=\"(?!data:)|url\(", bundle["text/html"])


def test_tensors_and_arrays_give_the_same_bytes():
    tt = snapshot(5)
    tensors = [tt.Tensor(array) for array in network()]
    assert draw_a_digit(tensors).html == draw_a_digit(network()).html


def test_it_is_small():
    assert draw_a_digit(network(64)).size < 100_000


@pytest.mark.parametrize(
    "parameters, got",
    [
        (network()[:2], r"\(64, 16\), \(16,\)"),
        ([p.T for p in network()], r"\(16, 64\), \(16,\), \(10, 16\), \(10,\)"),
        ([], "nothing"),
    ],
)
def test_other_shapes_are_refused_in_one_line(parameters, got):
    wanted = r"needs \[W1, b1, W2, b2\] of shapes \(64, H\), \(H,\), \(H, 10\), \(10,\), got "
    with pytest.raises(ValueError, match=wanted + got):
        draw_a_digit(parameters)


def test_a_network_too_large_for_a_notebook_is_refused():
    with pytest.raises(ValueError, match="2000 hidden numbers make .* take a smaller network"):
        draw_a_digit(network(2000))


def test_the_shares_are_a_softmax_of_the_scores():
    w1, b1, w2, b2 = network()
    image = np.arange(64) % 17
    scores = np.maximum(image / 16 @ w1 + b1, 0) @ w2 + b2
    shares = shares_of(network(), image)
    assert shares.sum() == pytest.approx(1)
    assert np.log(shares[3] / shares[4]) == pytest.approx(scores[3] - scores[4])


def test_a_level_line_is_where_it_was_drawn():
    image = pixels_of([np.array([[0.1, 0.5], [0.9, 0.5]])]).reshape(8, 8)
    assert (image[[0, 1, 6, 7]] == 0).all() and (image[3:5, 2:6] == 16).all()


@pytest.mark.parametrize("digit", WAYS)
def test_a_drawn_digit_has_the_ink_of_the_data(digit):
    for way in WAYS[digit]:
        image = pixels_of(strokes_of(way))
        assert image.shape == (64,) and image.max() <= 16
        assert INK <= image.sum() <= INK + 30  # points equally far are set together


def test_size_and_place_of_a_drawing_do_not_matter():
    lines = strokes_of(WAYS[5][1])
    moved = [0.3 * line + 0.4 for line in lines]
    assert np.abs(pixels_of(lines) - pixels_of(moved)).sum() <= 16  # points on the very border


def test_a_dot_is_a_drawing_too():
    assert pixels_of([np.array([[0.5, 0.5]])]).sum() >= INK


def test_drawn_digits_are_the_same_each_time_and_look_like_digits():
    x, y = drawn_digits(40)
    assert (x == drawn_digits(40)[0]).all() and x.dtype == np.float32
    assert y.tolist() == list(range(10)) * 4
    images, labels, *_ = load_digits()
    means = np.stack([images[labels == digit].mean(axis=0) for digit in range(10)])
    nearest = ((x[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == y).mean() > 0.6


def test_slanted_keeps_the_middle_and_moves_the_rest():
    images = np.zeros((50, 64), np.float32)
    images[:, 3::8] = 1  # an upright line in column 3
    found = slanted(images, np.random.default_rng(0)).reshape(-1, 8, 8)
    assert found.dtype == np.float32
    ink = found.sum(axis=2)
    assert np.allclose(ink, 1)  # a row is moved, none is lost
    centre = (found * np.arange(8)).sum(axis=2)
    assert np.abs(centre[:, 3] - 3).max() <= 0.2 and np.ptp(centre[:, 0]) > 2
    assert np.allclose(centre[:, 0] + centre[:, 7], 6, atol=1e-5)  # as far left as right


def test_slanted_leaves_what_it_was_given():
    images = load_digits()[0]
    before = images.copy()
    slanted(images, np.random.default_rng(0))
    assert (images == before).all()
