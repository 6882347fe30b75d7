"""The commands: what there are, how they are read, and what each of them calls."""

import argparse
import difflib
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from course import environment
from course.manifest import ManifestError, UsageError, all_chapters, find_exercise, load_chapter
from course.output import command, shown, use_plain_text_where_needed
from course.paths import ROOT

OTHERS = "--ignore=tests/course/test_chapters.py"  # it makes the proofs, which speak for themselves


@dataclass(frozen=True)
class Verb:
    """A command; `needs` are the extras of pyproject.toml that it cannot do without."""

    name: str  # N stands for a chapter's number, N.M for an exercise's
    does: str
    call: object  # a function of the parsed options, and of the chapter or exercise where named
    needs: tuple = ()
    options: tuple = ()
    is_for_maintainers: bool = False  # it needs the whole course, with its answers and tests
    is_in_releases: bool = True  # is it listed where students have a copy without the answers?
    changes_files: bool = False  # it writes files that somebody edits, so it's never a suggestion

    @property
    def pattern(self):
        return re.escape(self.name).replace("N", r"(\d+)", 1).replace(r"\.M", r"(\.\d+)")


def start(options):
    from course.progress import where_left_off

    chapter = where_left_off(all_chapters())
    if not chapter.notebook.is_file():
        back = command(f"reset-chapter{chapter.number}")
        raise UsageError(f"{shown(chapter.notebook, ROOT)} is missing; {back} brings it back")
    jupyter = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={ROOT}"]
    jupyter += [f"--LabApp.default_url=/lab/tree/{shown(chapter.notebook, ROOT)}"]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # in a container; Jupyter would refuse
    jupyter += ["--no-browser"] * options.no_browser + ["--allow-root"] * is_root
    settings = {
        "PYTHONPATH": _before("PYTHONPATH", ".", ROOT),  # a kernel's "." is its notebook's folder
        "JUPYTER_CONFIG_PATH": _before("JUPYTER_CONFIG_PATH", ROOT / "course" / "jupyter"),
    }
    return environment.run(jupyter, cwd=ROOT, env=os.environ | settings)


def _before(variable, *folders):
    """These folders, then those that the variable has now."""
    return os.pathsep.join(filter(None, [*map(str, folders), os.environ.get(variable)]))


def test(options):
    from course.grading.limits import cores

    verbose = ["-v"] * options.verbose
    some = ["-n", str(cores() + 1), "--dist", "worksteal"]  # at a time; one of them waits
    steps = {
        "ruff check": [sys.executable, "-m", "ruff", "check", "."],
        "ruff format": [sys.executable, "-m", "ruff", "format", "--check", "."],
        "the project's own tests": [sys.executable, "-m", "pytest", OTHERS, *some, *verbose],
        "the proofs": [sys.executable, "-m", "course", "check"],
    }
    # containers often set this, and each of some hundred processes would compile all anew
    compiling = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    failed = []
    for name, step in steps.items():
        print(f"\n{name}:", flush=True)
        if environment.run(step, cwd=ROOT, env=compiling) != 0:
            failed.append(name)
    print(f"\nFAILED: {', '.join(failed)}" if failed else "\nEverything passed.")
    return int(bool(failed))


def test_chapter(options, number):
    from course.grading.report import main

    return main(load_chapter(number), options)


def grade_chapter(options, number):
    from course.classes.run import main

    return main(load_chapter(number), options)


def gradescope_chapter(options, number):
    from course.gradescope.archive import main

    return main(load_chapter(number), options)


def release(options):
    from course.release import main

    return main(options, all_chapters())


def release_chapter(options, number):
    from course.release import main, up_to

    return main(options, up_to(int(number)))


def progress(options):
    from course.progress import show_progress

    return show_progress()


def mine(options):
    from course.mine.run import main

    return main()


def hint(options, exercise_id):
    from course.help import show_hint

    return show_hint(*find_exercise(exercise_id))


def solution(options, exercise_id):
    from course.help import show_solution

    return show_solution(*find_exercise(exercise_id))


def diff_chapter(options, number):
    from course.changes import show_changes

    return show_changes(load_chapter(number))


def carry_chapter(options, number):
    from course.carry import carry_chapter

    return carry_chapter(load_chapter(number))


def reset(options, exercise_id):
    from course.help import reset_exercise

    return reset_exercise(*find_exercise(exercise_id))


def reset_chapter(options, number):
    from course.help import reset_chapter

    return reset_chapter(load_chapter(number))


def blanks(options):
    from course.blanks import write_blanks
    from course.readme import write_table

    print("\n".join([*write_blanks(), f"README.md: {write_table()}"]))


def stubs(options):
    from course.stubs import write_stubs

    print("\n".join(write_stubs()))


def notebooks(options):
    from course.notebooks import main
    from course.readme import write_picture

    code = main()
    print(f"README.png: {write_picture()}")
    return code


