"""`make site`: lays out the pages in a folder that goes away again, and has Sphinx build them."""

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from course.manifest import UsageError, all_chapters
from course.notebooks.derive import title_of
from course.output import shown
from course.paths import ROOT
from course.readme import table
from course.site import changes, chapters, reference
from course.source import write_source

HERE = Path(__file__).parent
OUT = ROOT / "build" / "site"
MATHJAX = Path("static") / "mathjax" / "tex-svg.js"


def build(out=OUT, root=ROOT):
    """Build the book; UsageError with Sphinx's own words where it finds something wrong."""
    start = time.monotonic()
    with (
        _sigterm_as_ctrl_c(),
        tempfile.TemporaryDirectory(prefix="site-", ignore_cleanup_errors=True) as folder,
    ):
        source, made = Path(folder) / "source", Path(folder) / "html"
        lay_out(source, root)
        _make_pages(source, made, root)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out, ignore=shutil.ignore_patterns(".doctrees", ".buildinfo"))
    pages = list(out.rglob("*.html"))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 2**20
    seconds = time.monotonic() - start
    print(f"{shown(out / 'index.html', root)}: {len(pages)} pages, {size:.0f} MB, {seconds:.0f} s")


def _make_pages(source, made, root):
    count = sum(path.suffix in (".md", ".ipynb") for path in source.rglob("*"))
    what = f"{count} pages and those of the library's sources"
    print(f"Building {what}; this takes some minutes", end=" ", flush=True)
    failed, said = _sphinx(source, made, root)
    print(" failed." if failed else " done.", flush=True)
    if failed:
        raise UsageError(f"the site was not built:\n{said}")


def _sphinx(source, made, root):
    """Run Sphinx, which shows a dot for each page: its exit code, and its complaints."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto"]
    with (made.parent / "said").open("w+", encoding="utf-8") as said:
        process = subprocess.Popen(
            [*command, source, made], cwd=root, stderr=said, start_new_session=os.name != "nt"
        )
        try:
            code = process.wait()
        except KeyboardInterrupt:
            _end(process)
            raise
        said.seek(0)
        return code, said.read().strip()


def _end(process):
    """End Sphinx and the workers that it has forked: nothing may be written any more."""
    if os.name == "nt":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def _sigterm_as_ctrl_c():
    """Tidy up after SIGTERM too."""

    def stop(*_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would come into the tidying up
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def lay_out(source, root=ROOT):
    """Write all that Sphinx reads into an empty folder."""
    shutil.copytree(HERE / "pages", source)
    shutil.copytree(HERE / "static", source / "static")
    shutil.copy(HERE / "conf.py", source)
    shutil.copy(root / "README.png", source)
    shutil.copy(_mathjax(), source / "static" / "mathjax.js")
    found = all_chapters(root)
    for chapter in found:
        page = json.dumps(chapters.page(chapter))
        write_source(source / "chapters" / f"{chapter.slug}.ipynb", page)
    in_one_file = [chapter for chapter in found if not chapter.is_package]
    for before, chapter in pairwise(in_one_file):
        write_source(source / "changes" / f"{chapter.slug}.md", changes.page(before, chapter))
    for name, text in reference.pages().items():
        write_source(source / "reference" / f"{name}.md", text)
    teaching = (root / "docs" / "teaching.md").read_text("utf-8")
    write_source(source / "teaching.md", _for_readers(teaching))
    for path in (source / "systems").iterdir():
        write_source(path, _with_links(path.read_text("utf-8"), found))
    for page, mark, text in ("index", "CHAPTERS", _table(found)), ("map", "MAP", _map(found)):
        path = source / f"{page}.md"
        write_source(path, path.read_text("utf-8").replace(mark, text))


def _for_readers(text):
    """A page of the repository: README is the first page here, other files aren't there."""
    text = text.replace("](../README.md)", "](index.md)")
    return re.sub(r"\[([^\]]+)\]\(\.\./[^)]*\)", r"\1", text)


def _with_links(text, found):
    """A page below the top that names chapters and exercises, each of them a link."""
    for chapter in found:
        link = f"[\\g<0>](../chapters/{chapter.slug}.ipynb)"
        text = re.sub(rf"chapter {chapter.number}\b", link, text)
        for exercise in chapter.exercises:
            link = f"[\\g<0>](#{chapters.anchor(exercise)})"
            text = re.sub(rf"exercise {re.escape(exercise.id)}\b", link, text)
    return text


def _table(found):
    """README's table, its links to the pages here."""
    lines = "\n".join(table(found, with_runs=False))
    return re.sub(r"\(chapters/[^/)]+/", "(chapters/", lines)


def _map(found):
    """Each chapter with its question and its exercises, every one of them a link."""
    return "\n".join(line for chapter in found for line in _of_chapter(chapter))


def _of_chapter(chapter):
    page = f"chapters/{chapter.slug}.ipynb"
    yield f"## [{chapter.number} {chapter.title}]({page})\n\n*{chapter.question}*\n"
    for exercise in chapter.exercises:
        link = f"#{chapters.anchor(exercise)}"
        yield f"- [{exercise.id} {title_of(exercise)}]({link}): {exercise.why}"
    yield ""


def _mathjax():
    """MathJax in one file, out of a package that Sphinx users know; it draws without a network."""
    return Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent / MATHJAX
