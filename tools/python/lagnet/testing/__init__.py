"""Tests for anybody's method: a suite of properties that every correct method has, and what else looks for failures.

method_suite() makes a class of tests for pytest and unittest; `lagnet prove` runs the same properties from the command
line. README.md of this folder says what each property is.
"""

from __future__ import annotations

from typing import Any

__all__ = ["method_suite"]


def __getattr__(name: str) -> Any:
    if name == "method_suite":  # which needs Hypothesis
        from .suite import method_suite

        return method_suite
    raise AttributeError(f"module 'lagnet.testing' has no attribute {name!r}")
