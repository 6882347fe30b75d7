"""The grader on files that a student may hand in, each broken in its own way."""

import json
import shutil
import sys
import time
from dataclasses import replace

import pytest
from small_chapter import SOLUTION, SQUARE, body, make_chapter, write

from course.grading import grade, limits, process, reaper, results, run, submission, wording
from course.grading.results import ERROR, FAILED, NOT_STARTED, PASSED, WAITING
from course.grading.run import Run, _with_mended
from course.grading.submission import read_submission
from course.manifest import load_chapter
from course.output import command
from course.paths import ROOT
from course.source import blank


@pytest.fixture
def impatient(monkeypatch):
    """Limits that are worth waiting for."""
    monkeypatch.setattr(run, "stretch", lambda: 1.0)
    monkeypatch.setattr(run, "TEST_LIMIT", 1.0)
    monkeypatch.setattr(run, "SHORT_LIMIT", 1.0)
    monkeypatch.setattr(run, "IMPORT_LIMIT", 1.5)


@pytest.fixture
def in_a_hurry(monkeypatch, impatient):
    """A run that is soon over."""
    monkeypatch.setattr(run, "RUN_LIMIT", 3.0)
    monkeypatch.setattr(run, "TEST_LIMIT", 60.0)


@pytest.fixture
def chapter(tmp_path):
    return make_chapter(tmp_path)


@pytest.fixture
def hand_in(chapter):
    """Grade the solution with some of its text exchanged."""

    def graded(*changes, before="", after="", **options):
        text = SOLUTION
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        write(chapter, before + text + after)
        return grade(chapter, **options)

    return graded


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def test_a_right_file_gets_all_marks(hand_in):
    result = hand_in()
    assert [(e.id, e.marks, e.out_of, e.status) for e in result.exercises] == [
        ("1.1", 2, 2, PASSED),
        ("1.2", 2, 2, PASSED),
    ]
    assert (result.marks, result.out_of, result.passed, result.note) == (4, 4, True, "")


def test_a_wrong_answer_costs_its_own_marks_and_names_the_slip(hand_in):
    double, square = hand_in(body("return 5 * x")).exercises
    assert (double.marks, double.status) == (1, FAILED)
    assert double.message == "double(3) = 15, expected 6: count again"
    assert square.status == PASSED


def test_blanks_are_not_started(chapter):
    result = grade(chapter)
    assert [e.status for e in result.exercises] == [NOT_STARTED, NOT_STARTED]
    assert (result.marks, result.out_of, result.passed) == (0, 4, False)


def test_an_answer_that_needs_an_earlier_blank_is_waiting(hand_in):
    unwritten = body('raise NotImplementedError("exercise 1.1: double")')
    double, square = hand_in(unwritten, (SQUARE, "    return double(x) * x / 2\n")).exercises
    assert double.status == NOT_STARTED
    assert (square.status, square.message) == (WAITING, "needs exercise 1.1 first")


def test_an_answer_that_calls_a_later_blank_is_told_to_do_without(hand_in):
    later = 'raise NotImplementedError("exercise 1.2: square")'
    calls = body("return square(x) * 2 / x"), (SQUARE, f"    {later}\n")
    double, square = hand_in(*calls).exercises
    says = "it calls what exercise 1.2 will ask for: write it without that"
    assert (double.status, double.message) == (WAITING, says)
    assert square.status == NOT_STARTED


def test_a_blank_that_was_caught_on_the_way_is_still_what_is_waited_for(hand_in):
    unwritten = body('raise NotImplementedError("exercise 1.1: double")')
    wraps = (
        "    try:\n        return double(x)\n    except Exception:\n        raise ValueError(x)\n"
    )
    _, square = hand_in(unwritten, (SQUARE, wraps)).exercises
    assert (square.status, square.message) == (WAITING, "needs exercise 1.1 first")


def test_what_follows_from_an_earlier_mistake_waits_for_it(hand_in):
    three = (SQUARE, "    return double(x) * x / 2\n")
    double, square = hand_in(body("return 7 * x"), three).exercises
    assert (double.status, square.status) == (FAILED, WAITING)
    assert square.message == "passes as soon as exercise 1.1 is right: mend that one first"


