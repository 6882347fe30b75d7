"""The virtual environment in .venv: made on the first call, a stamp says what is installed.

An interpreter that has all that is needed (another environment, conda) is used as it is. Nothing in
.venv is ever cleared: what was broken off is made whole, and a reader's own packages stay.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from functools import partial
from importlib import util

from course.lock import alone
from course.paths import ROOT

VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PACKAGES = f"{'Lib' if os.name == 'nt' else 'lib/python*'}/site-packages/*.dist-info"
STAMP = VENV / "tinytorch-stamp"
LOG = VENV / "install.log"
INSTALLING = "installing"
LOCK = ROOT / ".course" / "setting-up"
WAITS = "Another terminal is setting up .venv; waiting for it."
MODULES = {  # where it is not the package's own name
    "axe-core-python": "axe_core_python",
    "ipython": "IPython",
    "myst-nb": "myst_nb",
    "pytest-xdist": "xdist",
    "sphinx-copybutton": "sphinx_copybutton",
    "sphinx-design": "sphinx_design",
}
CHANGES = ("Installing collected", "Resolved ")  # pip's and uv's last line before they change .venv
OFFLINE = re.compile(
    "NewConnectionError|NameResolutionError|ConnectTimeout|Failed to establish"
    "|dns error|error sending request|Could not connect",
    re.IGNORECASE,
)


class SetupError(Exception):
    """The environment cannot be made, said in one line."""


def without_grammars():
    """Spare nbformat, and what else imports jsonschema, three seconds that nobody needs.

    It would ask rfc3987_syntax, which compiles 38 grammars of addresses as soon as it is imported.
    """
    sys.modules.setdefault("rfc3987_syntax", None)


def requirements(extras):
    """The requirements of pyproject.toml, as {name: lowest version}."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["dependencies"] + sum((project["optional-dependencies"][e] for e in extras), [])
    return dict(line.split(">=") for line in lines)


def is_complete(extras):
    """Does the running interpreter have all that these extras ask for?"""
    needed = requirements(extras)
    if not all(util.find_spec(MODULES.get(n, n)) for n in needed):  # cheap, and mostly decides
        return False
    from importlib import metadata  # slow to import

    return all(_version(metadata.version(name)) >= _version(low) for name, low in needed.items())


def ensure(extras):
    """The path of .venv's interpreter, these extras installed; SetupError if that fails.

    Extras that were installed before stay.
    """
    if not _is_installed(extras):
        with alone(LOCK, WAITS):
            if not _is_installed(extras):  # somebody else may just have done it
                _set_up(extras)
    return PYTHON


def run_inside(arguments, extras):
    """Run this command again in .venv; its exit code, or None where this interpreter will do."""
    if (_running_inside() and _is_installed(extras)) or is_complete(extras):
        return None
    python = ensure(extras)
    if _running_inside():
        return None
    return run([python, "-m", "course", *arguments], cwd=ROOT)


def run(command, **options):
    """Run a command to its end and return its exit code; Ctrl-C is left to it.

    SIGTERM is handed on, and ends this process when the command has come to its end.
    """
    process = subprocess.Popen(command, **options)
    asked = []
    before = signal.signal(signal.SIGTERM, lambda *_: asked.append(process.terminate()))
    code = _wait(process)
    signal.signal(signal.SIGTERM, before)
    if asked:
        sys.exit(128 + signal.SIGTERM)
    return code


def _wait(process):
    while True:
        try:
            code = process.wait()
            return code if code >= 0 else 128 - code
        except KeyboardInterrupt:
            continue  # it received the Ctrl-C too, and may want to ask first


def _set_up(extras):
    found, *installed = _stamp()
    wanted = sorted({*extras, *installed})
    does = "Adding to .venv what is missing" if installed else "Setting up .venv"
    print(f"{does}; this takes a minute or a few ", end="", flush=True)
    try:
        if not VENV.exists():
            VENV.mkdir()
            _write_stamp(INSTALLING, [])
        if found == INSTALLING:
            _forget_half_packages()
        _make_venv()
        _install(wanted)
    except (SetupError, OSError):
        print(flush=True)  # the reason gets a line of its own
        raise
    _write_stamp(_fingerprint(), wanted)
    print(" done.", flush=True)


def _running_inside():
    return os.path.realpath(sys.prefix) == os.path.realpath(VENV)


def _is_installed(extras):
    """Does the stamp say that .venv has these extras, as pyproject.toml has them now?"""
    found, *installed = _stamp()
    return found == _fingerprint() and set(extras) <= set(installed) and PYTHON.is_file()


