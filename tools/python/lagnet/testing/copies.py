"""Worlds in which all agents hold the same samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import Refused
from .proving import Case
from .runs import Document, Outcome, run


def finished(document: Document, data: Any = None, changes: Document | None = None) -> Outcome:
    """A run to its end. Refused where it diverges, which is another property's matter."""
    outcome = run(document, data, changes)
    if outcome.summary["status"] != "done":
        raise Refused(f"it ends with status {outcome.summary['status']}")
    return outcome


def copies_of(case: Case, agents: int, X: Any, y: Any, changes: Document | None = None) -> Outcome:
    """The run of agents that all hold these samples."""
    server = case.subject.habitat.server
    kind = case.document["topology"]["kind"]
    topology: Document = {"kind": kind, "agents": agents + 1 if server else agents}
    partition: Document = {"kind": "sample_blocks", "sizes": [len(y)] * agents}
    return finished(case.document, (np.tile(X, (agents, 1)), np.tile(y, agents)),
                    {"/topology": topology, "/partition": partition, **(changes or {})})
