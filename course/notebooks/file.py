"""The files of notebooks. A notebook is a plain dict here, as in its file.

What is written is what nbformat writes. But a notebook is derived and reset with Python alone.
"""

import json
from pathlib import Path

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class NotebookError(Exception):
    """A notebook that cannot be used or a cell that failed, said in one line."""


def read_notebook(path):
    """The notebook in a file."""
    return parse_notebook(Path(path).read_text(encoding="utf-8"))


def parse_notebook(text):
    """The notebook in a text, each cell's source as one string."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def to_text(notebook):
    """The text of a notebook's file: keys sorted, texts line by line, so that changes read well."""
    cells = [_in_lines(cell) for cell in notebook["cells"]]
    file = notebook | {"cells": cells}
    return json.dumps(file, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def tags(cell):
    return cell["metadata"].get("tags", [])


def _in_lines(cell):
    cell = cell | {"source": cell["source"].splitlines(keepends=True)}
    if "outputs" in cell:
        cell["outputs"] = [_output_in_lines(output) for output in cell["outputs"]]
    return cell


def _output_in_lines(output):
    """Texts as lists of lines, pictures as they are."""
    if "text" in output:
        output = output | {"text": "".join(output["text"]).splitlines(keepends=True)}
    if "data" in output:
        data = {
            kind: "".join(text).splitlines(keepends=True) if kind.startswith("text/") else text
            for kind, text in output["data"].items()
        }
        output = output | {"data": data}
    return output
