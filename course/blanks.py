"""The exercise files: derived from the solutions, and never written over a student's answers."""

import hashlib
import subprocess

from course.manifest import all_chapters
from course.paths import ROOT
from course.source import blank, is_blank, read_source
from course.student import recall, remember


def derive(chapter):
    """The text of a chapter's exercise file: its solution with the exercises cut."""
    return blank(read_source(chapter.solution_file), chapter.exercises)


def write_blanks(root=ROOT):
    """Derive all exercise files; what was done with each, as lines."""
    lines = []
    for chapter in all_chapters(root):
        done = write_derived(chapter.exercise_file, derive(chapter).encode("utf-8"), root)
        lines.append(f"{chapter.exercise_file.relative_to(root).as_posix()}: {done}")
    return lines


def write_derived(path, content, root=ROOT):
    """Write derived bytes to a file of chapters/, unless a student has worked in it.

    Returns what was done: "unchanged", "written", or "yours, left as it is".
    """
    if path.is_file() and path.read_bytes() == content:
        done = "unchanged"
    elif is_untouched(path, root):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        done = "written"
    else:
        return "yours, left as it is"
    remember("derived", recall("derived", {}, root) | {_key(path, root): _hash(content)}, root)
    return done


def is_untouched(path, root=ROOT):
    """Is the file missing, as it was committed, or as the course itself wrote it last?"""
    if not path.is_file():
        return True
    found = path.read_bytes().replace(b"\r\n", b"\n")
    written = recall("derived", {}, root).get(_key(path, root))
    return _hash(found) == written or found == _committed(path, root)


def has_answers(chapter):
    """Does the student's file hold more than blanks? Also true where it does not parse."""
    try:
        text = read_source(chapter.exercise_file)
        return any(is_blank(text, exercise) != "blank" for exercise in chapter.exercises)
    except FileNotFoundError:
        return False
    except (SyntaxError, ValueError):
        return True


def _committed(path, root):
    command = ["git", "show", f"HEAD:{_key(path, root)}"]
    try:
        shown = subprocess.run(command, cwd=root, capture_output=True, check=False)
    except FileNotFoundError:  # no git here
        return None
    return shown.stdout if shown.returncode == 0 else None


def _key(path, root):
    return path.relative_to(root).as_posix()


def _hash(content):
    return hashlib.sha256(content).hexdigest()
