"""There is no GPU here; programs that ask get that answer."""


def is_available():
    """Always False."""
    return False
