"""Put a label beside its arrow: near it, and on nothing else."""

from math import hypot

AIR = 2.5  # room that a label keeps around itself


def place_labels(wanted, paths, boxes, size=(0, 0)):
    """A centre for each label of `wanted`, a dict from path to (width, height).

    `paths` are lists of points, `boxes` are (left, top, right, bottom). Labels keep inside the
    `size` of the picture, and clear of paths, boxes and each other. None where there is no room.
    """
    taken, centres = list(boxes), {}
    for key, (width, height) in wanted.items():
        best = None
        for x, y, cost in candidates(paths[key], width, height):
            frame = (
                x - width / 2 - AIR,
                y - height / 2 - AIR,
                x + width / 2 + AIR,
                y + height / 2 + AIR,
            )
            if (best is None or cost < best[0]) and is_free(frame, taken, paths, size):
                if is_nearest(key, x, y, width, height, paths):
                    best = (cost, x, y, frame)
        centres[key] = best and best[1:3]
        if best:
            taken.append(best[3])
    return centres


def candidates(path, width, height):
    """Centres around the points of a path, with a cost: close to it and near its middle is best."""
    for k, (x, y) in enumerate(path):
        off_middle = abs(k / (len(path) - 1) - 0.5)
        for lift in (4, 8, 13):
            for side in (-1, 1):
                yield x, y + side * (height / 2 + lift), off_middle * 14 + lift + (side > 0)
                for shift in (0.5, 0.3):
                    for direction in (-1, 1):
                        dx = direction * (width * shift + lift * 0.7)
                        cost = off_middle * 14 + lift + 2 + (side > 0)
                        yield x + dx, y + side * (height / 2 + lift * 0.6), cost
        for direction in (-1, 1):
            yield x + direction * (width / 2 + 6), y, off_middle * 14 + 6


def is_free(frame, taken, paths, size):
    left, top, right, bottom = frame
    if left < 0 or top < 0 or right > size[0] or bottom > size[1]:
        return False
    if any(overlap(frame, other) for other in taken):
        return False
    return not any(left < x < right and top < y < bottom for path in paths for x, y in path)


def overlap(a, b):
    """Whether two frames (left, top, right, bottom) share more than a border."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def is_nearest(key, x, y, width, height, paths):
    """Whether a reader takes the label for this path's: no other one runs closer to it."""
    distances = [distance(x, y, width, height, path) for path in paths]
    own = distances[key]
    return all(own + 1 < other for k, other in enumerate(distances) if k != key)


def distance(x, y, width, height, path):
    """From the rectangle around (x, y) to the nearest point of a path."""
    return min(
        hypot(max(abs(x - px) - width / 2, 0), max(abs(y - py) - height / 2, 0)) for px, py in path
    )
