"""`gradescope-chapterN`: the zip that Gradescope builds its autograder from.

In it: the scripts, `course`, the chapter's tests, and in Part II the finished library without the
modules that the student writes. No solution, and no catalogue of wrong answers.
"""

import zipfile
from pathlib import Path

from course.environment import requirements
from course.grading.record import gradescope_text
from course.grading.run import inherited, no_marks, suites_of
from course.grading.stage import library_around
from course.manifest import UsageError
from course.output import shown
from course.paths import ROOT

FAILED = "the grader itself failed, it's not your fault: tell your teacher, who can see why"
SCRIPTS = ("setup.sh", "run_autograder")
DATE = (2020, 1, 1, 0, 0, 0)  # the same bytes each time


def main(chapter, options):
    """Write the zip."""
    path = options.out or Path(f"gradescope-chapter{chapter.number}.zip")
    if path.exists() and not _is_ours(path):
        raise UsageError(f"{path} is there already, and is no autograder: say OUT=another.zip")
    contents = contents_of(chapter)
    write_zip(path, contents)
    print(f"{path}: {len(contents)} files, {path.stat().st_size / 1e6:.1f} MB")
    print("On Gradescope: Configure Autograder, upload it, Update Autograder.")


def contents_of(chapter):
    """{name in the zip: its bytes}"""
    here = Path(__file__).parent
    contents = {name: (here / name).read_bytes() for name in SCRIPTS}
    contents["run_autograder"] = contents["run_autograder"].replace(
        b"CHAPTER", str(chapter.number).encode()
    )
    lines = [f"{name}>={lowest}\n" for name, lowest in requirements(["grade"]).items()]
    contents["requirements.txt"] = "".join(lines).encode()
    failed = no_marks(chapter, chapter.exercise_file, chapter.exercises, FAILED)
    contents["failed.json"] = gradescope_text(failed).encode()
    for path in sorted(_sources(chapter)):
        root = ROOT if path.is_relative_to(ROOT / "course") else chapter.root
        contents[shown(path, root)] = path.read_bytes()
    return contents


def write_zip(path, contents):
    """Write {name: bytes} as a zip, its scripts executable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            info = zipfile.ZipInfo(name, DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o755 if name in SCRIPTS else 0o644) << 16
            archive.writestr(info, data)


def _sources(chapter):
    """The files of the course that grade a chapter."""
    yield from (ROOT / "course").rglob("*.py")
    for suite in map(Path, suites_of(chapter, inherited(chapter))):
        yield from [suite / "exercises.toml", *suite.glob("test_*.py")]
    yield from library_around(chapter)


def _is_ours(path):
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return set(SCRIPTS) <= set(archive.namelist())
