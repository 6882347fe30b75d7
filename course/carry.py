"""`make carry-chapterN`: your own answers of earlier chapters, brought into chapter N's file."""

import hashlib
from dataclasses import dataclass

from course.answers import STILL_BLANK, answers_to, origins, readable
from course.blanks import derive
from course.changes import Changes, coloured
from course.helpers import add_helper, conflict, helpers_of
from course.manifest import UsageError, all_chapters, load_chapter, place_of
from course.modules import has_solution
from course.output import command, shown, wrapped
from course.source import definitions, essence, is_same_code, replace, write_source
from course.student import keep, recall, remember
from course.trial import sift

FREE, THERE = "free", "there"  # there's room for the answer; the answer has come already


@dataclass(frozen=True)
class Carried:
    """An answer on its way: definitions of one exercise, and the helpers that they need."""

    id: str
    texts: dict
    helpers: tuple

    def into(self, text):
        """The text with these definitions in place of those that it had."""
        for helper in self.helpers:
            text = add_helper(text, helper, before=next(iter(self.texts)))
        for name, code in self.texts.items():
            text = replace(text, name, code)
        return text


def carry_chapter(chapter):
    """Carry what can be carried; say what, what not and why, and what changed since."""
    if chapter.number == 1:
        print("Chapter 1 is the first: there's nothing to carry into it.")
        return
    if chapter.is_package:
        print(f"Chapter {chapter.number} works on modules of the finished library that no earlier")
        print("chapter has: there's nothing to carry into them.")
        return
    text = _open(chapter)
    same, changed = _sorted(chapter)
    states = _states(chapter, same, text)
    free = {name: same[name] for name, state in states.items() if state == FREE}
    here = {name: origin for name, (origin, why) in changed.items() if why == _rewritten(chapter)}
    answers = answers_to(list((free | here).values()))
    blank = [name for name, (_, e) in here.items() if answers[e.id].why_not == STILL_BLANK]
    here = {name: origin for name, origin in here.items() if name not in blank}
    changed = {name: entry for name, entry in changed.items() if name not in blank}
    ready, left = _ready(chapter, free, answers, text)
    left += [(same[n][1].id, n, why) for n, why in states.items() if why not in (FREE, THERE)]
    carried, refused = sift(chapter, text, ready)
    left += [(c.id, ", ".join(c.texts), why) for c, why in refused]
    _write(chapter, text, carried)
    _say(chapter, carried, left, list(states.values()).count(THERE))
    _say_listed(
        "Changed since you wrote it", [(o[1].id, n, why) for n, (o, why) in changed.items()]
    )
    if has_solution(chapter):
        report = Changes(chapter, here, answers)
        for line in (line for name in here for line in report.of(name)):
            print(coloured(line))


def _rewritten(chapter):
    return f"rewritten in chapter {chapter.number}"


def standing(chapter):
    """How many definitions of a chapter's file are answers carried into it, and the exercise of
    each that still could be."""
    code, note = readable(chapter)
    if note or chapter.number == 1 or chapter.is_package:
        return 0, []
    same, _ = _sorted(chapter)
    states = _states(chapter, same, code[""])
    free = [same[name][1].id for name, state in states.items() if state == FREE]
    has_come = str(chapter.number) in recall("carried", {}, chapter.root)  # not just the same
    return list(states.values()).count(THERE) if has_come else 0, free


def _open(chapter):
    """The text of the chapter's file; UsageError where it can take nothing in."""
    code, note = readable(chapter)
    if note:
        back = command(f"reset-chapter{chapter.number}")
        file = shown(chapter.exercise_file, chapter.root)
        raise UsageError(f"nothing carried into {file}: {note}; mend it, or start afresh: {back}")
    return code[""]


def _sorted(chapter):
    """Earlier exercises by name: {name: origin} of those that read the same in this chapter, and
    {name: (origin, why)} of the others."""
    now = definitions(derive(chapter)[""])
    asked = {name: e.id for e in chapter.exercises for name in e.names}
    rewritten = {n: c.number for c in _up_to(chapter) for n in c.changed}
    same, changed = {}, {}
    for name, origin in origins(load_chapter(chapter.number - 1, chapter.root)).items():
        last = rewritten.get(name, 0)
        if name not in now:
            changed[name] = origin, f"chapter {chapter.number} does without it"
        elif name in asked:
            changed[name] = origin, f"exercise {asked[name]} asks for a new one"
        elif last > origin[0].number:
            changed[name] = origin, _rewritten(load_chapter(last, chapter.root))
        else:
            same[name] = origin
    return same, changed


