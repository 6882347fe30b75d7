"""Proofs 2 to 4: each suite passes what is right and catches what is blank or wrong."""

from course.blanks import derive
from course.misconceptions import CatalogueError, catalogue
from course.modules import blank, solution_of
from course.proofs.grading import grade_all, place
from course.proofs.result import Problem, Result


def prove_solutions_pass(chapters):
    """2. Every solution has full marks; of a blank every exercise is "not started"."""
    solved = grade_all((c, solution_of(c), None) for c in chapters)
    blanks = grade_all((c, derive(c), None) for c in chapters)
    problems = [problem for result in solved for problem in _not_passed(result, "the solution")]
    problems += [problem for result in blanks for problem in _not_blank(result)]
    marks = sum(result.marks for result in solved)
    count = sum(len(chapter.exercises) for chapter in chapters)
    return Result(f"{marks} marks on the solutions, {count} exercises not started", problems)


def prove_blanks_stand_alone(chapters):
    """3. With one exercise blank, its own tests fail and those of earlier ones pass."""
    cases = [(chapter, exercise) for chapter in chapters for exercise in chapter.exercises]
    results = grade_all(
        (chapter, blank(solution_of(chapter), [exercise]), _up_to(chapter, exercise))
        for chapter, exercise in cases
    )
    problems = []
    for (_, exercise), result in zip(cases, results, strict=True):
        text = f"the solution with {exercise.id} blank"
        problems += _not_blank(result, exercise.id)
        problems += [p for p in _not_passed(result, text) if p.where != f"exercise {exercise.id}"]
    return Result(f"{len(cases)} exercises blank one at a time", problems)


def prove_misconceptions_are_caught(chapters):
    """4. Every wrong answer fails a test of its own exercise, with its words."""
    entries, problems = _entries(chapters)
    solutions = {chapter.number: solution_of(chapter) for chapter in chapters}
    wrong = ((c, entry.apply(solutions[c.number]), entry.exercise) for c, entry in entries)
    results = grade_all(wrong, until_failed=True)
    missed = [
        problem
        for (_, entry), result in zip(entries, results, strict=True)
        for problem in _not_caught(entry, result)
    ]
    figures = f"{len(entries)} tried, {len(entries) - len(missed)} caught"
    return Result(figures, problems + missed)


def _up_to(chapter, exercise):
    return [other.id for other in chapter.exercises if other.number <= exercise.number]


def _not_passed(result, text):
    """Problems of a file that should have full marks."""
    if result.note:
        yield Problem(place(result.chapter), f"{text}: {result.note}")
    for exercise in result.exercises:
        if exercise.status != "passed" and not result.note:
            says = f"{text} has {exercise.marks} of {exercise.out_of} marks: {exercise.message}"
            yield Problem(place(result.chapter, exercise), says)


def _not_blank(result, only=None):
    """Problems of a file in which these exercises are blank."""
    if result.note:
        yield Problem(place(result.chapter), f"the blank: {result.note}")
    for exercise in result.exercises:
        if only not in (None, exercise.id) or result.note:
            continue
        passed = [test.id for test in exercise.tests if test.passed and not test.is_inherited]
        for test in passed:
            says = f"{test} passes with the exercise blank"
            yield Problem(place(result.chapter, exercise), says)
        if exercise.status != "not started" and not passed:
            yield Problem(place(result.chapter, exercise), f"the blank is {exercise.status!r}")


def _entries(chapters):
    entries, problems = [], []
    for chapter in chapters:
        try:
            entries += [(chapter, entry) for entry in catalogue(chapter)]
        except CatalogueError as error:
            where, _, says = str(error).partition(": ")
            problems.append(Problem(where, says))
    return entries, problems


def _not_caught(entry, result):
    if result.note:
        yield Problem(entry.where, f"{entry.title}: the file cannot be graded: {result.note}")
        return
    (exercise,) = result.exercises
    if exercise.status == "passed":
        yield Problem(entry.where, f"{entry.title} passes all tests of exercise {exercise.id}")
    missing = [words for words in entry.says if words not in exercise.message]
    if exercise.status != "passed" and missing:
        says = f"{entry.title}: no {missing[0]!r} in the message: {exercise.message}"
        yield Problem(entry.where, says)
