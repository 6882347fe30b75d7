"""The exercise files: derived from the solutions, and never written over a student's answers."""

import hashlib
import subprocess
from functools import partial

from course.manifest import all_chapters, parse_chapter
from course.output import command
from course.paths import ROOT
from course.source import blank, is_blank, read_source
from course.student import recall, remember


def derive(chapter):
    """The text of a chapter's exercise file: its solution with the exercises cut."""
    return blank(read_source(chapter.solution_file), chapter.exercises)


def write_blanks(root=ROOT):
    """Derive all exercise files; what was done with each, as lines."""
    return [f"{_key(c.exercise_file, root)}: {_write_blank(c)}" for c in all_chapters(root)]


def write_derived(path, content, derive_committed, root=ROOT):
    """Write derived bytes to a file of chapters/, unless a student has worked in it.

    `derive_committed()` gives the bytes that the last commit's sources derive, or None: what a
    fresh clone holds. Returns "unchanged", "written", or "yours, left as it is".
    """
    if path.is_file() and path.read_bytes() == content:
        done = "unchanged"
    elif is_untouched(path, derive_committed, root):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        done = "written"
    else:
        return "yours, left as it is"
    remember("derived", recall("derived", {}, root) | {_key(path, root): _hash(content)}, root)
    return done


def is_untouched(path, derive_committed, root=ROOT):
    """Is the file missing, as the course wrote it last, or as the last commit derives it?

    That it is committed is not enough: a student may commit answers.
    """
    if not path.is_file():
        return True
    found = path.read_bytes().replace(b"\r\n", b"\n")
    written = recall("derived", {}, root).get(_key(path, root))
    return _hash(found) == written or found == derive_committed()


def has_answers(chapter):
    """Does the student's file hold more than blanks? Also true where it does not parse."""
    try:
        text = read_source(chapter.exercise_file)
        return any(is_blank(text, exercise) != "blank" for exercise in chapter.exercises)
    except FileNotFoundError:
        return False
    except (SyntaxError, ValueError):
        return True


def committed(path, root=ROOT):
    """The text of a file in the last commit; None where there is none, or no git."""
    command = ["git", "show", f"HEAD:{_key(path, root)}"]
    try:
        shown = subprocess.run(command, cwd=root, capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return shown.stdout.decode("utf-8") if shown.returncode == 0 else None


def _derive_committed(chapter):
    manifest = committed(chapter.tests / "exercises.toml", chapter.root)
    solution = committed(chapter.solution_file, chapter.root)
    if manifest is None or solution is None:
        return None
    exercises = parse_chapter(manifest, chapter.tests.name, chapter.root).exercises
    return blank(solution, exercises).encode("utf-8")


def _write_blank(chapter):
    content = derive(chapter).encode("utf-8")
    earlier = partial(_derive_committed, chapter)
    done = write_derived(chapter.exercise_file, content, earlier, chapter.root)
    advice = f" ({command(f'reset-chapter{chapter.number}')} replaces it, and keeps a copy)"
    return done + advice if done.startswith("yours") else done


def _key(path, root):
    return path.relative_to(root).as_posix()


def _hash(content):
    return hashlib.sha256(content).hexdigest()
