"""`make mine`: what is said, line by line as it becomes known, and the picture at the end."""

import tempfile
import time
from functools import partial
from pathlib import Path

from course.grading.report import coloured, mark
from course.grading.results import FAILED, NOT_STARTED, PASSED
from course.grading.run import GraderError
from course.manifest import all_chapters
from course.mine.finished import NOT_BEGUN, at_fault, lacking, standing, with_hint, without_clashes
from course.mine.parts import EXAMPLES, PARTS
from course.mine.programs import run
from course.mine.whole import can_run, laid_over, suite
from course.modules import file_name
from course.output import command, shown, wrapped
from course.paths import ROOT

INDENT = " " * 4


def main(root=ROOT):
    """Lay all finished chapters over the library, and run everything on it; 0 if all is well."""
    start = time.monotonic()
    chapters = [chapter for chapter in all_chapters(root) if chapter.is_package]
    with tempfile.TemporaryDirectory(prefix="mine-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        says = "Your chapters of Part II, each by itself (all this takes a minute or two):"
        print(f"{says}\n", flush=True)
        found = [_told(standing(chapter, folder)) for chapter in chapters]
        standings = [*without_clashes(found)]
        _tell_clashes(found, standings)
        finished = [each for each in standings if each.is_finished]
        if not finished:
            print(wrapped(_nothing_yet(standings)))
            return 0
        print("\nThe library with these in it, and everything run on that:\n", flush=True)
        whole = Whole(folder, chapters, finished)
        is_well = all([*whole.suites(), *whole.programs()])
        print(f"\n{wrapped(_picture(root, chapters, finished))}")
    print(_ending(is_well, len(finished) == len(chapters), time.monotonic() - start))
    return 0 if is_well else 1


class Whole:
    """All finished chapters, laid over the library of a course."""

    def __init__(self, folder, chapters, finished):
        self.folder, self.chapters, self.finished = folder, chapters, finished
        self.library = chapters[0].library
        self.lost = [entry for each in finished for entry in each.lost]

    def suites(self):
        """Run the suites of all chapters: is it well?, for each."""
        for chapter in self.chapters:
            if can_run(chapter, self.finished):
                yield self._suite(chapter)
            else:
                own = ", ".join(chapter.own)
                _line(NOT_STARTED, f"{f'suite {chapter.number}':<17} it needs your {own}")

    def programs(self):
        """Run the examples and the chapters' own parts: is it well?, for each."""
        homes = {module: chapter for chapter in self.chapters for module in chapter.own}
        done = [each.chapter for each in self.finished]
        with laid_over(self.library, self.finished, self.folder) as home:
            for part in [*EXAMPLES, *PARTS]:
                chapter = homes.get(part.__name__)
                if part in EXAMPLES or chapter in done:
                    yield self._program(part.__name__, run(part.__name__, home, self._files()))
                elif chapter:
                    says = f"chapter {chapter.number} isn't finished yet"
                    _line(NOT_STARTED, f"{part.__name__:<17} {says}")

    def _suite(self, chapter):
        name = f"suite {chapter.number}"
        try:
            result = suite(chapter, self.finished, self.folder)
        except GraderError as error:
            return self._wrong(name, [at_fault(error)])
        if result.passed:
            _line(PASSED, f"{name:<17} {result.marks} of {result.out_of}")
            return True
        ids = [e.id for e in result.exercises if e.status != PASSED]
        again = partial(suite, chapter, folder=self.folder, only=ids)
        return self._wrong(name, lacking(result, self.lost), lambda rest: again(rest).passed)

    def _program(self, name, record):
        if record.get("is_right"):
            _line(PASSED, f"{name:<17} {record['says']}")
            return True
        says = record.get("error") or f"that isn't as it should be: {record['says']}"
        return self._wrong(name, [with_hint(says, self.lost)], partial(self._holds, name))

    def _holds(self, name, finished):
        """Does a program do what it should with only these chapters laid over?"""
        with laid_over(self.library, finished, self.folder) as home:
            return run(name, home, self._files()).get("is_right")

    def _files(self):
        return [file_name(each.chapter, m) for each in self.finished for m in each.modules]

    def _wrong(self, name, says, passes_with=None):
        """Say what is wrong, and with which chapter left to the library it isn't."""
        _line(FAILED, name, *says)
        for each in self.finished if passes_with else ():
            rest = [other for other in self.finished if other is not each]
            if passes_with(rest):
                number = each.chapter.number
                advice = f"With our chapter {number} in place of yours it works: look there first."
                print(wrapped(advice, INDENT), flush=True)
                break
        return False


def _told(each):
    """Print how far a chapter is; the Standing."""
    chapter = each.chapter
    name, modules = f"{chapter.number:<3}{chapter.title}", ", ".join(chapter.files)
    if each.is_finished:
        _line(PASSED, f"{name}. Yours: {modules}")
    elif each.why_not == NOT_BEGUN:
        _line(NOT_STARTED, f"{name}: not begun. Not yet yours: {modules}")
    else:
        advice = f"next: {command(f'test-chapter{chapter.number}')}"
        _line(FAILED, f"{name}: not finished. Not yet yours: {modules}", *each.why_not, advice)
    return each


def _tell_clashes(found, standings):
    for before, after in zip(found, standings, strict=True):
        if before.is_finished and not after.is_finished:
            _line(FAILED, f"{after.chapter.number} can't be laid over the others", *after.why_not)


def _line(status, text, *more):
    """A line with its mark, at once, and below it what is to be said about it."""
    first, *rest = wrapped(text, INDENT).splitlines()
    print(f"  {coloured(mark(status), status)} {first[4:]}")
    for line in rest:
        print(line)
    for says in more:
        print(wrapped(says, INDENT))
    print(end="", flush=True)


def _nothing_yet(standings):
    begun = [each for each in standings if each.why_not != NOT_BEGUN]
    number = (begun or standings)[0].chapter.number
    says = "No chapter of Part II is finished, so there's nothing to lay over the library yet."
    return f"{says} Chapter {number} is the nearest: {command(f'test-chapter{number}')}"


def _picture(root, chapters, finished):
    """Draw the library as a graph of its modules; a line about it."""
    from course.library import picture_of

    sources = {m: p for each in finished for m, p in each.modules.items()}
    picture, yours, count = picture_of(chapters, sources)
    path = root / "build" / "mine.png"
    path.parent.mkdir(exist_ok=True)
    picture.save(path)
    return f"{shown(path, root)}: the library as a graph, {yours} of its {count} modules are yours"


def _ending(is_well, is_all, seconds):
    took = f"({seconds:.0f} seconds)"
    if not is_well:
        return f"Something doesn't hold, see above. {took}"
    return f"Everything holds{', and all of it is yours' if is_all else ''}. {took}"
