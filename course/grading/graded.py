"""The file that is graded, as the module `tinytorch` that the tests see."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from course.paths import ROOT


class Graded:
    """A tinytorch that the tests can import before any line of it has run.

    `path` is a file under any name, or the folder of a package. The text is compiled from the
    file itself: a .pyc can be older than an edit made within the same second.
    """

    def __init__(self, path, is_library=None):
        self.path = Path(path).absolute()
        self.is_library = self.path == ROOT / "tinytorch" if is_library is None else is_library
        self.is_loaded = False
        self.module = self._package() if self.path.is_dir() else ModuleType("tinytorch")

    def offer(self):
        """Let `import tinytorch` find the module; it is still empty."""
        sys.modules["tinytorch"] = self.module

    def load(self):
        """Run the file. What it defines appears in the module that the tests hold already."""
        if self.path.is_dir():
            self.module.__spec__.loader.exec_module(self.module)
        else:
            self._run_file()
        self.is_loaded = True

    def forget(self):
        """The next load starts from nothing again. A package stays as it is."""
        self.is_loaded = self.path.is_dir()

    def holds(self, filename):
        """Is this the name of a file that is graded?"""
        return str(filename).startswith(str(self.path))

    def _run_file(self):
        code = compile(self.path.read_bytes(), str(self.path), "exec", dont_inherit=True)
        if str(self.path.parent) not in sys.path:
            sys.path.append(str(self.path.parent))  # last: a student's random.py shadows nothing
        namespace = self.module.__dict__
        namespace.clear()
        namespace.update(__name__="tinytorch", __file__=str(self.path))
        exec(code, namespace)

    def _package(self):
        spec = importlib.util.spec_from_file_location(
            "tinytorch", self.path / "__init__.py", submodule_search_locations=[str(self.path)]
        )
        return importlib.util.module_from_spec(spec)
