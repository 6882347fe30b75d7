"""python -m course VERB: every command of the course."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (said here, because older ones cannot read the rest)
    sys.exit("tinytorch needs Python 3.11 or newer, this is " + sys.version.split()[0])

from course.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
