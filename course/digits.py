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
