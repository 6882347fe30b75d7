"""bubblewrap: no network, nothing to write but one folder, no environment. Linux has it.

https://github.com/containers/bubblewrap
"""

import shutil
import subprocess
import sys
from pathlib import Path

from course.manifest import UsageError
from course.paths import ROOT

SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc")


def require():
    """UsageError in one line where gradings cannot run in a sandbox."""
    if not shutil.which("bwrap"):
        raise UsageError("--sandbox needs bubblewrap (bwrap), which is not here: install it")
    tried = subprocess.run(inside(["true"], Path("/tmp")), capture_output=True, text=True)
    if tried.returncode:
        why = (tried.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise UsageError(f"--sandbox: bubblewrap does not work on this machine: {why}")


def inside(command, folder):
    """The command that runs another one in a sandbox, in which only this folder can be written."""
    python = [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])]
    line = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    line += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--clearenv"]
    for path in dict.fromkeys([*SYSTEM, *python, str(ROOT)]):
        line += ["--ro-bind-try", path, path]
    line += ["--bind", str(folder), str(folder), "--remount-ro", "/", "--chdir", str(ROOT)]
    settings = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "PYTHONPATH": str(ROOT)}
    settings |= {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "MPLCONFIGDIR": "/tmp"}
    for name, value in settings.items():
        line += ["--setenv", name, value]
    return [*line, *command]
