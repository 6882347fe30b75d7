"""For teachers: grade the submissions of a class, and make a table, feedback and a picture.

run.py          all of it: what `grade-chapterN` calls
submissions.py  what was handed in, in whatever form
jobs.py         one submission, graded in a process of its own
sandbox.py      bubblewrap around it
cluster.py      workers on other machines
kept.py         what was graded is kept
written.py      what a teacher changed by hand is kept, too
tables.py       the roster, the table of marks
picture.py      the class at a glance
"""
