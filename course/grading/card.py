"""A check's result in a notebook: a card that reads well on light and on dark, and as text."""

from base64 import b64decode
from html import escape

from course.grading.report import mark
from course.grading.results import ERROR, FAILED, NOT_STARTED, PASSED, WAITING
from course.output import command

TINTS = {PASSED: "0,158,115", FAILED: "213,94,0", ERROR: "213,94,0"}  # Okabe and Ito's colours
TINTS |= {WAITING: "230,159,0", NOT_STARTED: "128,128,128"}
SYMBOLS = {PASSED: "✓", FAILED: "✗", ERROR: "✗", WAITING: "…", NOT_STARTED: "·"}


def as_text(check):
    """The heading, what is wrong, a line an exercise, and where a hint is."""
    lines = [check.heading, check.note] if check.note else [check.heading]
    for exercise in check.results:
        status = "" if exercise.status in (FAILED, ERROR) else f", {exercise.status}"
        name = f"{exercise.id} {exercise.title}: " if len(check.results) > 1 else ""
        marks = f"{exercise.marks} of {exercise.out_of} marks"
        lines.append(f"{mark(exercise.status)} {name}{marks}{status}")
        lines += [f"  {exercise.message}"] if exercise.message else []
    return "\n".join(lines + [_advice(check)]).rstrip()


def as_html(check):
    """The same as one block of HTML with inline styles: untrusted notebooks show it too."""
    parts = [f'<div style="font-weight:600">{_heading(check)}</div>']
    if check.note:
        parts.append(f'<div style="margin-top:4px">{escape(check.note)}</div>')
    parts += [_row(exercise, len(check.results) > 1) for exercise in check.results]
    if _advice(check):
        parts.append(f'<div style="margin-top:6px;opacity:.75">{_as_code(_advice(check))}</div>')
    tint = TINTS[_status(check)]
    style = f"border-left:4px solid rgb({tint});background:rgba({tint},.1);color:inherit;"
    style += "padding:8px 12px;margin:4px 0;max-width:640px;border-radius:2px"
    return f'<div style="{style}">{"".join(parts)}</div>'


def _status(check):
    """The one status that colours the card."""
    states = [exercise.status for exercise in check.results]
    if check.note or not states:
        return ERROR
    order = (FAILED, ERROR, WAITING, NOT_STARTED, PASSED)
    return next(status for status in order if status in states)


def _heading(check):
    marks = sum(exercise.marks for exercise in check.results)
    out_of = sum(exercise.out_of for exercise in check.results)
    status = _status(check)
    says = f" · {status}" if status in (WAITING, NOT_STARTED) and len(check.results) == 1 else ""
    count = f" · {marks} of {out_of} marks" if check.results else ""
    return escape(f"{SYMBOLS[status]} {check.heading}{count}{says}")


def _row(exercise, is_one_of_many):
    parts = []
    if is_one_of_many:
        line = f"{SYMBOLS[exercise.status]} {exercise.id} {exercise.title}"
        marks = f"{exercise.marks}/{exercise.out_of}"
        parts.append(f'{escape(line)} <span style="float:right">{marks}</span>')
    indent = ' style="margin-left:1.3em"' if is_one_of_many else ""
    if exercise.message:
        parts.append(f"<div{indent}>{_message(exercise.message)}</div>")
    if exercise.picture:
        parts.append(f"<div{indent}>{_image(exercise.picture)}</div>")
    return f'<div style="margin-top:4px">{"".join(parts)}</div>' if parts else ""


def _message(text):
    """Spaces stay as they are: in a repr they may be the mistake."""
    return f'<span style="white-space:pre-wrap">{escape(text)}</span>'


def _image(picture):
    """The picture at half its size in pixels: it is drawn for fine screens."""
    width = int.from_bytes(b64decode(picture)[16:20], "big") // 2  # where a PNG says its width
    style = f"width:{width}px;max-width:100%;margin-top:6px"
    source = f"data:image/png;base64,{picture}"
    return f'<img src="{source}" style="{style}" alt="the graph, its first wrong gradient marked">'


def _advice(check):
    """Where help is, for what is not passed yet."""
    left = [exercise for exercise in check.results if exercise.status != PASSED]
    ready = [exercise for exercise in left if exercise.status != WAITING]
    if check.note or not ready:
        return ""
    return f"In a terminal: {command('hint-' + ready[0].id)}"


def _as_code(advice):
    before, colon, verb = escape(advice).partition(": ")
    return f"{before}{colon}<code>{verb}</code>"
