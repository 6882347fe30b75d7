"""Each proof holds on a small sound course, and fails where that course is broken."""

import subprocess

import numpy as np
import pytest
from small_course import code, edit, make_course, write, write_derived

from course import contracts, nodes, proofs, testing, zoo
from course.manifest import all_chapters
from course.notebooks import write_solution
from course.notebooks.file import read_notebook, to_text
from course.proofs.chain import prove_chain
from course.proofs.concepts import prove_concepts
from course.proofs.derived import prove_derived
from course.proofs.limits import prove_limits
from course.proofs.manifests import prove_manifests
from course.proofs.runs import prove_notebooks_run
from course.proofs.suites import (
    prove_blanks_stand_alone,
    prove_misconceptions_are_caught,
    prove_solutions_pass,
)


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_STRICT", raising=False)
    return make_course(tmp_path)


@pytest.fixture
def first(course):
    return course[0]


def problems(prove, *chapters):
    """What a proof finds, the manifests read anew."""
    fresh = {chapter.number: chapter for chapter in all_chapters(chapters[0].root)}
    return [str(problem) for problem in prove([fresh[c.number] for c in chapters]).problems]


def add_cell(chapter, source, *tags):
    lesson = read_notebook(chapter.solution_notebook)
    lesson["cells"].append(code("added", source, *tags))
    write(chapter.solution_notebook, to_text(lesson))


QUICK = [prove_derived, prove_manifests, prove_concepts, prove_limits]


@pytest.mark.parametrize("prove", [*QUICK, prove_chain], ids=lambda prove: prove.__name__)
def test_a_sound_course_has_no_problems(course, prove):
    assert problems(prove, *course) == []


@pytest.mark.parametrize("prove", [prove_solutions_pass, prove_blanks_stand_alone])
def test_a_sound_chapter_has_no_problems(first, prove):
    assert problems(prove, first) == []


def test_every_proof_is_made_and_its_problems_counted(course, monkeypatch, capsys):
    quick = {prove.__name__: prove for prove in QUICK}
    monkeypatch.setattr(proofs, "PROOFS", quick)
    assert proofs.main(course[0].root) == 0
    assert "no problems" in capsys.readouterr().out
    course[0].exercise_file.unlink()
    assert proofs.main(course[0].root) == 1
    out = capsys.readouterr().out
    assert "   chapters/01_first/tinytorch.py: is missing" in out and "1 problem," in out


def test_a_proof_that_cannot_be_made_is_a_problem(course, monkeypatch, capsys):
    monkeypatch.setattr(proofs, "PROOFS", {"derived files": prove_derived})
    edit(course[0].solution_file, "def double", "def twice")
    assert proofs.main(course[0].root) == 1
    assert "it cannot be made: KeyError: 'double'" in capsys.readouterr().out


# 1. derived files


def test_a_solution_that_was_changed_and_not_derived_is_found(first):
    edit(first.solution_file, "A number.", "One number.")
    (problem,) = problems(prove_derived, first)
    assert problem.startswith("chapters/01_first/tinytorch.py: is not what is derived")


def test_a_notebook_that_was_changed_and_not_derived_is_found(first):
    edit(first.solution_notebook, "# First", "# The first")
    (problem,) = problems(prove_derived, first)
    assert problem.startswith("chapters/01_first/01_first.ipynb: is not what is derived")


def test_a_heading_that_is_not_the_manifests_is_found(first):
    edit(first.tests / "exercises.toml", "minutes = 5", "minutes = 6", 1)
    assert any("headings are not as in the manifest" in p for p in problems(prove_derived, first))


def test_answers_are_named_and_fail_nothing(first):
    edit(first.exercise_file, 'raise NotImplementedError("exercise 1.1: double")', "return 2 * x")
    result = prove_derived([first])
    assert result.problems == []
    assert result.notes == ["chapters/01_first/tinytorch.py holds somebody's work: not compared"]


def test_an_edit_beside_the_blanks_is_somebodys_work_too(first):
    git(first.root, "init", "-q")
    git(first.root, "add", "chapters")
    git(first.root, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "x")
    edit(first.exercise_file, "A number.", "A number, as I see it.")
    assert prove_derived([first]).problems == []
    edit(first.exercise_file, "A number, as I see it.", "A number.")
    edit(first.solution_file, "A number.", "One number.")
    assert len(prove_derived([first]).problems) == 1


def git(folder, *words):
    subprocess.run(["git", *words], cwd=folder, check=True)


