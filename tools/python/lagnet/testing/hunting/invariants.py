"""What holds in every run, whatever the world: messages are not made or lost without an account of them, time and
counts do not fall, numbers are finite."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .facts import Ran
from .failure import Failure

NEVER_FALL = ("round", "simulated_s", "messages", "bytes", "flops", "messages_delivered", "bytes_delivered", "lost",
              "bytes_lost", "retransmitted", "late", "superseded", "duplicates", "dropped", "updates")

# Totals that agents and links add up to.
ADD_UP = ("messages_sent", "messages_delivered", "lost", "bytes_sent")


def broken(run: Ran) -> list[Failure]:
    """Each invariant that a run breaks, with the numbers that show it."""
    found: dict[str, Failure] = {}
    for what, sentence in (*_of_totals(run), *_of_rows(run)):
        found.setdefault(what, Failure("invariant", what, sentence))
    return list(found.values())


def _of_totals(run: Ran) -> Iterator[tuple[str, str]]:
    totals = run.summary["totals"]
    sent, there = totals["messages_sent"], totals["messages_delivered"]
    lost, on_the_way = totals["lost"], totals["messages_in_flight"]
    if sent != there + lost + on_the_way:
        yield ("messages", f"{sent} messages were sent, but {there} delivered, {lost} lost and {on_the_way} are on "
                           "their way")
    if totals["bytes_sent"] < totals["bytes_delivered"] + totals["bytes_lost"] or (
            on_the_way == 0 and totals["bytes_sent"] != totals["bytes_delivered"] + totals["bytes_lost"]):
        yield ("bytes", f"{totals['bytes_sent']} bytes were sent, but {totals['bytes_delivered']} delivered and "
                        f"{totals['bytes_lost']} lost")
    for table, rows in (("agents", run.agents), ("links", run.links)):
        for name in ADD_UP:
            counted = sum(row[name] for row in rows)
            if counted != totals[name]:
                yield f"{name} of {table}", f"the total {name} is {totals[name]}, but {table}.csv adds up to {counted}"
    for name, value in totals.items():
        if isinstance(value, (int, float)) and (not math.isfinite(value) or value < 0):
            yield f"total {name}", f"the total {name} is {value}"
    stop = run.summary["stop"]
    if stop["simulated_s"] > stop["ended_s"]:
        yield "end", f"the last report is at {stop['simulated_s']} s, after the end of the run at {stop['ended_s']} s"


def _of_rows(run: Ran) -> Iterator[tuple[str, str]]:
    before: dict[str, Any] = {}
    for row in run.rows:
        for name in NEVER_FALL:
            if name in before and row.get(name) is not None and row[name] < before[name]:
                yield f"{name} falls", f"{name} falls from {before[name]} to {row[name]} at round {row['round']}"
        if row["messages"] < row["messages_delivered"] + row["lost"]:
            yield ("messages of a row", f"at round {row['round']} {row['messages']} messages were sent, but "
                                        f"{row['messages_delivered']} delivered and {row['lost']} lost")
        for name, value in row.items():
            if isinstance(value, float) and not math.isfinite(value) and run.status == "done":
                yield f"{name} is finite", f"{name} is {value} at round {row['round']}, though the run did not diverge"
        if (row.get("relative_error") or 0) < 0:
            yield "relative_error", f"relative_error is {row['relative_error']} at round {row['round']}"
        before = {name: row[name] for name in NEVER_FALL if row.get(name) is not None}
