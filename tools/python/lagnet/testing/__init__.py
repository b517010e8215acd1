"""Tests for anybody's method, and searches for what breaks it.

method_suite() makes a class of tests for pytest and unittest, of the properties that `lagnet prove` tests; README.md of
this folder says what each is. hunt() draws worlds around a scenario until one fails; smallest() and turning() search
along one key, and worst() within ranges.
"""

from __future__ import annotations

from typing import Any

# The functions have the names of their modules, so that they are imported here, and not when they are asked for.
from .hunt import Finding, Hunt, hunt
from .turning import Edge, Turn, smallest, turning
from .worst import Worst, worst

__all__ = ["Edge", "Finding", "Hunt", "Turn", "Worst", "hunt", "method_suite", "smallest", "turning", "worst"]


def __getattr__(name: str) -> Any:
    if name == "method_suite":  # which needs Hypothesis
        from .suite import method_suite

        return method_suite
    raise AttributeError(f"module 'lagnet.testing' has no attribute {name!r}")