def test_what_follows_from_a_mistake_in_a_generator_waits_for_it(hand_in):
    first = "    got = double(x)\n    return (got if isinstance(got, int) else next(got)) * x / 2\n"
    double, square = hand_in(body("yield 7 * x"), (SQUARE, first)).exercises
    assert (double.status, square.status) == (FAILED, WAITING)
    assert square.message == "passes as soon as exercise 1.1 is right: mend that one first"


def test_what_follows_from_an_endless_loop_waits_for_it(hand_in, impatient):
    three = (SQUARE, "    return double(x) * x / 2\n")
    double, square = hand_in(body("while True: pass"), three).exercises
    assert "an endless loop?" in double.message
    assert (double.status, square.status) == (FAILED, WAITING)
    assert square.message == "passes as soon as exercise 1.1 is right: mend that one first"


def test_what_an_earlier_mistake_leaves_behind_is_charged_to_it_alone(hand_in, chapter):
    tests = (chapter.tests / "test_all.py").read_text("utf-8")
    (chapter.tests / "test_zoo.py").write_text(tests.replace("_of_", "_still_of_"), "utf-8")
    keeps = body("double.kept = Tensor(x)\n    return x + x")
    double, square = hand_in(keeps, (SQUARE, "    return double(x) * x / 2\n")).exercises
    assert "tinytorch.double.kept still holds a Tensor afterwards" in double.message
    assert (double.status, square.status) == (FAILED, WAITING)
    assert square.message == "passes as soon as exercise 1.1 is right: mend that one first"


def test_what_follows_from_several_mistakes_waits_for_all_of_them():
    def failed(id, *ran):
        tests = [results.TestResult(f"{id}{names}", id, 1, ran=names) for names in ran]
        return results.ExerciseResult(id, "", 0, 3, FAILED, "wrong", tests=tuple(tests))

    def waits(*ran, needed):
        first, second = failed("1.1", ("1.1",)), failed("1.2", ("1.2",))
        third = failed("1.3", *ran)

        def with_mended(id, others):
            right = replace(third, status=PASSED, message="")
            return right if needed <= set(others) else replace(third, message="its own")

        return [*results.follow_ons([first, second, third], with_mended)][-1]

    tests = [("1.1", "1.3"), ("1.2", "1.3"), ()]  # of the last nothing was run: it says nothing
    third = waits(*tests, needed={"1.1", "1.2"})
    says = "passes as soon as exercises 1.1 and 1.2 are right: mend them first"
    assert (third.status, third.message) == (WAITING, says)
    assert "exercise 1.2 is right" in waits(("1.2", "1.3"), (), needed={"1.2"}).message
    third = waits(*tests, needed={"1.3"})
    assert third.status == FAILED
    assert third.message == "even once exercises 1.1 and 1.2 are right: its own"
    third = waits(*tests, ("1.3",), needed={"1.3"})  # its message may still be due to the others
    assert third.message == "even once exercises 1.1 and 1.2 are right: its own"
    assert waits(("1.3",), *tests, needed=set()).message == "wrong"


def test_a_mistake_of_its_own_waits_for_nothing(hand_in):
    mine = ("    double(x)\n    return 5 * x\n", "    return x * x if x else 1\n")
    for own in (*mine, "    return double(x) * x\n"):  # both are wrong, and 1.1 runs in each test
        double, square = hand_in(body("return 7 * x"), (SQUARE, own)).exercises
        assert (double.status, square.status) == (FAILED, FAILED)
    assert square.message == "even once exercise 1.1 is right: square(3) = 18, expected 9"


def test_without_answers_what_may_follow_from_a_mistake_is_said_beside_it(hand_in, chapter):
    (chapter.files[""]).unlink()  # as in a release
    three = (SQUARE, "    return double(x) * x / 2\n")
    double, square = hand_in(body("return 7 * x"), three).exercises
    assert "double(3) = 21" in double.message
    assert (double.status, square.status) == (FAILED, WAITING)
    says = "needs exercise 1.1 first, which is wrong, and used here. What came: square(3) = 31.5"
    assert square.message.startswith(says)


