"""Sphinx's configuration. The pages beside it were laid out by build.py."""

from course.environment import without_grammars

project, author, copyright = "tinytorch", "the tinytorch authors", "the tinytorch authors"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
]
html_theme, html_title = "furo", "tinytorch"
html_static_path, html_css_files = ["static"], ["site.css"]
html_js_files = [("site.js", {"defer": ""})]
html_copy_source = html_show_sourcelink = html_show_sphinx = False
mathjax_path = "mathjax.js"
without_grammars()
nb_execution_mode = "off"  # the outputs are those that `make check` proves
nb_merge_streams = True
nb_mime_priority_overrides = [("html", "text/html", 5)]  # the players, which move
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "none"
add_module_names = False
copybutton_exclude = ".gp, .go"


def show_progress(app, page, *_):
    """A dot for each page that's read or written; those of the sources are done in no time."""
    if not page.startswith("_modules/"):
        print(end=".", flush=True)


def setup(app):
    from course.site import navigation, reference

    app.connect("source-read", show_progress)
    app.connect("html-page-context", show_progress)
    app.connect("autodoc-process-docstring", reference.plain)
    app.connect("html-page-context", navigation.share, priority=400)  # before the theme's, at 500
    app.connect("html-page-context", navigation.lead_back)
