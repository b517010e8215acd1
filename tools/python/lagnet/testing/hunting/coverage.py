"""What was seen in a run, as words: a world in which a word is new is worth to be changed further."""

from __future__ import annotations

import math
from typing import Any

from ...documents import get
from .facts import Ran
from .trees import Document

COUNTS = ("lost", "retransmitted", "late", "superseded", "duplicates", "dropped", "stale", "messages_in_flight")
TIMES = ("away_s", "queueing_s", "encrypting_s", "sleeping_s")
KINDS = ("/topology/kind", "/network/latency_ms/kind", "/network/sharing", "/participation/clients/kind",
         "/participation/missing_neighbor/kind", "/participation/availability/0/kind", "/compute/straggler/factor",
         "/network/transport/kind")


def bucket(value: float) -> int:
    """The power of two below a count."""
    return int(math.log2(value)) if value >= 1 else 0


def magnitude(value: float) -> int:
    """The power of ten below a positive number."""
    return math.floor(math.log10(value))


def features_of(run: Ran, document: Document) -> list[str]:
    """Kinds of events and states that the accounts of a run have seen, sizes by powers of two, numbers by powers of
    ten, and which of them came together."""
    summary = run.summary
    totals, rows = summary["totals"], run.rows
    found = [f"status {run.status}", f"stop {summary['stop']['reason']}"]
    found += [f"remark {one.code}" for one in run.warnings]
    found += [f"{name} {bucket(totals[name])}" for name in COUNTS if totals[name]]
    found += [f"{name} of its time {magnitude(totals[name] / max(1e-9, summary['stop']['ended_s']))}"
              for name in TIMES if totals[name]]
    found.append("together " + " ".join(name for name in (*COUNTS, *TIMES) if totals[name]))
    found += [f"staleness {bucket(int(age))}" for age in totals["staleness"]]
    for agent in run.agents:
        place = "first" if agent["agent"] == 0 else "another"
        found += [f"{name} of the {place}" for name in (*COUNTS[:-1], "away_s") if agent.get(name)]
    for name in ("relative_error", "consensus_error", "simulated_s"):
        last: Any = rows[-1].get(name) if rows else None
        if last is not None and math.isfinite(last) and last > 0:
            found.append(f"{name} {magnitude(last)}")
    found += _of_rounds(rows)
    found.append(f"agents {bucket(summary['topology']['agents'])}")
    found += [f"{pointer} {get(document, pointer)}" for pointer in KINDS
              if isinstance(get(document, pointer), (str, bool))]
    return sorted(set(found))


def _of_rounds(rows: list[dict[str, Any]]) -> list[str]:
    """Rounds that took much longer than others, and in which part of the run; agents that were missing."""
    times = [float(row["simulated_s"]) for row in rows]
    steps = [after - before for before, after in zip(times, times[1:])]
    found = []
    if steps:
        middle = sorted(steps)[len(steps) // 2]
        long = [k for k, step in enumerate(steps) if step > 2 * middle > 0]
        found += [f"long round {bucket(k)}" for k in long] + [f"long rounds {bucket(len(long))}"]
        found += [f"longest round {bucket(max(steps) / middle)}"] if middle > 0 else []
    present = [row["participants"] for row in rows if row.get("participants") is not None]
    found += [f"missing {bucket(max(present) - min(present))}"] if present and min(present) < max(present) else []
    return found
