"""The code of a chapter, {module: text}: what source.py does with one text, done with all of them.

Part I's only module is "", tinytorch itself. A chapter of Part II has modules of the finished
library, as "nn.conv"; a definition in one is called "nn.conv.conv_weight".
"""

from dataclasses import replace as with_fields

from course import source
from course.manifest import UsageError, path_of


def homes(chapter, exercise):
    """The modules in which an exercise's definitions are."""
    return list(dict.fromkeys(split_name(chapter.files, name)[0] for name in exercise.names))


def has_solution(chapter, modules=None):
    """Are the answers there, all or those of some modules? In a release only the library's are."""
    return all(chapter.files[module].is_file() for module in modules or chapter.files)


def solution_of(chapter, modules=None):
    """The complete code of a chapter, or of some modules; UsageError where it isn't there."""
    if not has_solution(chapter, modules):
        which = f"the answers to chapter {chapter.number}"
        raise UsageError(f"this needs {which}, and this copy of the course comes without them")
    return {
        module: source.read_source(chapter.files[module]) for module in modules or chapter.files
    }


def answers_in(chapter):
    """The code as the student has it; FileNotFoundError or ValueError where it can't be read."""
    files = {module: path_of(chapter.exercise_file, module) for module in chapter.files}
    return {module: source.read_source(path) for module, path in files.items()}


def write_code(tinytorch, code):
    """Write all modules to the file, or the folder, `tinytorch`."""
    for module, text in code.items():
        source.write_source(path_of(tinytorch, module), text)


def definitions(code):
    """All functions and methods of all modules by their names. Raises SyntaxError.

    >>> list(definitions({"nn.init": "def fans(x): pass\\n"}))
    ['nn.init.fans']
    """
    found = {module: source.definitions(text) for module, text in code.items()}
    return {_join(m, name): found[m][name] for m in found for name in found[m]}


def blank(code, exercises):
    """The code with all that the exercises name cut; KeyError where it has no such definition."""
    return {m: source.blank(text, _within(code, m, exercises)) for m, text in code.items()}


def replace(code, name, new_text):
    """The code with one definition exchanged; KeyError where it has no such definition."""
    module, local = split_name(code, name)
    return code | {module: source.replace(code[module], local, new_text)}


def is_blank(code, exercise):
    """How far an exercise is: "blank", "partly", "started" or "missing". Raises SyntaxError."""
    return source.is_blank(definitions(code), exercise)


def split_name(modules, name):
    """The module of a definition, and what it is called there; KeyError where there is none.

    >>> split_name(["nn", "nn.conv"], "nn.conv.Conv2d.forward")
    ('nn.conv', 'Conv2d.forward')
    """
    homes = [module for module in modules if not module or name.startswith(f"{module}.")]
    if not homes:
        raise KeyError(name)
    home = max(homes, key=len)
    return home, name[len(home) :].removeprefix(".")


def file_name(chapter, module):
    """What a module's file is called: "tinytorch.py", or as "nn/conv.py" in Part II."""
    base = chapter.exercise_file
    return path_of(base, module).relative_to(base if module else base.parent).as_posix()


def exercises_at(chapter, code, places):
    """The ids of those in whose definitions these (file, line, function) are; () without code."""
    ids = {name: exercise.id for exercise in chapter.exercises for name in exercise.names}
    found = definitions(code or {})
    homes = {name: file_name(chapter, split_name(code, name)[0]) for name in ids if name in found}
    lines = {name: range(found[name].start + 1, found[name].end + 1) for name in homes}
    at = [n for file, line, _ in places for n in homes if homes[n] == file and line in lines[n]]
    return tuple(sorted({ids[name] for name in at}))


def _within(code, module, exercises):
    """The exercises with the names that are in this module only, as they are called there."""
    for exercise in exercises:
        places = [split_name(code, name) for name in exercise.names]
        yield with_fields(exercise, names=tuple(n for home, n in places if home == module))


def _join(module, name):
    return f"{module}.{name}" if module else name
