"""Every public callable has a docstring, and every example in one gives what it says."""

import doctest
import importlib
import inspect
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


# --- what help() says ---

PLACES = (
    "contents nn nn.functional nn.init nn.utils optim optim.lr_scheduler utils.data autograd cuda"
    " tape"
)


def public():
    """(name, value) of the functions and classes that are gathered, or else defined, in PLACES."""
    for place in PLACES.split():
        module = importlib.import_module(f"tinytorch.{place}")
        for name, value in vars(module).items():
            own = name[0] != "_" and getattr(value, "__module__", "") == module.__name__
            if callable(value) and (name in module.__all__ if hasattr(module, "__all__") else own):
                yield f"{place}.{name}", value


def members(cls):
    """(name, value) of the public methods and properties of a class."""
    for name, value in inspect.getmembers_static(cls):
        value = getattr(value, "__func__", value)
        is_setting = getattr(value, "__name__", "") == "<lambda>"
        if name[0] != "_" and not is_setting and (callable(value) or isinstance(value, property)):
            yield name, value


PUBLIC = dict(public())
CLASSES = {name: cls for name, cls in PUBLIC.items() if inspect.isclass(cls)}


def test_every_public_callable_has_a_docstring():
    assert [name for name, value in PUBLIC.items() if not value.__doc__] == []


def test_every_public_method_has_a_docstring():
    """One that a subclass writes anew may have that of its base."""
    assert [
        f"{place}.{name}"
        for place, cls in CLASSES.items()
        for name, value in members(cls)
        if not (value.__doc__ or inspect.getdoc(getattr(cls, name)))
    ] == []


def test_every_function_names_the_module_that_it_is_found_in():
    functions = [value for value in PUBLIC.values() if inspect.isfunction(value)]
    for function in functions:
        module = importlib.import_module(function.__module__)
        assert getattr(module, function.__name__, function) is function, function
        assert not function.__module__.endswith((".operation", ".dims")), function
        assert "<" not in function.__qualname__, function


def test_methods_made_by_machine_show_the_signature_of_what_they_do():
    assert str(inspect.signature(tinytorch.Tensor.clamp_)) == "(input, min=None, max=None)"
    assert str(inspect.signature(tinytorch.Tensor.add_)) == "(input, other, *old, alpha=1)"
    assert tinytorch.Tensor.add_.__module__ == "tinytorch.ops.inplace"
    assert tinytorch.exp.__module__ == "tinytorch.ops.elementwise"
