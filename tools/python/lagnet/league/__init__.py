"""The league: methods by simulated seconds, bytes, flops and joules to an error, over standard problems and networks.

load() reads what the league is, run() runs what is missing of it into a folder of records, verify() proves such a
folder; read() reads its records, write() its tables, and the other functions compare the methods.

>>> from lagnet import league
>>> small = league.load(size="small")
>>> len(league.cells_of(small, ["extra", "nids"]))
24
"""

from .cells import Cell, cells_of, scenario_of
from .findings import Finding, findings
from .profiles import Profile, data_profile, performance_profile
from .rankings import Place, ranking
from .records import CURRENCIES, League, Record, Run, read
from .running import run, run_cell
from .suite import Entry, Suite, load
from .tables import write
from .verifying import Verdict, verify

__all__ = ["CURRENCIES", "Cell", "Entry", "Finding", "League", "Place", "Profile", "Record", "Run", "Suite", "Verdict",
           "cells_of", "data_profile", "findings", "load", "performance_profile", "ranking", "read", "run", "run_cell",
           "scenario_of", "verify", "write"]
