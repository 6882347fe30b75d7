"""Digits as a hand draws them: lines, and the 8 x 8 pixels that the course's data would have.

digit.js does the same in the browser, with the same numbers.
"""

import numpy as np

# Ways to write each digit. A stroke is a row of points on a sheet of 7 columns and 11 rows, each
# two characters: column 0 to 6, row 0 to A. The pen goes smoothly through them; a point that is
# written twice is a corner.
WAYS = {
    0: [
        "30 11 04 08 2A 4A 68 64 51 30",
        "50 20 03 07 19 3A 59 67 63 41 20",
        "40 12 06 1A 3A 56 52 30",
        "10 03 08 3A 68 63 40 10",
    ],
    1: ["30 35 3A", "12 30 30 35 3A", "03 21 30 30 35 3A|1A 5A", "40 35 2A"],
    2: [
        "02 10 40 62 54 37 0A 0A 3A 6A",
        "11 30 51 53 26 0A 0A 19 38 5A 6A",
        "03 11 30 62 55 28 09 17 28 5A 69",
        "01 20 50 63 46 19 0A 0A 6A",
    ],
    3: [
        "01 20 50 63 45 25 25 55 67 59 2A 09",
        "00 30 60 60 34 34 55 67 59 3A 09",
        "02 20 51 53 34 25 45 67 5A 2A 08",
        "11 40 62 44 34 34 55 68 4A 1A",
    ],
    4: [
        "40 13 06 06 36 66|43 46 4A",
        "10 03 05 05 35 65|60 55 5A",
        "50 24 07 07 37 67|50 55 5A",
        "20 03 05 05 35 64|53 46 3A",
    ],
    5: [
        "60 10 10 04 04 34 66 68 4A 0A",
        "10 04 04 23 54 67 59 3A 09|10 30 60",
        "50 10 10 14 14 43 66 58 3A 09",
        "60 20 20 15 15 45 57 39 0A",
    ],
    6: [
        "50 22 05 08 2A 5A 67 45 16 08",
        "30 12 06 0A 4A 68 46 15 07",
        "61 30 03 07 2A 5A 67 45 06",
        "40 13 07 1A 4A 58 36 07",
    ],
    7: [
        "00 30 60 60 45 2A",
        "00 30 60 60 45 3A|15 35 65",
        "01 20 40 60 60 55 4A",
        "02 00 00 30 60 60 34 2A",
    ],
    8: [
        "34 02 20 50 53 34 07 19 3A 69 66 34",
        "61 30 02 14 55 68 4A 0A 07 35 62 61",
        "35 02 30 62 35|35 07 1A 5A 67 35",
        "50 10 02 35 68 3A 08 35 62 50",
    ],
    9: [
        "62 40 11 03 25 53 61 61 65 6A",
        "61 30 02 05 35 62 61 66 59 3A 1A",
        "51 20 03 25 52 51 45 3A",
        "60 20 03 15 44 60 60 55 4A",
    ],
}


def strokes_of(way):
    """The lines (N, 2) of a way to write a digit; x and y go from 0 to 1, y down."""
    return [smooth(points) for points in points_of(way)]


def points_of(way):
    rows = [stroke.split() for stroke in way.split("|")]
    return [np.array([(int(a, 16), int(b, 16)) for a, b in row]) / 10 for row in rows]


def smooth(points):
    """A curve through points, with a corner where one is given twice."""
    corners = [k for k in range(1, len(points)) if (points[k] == points[k - 1]).all()]
    return np.concatenate([curve(part) for part in np.split(points, corners)])


def curve(points, steps=6):
    """Through each of the points, at each in the direction from the one before to the one after."""
    ends = [2 * points[0] - points[1], *points, 2 * points[-1] - points[-2]]
    a, b, c, d = (np.array(ends[k : len(ends) - 3 + k])[:, None] for k in range(4))
    t = np.arange(steps)[:, None] / steps
    slow, fast = (c - a) / 2, (d - b) / 2
    path = (
        b + t * slow + t**2 * (3 * (c - b) - 2 * slow - fast) + t**3 * (2 * (b - c) + slow + fast)
    )
    return np.concatenate([path.reshape(-1, 2), points[-1:]])


def by_hand(way, generator):
    """The lines of a way to write a digit, as a hand gets them: shaky, turned, slanting, narrow."""
    turn, slant, narrow = generator.normal(0, (0.09, 0.11, 0.15))
    across = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    across = np.array([[np.exp(narrow), 0], [-slant, 1]]) @ across
    lines = []
    for points in points_of(way):
        twice = (points[1:] == points[:-1]).all(axis=1)
        shaken = points + generator.normal(0, 0.025, points.shape)
        shaken[1:][twice] = shaken[:-1][twice]  # a corner stays one
        lines.append(smooth(shaken) @ across)
    return lines


SHEET = 32  # points of the bitmap that is counted in blocks of 4 x 4
HIGH, WIDE, THIN, INK = 25, 16, 0.4, 310


def pixels_of(lines):
    """The 64 pixels, 0 to 16, of lines [(N, 2), …]: what the scanner of the data would have made.

    All digits of the data are equally high and have about INK of 1,024 points set, even a 1. So
    the lines are stretched to one size, and the INK points nearest to them are set.
    """
    lines = fitted([np.asarray(line, float).reshape(-1, 2) for line in lines])
    starts = np.concatenate(lines)
    stops = np.concatenate([np.append(line[1:], line[-1:], axis=0) for line in lines])
    y, x = np.divmod(np.arange(SHEET * SHEET), SHEET)
    far = distances(np.stack([x, y], 1) + 0.5, starts, stops)
    dots = far <= np.sort(far)[INK - 1]
    return dots.reshape(8, 4, 8, 4).sum(axis=(1, 3)).ravel()


def fitted(lines):
    """The lines in the middle of the bitmap, HIGH high and WIDE wide; what is thin stays thin."""
    points = np.concatenate(lines)
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    scale = HIGH / max(size[1], 0.95 * size[0], 0.05)
    wide = size[0] * scale
    stretch = np.array([WIDE / wide if wide > THIN * HIGH else 1, 1]) * scale
    return [(line - low - size / 2) * stretch + SHEET / 2 for line in lines]


def distances(points, starts, stops):
    """How far each point is from the nearest piece of a line, squared."""
    (dx, dy), (x, y) = (stops - starts).T, starts.T
    px, py = points[:, :1] - x, points[:, 1:] - y  # (points, pieces)
    share = ((px * dx + py * dy) / np.maximum(dx * dx + dy * dy, 1e-12)).clip(0, 1)
    return ((px - share * dx) ** 2 + (py - share * dy) ** 2).min(axis=1)
