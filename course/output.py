"""What commands print: wrapped at the window's width, and readable in a plain ASCII terminal."""

import codecs
import os
import shutil
import sys
import textwrap

PLAIN = {"…": "...", "·": "-", "●": "*", "○": ".", "→": "->", "×": "x", "²": "^2", "³": "^3"}


def use_plain_text_where_needed():
    """Let a stream that cannot show a character show its nearest ASCII spelling."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plain")


def command(verb):
    """How to call a verb here: make hint-3.2, or python -m course hint-3.2 on Windows."""
    return f"python -m course {verb}" if os.name == "nt" else f"make {verb}"


def width():
    """Columns to fill: the window's, at most 100; 80 where there is none."""
    return min(shutil.get_terminal_size((80, 24)).columns, 100)


def wrapped(text, indent=""):
    """The text in lines that fit into the window."""
    return textwrap.fill(
        _as_printed(text),
        max(width(), 40),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def shown(path, root):
    """A path as the user would type it: relative to the project where it is in it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def in_colour():
    """Only in a terminal, and never against NO_COLOR."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.name != "nt"


def _as_printed(text):
    """The text with its plain spelling where the terminal needs it, which can be longer."""
    encoding, errors = sys.stdout.encoding or "utf-8", sys.stdout.errors or "strict"
    return text.encode(encoding, errors).decode(encoding) if errors == "plain" else text


def _plain(error):
    text = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter, "?") for letter in text), error.end
