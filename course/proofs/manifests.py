"""Proof 6: each exercises.toml is complete and true, and nothing lies about that should not."""

import ast
import os
import re
from collections import Counter

from course.blanks import derive
from course.manifest import find_exercise, path_of
from course.misconceptions import CatalogueError, catalogue
from course.modules import definitions, solution_of, split_name
from course.notebooks.derive import HEADING
from course.notebooks.file import read_notebook
from course.proofs.grading import place
from course.proofs.result import Problem, Result
from course.source import parse, read_source, split_lines

FIXED = ("range", "partial", "frozenset", "math.log", "np.dtype")  # what these make stays

EXERCISES = range(4, 9)  # in a chapter
MINUTES = range(5, 26)  # for an exercise
HINTS = 2  # at least
WRONG_ANSWERS = 3  # at least
OTHERS = ("exercises.toml", "misconceptions.py", "equivalent.toml")  # beside the tests


def prove_manifests(chapters):
    """6. Manifests complete, no stray files, no solution in a blank or in a student's notebook."""
    result = Result("")
    for chapter in chapters:
        result.problems += [*_chapter(chapter), *_modules(chapter)]
        if not all(path.is_file() for path in chapter.files.values()):
            continue
        result.problems += [*_exercises(chapter), *_heirs(chapter, chapters)]
        if _names_are_there(chapter):
            parts = (
                _tests,
                _imports,
                _values,
                _exceptions,
                _wrong_answers,
                _blanks,
                _notebook,
                _stray_files,
            )
            for part in parts:
                result.problems += part(chapter)
    exercises = [exercise for chapter in chapters for exercise in chapter.exercises]
    points = sum(exercise.points for exercise in exercises)
    result.figures = f"{len(chapters)} chapters, {len(exercises)} exercises, {points} points"
    return result


def _names_are_there(chapter):
    known = definitions(solution_of(chapter))
    return all(name in known for exercise in chapter.exercises for name in exercise.names)


def graded_tests(chapter, files="test_*.py"):
    """The tests of a chapter: [(name, exercise's id or None, points)], one for each function."""
    found = []
    for path in sorted(chapter.tests.glob(files)):
        for node in parse(read_source(path)).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.append((node.name, *_mark(node)))
    return found


def _mark(function):
    for decorator in function.decorator_list:
        if ast.unparse(decorator).startswith("pytest.mark.exercise("):
            points = {k.arg: ast.literal_eval(k.value) for k in decorator.keywords}
            return ast.literal_eval(decorator.args[0]), points.get("points", 0)
    return None, 0


def _chapter(chapter):
    where = place(chapter)
    for field in ("title", "question"):
        if not getattr(chapter, field).strip():
            yield Problem(where, f"has no {field}")
    if chapter.slug.partition("_")[0] != f"{chapter.number:02}":
        yield Problem(where, f"slug {chapter.slug!r} does not begin with its number")
    if len(chapter.exercises) not in EXERCISES:
        limits = f"{EXERCISES.start} to {EXERCISES.stop - 1}"
        yield Problem(where, f"has {len(chapter.exercises)} exercises, wanted {limits}")


def _modules(chapter):
    for module, path in chapter.files.items():
        if not path.is_file():
            where = path.relative_to(chapter.root).as_posix()
            yield Problem(place(chapter), f"has a module {module or 'tinytorch'}, and no {where}")
    for module in chapter.own:
        if "." in module or path_of(chapter.library, module).exists():
            says = f"own module {module}: wanted one name that the library does not have"
            yield Problem(place(chapter), says)


def _imports(chapter):
    """At the top a test imports tinytorch as tt alone: a module of it would run unwatched."""
    for path in sorted(chapter.tests.glob("test_*.py")):
        for node in parse(read_source(path)).body:
            line = ast.unparse(node) if isinstance(node, (ast.Import, ast.ImportFrom)) else ""
            if re.search(r"\btinytorch\b", line) and line != "import tinytorch as tt":
                where = f"tests/{chapter.tests.name}/{path.name}:{node.lineno}"
                yield Problem(where, f"{line}: wanted import tinytorch as tt alone")


def _values(chapter):
    """What a test's module holds goes into the code that it judges, which may change it by mistake.

    The seal would take that for tampering: so it holds nothing that can be changed.
    """
    for path in sorted(chapter.tests.glob("test_*.py")):
        for line, value in changeable(parse(read_source(path)).body):
            says = f"{value}: wanted a tuple, or a value that is made anew in each test"
            yield Problem(f"tests/{chapter.tests.name}/{path.name}:{line}", says)


