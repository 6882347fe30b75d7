"""What editors show of the library: its stubs are true, completion and type checkers know it."""

import inspect
import json
import os
import shutil
import subprocess
import sys
from functools import partial, wraps
from pathlib import Path
from typing import Any

import jedi
import numpy as np
import pytest

import tinytorch
from course.operations import OPERATIONS
from course.paths import ROOT
from course.stubs import derived_stubs

STUBS = derived_stubs()
PROGRAM = Path(__file__).with_name("typed_program.py")
START = """
import tinytorch
import tinytorch.nn as nn
import tinytorch.nn.functional as F
x = tinytorch.tensor([1.0, 2.0], requires_grad=True)
class Net(nn.Module):
    def forward(self, x):
        return x
net = Net()
"""


@pytest.mark.parametrize("path", STUBS)
def test_a_stub_is_what_is_derived(path):
    assert (ROOT / path).read_text(encoding="utf-8") == STUBS[path], "run make stubs"


@pytest.mark.parametrize("path", STUBS)
def test_a_stub_is_python(path):
    exec("from __future__ import annotations\n" + STUBS[path], {"__name__": "stub"})


# --- completion ---


def completions(text):
    project = jedi.Project(ROOT, added_sys_path=[str(ROOT)], load_unsafe_extensions=False)
    found = jedi.Script(START + text, project=project).complete()
    return {completion.name: completion for completion in found}


@pytest.mark.parametrize(
    "text",
    [
        "x.",
        "x.relu().",
        "(x * 2)[0].",
        "tinytorch.exp(x).",
        "F.relu(x).",
        "tinytorch.randn(2, 3).T.",
        "x.max().",
        "nn.Linear(2, 3)(x).",
        "net(x).",
        "net.weight.",
    ],
)
def test_a_tensor_offers_its_methods(text):
    public = {name for name in vars(tinytorch.Tensor) if not name.startswith("_")}
    assert len(public) > 150 and not public - set(completions(text))


def test_a_completion_has_its_signature_and_docstring():
    relu = completions("x.")["relu"].docstring()
    assert relu.startswith("relu() -> Tensor\n\nmax(0, input)")
    assert "dim=None, keepdim=False" in completions("tinytorch.")["sum"].docstring()


@pytest.mark.parametrize(
    "text, names",
    [
        ("tinytorch.", "tensor exp zeros float32 no_grad nn optim autograd Tensor pi"),
        ("nn.", "Linear Module Sequential functional init"),
        ("F.", "relu cross_entropy softmax"),
        ("tinytorch.optim.", "SGD Adam lr_scheduler"),
        ("tinytorch.optim.SGD([x]).", "step zero_grad param_groups"),
        ("import tinytorch.utils.data as d; d.", "DataLoader TensorDataset random_split"),
        ("x.shape.", "numel index count"),
        ("net.", "parameters state_dict train eval zero_grad"),
    ],
)
def test_names_are_offered(text, names):
    assert not set(names.split()) - set(completions(text))


# --- types ---


def checked(name, function):
    """The function, which asserts that what it returns for a tensor is of the type declared."""
    declared = inspect.signature(function).return_annotation
    kinds = {inspect.Signature.empty: tinytorch.Tensor, "tuple[Tensor, ...]": tuple}
    kind = kinds.get(declared, declared)

    @wraps(function)
    def checking(*args, **kwargs):
        result = function(*args, **kwargs)
        if isinstance(kind, type) and kind is not Any and isinstance(args[0], tinytorch.Tensor):
            assert isinstance(result, kind) or result is NotImplemented, (name, type(result))
            seen.add(name)
        return result

    seen = checking.seen = set()
    return checking


def test_methods_return_what_the_stub_says(monkeypatch):
    methods = {n: f for n, f in vars(tinytorch.Tensor).items() if inspect.isfunction(f)}
    methods = {name: checked(name, function) for name, function in methods.items()}
    for name, method in methods.items():
        monkeypatch.setattr(tinytorch.Tensor, name, method)
    generator = np.random.default_rng(0)
    for _, operation, shapes, values in OPERATIONS:
        arrays = [generator.uniform(*values, shape) for shape in shapes]
        operation(tinytorch, *map(partial(tinytorch.tensor, requires_grad=True), arrays))
    assert sum(bool(method.seen) for method in methods.values()) > 50


def test_pyright_finds_no_error_in_an_ordinary_program(tmp_path):
    """As a user sees it: the library is installed, the program is somebody else's."""
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed: npm install --global pyright")
    shutil.copy(PROGRAM, tmp_path)
    command = [pyright, "--outputjson", "--pythonpath", sys.executable, PROGRAM.name]
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    found = json.loads(run.stdout)["generalDiagnostics"]
    lines = [f"{each['range']['start']['line'] + 1}: {each['message']}" for each in found]
    assert not lines, "\n".join(lines)


def test_the_ordinary_program_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(
        compile(PROGRAM.read_text(encoding="utf-8"), PROGRAM.name, "exec"), {"__name__": "program"}
    )