def _up_to(chapter):
    return [c for c in all_chapters(chapter.root) if c.number <= chapter.number]


def _states(chapter, same, text):
    """For each name FREE or THERE, or why the file keeps what it has."""
    found, given = definitions(text), definitions(derive(chapter)[""])
    before = recall("carried", {}, chapter.root).get(str(chapter.number), {})
    written = {}
    for earlier, _ in same.values():
        if earlier.number not in written:
            theirs, note = readable(earlier)
            written[earlier.number] = {} if note else definitions(theirs[""])
    states = {}
    for name, (earlier, _) in same.items():
        now, answer = found.get(name), written[earlier.number].get(name)
        if now is None:
            states[name] = "your file has no such definition any more"
        elif answer and is_same_code(now.text, answer.text):
            states[name] = THERE
        elif is_same_code(now.text, given[name].text) or before.get(name) == _hash(now.text):
            states[name] = FREE
        else:
            states[name] = f"you've changed it in chapter {chapter.number}, so it stays as it is"
    return states


def _ready(chapter, free, answers, text):
    """The answers that pass, an exercise each, with their helpers; and why the others don't go."""
    ready, left = [], []
    for id, answer in answers.items():
        asked = [name for name, origin in free.items() if origin[1].id == id]
        names = [name for name in answer.exercise.names if name in asked]
        if not names:
            continue  # it was graded for the sake of what the chapter changes
        if answer.why_not:
            left.append((id, ", ".join(names), answer.why_not))
            continue
        theirs, given = readable(answer.chapter)[0][""], derive(answer.chapter)[""]
        texts = {name: answer.texts[name] for name in names}
        helpers = helpers_of(texts.values(), theirs, given)
        clash = next(((h, c) for h in helpers if (c := conflict(h, text))), None)
        if clash:
            why = f"it needs your {clash[0].qualname}, and chapter {chapter.number} {clash[1]}"
            left.append((id, ", ".join(names), why))
        else:
            ready.append(Carried(id, texts, helpers))
    return ready, left


def _write(chapter, text, carried):
    """Write the file, a copy of it kept, and remember what was carried."""
    if not carried:
        return
    kept = shown(keep(chapter.exercise_file, chapter.root), chapter.root)
    print(f"The file as it was is kept in {kept}")
    for answer in carried:
        text = answer.into(text)
    write_source(chapter.exercise_file, text)
    every = recall("carried", {}, chapter.root)
    texts = {name: _hash(code) for answer in carried for name, code in answer.texts.items()}
    every[str(chapter.number)] = every.get(str(chapter.number), {}) | texts
    remember("carried", every, chapter.root)


def _say(chapter, carried, left, there):
    file = shown(chapter.exercise_file, chapter.root)
    if carried:
        tried = f", and chapter {chapter.number}'s tests accept it" * has_solution(chapter)
        print(f"\nCarried into {file}{tried}:")
        for answer in carried:
            helpers = ", ".join(helper.qualname for helper in answer.helpers)
            names = ", ".join(answer.texts) + (f" (with {helpers})" if helpers else "")
            print(wrapped(f"{answer.id}  {names}", "  "))
    elif there and not left:
        print(f"Nothing more to carry: {there} definitions in {file} are yours already.")
    else:
        print(f"Nothing to carry into {file} right now.")
    _say_listed("Not carried", left)


def _say_listed(title, entries):
    """Entries (exercise, names, why), those of one exercise with one reason on one line."""
    lines = {}
    for id, names, why in sorted(entries, key=lambda entry: place_of(entry[0])):
        lines.setdefault((id, why), []).append(names)
    if lines:
        print(f"\n{title}:")
    for (id, why), names in lines.items():
        print(wrapped(f"{id}  {', '.join(names)}: {why}", "  "))


def _hash(code):
    return hashlib.sha256(essence(code).encode("utf-8")).hexdigest()
