"""A page of the book for each chapter: its notebook as it ran, hints and answers folded away."""

import re
from copy import deepcopy

from course.blanks import derive
from course.modules import definitions, solution_of
from course.notebooks.file import read_notebook

EXERCISE = re.compile(r"### Exercise (\d+\.\d+) · (.*)")
CHECK = re.compile(r'\s*check\("(\d+\.\d+)"\)\s*$')

FILE = re.compile(r"\[([^\]]+)\]\([^)/:#]+\.py\)")  # a link to the student's own file


def page(chapter):
    """The notebook of the solution, for readers who can't run it."""
    notebook = deepcopy(read_notebook(chapter.solution_notebook))
    texts = definitions(derive(chapter)), definitions(solution_of(chapter))
    exercises = {exercise.id: exercise for exercise in chapter.exercises}
    notebook["cells"] = [_cell(cell, exercises, *texts) for cell in notebook["cells"]]
    return notebook


def _cell(cell, exercises, blanks, answers):
    text = "".join(cell["source"])
    is_answer = "answer" in cell["metadata"].get("tags", [])
    if cell["cell_type"] == "code":
        check = CHECK.match(text)
        if check and check[1] in exercises:
            return _markdown(cell, _help(exercises[check[1]], answers))
        return _folded(cell) if is_answer else _described(cell)
    if is_answer:
        return _markdown(cell, f"::::{{dropdown}} What came out here\n{text}\n::::")
    heading = EXERCISE.match(text)
    if heading:
        return _markdown(cell, _task(exercises[heading[1]], heading[2], text, blanks))
    return _markdown(cell, FILE.sub(r"\1", text))


def _markdown(cell, text):
    return {"cell_type": "markdown", "id": cell["id"], "metadata": {}, "source": text}


def _folded(cell):
    cell["metadata"]["tags"] = ["hide-cell"]
    return _described(cell)


def _described(cell):
    """The cell, its pictures with a text for those who don't see them."""
    for output in cell["outputs"]:
        data = output.get("data", {})
        alt = re.match(r"<(.*)>", "".join(data.get("text/plain", "")))
        if "image/png" in data and alt:
            cell["metadata"]["mystnb"] = {"image": {"alt": alt[1]}}
    return cell


def _task(exercise, rest, text, blanks):
    """The heading, what it takes, the task, and what is given: the name, and its docstring."""
    title, *facts = rest.split(" · ")
    body = text.partition("\n")[2].strip()
    label = f"(exercise-{exercise.id.replace('.', '-')})="
    given = _code(exercise, blanks)
    facts = f":::{{div}} exercise\n{' · '.join(facts)}\n:::"
    return f"{label}\n### Exercise {exercise.id} · {title}\n\n{facts}\n\n{body}\n\n{given}"


def _help(exercise, answers):
    """Hints one by one, then the answer with its reason."""
    hints = [
        f":::{{dropdown}} Hint {number} of {len(exercise.hints)}\n{hint}\n:::"
        for number, hint in enumerate(exercise.hints, start=1)
    ]
    why = f"Here's why: {exercise.reason}"
    answer = f"::::{{dropdown}} Our answer\n{_code(exercise, answers)}\n\n{why}\n::::"
    return "\n\n".join([*hints, answer])


def _code(exercise, texts):
    code = "\n\n".join(texts[name].text.rstrip() for name in exercise.names if name in texts)
    return f"```python\n{code}\n```"
