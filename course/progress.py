"""How far the student is: the table of marks, and the chapter to go on with."""

from course.blanks import derive, has_answers
from course.carry import standing
from course.manifest import all_chapters
from course.modules import answers_in, definitions, is_blank
from course.output import command, shown, wrapped
from course.paths import ROOT


def show_progress(root=ROOT):
    """Print marks for each exercise of each chapter, and what is next."""
    from course.grading import grade  # needs pytest

    chapters = all_chapters(root)
    rows = []
    for chapter in chapters:
        if has_answers(chapter):
            print(f"grading {shown(chapter.exercise_file, root)}", flush=True)
            rows.append(grade(chapter, chapter.exercise_file).exercises)
        else:
            rows.append(None)
    print()
    print("\n".join(table(chapters, rows)))
    print("\n" + "\n".join(map(wrapped, carried(chapters, rows))))
    print(wrapped(what_is_next(chapters, rows)))


def table(chapters, rows):
    """The lines of the table; a row of None is a chapter that was not begun."""
    columns = max(len(chapter.exercises) for chapter in chapters)
    names = [f"{chapter.number} {chapter.title}" for chapter in chapters]
    room = max(map(len, ["exercise", *names]))
    head = "".join(f"{number:>6}" for number in range(1, columns + 1))
    yield f"{'exercise':<{room}}{head}   marks"
    for name, chapter, row in zip(names, chapters, rows, strict=True):
        results = row or [None] * len(chapter.exercises)
        cells = "".join(f"{_cell(result):>6}" for result in results)
        total = f"{sum(result.marks for result in row or [])}/{chapter.points}"
        yield f"{name:<{room}}{cells:<{6 * columns}}   {total}"


def carried(chapters, rows):
    """A line a chapter that holds carried answers, and one where more of them could go."""
    passed = {result.id for row in rows if row for result in row if result.status == "passed"}
    now = next_exercise(chapters, rows)
    for chapter, row in zip(chapters, rows, strict=True):
        if row is None and (now is None or now not in chapter.exercises):
            continue
        there, free = standing(chapter)
        more = sum(id in passed for id in free)
        if there:
            total = len(definitions(derive(chapter)))
            yield f"carried: {there} of chapter {chapter.number}'s {total} definitions are yours"
        if more:
            brings = "an answer" if more == 1 else f"{more} answers"
            yield f"to carry: {command(f'carry-chapter{chapter.number}')} brings {brings} of yours"


def what_is_next(chapters, rows):
    """One line: what to do next, and how to get a hint."""
    exercise = next_exercise(chapters, rows)
    if exercise is None:
        has_finale = any(chapter.is_package for chapter in chapters)
        return "All exercises passed." + f" The finale: {command('mine')}" * has_finale
    place = f"exercise {exercise.id}, {exercise.title}, {exercise.minutes} min"
    return f"next: {place}; a hint: {command(f'hint-{exercise.id}')}"


def next_exercise(chapters, rows):
    """The first unsolved exercise of the last chapter begun, or after it, or before; or None."""
    pairs = list(zip(chapters, rows, strict=True))
    last = max((number for number, row in enumerate(rows) if row), default=0)
    for chapter, row in pairs[last:] + pairs[:last]:
        for number, exercise in enumerate(chapter.exercises):
            if row is None or row[number].status != "passed":
                return exercise
    return None


def where_left_off(chapters):
    """The last chapter with an answer in it; if nothing in it is blank, the one after it."""
    begun = [number for number, chapter in enumerate(chapters) if has_answers(chapter)]
    last = begun[-1] if begun else 0
    finished = begun and not _has_blanks(chapters[last])
    return chapters[min(last + 1, len(chapters) - 1) if finished else last]


def _has_blanks(chapter):
    try:
        code = answers_in(chapter)
        return any(is_blank(code, exercise) != "started" for exercise in chapter.exercises)
    except (OSError, SyntaxError, ValueError):
        return True


def _cell(result):
    if result is None or result.status == "not started":
        return "-"
    return f"{result.marks}/{result.out_of}"
