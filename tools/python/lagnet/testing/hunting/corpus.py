"""The worlds that a hunt has seen something new in, and all else that its next draws depend on. It is a file, so that a
hunt can go on as if it had never been interrupted."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

from ...errors import InputError
from ...places import write_text
from .facts import Facts
from .trees import Document

IDENTITY = "hunt.json"


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


def read(path: pathlib.Path) -> Document:
    """What write() wrote."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: expected a file of a hunt, found a damaged one: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: expected a file of a hunt, found {found!r:.60}")
    return found


class Folder:
    """`out` of a hunt: hunt.json says of what it is, state.json how far it is, corpus has the worlds, found the
    findings, log.jsonl what came of each world. It begins to be with the first of these. identity: what hunt.json
    says."""

    def __init__(self, path: pathlib.Path, identity: dict[str, Any]) -> None:
        self.path, self._identity = path, json.loads(json.dumps(identity))

    @property
    def is_there(self) -> bool:
        return (self.path / IDENTITY).is_file()

    def check(self) -> None:
        """InputError unless it is of the same hunt."""
        if not self.is_there:
            raise InputError(f"{self.path}: expected the folder of a hunt, found no {IDENTITY} there")
        known = read(self.path / IDENTITY)
        for name, value in self._identity.items():
            if known.get(name) != value:
                raise InputError(f"{self.path}: expected the hunt of the same scenario, within and seed, found another "
                                 f"{name}")

    def begin(self) -> None:
        if not self.is_there:
            write(self.path / IDENTITY, self._identity)

    def save(self, state: State, lines: list[dict[str, Any]]) -> None:
        self.begin()
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
        kept, entries = read(path), []
        try:
            for number, new, picks in kept["entries"]:
                world = read(self._place(number))
                entries.append(Entry(number, world["document"], Facts.of_json(world["facts"]), new, picks))
            state = State(kept["number"], entries, set(kept["features"]), kept["counts"], kept["tallies"],
                          kept["findings"])
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path}: expected the state of a hunt of this version of lagnet, found another one: "
                             f"{error}") from None
        log = self.path / "log.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines(keepends=True) if log.is_file() else []
        log.write_text("".join(lines[:state.number]), encoding="utf-8")
        return state

    def _place(self, number: int) -> pathlib.Path:
        return self.path / "corpus" / f"{number:06}.json"
