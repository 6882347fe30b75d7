"""A page of the book for each chapter: its notebook as it ran, hints and answers folded away."""

import re

from course.blanks import derive
from course.modules import definitions, solution_of
from course.notebooks.derive import HEADING
from course.notebooks.file import read_notebook, tags

CHECK = re.compile(r'\s*check\("(\d+\.\d+)"\)\s*$')
FILE = re.compile(r"\[([^\]]+)\]\([^)/:#]+\.py\)")  # a link to the student's own file


def page(chapter):
    """The notebook of the solution, for readers who can't run it."""
    notebook = read_notebook(chapter.solution_notebook)
    texts = definitions(derive(chapter)), definitions(solution_of(chapter))
    exercises = {exercise.id: exercise for exercise in chapter.exercises}
    notebook["cells"] = [_cell(cell, exercises, *texts) for cell in notebook["cells"]]
    return notebook


def anchor(exercise):
    """What a link to an exercise ends with."""
    return f"exercise-{exercise.id.replace('.', '-')}"


def _cell(cell, exercises, blanks, answers):
    text, is_answer = cell["source"], "answer" in tags(cell)
    if cell["cell_type"] == "code":
        check = CHECK.match(text)
        if check and check[1] in exercises:
            return _markdown(cell, _help(exercises[check[1]], answers))
        return _folded(cell) if is_answer else _described(cell)
    if is_answer:
        return _markdown(cell, f"::::{{dropdown}} What came out here\n{text}\n::::")
    heading = HEADING.match(text)
    if heading:
        return _markdown(cell, _task(exercises[heading["id"]], heading[0], text, blanks))
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


def _task(exercise, heading, text, blanks):
    """The heading, what it takes, the task, and what is given: the name, and its docstring."""
    name, title, *facts = heading.split(" · ")
    body = text.partition("\n")[2].strip()
    facts = f":::{{div}} exercise\n{' · '.join(facts)}\n:::"
    given = _code(exercise, blanks)
    return f"({anchor(exercise)})=\n{name} · {title}\n\n{facts}\n\n{body}\n\n{given}"


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
