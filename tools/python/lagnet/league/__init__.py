"""The league: every method on every problem over every network, in one table."""

from __future__ import annotations

from .findings import Finding, findings
from .profiles import Profile, data_profile, performance_profile
from .rankings import Place, ranking
from .records import CURRENCIES, League, Record, Run, read
from .tables import write

__all__ = ["CURRENCIES", "Finding", "League", "Place", "Profile", "Record", "Run", "data_profile", "findings",
           "performance_profile", "ranking", "read", "write"]