def changeable(statements):
    """The lists, sets and made objects that a module holds, by name or as a default: (line, text).

    A dict is a table and may stand, with what it holds looked at.
    """
    for node in statements:
        if isinstance(node, ast.ClassDef):
            yield from changeable(node.body)
        values = [getattr(node, "value", None)]
        if isinstance(node, ast.FunctionDef):
            values = [*node.args.defaults, *node.args.kw_defaults]
        for value in filter(None, values):
            if not _is_fixed(value):
                yield node.lineno, ast.unparse(value)


def _is_fixed(value):
    if isinstance(value, ast.Call) and ast.unparse(value.func) != "dict":
        return ast.unparse(value.func) in FIXED
    if isinstance(value, ast.Lambda):
        return all(map(_is_fixed, filter(None, [*value.args.defaults, *value.args.kw_defaults])))
    if isinstance(value, ast.List | ast.Set | ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return False
    if isinstance(value, ast.DictComp):
        return _is_fixed(value.value)
    return all(map(_is_fixed, ast.iter_child_nodes(value)))


def _exercises(chapter):
    known = definitions(solution_of(chapter))
    owners = Counter(name for exercise in chapter.exercises for name in exercise.names)
    for exercise in chapter.exercises:
        where = place(chapter, exercise)
        if exercise.id != f"{chapter.number}.{exercise.number}":
            yield Problem(where, f"is number {exercise.number} of chapter {chapter.number}")
        for name in exercise.names:
            if name not in known:
                yield Problem(where, f"the solution has no {name}")
            if owners[name] > 1:
                yield Problem(where, f"{name} belongs to more than one exercise")
        yield from (Problem(where, says) for says in _shortcomings(exercise))


def _shortcomings(exercise):
    for field in ("names", "title", "why", "reason"):
        if not getattr(exercise, field):
            yield f"has no {field}"
    if len([hint for hint in exercise.hints if hint.strip()]) < HINTS:
        yield f"has {len(exercise.hints)} hints, wanted {HINTS} or more"
    if exercise.difficulty not in range(1, 6):
        yield f"difficulty is {exercise.difficulty}, wanted 1 to 5"
    if exercise.minutes not in MINUTES:
        yield f"takes {exercise.minutes} minutes, wanted {MINUTES.start} to {MINUTES.stop - 1}"


def _tests(chapter):
    tests, points = graded_tests(chapter), Counter()
    ids = {exercise.id for exercise in chapter.exercises}
    contracts = {exercise for _, exercise, _ in graded_tests(chapter, "test_zoo.py")}
    for name, count in Counter(name for name, _, _ in tests).items():
        if count > 1:
            yield Problem(place(chapter), f"{count} tests are named {name}")
    for name, exercise, worth in tests:
        points[exercise] += worth
        if exercise not in ids:
            yield Problem(place(chapter), f"{name} belongs to no exercise of this chapter")
        elif worth < 1:
            yield Problem(place(chapter), f"{name} is worth {worth} points")
    for exercise in chapter.exercises:
        if points[exercise.id] != exercise.points:
            says = f"points = {exercise.points}, its tests have {points[exercise.id]}"
            yield Problem(place(chapter, exercise), says)
        if exercise.inherits and exercise.id not in contracts:
            says = "inherits tests and has no contract in test_zoo.py that could fail with them"
            yield Problem(place(chapter, exercise), says)


def _heirs(chapter, chapters):
    """Who rewrites a definition is judged by its earlier tests, or a manifest says why not."""
    earlier = [e for c in chapters if c.number < chapter.number for e in c.exercises]
    for exercise in chapter.exercises:
        where, names = place(chapter, exercise), set(exercise.names)
        for id in sorted({e.id for e in earlier if names & set(e.names)} | set(exercise.inherits)):
            owner, origin = find_exercise(id, chapter.root)
            past = [e for e in owner.exceptions if e.exercise == id and e.covers(chapter.number)]
            shared = sorted(names & set(origin.names))
            if shared and id not in exercise.inherits and not past:
                says = f"rewrites {shared[0]}: it inherits the tests of {id}, or they have had it"
                yield Problem(where, f"{says} (an exception of chapter {owner.number} says why)")
            if id in exercise.inherits and (past or not shared or owner.number >= chapter.number):
                yield Problem(where, f"has nothing to inherit from {id}")
        known = {name for id in exercise.inherits for name in _names_of_tests(id, chapter.root)}
        for test, why in exercise.leaves_out:
            if test not in known or not why:
                yield Problem(
                    where, f"leaves out {test}, which is not inherited, or gives no reason"
                )


def _names_of_tests(id, root):
    owner, _ = find_exercise(id, root)
    return [name for name, exercise, _ in graded_tests(owner) if exercise == id]


def _exceptions(chapter):
    tests = {name for name, _, _ in graded_tests(chapter)}
    ids = {exercise.id for exercise in chapter.exercises}
    for exception in chapter.exceptions:
        what = exception.test or exception.exercise
        if what not in tests | ids:
            yield Problem(place(chapter), f"an exception names {what!r}, which is not there")
        if not exception.why or not exception.on:
            yield Problem(place(chapter), f"the exception of {what} wants `on` and `why`")


def _wrong_answers(chapter):
    try:
        count = Counter(entry.exercise for entry in catalogue(chapter))
    except CatalogueError:
        return  # proof 4 says so
    for exercise in chapter.exercises:
        if count[exercise.id] < WRONG_ANSWERS:
            says = f"has {count[exercise.id]} wrong answers, wanted {WRONG_ANSWERS} or more"
            yield Problem(place(chapter, exercise), says)


def _blanks(chapter):
    """Lines of a solution's body that its blank still shows, in its docstring say."""
    blank = definitions(derive(chapter))
    for exercise in chapter.exercises:
        for name in exercise.names:
            shown = set(map(str.strip, blank[name].text.splitlines()))
            for line in body_lines(chapter, name):
                if line in shown:
                    yield Problem(place(chapter, exercise), f"the blank of {name} shows {line!r}")


def body_lines(chapter, name):
    """The lines of code of a definition's body in the solution, stripped."""
    code = solution_of(chapter)
    definition = definitions(code)[name]
    lines = split_lines(code[split_name(code, name)[0]])[definition.body_start : definition.end]
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


def _notebook(chapter):
    if not chapter.solution_notebook.is_file():
        return  # proof 1 says so
    where = f"{chapter.slug}.ipynb"
    cells = read_notebook(chapter.solution_notebook)["cells"]
    code = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
    if "solutions" in code:
        yield Problem(where, "a cell names solutions/: a notebook imports the student's file only")
    headings = [HEADING.match(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    announced = [match["id"] for match in headings if match]
    ids = [exercise.id for exercise in chapter.exercises]
    if announced != ids:
        yield Problem(where, f"announces exercises {announced}, the manifest has {ids}")
    for exercise in chapter.exercises:
        if f'check("{exercise.id}")' not in code:
            yield Problem(where, f'no cell calls check("{exercise.id}")')
        yield from _given_away(chapter, exercise, cells)


def _given_away(chapter, exercise, cells):
    """Bodies of three lines or more that stand whole in a cell."""
    for name in exercise.names:
        body = body_lines(chapter, name)
        for cell in cells:
            lines = set(map(str.strip, cell["source"].splitlines()))
            whole = len(body) > 2 and lines.issuperset(body)
            if whole and "answer" not in cell["metadata"].get("tags", []):
                where = f"{chapter.slug}.ipynb, cell {cell['id']}"
                yield Problem(where, f"gives away {name} of exercise {exercise.id}")


def _stray_files(chapter):
    """Files that belong to no chapter; in chapters/ a student may keep what there is to keep."""
    solved, given = chapter.solution_notebook.parent, chapter.notebook.parent
    ours = {*chapter.files.values(), chapter.solution_notebook}
    found = [path for path in _files(solved) if path not in ours]
    if os.environ.get("COURSE_STRICT"):
        ours = {path_of(chapter.exercise_file, module) for module in derive(chapter)}
        found += [path for path in _files(given) if path not in ours | {chapter.notebook}]
    for path in _files(chapter.tests):
        is_test = path.name.startswith("test_") and path.suffix == ".py"
        if not is_test and path.name not in (
            "exercises.toml",
            "misconceptions.py",
            "equivalent.toml",
        ):
            found.append(path)
    for path in found:
        yield Problem(path.relative_to(chapter.root).as_posix(), "does not belong here")


def _files(folder):
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if path.is_file() and not hidden:
            yield path
