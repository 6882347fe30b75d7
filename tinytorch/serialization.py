"""Files: tensors in the safetensors format, which other libraries read too, and never a pickle.

The names of the format are flat. What is nested (an optimizer's state, a dictionary of several
state dicts) is written as an outline beside the tensors, in JSON, with their names in place.
"""

from typing import Any

import numpy as np

from tinytorch.tensor import Tensor, wrap

OUTLINE = "tinytorch.outline"


def save(obj, f) -> None:
    """Write a state_dict, or any nesting of tensors and plain values, to a file.

    `f` is its name, or an object with write(), as what open(name, "wb") gives.

    Dictionaries, lists, tuples, numbers, strings, booleans and None may hold tensors between
    them; TypeError for anything else, RuntimeError where no file can be written.

    >>> save({"weight": tinytorch.ones(2)}, folder / "model.safetensors")
    >>> load(folder / "model.safetensors")
    {'weight': tensor([1., 1.])}
    """
    import json  # imports that only files need: `import tinytorch` stays quick
    from pathlib import Path

    from safetensors import numpy as format

    arrays = {}
    metadata = {OUTLINE: json.dumps(describe(obj, (), arrays))}
    data = format.save(arrays, metadata)
    if hasattr(f, "write"):
        f.write(data)
        return
    try:
        write_whole(Path(f), data)
    except OSError as error:
        raise RuntimeError(f"{f} cannot be written: {error.strerror}") from None


def write_whole(file, data):
    """Write to a file beside it first: what was there before stays until all is written."""
    part = file.with_name(f"{file.name}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def load(f, map_location=None, *, weights_only=True, mmap=None) -> Any:
    """Read what save() wrote, or the dictionary of tensors in any safetensors file.

    `f` is the file's name, or an object with read(). `map_location`, `weights_only` and `mmap` are
    accepted and ignored: tensors are on the CPU, a file holds nothing that could run, and all of it
    is read. RuntimeError for a file that is damaged, cut short or of another format.
    """
    import json

    from safetensors import SafetensorError

    try:
        tensors, metadata = from_bytes(f.read()) if hasattr(f, "read") else from_file(f)
    except SafetensorError as error:
        raise RuntimeError(f"{f} is not a whole safetensors file: {error}") from None
    except TypeError as error:
        raise RuntimeError(f"{f} holds a type of numbers that NumPy lacks: {error}") from None
    if OUTLINE not in metadata:
        return tensors
    return restore(json.loads(metadata[OUTLINE]), tensors)


def from_file(name):
    """The tensors in a file, and the texts beside them."""
    from safetensors import safe_open

    with safe_open(name, framework="numpy") as file:
        tensors = {name: wrap(file.get_tensor(name)) for name in file.keys()}  # noqa: SIM118 (no dict)
        return tensors, file.metadata() or {}


def from_bytes(data):
    """The same from the contents of a file: the header's length (8 bytes), the header, numbers."""
    import json

    from safetensors import numpy as format

    tensors = {name: wrap(array) for name, array in format.load(data).items()}
    header = data[8 : 8 + int.from_bytes(data[:8], "little")]
    return tensors, json.loads(header).get("__metadata__", {})


def describe(obj, path, arrays):
    """The outline of `obj`: plain values as they are, all else as {kind: content}.

    Each tensor goes into `arrays`, under the keys on the way to it, joined by dots.
    """
    if obj is None or isinstance(obj, (bool, int, float, str)):
        return obj
    if isinstance(obj, Tensor):
        name = free_name(".".join(map(str, path)) or "tensor", arrays)
        arrays[name] = np.array(obj._data, order="C")
        return {"tensor": name}
    if isinstance(obj, dict) and all(isinstance(key, (str, int)) for key in obj):
        # pairs, because the keys of a JSON object are strings only
        return {"dict": [[key, describe(x, (*path, key), arrays)] for key, x in obj.items()]}
    if isinstance(obj, (list, tuple)):
        kind = "list" if isinstance(obj, list) else "tuple"
        return {kind: [describe(x, (*path, i), arrays) for i, x in enumerate(obj)]}
    raise TypeError(
        "save() takes tensors and plain values, in lists, tuples, and dictionaries with string or"
        f" integer keys; got {type(obj).__name__} at {path}"
    )


def free_name(name, taken):
    """`name`, made longer until it is not `taken`: {"a.b": x} and {"a": {"b": y}} would collide."""
    while name in taken:
        name += "_"
    return name


def restore(outline, tensors):
    """The object that describe() described."""
    if not isinstance(outline, dict):
        return outline
    [(kind, content)] = outline.items()
    if kind == "tensor":
        return tensors[content]
    if kind == "dict":
        return {key: restore(value, tensors) for key, value in content}
    items = [restore(item, tensors) for item in content]
    return items if kind == "list" else tuple(items)
