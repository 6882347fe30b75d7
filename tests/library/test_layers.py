"""The library in layers: chapters lay their modules over it, so none may need a later one."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import tinytorch
from course.manifest import all_chapters
from course.proofs.limits import code_lines

FOLDER = Path(tinytorch.__file__).parent
CHAPTERS = {
    6: "node engine gradients hooks",
    7: "ops.shapes ops.reductions ops.indexing ops.linalg",
    8: "tape functional",
    9: "ctx function",
    10: "modes",
    11: "nn.module nn.init optim.sgd optim.adam utils.data.loader",
    12: "nn.windows nn.conv nn.pooling nn.normalization nn.attention",
}
CHAPTER_OF = {module: number for number, names in CHAPTERS.items() for module in names.split()}
CORE = ["dtypes", "memory", "state", "tensor", "node", "engine", "grad_mode", "operation"]

# names that PyTorch or MXNet give to two things; every other one has one meaning
TWICE = {
    "Function": "autograd.Function and MXNet's",
    "Identity": "nn.Identity and nn.utils.prune.Identity",
    "Variable": "autograd.Variable and the tape's",
    "cross": "Tensor.cross and linalg.cross",
    "backward": "autograd.backward and MXNet's",
    "diagonal": "Tensor.diagonal and linalg.diagonal",
    "grad": "autograd.grad, func.grad and MXNet's",
    "hessian": "autograd.functional.hessian and func.hessian",
    "jvp": "autograd.functional.jvp and func.jvp",
    "log_softmax": "Tensor.log_softmax, and nn.functional.log_softmax without a dimension",
    "manual_seed": "that of the library and cuda.manual_seed",
    "normal_": "Tensor.normal_ and nn.init.normal_",
    "norm": "Tensor.norm and linalg.norm",
    "softmax": "Tensor.softmax, and nn.functional.softmax without a dimension",
    "spectral_norm": "nn.utils.spectral_norm and nn.utils.parametrizations.spectral_norm",
    "unfold": "Tensor.unfold and nn.functional.unfold",
    "uniform_": "Tensor.uniform_ and nn.init.uniform_",
    "vander": "that of the library and linalg.vander",
    "vjp": "autograd.functional.vjp and func.vjp",
    "weight_norm": "nn.utils.weight_norm and nn.utils.parametrizations.weight_norm",
}


def file_of(name):
    file = FOLDER.joinpath(*name.split(".")).with_suffix(".py") if name else FOLDER / "__init__.py"
    return file if file.is_file() else FOLDER.joinpath(*name.split("."), "__init__.py")


def text_of(name):
    return file_of(name).read_text(encoding="utf-8")


def modules():
    """{name of a module in the library: its syntax tree}, packages under their own names."""
    for file in FOLDER.rglob("*.py"):
        parts = file.relative_to(FOLDER).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        yield name, ast.parse(file.read_text(encoding="utf-8"))


TREES = dict(modules())


def imports_of(name):
    """The modules of the library that this one imports when it is imported itself."""
    for node in TREES[name].body:
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "tinytorch":
            source = node.module.removeprefix("tinytorch").removeprefix(".")
            inside = {f"{source}.{alias.name}".strip(".") for alias in node.names} & set(TREES)
            yield from inside or {source}
        assert not (isinstance(node, ast.Import) and "tinytorch" in node.names[0].name), name


IMPORTS = {name: set(imports_of(name)) for name in TREES}


def needed_by(name):
    """All modules that are imported with this one, at first or second hand."""
    found, stack = set(), [name]
    while stack:
        for other in IMPORTS[stack.pop()] - found:
            found.add(other)
            stack.append(other)
    return found


@pytest.mark.parametrize("name", CHAPTER_OF)
def test_a_module_needs_none_of_a_later_chapter(name):
    later = {module for module in CHAPTER_OF if CHAPTER_OF[module] > CHAPTER_OF[name]}
    assert not needed_by(name) & later


def test_the_chapters_ask_for_the_modules_of_this_table():
    asked = {c.number: set(c.modules) for c in all_chapters() if c.is_package}
    assert asked == {number: set(CHAPTERS[number].split()) for number in asked}


def test_imports_are_absolute_and_have_no_cycles():
    assert not [name for name in TREES if name in needed_by(name)]
    relative = [
        name
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not relative


def test_a_name_has_one_meaning():
    homes = defaultdict(set)
    for name, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                homes[node.name].add(name)
    twice = {name for name in homes if len(homes[name]) > 1 and not name.startswith("__")}
    assert twice == set(TWICE)


def test_the_core_is_short():
    assert sum(len(code_lines(text_of(name))) for name in CORE) < 900


@pytest.mark.parametrize("name", CHAPTER_OF)
def test_a_module_that_a_chapter_shows_is_short(name):
    assert len(code_lines(text_of(name))) <= 160


def test_functions_are_short():
    for name, tree in TREES.items():
        lines = code_lines(text_of(name))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                count = len(lines & set(range(node.lineno - 1, node.end_lineno)))
                assert count < 30, f"{name}.{node.name} has {count} lines"
