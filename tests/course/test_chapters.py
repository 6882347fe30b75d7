"""The course itself: every proof holds. `python -m course check` says the same, with figures."""

import pytest

from course.proofs import PROOFS, snapshot_chapters


@pytest.mark.parametrize("name", PROOFS)
def test_the_course_is_sound(name):
    result = PROOFS[name](snapshot_chapters())
    assert not result.problems, "\n".join(map(str, result.problems))
