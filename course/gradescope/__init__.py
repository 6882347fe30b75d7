"""Marks on Gradescope: the zip that it asks for, and what runs there for each submission.

archive.py      the zip: tests and judge of one chapter, no answers
setup.sh        runs once, when Gradescope builds the image
run_autograder  runs for each submission
grade.py        what run_autograder calls

https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""
