"""What the tests of the pictures share: snapshots, leaves, and a judge of a drawing's geometry."""

import importlib.util
from itertools import combinations

import numpy as np

from course.manifest import load_chapter
from course.zoo import NEEDS_BROADCASTING, ZOO


def snapshot(number):
    """A fresh copy of the solved tinytorch of a chapter, under a name of its own."""
    path = load_chapter(number).solution_file
    spec = importlib.util.spec_from_file_location(f"_snapshot{number}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def leaf_of(tt):
    def leaf(data):
        tensor = tt.Tensor(np.array(data))
        tensor.requires_grad = True
        return tensor

    return leaf


def build(name, chapter=5):
    """A graph of the zoo on a chapter's snapshot: its root and its named tensors."""
    tt = snapshot(chapter)
    return ZOO[name](tt, leaf_of(tt))


def zoo_names(chapter=5):
    return [name for name in ZOO if chapter >= 4 or name not in NEEDS_BROADCASTING]


def faults(picture):
    """All that is wrong with the geometry of a picture of a graph, as a list of sentences."""
    figure = picture.figure
    figure.canvas.draw()
    found = []
    for axes in figure.axes:
        things = Things(axes)
        found += things.overlapping_boxes() + things.crossed_boxes() + things.stray_texts()
        found += things.labels_on_something()
    for text in [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]:
        if not holds(figure.bbox, text.get_window_extent(), 0):
            found.append(f"cut off: {text.get_text()!r}")
    return found


class Things:
    """The boxes, arrows and texts of one frame, in pixels as they were drawn."""

    def __init__(self, axes):
        self.boxes = self.frames(axes, "box")
        self.pills = self.frames(axes, "pill")
        self.arrows = [points_of(patch) for patch in axes.patches if patch.get_gid() == "arrow"]
        self.texts = {
            kind: [text for text in axes.texts if text.get_gid() == kind]
            for kind in ("line", "symbol", "label")
        }

    def frames(self, axes, kind):
        return [
            patch.get_path().get_extents(patch.get_transform())
            for patch in axes.patches
            if patch.get_gid() == kind
        ]

    def overlapping_boxes(self):
        pairs = combinations(self.boxes + self.pills, 2)
        return [f"boxes overlap: {a.bounds} {b.bounds}" for a, b in pairs if touch(a, b)]

    def crossed_boxes(self):
        """An arrow may touch a border, where it begins or ends, and no inside of a box."""
        frames = [(box, 1.5) for box in self.boxes] + [(pill, 4) for pill in self.pills]
        return [
            f"an arrow runs through {frame.bounds}"
            for points in self.arrows
            for frame, border in frames
            if any_inside(frame, points, border)
        ]

    def stray_texts(self):
        homes = {"line": self.boxes, "symbol": self.pills}
        return [
            f"{text.get_text()!r} leaves its box"
            for kind, frames in homes.items()
            for text in self.texts[kind]
            if not any(holds(frame, text.get_window_extent(), 1) for frame in frames)
        ]

    def labels_on_something(self):
        labels = [(text, text.get_window_extent()) for text in self.texts["label"]]
        on_frames = [
            f"the label {text.get_text()!r} lies on a box"
            for text, extent in labels
            for frame in self.boxes + self.pills
            if touch(frame, extent)
        ]
        on_arrows = [
            f"the label {text.get_text()!r} lies on an arrow"
            for text, extent in labels
            if any(any_inside(extent, points, 1) for points in self.arrows)
        ]
        on_labels = [
            f"labels {a.get_text()!r} and {b.get_text()!r} overlap"
            for (a, first), (b, second) in combinations(labels, 2)
            if touch(first, second)
        ]
        return on_frames + on_arrows + on_labels


def points_of(patch):
    """Points along an arrow, its head included, at most two pixels apart."""
    path = patch.get_transform().transform_path(patch.get_path())
    points = []
    for polygon in path.to_polygons(closed_only=False):
        for a, b in zip(polygon, polygon[1:], strict=False):
            points.append(np.linspace(a, b, int(np.hypot(*(b - a)) // 2) + 2))
    return np.concatenate(points)


def any_inside(frame, points, border):
    """Whether one of the points lies in the frame, further inside than its border."""
    low, high = (frame.x0 + border, frame.y0 + border), (frame.x1 - border, frame.y1 - border)
    return bool(((points > low) & (points < high)).all(axis=1).any())


def touch(a, b):
    return a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1


def holds(frame, inner, slack):
    return (
        frame.x0 - slack <= inner.x0
        and inner.x1 <= frame.x1 + slack
        and frame.y0 - slack <= inner.y0
        and inner.y1 <= frame.y1 + slack
    )
