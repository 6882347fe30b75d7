"""The library's README: its program runs, and its order of files is the order of imports."""

import ast
import re
from pathlib import Path

import tinytorch

FOLDER = Path(tinytorch.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
LISTED = re.findall(r"`(\w+)\.py`", README.partition("## What differs")[0])


def imported(file):
    """The modules of the library that a file imports when it is imported itself."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module == "tinytorch":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("tinytorch."):
            yield node.module.removeprefix("tinytorch.")


def test_all_files_are_listed():
    files = {file.stem for file in FOLDER.glob("*.py")}
    assert files - set(LISTED) == {"__init__", "cuda"}


def test_a_file_imports_from_those_listed_before_it():
    for place, name in enumerate(LISTED):
        late = set(imported(FOLDER / f"{name}.py")) - set(LISTED[:place])
        assert not late, f"{name}.py imports {late}"


def test_the_program_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    tinytorch.manual_seed(0)
    exec(program, names := {})
    correct = (names["net"](names["points"]).argmax(1) == names["inside"]).float().mean()
    assert correct > 0.9
    assert list(tinytorch.load("net.safetensors")) == list(names["net"].state_dict())
