"""Lets Ctrl-C reach what the tests start, also where it is ignored here: as in `make test &`."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