def test_an_exercise_of_two_names_says_which_is_still_blank(hand_in, chapter):
    manifest = chapter.tests / "exercises.toml"
    edit(manifest, 'names = ["double"]', 'names = ["double", "square"]')
    text = SOLUTION.replace(SQUARE, '    raise NotImplementedError("exercise 1.1: square")\n')
    write(chapter, text.replace("x + x", "square(x)"))
    both = grade(load_chapter(1, chapter.root), only="1.1")
    assert (both.exercises[0].status, both.exercises[0].message) == (FAILED, "square: still blank")


def test_only_the_named_exercise_is_graded(hand_in):
    result = hand_in(body("return 1 / 0"), only="1.2")
    assert [(e.id, e.status) for e in result.exercises] == [("1.2", PASSED)]


def test_an_exception_is_named_with_its_line(hand_in):
    double, square = hand_in(body("return x / 0")).exercises
    assert (
        double.message
        == "double(3) raised ZeroDivisionError: division by zero (tinytorch.py, line 13, in double)"
    )
    assert square.status == PASSED


def test_a_message_cannot_steer_the_terminal_and_can_be_written_down(hand_in):
    double, _ = hand_in(body(r'raise ValueError("\x1b[2J\tall passed \ud800")')).exercises
    assert "ValueError: ?[2J all passed ? (tinytorch.py, line 13, in double)" in double.message


@pytest.mark.parametrize(
    "text, said",
    [
        ("test_a_sum.<locals>.f() takes 1 argument", "f() takes 1 argument"),
        ("a.<locals>.<lambda>.<locals>.Odd.area() failed", "Odd.area() failed"),
        ("got <class 'test_zoo.odd.<locals>.Odd'>", "got <class 'Odd'>"),
        ("got <test_zoo.Odd object at 0x7f12ab34>", "got <Odd object>"),
        (
            "see tests/chapter03/test_zoo.py: x < y.local",
            "see tests/chapter03/test_zoo.py: x < y.local",
        ),
    ],
)
def test_a_message_shows_no_name_of_a_test_and_no_address(text, said):
    assert wording.shorten(text) == said


def test_a_syntax_error_is_named_with_its_line(hand_in):
    result = hand_in(body("return x +"))
    assert result.note == "SyntaxError: invalid syntax (tinytorch.py, line 13)"
    assert (result.marks, result.out_of) == (0, 4)


def test_an_exception_at_import_is_named_with_its_line(hand_in):
    result = hand_in(after="\nTensor.shape = Tensor(1).numbers\n")
    assert "AttributeError" in result.note and "(tinytorch.py, line 22)" in result.note
    assert result.marks == 0


def test_an_endless_loop_costs_its_own_exercise_only(hand_in, impatient):
    double, square = hand_in(body("while True: x = x")).exercises
    assert "did not end within 1 seconds" in double.message
    assert "(tinytorch.py, line 13, in double)" in double.message
    assert square.status == PASSED


@pytest.mark.parametrize("load, times", [(0.1, 1.0), (6.0, 3.0), (1000.0, 5.0)])
def test_a_busy_machine_gives_more_time(monkeypatch, load, times):
    monkeypatch.setattr(limits.os, "getloadavg", lambda: (load, 0.0, 0.0), raising=False)
    monkeypatch.setattr(limits, "cores", lambda: 2)
    assert limits.stretch() == times


def test_an_endless_loop_at_import_is_stopped(hand_in, impatient):
    result = hand_in(after="\nwhile True:\n    pass\n")
    assert "the import of the file did not end within 1.5 seconds" in result.note
    assert "(tinytorch.py, line 2" in result.note


def test_after_an_endless_loop_the_rest_of_the_exercise_is_not_run(hand_in, impatient):
    double, square = hand_in(body("while True: pass")).exercises
    assert [test.message for test in double.tests][1:] == [
        "not run: a test of this exercise did not end"
    ]
    assert square.status == PASSED


