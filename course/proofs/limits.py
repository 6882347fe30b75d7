"""Proof 9: limits that keep things readable, counted in lines of code.

Docstrings, comments and blank lines do not count.
"""

import ast
import io
import tokenize

from course.modules import definitions, file_name, solution_of
from course.proofs.grading import place
from course.proofs.result import Problem, Result
from course.source import parse

SNAPSHOT = 400
MODULE = 160  # of Part II
FUNCTION = 30
ANSWER = 12  # the body of one definition that an exercise asks for


def prove_limits(chapters):
    """9. No snapshot, function or answer is too long."""
    longest, problems = 0, []
    for chapter in chapters:
        for module, text in solution_of(chapter).items():
            lines = code_lines(text)
            longest = max(longest, len(lines))
            limit = MODULE if chapter.is_package else SNAPSHOT
            if len(lines) > limit:
                what = f"{file_name(chapter, module)} has " if chapter.is_package else ""
                problems.append(Problem(place(chapter), f"{what}{len(lines)} lines, limit {limit}"))
            problems += _long_functions(chapter, {module: text}, lines)
    return Result(f"the longest file has {longest} lines of code", problems)


def code_lines(text):
    """The numbers, from 0, of the lines that hold code."""
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (*skipped, tokenize.ENDMARKER):
            lines |= set(range(token.start[0] - 1, token.end[0]))
    return lines - _docstring_lines(text)


def _docstring_lines(text):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    owners = [node for node in ast.walk(parse(text)) if isinstance(node, kinds)]
    strings = [owner.body[0] for owner in owners if ast.get_docstring(owner) is not None]
    return {line for node in strings for line in range(node.lineno - 1, node.end_lineno)}


def _long_functions(chapter, code, lines):
    asked = {name: exercise for exercise in chapter.exercises for name in exercise.names}
    for name, definition in definitions(code).items():
        whole = len(lines & set(range(definition.start, definition.end)))
        body = len(lines & set(range(definition.body_start, definition.end)))
        if whole > FUNCTION:
            yield Problem(place(chapter), f"{name} has {whole} lines, limit {FUNCTION}")
        if name in asked and body > ANSWER:
            says = f"the answer {name} has {body} lines, limit {ANSWER}"
            yield Problem(place(chapter, asked[name]), says)
