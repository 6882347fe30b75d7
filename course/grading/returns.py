"""A `return` that was forgotten, seen in the definition itself."""

import ast

from course.grading.probes import find_definition, functions_of

BRANCHES = ("body", "orelse", "finalbody")
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
WITHOUT_EFFECT = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Name, ast.Tuple, ast.List)


def forgotten_return(graded, names):
    """What is lost for want of a return in one of these definitions, in words; "" if nothing is.

    A forward without one is wrong. Any other may have nothing to give back; unless its last line
    makes a local name, or a value that nobody catches: that can be meant for nothing but a return.
    What is not written in the graded file itself is left alone.
    """
    for name in names:
        codes = [function.__code__ for function in functions_of(graded.parts, name)]
        for code in codes:
            node = find_definition(code) if graded.holds(code.co_filename) else None
            if node is None or _gives_back(node):
                continue
            if _ends_in_vain(node.body[-1], _outside(node)):
                return f"{name} has no return, and what its last line makes is lost"
            if name.endswith(".forward"):
                return f"{name} has no return"
    return ""


def _gives_back(node):
    """Has a definition a return with a value, or a yield? What its inner ones have is theirs."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.Return) and part.value is not None:
            return True
        if isinstance(part, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(part, INNER) and _gives_back(part):
            return True
    return False


def _outside(node):
    """The names that are more than local: what it was given, what it says is global."""
    given = [part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)]
    said = [n for p in ast.walk(node) if isinstance(p, (ast.Global, ast.Nonlocal)) for n in p.names]
    return {*given, *said}


def _ends_in_vain(last, outside):
    if isinstance(last, ast.FunctionDef):  # made, and neither returned nor handed on
        return not last.decorator_list and last.name not in outside
    inner = [part for name in BRANCHES for part in getattr(last, name, [])[-1:]]
    if inner:
        return any(_ends_in_vain(part, outside) for part in inner)
    if isinstance(last, ast.Expr):
        return isinstance(last.value, WITHOUT_EFFECT) or _makes_an_object(last.value)
    if not isinstance(last, ast.Assign):
        return False
    names = [name for target in last.targets for name in getattr(target, "elts", [target])]
    return all(isinstance(name, ast.Name) and name.id not in outside for name in names)


def _makes_an_object(value):
    """Is it a call of a class, as names are written?"""
    called = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
    return called.rpartition(".")[2][:1].isupper()
