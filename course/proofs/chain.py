"""Proof 5: from chapter to chapter only what is declared changes, and what held goes on holding.

All of it is about Part I; Part II has no files that go on from chapter to chapter.
"""

from itertools import pairwise

from course.proofs.grading import grade_all, place
from course.proofs.result import Problem, Result
from course.source import definitions, read_source


def prove_chain(chapters):
    """5. Changes are declared; each suite passes on later snapshots and on the library."""
    chapters = [chapter for chapter in chapters if not chapter.is_package]
    problems = [problem for pair in pairwise(chapters) for problem in _undeclared(*pair)]
    pairs = [(chapter, later) for chapter in chapters for later in _after(chapter, chapters)]
    results = grade_all((chapter, _code(chapter, later), None) for chapter, later in pairs)
    used = set()
    for (chapter, later), result in zip(pairs, results, strict=True):
        problems += _broken(chapter, later, result, used)
    problems += _idle(chapters, pairs, used)
    return Result(f"{len(pairs)} suites on what comes later", problems)


def _undeclared(before, chapter):
    was = definitions(read_source(before.solution_file))
    now = definitions(read_source(chapter.solution_file))
    differs = {name for name in was if name in now and was[name].text != now[name].text}
    gone = {name for name in was if name not in now}
    changed, removed = set(chapter.changed), set(chapter.removed)
    findings = [
        (differs - changed, "differs from the chapter before and is not declared in `changed`"),
        (changed - differs, "is declared in `changed` and does not differ"),
        (gone - removed, "is gone and not declared in `removed`"),
        (removed - gone, "is declared in `removed` and is not gone"),
    ]
    for names, says in findings:
        for name in sorted(names):
            yield Problem(place(chapter), f"{name} {says}")


def _after(chapter, chapters):
    """What a suite must also pass on: numbers of later chapters, and "library"."""
    yield from (later.number for later in chapters if later.number > chapter.number)
    if (chapter.root / "tinytorch" / "__init__.py").is_file():
        yield "library"


def _code(chapter, later):
    if later == "library":
        return chapter.root / "tinytorch"
    return {"": read_source(_snapshot(chapter, later))}


def _snapshot(chapter, number):
    (path,) = chapter.root.glob(f"solutions/{number:02}_*/tinytorch.py")
    return path


def _broken(chapter, later, result, used):
    """Failures that no exception covers; the exceptions that cover others are added to `used`."""
    target = "the library" if later == "library" else f"chapter {later}"
    if result.note:
        yield Problem(place(chapter), f"on {target}: {result.note}")
    tests = [test for exercise in result.exercises for test in exercise.tests]
    for test in tests:
        if later == "library" and (test.is_contract or test.is_inherited):
            continue  # contracts look into Part I, and the suite of its own chapter has asked it
        if not test.passed:
            covering = {e for e in chapter.exceptions if e.covers(later) and _is_meant(e, test)}
            used |= {(exception, later) for exception in covering}
            if not covering:
                says = f"{_function(test)} fails on {target}: {test.message}"
                yield Problem(f"exercise {test.exercise}", says)


def _idle(chapters, pairs, used):
    """Exceptions that nothing needs."""
    for chapter in chapters:
        targets = [later for which, later in pairs if which is chapter]
        for exception in chapter.exceptions:
            meant = [later for later in targets if exception.covers(later)]
            if meant and not any((exception, later) in used for later in meant):
                what = exception.test or f"exercise {exception.exercise}"
                yield Problem(place(chapter), f"needs no exception for {what}: it holds")


def _is_meant(exception, test):
    return exception.exercise == test.exercise or exception.test == _function(test)


def _function(test):
    """The name of a test's function: "test_x" of "test_tensor.py::test_x[3]"."""
    return test.id.rpartition("::")[2].partition("[")[0]
