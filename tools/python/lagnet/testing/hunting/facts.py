"""What is known of a world that has run: who talks to whom, and at which simulated times its rounds ended. Faults are
drawn at these times."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...results import Result

MOST_TIMES = 500
MOST_LINKS = 400


@dataclasses.dataclass(frozen=True)
class Facts:
    """agents: how many. links: the first ones, directed. times: the ends of rounds, in s, thinned out. message_bytes:
    of a message in the mean. flops_of_a_round: of an agent in the mean, at least 1. has_server: whether agent 0 holds
    no samples. is_asynchronous: whether messages are used as they come."""

    agents: int = 1
    links: tuple[tuple[int, int], ...] = ()
    times: tuple[float, ...] = (0.0, 1.0)
    message_bytes: float = 100.0
    flops_of_a_round: float = 1000.0
    has_server: bool = False
    is_asynchronous: bool = False

    @property
    def end_s(self) -> float:
        return self.times[-1]

    @property
    def round_s(self) -> float:
        """Of a round in the mean."""
        return self.end_s / max(1, len(self.times) - 1)

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @staticmethod
    def of_json(found: dict[str, Any]) -> Facts:
        lists: dict[str, Any] = {"links": tuple((a, b) for a, b in found["links"]), "times": tuple(found["times"])}
        return Facts(**{**found, **lists})


class Ran:
    """A run with its tables, each of which is read once."""

    def __init__(self, run: Result) -> None:
        self.run, self.status, self.folder = run, run.status, run.folder
        self.summary, self.warnings = run.summary, run.warnings
        self.is_of_asynchronous_class = bool(run.scenario["algorithm"].get("asynchronous"))
        self.rows, self.agents, self.links = run.rows(), run.rows("agents"), run.rows("links")


def facts_of(run: Ran) -> Facts:
    rows, agents = run.rows, run.agents
    if not rows:  # the run ended before its first row
        return Facts(len(agents))
    times = [float(row["simulated_s"]) for row in rows]
    step = -(-len(times) // MOST_TIMES)
    times = times[::step] + ([times[-1]] if (len(times) - 1) % step else [])
    totals, last = run.summary["totals"], rows[-1]
    server = len(agents) > 1 and not agents[0]["samples"] and any(one["samples"] for one in agents[1:])
    links = [(int(one["from"]), int(one["to"])) for one in run.links[:MOST_LINKS]]
    is_asynchronous = run.is_of_asynchronous_class or (run.folder / "staleness.csv").is_file()
    return Facts(len(agents), tuple(links), tuple(times) if times[-1] > 0 else (0.0, 1.0),
                 totals["bytes_sent"] / max(1, totals["messages_sent"]),
                 max(1.0, totals["flops"] / max(1, len(agents) * last["round"])), server, is_asynchronous)
