"""What pip installs: the library alone; in an editable install the course can be imported too."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from course.environment import OFFLINE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what is built: pip leaves a folder build/ behind."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("tinytorch", "course"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    said = result.stdout + result.stderr
    if result.returncode and (OFFLINE.search(said) or "No module named pip" in said):
        pytest.skip("building needs pip and a connection to the package index")
    assert result.returncode == 0, said


def test_the_wheel_has_the_library_and_nothing_else(checkout, tmp_path):
    pip("wheel", "--no-deps", "--wheel-dir", tmp_path, checkout)
    (wheel,) = tmp_path.glob("tinytorch_course-0.1.0-*.whl")
    names = [Path(name) for name in zipfile.ZipFile(wheel).namelist()]
    files = {name for name in names if ".dist-info" not in name.parts[0]}
    sources = [*checkout.glob("tinytorch/**/*.py"), *checkout.glob("tinytorch/**/*.pyi")]
    sources.append(checkout / "tinytorch" / "py.typed")
    assert files == {file.relative_to(checkout) for file in sources}


def test_an_editable_install_finds_the_course_from_anywhere(checkout, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip("--python", python, "install", "--no-deps", "--editable", checkout)
    code = "import course; print(course.__file__)"
    found = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert Path(found.stdout.strip()).is_relative_to(checkout), found.stderr
