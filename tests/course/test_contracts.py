"""A contract finds what no claim of a chapter had thought of."""

import sys

import numpy as np
import pytest

from course.contracts import arrays, expect_operation
from course.grading.graded import Graded
from course.manifest import load_chapter
from course.testing import Mismatch


@pytest.fixture
def tt(monkeypatch):
    """Chapter 2, solved, as the tinytorch that is graded."""
    graded = Graded().at(load_chapter(2).solution_file)
    monkeypatch.setitem(sys.modules, "tinytorch", graded.module)
    graded.load()
    return graded.module


def multiply():
    expect_operation("x * y", lambda x, y: x * y, np.multiply, arrays(2), saves="xy")


def test_a_right_operation_keeps_its_contract(tt):
    multiply()


def test_an_upstream_gradient_rounded_to_float32_is_found(tt, monkeypatch):
    def rounded(ctx, grad_z):
        x, y = ctx.saved_tensors
        return grad_z * y, (tt.Tensor(grad_z.data.astype(np.float32)) + grad_z * 0) * x

    monkeypatch.setattr(tt.Mul, "backward", staticmethod(rounded))
    with pytest.raises(Mismatch, match="times as much: the gradient of y"):
        multiply()
