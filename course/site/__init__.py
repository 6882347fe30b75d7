"""The book: all chapters with their pictures, answers folded away, and the library's reference.

build.py lays out the pages and calls Sphinx; conf.py is Sphinx's configuration; chapters.py makes
pages of the notebooks, reference.py of the library, changes.py of what a chapter changes;
navigation.py saves a third of the time. What is written by hand stands in pages/. Nothing is run,
and nothing is fetched.
"""
