"""PNGs of few colours: a sheet of some frames, and frames that are too rich for an SVG.

Pillow comes with matplotlib.
"""

import io

from course.drawing.style import WIDTH
from course.widgets.widget import base64_text

NARROW = 420  # frames up to this width stand two by two


def sheet_of(pictures):
    """A PNG of a few of the frames, from the first to the last, and its width on the page."""
    from PIL import Image

    narrow = all(p.figure.get_size_inches()[0] * 72 <= NARROW for p in pictures)
    shown = [image_of(p) for p in some_of(pictures, 4 if narrow else 3)]
    columns = 2 if narrow and len(shown) > 1 else 1
    width, height = max(image.width for image in shown), max(image.height for image in shown)
    sheet = Image.new("RGB", (columns * width, -(-len(shown) // columns) * height), "white")
    for k, image in enumerate(shown):
        sheet.paste(image, (k % columns * width, k // columns * height))
    width = min(WIDTH, sheet.width // 2)
    return small_png(sheet, width * 3 // 2), width


def some_of(things, count):
    """So many of a list, evenly spread, the first and the last among them."""
    count = min(count, len(things))
    return [things[round(k * (len(things) - 1) / max(1, count - 1))] for k in range(count)]


def image_of(picture):
    from PIL import Image

    return Image.open(io.BytesIO(picture.png())).convert("RGB")


def small_png(image, width):
    """The PNG of an image at this width, in so many colours that pale ones keep their hue."""
    from PIL import Image

    height = round(image.height * width / image.width)
    image = image.resize((width, height), Image.Resampling.HAMMING)
    buffer = io.BytesIO()
    image = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    image.save(buffer, "png", optimize=True)
    return buffer.getvalue()


def data_url(png):
    return f"data:image/png;base64,{base64_text(png)}"
