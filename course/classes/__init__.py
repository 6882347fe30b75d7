"""For teachers: grade the submissions of a class, and make a table, feedback and a picture."""

from course.classes.run import main

__all__ = ["main"]
