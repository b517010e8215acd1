"""Tests for methods, and searches for what breaks them: hunt() draws worlds around a scenario until one fails,
smallest() and turning() search along one key, and worst() within ranges."""

# The functions have the names of their modules, so that they are imported here, and not when they are asked for.
from .hunt import Finding, Hunt, hunt
from .turning import Edge, Turn, smallest, turning
from .worst import Worst, worst

__all__ = ["Edge", "Finding", "Hunt", "Turn", "Worst", "hunt", "smallest", "turning", "worst"]
