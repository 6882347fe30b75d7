"""A folder of submissions becomes a table of marks; nothing that was graded is lost."""

import csv
import io
import json
import os
import re
import signal
import threading
import unicodedata
import zipfile
from argparse import Namespace
from dataclasses import replace

import pytest
from small_chapter import zipped
from small_package import make_package

from course.classes import jobs, kept, picture, sandbox, tables
from course.classes import run as run_of_a_class
from course.classes.run import main
from course.classes.submissions import submissions_in
from course.classes.written import Written
from course.grading import limits
from course.manifest import UsageError, load_chapter, path_of

CHAPTER = load_chapter(1)
PACKAGE = replace(CHAPTER, slug="08_second", modules=("tape", "nn.conv"))
RIGHT = CHAPTER.solution_file.read_bytes()
WRONG = RIGHT.replace(b"(up - down)", b"(up + down)")
DRAW = picture.draw


def lay(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


def found(folder, chapter=CHAPTER):
    return {one.name: one.problem or (one.graded, sorted(one.files)) for one in
            submissions_in(folder, chapter)}  # fmt: skip


FORMS = {  # what is handed in: what it is taken for
    "alice.py": ("x", ("alice.py", ["alice.py"])),
    "bob/tinytorch.py": ("x", ("tinytorch.py", ["tinytorch.py"])),
    "carol/work/other_name.py": ("x", ("other_name.py", ["other_name.py"])),
    "dave.zip": (zipped(**{"tinytorch.py": "x"}), ("tinytorch.py", ["tinytorch.py"])),
    "Erin_77_assignsubmission_file_/mine.zip": (
        zipped(**{"repo__tinytorch.py": "x", "__MACOSX__._tinytorch.py": "y"}),
        ("tinytorch.py", ["tinytorch.py"]),
    ),
    "frank/chapters/01_tensor/tinytorch.py": ("x", ("tinytorch.py", ["tinytorch.py"])),
    "broken.zip": ("no zip", "broken.zip is no zip that can be read: File is not a zip file"),
    "empty/notes.txt": ("x", "there is no tinytorch.py in it"),
    "essay.pdf": ("x", "there is no tinytorch.py in it"),
    "large.py": ("#" * 5_000_001, "it has more than 5,000,000 bytes of Python"),
}


def test_each_form_of_a_submission_is_understood(tmp_path):
    lay(tmp_path, {name: data for name, (data, _) in FORMS.items()} | {".DS_Store": "x"})
    lay(tmp_path, {"frank/chapters/02_function/tinytorch.py": "later"})
    lay(tmp_path, {"bob/.ipynb_checkpoints/tinytorch.py": "old"})
    wanted = {name.split("/")[0]: what for name, (_, what) in FORMS.items()}
    wanted = {re.sub(r"\.(py|zip|pdf)$", "", name): what for name, what in wanted.items()}
    assert found(tmp_path) == wanted


def test_a_zip_of_the_whole_class_is_read_like_a_folder(tmp_path):
    files = {"class__alice.py": "x", "class__bob__tinytorch.py": "y", "class__bob__mine.py": "z"}
    files |= {"class__carol__essay.pdf": "x", "class__.DS_Store": "x"}
    lay(tmp_path, {"class.zip": zipped(**files)})
    assert found(tmp_path / "class.zip") == {
        "alice": ("alice.py", ["alice.py"]),
        "bob": ("tinytorch.py", ["mine.py", "tinytorch.py"]),
        "carol": "there is no tinytorch.py in it",
    }


def test_two_files_of_one_name_are_no_riddle(tmp_path):
    lay(tmp_path, {"a/x/tinytorch.py": "x", "a/y/tinytorch.py": "y", "b.py": "x", "b/b.py": "x"})
    assert found(tmp_path) == {
        "a": "there is more than one tinytorch.py in it: x/tinytorch.py, y/tinytorch.py",
        "b.py": ("b.py", ["b.py"]),
        "b": ("b.py", ["b.py"]),
    }


def test_modules_of_part_ii_are_found_in_a_repository_or_alone(tmp_path):
    lay(tmp_path / "in", {
        "alice/chapters/08_second/tinytorch/tape.py": "x",
        "alice/chapters/08_second/tinytorch/nn/conv.py": "x",
        "alice/chapters/06_first/tinytorch/tape.py": "x",
        "bob/tinytorch/tape.py": "x",
        "carol/notes.py": "x", "carol/more.py": "x",
    })  # fmt: skip
    got = found(tmp_path / "in", PACKAGE)
    assert got["alice"] == ("tinytorch", ["tinytorch/nn/conv.py", "tinytorch/tape.py"])
    assert got["bob"] == ("tinytorch", ["tinytorch/tape.py"])
    assert got["carol"] == "there is no folder tinytorch/ in it, only more.py, notes.py"


def test_a_whole_repository_with_its_solutions_and_the_library_is_no_riddle(tmp_path):
    lay(tmp_path / "in", {
        "alice/chapters/01_tensor/tinytorch.py": "mine",
        "alice/solutions/01_tensor/tinytorch.py": "theirs",
        "alice/chapters/08_second/tinytorch/tape.py": "mine",
        "alice/solutions/08_second/tinytorch/tape.py": "theirs",
        "alice/tinytorch/tape.py": "theirs",
    })  # fmt: skip
    for chapter in (CHAPTER, PACKAGE):
        (one,) = submissions_in(tmp_path / "in", chapter)
        assert list(one.files.values()) == [b"mine"] and not one.problem


def test_the_contents_of_the_folder_will_do_too(tmp_path):
    lay(tmp_path / "in", {"alice/tape.py": "x", "alice/nn/conv.py": "x", "bob/conv.py": "x"})
    got = found(tmp_path / "in", PACKAGE)
    assert got["alice"] == ("tinytorch", ["tinytorch/nn/conv.py", "tinytorch/tape.py"])
    assert got["bob"] == "there is no folder tinytorch/ in it, only conv.py"


def test_a_link_to_another_students_answer_hands_in_nothing(tmp_path):
    lay(tmp_path, {"alice/tinytorch.py": "x", "bob/notes.txt": "x"})
    (tmp_path / "bob/tinytorch.py").symlink_to("../alice/tinytorch.py")
    (tmp_path / "alice/mine.py").symlink_to("tinytorch.py")
    assert found(tmp_path) == {
        "alice": ("tinytorch.py", ["mine.py", "tinytorch.py"]),
        "bob": "there is no tinytorch.py in it",
    }


def test_a_zip_can_name_no_place_outside_of_its_folder(tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in ("tinytorch\\tape.py", "/tinytorch/nn/conv.py", "C:/tinytorch/x.py", "../y.py"):
            info = zipfile.ZipInfo("x")
            info.filename = name
            archive.writestr(info, "x")
    lay(tmp_path / "in", {"alice.zip": data.getvalue()})
    _, files = found(tmp_path / "in", PACKAGE)["alice"]
    assert files == ["C_/tinytorch/x.py", "tinytorch/nn/conv.py", "tinytorch/tape.py"]


def test_a_zip_whose_code_is_outside_of_it_says_so(tmp_path):
    lay(tmp_path, {
        "alice.zip": zipped(**{"..__..__tinytorch.py": "x", "notes.txt": "x"}),
        "bob/more.zip": zipped(**{"..__tinytorch.py": "x"}), "bob/tinytorch.py": "x",
    })  # fmt: skip
    assert found(tmp_path) == {
        "alice": "alice.zip has no code but ../../tinytorch.py, which leads out of it",
        "bob": ("tinytorch.py", ["tinytorch.py"]),
    }


def test_a_zip_that_is_damaged_anywhere_costs_nobody_else(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tinytorch.py", RIGHT)
    whole = packed.getvalue()
    for place in range(0, len(whole), 97):
        data = whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
        lay(tmp_path, {f"{place}.zip": data, f"{place}-cut.zip": whole[:place]})
    assert len(list(submissions_in(tmp_path, CHAPTER))) == 2 * len(range(0, len(whole), 97))


def test_names_that_cannot_be_written_cost_nobody_else():
    result = jobs.grade_one(1, {"a.py": b"", "a.py/b.py": b""}, "a.py")
    assert result["record"] is None and result["problem"].startswith("grading failed: ")


def test_a_file_that_cannot_be_read_costs_nobody_else(tmp_path):
    lay(tmp_path, {"alice.py": "x"})
    (tmp_path / "bob.py").symlink_to(tmp_path / "nowhere.py")
    assert "cannot be read" in found(tmp_path)["bob"] or "no tinytorch" in found(tmp_path)["bob"]
    assert found(tmp_path)["alice"] == ("alice.py", ["alice.py"])


def test_a_folder_that_cannot_be_listed_is_not_taken_for_an_empty_one(tmp_path, monkeypatch):
    def closed(path):
        if os.fspath(path).endswith("inner"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    lay(tmp_path, {"alice.py": "x", "bob/inner/tinytorch.py": "x"})
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", closed)
    assert found(tmp_path)["bob"] == "bob cannot be read: Permission denied"
    assert found(tmp_path)["alice"] == ("alice.py", ["alice.py"])


@pytest.fixture
def graded(monkeypatch):
    """The contents of what is graded, in order; marks by contents, without running anything."""
    seen = []

    def grade_one(number, files, graded, is_sandboxed):
        (data,) = files.values()
        seen.append(data)
        if data == b"stop":
            raise KeyboardInterrupt
        if data == b"dies":
            raise RuntimeError("the worker died\nin two lines")
        if data == b"broken":
            return {"record": None, "text": "", "problem": "grading failed: disk full"}
        marks = CHAPTER.points if data == b"right" else 0
        exercises = [
            {"id": e.id, "marks": e.points if marks else 0, "status": "failed", "message": "m"}
            for e in CHAPTER.exercises
        ]
        record = {"marks": marks, "out_of": CHAPTER.points, "passed": bool(marks), "note": ""}
        record |= {"seconds": 1.0, "sha256": "0" * 64, "course": "1", "exercises": exercises}
        return {"record": record, "text": "feedback", "problem": ""}

    monkeypatch.setattr(jobs, "grade_one", grade_one)
    monkeypatch.setattr(picture, "draw", lambda *_: None)  # it takes longer than all the rest
    return seen


def run(folder, out, **options):
    settings = {"roster": None, "sandbox": False, "scheduler": None} | options
    return main(CHAPTER, Namespace(folder=folder, out=out, **settings))


def marks_in(out):
    with open(out / "marks.csv", encoding="utf-8-sig", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def test_the_table_has_a_row_a_student_and_a_column_an_exercise(
    graded, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(picture, "draw", DRAW)
    folder = lay(tmp_path / "in", {"alice.py": "right", "bob.py": "wrong"})
    assert run(folder, tmp_path / "out") == 1
    rows = marks_in(tmp_path / "out")
    assert rows["alice"]["marks"] == str(CHAPTER.points) and rows["bob"]["marks"] == "0"
    assert {e.id for e in CHAPTER.exercises} <= set(rows["alice"])
    assert (tmp_path / "out/feedback/alice.txt").read_text() == "feedback"
    assert (tmp_path / "out/class.png").stat().st_size > 10_000
    assert "2 of 2 graded, 1 all right" in capsys.readouterr().out


def test_exit_codes_tell_not_right_from_not_graded(graded, tmp_path):
    for name, files, code in [
        ("right", {"alice.py": "right"}, 0),
        ("wrong", {"alice.py": "right", "bob.py": "wrong"}, 1),
        ("broken", {"alice.py": "right", "bob.py": "broken"}, 3),
        ("none", {"alice.py": "right", "bob.txt": "x"}, 3),
    ]:
        assert run(lay(tmp_path / name, files), tmp_path / f"{name}-out") == code, name


def test_a_worker_that_dies_is_the_problem_of_one_file(graded, tmp_path):
    folder = lay(tmp_path / "in", {"alice.py": "dies", "bob.py": "right"})
    assert run(folder, tmp_path / "out") == 3
    rows = marks_in(tmp_path / "out")
    assert rows["alice"]["note"] == "grading failed: RuntimeError the worker died"
    assert rows["bob"]["marks"] == str(CHAPTER.points)


def test_whoever_was_not_graded_reads_why_and_no_older_feedback(graded, tmp_path):
    folder = lay(tmp_path / "in", {"alice.py": "right", "bob.py": "right", "carol.pdf": "x"})
    assert run(folder, tmp_path / "out") == 3
    lay(folder, {"alice.zip": "no zip", "bob.py": "broken"})
    (folder / "alice.py").unlink()
    assert run(folder, tmp_path / "out") == 3
    for name, why in {
        "alice": "alice.zip is no zip that can be read: File is not a zip file",
        "bob": "grading failed: disk full",
        "carol": "there is no tinytorch.py in it",
    }.items():
        assert (tmp_path / "out/feedback" / f"{name}.txt").read_text() == f"not graded: {why}\n"


ODD = ["Ж" * 100, "王小明_77_file_", "semi;colon?", "a" * 240, "a" * 239 + "b"]


def test_any_name_that_a_file_can_have_is_kept(graded, tmp_path):
    odd = lay(tmp_path / "in", {f"{name}.py": "right" for name in ODD})
    assert run(odd, tmp_path / "out") == 0
    assert {*marks_in(tmp_path / "out")} == {*ODD}
    feedback = [path.stem for path in (tmp_path / "out/feedback").iterdir()]
    assert len(feedback) == 5 and {"王小明_77_file_", "semi%3Bcolon%3F"} < {*feedback}
    graded.clear()
    assert run(odd, tmp_path / "out") == 0 and graded == []


def test_a_class_of_files_that_cannot_be_graded_does_not_fill_the_window(graded, tmp_path, capsys):
    folder = lay(tmp_path / "in", {f"{n}.txt": "x" for n in range(50)} | {"alice.py": "right"})
    assert run(folder, tmp_path / "out") == 3
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 22 and said[-1] == "  and 30 more, which the table lists"


def test_a_disk_that_is_full_loses_nothing_that_was_written(graded, tmp_path, monkeypatch):
    folder = lay(tmp_path / "in", {"alice.py": "right"})
    run(folder, tmp_path / "out")
    before = (tmp_path / "out/marks.csv").read_bytes()
    lay(folder, {"bob.py": "right", "carol.py": "right"})

    def full(row):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tables, "_harmless", full)
    with pytest.raises(OSError, match="No space") as error:
        run(folder, tmp_path / "out")
    assert error.value.filename == str(tmp_path / "out")
    assert (tmp_path / "out/marks.csv").read_bytes() == before
    monkeypatch.undo()
    assert run(folder, tmp_path / "out") == 0 and len(graded) == 3  # graded once each


def test_no_note_names_the_folder_that_it_was_graded_in():
    result = jobs.grade_one(6, {"tinytorch/node.py": b"x = 1"}, "tinytorch")
    assert "is missing: there is no tinytorch/" in result["record"]["note"]
    assert "handed-in-" not in json.dumps(result)


def test_marks_among_the_submissions_would_be_graded_too(graded, tmp_path):
    lay(tmp_path / "in", {"alice.py": "right"})
    with pytest.raises(UsageError, match="marks lies among the submissions; say OUT=another"):
        run(tmp_path / "in", tmp_path / "in/marks")
    assert not (tmp_path / "in/marks").exists()


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("in", "in holds the submissions; say OUT=another folder"),
        ("in/.", "in holds the submissions; say OUT=another folder"),
        ("in/alice/marks", "in/alice/marks lies among the submissions; say OUT=another folder"),
        ("notes.txt", "notes.txt is a file; say OUT=a folder, which may be new"),
        ("notes.txt/marks", "notes.txt is a file; say OUT=a folder, which may be new"),
    ],
)
def test_a_place_that_marks_cannot_have_is_refused(graded, tmp_path, out, says):
    lay(tmp_path, {"in/alice/tinytorch.py": "right", "notes.txt": "x"})
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError) as error:
        run(tmp_path / "in", tmp_path / out)
    assert str(error.value) == f"{tmp_path}/{says}"
    assert sorted(tmp_path.rglob("*")) == before and graded == []


def kept_in(out):
    """What the copies that were kept of files hold, by their names without the time."""
    copies = (out / "kept").glob("*")
    return {re.sub(r"_\d{4}-.*\d(?=\.)", "", p.name): p.read_text("utf-8-sig") for p in copies}


def test_what_a_teacher_changed_by_hand_is_kept_where_grading_writes_it_anew(
    graded, tmp_path, capsys
):
    folder, out = lay(tmp_path / "in", {"alice.py": "right", "bob.py": "wrong"}), tmp_path / "out"
    run(folder, out)
    run(folder, out)
    assert not (out / "kept").exists() and "kept" not in capsys.readouterr().out
    table = (out / "marks.csv").read_bytes().decode("utf-8-sig").replace("bob,0", "bob,7")
    lay(out, {"marks.csv": table, "feedback/bob.txt": "Well tried!", "feedback/alice.txt": "Yes!"})
    lay(folder, {"bob.py": "right"})
    run(folder, out)
    assert kept_in(out) == {
        "marks.csv": table.replace("\r\n", "\n"),
        "feedback_bob.txt": "Well tried!",
    }
    said = f"changed by hand, and kept so in {out / 'kept'}: feedback/bob.txt, marks.csv\n"
    assert capsys.readouterr().out.endswith(said)
    assert (out / "feedback/alice.txt").read_text() == "Yes!"  # nothing new to say to her
    run(folder, out)
    assert "kept" not in capsys.readouterr().out and len(kept_in(out)) == 2


def test_what_another_grading_wrote_meanwhile_was_not_changed_by_hand(tmp_path):
    lay(tmp_path, {"records/written.txt": ""})
    one, other = Written(tmp_path), Written(tmp_path)
    for number, written in enumerate([one, other, one]):
        written.write("marks.csv", b"%d" % number)
    assert one.changed == other.changed == [] and not (tmp_path / "kept").exists()


def test_whoever_could_not_be_graded_twice_keeps_the_teachers_words(graded, tmp_path):
    folder, out = lay(tmp_path / "in", {"carol.pdf": "x"}), tmp_path / "out"
    run(folder, out)
    lay(out, {"feedback/carol.txt": "not graded: come and see me"})
    run(folder, out)
    assert kept_in(out) == {"feedback_carol.txt": "not graded: come and see me"}


def test_a_table_with_columns_that_the_new_roster_lacks_is_kept(graded, tmp_path, capsys):
    folder, out = lay(tmp_path / "in", {"alice.py": "right"}), tmp_path / "out"
    lay(tmp_path, {"one.csv": "name,id,group\nalice,7,blue\n", "two.csv": "name,id\nalice,7\n"})
    run(folder, out, roster=tmp_path / "one.csv")
    run(folder, out, roster=tmp_path / "two.csv")
    said = f"no longer in marks.csv: group; the table with them is in {out / 'kept'}\n"
    assert capsys.readouterr().out.endswith(said)
    assert "7,blue" in kept_in(out)["marks.csv"] and "group" not in marks_in(out)["alice"]


def test_a_table_that_a_spreadsheet_saved_has_lost_no_columns(graded, tmp_path, capsys):
    folder, out = lay(tmp_path / "in", {"alice.py": "right"}), tmp_path / "out"
    run(folder, out)
    table = (out / "marks.csv").read_bytes()
    for saved in (
        table.replace(b",", b";"),
        b"PK\3\4" * 99_999,
        b"",
        table.decode().encode("utf-16"),
    ):
        lay(out, {"marks.csv": saved})
        run(folder, out)
        said = capsys.readouterr().out
        assert said.endswith(f"changed by hand, and kept so in {out / 'kept'}: marks.csv\n")
        assert saved in [path.read_bytes() for path in (out / "kept").iterdir()]
        assert (out / "marks.csv").read_bytes() == table


def test_each_student_has_files_of_their_own_on_windows_and_macos_too(graded, tmp_path):
    names = ["Alice", "alice", "Zo\u00eb", "Zoe\u0308", "con", "aux.tar", "bob"]
    path = tmp_path / "class.zip"
    path.write_bytes(zipped(**{f"{name}.py": "right" for name in names}))
    assert run(path, tmp_path / "out") == 0 and len(graded) == len(names)
    files = [file.stem for file in (tmp_path / "out/feedback").iterdir()]
    folded = {unicodedata.normalize("NFC", file).casefold() for file in files}
    assert len(folded) == len(names) and "bob" in files
    assert not folded & {"con", "aux", "aux.tar", "alice"}
    assert run(path, tmp_path / "out") == 0 and len(graded) == len(names)


def test_only_the_cores_that_it_may_use_are_used(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3}, raising=False)
    assert limits.cores() == 1


def test_a_second_run_grades_only_what_is_new_has_changed_or_failed(graded, tmp_path):
    folder = lay(tmp_path / "in", {"alice.py": "right", "bob.py": "wrong", "carol.py": "broken"})
    run(folder, tmp_path / "out")
    lay(folder, {"bob.py": "right", "dave.py": "wrong"})
    graded.clear()
    run(folder, tmp_path / "out")
    assert sorted(graded) == [b"broken", b"right", b"wrong"]
    assert marks_in(tmp_path / "out")["bob"]["marks"] == str(CHAPTER.points)


def test_another_library_around_the_modules_is_another_judge(tmp_path):
    chapter = make_package(tmp_path)
    before = kept.judge_of(chapter)
    assert kept.judge_of(chapter) == before
    around, own = chapter.library / "around.py", path_of(chapter.library, "sums")
    own.write_text("x = 2", encoding="utf-8")  # the answer judges nobody
    assert kept.judge_of(chapter) == before
    around.write_text("x = 2", encoding="utf-8")
    assert kept.judge_of(chapter) != before


def test_what_was_graded_before_ctrl_c_is_kept(graded, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run_of_a_class, "cores", lambda: 1)
    files = {"a.py": "right", "b.py": "wrong", "c.py": "stop", "d.py": "right", "e.py": "right"}
    folder = lay(tmp_path / "in", files)
    assert run(folder, tmp_path / "out") == 130
    assert "the same command goes on from here" in capsys.readouterr().out
    assert marks_in(tmp_path / "out")["a"]["marks"] == str(CHAPTER.points)
    lay(folder, {"c.py": "wrong"})
    graded.clear()
    assert run(folder, tmp_path / "out") == 1
    assert b"right" not in graded[:0] and marks_in(tmp_path / "out")["c"]["note"] == ""
    assert len(graded) < 5


def test_whoever_presses_ctrl_c_more_than_once_gets_the_table_too(graded, tmp_path, monkeypatch):
    def press_again():
        signal.raise_signal(signal.SIGINT)
        done.set()

    done = threading.Event()
    monkeypatch.setattr(jobs, "end_all", press_again)
    monkeypatch.setattr(run_of_a_class, "cores", lambda: 1)
    monkeypatch.setattr(jobs, "grade_one", graded_after(jobs.grade_one, done))
    folder = lay(tmp_path / "in", {"a.py": "right", "b.py": "right", "c.py": "waits"})
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    assert run(folder, tmp_path / "out") == 130 and done.is_set()
    assert marks_in(tmp_path / "out")["a"]["marks"] == str(CHAPTER.points)


def graded_after(grade_one, event):
    """grade_one, which for a file "waits" waits for the event."""

    def graded(number, files, *others):
        if b"waits" in files.values():
            event.wait(9)
        return grade_one(number, files, *others)

    return graded


def test_a_rosters_columns_are_joined_and_who_handed_in_nothing_is_there(graded, tmp_path):
    folder = lay(tmp_path / "in", {"alice.py": "right"})
    lay(tmp_path, {"class.csv": "id,name\n7,alice\n8,zoe\n"})
    assert run(folder, tmp_path / "out", roster=tmp_path / "class.csv") == 3
    rows = marks_in(tmp_path / "out")
    assert (rows["alice"]["id"], rows["zoe"]["id"]) == ("7", "8")
    assert rows["zoe"]["note"] == "nothing was handed in"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_roster_is_read_as_spreadsheets_write_it(tmp_path, mark):
    text = "\ufeff" + 'name,id\r\n alice ,7\r\n"bob, jr",8\r\n,\r\n\r\n'.replace(",", mark)
    lay(tmp_path, {"class.csv": text.replace(f"bob{mark}", "bob,")})
    assert tables.read_roster(tmp_path / "class.csv", CHAPTER) == {
        "alice": {"id": "7"}, "bob, jr": {"id": "8"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("id,who\n1,a\n", "has the columns id, who; it needs name"),
        ("name,id\nalice,1\nbob,2\nalice,3\n", "names alice twice"),
        ("name,id\nalice,1\n,2\n", "has nobody's name in line 3"),
        ("name,marks,1.1\nalice,1,1\n", "has the column marks, as the table of marks has"),
        ("name,id\nZo\xeb,1\n".encode("latin-1"), "is no text in UTF-8; Excel's CSV UTF-8 is"),
        ("name,id\nZoe,1\n".encode("utf-16"), "is no text in UTF-8; Excel's CSV UTF-8 is"),
        (zipped(**{"sheet.xml": "x"}), "is no text in UTF-8; Excel's CSV UTF-8 is"),
    ],
)
def test_a_roster_that_cannot_be_joined_is_refused_in_one_line(tmp_path, text, says):
    lay(tmp_path, {"class.csv": text})
    with pytest.raises(UsageError) as error:
        tables.read_roster(tmp_path / "class.csv", CHAPTER)
    assert str(error.value).startswith(f"the roster {tmp_path / 'class.csv'} {says}")
    assert "\n" not in str(error.value)


NFC, NFD = (unicodedata.normalize(form, "J\u00fcrgen") for form in ("NFC", "NFD"))


@pytest.mark.parametrize(("handed_in", "listed"), [(NFC, NFD), (NFD, NFC), (NFD, NFD)])
def test_a_name_is_the_same_however_its_letters_are_written(graded, tmp_path, handed_in, listed):
    folder = lay(tmp_path / "in", {f"{handed_in}/tinytorch.py": "right"})
    lay(tmp_path, {"class.csv": f"name,id\n{listed},7\n"})
    assert run(folder, tmp_path / "out", roster=tmp_path / "class.csv") == 0
    rows = marks_in(tmp_path / "out")
    assert list(rows) == [NFC] and rows[NFC]["id"] == "7"


def test_submissions_that_the_roster_lacks_are_named_with_whom_they_may_be(
    graded, tmp_path, capsys
):
    folder = lay(tmp_path / "in", {f"{n}.py": "right" for n in ("ann", "zoe", "max muster", "x")})
    lay(tmp_path, {"class.csv": "name\nann\nanne\nzo\u00eb\nMax Muster\n"})
    assert run(folder, tmp_path / "out", roster=tmp_path / "class.csv") == 3
    said = "not in the roster: max muster (Max Muster?), x, zoe (zo\u00eb?)\n"
    assert capsys.readouterr().out.endswith(said)


def test_a_roster_of_another_class_does_not_fill_the_window(graded, tmp_path, capsys):
    folder = lay(tmp_path / "in", {f"{n}.py": "right" for n in range(50)})
    lay(tmp_path, {"class.csv": "name\nann\n"})
    run(folder, tmp_path / "out", roster=tmp_path / "class.csv")
    assert capsys.readouterr().out.endswith(" and 30 more\n")


def test_no_cell_is_a_formula(graded, tmp_path):
    lay(tmp_path / "in", {"=cmd.py": "right"})
    run(tmp_path / "in", tmp_path / "out")
    assert list(marks_in(tmp_path / "out")) == ["'=cmd"]


def test_a_folder_that_is_not_there_or_empty_is_wrong_use(tmp_path):
    with pytest.raises(UsageError, match="there is no folder"):
        run(tmp_path / "nowhere", tmp_path / "out")
    with pytest.raises(UsageError, match="alice.py is neither a folder nor a zip"):
        run(lay(tmp_path, {"alice.py": "x"}) / "alice.py", tmp_path / "out")
    with pytest.raises(UsageError, match="no submissions"):
        run(lay(tmp_path / "in", {".hidden": "x"}), tmp_path / "out")


@pytest.fixture(scope="module")
def wrong():
    return jobs.grade_one(1, {"alice.py": WRONG}, "alice.py")


def test_a_submission_is_graded_in_a_process_of_its_own(wrong):
    assert wrong["problem"] == "" and wrong["text"].startswith("Chapter 1 · Tensor: grading alice")
    assert wrong["record"]["file"] == "alice.py" and 0 < wrong["record"]["marks"] < CHAPTER.points
    json.dumps(wrong)


def test_in_the_sandbox_the_marks_are_the_same(wrong):
    try:
        sandbox.require()
    except UsageError as error:
        pytest.skip(str(error))
    boxed = jobs.grade_one(1, {"alice.py": WRONG}, "alice.py", True)
    assert boxed["problem"] == "" and boxed["record"]["exercises"] == wrong["record"]["exercises"]


def test_outside_of_its_folder_nothing_can_be_written_and_nobody_is_reached(tmp_path):
    try:
        sandbox.require()
    except UsageError as error:
        pytest.skip(str(error))
    (tmp_path / "job").mkdir()
    tried = "import os, socket, pathlib\n"
    tried += "for act in (lambda: open('/work.txt', 'w'), lambda: open('course/x.py', 'w'),\n"
    tried += "            lambda: socket.create_connection(('127.0.0.1', 9), 1)):\n"
    tried += "    try: act(); print('done')\n    except OSError: print('refused')\n"
    tried += f"open({str(tmp_path / 'job' / 'x')!r}, 'w'); print(sorted(os.environ)[:1])\n"
    command = sandbox.inside([os.sys.executable, "-c", tried], tmp_path / "job")
    printed, late = jobs._run(command)
    assert printed.split("\n")[:3] == ["refused"] * 3 and not late, printed
    assert (tmp_path / "job" / "x").is_file()
