"""A figure as a small SVG whose colours follow the page."""

import io
import re

from course.drawing import style

# What stands for a colour of the course on the page: see widget.css.
COLOURS = {
    style.INK: "ink",
    style.GREY: "grey",
    style.PALE: "line",
    style.FAINT: "faint",
    style.BLUE: "blue",
    style.VERMILION: "vermilion",
    style.YELLOW: "yellow",
    "#9A9A9A": "wire",
    "#ECECEC": "grid",
    "#EDB48F": "trail",
    "#FDEBE0": "wrong",
    "#FFFFFF": "paper",
    "#000000": "ink",
}
SETTINGS = {"svg.fonttype": "none", "svg.image_inline": True, "image.composite_image": False}


def svg_of(figure):
    """The SVG of a figure, the same bytes each time."""
    import matplotlib

    buffer = io.StringIO()
    with style.style(), matplotlib.rc_context(SETTINGS), plain_pixels(figure):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return slim(buffer.getvalue())


class plain_pixels:
    """Within this context images are stored with the pixels they have: 8 x 8 stays 8 x 8."""

    def __init__(self, figure):
        self.images = [image for axes in figure.axes for image in axes.images]
        self.before = [image.get_interpolation() for image in self.images]

    def __enter__(self):
        for image in self.images:
            image.set_interpolation("none")

    def __exit__(self, *problem):
        for image, interpolation in zip(self.images, self.before, strict=True):
            image.set_interpolation(interpolation)


def slim(svg):
    """Without what nobody sees: metadata, comments, hundredths of a pixel."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><")
    svg = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', svg, count=2)
    return re.sub(r"<[^>]*>", lambda tag: drawn(tag[0]), svg)  # what is written stays as it is


def drawn(tag):
    """A tag with shorter numbers, and with the page's colours and fonts."""
    tag = tag.replace("sans-serif", "Verdana, sans-serif")
    tag = re.sub(r"-?\d+\.\d{2,}(?:e-\d+)?", lambda found: rounded(found[0]), tag)
    tag = re.sub(r"#[0-9a-f]{6}\b", coloured, tag, flags=re.I)
    return re.sub(r'\b(fill|stroke)="(var\([^"]+\))"', r'style="\1: \2"', tag)


def rounded(number):
    text = f"{float(number):.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def coloured(found):
    name = COLOURS.get(found[0].upper())
    return f"var(--{name})" if name else found[0]
