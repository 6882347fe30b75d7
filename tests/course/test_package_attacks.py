"""Marks without work in a chapter of several files: what the library has earns nothing."""

import marshal
import shutil
import sys
from importlib.util import MAGIC_NUMBER

import pytest
from small_course import EXERCISE, edit, write
from small_package import IMPORTS, make_package

from course.grading import grade
from course.manifest import load_chapter
from course.modules import solution_of, write_code
from course.paths import ROOT

LATER = "import sys, tinytorch\n"  # the first of the graded modules that is imported is nn.conv
ATTACKS = {  # what stands at the top of sums.py, in which double() is wrong: what is said
    "the library first": (
        f"{LATER}tinytorch.__path__.reverse()\ndel sys.modules['tinytorch.sums']\n"
        "from tinytorch.sums import double as good\n",
        "",
    ),
    "the checkout on the path": (
        f"{LATER}tinytorch.__path__.insert(0, {{library!r}})\ndel sys.modules['tinytorch.sums']\n"
        "import tinytorch.sums\n",
        "opens ",
    ),
    "the answer read": ("open({library!r} + '/sums.py').read()\n", "opens sums.py"),
    "the own module's answer read": ("open({own!r}).read()\n", "opens extra.py"),
    "the copy of the library written over": (
        "import tinytorch.tensor as t\nopen(t.__file__, 'a')\n",
        "writes to tensor.py",
    ),
    "what the copy has compiled": (
        "import glob, tinytorch.tensor as t, os\n"
        "found = glob.glob(os.path.dirname(t.__file__) + '/__pycache__/sums*')\n"
        "open(found[0], 'rb')\n",
        "IndexError",
    ),
    "the library's code exchanged": (
        "import tinytorch.tensor as t\nt.Tensor.__init__.__code__ = (lambda *a: None).__code__\n",
        "changes the __code__ of __init__()",
    ),
    "code that feigns to be the library's": (
        "import tinytorch.tensor as t\nexec(compile('1', t.__file__, 'exec'))\n",
        "makes code under the name of another file",
    ),
    "another module in place of one that is asked for": (
        "import sys, types\nsys.modules['tinytorch.extra'] = types.ModuleType('x')\n",
        "tinytorch.extra came from None, not from ",
    ),
    "the judge patched": ("import course.testing as t\nt.expect = print\n", "which judges it"),
    "a frame": ("import sys\nsys._getframe()\n", "looks at who called it"),
    "a way out in a helper": ("from tinytorch import helper\n", "names __globals__"),
}


@pytest.fixture
def chapter(tmp_path):
    return make_package(tmp_path)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_earns_nothing(chapter, name):
    text, says = ATTACKS[name]
    places = {"library": str(chapter.library), "own": str(chapter.files["extra"])}
    write_code(chapter.exercise_file, solution_of(chapter))
    write(chapter.exercise_file / "helper.py", "import json\njson.loads.__globals__\n")
    edit(chapter.exercise_file / "sums.py", "total = x + x", "total = 7 * x")
    edit(chapter.exercise_file / "sums.py", '"""Sums."""', text.format(**places))
    result = grade(chapter)
    assert result.exercises[0].marks == 0
    assert says in result.note, result.note


def test_a_compiled_answer_beside_a_module_is_not_taken_for_it(chapter):
    write_code(chapter.exercise_file, solution_of(chapter))
    edit(chapter.exercise_file / "sums.py", "total = x + x", "total = 7 * x")
    cache = chapter.exercise_file / "__pycache__"
    cache.mkdir()
    code = compile((chapter.library / "sums.py").read_text(), "sums.py", "exec")
    unchecked = (1).to_bytes(4, "little") + bytes(8)
    pyc = cache / f"sums.{sys.implementation.cache_tag}.pyc"
    pyc.write_bytes(MAGIC_NUMBER + unchecked + marshal.dumps(code))
    assert grade(chapter).exercises[0].message.startswith("double(3) = 21, expected 6")


HONEST = """import importlib
import tempfile

import numpy as np

import tinytorch as tt
"""
USES = """
    for name in {names}:
        importlib.import_module(name)
    x = tt.tensor([1.0, 2.0], requires_grad=True)
    with tt.autograd.detect_anomaly():
        (x * x).sum().backward()
        try:
            (x * float("nan")).sum().backward()
        except RuntimeError:
            pass
    with tempfile.TemporaryDirectory() as folder:
        tt.save({{"x": x.detach()}}, folder + "/x.safetensors")
        tt.load(folder + "/x.safetensors")
    tt.nn.Linear(2, 2)(x).sum().backward()
    for batch in tt.utils.data.DataLoader([1.0, 2.0], batch_size=2):
        str(batch)
    if a is None"""


def test_an_answer_may_use_the_whole_library(tmp_path):
    """Its imports, its notes of lines and its files are its own affair."""
    shutil.copytree(ROOT / "tinytorch", tmp_path / "tinytorch")
    manifest = 'number = 6\nslug = "06_x"\ntitle = "X"\nquestion = "?"\nmodules = ["tape"]\n'
    manifest += EXERCISE.format(id="6.1", name="tape.add_optional", title="x")
    write(tmp_path / "tests/chapter06/exercises.toml", manifest.replace("points = 2", "points = 1"))
    test = '\n\n@pytest.mark.exercise("6.1", points=1)\ndef test_x():\n'
    test += '    expect(tt.tape.add_optional(None, 3), 3, "add_optional(None, 3)")\n'
    write(tmp_path / "tests/chapter06/test_all.py", IMPORTS + test)
    chapter = load_chapter(6, tmp_path)
    files = sorted((ROOT / "tinytorch").rglob("*.py"))
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    names = [name.removesuffix(".__init__") for name in names]
    text = HONEST + chapter.files["tape"].read_text()
    text = text.replace("    if a is None", USES.format(names=names), 1)
    write(chapter.exercise_file / "tape.py", text)
    result = grade(chapter)
    assert result.passed, (result.note, result.exercises[0].message)
