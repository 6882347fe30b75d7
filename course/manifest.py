"""The chapters and their exercises, as tests/chapterNN/exercises.toml declares them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from course.paths import ROOT


class UsageError(Exception):
    """A wrong use of a command, said in one line."""


class ManifestError(Exception):
    """A mistake in an exercises.toml, said in one line."""


@dataclass(frozen=True)
class Exercise:
    """One exercise; `names` are the definitions that it leaves blank, `number` its place."""

    id: str
    names: tuple[str, ...]
    title: str
    why: str
    points: int
    difficulty: int
    minutes: int
    hints: tuple[str, ...]
    reason: str
    number: int
    symptoms: tuple[tuple[str, str], ...] = ()
    changes: tuple[str, ...] = ()  # attributes of a Tensor, lists given, that it may change
    may_share: bool = False  # may a result share memory with what was given?
    inherits: tuple[str, ...] = ()  # earlier exercises whose tests judge this one too
    leaves_out: tuple[tuple[str, str], ...] = ()  # of these: (test, why it does not)


def place_of(id):
    """What sorts exercises as the course has them: 2.10 comes after 2.9."""
    return [int(part) for part in id.split(".")]


@dataclass(frozen=True)
class Exemption:
    """A test, or all tests of an exercise, that need not pass on what stands in `on`."""

    on: tuple[str, ...]
    why: str
    test: str | None = None
    exercise: str | None = None

    def covers(self, target):
        """Is it meant for "library", or for the snapshot of this chapter (a number)?

        >>> Exemption(on=("4",), why="…").covers(5)
        True
        """
        if target == "library":
            return "library" in self.on
        return any(int(start) <= target for start in self.on if start != "library")


@dataclass(frozen=True)
class Chapter:
    """One chapter; its paths belong to the checkout at `root`."""

    number: int
    title: str
    slug: str
    question: str
    exceptions: tuple[Exemption, ...]
    exercises: tuple[Exercise, ...]
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()  # of Part II: the library's own, dotted below tinytorch
    own: tuple[str, ...] = ()  # and those that only this chapter has
    root: Path = ROOT

    @property
    def points(self):
        return sum(exercise.points for exercise in self.exercises)

    @property
    def is_package(self):
        """Is its code modules of the finished library, a chapter of Part II?"""
        return bool(self.modules or self.own)

    @property
    def files(self):
        """{module: the source of its text}; the only module of Part I is "", tinytorch itself."""
        if not self.is_package:
            return {"": self.root / "solutions" / self.slug / "tinytorch.py"}
        own = self.root / "solutions" / self.slug / "tinytorch"
        folders = dict.fromkeys(self.modules, self.library) | dict.fromkeys(self.own, own)
        return {module: path_of(folder, module) for module, folder in folders.items()}

    @property
    def exercise_file(self):
        """The student's tinytorch: a file, or in Part II the folder of its modules."""
        name = "tinytorch" if self.is_package else "tinytorch.py"
        return self.root / "chapters" / self.slug / name

    @property
    def solution_file(self):
        """The complete tinytorch; in Part II that's the finished library."""
        return self.library if self.is_package else self.files[""]

    @property
    def library(self):
        return self.root / "tinytorch"

    @property
    def notebook(self):
        return self.root / "chapters" / self.slug / f"{self.slug}.ipynb"

    @property
    def solution_notebook(self):
        return self.root / "solutions" / self.slug / f"{self.slug}.ipynb"

    @property
    def given(self):
        """In a release, where there are no solutions: the chapter's folder as it was given."""
        return self.root / "given" / self.slug

    @property
    def tests(self):
        return self.root / "tests" / f"chapter{self.number:02}"


def path_of(tinytorch, module):
    """The file of a module, where `tinytorch` is the file or the folder of all.

    >>> path_of(Path("tinytorch"), "nn.conv").as_posix()
    'tinytorch/nn/conv.py'
    """
    return tinytorch.joinpath(*module.split(".")).with_suffix(".py") if module else tinytorch


def load_chapter(number, root=ROOT):
    """The chapter of this number; UsageError where there is none, ManifestError on a bad file."""
    path = Path(root) / "tests" / f"chapter{int(number):02}" / "exercises.toml"
    if not path.is_file():
        raise UsageError(f"there is no chapter {number}; chapters are {_span(_numbers(root))}")
    return parse_chapter(path.read_bytes().decode("utf-8"), path.parent.name, root)


def parse_chapter(text, folder, root=ROOT):
    """The chapter that the text of an exercises.toml declares; ManifestError on a mistake in it."""
    try:
        return _chapter(tomllib.loads(text), Path(root))
    except (tomllib.TOMLDecodeError, TypeError, KeyError) as error:
        raise ManifestError(f"tests/{folder}/exercises.toml: {error}") from None


def all_chapters(root=ROOT):
    """All chapters in order."""
    return [load_chapter(number, root) for number in _numbers(root)]


def find_exercise(exercise_id, root=ROOT):
    """The chapter and the exercise of an id such as "3.2"; UsageError where there is none."""
    number, dot, _ = str(exercise_id).partition(".")
    if not (number.isdecimal() and dot):
        raise UsageError(f"an exercise is named like 3.2, got {exercise_id!r}")
    chapter = load_chapter(int(number), root)
    for exercise in chapter.exercises:
        if exercise.id == exercise_id:
            return chapter, exercise
    ids = _span([exercise.id for exercise in chapter.exercises])
    raise UsageError(f"there is no exercise {exercise_id}; chapter {number} has {ids}")


def _numbers(root):
    paths = Path(root).glob("tests/chapter*/exercises.toml")
    return sorted(int(path.parent.name.removeprefix("chapter")) for path in paths)


def _span(names):
    if len(names) < 2:
        return str(names[0]) if names else "not there"
    return f"{names[0]} to {names[-1]}"


def _chapter(table, root):
    exercises = [
        Exercise(**_frozen(entry), number=number)
        for number, entry in enumerate(table["exercises"], start=1)
    ]
    exceptions = [Exemption(**_frozen(entry)) for entry in table.get("exceptions", [])]
    parts = {"exercises": tuple(exercises), "exceptions": tuple(exceptions), "root": root}
    return Chapter(**_frozen(table) | parts)


def _frozen(value):
    """The same with tuples for lists, so that it can stand in a frozen dataclass."""
    if isinstance(value, dict):
        return {key: _frozen(entry) for key, entry in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
