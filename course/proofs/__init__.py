"""Proofs that the course is sound: `python -m course check`.

Each is a function from chapters to a Result. They are made on what the sources derive, so that
a student's answers in chapters/ make none of them fail.
"""

import sys
import time

from course.manifest import all_chapters
from course.paths import ROOT
from course.proofs.chain import prove_chain
from course.proofs.concepts import prove_concepts
from course.proofs.derived import prove_derived
from course.proofs.layers import prove_layers
from course.proofs.limits import prove_limits
from course.proofs.manifests import prove_manifests
from course.proofs.result import Problem, Result
from course.proofs.runs import prove_notebooks_run
from course.proofs.suites import (
    prove_blanks_stand_alone,
    prove_misconceptions_are_caught,
    prove_solutions_pass,
)

PROOFS = {
    "derived files": prove_derived,
    "solutions and blanks": prove_solutions_pass,
    "one blank at a time": prove_blanks_stand_alone,
    "misconceptions": prove_misconceptions_are_caught,
    "from chapter to chapter": prove_chain,
    "manifests": prove_manifests,
    "concept order": prove_concepts,
    "notebooks": prove_notebooks_run,
    "limits": prove_limits,
    "layers": prove_layers,
}


def made(prove, chapters):
    """What a proof finds; that it cannot be made is a problem too."""
    try:
        return prove(chapters)
    except Exception as error:
        says = f"it cannot be made: {type(error).__name__}: {error}"
        return Result("not proven", [Problem("the proof", says)])


def main(root=ROOT):
    """Make all proofs and print a line for each, with its problems; 1 if there are any, else 0."""
    chapters, count, start = all_chapters(root), 0, time.monotonic()
    for number, (name, prove) in enumerate(PROOFS.items(), start=1):
        began = time.monotonic()
        result = made(prove, chapters)
        print(f"{number}. {name}: {result.figures} ({time.monotonic() - began:.1f} s)")
        for line in [*result.notes, *result.problems]:
            print(f"   {line}")
        sys.stdout.flush()
        count += len(result.problems)
    print(f"{count or 'no'} problem{'' if count == 1 else 's'}, {time.monotonic() - start:.0f} s")
    return int(count > 0)
