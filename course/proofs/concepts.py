"""Proof 7: nothing is named before it has been introduced.

Read are a chapter's notebook, its exercise file, its tests and the texts of its manifest. Words
that look ahead stand in a cell tagged "outlook". A name with its path, as in `torch.no_grad`, is
PyTorch's.
"""

import ast
import re

from course.blanks import derive
from course.modules import definitions, solution_of
from course.notebooks.file import read_notebook, tags
from course.proofs.result import Problem, Result
from course.source import parse, read_source

PYTORCHS = re.compile(r"\btorch\.[\w.]*\w")
INTRODUCED = {  # the chapter that introduces a word; besides these, all names with an underscore
    2: ["ctx", "Context", "grad_fn", "apply", "save_for_backward", "saved_tensors"],
    3: [".backward()", ".grad", "topological_order", "zero_grad", "gradcheck"],
    4: ["unbroadcast", "broadcast_shape", "keepdims", "cross_entropy", "log_softmax"],
    5: ["requires_grad", "is_leaf", "leaf", "detach", "no_grad", "retain_graph", "SGD"],
}


def prove_concepts(chapters):
    """7. Texts, blanks and tests name only what has been introduced by then."""
    since = words(chapters)
    problems, texts = [], 0
    for chapter in chapters:
        ahead = [word for word, number in since.items() if number > chapter.number]
        for where, text in _texts(chapter):
            texts += 1
            for word in ahead:
                if _pattern(word).search(PYTORCHS.sub("", text)):
                    says = f"names {word!r}, which chapter {since[word]} introduces"
                    problems.append(Problem(where, says))
    return Result(f"{len(since)} words, {texts} texts", problems)


def words(chapters):
    """The chapter that introduces each word: the table's, names of snapshots and of exercises."""
    since = {word: number for number, words in INTRODUCED.items() for word in words}
    for chapter in chapters:
        asked = [name for exercise in chapter.exercises for name in exercise.names]
        for name in asked if chapter.is_package else definitions(solution_of(chapter)):
            last = name.rpartition(".")[2]
            if "_" in last.strip("_"):
                since.setdefault(last, chapter.number)
    return since


def _pattern(word):
    start = r"(?<!\w)" if word[0].isalnum() or word[0] == "_" else ""
    end = r"(?!\w)" if word[-1].isalnum() or word[-1] == "_" else ""
    return re.compile(start + re.escape(word) + end)


def _texts(chapter):
    """(where, text) of everything that a student of this chapter reads."""
    if chapter.is_package:
        yield from _docstrings(chapter)
    else:
        yield f"chapters/{chapter.slug}/tinytorch.py", derive(chapter)[""]
    for path in sorted(chapter.tests.glob("test_*.py")):
        yield f"tests/{chapter.tests.name}/{path.name}", _without_helpers(read_source(path))
    for exercise in chapter.exercises:
        parts = [exercise.title, exercise.why, exercise.reason, *exercise.hints]
        symptoms = [text for symptom in exercise.symptoms for text in symptom]
        yield f"exercise {exercise.id}", "\n".join([*parts, *symptoms])
    if chapter.solution_notebook.is_file():
        for cell in read_notebook(chapter.solution_notebook)["cells"]:
            if "outlook" not in tags(cell):
                yield f"{chapter.slug}.ipynb, cell {cell['id']}", cell["source"]


def _docstrings(chapter):
    """Of Part II's modules what is asked for is read: the rest is the library's, and ahead."""
    blanks = definitions(derive(chapter))
    for name in (name for exercise in chapter.exercises for name in exercise.names):
        yield f"chapters/{chapter.slug}/{chapter.exercise_file.name}, {name}", blanks[name].text


def _without_helpers(text):
    """A test's text without the names that it imports from course: those are the grader's own."""
    names = [
        alias.name
        for node in parse(text).body
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "course"
        for alias in node.names
    ]
    return re.sub(rf"\b(?:{'|'.join(names)})\b", "", text) if names else text
