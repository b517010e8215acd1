"""Makes a failing world small: fewer differences from the scenario, fewer agents and rounds, rounder numbers, one thing
at a time, as long as it fails in the same way.

The scenario and the world shrink together. What both have is made smaller only if the scenario without the differences
still does not fail in this way: otherwise a claim would be refuted by numbers that no method reaches. A claim also
keeps what ends its runs, since it is about their end."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Sequence

from ...documents import get
from .failure import Failure
from .named_agents import without_agents
from .simpler import simpler
from .trees import Document, Edit, applied, edits, places, replaced, without

# What is made smaller first, since it makes runs shorter.
FIRST = ("/stop/rounds", "/stop/updates", "/topology/agents", "/data/samples", "/data/features")
MOST_RUNS = 2000

Fails = Callable[[Sequence[Document]], list[Failure | None]]


@dataclasses.dataclass
class Shrunk:
    """base: the scenario, with what the world has not made small. runs: how many it took."""

    base: Document
    world: Document
    failure: Failure
    runs: int = 0

    @property
    def changes(self) -> list[Edit]:
        return edits(self.base, self.world)


class Shrinker:
    """`fails` says how each of some documents fails in the same way, or None. Several are asked for at a time, `ahead`
    of them, of which the first that fails is taken: so the result does not depend on how many. until: a moment of
    time.monotonic() at which it is left as it is."""

    def __init__(self, found: Shrunk, fails: Fails, is_alone: bool, ahead: int = 1, until: float = math.inf) -> None:
        self.found, self._fails, self._is_alone, self._ahead, self._until = found, fails, is_alone, ahead, until

    def shrink(self) -> Shrunk:
        while self._passes():
            pass
        return self.found

    def _passes(self) -> bool:
        before = (self.found.base, self.found.world)
        for step in (self._fewer_changes, self._simpler_changes, self._smaller_first, self._without_parts,
                     self._smaller_parts):
            while self._goes_on() and self._take(step()):
                pass
        return self._goes_on() and (self.found.base, self.found.world) != before

    def _goes_on(self) -> bool:
        return self.found.runs < MOST_RUNS and time.monotonic() < self._until

    def _take(self, candidates: Iterator[tuple[Document, Document]]) -> bool:
        """Takes the first candidate that will do."""
        asked: list[tuple[Document, Document]] = []
        for pair in candidates:
            asked.append(pair)
            if len(asked) == self._ahead:
                if self._accept(asked):
                    return True
                asked = []
            if not self._goes_on():
                return False
        return self._accept(asked)

    def _accept(self, pairs: list[tuple[Document, Document]]) -> bool:
        for (base, world), failure in zip(pairs, self._fails([world for _, world in pairs])):
            self.found.runs += 1
            if failure is None:
                continue
            if base != self.found.base and not self._is_alone:
                self.found.runs += 1
                if self._fails([base])[0] is not None:
                    continue
            self.found = Shrunk(base, world, failure, self.found.runs)
            return True
        return False

    def _fewer_changes(self) -> Iterator[tuple[Document, Document]]:
        """Without those of a section, without half of the differences, a quarter, and so on to single ones."""
        base, changes = self.found.base, self.found.changes
        for section in _sections(changes):
            yield base, applied(base, [edit for edit in changes if not edit.pointer.startswith(section)])
        size = len(changes)
        while size >= 1:
            for begin in range(0, len(changes), size):
                yield base, applied(base, [*changes[:begin], *changes[begin + size:]])
            size = size // 2 if size > 1 else 0

    def _simpler_changes(self) -> Iterator[tuple[Document, Document]]:
        base, world = self.found.base, self.found.world
        for edit in self.found.changes:
            if edit.is_removal:
                continue
            before = get(base, edit.pointer)
            if isinstance(before, dict) and isinstance(edit.value, dict) and "kind" in before:
                yield base, replaced(world, f"{edit.pointer}/kind", before["kind"])
            for value in simpler(edit.value):
                changed = replaced(world, edit.pointer, value)
                yield base, (_pruned(changed) if edit.pointer.startswith("/topology") else changed)

    def _smaller_first(self) -> Iterator[tuple[Document, Document]]:
        for pointer in FIRST:
            if not self._is_kept(pointer):
                yield from self._smaller(pointer)

    def _smaller(self, pointer: str) -> Iterator[tuple[Document, Document]]:
        base, changes = self.found.base, self.found.changes
        value = get(base, pointer)
        if any(edit.pointer == pointer for edit in changes) or value is None:
            return
        for one in simpler(value):
            smaller = replaced(base, pointer, one)
            world = applied(smaller, changes)
            yield (_pruned(smaller), _pruned(world)) if pointer == "/topology/agents" else (smaller, world)

    def _without_parts(self) -> Iterator[tuple[Document, Document]]:
        """Without what both have: sections first, then their keys."""
        base, changes = self.found.base, self.found.changes
        for pointer, _ in [*places(base)]:
            is_changed = any(edit.pointer.startswith(pointer) for edit in changes)
            if _may_go(pointer) and not self._is_kept(pointer) and not is_changed:
                smaller = without(base, pointer)
                yield smaller, applied(smaller, changes)

    def _smaller_parts(self) -> Iterator[tuple[Document, Document]]:
        for pointer, value in [*places(self.found.base)]:
            if isinstance(value, (int, float)) and not pointer.startswith(("/lagnet", "/expect")) \
                    and not self._is_kept(pointer):
                yield from self._smaller(pointer)

    def _is_kept(self, pointer: str) -> bool:
        return self.found.failure.kind == "claim" and pointer.startswith("/stop")


def _sections(changes: Sequence[Edit]) -> list[str]:
    """The sections, as /network/ and /network/retransmit/, of several differences, outer ones first."""
    within = [edit.pointer[:at + 1] for edit in changes
              for at, letter in enumerate(edit.pointer) if letter == "/" and at]
    return sorted({one for one in within if within.count(one) > 1}, key=lambda one: (one.count("/"), one))


def _may_go(pointer: str) -> bool:
    """What says how long a run is becomes smaller instead, and a claim is a claim as a whole."""
    return pointer not in ("/lagnet", "/stop", "/stop/rounds", "/stop/updates") \
        and not (pointer.startswith("/expect/") and pointer.count("/") > 2)


def _pruned(document: Document) -> Document:
    agents = get(document, "/topology/agents")
    return without_agents(document, agents) if isinstance(agents, int) else document
