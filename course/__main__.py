"""python -m course VERB: every command of the course."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (said here, because older ones cannot read the rest)
    sys.exit("tinytorch needs Python 3.11 or newer, this is " + sys.version.split()[0])

if __name__ == "__main__":
    try:
        from course.cli import main

        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:  # so early that nothing had begun
        sys.exit(130)
