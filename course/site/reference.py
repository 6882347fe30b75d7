"""The library's reference: a page a module with all its public names, so that search finds each."""

import importlib
import inspect
import re

MODULES = (
    "tinytorch",
    "tinytorch.nn",
    "tinytorch.nn.functional",
    "tinytorch.nn.init",
    "tinytorch.optim",
    "tinytorch.optim.lr_scheduler",
    "tinytorch.autograd",
    "tinytorch.autograd.functional",
    "tinytorch.func",
    "tinytorch.modes",
    "tinytorch.utils.data",
    "tinytorch.distributions",
)
KINDS = (
    ("Classes", "autoclass", inspect.isclass),
    ("Functions", "autofunction", inspect.isroutine),
)
OPTIONS = {"autoclass": ["   :members:"]}


def pages():
    """{name of a page: its text}, the table of contents among them."""
    listed = "\n".join(MODULES)
    index = f"# The library\n\nWhat `tinytorch/` offers.\n\n```{{toctree}}\n{listed}\n```\n"
    homes, found = {}, {"index": index}
    for name in MODULES:
        found[name] = _page(name, homes)
    return found


def plain(app, what, name, obj, options, lines):
    """Our docstrings are plain text: no |bar|, *star* or initial in them means a thing."""
    is_example = False
    for place, line in enumerate(lines):
        is_example = line.lstrip().startswith(">>>") or is_example and bool(line.strip())
        if not is_example:
            lines[place] = re.sub(r"([|*]|^[A-Z](?=\. ))", r"\\\1", line)


def _page(name, homes):
    """A module's page; `homes` says on which page a name that several modules have stands."""
    module = importlib.import_module(name)
    public = {n: getattr(module, n) for n in dir(module) if not n.startswith("_")}
    ours = {n: value for n, value in public.items() if _is_ours(value)}
    new = {n: value for n, value in ours.items() if homes.setdefault(id(value), name) == name}
    lines = [f"# {name}", "", inspect.getdoc(module) or "", ""]
    elsewhere = [
        f"`{n}` ([{homes[id(v)]}]({homes[id(v)]}))" for n, v in ours.items() if n not in new
    ]
    lines += [f"Described elsewhere: {', '.join(elsewhere)}.", ""] if elsewhere else []
    for title, kind, is_kind in KINDS:
        members = [n for n, value in new.items() if is_kind(value)]
        lines += [f"## {title}", "", "```{eval-rst}"] if members else []
        for member in members:
            lines += [f".. {kind}:: {name}.{member}", *OPTIONS.get(kind, ()), ""]
        lines += ["```", ""] if members else []
    return "\n".join(lines)


def _is_ours(value):
    is_kind = inspect.isclass(value) or inspect.isroutine(value)
    return is_kind and (value.__module__ or "").startswith("tinytorch")
