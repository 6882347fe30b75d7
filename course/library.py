"""The chapters' modules, and what stands on what: for `make mine`, and for the last page."""

from course.imports import among, carried, imports_in, modules_of
from course.manifest import all_chapters, path_of

ASKED = "tinytorch.node"  # the last page asks what stands on it
GROUND = "tinytorch.tensor"  # of no chapter, and nearly everything stands on it


def draw_library():
    """A Picture of the modules of Part II's chapters and what stands on what, from their sources.

    In blue are those with exercises in them.
    """
    chapters = [chapter for chapter in all_chapters() if chapter.is_package]
    files = {module: path for chapter in chapters for module, path in _sources(chapter)}
    asked = [n for chapter in chapters for each in chapter.exercises for n in each.names]
    yours = {module for module in files if any(name.startswith(f"{module}.") for name in asked)}
    modules, graph = _read(chapters, files)
    title = f"{carried(graph)[ASKED]} of {len(modules)} modules stand on node"
    return _drawn(graph, chapters, yours, title, "with exercises", "without exercises")


def _sources(chapter):
    """(module, path) of each; in a release those that only the chapter has are as it was given."""
    given = chapter.given / chapter.exercise_file.name
    for module, path in chapter.files.items():
        yield module, path if path.is_file() else path_of(given, module)


def picture_of(chapters, files):
    """(Picture, how many modules are the student's, how many there are).

    `files` are the modules of the student, {module: path}: these are drawn in blue.
    """
    modules, graph = _read(chapters, files)
    done = sorted(chapter.number for chapter in chapters if {*chapter.files} & {*files})
    title = f"the library, with {_chapters(done)} in it"
    picture = _drawn(graph, chapters, {*files}, title, "yours", "not yet")
    return picture, len(files), len(modules)


def _read(chapters, files):
    """The library with these files laid over it: its modules, and what they import."""
    modules = modules_of(chapters[0].library) | {_whole(name): path for name, path in files.items()}
    return modules, imports_in(modules)


def _drawn(graph, chapters, yours, title, blue, white):
    """The picture; `blue` and `white` say what these colours mean."""
    from course.drawing.library import draw_boxes

    numbers = {_whole(module): c.number for c in chapters for module in c.files}
    counts, yours = carried(graph), {*map(_whole, yours)}
    says, kinds = {}, {}
    for name in sorted({*numbers, GROUND} & {*graph}):
        of = [f"ch. {numbers[name]}"] if name in numbers else []
        says[name] = name.rpartition(".")[2], *of, f"{counts[name]} on it"
        kinds[name] = blue if name in yours else white if name in numbers else "the library's"
    return draw_boxes(among(graph, {*says}), says, kinds, title)


def _whole(module):
    return f"tinytorch.{module}"


def _chapters(numbers):
    *most, last = map(str, numbers)
    return f"your chapters {', '.join(most)} and {last}" if most else f"your chapter {last}"