def test_a_file_that_does_not_parse_is_somebodys_work(first):
    write(first.exercise_file, "def double(x:\n")
    write(first.notebook, "{")
    assert prove_derived([first]).problems == []


def test_where_nobody_works_answers_are_a_problem(first, monkeypatch):
    edit(first.exercise_file, 'raise NotImplementedError("exercise 1.1: double")', "return 2 * x")
    monkeypatch.setenv("COURSE_STRICT", "1")
    assert len(problems(prove_derived, first)) == 1


# 2. solutions and blanks


def test_a_solution_that_fails_its_suite_is_found(first):
    edit(first.solution_file, "total = x * x\n", "total = x * 2\n")
    (problem,) = problems(prove_solutions_pass, first)
    assert problem.startswith("exercise 1.3: the solution has 1 of 2 marks: square(3) = 6")


def test_a_solution_that_cannot_be_imported_is_found(first):
    edit(first.solution_file, "class Tensor:", "import nowhere\n\n\nclass Tensor:")
    found = problems(prove_solutions_pass, first)
    assert any("chapter 1: the solution: ModuleNotFoundError" in problem for problem in found)


def test_a_test_that_passes_on_the_blank_is_found(first):
    edit(first.tests / "test_all.py", "expect(tt.cube(0)", "expect(0 * tt.Tensor(0).data")
    says = "test_all.py::test_cube_of_zero passes with the exercise blank"
    assert says in problems(prove_solutions_pass, first)[0]


# 3. one blank at a time


def test_an_earlier_exercise_that_needs_a_later_one_is_found(first):
    edit(first.solution_file, "total = x + x + x\n", "total = square(x) + 3 * x - x * x\n")
    assert problems(prove_solutions_pass, first) == []
    (problem,) = problems(prove_blanks_stand_alone, first)
    assert problem.startswith("exercise 1.2: the solution with 1.3 blank")


# 4. misconceptions


def wrong_answers(chapter, *answers):
    """Make a catalogue of these lambdas of x: (exercise, name, what it returns, words)."""
    text = "from course.misconceptions import wrong\n"
    for exercise, name, expression, says in answers:
        text += f'\n\n@wrong("{exercise}", "{name}", says="{says}")\n'
        text += f"def wrong_{name}(x):\n    return {expression}\n"
    write(chapter.tests / "misconceptions.py", text)


def test_wrong_answers_that_are_caught_are_counted(first):
    wrong_answers(
        first,
        ("1.1", "double", "x * x", "count again"),
        ("1.2", "triple", "3 * x + 3 * (x == 0)", "nothing comes from nothing"),
    )
    result = prove_misconceptions_are_caught([first])
    assert (result.figures, result.problems) == ("2 tried, 2 caught", [])


def test_a_wrong_answer_that_passes_is_found(first):
    wrong_answers(first, ("1.1", "double", "2 * x", "count again"))
    result = prove_misconceptions_are_caught([first])
    (problem,) = result.problems
    assert result.figures == "1 tried, 0 caught"
    assert problem.where == "tests/chapter01/misconceptions.py:5"
    assert problem.says == "wrong_double passes all tests of exercise 1.1"


def test_a_wrong_answer_caught_in_other_words_is_found(first):
    wrong_answers(first, ("1.1", "double", "x", "twice is not thrice"))
    (problem,) = problems(prove_misconceptions_are_caught, first)
    assert "no 'twice is not thrice' in the message: double(3) = 3" in problem


def test_a_wrong_answer_caught_by_another_exercise_alone_is_found(first):
    wrong_answers(first, ("1.1", "square", "x", "count again"))
    (problem,) = problems(prove_misconceptions_are_caught, first)
    assert "wrong_square passes all tests of exercise 1.1" in problem


def test_a_wrong_answer_that_cannot_be_imported_catches_nothing(first):
    text = '@wrong("1.1", says="")\n@nowhere\ndef undecorated(x):\n    return x\n'
    write(first.tests / "misconceptions.py", text)
    (problem,) = problems(prove_misconceptions_are_caught, first)
    assert "undecorated: the file cannot be graded: NameError" in problem


def test_a_catalogue_that_cannot_be_read_is_found(first):
    wrong_answers(first, ("1.9", "double", "x", "count again"))
    (problem,) = problems(prove_misconceptions_are_caught, first)
    assert problem.endswith("there is no exercise '1.9'")


