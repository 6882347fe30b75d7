"""Measuring: processor time, all competitors in turn, ratios within a round, medians over rounds.

On a shared machine the speed changes from second to second. What runs in the same round meets
the same conditions, so the ratio holds where the times do not.
"""

from ctypes import CDLL
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from platform import libc_ver
from statistics import median
from time import process_time

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # as malloc.h of glibc numbers them


@dataclass
class Work:
    """One row: functions to call by competitor, and {peer: at most this ratio to its time}."""

    name: str
    competitors: dict
    goals: dict = field(default_factory=dict)
    per: int = 1  # how many operations one call makes


def installed(name):
    """The module `name`, or None where it is not installed."""
    return import_module(name) if find_spec(name) else None


def libraries():
    """tinytorch, and PyTorch on one thread where it is installed, by name."""
    found = {"tinytorch": import_module("tinytorch")}
    if (torch := installed("torch")) is not None:
        torch.set_num_threads(1)
        found["torch"] = torch
    return found


def versions():
    """A line of names and versions."""
    names = ["numpy", *(name for name in ("torch", "autograd") if find_spec(name))]
    return ", ".join(f"{name} {version(name)}" for name in names)


def keep_memory():
    """Have glibc keep what was freed: else one competitor pays for fresh pages, by chance."""
    if libc_ver()[0] == "glibc":
        CDLL(None).mallopt(M_TRIM_THRESHOLD, 2**30)
        CDLL(None).mallopt(M_MMAP_THRESHOLD, 2**25)  # the most that it takes


def timed(function):
    start = process_time()
    function()
    return process_time() - start


def measured(work, rounds):
    """Lists of seconds by competitor, the same place in each from the same round."""
    for function in work.competitors.values():
        function()  # once for nothing: caches, and memory asked of the system
    seconds = {name: [] for name in work.competitors}
    for _ in range(rounds):
        for name, function in work.competitors.items():
            seconds[name].append(timed(function))
    return seconds


def ratio(ours, theirs):
    """The median of the ratios within the rounds."""
    return median(a / b for a, b in zip(ours, theirs, strict=True))


def verdict(value, goal):
    """ " (goal 0.5: met)", or nothing where there is no goal."""
    if goal is None:
        return ""
    return f" (goal {goal}: {'met' if value <= goal else 'MISSED'})"


def compared(work, rounds):
    """The median of our seconds, and {peer: ratio}."""
    seconds = measured(work, rounds)
    ours = seconds.pop("tinytorch")
    return median(ours), {name: ratio(ours, theirs) for name, theirs in seconds.items()}


def row(work, seconds, ratios):
    """The line that reports one piece of work."""
    parts = [f"{work.name:<44}{seconds * 1e6 / work.per:>12.2f} us"]
    for name, value in ratios.items():
        parts.append(f"{value:.2f} x {name}{verdict(value, work.goals.get(name))}")
    return "   ".join(parts)


def table_row(work, ratios):
    """The same as a row of the table in the library's README."""
    cells = [f"{ratios[name]:.2f}" if name in ratios else "" for name in ("torch", "numpy")]
    return f"| {work.name} | {cells[0]} | {cells[1]} |".replace("|  |", "| |")
