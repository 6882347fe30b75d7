"""Help with one exercise: the next hint, the solution with its reason, the blank back."""

from course.blanks import derive
from course.manifest import UsageError, path_of
from course.modules import (
    definitions,
    file_name,
    has_solution,
    homes,
    solution_of,
    split_name,
)
from course.notebooks import derived_notebook
from course.output import command, shown, wrapped
from course.source import read_source, replace, write_source
from course.student import keep, recall, remember


def show_hint(chapter, exercise):
    """Print the next hint; after the last one, all of them."""
    seen = recall("hints", {}, chapter.root)
    number, count = seen.get(exercise.id, 0), len(exercise.hints)
    print(f"Exercise {exercise.id} · {exercise.title}")
    print(f"{_place(chapter, exercise)}\n")
    for index in [number] if number < count else range(count):
        print(wrapped(f"Hint {index + 1} of {count}: {exercise.hints[index]}") + "\n")
    for symptom, advice in exercise.symptoms if number in (0, count) else ():
        print(wrapped(f"If you see: {symptom}") + "\n" + wrapped(advice, "  ") + "\n")
    _remember_hints(seen | {exercise.id: min(number + 1, count)}, chapter.root)
    print(_after_hint(chapter, exercise, count - number - 1))


def _remember_hints(seen, root):
    """Remember which hints were shown; where that's impossible, the hint was one all the same."""
    try:
        remember("hints", seen, root)
    except OSError as error:
        print(f"(You'll see this hint again: .course can't be written, {error.strerror}.)")


def show_solution(chapter, exercise):
    """Print the code of the solution and why it is as it is."""
    code = solution_of(chapter, homes(chapter, exercise))
    found = definitions(code)
    print(f"Exercise {exercise.id} · {exercise.title}")
    for home in code:
        print(shown(chapter.files[home], chapter.root))
        for name in exercise.names:
            module, local = split_name(code, name)
            if module == home:
                owner = local.rpartition(".")[0]
                print(f"\nin class {owner}:" if owner else "")
                print(found[name].text.rstrip())
    print("\n" + wrapped(f"Here's why: {exercise.reason}"))


def reset_exercise(chapter, exercise):
    """Bring the blank of an exercise back into the student's files; the rest of them stays."""
    derived, done = derive(chapter), []
    for module in homes(chapter, exercise):
        path = path_of(chapter.exercise_file, module)
        _require_no_folder(path, chapter.root)
        if not path.is_file():
            write_source(path, derived[module])
            print(f"{shown(path, chapter.root)} was missing; it's back, with all its blanks.")
            done.append(path)
            continue
        text = _with_blank(chapter, exercise, module)
        if text != read_source(path):
            _say_kept(path, chapter.root)
            write_source(path, text)
            print(f"Exercise {exercise.id} is blank again in {shown(path, chapter.root)}.")
            done.append(path)
    if not done:
        print(f"Exercise {exercise.id} is blank already; nothing has changed.")


def reset_chapter(chapter):
    """Bring the exercise files and the notebook of a chapter back as they were given."""
    files = {path_of(chapter.exercise_file, m): text for m, text in derive(chapter).items()}
    contents = {path: text.encode("utf-8") for path, text in files.items()}
    contents[chapter.notebook] = derived_notebook(chapter)
    for path in contents:
        _require_no_folder(path, chapter.root)
    for path, content in contents.items():
        if path.is_file() and path.read_bytes() == content:
            print(f"{shown(path, chapter.root)} is just as you got it; nothing has changed.")
            continue
        if path.is_file():
            _say_kept(path, chapter.root)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        print(f"{shown(path, chapter.root)} is back to how you got it.")


def _require_no_folder(path, root):
    if path.is_dir():
        raise UsageError(f"{shown(path, root)} is a folder, where a file should be: move it away")


def _with_blank(chapter, exercise, module):
    """A student's module with the exercise blank; UsageError where that cannot be done."""
    path, file = path_of(chapter.exercise_file, module), file_name(chapter, module)
    back = command(f"reset-chapter{chapter.number}")
    whole = f"{back} brings the whole file back, and keeps a copy of yours"
    blanks = definitions(derive(chapter))
    try:
        text = read_source(path)
        for name in exercise.names:
            home, local = split_name(chapter.files, name)
            text = replace(text, local, blanks[name].text) if home == module else text
    except SyntaxError as error:
        raise UsageError(f"{file}, line {error.lineno}: {error.msg}; {whole}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not saved as UTF-8; {whole}") from None
    except KeyError as error:
        says = f"{file} has no {error.args[0]} any more; {_how_to_begin(error.args[0])}"
        raise UsageError(f"{says}, then run this again; or {whole}") from None
    return text


def _how_to_begin(name):
    """What to write where a definition is gone: its blank can take the place of this."""
    owner, _, last = name.rpartition(".")
    where = f" in class {owner}" if owner else ""
    return f'write "def {last}({"self" * bool(owner)}): pass"{where}'


def _say_kept(path, root):
    print(f"Your version is kept in {shown(keep(path, root), root)}")


def _place(chapter, exercise):
    """Where the exercise is in the student's file; without the line where it is not to be found."""
    module, _ = split_name(chapter.files, exercise.names[0])
    path = path_of(chapter.exercise_file, module)
    file = shown(path, chapter.root)
    try:
        found = definitions({module: read_source(path)})
        return f"{file}, line {found[exercise.names[0]].start + 1}"
    except (OSError, SyntaxError, ValueError, KeyError):
        return file


def _after_hint(chapter, exercise, left):
    if left > 0:
        more = "1 more hint" if left == 1 else f"{left} more hints"
        return f"{more}: {command(f'hint-{exercise.id}')}"
    if not has_solution(chapter, homes(chapter, exercise)):
        return "That was the last hint."
    solution = command(f"solution-{exercise.id}")
    return f"That was the last hint. The answer, and why it works: {solution}"