# 5. from chapter to chapter


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("    total = x + x\n", "    total = 2 * x\n", "double differs"),
        ("\n        self.grad_fn = None", "", "Tensor.__init__ is declared in `changed` and does"),
        ("def triple(x)", "def thrice(x)", "triple is gone and not declared"),
    ],
)
def test_a_change_must_be_declared(course, old, new, says):
    edit(course[1].solution_file, old, new)
    found = problems(prove_chain, *course)
    assert any(problem.startswith(f"chapter 2: {says}") for problem in found)


def test_a_declared_removal_must_happen(course):
    edit(course[1].tests / "exercises.toml", "removed = []", 'removed = ["triple"]')
    (problem,) = problems(prove_chain, *course)
    assert problem == "chapter 2: triple is declared in `removed` and is not gone"


EXCEPTION = """removed = []
[[exceptions]]
test = "test_triple_of_a_number"
on = ["{on}"]
why = "it is four times now"
"""


def make_triple_quadruple(course):
    edit(course[1].solution_file, "total = x + x + x\n", "total = 4 * x\n")
    edit(course[1].tests / "exercises.toml", '"Tensor.__init__"', '"Tensor.__init__", "triple"')


def test_a_suite_that_fails_on_a_later_snapshot_is_found(course):
    make_triple_quadruple(course)
    (problem,) = problems(prove_chain, *course)
    assert problem.startswith("exercise 1.2: test_triple_of_a_number fails on chapter 2: triple(3)")


def test_a_declared_exception_covers_it(course):
    make_triple_quadruple(course)
    edit(course[0].tests / "exercises.toml", "removed = []\n", EXCEPTION.format(on="2"))
    assert problems(prove_chain, *course) == []


def test_an_exception_that_nothing_needs_is_found(course):
    edit(course[0].tests / "exercises.toml", "removed = []\n", EXCEPTION.format(on="2"))
    (problem,) = problems(prove_chain, *course)
    assert problem == "chapter 1: needs no exception for test_triple_of_a_number: it holds"


def test_a_suite_that_fails_on_the_library_is_found(first):
    library = first.solution_file.read_text(encoding="utf-8").replace("x * x * x", "x")
    write(first.root / "tinytorch" / "__init__.py", library)
    (problem,) = problems(prove_chain, first)
    assert problem.startswith("exercise 1.4: test_cube_of_a_number fails on the library")


# 6. manifests


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("points = 2", "points = 3", "exercise 1.1: points = 3, its tests have 2"),
        ('"It is one line."', "", "exercise 1.1: has 1 hints"),
        ('reason = "It is the shortest."', 'reason = ""', "exercise 1.1: has no reason"),
        ("difficulty = 2", "difficulty = 6", "exercise 1.1: difficulty is 6"),
        ("minutes = 5", "minutes = 60", "exercise 1.1: takes 60 minutes"),
        ('id = "1.1"', 'id = "1.7"', "exercise 1.7: is number 1 of chapter 1"),
        ('names = ["double"]', 'names = ["cube"]', "exercise 1.1: cube belongs to more than one"),
        ('question = "How?"', 'question = ""', "chapter 1: has no question"),
    ],
)
def test_an_incomplete_manifest_is_found(first, old, new, says):
    edit(first.tests / "exercises.toml", old, new, 1)
    assert any(problem.startswith(says) for problem in problems(prove_manifests, first))


def test_a_name_that_the_solution_lacks_is_found(first):
    edit(first.solution_file, "def double", "def twice")
    assert problems(prove_manifests, first) == ["exercise 1.1: the solution has no double"]


def test_too_few_exercises_are_found(first):
    path = first.tests / "exercises.toml"
    write(path, path.read_text(encoding="utf-8").partition('\n[[exercises]]\nid = "1.4"')[0])
    found = problems(prove_manifests, first)
    assert "chapter 1: has 3 exercises, wanted 4 to 8" in found
    assert "chapter 1: test_cube_of_zero belongs to no exercise of this chapter" in found


def test_too_few_wrong_answers_are_found(first):
    edit(first.tests / "misconceptions.py", '@wrong("1.1"', '@wrong("1.2", "double"', 1)
    assert problems(prove_manifests, first) == [
        "exercise 1.1: has 2 wrong answers, wanted 3 or more"
    ]


def test_a_test_of_no_exercise_is_found(first):
    edit(first.tests / "test_all.py", '@pytest.mark.exercise("1.1", points=1)\n', "", 1)
    found = problems(prove_manifests, first)
    assert found[0] == "chapter 1: test_double_of_a_number belongs to no exercise of this chapter"


