"""The library as a graph: which of its modules imports which, read from the sources."""

import ast
from collections import Counter
from itertools import chain

from course.source import parse, read_source


def modules_of(library):
    """{name: path} of a package and all its modules: "tinytorch", "tinytorch.nn.conv", …"""
    paths = sorted(library.rglob("*.py"))
    return {_name(path.relative_to(library.parent)): path for path in paths}


def imports_in(modules):
    """{name: the names of those among the modules that it imports}, without what goes in circles.

    Where two import each other, one of the two edges is left out.
    """
    found = {name: [*_imported(name, path, modules)] for name, path in modules.items()}
    return _without_circles(found)


def behind(graph):
    """{name: all names that it leads to}, for a graph without circles."""
    found = {}

    def visit(name):
        if name not in found:
            found[name] = set().union(*({other} | visit(other) for other in graph[name]))
        return found[name]

    for name in graph:
        visit(name)
    return found


def among(graph, kept):
    """The graph of the kept ones alone: an edge wherever a way leads, by others or not.

    An edge is left out where one more of the kept is on the way.

    >>> among({"a": set(), "b": {"a"}, "c": {"b"}, "d": {"c", "a"}}, {"a", "b", "d"})
    {'a': set(), 'b': {'a'}, 'd': {'b'}}
    """
    below = behind(graph)
    found = {name: below[name] & kept for name in sorted(kept)}
    return {name: {to for to in seen if not any(to in below[by] for by in seen)}
            for name, seen in found.items()}  # fmt: skip


def carried(graph):
    """{name: how many others lead to it}, for a graph without circles."""
    return dict.fromkeys(graph, 0) | Counter(chain.from_iterable(behind(graph).values()))


def _imported(name, path, modules):
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(parse(read_source(path))):
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1])
            home = ".".join(filter(None, [above if node.level else "", node.module]))
            inner = [f"{home}.{alias.name}" for alias in node.names]
            wanted = [one if one in modules else home for one in inner]
        else:
            continue
        yield from (one for one in wanted if one in modules and one != name)


def _without_circles(graph):
    kept = {}

    def visit(name, way):
        kept[name] = set()
        for other in graph[name]:
            if other not in way:
                kept[name].add(other)
                if other not in kept:
                    visit(other, way | {other})

    for name in graph:
        if name not in kept:
            visit(name, {name})
    return kept


def _name(path):
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
