"""Probes: the graded definitions tell when they are entered and left, and what they give back.

An answer runs as it stands in the file, with its own name, lines and place in a traceback; only
its code is compiled once more, with three calls in it: one before its first line, one around each
value that it returns, and one at the end, which also comes after an exception. A profiler would
be told of every call in the process, and costs more than the tests themselves.
"""

import ast
import inspect
import warnings
from pathlib import Path
from types import CodeType, FunctionType

from course.modules import split_name

PROBES = ENTER, GIVE, LEAVE, RUN = (
    "a probe: enter",
    "a probe: give",
    "a probe: leave",
    "a probe: run",
)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
SKIPPED = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def functions_of(parts, name):
    """The function behind a name, also of a method or a property or under decorators: a list.

    `parts` are the graded modules by their names.
    """
    home, name = split_name(parts, name)
    value = parts[home]
    for part in name.split("."):
        value = vars(value).get(part) if hasattr(value, "__dict__") else None
    value = getattr(value, "fget", None) or getattr(value, "__func__", None) or value
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return [value] if isinstance(value, FunctionType) else []


def set_probes(parts, names, calls):
    """Let these definitions call enter(*arguments), value = give(value), leave().

    `calls(name)` gives the three, and run(): a generator returns at each yield, and calls only
    that. What no `def` of a file has made has no probes.
    """
    found = {name: function for name in names for function in functions_of(parts, name)}
    plain = {n: f for n, f in found.items() if not f.__code__.co_flags & SKIPPED}
    plain = {n: f for n, f in plain.items() if Path(f.__code__.co_filename).is_file()}
    for file in {function.__code__.co_filename for function in plain.values()}:
        here = {n: f for n, f in plain.items() if f.__code__.co_filename == file}
        codes = _with_probes(file, {_key(f.__code__): f.__code__.co_flags for f in here.values()})
        for name, function in here.items():
            if _key(function.__code__) in codes:
                four = dict(zip(PROBES, calls(name), strict=True))
                function.__code__ = _with_calls(codes[_key(function.__code__)], four)


def _key(code):
    return code.co_name, code.co_firstlineno


def find_definition(code):
    """The `def` that a function's code was compiled from; None where there is none."""
    statements = _statements(ast.parse(Path(code.co_filename).read_bytes()))
    found = (part for part in statements if isinstance(part, ast.FunctionDef))
    return next((part for part in found if (part.name, _first_line(part)) == _key(code)), None)


def _with_probes(file, wanted):
    """{(name, first line): code} of the definitions {(name, first line): flags}, compiled anew."""
    tree = ast.parse(Path(file).read_bytes())
    tree.body = [part for part in tree.body if _put_in_all(part, wanted) or _is_future(part)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a constant cannot be called; these will be functions
        codes, found = [compile(tree, file, "exec", dont_inherit=True)], {}
    while codes:
        code = codes.pop()
        found[_key(code)] = code
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
    return {key: code for key, code in found.items() if key in wanted}


def _put_in_all(statement, wanted):
    """Put the calls into what is wanted in a statement; is there any?"""
    found = [
        node
        for node in _statements(statement)
        if isinstance(node, ast.FunctionDef) and (node.name, _first_line(node)) in wanted
    ]
    for node in found:
        is_generator = wanted[node.name, _first_line(node)] & inspect.CO_GENERATOR
        (_put_one_in if is_generator else _put_in)(node)
    return bool(found)


def _statements(statement):
    """A statement and all those in it; expressions, most of a tree, are left out."""
    yield statement
    for name in BLOCKS:
        for part in getattr(statement, name, ()):
            yield from _statements(part)


def _is_future(statement):
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _first_line(node):
    return min([node, *node.decorator_list], key=lambda part: part.lineno).lineno


def _put_in(node):
    """The three calls; their lines are those of the `def`, where nothing has begun yet."""
    given = node.args
    names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    names += [given.vararg.arg] if given.vararg else []
    start = _body_start(node)
    body = [_Returns().visit(statement) for statement in node.body[start:]]
    pairs = [ast.Tuple([ast.Constant(n), ast.Name(n, ast.Load())], ast.Load()) for n in names]
    enter = _call(ENTER, *pairs)
    whole = ast.Try(body=body, handlers=[], orelse=[], finalbody=[_call(LEAVE)])
    for new in (enter, whole):
        _place(new, _first_line(node))
    node.body[start:] = [enter, whole]


def _put_one_in(node):
    """The one call of a generator."""
    run = _call(RUN)
    _place(run, _first_line(node))
    node.body.insert(_body_start(node), run)


def _body_start(node):
    return 1 if ast.get_docstring(node, clean=False) is not None else 0


class _Returns(ast.NodeTransformer):
    """Puts a call around each value that a function itself returns."""

    def visit_Return(self, node):
        if node.value is not None:
            call = ast.Call(ast.Constant(GIVE), [node.value], [])
            node.value = ast.copy_location(call, node.value)
            ast.copy_location(call.func, call.args[0])
        return node

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef


def _call(what, *args):
    return ast.Expr(ast.Call(ast.Constant(what), list(args), []))


def _place(node, line):
    """Give a new node, and the parts of it that have no place, the place of a `def`."""
    for part in ast.walk(node):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            part.lineno = part.end_lineno = line
            part.col_offset = part.end_col_offset = 0


def _with_calls(code, calls):
    """The code with functions in place of the constants that stand for them."""
    parts = [calls.get(part, part) if isinstance(part, str) else part for part in code.co_consts]
    return code.replace(co_consts=tuple(parts))
