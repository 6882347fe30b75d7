"""Pieces of a notebook that one can touch: self-contained, without a kernel or a network."""
