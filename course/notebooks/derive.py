"""A student's notebook, derived from the solved one."""

import re

from course.notebooks.file import METADATA, NotebookError, tags

HEADING = re.compile(r"(?P<level>#+) Exercise (?P<id>\d+\.\d+)\b.*")


def heading(exercise):
    """What the heading of an exercise says, the same in every notebook.

    Exercise 3.2 · topological_order · ●●●○○ · 20 min · every backward pass walks this order
    """
    dots = "●" * exercise.difficulty + "○" * (5 - exercise.difficulty)
    parts = [f"Exercise {exercise.id}", title_of(exercise), dots, f"{exercise.minutes} min"]
    return " · ".join([*parts, exercise.why])


def title_of(exercise):
    """The title of an exercise in Markdown, which would make __repr__ bold."""
    return exercise.title.replace("__", r"\_\_")


def with_headings(notebook, chapter):
    """The notebook with its exercises' headings as the manifest has them."""
    exercises = {exercise.id: exercise for exercise in chapter.exercises}

    def written(match):
        if match["id"] not in exercises:
            raise NotebookError(f"{chapter.slug}.ipynb: there is no exercise {match['id']}")
        return f"{match['level']} {heading(exercises[match['id']])}"

    def announced(cell):
        first, newline, rest = cell["source"].partition("\n")
        return cell | {"source": HEADING.sub(written, first) + newline + rest}

    cells = [announced(c) if c["cell_type"] == "markdown" else c for c in notebook["cells"]]
    return notebook | {"cells": cells, "metadata": METADATA}


def derive(notebook, chapter):
    """A student's notebook: no outputs, no cells tagged "answer", headings from the manifest."""
    cells = [_stripped(cell) for cell in notebook["cells"] if "answer" not in tags(cell)]
    return with_headings(notebook | {"cells": cells}, chapter)


def holds_work(notebook):
    """Has it been run? What the course writes to chapters/ has neither outputs nor counts."""
    return any(cell.get("outputs") or cell.get("execution_count") for cell in notebook["cells"])


def _stripped(cell):
    cell = cell | {"metadata": {"tags": tags(cell)} if tags(cell) else {}}
    return cell | {"execution_count": None, "outputs": []} if cell["cell_type"] == "code" else cell
