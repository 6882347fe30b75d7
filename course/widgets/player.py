"""play(pictures): pictures one after the other, with a slider, keys and a button."""

import re
import sys

from course.drawing.style import Picture
from course.widgets.stills import data_url, image_of, sheet_of, small_png
from course.widgets.svg import svg_of
from course.widgets.widget import LIMIT, make_widget

MOST = 200  # frames


def play(pictures, *, title=None):
    """A player of pictures, which a notebook shows as the last expression of a cell.

    `pictures` are Pictures of the course or figures of matplotlib, in a list or as they come from
    a generator; or one Picture that has frames, such as step_through(y) gives. In print, and where
    no script may run, it is one picture of a few of the frames.
    TypeError for anything else; ValueError for no pictures, or for more than a notebook can hold.
    """
    if getattr(pictures, "frames", None):
        title, pictures = title or pictures.title, pictures.frames()
    pictures = [as_picture(p, k) for k, p in enumerate(as_sequence(pictures))]
    if not pictures:
        raise ValueError("play needs at least one picture, got none")
    title = title or f"{pictures[0].title} … {pictures[-1].title}"
    png, width = sheet_of(pictures)
    says = f"Player of {count_text(len(pictures))}: {title}"
    for code_of in (svg_code, png_code):  # a PNG where points or curves are too many for an SVG
        pool, frames = pooled([code_of(p) for p in pictures])
        titles = [p.title for p in pictures]
        data = {"title": title, "titles": titles, "ms": pace(len(frames))}
        data |= {"pool": pool, "frames": frames}
        player = make_widget("player", data, png, width, says)
        if player.size <= LIMIT:
            return player
    raise ValueError(
        f"{count_text(len(pictures))} make {player.size // 1000} kB, a notebook takes "
        f"{LIMIT // 1000} kB: take fewer or smaller pictures"
    )


def as_sequence(pictures):
    if isinstance(pictures, Picture) or is_figure(pictures) or not hasattr(pictures, "__iter__"):
        raise TypeError(f"play needs several pictures, as in play([a, b]), got {kind(pictures)}")
    for k, picture in enumerate(pictures):
        if k == MOST:
            raise ValueError(f"play takes at most {MOST} pictures, got more")
        yield picture


def as_picture(thing, k):
    """The Picture of a frame; a figure of matplotlib becomes one under its own title."""
    if isinstance(thing, Picture):
        return thing
    if not is_figure(thing):
        raise TypeError(f"a frame is a Picture or a figure of matplotlib, got {kind(thing)}")
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(thing)  # or the notebook would show it once more
    titles = [thing.get_suptitle(), *(axes.get_title() for axes in thing.axes)]
    return Picture(thing, next(filter(None, titles), f"frame {k + 1}"))


def is_figure(thing):
    figure = sys.modules.get("matplotlib.figure")
    return figure is not None and isinstance(thing, figure.Figure)


def kind(thing):
    return f"one {type(thing).__name__}"


def count_text(count):
    return "1 picture" if count == 1 else f"{count} pictures"


def pace(count):
    """How many milliseconds a frame stays: the whole takes 10 seconds at most."""
    return max(50, min(900, 10_000 // count))


def pooled(codes):
    """All different tags once, and for each code the places of its tags among them.

    >>> pooled(["<a><b>", "<a><c>"])
    (['<a>', '<b>', '<c>'], [[0, 1], [0, 2]])
    """
    places = {}
    split = [re.split("(?=<)", code)[1:] for code in codes]
    frames = [[places.setdefault(tag, len(places)) for tag in tags] for tags in split]
    return list(places), frames


def svg_code(picture):
    return svg_of(picture.figure)


def png_code(picture):
    image = image_of(picture)
    return f'<img alt="" src="{data_url(small_png(image, image.width // 2))}">'
