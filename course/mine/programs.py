"""A part of parts.py in a process of its own: `python -m course.mine.programs NAME FOLDER FILE…`.

FOLDER holds the tinytorch to run it on; the FILEs in that are the student's.
"""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from course.grading import reaper
from course.grading.limits import limit_this_process, stretch
from course.grading.process import environment
from course.paths import ROOT

LIMIT = 60.0  # seconds; the longest takes some 5


def run(name, folder, files, limit=LIMIT):
    """Run a part on folder/tinytorch: {"says", "is_right"}, or {"error"}: one line."""
    paths = os.pathsep.join(map(str, [folder, ROOT]))
    limit *= stretch()
    process = reaper.start(
        [sys.executable, "-P", "-m", "course.mine.programs", name, str(folder), *files],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment(paths),
    )
    try:
        said, _ = process.communicate(timeout=limit)
        return json.loads(said.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"error": f"it didn't end within {limit:.0f} seconds"}
    except (ValueError, IndexError):
        return {"error": "its process came to an end without a result"}
    finally:
        reaper.end(process)


def main(name, folder, *files):
    """Run one part, and print what came of it as JSON."""
    limit_this_process()
    sys.path.append(str(Path(folder) / "beside"))  # last: a student's random.py shadows nothing
    with contextlib.redirect_stdout(open(os.devnull, "w", encoding="utf-8")):
        record = _record(name, Path(folder) / "tinytorch", files)
    print(json.dumps(record))


def _record(name, tinytorch, files):
    theirs = {str(tinytorch / file): file for file in files}
    try:
        import tinytorch as tt

        if Path(tt.__file__).parent != tinytorch:
            raise ImportError(f"tinytorch came from {tt.__file__}")
        from course.mine import parts

        tt.manual_seed(parts.SEED)
        says, is_right = getattr(parts, name)()
        return {"says": says, "is_right": bool(is_right)}
    except BaseException as error:  # also sys.exit()
        from course.grading.wording import line_about

        graded = SimpleNamespace(holds=theirs.__contains__, name_of=theirs.get, parts={})
        return {"error": line_about(error, graded)}


if __name__ == "__main__":
    main(*sys.argv[1:])