def check(options):
    from course.proofs import main

    return main()


def mutants(options):
    from course.mutants import main

    return main(all_chapters())


def mutants_of_chapter(options, number):
    from course.mutants import main

    return main([load_chapter(number)])


def site(options):
    from course.site.build import build

    build()


GRADE, COURSE, CLASSES = ("grade",), ("grade", "course"), ("grade", "classes")
DEVELOPMENT = (*COURSE, "classes", "dask", "site", "dev")
VERBS = [
    Verb("start", "opens JupyterLab where you left off", start, COURSE, ("--no-browser",)),
    Verb(
        "test-chapterN",
        "grades your chapter N",
        test_chapter,
        GRADE,
        ("--who", "--file", "--json", "--gradescope", "--verbose"),
    ),
    Verb(
        "grade-chapterN",
        "grades a folder of submissions, for teachers",
        grade_chapter,
        CLASSES,
        ("folder", "--out", "--roster", "--sandbox", "--scheduler"),
        is_in_releases=False,
    ),
    Verb(
        "gradescope-chapterN",
        "writes Gradescope's autograder, for teachers",
        gradescope_chapter,
        options=("zip",),
        is_in_releases=False,
    ),
    Verb(
        "release-chapterN",
        "writes the course for students, up to chapter N",
        release_chapter,
        options=("release",),
        is_in_releases=False,
    ),
    Verb("release", "the same with all chapters", release, options=("release",),
         is_in_releases=False),
    Verb("progress", "your marks so far, and what's next", progress, GRADE),
    Verb("mine", "runs everything on your finished chapters", mine, COURSE),
    Verb("hint-N.M", "the next hint for exercise N.M", hint),
    Verb("solution-N.M", "its answer, and why it works", solution, is_in_releases=False),
    Verb("carry-chapterN", "brings your answers so far into chapter N", carry_chapter, GRADE,
         changes_files=True),
    Verb("diff-chapterN", "what chapter N changes in tinytorch.py", diff_chapter, GRADE,
         is_in_releases=False),
    Verb("reset-N.M", "gives you the blank back, keeps a copy of yours", reset,
         changes_files=True),
    Verb("reset-chapterN", "gives you a fresh chapter, keeps a copy of yours", reset_chapter,
         changes_files=True),
    Verb("test", "tests the project, every solution and notebook", test, DEVELOPMENT,
         ("--verbose",), True),
    Verb("blanks", "derives the exercise files from solutions/", blanks, (), (), True,
         changes_files=True),
    Verb("notebooks", "runs the notebooks of solutions/", notebooks, COURSE, (), True,
         changes_files=True),
    Verb("stubs", "derives what editors show of tinytorch/", stubs, GRADE, (), True,
         changes_files=True),
    Verb("site", "builds the book: all chapters as web pages", site, (*COURSE, "site"), (), True),
    Verb("check", "proves that the course is sound", check, DEVELOPMENT, (), True),
    Verb("mutants", "shows small changes that no test sees", mutants, GRADE, (), True),
    Verb("mutants-chapterN", "the same with chapter N alone", mutants_of_chapter, GRADE, (),
         True),
]  # fmt: skip
OPTIONS = {
    "--no-browser": (["--no-browser"], {"action": "store_true", "help": "only print the address"}),
    "--who": (
        ["--who"],
        {"choices": ["student", "solution", "library"], "default": "student",
         "help": "whose code is graded: student (the default), solution, library"},
    ),
    "--file": (["--file"], {"type": Path, "metavar": "F", "help": "grade this file instead"}),
    "--json": (["--json"], {"type": Path, "metavar": "F", "help": "write the marks to F as JSON"}),
    "--gradescope": (
        ["--gradescope"],
        {"type": Path, "metavar": "F", "help": "write the marks to F for Gradescope"},
    ),
    "folder": (
        ["folder"],
        {"type": Path, "nargs": "?", "help": "what was handed in: a folder, or a zip of it"},
    ),
    "--out": (
        ["--out"],
        {"type": Path, "metavar": "FOLDER", "default": Path("marks"),
         "help": "for marks.csv, class.png and feedback; marks, if you don't say"},
    ),
    "zip": (
        ["--out"],
        {"type": Path, "metavar": "ZIP", "help": "gradescope-chapterN.zip, if you don't say"},
    ),
    "release": (
        ["--out"],
        {"type": Path, "metavar": "FOLDER", "default": Path("release"),
         "help": "a new folder; release, if you don't say"},
    ),
    "--roster": (
        ["--roster"],
        {"type": Path, "metavar": "CSV", "help": "join its columns by the column name"},
    ),
    "--sandbox": (
        ["--sandbox"],
        {"action": "store_true", "help": "put each grading into bubblewrap (Linux)"},
    ),
    "--scheduler": (["--scheduler"], {"metavar": "ADDRESS", "help": "grade on a Dask cluster"}),
    "--verbose": (["-v", "--verbose"], {"action": "store_true", "help": "show pytest's report"}),
}  # fmt: skip


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        raise UsageError(f"{self.prog}: {message}")


