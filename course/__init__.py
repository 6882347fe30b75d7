"""The machinery of the course: commands, blanks, grader, pictures, notebooks and data.

Importing it needs the standard library alone; each name below is loaded when it is first used.
"""

from importlib import import_module

_HOMES = {
    "check": "course.extension",
    "load_ipython_extension": "course.extension",
    "load_digits": "course.digits",
    "slanted": "course.digits",
    "drawn_digits": "course.digits",
    "draw_graph": "course.drawing",
    "step_through": "course.drawing",
    "draw_nodes": "course.drawing",
    "draw_saved": "course.drawing",
    "draw_slopes": "course.drawing",
    "draw_walk": "course.drawing",
    "draw_broadcast": "course.drawing",
    "draw_unbroadcast": "course.drawing",
    "draw_rows": "course.drawing",
    "draw_tape": "course.drawing",
    "draw_permute": "course.drawing",
    "draw_place": "course.drawing",
    "draw_modules": "course.drawing",
    "draw_modes": "course.drawing",
    "two_moons": "course.moons",
    "plot_regions": "course.moons",
    "plot_valley": "course.valley",
    "plot_basins": "course.valley",
    "show_table": "course.valley",
    "plot_tangent": "course.plots",
    "plot_slopes": "course.plots",
    "plot_error_curve": "course.plots",
    "plot_cost": "course.plots",
    "plot_fit": "course.plots",
    "plot_losses": "course.plots",
    "plot_learning": "course.plots",
    "plot_counts": "course.plots",
    "plot_shares": "course.plots",
    "plot_memory": "course.plots",
    "show_digits": "course.plots",
    "show_weights": "course.plots",
    "show_confusion": "course.plots",
    "plot_errors": "course.strips",
    "draw_windows": "course.kernels",
    "draw_columns": "course.kernels",
    "show_images": "course.kernels",
    "show_kernels": "course.kernels",
    "show_found": "course.kernels",
    "two_sided": "course.kernels",
    "load_text": "course.letters",
    "shares_of_next": "course.letters",
    "show_attention": "course.letters",
    "draw_attention": "course.attention",
    "draw_block": "course.attention",
    "draw_library": "course.library",
    "play": "course.widgets.player",
    "draw_a_digit": "course.widgets.digit",
}

__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError("module 'course' has no attribute " + repr(name))
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__():
    return __all__
