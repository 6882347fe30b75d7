"""The parts of README.md that are derived: its table of chapters and its picture."""

import importlib.util
import re

from course.manifest import all_chapters, load_chapter
from course.paths import ROOT
from course.source import read_source, write_source

BEGIN, END = "<!-- chapters: written by make blanks -->\n\n", "\n<!-- end of chapters -->\n"
BLOCK = r"<!-- not in a release( without Part II)? -->\n\n(.*?)<!-- until here -->\n\n"
PICTURE = "README.png"


def write_table(root=ROOT):
    """Write the table of chapters into README.md; "unchanged" or "written"."""
    path = root / "README.md"
    text = read_source(path)
    new = with_table(text, all_chapters(root))
    if new == text:
        return "unchanged"
    write_source(path, new)
    return "written"


def with_table(text, chapters, *, with_runs=True):
    """The text of a README with the table of chapters between its two markers."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    lines = "\n".join(table(chapters, with_runs=with_runs))
    return before + BEGIN + lines + "\n" + END + after


def released(text, chapters):
    """The text of README for students who have these chapters, and no answers."""
    text = with_table(text, chapters, with_runs=False)
    has_finale = any(chapter.is_package for chapter in chapters)
    return re.sub(BLOCK, lambda b: b[2] if b[1] and has_finale else "", text, flags=re.DOTALL)


def table(chapters, *, with_runs):
    """The lines of the table, as Markdown; with links to the notebooks of solutions/, or not."""
    heads = "| chapter | its question | exercises | hours of exercises |"
    yield heads + with_runs * " just looking? |"
    yield "|---|---|---:|---:|" + with_runs * "---|"
    lengths = []
    for chapter in chapters:
        path = f"{chapter.slug}/{chapter.slug}.ipynb"
        link = f"[{chapter.number} {chapter.title}](chapters/{path})"
        minutes = [exercise.minutes for exercise in chapter.exercises]
        lengths += minutes
        row = f"| {link} | {chapter.question} | {len(minutes)} | {sum(minutes) / 60:.1f} |"
        yield row + with_runs * f" [as it ran](solutions/{path}) |"
    yield f"| all of them | | {len(lengths)} | {sum(lengths) / 60:.0f} |" + with_runs * " |"


def write_picture(root=ROOT):
    """Draw README.png; "unchanged" or "written"."""
    path = root / PICTURE
    before = path.read_bytes() if path.is_file() else None
    draw_picture().save(path)
    return "unchanged" if path.read_bytes() == before else "written"


def draw_picture():
    """The figure of README: the graph of (a + b) * (b + 1), computed by chapter 3's solution."""
    from course.drawing import draw_graph

    tt = _load(load_chapter(3).solution_file)
    a, b = tt.Tensor(2.0), tt.Tensor(1.0)
    c, d = a + b, b + 1
    e = c * d
    e.backward()
    return draw_graph(e, {"a": a, "b": b, "c": c, "d": d, "e": e})


def _load(path):
    spec = importlib.util.spec_from_file_location("snapshot", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
