"""Every example in a docstring of the library runs and gives what it says."""

import doctest
import importlib
import pkgutil

import pytest

import tinytorch

MODULES = [info.name for info in pkgutil.walk_packages(tinytorch.__path__, "tinytorch.")]


@pytest.mark.parametrize("name", ["tinytorch", *MODULES])
def test_the_examples_run(name, tmp_path):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    output = []
    for test in finder.find(module, extraglobs={"tinytorch": tinytorch, "folder": tmp_path}):
        runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
