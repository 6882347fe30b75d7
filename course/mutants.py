"""Mutants: the solutions with one small change each. Does a test of the exercise notice?

`python -m course mutants` grades each of them with the tests of its own exercise and prints the
share that is caught, the mutation score, with the diff of each that is not. Some are no mistakes:
tests/chapterNN/equivalent.toml names those, each with its reason.
"""

import tomllib
from dataclasses import dataclass

from course.modules import definitions, replace, solution_of
from course.mutations import mutants
from course.proofs.grading import grade_all
from course.source import read_source

WANTED = 0.99  # of a chapter's mutants that are not declared equivalent
FILE = "equivalent.toml"


@dataclass(frozen=True)
class Mutant:
    """One changed definition: `was` and `becomes` are the lines that differ."""

    exercise: str
    name: str
    text: str
    was: str
    becomes: str

    @property
    def diff(self):
        return f"{self.name}\n     - {self.was}\n     + {self.becomes}"


def main(chapters):
    """Print the mutation score of each exercise, and each survivor; 1 if one is below WANTED."""
    return max(_report(chapter) for chapter in chapters)


def mutants_of(chapter):
    """The mutants of all definitions that a chapter's exercises ask for."""
    found = definitions(solution_of(chapter))
    for exercise in chapter.exercises:
        for name in exercise.names:
            own = _without_indent(found[name])
            for text in mutants(own):
                yield Mutant(exercise.id, name, text, *_changed_lines(own, text))


def equivalents(chapter):
    """{(name, changed lines): reason} of what is declared to be no mistake."""
    path = chapter.tests / FILE
    entries = tomllib.loads(read_source(path))["equivalent"] if path.is_file() else []
    return {(e["name"], e["becomes"]): e["why"] for e in entries}


def _report(chapter):
    declared, idle, failed = equivalents(chapter), set(equivalents(chapter)), 0
    tried = []
    for mutant in mutants_of(chapter):
        key = mutant.name, mutant.becomes
        idle.discard(key)
        tried += [mutant] if key not in declared else []
    solution = solution_of(chapter)
    jobs = ((chapter, replace(solution, m.name, m.text), m.exercise) for m in tried)
    results = grade_all(jobs, until_failed=True)
    survivors = [m for m, r in zip(tried, results, strict=True) if r.passed]
    print(f"chapter {chapter.number}: {_score(tried, survivors)}, {len(declared)} equivalent")
    for exercise in chapter.exercises:
        own = [mutant for mutant in tried if mutant.exercise == exercise.id]
        left = [mutant for mutant in survivors if mutant.exercise == exercise.id]
        print(f"  {exercise.id}  {_score(own, left)}")
        for mutant in left:
            print(f"     survives: {mutant.diff}")
    for name, becomes in sorted(idle):
        print(f"  {FILE}: no mutant of {name} has the line {becomes!r}")
    failed = len(survivors) > (1 - WANTED) * len(tried)
    return int(failed or bool(idle))


def _score(tried, survivors):
    caught = len(tried) - len(survivors)
    return f"{caught} of {len(tried)} caught ({caught / max(len(tried), 1):.1%})"


def _without_indent(definition):
    width = len(definition.indent)
    lines = definition.text.splitlines(keepends=True)
    return "".join(line[width:] if line.strip() else line for line in lines)


def _changed_lines(before, after):
    """The lines that differ, from the first to the last of them, on one line each."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    parts = old[start : len(old) - end], new[start : len(new) - end]
    return tuple("; ".join(line.strip() for line in part) for part in parts)