def main(arguments):
    """Run one command; its exit code: 0 well, 1 not passed or not possible, 2 wrong use."""
    use_plain_text_where_needed()
    try:
        code = _run(arguments) or 0
        sys.stdout.flush()  # here, where a reader that has gone is no error
        return code
    except (UsageError, ManifestError) as error:
        print(error, file=sys.stderr)
        return 2
    except environment.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, head for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a full disk, a folder that may not be written
        name = error.filename2 or error.filename or "the system"  # 2: what it was to be renamed to
        print(f"{name}: {error.strerror}", file=sys.stderr)
        return 1


def _run(arguments):
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        return show_verbs()
    verb, names = find_verb(arguments[0])
    if verb.is_for_maintainers and not _is_whole():
        says = f"{arguments[0]} needs the whole course, and this copy comes without the answers"
        chapter = next(filter(str.isdecimal, arguments[1:]), "1")
        raise UsageError(f"{says}; {command(f'test-chapter{chapter}')} grades yours")
    if verb.call is mine and not _has_part_two():
        raise UsageError("mine is about Part II, and this copy of the course comes without it")
    options = _parser(arguments[0], verb).parse_args(arguments[1:])
    if verb.call is grade_chapter and options.folder is None:
        raise UsageError(f"say which folder: {_with_a_folder(arguments[0])}")
    for name in names:  # a chapter or an exercise that is not there is said before any setting up
        find_exercise(name) if "." in name else load_chapter(name)
    needs = (*verb.needs, *["dask"] * bool(getattr(options, "scheduler", None)))
    code = environment.run_inside(arguments, needs) if needs else None
    return verb.call(options, *names) if code is None else code


def _with_a_folder(typed):
    """How to call it; make passes on what is named in capitals."""
    names = "submissions --out marks" if os.name == "nt" else "FOLDER=submissions OUT=marks"
    return f"{command(typed)} {names}"


def show_verbs():
    """Print what there is."""
    print("tinytorch: write an autograd engine, then train it on real digits.\n")
    verbs = VERBS if _is_whole() else _listed_in_a_release()
    column = max(len(command(verb.name)) for verb in verbs) + 2
    for verb in verbs:
        print(f"  {command(verb.name):<{column}}{verb.does}")
    if _is_whole():
        print("\nblanks, notebooks, stubs, check and mutants are for maintainers.")
    print(f"N is a chapter, N.M an exercise: {command('hint-3.2')}")


def _listed_in_a_release():
    """What a student's copy can do; a hint says where there is an answer to see."""
    listed = (v for v in VERBS if v.is_in_releases and not v.is_for_maintainers)
    return [verb for verb in listed if verb.call is not mine or _has_part_two()]


def _has_part_two():
    return any(chapter.is_package for chapter in all_chapters())


def _is_whole():
    """Is this the course with its answers, not a release?"""
    return (ROOT / "solutions").is_dir()


def find_verb(typed):
    """The verb meant, and the chapter or exercise in it; UsageError with the nearest one."""
    for verb in VERBS:
        match = re.fullmatch(verb.pattern, typed)
        if match:
            return verb, ["".join(match.groups())] if match.groups() else []
    raise UsageError(f"there is no command {typed}; {_advice(typed)}")


def _advice(typed):
    """What was probably meant; a command that changes files has to be typed as it's called."""
    found = re.search(r"\d+(\.\d+)?", typed)
    number = found[0] if found else "1"
    place = "N.M" if "." in number else "N"  # test-3, or test-3.2, for test-chapter3
    verbs = {_with_number(v.name.replace("chapterN", place), number): v for v in VERBS}
    verbs |= {_with_number(verb.name, number): verb for verb in VERBS}
    near = next(iter(difflib.get_close_matches(typed, verbs, n=1)), None)
    if near is None or verbs[near].changes_files:
        return f"{command('').strip()} shows what there is"
    name = _with_number(verbs[near].name, number)
    if near == f"test-{number}" and place == "N.M":
        find_exercise(number)  # or say that there's none
        alone = f'in the notebook, check("{number}") grades it alone'
        return f"{command(name)} grades {number} too ({alone})"
    return f"did you mean {name}?"


def _with_number(name, number):
    chapter, dot, exercise = number.partition(".")
    return name.replace("N.M", number if dot else f"{number}.1").replace("N", chapter)


def _parser(typed, verb):
    parser = Parser(prog=typed, description=verb.does, allow_abbrev=False)
    for option in verb.options:
        names, settings = OPTIONS[option]
        parser.add_argument(*names, **settings)
    return parser
