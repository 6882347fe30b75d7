"""How numbers, values and gradients are written in a picture."""

import numpy as np

MANY = 4  # an array with more elements than this is written as its shape


def number_text(number):
    """A number in at most four digits, with a true minus sign.

    >>> number_text(0.76159), number_text(5.0), number_text(-2.0)
    ('0.7616', '5', '−2')
    """
    number = number.item() if hasattr(number, "item") else number
    whole = np.isfinite(number) and number == int(number) and abs(number) < 1e5
    text = str(int(number)) if whole else f"{number:.4g}"
    return text.replace("-", "−")


def array_text(array, many=MANY):
    """The numbers of a small array, the shape of a larger one, and a dtype that is no float.

    >>> array_text(np.array([1.0, 2.5])), array_text(np.zeros((4, 3), np.float32))
    ('[1, 2.5]', '(4, 3)')
    """
    if array.dtype.kind not in "biufc":
        return f"{array.dtype} {array.shape}"
    if 0 < array.size <= many:
        return nested_text(array)
    dtype = "" if array.dtype in (np.float32, np.float64) else f" {array.dtype}"
    return f"{array.shape}{dtype}"


def nested_text(array):
    if array.ndim == 0:
        return number_text(array[()])
    return "[" + ", ".join(nested_text(row) for row in array) + "]"


def gradient_text(grad, many=MANY):
    """What stands for a gradient: its numbers, its shape, or what is wrong with it."""
    return array_text(grad, many) if isinstance(grad, np.ndarray) else str(grad)


def sum_text(parts, total, many=MANY):
    """A gradient with what it was added up from, as long as that is short.

    >>> sum_text([np.array(3.0), np.array(2.0)], np.array(5.0))
    '3 + 2 = 5'
    """
    if len(parts) < 2:
        return gradient_text(total, many)
    if len(parts) > 4 or any(part.size > min(2, many) for part in parts):
        return f"{gradient_text(total, many)}, sum of {len(parts)}"
    texts = [f"({text})" if text.startswith("−") else text for text in map(array_text, parts)]
    texts[0] = texts[0].strip("()") if parts[0].ndim == 0 else texts[0]
    return " + ".join(texts) + " = " + array_text(total)


def bytes_text(count):
    """A number of bytes for people.

    >>> bytes_text(12), bytes_text(2_000_000)
    ('12 bytes', '2 MB')
    """
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e4, "kB")):
        if count >= size:
            return f"{count / (1e3 if unit == 'kB' else size):.3g} {unit}"
    return f"{count:,} bytes"
