"""The mutants: what one small change makes of a definition, and what becomes of those that pass."""

import ast
from dataclasses import replace

import pytest
from small_course import edit, make_course, write

from course import mutants
from course.mutations import mutants as changed


def bodies(*lines, signature="f(x, axis=None)"):
    """The mutants of a definition, each as its one line, or its lines."""
    head = f"def {signature}:\n"
    texts = changed(head + "".join(f"    {line}\n" for line in lines))
    return {"\n".join(ast.unparse(ast.parse(text)).splitlines()[1:]).strip() for text in texts}


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("return x + 1", "return x - 1"),
        ("return x < 3", "return x <= 3"),
        ("return x is None", "return not x"),
        ("return -x", "return x"),
        ("return x or axis", "return x and axis"),
        ("return x.sum(axis=axis)", "return x.sum(axis=0)"),
        ("return x.sum(axis=axis)", "return x.sum()"),
        ("return g(x).copy()", "return g(x)"),
        ("return Tensor(x)", "return Tensor(np.asarray(x, np.float32))"),
        ("return x, axis", "return (axis, x)"),
        ("return axis", "axis = None\n    return axis"),
        ("raise ValueError('no')", "pass"),
    ],
)
def test_one_small_change(line, becomes):
    assert becomes in bodies(line)


def test_a_loop_may_end_early_and_a_condition_be_turned():
    assert "for y in x:\n        g(y)\n        break" in bodies("for y in x:", "    g(y)")
    assert "if not x:\n        g(y)" in bodies("if x:", "    g(y)")


def test_what_stands_under_finally_may_be_left_out_after_an_exception():
    lines = ["try:", "    g(x)", "finally:", "    h(x)"]
    assert "if True:\n        g(x)\n    h(x)" in bodies(*lines)


def test_docstrings_signatures_and_words_of_errors_are_left_alone():
    found = bodies('"""One 1."""', "raise ValueError(f'{x + 1} is wrong')")
    assert found == {'"""One 1."""\n    axis = None\n    raise ValueError(f\'{x + 1} is wrong\')',
                     '"""One 1."""\n    pass'}  # fmt: skip


@pytest.fixture
def chapter(tmp_path):
    chapter = make_course(tmp_path)[0]
    return replace(chapter, exercises=chapter.exercises[:1])


def test_survivors_are_shown_with_their_diff(chapter, capsys):
    edit(chapter.tests / "test_all.py", "tt.double(3), 6", "tt.double(0), 0")
    assert mutants.main([chapter]) == 1
    said = capsys.readouterr().out
    assert "survives: double\n     - total = x + x\n     + total = ((x) - (x))" in said


def test_what_is_declared_equivalent_is_not_tried_and_must_be_there(chapter, capsys):
    entry = '[[equivalent]]\nname = "double"\nbecomes = "{}"\nwhy = "no difference"\n'
    texts = [entry.format(line) for line in ("total = (x)", "return 7")]
    write(chapter.tests / "equivalent.toml", "".join(texts))
    assert mutants.main([chapter]) == 1
    said = capsys.readouterr().out
    assert "chapter 1: 4 of 4 caught (100.0%), 2 equivalent" in said
    assert "no mutant of double has the line 'return 7'" in said and "(x)" not in said
