"""One style for all pictures: colours, sizes, and the Picture that a notebook shows."""

from functools import wraps
from io import BytesIO
from pathlib import Path

INK, GREY, PALE, FAINT = "#2B2B2B", "#808080", "#C4C4C4", "#F6F6F4"
BLUE, VERMILION, YELLOW = "#0072B2", "#D55E00", "#FFF2A8"
GREEN, PURPLE, ORANGE = "#009E73", "#AA4499", "#E69F00"
SERIES = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, INK]
LINES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "P"]

WIDTH = 640  # pixels that a notebook has for a picture
SMALL, NORMAL, TITLE = 9.5, 11.5, 12.5

RC = {
    "font.family": "DejaVu Sans",
    "font.size": NORMAL,
    "mathtext.fontset": "dejavusans",
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": TITLE,
    "axes.titleweight": "bold",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.formatter.limits": (-4, 5),
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.frameon": False,
    "legend.fontsize": SMALL + 0.5,
    "lines.linewidth": 2,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "text.color": INK,
    "path.sketch": None,
    "svg.hashsalt": "tinytorch",
}


class Picture:
    """A finished figure: a notebook shows it as the last expression of a cell.

    `figure` is the matplotlib Figure, `title` says what to see. `frames`, where it has any, is a
    function that draws the same story as Pictures one after the other: play() shows them.
    """

    def __init__(self, figure, title="", frames=None):
        self.figure, self.title, self.frames = figure, title, frames

    def png(self):
        """The picture as PNG at twice the resolution of a screen; the same bytes each time."""
        buffer = BytesIO()
        with style():
            self.figure.savefig(buffer, format="png", dpi=144, metadata={"Software": None})
        return buffer.getvalue()

    def save(self, path):
        """Write the picture to a file; the ending says which kind: .png, .svg, .pdf."""
        path = Path(path)
        if path.suffix == ".png":
            path.write_bytes(self.png())
        else:
            with style():
                self.figure.savefig(path)

    def _repr_png_(self):
        width, height = self.figure.get_size_inches() * 72
        return self.png(), {"width": round(width), "height": round(height)}

    def __repr__(self):
        return f"<Picture: {self.title}>"


def style():
    """A context in which matplotlib has the course's settings, whatever the user's are."""
    import matplotlib

    return matplotlib.rc_context(RC)


def styled(draw):
    """Let a function draw within that context."""

    @wraps(draw)
    def wrapped(*args, **options):
        with style():
            return draw(*args, **options)

    return wrapped


def new_figure(width, height):
    """An empty figure of so many pixels, which pyplot knows nothing of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72), dpi=72)
    FigureCanvasAgg(figure)
    return figure