def test_a_run_ends_when_its_time_is_over(hand_in, in_a_hurry):
    start = time.monotonic()
    result = hand_in(body("while True: pass"))
    assert time.monotonic() - start < 20
    assert result.exercises[1].message == "not run: the 3 seconds for a file are over"


def test_each_exercise_is_told_as_soon_as_it_is_known(hand_in):
    told = []
    result = hand_in(body("return 0"), tell=told.append)
    assert told == list(result.exercises)


def test_working_code_below_a_blank_counts_and_is_not_called_not_started(chapter):
    write(chapter, blank(SOLUTION, chapter.exercises) + "\ndouble = lambda x: x + x\n")
    double, square = grade(chapter).exercises
    assert (double.marks, double.status) == (2, PASSED)
    assert (square.marks, square.status) == (0, NOT_STARTED)


def test_endless_recursion_is_named(hand_in):
    double, square = hand_in(body("return double(x)")).exercises
    assert "RecursionError: " in double.message
    assert "(tinytorch.py, line 13, in double, which calls itself)" in double.message
    assert square.status == PASSED


def test_recursion_through_other_definitions_names_the_way(hand_in):
    class_ = "\n\nclass Twice:\n    def __call__(self, x):\n        return again(x)\n\n\n"
    again = "def again(x):\n    return double(x)\n"
    double, _ = hand_in(body("return Twice()(x)"), after=class_ + again).exercises
    way = "line 13, in double, which calls itself through Twice.__call__ and again)"
    assert way in double.message


def test_an_exception_further_in_names_the_line_of_the_exercise_too(hand_in):
    double, _ = hand_in(body("return further(x)"), after="\ndef further(x):\n    1 / 0\n").exercises
    assert "(tinytorch.py, line 13, in double, then line 22, in further)" in double.message


def test_recursion_that_breaks_the_interpreter_costs_its_own_exercise_only(hand_in):
    deep = "import sys; sys.setrecursionlimit(10**8); f = lambda: [*map(lambda _: f(), [1])]; f()"
    double, square = hand_in(body(deep)).exercises
    # a crash up to 3.11; from 3.12 on an exception, or the end of time or memory
    ends = ("ended Python", "MemoryError", "RecursionError", "did not end within")
    assert any(end in double.message for end in ends)
    assert "line 13" in double.message or "did not end within" in double.message
    assert (double.marks, double.status) == (0, FAILED)
    assert square.status == PASSED


@pytest.mark.skipif(sys.platform == "win32", reason="memory is laid out otherwise there")
def test_a_step_into_memory_that_is_not_ours_is_no_recursion(hand_in):
    astray = "from numpy.lib.stride_tricks import as_strided; import numpy as np; "
    astray += "return as_strided(np.zeros(1), (2,), (2**45,)).sum()"
    double, square = hand_in(body(astray)).exercises
    assert "it ended Python: it reached for memory that isn't its own" in double.message
    assert "line 13, in double" in double.message and square.status == PASSED


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ("(2, 3), (2, 3)", "the first array's last length is 3, the second's last but one (or "
                           "only one) is 2: they must be the same"),
        ("(2, 3), (2,)", "the first array's last length is 3, the second's last but one (or"),
        ("(3,), ()", "matmul: one of the two is a single number, and @ multiplies arrays"),
        ("(2, 3, 4), (3, 4, 5)", "matmul: shapes (2,3,4) and (3,4,5) do not fit before their"),
    ],
)  # fmt: skip
def test_what_numpy_says_about_a_product_is_said_in_words(hand_in, shapes, words):
    double, _ = hand_in(
        body(f"import numpy as np; a, b = map(np.zeros, ({shapes})); a @ b")
    ).exercises
    assert words in double.message and "gufunc" not in double.message


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("import sys; sys.exit()", "sys.exit() was called"),
        ("raise SystemExit(0)", "sys.exit() was called"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt was raised"),
        ("import os; os._exit(0)", "ended Python"),
        ("import pytest; pytest.skip('done')", "pytest: Skipped was raised"),
        ("import pytest; pytest.exit('done')", "pytest: Exit was raised"),
        ("import pytest; pytest.xfail('done')", "pytest: XFailed was raised"),
        ("import pytest; pytest.fail('done')", "pytest: Failed was raised"),
        ("import signal; signal.default_int_handler(2, None)", "KeyboardInterrupt"),
        ("return input()", "EOFError"),
    ],
)
def test_leaving_the_test_is_not_passing_it(hand_in, statement, words):
    double, square = hand_in(body(statement)).exercises
    assert words in double.message
    assert (double.status, square.status) == (FAILED, PASSED)


