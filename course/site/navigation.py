"""The pages of the library's sources: two thirds of all, with the same menu on each of them."""

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
