"""The search: draws worlds in batches, runs them, keeps those in which something new was seen, shrinks those that fail.

A batch is drawn from what was known when it began, and its outcomes are taken in the order of their numbers. So nothing
depends on how many children run it."""

from __future__ import annotations

import copy
import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from ...documents import get, swept
from ...errors import InputError
from . import changes
from .children import Children
from .corpus import Entry, State
from .draw import Draw
from .facts import Facts
from .failure import Failure, Outcome
from .ranges import Range
from .shrink import Shrinker, Shrunk
from .trees import Document, edits, fields, places, plainer, touches
from .trial import CRITERIA, Trial, limited
from .world import World

BATCH = 16
MOST_CHANGES = 5
SHARE_OF_BASE = 0.3
REPEATED = ("/mean_up_s", "/mean_down_s", "/period_s", "/clock/mean_ms", "/clock/period_ms")
MOST_PERIODS = 20_000


@dataclasses.dataclass(frozen=True)
class Drawn:
    """parent: the place of the world in the corpus that it was made of. names: what was drawn."""

    document: Document
    parent: int
    names: tuple[str, ...]
    limit_s: float | None


Take = Callable[[dict[str, Any]], None]


class Search:
    """Worlds around `base`. `take` is given what was found, as the state has it.
    shrinking_s: how long it may be shrunk, in s."""

    def __init__(self, base: Document, seed: int, ranges: Sequence[Range], children: Children, state: State,
                 take: Take, shrinking_s: float = math.inf) -> None:
        self.base, self.state, self._take, self._shrinking_s = base, state, take, shrinking_s
        self._seed, self._ranges, self._children = seed, ranges, children
        self._swept = swept(base)
        if state.entries:
            self._fill_stop(state.entries[0].document)

    def next_end(self) -> int:
        """The number after the last world of this batch: the scenario itself is the first one."""
        number = self.state.number
        return 1 if number == 0 else number - (number - 1) % BATCH + BATCH

    def batch(self, end: int, most_findings: int) -> list[dict[str, Any]]:
        """Draws, runs and takes the worlds up to that number; gives a line of the log for each."""
        drawn = [self.draw(number) for number in range(self.state.number, end)]
        trials = [Trial(one.document, one.limit_s) for one in drawn]
        lines = []
        for one, outcome in zip(drawn, self._children.run(trials)):
            if len(self.state.findings) < most_findings:
                lines.append(self._merge(one, outcome))
        return lines

    def draw(self, number: int) -> Drawn:
        if number == 0:
            return Drawn(self.base, 0, (), None)
        draw, entries = Draw(self._seed, number), self.state.entries
        places = range(len(entries))
        parent = 0 if draw.chance(SHARE_OF_BASE) else draw.weighted(places, [one.weight for one in entries])
        world = World(copy.deepcopy(entries[parent].document), entries[parent].facts, draw)
        names = []
        possible = self._possible(world.facts)
        weights = [self.state.chance_of(name) for name, _ in possible]
        for _ in range(draw.small(1, MOST_CHANGES)):
            name, change = draw.weighted(possible, weights)
            change(world)
            names.append(name)
        return Drawn(world.document, parent, tuple(names), self._limit_s(world))

    def _possible(self, facts: Facts) -> list[tuple[str, Callable[[World], None]]]:
        """The draws that may be taken, by their names."""
        role = "server" if facts.has_server else "peers"
        found: list[tuple[str, Callable[[World], None]]] = []
        for one in changes.ALL:
            is_known = one.is_for in ("", role) or (one.is_for == "asynchronous" and facts.is_asynchronous)
            is_within = not self._ranges or any(
                not one_range.values and one_range.low is None and touches(one.pointer, one_range.pointer)
                for one_range in self._ranges)
            if is_known and is_within and not any(touches(one.pointer, key) for key in self._swept):
                found.append((one.name, one.draw))
        found += [(one.pointer, one.draw) for one in self._ranges if one.values or one.is_numeric]
        if not found:
            raise InputError("within: expected a key that can be drawn, found none that the scenario's sweep leaves")
        return found

    def _limit_s(self, world: World) -> float:
        """A simulated time that no run takes whose rounds go on: many times that of the scenario, of its latest fault,
        and of its longest delays in each round. What repeats by itself, such as agents that come and go, does not
        repeat so often that the run lasts long."""
        base = self.state.entries[0].facts
        latest, delay, rate, size, period = 0.0, 0.0, math.inf, base.message_bytes, math.inf
        for pointer, value in places(world.document):
            if not isinstance(value, (int, float)) or isinstance(value, bool):
                continue
            if pointer.endswith(REPEATED):
                period = min(period, value * (1e-3 if pointer.endswith("_ms") else 1))
            elif "_per_s" in pointer:
                rate = min(rate, value / (base.flops_of_a_round if "flops" in pointer else 1) or math.inf)
            elif pointer.endswith("_s") and not pointer.startswith("/stop"):
                latest = max(latest, value)
            elif "_ms" in pointer:
                delay = max(delay, 1e-3 * value)
            elif pointer.endswith("_bytes"):
                size = max(size, value)
        slow = float(get(world.document, "/compute/straggler/factor", 1.0))
        delay = slow * (delay + max(1.0, size) / rate)
        enough = 100 * base.end_s + 10 * latest + 100 * len(base.times) * delay
        return min(9e9, float(f"{min(enough, MOST_PERIODS * period):.3g}"))

    def _merge(self, drawn: Drawn, outcome: Outcome) -> dict[str, Any]:
        state, number = self.state, self.state.number
        if number == 0:
            self._begin(outcome)
        else:
            state.entries[drawn.parent].picks += 1
        state.number += 1
        for name in drawn.names:
            tally = state.tallies.setdefault(name, [0, 0])
            tally[0] += 1
            tally[1] += bool(outcome.refused)
        state.count("refused" if outcome.refused else "failed" if outcome.failures else "ran")
        state.count("cut", int(outcome.is_cut))
        new = [] if outcome.failures and number else sorted(set(outcome.features) - state.features)
        state.features.update(new)
        if new and outcome.facts is not None and number:
            state.entries.append(Entry(number, drawn.document, outcome.facts, len(new)))
        for failure in outcome.failures:
            self._found(failure, drawn, number)
        return {"number": number, "parent": state.entries[drawn.parent].number, "draws": drawn.names,
                "refused": outcome.refused, "new": new, "failures": [list(one.key) for one in outcome.failures]}

    def _begin(self, outcome: Outcome) -> None:
        """Takes the scenario itself, around which worlds are drawn."""
        if outcome.refused:
            raise InputError(outcome.refused)
        base = copy.deepcopy(self.base)
        self.state.entries.append(Entry(0, base, outcome.facts or Facts(), len(outcome.features)))
        self._fill_stop(base)
        self._possible(self.state.entries[0].facts)  # which refuses a hunt that could draw nothing

    def _fill_stop(self, base: Document) -> None:
        """What ends a run by default would end none beside the limit of a world, so the scenario has to say it."""
        if not any(get(base, f"/stop/{name}") is not None for name in CRITERIA):
            facts = self.state.entries[0].facts
            base["stop"] = {**(base.get("stop") or {}), **({"updates": 1000} if facts.is_asynchronous
                                                           and not facts.has_server else {"rounds": 100})}
        self.base = base

    def _found(self, failure: Failure, drawn: Drawn, number: int) -> None:
        """Shrinks what fails, unless a finding explains it."""
        differs = {edit.pointer for edit in edits(self.base, drawn.document)}
        if self._is_explained(failure.key, differs):
            self.state.count("explained")
            return
        base = drawn.document if number == 0 else self.base
        shrunk = Shrunk(base, drawn.document, failure)
        # A claim that fails in the scenario itself has no world beside it that shows what a smaller one still means.
        if number or failure.kind != "claim":
            shrunk = self.shrink(shrunk, drawn.limit_s, number == 0)
        pointers = {edit.pointer for edit in shrunk.changes}
        if self._is_explained(failure.key, pointers):
            self.state.count("explained")
            return
        self.state.count("shrinking", shrunk.runs)
        world = drawn.document
        shrunk.base, shrunk.world = plainer(shrunk.base), plainer(shrunk.world)
        if failure.kind == "endless":  # the scenario ends by itself all the same
            shrunk.world = limited(Trial(shrunk.world, drawn.limit_s))
        self.state.findings.append({
            "number": number, "kind": failure.kind, "what": failure.what, "pointers": sorted(pointers),
            "sentence": shrunk.failure.sentence, "document": shrunk.world, "fields": fields(shrunk.world),
            "of_fields": fields(world), "changes": [dataclasses.asdict(edit) for edit in shrunk.changes]})
        self._take(self.state.findings[-1])

    def _is_explained(self, key: tuple[str, str], pointers: set[str]) -> bool:
        return any((one["kind"], one["what"]) == key and set(one["pointers"]) <= pointers
                   for one in self.state.findings)

    def shrink(self, found: Shrunk, limit_s: float | None, is_alone: bool) -> Shrunk:
        def fails(documents: Sequence[Document]) -> list[Failure | None]:
            outcomes = self._children.run([Trial(one, limit_s) for one in documents])
            return [one.fails_like(found.failure) for one in outcomes]

        until = time.monotonic() + self._shrinking_s
        return Shrinker(found, fails, is_alone, self._children.jobs, until).shrink()