@pytest.mark.parametrize("statement", ["import sys; sys.exit()", "import os; os._exit(0)"])
def test_leaving_at_import_is_said(hand_in, statement):
    result = hand_in(after=f"\n{statement}\n")
    assert "sys.exit() was called" in result.note or "ended Python" in result.note
    assert result.marks == 0


def test_a_flood_of_output_changes_nothing(hand_in):
    flood = "import os; [print('x' * 10000) for _ in range(2000)]; os.write(1, b'y' * 10**7)"
    result = hand_in(body(f"{flood}; return x + x"), before="print('z' * 10**7)\n")
    assert result.passed


def test_output_without_end_is_stopped(hand_in, impatient):
    double, square = hand_in(body("while True: print('again')")).exercises
    assert "did not end within" in double.message
    assert square.status == PASSED


def test_a_worker_that_dies_while_its_place_is_written_down_was_too_late(hand_in, impatient):
    double, _ = hand_in(body("import os, time; time.sleep(0.85); os._exit(1)")).exercises
    assert "did not end within" in double.message


def test_a_missing_file_is_said(chapter):
    chapter.exercise_file.unlink()
    result = grade(chapter)
    assert result.note.startswith("tinytorch.py is missing")
    assert result.note.endswith("reset-chapter1 brings it back")
    assert [e.status for e in result.exercises] == [ERROR, ERROR]


def test_a_byte_order_mark_changes_nothing(chapter):
    write(chapter, SOLUTION, "utf-8-sig")
    assert grade(chapter).passed


def test_tabs_and_crlf_change_nothing(chapter):
    write(chapter, SOLUTION.replace("    ", "\t").replace("\n", "\r\n"))
    assert grade(chapter).passed


def test_utf_16_is_named(chapter):
    write(chapter, SOLUTION, "utf-16")
    assert "save it as UTF-8" in grade(chapter).note


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"PK\3\4\x14\0\x06\0\x08\0\xe9", "is a zip or an office document by another name"),
        (b"%PDF-1.7\n%\xe2\xe3", "is a PDF by another name"),
        (bytes(range(256)), "is no text at all"),
        (b"\0" * 500 + b"\xff", "is no text at all"),
    ],
)
def test_what_is_no_text_is_named(chapter, data, says):
    chapter.exercise_file.write_bytes(data)
    note = grade(chapter).note
    assert note == f"tinytorch.py {says}: save your code as plain text, in UTF-8"


def test_utf_16_without_its_mark_is_named(chapter):
    write(chapter, SOLUTION, "utf-16-be")
    assert "it looks like UTF-16" in grade(chapter).note


def test_a_zero_in_a_text_is_pythons_to_name(chapter):
    write(chapter, SOLUTION + "\0")
    assert "null bytes" in grade(chapter).note


def test_another_chapters_file_is_named_in_one_line(tmp_path):
    second, third = load_chapter(2), load_chapter(3)
    result = grade(third, second.solution_file)
    assert result.note == "this is chapter 2's file, where chapter 3's should be"
    assert [e.message for e in result.exercises] == [""] * len(third.exercises)
    mine = replace(third, root=tmp_path)
    mine.exercise_file.parent.mkdir(parents=True)
    shutil.copy(second.solution_file, mine.exercise_file)
    assert grade(mine).note == f"{result.note}; {command('reset-chapter3')} brings it back"


def test_a_later_chapters_file_is_graded_as_far_as_it_goes():
    result = grade(load_chapter(2), load_chapter(3).solution_file)
    assert result.note == "" and result.marks > 0


def test_latin_1_is_named(chapter):
    write(chapter, "# e\n# é\n" + SOLUTION, "latin-1")
    result = grade(chapter)
    assert "not saved as UTF-8" in result.note and result.note.endswith("line 2")
    assert result.marks == 0


