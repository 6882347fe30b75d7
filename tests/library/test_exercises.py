"""Functions of the library that a chapter may ask a student for: short, and not needed to compute.

A chapter lays its own modules over the library. While their bodies are blank, the library must
still be imported, and compute forward.
"""

import ast
import subprocess
import sys
from collections import defaultdict
from types import SimpleNamespace

import pytest
from test_layers import CHAPTER_OF, FOLDER, TREES, file_of, text_of

from course.proofs.limits import ANSWER, code_lines
from course.source import blank, definitions

EXERCISES = {
    6: """node.Node.backward node.AccumulateGrad.backward node.add_to_grad engine.reachable
        engine.deliver engine.run hooks.Hooks.before""",
    7: """ops.shapes.inverse_order ops.shapes.spread ops.linalg.matmul_left ops.linalg.matmul_right
        ops.reductions.softmax_formula ops.reductions.log_softmax_formula ops.reductions.log_of_sum
        ops.reductions.logsumexp_formula ops.indexing.place_in_zeros ops.reductions.prod_formula""",
    8: """tape.Variable.__mul__ tape.add_optional tape.Tape.propagate tape.Tape.grad
        tape.Variable.sum tape.Variable.expand functional.hessian functional.jvp""",
    9: """ctx.Context.save_for_backward ctx.Context.needs_input_grad function.Function.apply
        function.run_forward ctx.Context.materialized function.note_changes
        ctx.Context.check_versions function.once_differentiable""",
    10: """modes.record modes.pause modes.train_mode modes.predict_mode modes.WriteGrad.backward
        modes.mark modes.with_ones modes.backward modes.Function.__call__ modes.ObjectCall.forward
        modes.ObjectCall.backward modes.get_symbol modes.Symbol.list_arguments""",
    11: """nn.module.Module.__setattr__ nn.module.Module.named_modules nn.module.Module._named
        nn.module.Module.state_dict nn.module.copy_into nn.init.fans_of_shape nn.init.kaiming_std
        optim.sgd.with_momentum optim.adam.adam_step utils.data.loader.DataLoader.batches""",
    12: """nn.windows.places nn.windows.windows_of nn.windows.sum_of_windows nn.conv.convolved
        nn.conv.conv_image nn.conv.conv_weight nn.pooling.first_equal nn.pooling.max_pool_formula
        nn.normalization.moments nn.normalization.normalized nn.attention.attend
        nn.attention.causal_mask""",
}
NAMES = [name for names in EXERCISES.values() for name in names.split()]
INIT = """
from pathlib import Path

__path__.append({library!r})

from tinytorch.contents import *
from tinytorch.contents import __getattr__, __version__
"""
FORWARD = """
import sys
import tinytorch
from tinytorch import autograd, nn, optim, tape, utils

for name in {modules}:
    assert sys.modules["tinytorch." + name].__file__.startswith({folder!r}), name

x = tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = (x * x).sum(0) + x[[0, 0]] @ x.mT - x.softmax(1) + x.permute(1, 0).prod(0)
assert y.detach().round().tolist() == [[17.0, 42.0], [17.0, 42.0]]
assert y.grad_fn.next_functions[0][0].name() == "SubBackward0"
"""


def split(name):
    """("nn.conv", "conv_weight") for "nn.conv.conv_weight": the longest module, and the rest."""
    module = max((m for m in CHAPTER_OF if name.startswith(f"{m}.")), key=len)
    return module, name.removeprefix(f"{module}.")


def blanked(chapter):
    """{module: its text with the bodies of the chapter's exercises cut}."""
    names = defaultdict(list)
    for name in EXERCISES[chapter].split():
        module, rest = split(name)
        names[module].append(rest)
    for module, rests in names.items():
        yield (
            module,
            blank(text_of(module), [SimpleNamespace(id=chapter, title=module, names=rests)]),
        )


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_is_short_and_says_what_is_wanted(name):
    module, rest = split(name)
    found = definitions(text_of(module))[rest]
    lines = code_lines(text_of(module))
    assert len(lines & set(range(found.body_start, found.end))) <= ANSWER
    functions = [node for node in ast.walk(TREES[module]) if isinstance(node, ast.FunctionDef)]
    function = next(node for node in functions if node.end_lineno == found.end)
    assert ast.get_docstring(function)
    # another decorator would hold the old function when a notebook loads an edited one
    known = {"classmethod", "property", "staticmethod"}
    known |= {"elementwise"} if module == "tape" else set()
    assert {ast.unparse(decorator) for decorator in function.decorator_list} <= known


@pytest.mark.parametrize("chapter", EXERCISES)
def test_with_the_blanks_of_a_chapter_the_library_computes_forward(chapter, tmp_path):
    texts = dict(blanked(chapter))
    folder = tmp_path / "tinytorch"
    for module, text in texts.items():
        file = folder / file_of(module).relative_to(FOLDER)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "__init__.py").write_text(INIT.format(library=str(FOLDER)), encoding="utf-8")
    program = FORWARD.format(modules=list(texts), folder=str(folder))
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 0, result.stderr
