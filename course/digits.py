"""Real handwritten digits, 8 x 8 pixels each; course/data/README.md names their source."""

import gzip
from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "data" / "digits.csv.gz"
HELD_OUT = 360


def load_digits():
    """The arrays x_train, y_train, x_test, y_test: the same split and order each time.

    Images are float32 of shape (1437, 64) and (360, 64), pixels from 0 to 1; labels are int64.

    >>> x_train, y_train, x_test, y_test = load_digits()
    >>> x_train.shape, y_train.shape, x_test.shape, y_test.shape
    ((1437, 64), (1437,), (360, 64), (360,))
    """
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        table = np.loadtxt(file, delimiter=",", dtype=np.int64)
    table = np.random.default_rng(0).permutation(table)  # neighbours come from the same hand
    x, y = table[:, :64].astype(np.float32) / 16, table[:, 64]
    return x[:-HELD_OUT], y[:-HELD_OUT], x[-HELD_OUT:], y[-HELD_OUT:]


def slanted(images, generator, most=0.4):
    """Each of the images (N, 64) with its rows pushed sideways, as by hands of another slant.

    A row is pushed by at most `most` of its distance from the middle, to either side.

    >>> x_train, *_ = load_digits()
    >>> slanted(x_train, np.random.default_rng(0)).shape
    (1437, 64)
    """
    rows, column = images.reshape(-1, 8, 8), np.arange(8)
    push = generator.uniform(-most, most, (len(rows), 1, 1)) * (column[:, None] - 3.5)
    place = np.clip(column + push, 0, 6.999)  # where each pixel comes from
    left = place.astype(int)
    share = (place - left).astype(images.dtype)
    near, far = [np.take_along_axis(rows, left + k, axis=2) for k in (0, 1)]
    return (near * (1 - share) + far * share).reshape(images.shape)


def drawn_digits(count=600):
    """Digits drawn by a made-up hand in four ways each: arrays (count, 64) and (count,).

    They went through the same steps as what you draw in draw_a_digit(), so a network's share of
    them says how well it will read you. The same pictures each time.

    >>> x, y = drawn_digits(20)
    >>> x.shape, y[:12].tolist()
    ((20, 64), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1])
    """
    from course.widgets.strokes import WAYS, by_hand, pixels_of

    generator, labels = np.random.default_rng(0), np.arange(count) % 10
    ways = [WAYS[digit][k // 10 % len(WAYS[digit])] for k, digit in enumerate(labels)]
    images = [pixels_of(by_hand(way, generator)) for way in ways]
    return np.array(images, np.float32) / 16, labels
