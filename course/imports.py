"""The library as a graph: which of its modules imports which, read from the sources."""

import ast

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


def bundled(graph, kept):
    """The graph with those that aren't `kept` in bundles: {tuple of names: set of tuples}.

    A bundle holds all that stand on the same of the kept ones, so that no circle comes about. An
    edge is left out where another way leads there, too.

    >>> bundled({"a": set(), "b": {"a"}, "c": {"b"}, "d": {"c", "a"}}, {"b"})
    {('a',): set(), ('b',): {('a',)}, ('c', 'd'): {('b',)}}
    """
    below = behind(graph)
    bundles = {}
    for name in graph:
        key = name if name in kept else frozenset(below[name] & kept)
        bundles.setdefault(key, []).append(name)
    home = {name: tuple(sorted(names)) for names in bundles.values() for name in names}
    edges = {box: {home[other] for name in box for other in graph[name]} - {box}
             for box in home.values()}  # fmt: skip
    below = behind(edges)
    return {box: {to for to in edges[box] if not any(to in below[by] for by in edges[box])}
            for box in edges}  # fmt: skip


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
