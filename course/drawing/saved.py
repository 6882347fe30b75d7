"""draw_saved: what each operation behind a tensor kept for its backward, and what that weighs."""

from dataclasses import dataclass

from course.drawing.reading import caller_names, is_drawn, numbers_of, read_graph
from course.drawing.style import styled
from course.drawing.text import array_text, bytes_text

ROW, TOP, MOST_ROWS = 24, 66, 20
GAP, LEAST = 24, 76  # between columns; how wide each is at least
OWN = {"function", "inputs", "grad_fn"}  # attributes that every ctx has
FITS = 44  # characters that a row has for what is kept


def draw_saved(tensor, names=None, *, inputs=False, title=None):
    """A Picture of a table: each operation behind the tensor, what its ctx saved, its bytes.

    With `inputs`, what it only holds as an input, too. An array that two ctxs keep is counted
    once. TypeError if there is no tensor.
    """
    names = caller_names(2) if names is None else names
    graph = read_graph(tensor, names)
    rows = rows_of(graph, inputs)
    total = sum(row.bytes for row in rows)
    what = graph.root.name or "this tensor"
    kept, does = ("holds", "hold on to") if inputs else ("saves", "have saved")
    return draw_table(rows, title or f"what the notes behind {what} {does}", total, kept)


@dataclass
class Row:
    """One operation: its name, its result, what it saved, the bytes not yet counted before."""

    operation: str
    makes: str
    named: bool
    saves: str
    bytes: int


def rows_of(graph, with_inputs):
    known = [node for node in graph.nodes if node.value is not None]  # others, nobody holds
    names = {id(node.tensor): node.name or array_text(node.value) for node in known}
    seen, rows = set(), []
    for node in graph.nodes:
        if node.operation:
            arrays = kept_arrays(node.operation.call, with_inputs)
            fresh = [array for _, array in arrays if id(array) not in seen]
            seen.update(id(array) for array in fresh)
            own = {id(node.tensor): "its result"}
            texts = [own.get(id(x)) or names.get(id(x)) or array_text(a) for x, a in arrays]
            noted = attributes(node.operation.call)
            whole = ", ".join([*texts, *(f"{name} = {value}" for name, value in noted)])
            short = ", ".join([*texts, *(name for name, _ in noted)])
            saves = (whole if len(whole) <= FITS else short) or "nothing"
            saves = "freed" if node.operation.freed else saves
            size = sum(array.nbytes for array in fresh)
            rows.append(Row(node.operation.name, made(node), bool(node.name), saves, size))
    return rows


def made(node):
    """The result of an operation in a few words: its name and shape, or its numbers."""
    if node.value is None:
        return node.name
    return f"{node.name} {node.value.shape}" if node.name else array_text(node.value)


def kept_arrays(call, with_inputs):
    """Pairs (what was saved, or is an input, its array), each array once."""
    try:
        saved = call.saved_tensors or ()
    except Exception:  # the student's own code, at any stage, or a graph that was freed
        return []
    saved = saved if isinstance(saved, (tuple, list)) else (saved,)
    inputs = [x for x in call.inputs if is_drawn(x)] if with_inputs else []
    pairs = {id(x): (x, numbers_of(x)) for x in (*saved, *inputs)}
    return [pair for pair in pairs.values() if pair[1] is not None]


def attributes(call):
    """What forward wrote on its ctx beside the saved tensors: shapes, exponents, axes.

    A flag that isn't set, None or False, says nothing, and is left out.
    """
    found = getattr(call, "__dict__", {}).items()
    return [
        (name, value)
        for name, value in found
        if name not in OWN and not name.startswith("_") and not is_drawn(value)
        if value is not None and value is not False
    ]


@styled
def draw_table(rows, title, total, kept):
    from course.drawing import style
    from course.drawing.scene import shortened, text_width
    from course.drawing.sheet import Sheet

    shown = rows[:MOST_ROWS]
    texts = [shortened(row.saves, FITS) for row in shown]
    columns = columns_of(shown, texts)
    end = columns[-1]
    width = max(end + 220, text_width(title, style.TITLE, "bold") + 32)
    height = TOP + ROW * (len(shown) + 1) + 2
    scale = min(1, style.WIDTH / width)
    figure = style.new_figure(width * scale, height * scale)
    sheet = Sheet(figure, (width, height), scale=scale)
    sheet.text(16, 18, title, style.TITLE, "bold", align="left")
    for name, x in zip(("operation", "makes", kept, "bytes"), columns, strict=True):
        sheet.text(x, TOP - 20, name, style.SMALL, colour=style.GREY, align="left")
    largest = max([row.bytes for row in shown] + [1])
    for k, (row, saves) in enumerate(zip(shown, texts, strict=True)):
        draw_row(sheet, row, saves, TOP + ROW * k, columns, largest)
    y = TOP + ROW * len(shown) + 10
    more = f" ({len(rows) - len(shown)} more operations)" if len(rows) > len(shown) else ""
    sheet.rule(16, width - 16, y - ROW / 2 - 2)
    sheet.text(16, y, f"in all{more}", weight="bold", align="left")
    sheet.text(end, y, bytes_text(total), weight="bold", align="left")
    return style.Picture(figure, title)


def columns_of(rows, saves):
    """Where the four columns begin: as wide as their texts, and no narrower than LEAST."""
    from course.drawing.scene import text_width

    begins, texts = [16], ([row.operation for row in rows], [row.makes for row in rows], saves)
    for column in texts:
        widest = max([LEAST] + [text_width(text) for text in column])
        begins.append(begins[-1] + widest + GAP)
    return begins


def draw_row(sheet, row, saves, y, columns, largest):
    from course.drawing import style

    operation, makes, kept, end = columns
    quiet = style.GREY if saves in ("nothing", "freed") else style.BLUE
    sheet.text(operation, y, row.operation, align="left")
    sheet.text(makes, y, row.makes, weight="bold" if row.named else "normal", align="left")
    sheet.text(kept, y, saves, colour=quiet, align="left")
    if row.bytes:
        bar = 100 * row.bytes / largest
        sheet.cell((end, y - 7, end + bar, y + 7), "#BFD9EA", "#BFD9EA", 0)
        sheet.text(end + bar + 8, y, bytes_text(row.bytes), align="left")
