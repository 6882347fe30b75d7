"""The picture of the library as a graph of its modules: for `make mine`, and for the last page."""

from course.imports import bundled, imports_in, modules_of
from course.manifest import all_chapters


def draw_library(*, title="the whole library; in blue, the modules that you worked on"):
    """A Picture of the library's modules and what they import, drawn from its sources.

    Those of the chapters have a box each, with the chapter's number. In a grey box are all that
    stand on the same of these.
    """
    chapters = [chapter for chapter in all_chapters() if chapter.is_package]
    files = {module: path for chapter in chapters for module, path in chapter.files.items()}
    return picture_of(chapters, files, title)[0]


def picture_of(chapters, files, title=None):
    """(Picture, how many modules are the student's, how many there are).

    `files` are the modules of the student, {module: path}: these are drawn in blue.
    """
    from course.drawing.library import draw_boxes

    numbers = {_whole(module): c.number for c in chapters for module in c.files}
    yours = {_whole(module): path for module, path in files.items()}
    modules = modules_of(chapters[0].library) | yours
    boxes = bundled(imports_in(modules), set(numbers))
    done = sorted({numbers[module] for module in yours})
    title = title or f"the library, with {_chapters(done)} in it"
    return draw_boxes(boxes, numbers, set(yours), title), len(yours), len(modules)


def _whole(module):
    return f"tinytorch.{module}"


def _chapters(numbers):
    *most, last = map(str, numbers)
    return f"your chapters {', '.join(most)} and {last}" if most else f"your chapter {last}"