@pytest.mark.parametrize(
    "line",
    [
        "ONE = np.array(1.0)",
        "ROWS = [[1, 2], [3, 4]]",
        "SLIPS = {1: [2, 3]}",
        "CASES = (1, {2, 3})",
        "def helper(seed=np.ones(3)):\n    return seed",
        "def helper(*, seeds=[1]):\n    return seeds",
        "class Case:\n    seen = []",
        "helper = lambda seen=[]: seen",
    ],
)
def test_a_value_of_a_test_that_an_answer_could_change_is_found(first, line):
    """An honest sum in place would change it, and the seal take that for tampering."""
    with (first.tests / "test_all.py").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    (problem,) = problems(prove_manifests, first)
    assert "wanted a tuple, or a value that is made anew in each test" in problem


@pytest.mark.parametrize(
    "line",
    [
        "ROWS = (1, 2), (3, 4)",
        "GRAPHS = range(3)",
        "SLIPS = {TypeError: 'call it', 3: lambda got: [got]}",
        "LOSSES = {name: abs for name in 'ab'}",
        "def helper(seed=1.0, names=()):\n    return [seed, *names]",
    ],
)
def test_a_value_of_a_test_that_nothing_changes_is_fine(first, line):
    with (first.tests / "test_all.py").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert problems(prove_manifests, first) == []


@pytest.mark.parametrize("module", [contracts, nodes, testing, zoo])
def test_what_the_tests_hand_out_is_made_anew(module):
    for name, value in vars(module).items():
        assert name.startswith("__") or not isinstance(value, (list, set, np.ndarray)), name


def test_two_tests_of_one_name_are_found(first):
    edit(first.tests / "test_all.py", "test_double_of_zero", "test_double_of_a_number")
    assert problems(prove_manifests, first) == [
        "chapter 1: 2 tests are named test_double_of_a_number"
    ]


def test_an_exception_for_nothing_is_found(first):
    edit(first.tests / "exercises.toml", "removed = []\n", EXCEPTION.format(on="2"))
    edit(first.tests / "exercises.toml", "test_triple_of_a_number", "test_of_old")
    (problem,) = problems(prove_manifests, first)
    assert problem == "chapter 1: an exception names 'test_of_old', which is not there"


def test_a_docstring_that_gives_the_answer_away_is_found(first):
    edit(first.solution_file, "Return double of x.", "Twice x.\n\n    total = x + x\n    ")
    (problem,) = problems(prove_manifests, first)
    assert problem == "exercise 1.1: the blank of double shows 'total = x + x'"


def test_a_cell_that_gives_the_answer_away_is_found(first):
    body = "total = x + x\nresult = total\nreturn result"
    add_cell(first, f"def twice(x):\n    {body}".replace("\n", "\n    "))
    assert problems(prove_manifests, first) == [
        "01_first.ipynb, cell added: gives away double of exercise 1.1"
    ]


def test_the_same_in_an_answer_is_fine(first):
    add_cell(first, "total = x + x\nresult = total\nreturn result", "answer")
    assert problems(prove_manifests, first) == []


def test_a_notebook_that_imports_a_solution_is_found(first):
    add_cell(first, "from solutions import tinytorch")
    assert "names solutions/" in problems(prove_manifests, first)[0]


def test_an_exercise_that_no_notebook_checks_is_found(first):
    edit(first.solution_notebook, 'check(\\"1.2\\")', "triple(3)")
    (problem,) = problems(prove_manifests, first)
    assert problem == '01_first.ipynb: no cell calls check("1.2")'


@pytest.mark.parametrize("folder", ["solutions/01_first", "tests/chapter01"])
def test_a_stray_file_is_found(first, folder):
    write(first.root / folder / "notes.txt", "")
    write(first.root / folder / ".cache" / "kept.txt", "")
    assert problems(prove_manifests, first) == [f"{folder}/notes.txt: does not belong here"]


def test_a_student_may_keep_files_beside_the_notebook(first, monkeypatch):
    write(first.exercise_file.parent / "notes.txt", "")
    assert problems(prove_manifests, first) == []
    monkeypatch.setenv("COURSE_STRICT", "1")
    assert len(problems(prove_manifests, first)) == 1


# 7. concept order


def test_a_word_that_comes_too_early_is_found_in_a_notebook(first):
    add_cell(first, "x.requires_grad")
    assert problems(prove_concepts, first) == [
        "01_first.ipynb, cell added: names 'requires_grad', which chapter 5 introduces"
    ]


