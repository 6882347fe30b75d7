"""The course itself: every proof holds. `python -m course check` says the same, with figures."""

import pytest

from course.manifest import all_chapters
from course.proofs import PROOFS


@pytest.mark.parametrize("name", PROOFS)
def test_the_course_is_sound(name):
    result = PROOFS[name](all_chapters())
    assert not result.problems, "\n".join(map(str, result.problems))
