"""Put a label beside its arrow: near it, and on nothing else."""

import numpy as np

AIR = 2.5  # room that a label keeps around itself
HEAD = (7, 3.5)  # an arrow's head: its length, and half its width


def place_labels(wanted, paths, boxes, size):
    """A centre for each label of `wanted`, a dict from path to (width, height).

    `paths` are lists of points, `boxes` are (left, top, right, bottom). Labels keep inside the
    `size` of the picture, and clear of paths, boxes and each other. None where there is no room.
    """
    taken, centres, lines = [*boxes, *map(head_of, paths)], {}, Lines(paths)
    for key, (width, height) in wanted.items():
        found = sorted(candidates(paths[key], width, height), key=lambda place: place[2])
        for x, y, _ in found:
            frame = around(x, y, width / 2 + AIR, height / 2 + AIR)
            if is_free(frame, taken, size) and lines.leave_to(key, x, y, width / 2, height / 2):
                centres[key] = (x, y)
                taken.append(frame)
                break
        else:
            centres[key] = None
    return centres


def candidates(path, width, height):
    """Centres around the points of a path, with a cost: close to it and near its middle is best."""
    for k, (x, y) in enumerate(path):
        off_middle = 14 * abs(k / (len(path) - 1) - 0.5)
        for side in (-1, 1):  # above first
            yield x + side * (width / 2 + 6), y, off_middle + 6
            for lift in (4, 8, 13):
                cost = off_middle + lift + (side > 0)
                yield x, y + side * (height / 2 + lift), cost
                for shift in (-0.5, -0.3, 0.3, 0.5):
                    dx = shift * width + (0.7 if shift > 0 else -0.7) * lift
                    yield x + dx, y + side * (height / 2 + lift * 0.6), cost + 2


def head_of(path):
    """The frame of an arrow's head; all arrows arrive from the left."""
    (x, y), (length, half_width) = path[-1], HEAD
    return x - length, y - half_width, x, y + half_width


def around(x, y, half_width, half_height):
    return x - half_width, y - half_height, x + half_width, y + half_height


def is_free(frame, taken, size):
    """Whether a frame lies within the picture and on none of those that are taken."""
    left, top, right, bottom = frame
    inside = left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]
    return inside and not any(overlap(frame, other) for other in taken)


def overlap(a, b):
    """Whether two frames (left, top, right, bottom) share more than a border."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Lines:
    """All points of all paths, to ask how far they are from a label."""

    def __init__(self, paths):
        self.points = np.array([point for path in paths for point in path]).reshape(-1, 2)
        self.starts = np.cumsum([0, *map(len, paths)])[:-1]

    def leave_to(self, key, x, y, half_width, half_height):
        """Whether a label at (x, y) is clear of all paths, and path `key` the nearest to it."""
        beyond = np.abs(self.points - (x, y)) - (half_width, half_height)
        distances = np.hypot(*np.maximum(beyond, 0).T)
        nearest = np.minimum.reduceat(distances, self.starts)
        others = np.delete(nearest, key)
        own = nearest[key]
        return own > AIR and (len(others) == 0 or others.min() > own + 1)