@pytest.mark.parametrize("name", ["utf-7", "utf_16", "rot13", "latin-1", "no-such"])
def test_another_encoding_is_named(chapter, name):
    write(chapter, f"# coding: {name}\n{SOLUTION}")
    result = grade(chapter)
    says = f"tinytorch.py says that its encoding is {name}: save it as UTF-8, without that line"
    assert (result.note, result.marks) == (says, 0)


@pytest.mark.parametrize("line", ["# -*- coding: utf-8 -*-", "#!/x\n# coding: ascii"])
def test_utf_8_may_say_so(line):
    assert submission._decoded(f"{line}\n{SOLUTION}".encode(), "x.py")[1] == ""


def test_a_file_that_is_too_large_is_said_at_once(chapter):
    chapter.exercise_file.write_bytes(b"#" * 50_000_000)
    result = grade(chapter)
    assert result.note == (
        "tinytorch.py has 50,000,000 bytes; a file of more than 500,000 is not graded"
    )


def test_the_graded_file_does_not_know_where_the_course_is(hand_in, chapter):
    look = "import os, sys\n"
    look += f"places = [{str(ROOT)!r}, {str(chapter.root)!r}]\n"
    look += "for path in [*sys.path, __file__, os.getcwd(), os.environ.get('PWD', '')]:\n"
    look += "    if not path.startswith(sys.prefix):\n"
    look += "        assert not any(place in path for place in places), path\n"
    assert hand_in(before=look).passed


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the group is ended")
def test_a_detached_process_does_not_outlive_the_grading(tmp_path):
    late = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    late += f"        time.sleep(1.5); open({str(tmp_path / 'late')!r}, 'w')\n    os._exit(0)\n"
    worker = reaper.start([sys.executable, "-c", late])
    worker.wait(10)  # the keeper, which ends the others first
    reaper.end(worker)
    time.sleep(2)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_says_what_is_missing(chapter):
    write(chapter, "")
    double, square = grade(chapter).exercises
    assert double.message == "the file has no double: exercise 1.1 asks for it"
    assert square.message == "the file has no square: exercise 1.2 asks for it"


def test_a_renamed_function_fails_its_own_exercise_only(hand_in):
    double, square = hand_in(("def double", "def twice")).exercises
    assert double.message == "the file has no double: exercise 1.1 asks for it"
    assert square.status == PASSED


def test_a_function_made_by_assignment_counts(hand_in):
    assert hand_in(("def double", "def twice"), after="\ndouble = twice\n").passed


def test_a_leftover_of_a_failed_test_does_not_spoil_the_next(hand_in):
    spoils = "global spoilt; spoilt = x == 3; return 1 / 0 if spoilt else 0"
    result = hand_in(
        body(spoils),
        (SQUARE, "    return -1 if spoilt else x * x\n"),
        before="spoilt = False\n",
    )
    assert [e.marks for e in result.exercises] == [1, 2]


def test_a_file_beside_the_graded_one_can_be_imported(hand_in, chapter):
    helper = chapter.exercise_file.with_name("my_helper.py")
    helper.write_text("def add(x, y):\n    return x + y\n", encoding="utf-8")
    result = hand_in(body("return add(x, x)"), before="from my_helper import add\n")
    assert result.passed


def test_a_file_of_any_name_can_be_graded_where_it_is(chapter, tmp_path):
    file = tmp_path / "héllo wörld.txt"
    file.write_text(SOLUTION.replace("x + x", "x / 0"), encoding="utf-8")
    result = grade(chapter, file)
    assert "(héllo wörld.txt, line 13, in double)" in result.exercises[0].message


def test_a_loop_in_a_file_of_any_name_is_found(chapter, impatient, tmp_path):
    file = tmp_path / "héllo wörld.py"
    loop = SOLUTION.replace("total = x + x", "while True: pass")
    file.write_text(loop, encoding="utf-8")
    assert "(héllo wörld.py, line 13, in double)" in grade(chapter, file).exercises[0].message


