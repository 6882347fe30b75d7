"""A piece of HTML that is a PNG until its script runs, and stays one where scripts are removed."""

import base64
import hashlib
import json
import zlib
from html import escape
from pathlib import Path

LIMIT = 300_000  # bytes that a widget may add to a notebook
FOLDER = Path(__file__).parent


class Widget:
    """What a notebook shows: the HTML where it may, the PNG elsewhere, a line of text at least."""

    def __init__(self, html, png, width, says):
        self.html, self.png, self.width, self.says = html, png, width, says

    @property
    def size(self):
        """How many bytes it adds to a notebook's file."""
        return len(self.html.encode()) + len(base64_text(self.png))

    def _repr_mimebundle_(self, include=None, exclude=None):
        image = base64_text(self.png)
        data = {"text/html": self.html, "image/png": image, "text/plain": repr(self)}
        return data, {"image/png": {"width": self.width}}

    def __repr__(self):
        return f"<{self.says}>"


def make_widget(name, data, png, width, says):
    """A Widget of the files `name`.js and `name`.css; equal arguments give equal bytes.

    `width` is how wide the PNG is shown, `says` describes it to those who cannot see it.
    """
    script, css = read(f"{name}.js"), read("widget.css") + read(f"{name}.css")
    script = f"{read('widget.js')}\n{script}"
    packed = f"data:application/zlib;base64,{base64_text(zlib.compress(compact(data), 9))}"
    mark = "tt-" + hashlib.sha256((script + css + packed).encode()).hexdigest()[:12]
    image = f"data:image/png;base64,{base64_text(png)}"
    html = (
        f'<div class="{mark}"><img alt="{escape(says)}" style="width:{width}px;max-width:100%" '
        f'src="{image}"></div>\n<script>(() => {{\n'
        f'const mark = "{mark}", css = {json.dumps(css)}, packed = "{packed}";\n'
        f"{script}\nfillAll();\n}})()</script>"
    )
    return Widget(html, png, width, says)


def read(name):
    return (FOLDER / name).read_text(encoding="utf-8").strip() + "\n"


def compact(data):
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def base64_text(data):
    return base64.b64encode(data).decode()