def test_an_outlook_may_look_ahead(first):
    add_cell(first, "x.requires_grad", "outlook")
    assert problems(prove_concepts, first) == []


def test_what_pytorch_calls_it_may_be_said(first):
    add_cell(first, "# as torch.no_grad does")
    assert problems(prove_concepts, first) == []


def test_a_word_that_comes_too_early_is_found_in_a_hint(first):
    edit(first.tests / "exercises.toml", "Think of a sum.", "Think of unbroadcast.", 1)
    assert problems(prove_concepts, first)[0].startswith("exercise 1.1: names 'unbroadcast'")


def test_a_word_that_comes_too_early_is_found_in_a_test(first):
    edit(first.tests / "test_all.py", "count again", "call .backward()", 1)
    assert problems(prove_concepts, first)[0].startswith("tests/chapter01/test_all.py: names")


def test_helpers_of_the_tests_may_have_any_name(first):
    path = first.tests / "test_all.py"
    edit(path, "from course.testing import expect", "from course.testing import expect, leaf")
    assert problems(prove_concepts, first) == []


def test_a_name_of_a_later_snapshot_is_found(course):
    edit(course[1].solution_file, "def fifth", "def _of_five():\n    pass\n\n\ndef fifth")
    edit(course[0].solution_file, "A number.", "A number, see _of_five.")
    assert problems(prove_concepts, *course) == [
        "chapters/01_first/tinytorch.py: names '_of_five', which chapter 2 introduces"
    ]


# 8. notebooks


@pytest.fixture
def run_once(first):
    write_solution(first)
    return first


def test_a_run_notebook_has_no_problems(run_once):
    assert problems(prove_notebooks_run, run_once) == []


def test_outputs_that_are_no_longer_true_are_found(run_once):
    edit(run_once.solution_notebook, '"9"', '"10"', 1)
    (problem,) = problems(prove_notebooks_run, run_once)
    assert problem == "solutions/01_first/01_first.ipynb, cell check-1-2: says 9, committed is 10"


def test_a_cell_that_fails_is_found(first):
    add_cell(first, "1 / 0")
    (problem,) = problems(prove_notebooks_run, first)
    assert problem.endswith("cell added (1 / 0): ZeroDivisionError: division by zero")


def test_a_cell_that_needs_a_later_exercise_is_found(run_once):
    early = "import tinytorch; tinytorch.square(3)"
    lesson = read_notebook(run_once.solution_notebook)
    places = [cell["id"] for cell in lesson["cells"]]
    lesson["cells"].insert(places.index("check-1-2"), code("early", early))
    write(run_once.solution_notebook, to_text(lesson))
    (problem,) = problems(prove_notebooks_run, run_once)
    assert "with later exercises blank: cell early" in problem
    assert problem.endswith("NotImplementedError: exercise 1.3: square")


def test_an_exercise_that_is_checked_once_more_takes_no_later_answer_away(first):
    add_cell(first, 'check("1.1")\ncheck("1.2")')
    write_solution(first)
    assert problems(prove_notebooks_run, first) == []


# 9. limits


def test_a_long_snapshot_is_found(first, monkeypatch):
    monkeypatch.setattr("course.proofs.limits.SNAPSHOT", 10)
    assert problems(prove_limits, first) == ["chapter 1: 19 lines, limit 10"]


def test_a_long_function_is_found(first):
    long = "".join(f"    x = x + {n}\n" for n in range(30))
    edit(first.solution_file, "class Tensor:", f"def long(x):\n{long}\n\nclass Tensor:")
    assert problems(prove_limits, first) == ["chapter 1: long has 31 lines, limit 30"]


def test_a_long_answer_is_found(first):
    long = "".join(f"    x = x + {n}\n" for n in range(10))
    edit(first.solution_file, "    total = x * x\n", f"{long}    total = x * x\n")
    assert problems(prove_limits, first) == [
        "exercise 1.3: the answer square has 13 lines, limit 12"
    ]


def test_docstrings_and_comments_are_not_counted(first):
    text = "\n\n    ".join(["line"] * 40)
    edit(first.solution_file, "Return square of x.", f"Return.\n\n    {text}\n    ")
    edit(first.solution_file, "    total = x * x\n", "    # why\n" * 20 + "    total = x * x\n")
    write_derived(first)
    assert problems(prove_limits, first) == []
