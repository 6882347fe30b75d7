"""`make mine`: the student's finished chapters laid over the library, and everything run on that.

run.py       says what's happening, line by line, and draws the picture at the end
finished.py  which chapters are finished, and what the others lack
whole.py     the library with the finished chapters in it, in a folder of its own, and its suites
programs.py  the examples and the chapters' own parts, each in a process that may not take forever
parts.py     what is run there: shortened, and with a result that one can check

Everything works on copies. Nothing of the student's is changed.
"""