def _stamp():
    """The fingerprint of what was installed, or INSTALLING, and the extras."""
    words = STAMP.read_text(encoding="utf-8").split() if STAMP.is_file() else []
    return words or [None]


def _write_stamp(found, extras):
    STAMP.write_text(" ".join([found, *extras]), encoding="utf-8")


def _fingerprint():
    """Changes with the requirements, with the Python, and when the folder has moved."""
    content = (ROOT / "pyproject.toml").read_bytes() + f"{ROOT}{PYTHON.resolve()}".encode()
    return hashlib.sha256(content).hexdigest()


def _forget_half_packages():
    """Have what an installer was at when it was broken off installed again: it signs at the end."""
    for folder in VENV.glob(PACKAGES):
        if not (folder / "INSTALLER").is_file():
            shutil.rmtree(folder)


def _make_venv():
    """Make .venv, or what's missing of it; what is installed there stays."""
    uv = shutil.which("uv")
    works = _runs("import sys")
    if works and (uv or _runs("from importlib import metadata; metadata.version('pip')")):
        return
    if not works:  # its Python has gone, and venv would leave links that lead nowhere
        for link in filter(os.path.islink, PYTHON.parent.glob("python*")):
            link.unlink()
    command = [str(PYTHON) if works else sys.executable, "-m", "venv", str(VENV)]
    command += ["--without-pip"] * bool(uv)
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        said = made.stdout + made.stderr
        if "ensurepip" in said:
            package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
            raise SetupError(f"cannot make .venv; on Debian and Ubuntu: sudo apt install {package}")
        raise SetupError(f"cannot make {VENV}: {_last_line(said)}")


def _runs(code):
    """Does .venv's Python run this to its end?"""
    try:
        ran = subprocess.run([PYTHON, "-c", code], capture_output=True, check=False)
    except OSError:
        return False
    return ran.returncode == 0


def _install(extras):
    uv = shutil.which("uv")
    pip = [uv, "pip", "install", "--python", str(PYTHON)] if uv else _pip()
    command = [*pip, "-e", f"{ROOT}[{','.join(extras)}]"]
    with LOG.open("w", encoding="utf-8") as log:
        code = _run_logged(command, log, partial(_write_stamp, INSTALLING, extras))
    if code != 0:
        raise SetupError(_why_it_failed(LOG.read_text(encoding="utf-8")))
    _compile()


def _pip():
    options = ["--disable-pip-version-check", "--no-compile", "--retries", "2"]
    return [str(PYTHON), "-m", "pip", "install", *options]


def _compile():
    """Compile all that is installed, on all cores: the processes that grade leave nothing behind.

    pip would take one core for it, and uv leaves it to whoever imports. What cannot be compiled,
    such as a template for a file, is passed over.
    """
    folder = VENV / ("Lib" if os.name == "nt" else "lib")
    command = [str(PYTHON), "-m", "compileall", "-qq", "-j", "0", str(folder)]
    subprocess.run(command, capture_output=True, check=False)


def _run_logged(command, log, changes):
    """All output goes to the log; the terminal shows a dot for each package.

    `changes` is called before anything in .venv changes: until then all that it has can be used.
    """
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    options |= {"errors": "replace", "close_fds": False}  # it holds the lock, too
    with subprocess.Popen(command, cwd=ROOT, **options) as process:
        try:
            for line in process.stdout:
                log.write(line)
                if line.lstrip().startswith(("Collecting ", "Processing ")):
                    print(".", end="", flush=True)
                elif line.startswith(CHANGES):
                    changes()
        except KeyboardInterrupt:  # it received that too: nobody begins before it has ended
            log.write(process.stdout.read())
            raise
    return process.returncode


def _why_it_failed(log):
    if OFFLINE.search(log):
        return "no connection to the package index; once there is, run the same command again"
    errors = [line for line in log.splitlines() if re.match(r"\s*(ERROR|error)", line)]
    reason = errors[0].strip() if errors else _last_line(log)
    return f"installing failed: {reason} (all of it: {LOG.relative_to(ROOT)})"


def _last_line(text):
    return (text.strip().splitlines() or ["no reason was given"])[-1].strip()


def _version(text):
    """The leading numbers of a version: "2.13.0+cpu" -> [2, 13, 0]."""
    return [int(part) for part in re.match(r"\d+(\.\d+)*", text)[0].split(".")]
