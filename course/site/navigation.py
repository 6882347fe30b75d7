"""The pages of the library's sources: two thirds of all, with the same menu on each of them."""

import re

BACK = re.compile(r"reference/([\w.]+)\.html#([\w.]+)")  # from a source to where it is described
MENUS = {}  # by depth, which decides about its links


def share(app, pagename, templatename, context, doctree):
    """Have the menu made once for each depth: none of these pages stands in it itself."""
    if not pagename.startswith("_modules/"):
        return
    make, depth = context["toctree"], pagename.count("/")

    def menu(**asked):
        if depth not in MENUS:
            MENUS[depth] = make(**asked)
        return MENUS[depth]

    context["toctree"] = menu


def lead_back(app, pagename, templatename, context, doctree):
    """Mend the links of a source whose names are described on more pages than one.

    Sphinx names the module of one page in all of them.
    """
    if not pagename.startswith("_modules/"):
        return
    described = app.env.domaindata["py"]["objects"]

    def mended(link):
        page, parts = link[1], link[2].split(".")
        names = [f"{page}.{'.'.join(parts[i:])}" for i in range(1, len(parts))]
        name = next((name for name in names if name in described), link[2])
        return f"reference/{page}.html#{name}"

    context["body"] = BACK.sub(mended, context["body"])
