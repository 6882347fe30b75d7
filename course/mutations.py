"""Small changes made by machine: what a definition may turn into by one slip of the hand.

Each is an edit of the text, so that a survivor's diff reads as if somebody had typed it. Error
messages are left alone, as are signatures and decorators, which a student is given.
"""

import ast
from itertools import pairwise

SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
SIGNS |= {ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
TURNED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
TURNED |= {ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
SWAPPED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.Pow: "*", ast.FloorDiv: "/"}


def mutants(text):
    """All texts that one small change makes of the text of a definition, each once.

    >>> len(mutants("def double(x):\\n    return x + x\\n"))
    3
    """
    (function,) = ast.parse(text).body
    found = {}
    for first, last, new in _edits(function):
        start, end = _offset(text, *first), _offset(text, *last)
        mutant = (text.encode()[:start] + new.encode() + text.encode()[end:]).decode()
        try:
            found.setdefault(ast.unparse(ast.parse(mutant)), mutant)
        except SyntaxError:
            continue  # such as a break outside a loop
    found.pop(ast.unparse(function), None)
    return list(found.values())


def _offset(text, line, column):
    """Where a line and a column in bytes are, in bytes."""
    return sum(len(part.encode()) for part in text.splitlines(keepends=True)[: line - 1]) + column


def _edits(function):
    start = 1 if ast.get_docstring(function, clean=False) is not None else 0
    yield from _fixed_parameters(function, function.body[start])
    for node in _walk(function.body[start:]):
        for edit in EDITS.get(type(node), ()):
            yield from edit(node)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.Raise)):
            yield _instead(node, "pass")


def _walk(nodes):
    """These nodes and all within them, the words of an error message aside."""
    for node in nodes:
        yield node
        if not isinstance(node, (ast.Raise, ast.JoinedStr)):
            yield from _walk(ast.iter_child_nodes(node))


def _instead(node, new):
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), new


def _fixed_parameters(function, first):
    """A parameter that is ignored: always its default."""
    given = function.args
    pairs = list(zip(given.args[::-1], given.defaults[::-1], strict=False))
    pairs += zip(given.kwonlyargs, given.kw_defaults, strict=True)
    for arg, default in pairs:
        if default is not None:
            place = first.lineno, first.col_offset
            yield place, place, f"{arg.arg} = {ast.unparse(default)}; "


def _comparison(node):
    for i, operator in enumerate(node.ops):
        left = [node.left, *node.comparators][i]
        yield _compared(node, i, TURNED[type(operator)])
        if isinstance(operator, (ast.Is, ast.IsNot)) and _is_none(node.comparators[i]):
            no = "not " if isinstance(operator, ast.Is) else ""
            yield _instead(node, f"({no}{ast.unparse(left)})")


def _compared(node, i, sign):
    parts = [ast.unparse(part) for part in (node.left, *node.comparators)]
    signs = [SIGNS[type(operator)] for operator in node.ops]
    signs[i] = sign
    words = [parts[0]]
    for operator, part in zip(signs, parts[1:], strict=True):
        words += [operator, part]
    return _instead(node, " ".join(words))


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def _arithmetic(node):
    left, right = f"({ast.unparse(node.left)})", f"({ast.unparse(node.right)})"
    if type(node.op) in SWAPPED:
        yield _instead(node, f"({left} {SWAPPED[type(node.op)]} {right})")
    yield _instead(node, left)
    yield _instead(node, right)


def _both_or_one(node):
    word = "and" if isinstance(node.op, ast.Or) else "or"
    yield _instead(node, "(" + f" {word} ".join(f"({ast.unparse(v)})" for v in node.values) + ")")
    for value in node.values:
        yield _instead(node, f"({ast.unparse(value)})")


def _sign(node):
    yield _instead(node, f"({ast.unparse(node.operand)})")


def _condition(node):
    yield _instead(node.test, f"not ({ast.unparse(node.test)})")
    if isinstance(node.test, (ast.Name, ast.Attribute)):
        yield _instead(node.test, f"({ast.unparse(node.test)} is not None)")
    if not isinstance(node, ast.While):
        yield _instead(node.test, "True")
        yield _instead(node.test, "False")


def _loop(node):
    """Ends after its first turn."""
    last = node.body[-1]
    end = last.end_lineno, last.end_col_offset
    yield end, end, "\n" + " " * last.col_offset + "break"


def _call(node):
    """An argument dropped; a copy or a cast left out, or put in."""
    function, args, keywords = ast.unparse(node.func), node.args, node.keywords
    said = [*map(ast.unparse, args), *map(ast.unparse, keywords)]
    for i in range(len(args) - 1, -1, -1):
        if i == len(args) - 1 or len(args) == 2:
            yield _instead(node, f"{function}({', '.join(said[:i] + said[i + 1 :])})")
    for i in range(len(args), len(said)):
        yield _instead(node, f"{function}({', '.join(said[:i] + said[i + 1 :])})")
        if said[i].startswith("axis="):
            yield _instead(node, f"{function}({', '.join([*said[:i], 'axis=0', *said[i + 1 :]])})")
    if len(said) == len(args) == 1:
        yield _instead(node, f"({said[0]})")
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield _instead(node, f"({ast.unparse(node.func.value)})")
    if isinstance(node.func, ast.Name) and function == "Tensor" and args:
        yield _instead(node, f"Tensor(np.asarray({said[0]}, np.float32))")
    if function == "np.array":
        yield _instead(node, f"np.asarray({', '.join(said)})")


def _number(node):
    if isinstance(node.value, bool):
        yield _instead(node, str(not node.value))
    elif isinstance(node.value, (int, float)):
        yield _instead(node, f"({node.value + 1})")


def _returned(node):
    if isinstance(node.value, ast.Tuple):
        parts = [ast.unparse(part) for part in node.value.elts]
        for i in range(len(parts)):
            yield _instead(node.value, ", ".join([*parts[:i], "None", *parts[i + 1 :]]))
        for i, _ in enumerate(pairwise(parts)):
            turned = [*parts[:i], parts[i + 1], parts[i], *parts[i + 2 :]]
            yield _instead(node.value, ", ".join(turned))
    elif node.value is not None:
        yield _instead(node.value, "None")


def _added(node):
    if type(node.op) in SWAPPED:
        value = ast.unparse(node.value)
        target = ast.unparse(node.target)
        yield _instead(node, f"{target} {SWAPPED[type(node.op)]}= {value}")
        yield _instead(node, f"{target} = {value}")


def _no_finally(node):
    """What stands under finally: is done only where nothing was raised."""
    if node.finalbody and not node.handlers:
        lines = ["if True:"]
        lines += [" " * (node.col_offset + 4) + ast.unparse(part) for part in node.body]
        lines += [" " * node.col_offset + ast.unparse(part) for part in node.finalbody]
        yield _instead(node, "\n".join(lines))


EDITS = {
    ast.Compare: [_comparison],
    ast.BinOp: [_arithmetic],
    ast.BoolOp: [_both_or_one],
    ast.UnaryOp: [_sign],
    ast.If: [_condition],
    ast.IfExp: [_condition],
    ast.While: [_condition, _loop],
    ast.For: [_loop],
    ast.Call: [_call],
    ast.Constant: [_number],
    ast.Return: [_returned],
    ast.AugAssign: [_added],
    ast.Try: [_no_finally],
}
