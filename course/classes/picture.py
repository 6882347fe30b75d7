"""A class on one page: how each exercise went, and which mistakes were named most often."""

import io
import textwrap
from collections import Counter

STATES = {  # of an exercise: (colour, hatch)
    "full marks": ("#009E73", ""),
    "a part": ("#E69F00", "//"),
    "none": ("#D55E00", "\\\\"),
    "not started": ("#BBBBBB", ""),
}
MOST = 8  # mistakes that are shown


def draw(rows, chapter):
    """The page as the bytes of a PNG; None where nothing is graded."""
    records = [row.record for row in rows if row.record]
    if not records:
        return None
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.27, 11.69), layout="constrained")  # A4
    figure.get_layout_engine().set(rect=(0.03, 0.02, 0.94, 0.96))
    figure.suptitle(f"Chapter {chapter.number} · {chapter.title}: {len(records)} graded")
    upper, lower = figure.subplots(2, 1, height_ratios=[1, 1.4])
    _draw_exercises(upper, records, chapter)
    _draw_mistakes(lower, records)
    page = io.BytesIO()
    figure.savefig(page, dpi=100)
    return page.getvalue()


def _draw_exercises(axes, records, chapter):
    ids = [exercise.id for exercise in chapter.exercises]
    below = [0] * len(ids)
    for state, (colour, hatch) in STATES.items():
        counts = [sum(_state(record, id) == state for record in records) for id in ids]
        axes.bar(ids, counts, 0.7, below, color=colour, hatch=hatch, edgecolor="white", label=state)
        below = [a + b for a, b in zip(below, counts, strict=True)]
    axes.set(xlabel="exercise", ylabel="students")
    axes.legend(ncols=len(STATES), loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_mistakes(axes, records):
    axes.set_axis_off()
    axes.set_title("named most often", loc="left")
    said = Counter(
        (e["id"], e["message"])
        for record in records
        for e in record["exercises"]
        if e["status"] == "failed" and e["message"]
    )
    lines = []
    for (id, message), count in said.most_common(MOST):
        text = textwrap.shorten(message, 230, placeholder=" …")
        first, *more = textwrap.wrap(text, 84)
        lines += [f"{count:>4} ×  {id}  {first}", *[f"{'':13}{line}" for line in more]]
    text = "\n".join(lines) or "no exercise failed"
    axes.text(0, 0.98, text, va="top", family="monospace", size=8, transform=axes.transAxes)


def _state(record, id):
    (exercise,) = [e for e in record["exercises"] if e["id"] == id] or [None]
    if exercise is None or exercise["status"] == "not started":
        return "not started"
    if exercise["status"] == "passed":
        return "full marks"
    return "a part" if exercise["marks"] else "none"
