"""Pictures of computations, drawn with matplotlib alone, which is loaded by the first picture."""

from importlib import import_module

_HOMES = {
    "read_graph": "course.drawing.reading",
    "draw_graph": "course.drawing.graphs",
    "mismatch_png": "course.drawing.graphs",
    "draw_nodes": "course.drawing.nodes",
    "draw_saved": "course.drawing.saved",
    "draw_slopes": "course.drawing.slopes",
    "draw_walk": "course.drawing.walk",
    "step_through": "course.drawing.steps",
    "draw_broadcast": "course.drawing.grids",
    "draw_unbroadcast": "course.drawing.grids",
    "draw_rows": "course.drawing.grids",
    "draw_tape": "course.drawing.tapes",
    "draw_permute": "course.drawing.places",
    "draw_place": "course.drawing.places",
    "draw_modules": "course.drawing.modules",
    "draw_modes": "course.drawing.modes",
}

__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'course.drawing' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__():
    return __all__
