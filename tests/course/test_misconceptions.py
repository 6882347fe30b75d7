"""The catalogue of wrong answers is read as it is written, and put into the solution."""

import pytest
from small_course import edit, make_course, write

from course.manifest import load_chapter
from course.misconceptions import CatalogueError, catalogue
from course.modules import definitions, solution_of

HEAD = "from course.misconceptions import wrong\n\n\n"


@pytest.fixture
def chapter(tmp_path):
    return make_course(tmp_path)[0]


def read(chapter, text):
    write(chapter.tests / "misconceptions.py", HEAD + text)
    return catalogue(chapter)


def test_each_entry_says_its_exercise_its_words_and_its_line(chapter):
    first = catalogue(chapter)[0]
    assert (first.title, first.exercise, first.says) == ("double_is_0", "1.1", ("count again",))
    assert first.where == "tests/chapter01/misconceptions.py:5"


def test_a_wrong_answer_takes_the_name_of_what_it_replaces(chapter):
    solution = solution_of(chapter)
    made = catalogue(chapter)[1].apply(solution)
    assert definitions(made)["double"].text == "def double(x):\n    return 7 * x\n"
    assert definitions(made)["square"].text == definitions(solution)["square"].text


def test_methods_keep_their_indentation_and_their_decorators(chapter):
    edit(
        chapter.solution_file,
        "        self.data = data\n",
        "        self.data = data\n\n    @property\n    def shape(self):\n        return ()\n",
    )
    edit(chapter.tests / "exercises.toml", 'names = ["double"]', 'names = ["Tensor.shape"]')
    chapter = load_chapter(1, chapter.root)
    (entry,) = read(chapter, '@wrong("1.1", says="x")\ndef always_one(self):\n    return (1,)\n')
    made = entry.apply(solution_of(chapter))
    want = "    @property\n    def shape(self):\n        return (1,)\n"
    assert definitions(made)["Tensor.shape"].text == want


def test_own_decorators_replace_those_of_the_solution(chapter):
    text = '@wrong("1.1", says="x")\n@staticmethod\ndef decorated(x):\n    return x\n'
    (entry,) = read(chapter, text)
    made = entry.apply(solution_of(chapter))
    assert definitions(made)["double"].text == "@staticmethod\ndef double(x):\n    return x\n"


def test_a_class_replaces_one_definition_for_each_of_its_methods(chapter):
    text = (
        '@wrong("1.1", says=("one", "two"))\nclass swapped:\n'
        "    def double(x):\n        return x * x\n\n    def square(x):\n        return x + x\n"
    )
    (entry,) = read(chapter, text)
    assert entry.says == ("one", "two")
    made = definitions(entry.apply(solution_of(chapter)))
    assert made["double"].text == "def double(x):\n    return x * x\n"
    assert made["square"].text == "def square(x):\n    return x + x\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('@wrong("1.9", says="x")\ndef f(x): pass\n', "no exercise '1.9'"),
        ('@wrong("1.1", "tripel", says="x")\ndef f(x): pass\n', "has no tripel"),
        ('@wrong("1.1")\ndef f(x): pass\n', "says"),
        ("def f(x): pass\n", "one decorator"),
        ('@wrong("1.1", says=WORDS)\ndef f(x): pass\n', "f"),
        ("def f(x:\n", "misconceptions.py"),
    ],
)
def test_a_mistake_in_the_catalogue_is_one_line_that_names_the_file(chapter, text, says):
    with pytest.raises(CatalogueError, match=r"tests/chapter01/misconceptions.py") as error:
        read(chapter, text)
    assert says in str(error.value) and "\n" not in str(error.value)


def test_the_catalogue_is_never_imported(chapter):
    text = '@wrong("1.1", says="x")\ndef f(x): pass\n\nraise SystemExit\n'
    assert len(read(chapter, text)) == 1