def test_an_edit_within_a_second_is_seen(chapter):
    write(chapter, SOLUTION)
    assert grade(chapter).passed
    write(chapter, SOLUTION.replace("x + x", "x - x"))
    assert not grade(chapter).passed


def test_threads_and_exit_handlers_left_behind_have_no_say(hand_in):
    left = (
        "import atexit, os, threading, time\n"
        "atexit.register(os._exit, 3)\n"
        "threading.Thread(target=time.sleep, args=(600,)).start()\n"
    )
    assert hand_in(before=left).passed


def test_a_thread_that_ends_python_costs_marks_but_ends_nothing(hand_in):
    bomb = "import os, threading; threading.Timer(0.01, os._exit, [0]).start(); "
    bomb += "import time; time.sleep(0.5)"
    double, square = hand_in(body(bomb)).exercises
    assert "ended Python" in double.message
    assert square.status == PASSED


def test_another_working_folder_changes_nothing(hand_in, tmp_path):
    assert hand_in(before=f"import os\nos.chdir({str(tmp_path)!r})\n").passed


def test_nothing_is_left_beside_the_tests_or_the_file(hand_in, chapter):
    tests = sorted(chapter.tests.iterdir())
    hand_in(before="open('left.txt', 'w').close()\n")
    assert [path.name for path in chapter.exercise_file.parent.iterdir()] == ["tinytorch.py"]
    compiled = chapter.tests / "__pycache__"  # the judge's own: what each start would compile
    assert sorted(set(chapter.tests.iterdir()) - {compiled}) == tests


def test_a_record_of_its_own_is_not_believed(hand_in):
    lie = (
        "import os\n"
        'record = b\'{"event": "end", "test": "test_all.py::test_double_of_a_number"\'\n'
        "for descriptor in range(20):\n"
        "    try: os.write(descriptor, record + b', \"passed\": true}\\n')\n"
        "    except OSError: pass\n"
    )
    double, square = hand_in(body("return None"), before=lie).exercises
    assert (double.marks, square.marks) == (0, 2)


def test_an_answer_that_equals_everything_is_wrong(hand_in):
    yes = "class Yes(float):\n    __eq__ = lambda *a: True\n    __sub__ = lambda *a: 0.0\n"
    double, _ = hand_in(body("return Yes()"), before=yes).exercises
    assert double.message == "double(3) = 0, expected 6: count again"


def test_a_broken_test_is_the_graders_own_error(hand_in, chapter):
    edit(chapter.tests / "test_all.py", "import pytest", "import no_such_module")
    with pytest.raises(run.GraderError, match="no_such_module"):
        hand_in()


def test_details_hold_the_report_and_what_was_printed(hand_in):
    result = hand_in(body("print('look here'); return 5 * x"), details=True)
    details = result.exercises[0].tests[0].details
    assert "look here" in details and "expect(tt.double(3), 6" in details


def test_a_package_can_be_graded(chapter, tmp_path):
    package = tmp_path / "tinytorch"
    package.mkdir()
    (package / "__init__.py").write_text("from tinytorch.inner import *\n", encoding="utf-8")
    (package / "inner.py").write_text(SOLUTION, encoding="utf-8")
    assert grade(chapter, package).passed


def test_json_is_what_the_worker_says_and_nothing_else():
    assert process.parse(b"[1, 2]\n") is None
    assert process.parse(b"not json\n") is None
    assert process.parse(json.dumps({"event": "end"}).encode()) == {"event": "end"}


def test_a_cause_is_only_looked_for_in_the_time_that_a_file_has(chapter):
    text = SOLUTION.replace("total = x + x", "total = 5")
    write(chapter, text.replace("result = x * x", "result = double(x) * x / 2"))
    submission = read_submission(chapter, chapter.exercise_file)
    for seconds, is_found in [(60, True), (-1, False)]:
        before = Run(chapter, submission, {"1.1", "1.2"}, {"pictures": False, "details": False})
        before.deadline = time.monotonic() + seconds
        square = _with_mended(before, "1.2", ("1.1",))
        assert (square.status == PASSED) if is_found else (square is None)
