"""Cutting and replacing definitions leaves every other byte of a file as it was."""

import ast
from types import SimpleNamespace

import pytest

from course import modules
from course.manifest import all_chapters
from course.source import (
    blank,
    definitions,
    is_blank,
    read_source,
    replace,
    split_lines,
    write_source,
)

TEXT = '''"""A module."""

LIMIT = 3


def double(x):
    """Twice x.

    >>> double(2)
    4
    """
    # a comment of the solution
    return x + x


class Pair:
    """Two numbers."""

    @property
    def first(self):
        return self._first

    @first.setter
    def first(self, value):
        self._first = value

    def swap(
        self,  # a comment of the signature
        times=1,
    ):
        # how often
        for _ in range(times):
            self.a, self.b = self.b, self.a


END = 1
'''
DOUBLE = SimpleNamespace(id="3.2", names=["double"], title="double a number")
PAIR = SimpleNamespace(id="3.3", names=["Pair.swap", "Pair.first"], title="a pair")


def test_definitions_are_named_by_class_and_a_setter_has_its_own_name():
    assert list(definitions(TEXT)) == ["double", "Pair.first", "Pair.first.setter", "Pair.swap"]


def test_a_definition_begins_at_its_decorator():
    assert definitions(TEXT)["Pair.first"].text.startswith("    @property\n")


def test_a_blank_keeps_signature_and_docstring_and_cuts_the_body_with_its_comments():
    cut = definitions(blank(TEXT, [DOUBLE]))["double"].text
    assert cut.endswith(
        '    4\n    """\n    # TODO exercise 3.2: double a number\n'
        '    raise NotImplementedError("exercise 3.2: double")\n'
    )
    assert "comment of the solution" not in cut


def test_a_signature_over_several_lines_stays_whole():
    cut = definitions(blank(TEXT, [PAIR]))["Pair.swap"].text
    assert cut == (
        "    def swap(\n        self,  # a comment of the signature\n        times=1,\n    ):\n"
        "        # TODO exercise 3.3: a pair\n"
        '        raise NotImplementedError("exercise 3.3: Pair.swap")\n'
    )


def test_a_blank_changes_nothing_outside_the_body():
    before, after = TEXT.split("    # a comment of the solution\n    return x + x\n")
    cut = blank(TEXT, [DOUBLE])
    assert cut.startswith(before) and cut.endswith(after)


def test_the_order_of_exercises_and_names_does_not_matter():
    assert blank(TEXT, [DOUBLE, PAIR]) == blank(TEXT, [PAIR, DOUBLE])


def test_blanking_what_is_not_there_is_a_key_error():
    with pytest.raises(KeyError, match="treble"):
        blank(TEXT, [SimpleNamespace(id="3.4", names=["treble"], title="")])


@pytest.mark.parametrize("chapter", all_chapters(), ids=lambda chapter: chapter.slug)
def test_the_blank_of_each_chapter_parses_and_putting_the_solution_back_gives_the_solution(chapter):
    solution = modules.solution_of(chapter)
    code = modules.blank(solution, chapter.exercises)
    for text in code.values():
        ast.parse(text)
    assert {modules.is_blank(code, exercise) for exercise in chapter.exercises} == {"blank"}
    for exercise in chapter.exercises:
        for name in exercise.names:
            code = modules.replace(code, name, modules.definitions(solution)[name].text)
    assert code == solution


def test_progress_of_an_exercise_is_read_from_the_text():
    empty = blank(TEXT, [DOUBLE, PAIR])
    half = replace(empty, "Pair.first", definitions(TEXT)["Pair.first"].text)
    assert is_blank(definitions(empty), PAIR) == "blank"
    assert is_blank(definitions(half), PAIR) == "partly"
    assert is_blank(definitions(TEXT), PAIR) == "started"
    assert is_blank(definitions(TEXT.replace("swap", "flip")), PAIR) == "missing"


def test_a_line_above_the_raise_is_a_start():
    text = blank(TEXT, [DOUBLE]).replace("    raise", "    y = x\n    raise")
    assert is_blank(definitions(text), DOUBLE) == "started"


def test_another_not_implemented_error_is_no_blank():
    text = "def double(x):\n    raise NotImplementedError('later')\n"
    assert is_blank(definitions(text), DOUBLE) == "started"


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
def test_replacing_keeps_line_ends_and_byte_order_mark(end, mark):
    text = mark + TEXT.replace("\n", end)
    new = replace(text, "double", "def double(x):\n    return 2 * x\n")
    assert new.startswith(mark + '"""A module."""' + end)
    assert f"{end}def double(x):{end}    return 2 * x{end}{end}{end}class" in new
    assert new.replace("\r\n", "").count("\r") == 0
    assert new.count(end) == len(split_lines(new))


def test_replacing_takes_over_the_indent_of_a_file_with_tabs():
    text = "class Pair:\n\tdef swap(self):\n\t\treturn 1\n\n\tdef sum(self):\n\t\treturn 2\n"
    new = replace(text, "Pair.swap", "    def swap(self):\n        return 3\n")
    assert "\tdef swap(self):\n\t    return 3\n" in new
    ast.parse(new)


def test_of_two_definitions_alike_the_last_counts():
    text = "def f():\n    return 1\n\n\ndef f():\n    return 2\n"
    assert replace(text, "f", "def f():\n    return 3\n").endswith("return 3\n")


def test_a_form_feed_or_a_unicode_separator_ends_no_line():
    text = 'A = "\u2028 \x0c \x85"\n\x0c\ndef f():\n    return 1\n'
    assert replace(text, "f", "def f():\n    return 2\n") == text.replace("return 1", "return 2")


def test_a_last_line_without_an_end_is_replaced_whole():
    assert replace("def f(): return 1", "f", "def f(): return 2") == "def f(): return 2\n"


def test_a_null_byte_is_a_syntax_error_in_every_python():
    with pytest.raises(SyntaxError):
        definitions("def f():\n    return '\0'\n")


def test_reading_and_writing_keep_every_byte(tmp_path):
    path = tmp_path / "new" / "file.py"
    write_source(path, "\ufeffx = 'é'\r\n")
    assert path.read_bytes() == "\ufeffx = 'é'\r\n".encode()
    assert read_source(path) == "\ufeffx = 'é'\r\n"
