"""A page for each chapter of Part I: what it changes in tinytorch.py."""

from difflib import unified_diff

from course.source import read_source


def page(before, chapter):
    """The difference between the complete files of two chapters, in words and as a diff."""
    texts = [read_source(c.solution_file).splitlines(keepends=True) for c in (before, chapter)]
    lines = list(unified_diff(*texts, f"chapter {before.number}", f"chapter {chapter.number}"))
    added = sum(line.startswith("+") and not line.startswith("+++") for line in lines)
    gone = sum(line.startswith("-") and not line.startswith("---") for line in lines)
    return f"""# What chapter {chapter.number} changes

From the complete `tinytorch.py` of chapter {before.number} to that of
[chapter {chapter.number}](../chapters/{chapter.slug}.ipynb): {added} lines come, {gone} go.
The answers to its exercises are among them.

````diff
{"".join(lines)}````
"""
