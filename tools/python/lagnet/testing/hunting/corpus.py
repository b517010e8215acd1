"""The worlds that a hunt has seen something new in, and all else that its next draws depend on. It is a file, so that a
hunt can go on as if it had never been interrupted."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

from ...places import write_text
from .facts import Facts
from .trees import Document


@dataclasses.dataclass
class Entry:
    """number: of the world. new: how many features it was the first to have. picks: how often it was changed."""

    number: int
    document: Document
    facts: Facts
    new: int
    picks: int = 0

    @property
    def weight(self) -> float:
        return (1 + self.new) / (2 + self.picks)


@dataclasses.dataclass
class State:
    """number: of the next world. counts: of what came of the others. tallies: how often a draw was taken, and how often
    the world was refused. findings: what was found, each with the number of its world, its kind, and the shrunk one."""

    number: int = 0
    entries: list[Entry] = dataclasses.field(default_factory=list)
    features: set[str] = dataclasses.field(default_factory=set)
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    tallies: dict[str, list[int]] = dataclasses.field(default_factory=dict)
    findings: list[dict[str, Any]] = dataclasses.field(default_factory=list)

    def count(self, name: str, amount: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + amount

    def chance_of(self, name: str) -> float:
        """The share of worlds with this draw that were not refused."""
        taken, refused = self.tallies.get(name, [0, 0])
        return (taken - refused + 1) / (taken + 2) if taken < 8 or refused < taken else 0.02


def lines_of(document: Document) -> str:
    """A scenario with a line for each section.

    >>> print(lines_of({"seed": 3, "stop": {"rounds": 5}}))
    {
      "seed": 3,
      "stop": {"rounds": 5}
    }
    """
    sections = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in document.items()]
    return "{\n" + ",\n".join(sections) + "\n}"


def write(path: pathlib.Path, document: Document) -> None:
    """Writes JSON as a whole or not at all."""
    write_text(path, lines_of(document) + "\n")


class Folder:
    """`out` of a hunt: hunt.json says of what it is, state.json how far it is, corpus has the worlds, found the
    findings, log.jsonl what came of each world."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    def save(self, state: State, lines: list[dict[str, Any]]) -> None:
        for entry in state.entries:
            place = self._place(entry.number)
            if not place.is_file():
                write(place, {"document": entry.document, "facts": entry.facts.as_json()})
        with open(self.path / "log.jsonl", "a", encoding="utf-8") as log:
            log.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        write(self.path / "state.json", {
            "number": state.number, "features": sorted(state.features), "counts": state.counts,
            "tallies": state.tallies, "findings": state.findings,
            "entries": [[entry.number, entry.new, entry.picks] for entry in state.entries]})

    def load(self) -> State:
        """The state that was saved, and the log up to it."""
        path = self.path / "state.json"
        if not path.is_file():
            return State()
        kept = json.loads(path.read_text(encoding="utf-8"))
        entries = []
        for number, new, picks in kept["entries"]:
            world = json.loads(self._place(number).read_text(encoding="utf-8"))
            entries.append(Entry(number, world["document"], Facts.of_json(world["facts"]), new, picks))
        log = self.path / "log.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines(keepends=True) if log.is_file() else []
        log.write_text("".join(lines[:kept["number"]]), encoding="utf-8")
        return State(kept["number"], entries, set(kept["features"]), kept["counts"], kept["tallies"], kept["findings"])

    def _place(self, number: int) -> pathlib.Path:
        return self.path / "corpus" / f"{number:06}.json"
