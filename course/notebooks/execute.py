"""Run a notebook in a fresh kernel, so that it comes out the same each time."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from course.blanks import with_package
from course.environment import without_grammars
from course.manifest import path_of
from course.modules import write_code
from course.notebooks import outputs
from course.notebooks.file import METADATA, NotebookError, tags
from course.paths import ROOT
from course.source import read_source

CHECK = re.compile(r"""\bcheck\(\s*["'](\d+\.\d+)["']""")
CELL_SECONDS = 300  # a cell that runs longer than this hangs


def run(notebook, chapter, code, answers=None):
    """The notebook as it comes out of a fresh kernel, with `code` as its tinytorch.

    `answers` are codes by the ids of exercises: each takes the place of the one before when the
    cell comes that checks its exercise, as if a student had written it there.

    It runs in a folder of its own, named like the chapter's, in Part II with a copy of the library
    where the package looks for it. NotebookError names the cell that failed; a check() that does
    not pass is a failure too.
    """
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as parent:
        root = Path(parent).resolve()
        folder = root / "chapters" / chapter.slug
        tinytorch = folder / chapter.exercise_file.name
        write_code(tinytorch, with_package(chapter, code))
        if chapter.is_package:
            shutil.copytree(chapter.library, root / "tinytorch")
        ran = _execute(notebook, folder, _writer(tinytorch, answers or {}))
        paths = {str(folder): chapter.slug, str(root): ".", str(ROOT): "."}
    return _normalised(ran, paths)


def _writer(tinytorch, answers):
    """A function that is told of each cell before it runs, and writes the answer that it checks.

    Each answer is written once: a later check of the same exercise takes nothing away.
    """
    left = dict(answers)

    def write(cell, **_):
        match = CHECK.search(cell["source"]) if cell["cell_type"] == "code" else None
        answer = left.pop(match[1], {}) if match else {}
        was = {module: read_source(path_of(tinytorch, module)) for module in answer}
        write_code(tinytorch, {m: text for m, text in answer.items() if text != was[m]})

    return write


def _environment(folder):
    """This process's environment, less what would make a run differ from another."""
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    paths = [str(folder), str(ROOT), environment.get("PYTHONPATH", "")]
    return environment | {
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "IPYTHONDIR": str(folder.parents[1] / "ipython"),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OPENBLAS_NUM_THREADS": "1",
        "COURSE_STRICT": "1",
    }


def _execute(notebook, folder, before_each_cell):
    without_grammars()
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    node = nbformat.from_dict(notebook)
    client = NotebookClient(
        node,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
        on_cell_start=before_each_cell,
    )
    try:
        client.execute(env=_environment(folder), stderr=subprocess.DEVNULL)
    except CellTimeoutError:
        raise NotebookError(f"a cell ran longer than {CELL_SECONDS} s") from None
    except DeadKernelError:
        raise NotebookError("the kernel died") from None
    except CellExecutionError as error:
        raise NotebookError(_first_failure(node, error)) from None
    return json.loads(json.dumps(node))


def _first_failure(node, error):
    for cell in node["cells"]:
        for output in cell.get("outputs", []):
            if output["output_type"] == "error" and "raises-exception" not in tags(cell):
                line = cell["source"].strip().splitlines()[-1]
                return f"cell {cell['id']} ({line}): {output['ename']}: {output['evalue']}"
    return str(error).strip().splitlines()[-1]


def _normalised(notebook, paths):
    """Execution counts 1, 2, 3 …; outputs without what differs from run to run."""
    cells, count = [], 0
    for cell in notebook["cells"]:
        cell = cell | {"metadata": {"tags": tags(cell)} if tags(cell) else {}}
        if cell["cell_type"] == "code":
            count += 1
            cleaned = outputs.cleaned(cell["outputs"], count, paths)
            cell = cell | {"execution_count": count, "outputs": cleaned}
        cells.append(cell)
    return notebook | {"cells": cells, "metadata": METADATA}
