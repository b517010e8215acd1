"""A world while it is drawn: its document, and what its draws need to know."""

from __future__ import annotations

from typing import Any

from ...documents import get, put
from .draw import Draw
from .facts import Facts
from .trees import Document


class World:
    """The document is changed in place. `facts` are those of the world that it was made of."""

    def __init__(self, document: Document, facts: Facts, draw: Draw) -> None:
        self.document, self.facts, self.draw = document, facts, draw

    def get(self, pointer: str, missing: Any = None) -> Any:
        return get(self.document, pointer, missing)

    def put(self, pointer: str, value: Any) -> None:
        for depth in range(2, pointer.count("/") + 1):  # a null on the way is a section that is not there
            above = "/".join(pointer.split("/")[:depth])
            if self.get(above, 0) is None:
                put(self.document, above, {})
        put(self.document, pointer, value)

    def add(self, pointer: str, value: Any) -> None:
        """One more member of a list."""
        self.put(pointer, [*(self.get(pointer) or []), value])

    @property
    def agents(self) -> int:
        count = self.get("/topology/agents")
        return count if isinstance(count, int) else self.facts.agents

    def agent(self) -> int:
        """One of the agents; the first and the last ones are special more often than others."""
        last = self.agents - 1
        return self.draw.pick((0, last, min(1, last), self.draw.whole(0, last)))

    def link(self) -> list[int]:
        there = [link for link in self.facts.links if max(link) < self.agents] or [(0, max(1, self.agents - 1))]
        return list(self.draw.pick(there))

    def instant(self) -> float:
        """A moment of the run, in s: the end of a round, or a moment between two."""
        times, draw = self.facts.times, self.draw
        k = draw.whole(0, len(times) - 2)
        if draw.chance(0.1):
            return 0.0
        share = draw.pick((0.0, 0.5, draw.uniform(0, 1)))
        return float(f"{times[k] + share * (times[k + 1] - times[k]):.4g}")

    def duration(self) -> float:
        """How long something lasts, in s: from a part of a round to the whole run, or a round number of seconds."""
        draw, facts = self.draw, self.facts
        if draw.chance(0.3):
            return float(draw.pick((0.1, 0.3, 1, 2, 3, 5, 10, 30)))
        return draw.scale(0.1 * facts.round_s, max(facts.end_s, facts.round_s))

    def window(self) -> tuple[float, float]:
        begin = self.instant()
        return begin, float(f"{begin + self.duration():.5g}")

    def distribution(self, low: float, high: float) -> dict[str, Any]:
        """A distribution of positive numbers of about these sizes, without extremes that no network has."""
        draw = self.draw
        middle = draw.scale(low, high)
        return dict(draw.pick((
            {"kind": "uniform", "low": middle, "high": middle * draw.pick((1.1, 2, 10))},
            {"kind": "lognormal", "median": middle, "sigma": draw.pick((0.1, 0.5, 1)),
             "high": 100 * middle},
            {"kind": "exponential", "mean": middle, "offset": 0.01 * middle, "high": 100 * middle},
            {"kind": "pareto", "scale": middle, "shape": draw.pick((1.5, 2.5)), "high": 100 * middle})))
