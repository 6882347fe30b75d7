"""What the course remembers about a student, in .course/: copies kept and hints shown."""

import json
from datetime import datetime

from course.paths import ROOT


def keep(path, root=ROOT):
    """Copy a file to .course/kept/ before it is overwritten; the path of the copy."""
    name = "_".join([*path.relative_to(root).parts[1:-1], path.stem])
    return copy_to(root / ".course" / "kept", path, name)


def copy_to(folder, path, name):
    """Copy a file into a folder, with the time behind its new name; the path of the copy.

    A copy that is there already is never overwritten.
    """
    stem = f"{name}_{datetime.now().strftime('%Y-%m-%d_%H-%M-%S')}"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, 1000):
        copy = folder / f"{stem}{'' if number == 1 else f'_{number}'}{path.suffix}"
        try:
            with copy.open("xb") as file:
                file.write(path.read_bytes())
            return copy
        except FileExistsError:
            continue  # two within one second
    raise FileExistsError(f"too many copies named {stem}")


def recall(name, default, root=ROOT):
    """What `remember` wrote under this name; the default where it is missing or damaged."""
    try:
        return json.loads((root / ".course" / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return default


def remember(name, value, root=ROOT):
    """Write a value under a name, for the next call."""
    path = root / ".course" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
