"""The library's README: its program runs, and its order of files is the order of imports."""

import ast
import re
from pathlib import Path

import tinytorch

FOLDER = Path(tinytorch.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
TABLES = README.partition("## What differs")[0]
OPERATIONS = re.findall(r"`ops/(\w+)\.py`", TABLES)


def listed():
    """The modules in the order of the first table, with those of the second in place of `ops/`."""
    for name in re.findall(r"`(ops/|\w+)(?:\.py)?`", TABLES):
        if name == "ops/":
            yield from (f"ops.{operation}" for operation in OPERATIONS)
        else:
            yield name


LISTED = list(listed())


def imported(name):
    """The modules of the library that one of them imports when it is imported itself."""
    text = (FOLDER / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.module in ("tinytorch", "tinytorch.ops"):
            package = node.module.partition(".")[2]
            yield from (".".join(filter(None, (package, alias.name))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("tinytorch."):
            yield node.module.removeprefix("tinytorch.")


def test_all_files_are_listed():
    files = [file.relative_to(FOLDER).with_suffix("") for file in FOLDER.rglob("*.py")]
    names = {
        ".".join(file.parts) for file in files if file.parts[0] == "ops" or not file.parent.name
    }
    assert names - set(LISTED) == {"__init__", "ops.__init__"}


def test_a_file_imports_from_those_listed_before_it():
    for place, name in enumerate(LISTED):
        if (FOLDER / f"{name.replace('.', '/')}.py").is_file():
            late = set(imported(name)) - set(LISTED[:place])
            assert not late, f"{name}.py imports {late}"


def test_the_program_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    tinytorch.manual_seed(0)
    exec(program, names := {})
    correct = (names["net"](names["points"]).argmax(1) == names["inside"]).float().mean()
    assert correct > 0.9
    assert list(tinytorch.load("net.safetensors")) == list(names["net"].state_dict())
