"""All properties, in the order of reports: importing their modules registers them."""

from __future__ import annotations

from . import (properties_runs, properties_optimum, properties_symmetry, properties_bills,  # noqa: F401
               properties_compressors)  # noqa: F401
from .proving import PROPERTIES, Property, Verdict, hold

__all__ = ["PROPERTIES", "Property", "Verdict", "hold"]
