"""What is graded, as the module `tinytorch` that the tests see."""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from course.manifest import path_of

INIT = "__init__.py"


class NotTheirs(ImportError):
    """A module that should be the student's came from elsewhere."""


class Graded:
    """A tinytorch that the tests can import before any line of it has run, or it is known where.

    `path` is a file under any name, or the folder of a package. The text is compiled from the
    file itself: a .pyc can be older than an edit made within the same second.

    In Part II the folder has some `modules` only, and Python takes all others from `library`.
    """

    def __init__(self):
        self.module = ModuleType("tinytorch")
        self.is_loaded = False
        self.parts = {}  # {the name of a graded module: the module}

    def at(self, path, library=None, modules=("",)):
        """Say where it lies."""
        self.path = Path(path).absolute()
        self.library = library and Path(library)
        self.modules = modules
        return self

    def offer(self):
        """Let `import tinytorch` find the module; it is still empty."""
        sys.modules["tinytorch"] = self.module

    def load(self):
        """Run the file. What it defines appears in the module that the tests hold already."""
        namespace = self.module.__dict__
        namespace.clear()
        namespace["__name__"] = "tinytorch"
        if self.path.is_dir():
            self._run_package(namespace)
        else:
            self._run(self.path, namespace)
        self.parts = {name: self._part(name) for name in self.modules}
        self.is_loaded = True

    def forget(self):
        """The next load starts from nothing again. A package of Part I stays as it is."""
        self.is_loaded = self.path.is_dir() and self.library is None

    def holds(self, filename):
        """Is this the name of a file that is graded?"""
        return str(filename).startswith(str(self.path))

    def name_of(self, filename):
        """What a graded file is called: "tinytorch.py", or in a package as "nn/conv.py"."""
        place = Path(filename).relative_to(self.path).as_posix()
        return self.path.name if place == "." else place

    def _run(self, file, namespace):
        """Run a file's text as it is now."""
        code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
        if str(self.path.parent) not in sys.path:
            sys.path.append(str(self.path.parent))  # last: a student's random.py shadows nothing
        namespace["__file__"] = str(file)
        exec(code, namespace)

    def _run_package(self, namespace):
        for name in [name for name in sys.modules if name.startswith("tinytorch.")]:
            del sys.modules[name]
        home = self.library or self.path
        namespace["__path__"] = list(dict.fromkeys([str(self.path), str(home)]))
        namespace["__spec__"] = ModuleSpec("tinytorch", None, origin=str(home), is_package=True)
        self._run(home / INIT, namespace)

    def _part(self, name):
        """A graded module; NotTheirs where Python found it elsewhere than in the graded folder."""
        if not name:
            return self.module
        found = import_module(f"tinytorch.{name}")
        file = getattr(found, "__file__", None)
        if file != str(path_of(self.path, name)):
            raise NotTheirs(f"tinytorch.{name} came from {file}, not from {self.path}")
        return found
