"""The outputs of notebook cells: cleaned of what differs from run to run, and compared loosely.

Compared are: printed text and results (numbers with a decimal point within 1 %, all else
exactly), the kind and message of errors, and figures (the words of their titles, sizes within 5 %,
and the pictures at 64 by 64 points with a mean difference below 3 of 255), because fonts and
versions of matplotlib and of BLAS differ. HTML is not compared: the plain text beside it says the
same.
"""

import base64
import io
import re

from course.notebooks.file import tags

FLOAT = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?|-?\d+e[-+]?\d+|\b(?:nan|inf)\b")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")
PAYLOAD = re.compile(r"(;base64,[A-Za-z0-9+/=]+)")  # a picture inside HTML is no text
KERNEL_FILE = re.compile(r"[^\s\"']*ipykernel_\d+[\\/]\d+\.py")


def cleaned(outputs, count, paths):
    """The outputs of one cell: streams joined, memory addresses and folders of this run gone.

    `paths` says what is written for a folder: {"/tmp/x/01_tensor": "01_tensor"}.
    """
    joined = []
    for output in outputs:
        output = _mapped(output, lambda text: _anonymous(text, paths))
        if joined and _same_stream(joined[-1], output):
            joined[-1]["text"] += output["text"]
        else:
            joined.append(numbered(output, count))
    return joined


def numbered(output, count):
    """The output with the execution count of its cell."""
    return output | {"execution_count": count} if "execution_count" in output else dict(output)


def difference(before, now, *, varies=False):
    """What is different, in words; an empty string where the outputs say the same.

    With `varies` only the kinds of outputs are compared.
    """
    before, now = [list(map(_view, _joined_texts(outputs))) for outputs in (before, now)]
    kinds_before, kinds_now = [[kind for kind, _ in views] for views in (before, now)]
    if kinds_before != kinds_now:
        return f"gives {_list(kinds_now)}, committed is {_list(kinds_before)}"
    pairs = [] if varies else zip(before, now, strict=True)
    return next((why for (kind, a), (_, b) in pairs if (why := _unlike(kind, a, b))), "")


def kept_where_equal(ran, before):
    """The notebook as it ran, with the outputs that it had wherever those say the same.

    Of a cell tagged "varies" the outputs are kept as long as they are of the same kinds.
    """
    old = {cell["id"]: cell for cell in before["cells"] if cell["cell_type"] == "code"}
    return ran | {"cells": [_kept(cell, old.get(cell["id"])) for cell in ran["cells"]]}


def differences(ran, before):
    """Where a run does not say what the committed outputs say: [(cell id, in words)]."""
    found = []
    for cell, old in zip(ran["cells"], before["cells"], strict=True):
        if cell["cell_type"] == "code":
            varies = "varies" in tags(cell)
            why = difference(old["outputs"], cell["outputs"], varies=varies)
            found += [(cell["id"], why)] if why else []
    return found


def _kept(cell, old):
    if old is None or not old["outputs"] or cell["cell_type"] != "code":
        return cell
    if difference(old["outputs"], cell["outputs"], varies="varies" in tags(cell)):
        return cell
    count = cell["execution_count"]
    return cell | {"outputs": [numbered(output, count) for output in old["outputs"]]}


def _mapped(value, change):
    """The same lists and dicts with every string but pictures changed."""
    if isinstance(value, dict):
        return {k: v if k.startswith("image/") else _mapped(v, change) for k, v in value.items()}
    if isinstance(value, list):
        return [_mapped(entry, change) for entry in value]
    return change(value) if isinstance(value, str) else value


def _anonymous(text, paths):
    parts = PAYLOAD.split(text)  # text and payloads by turns
    return "".join(part if k % 2 else _renamed(part, paths) for k, part in enumerate(parts))


def _renamed(text, paths):
    for path, name in paths.items():
        text = text.replace(path, name)
    return KERNEL_FILE.sub("cell.py", ADDRESS.sub("0x…", text))


def _same_stream(a, b):
    return a["output_type"] == b["output_type"] == "stream" and a["name"] == b["name"]


def _joined_texts(outputs):
    return [{k: _joined(v) for k, v in output.items()} for output in outputs]


def _joined(value):
    if isinstance(value, dict):
        return {k: _joined(v) for k, v in value.items()}
    lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return "".join(value) if lines else value


def _view(output):
    """What of an output is compared: its kind, and a text or a picture's title and bytes."""
    if output["output_type"] == "stream":
        return output["name"], output["text"]
    if output["output_type"] == "error":
        return "an error", f"{output['ename']}: {output['evalue']}"
    if "image/png" in output["data"]:
        title = re.sub(r"[\d.,−]+", "#", output["data"].get("text/plain", ""))
        return "a figure", (title, base64.b64decode(output["data"]["image/png"]))
    return "a result", output["data"].get("text/plain", "")


def _unlike(kind, before, now):
    if kind == "a figure":
        return _unlike_texts(before[0], now[0]) or _unlike_figures(before[1], now[1])
    return _unlike_texts(before, now)


def _unlike_texts(before, now):
    before, now = [ANSI.sub("", text).split() for text in (before, now)]
    for old, new in zip(before, now, strict=False):
        if not _same_word(old, new):
            return f"says {new}, committed is {old}"
    return "" if len(before) == len(now) else f"says {len(now)} words, committed are {len(before)}"


def _same_word(old, new):
    if FLOAT.sub("#", old) != FLOAT.sub("#", new):
        return False
    pairs = zip(FLOAT.findall(old), FLOAT.findall(new), strict=True)
    return all(a == b or _close(float(a), float(b)) for a, b in pairs)


def _close(a, b):
    return abs(a - b) <= 1e-6 + 0.01 * abs(a)


def _unlike_figures(before, now):
    if before == now:
        return ""
    import numpy as np
    from PIL import Image

    old, new = [Image.open(io.BytesIO(data)).convert("L") for data in (before, now)]
    if any(abs(a - b) > 0.05 * a for a, b in zip(old.size, new.size, strict=True)):
        return f"draws a figure of {new.size} pixels, committed is {old.size}"
    small = [np.asarray(image.resize((64, 64)), dtype=float) for image in (old, new)]
    apart = np.abs(small[0] - small[1]).mean()
    return "" if apart < 3 else f"draws another figure: a mean difference of {apart:.1f} of 255"


def _list(kinds):
    return ", ".join(kinds) or "nothing"
