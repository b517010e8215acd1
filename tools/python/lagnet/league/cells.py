"""A cell of the league, an entry on a problem over a profile, and its scenario."""

from __future__ import annotations

import copy
import dataclasses
import pathlib
from collections.abc import Iterator
from typing import Any

from .suite import Document, Entry, Suite


@dataclasses.dataclass(frozen=True, order=True)
class Cell:
    """problem, profile: names of files of the suite. entry: of an entry. variant: "tuned" or "default"."""

    problem: str
    profile: str
    entry: str
    variant: str

    @property
    def name(self) -> str:
        return f"{self.problem}/{self.profile}/{self.entry}.{self.variant}"

    def path(self, out: pathlib.Path) -> pathlib.Path:
        return out / "records" / self.problem / self.profile / f"{self.entry}.{self.variant}.json"


def cells_of(suite: Suite, entries: list[str]) -> list[Cell]:
    """All cells, in the order in which they run: what a problem and an entry share stays together."""

    def all_cells() -> Iterator[Cell]:
        for problem in suite.problems:
            for name in entries:
                for profile in suite.profiles:
                    for variant in suite.entries[name].variants:
                        yield Cell(problem, profile, name, variant)

    return list(all_cells())


def _merged(first: Any, second: Any) -> Any:
    """Objects by their keys, unless they are of different kinds; of anything else the second."""
    if not isinstance(first, dict) or not isinstance(second, dict) or first.get("kind") != second.get("kind"):
        return copy.deepcopy(second)
    return {**first, **{key: _merged(first.get(key), value) for key, value in second.items()}}


def scenario_of(suite: Suite, entry: Entry, problem: str, profile: str) -> Document:
    """The scenario of an entry with the options that it has untuned, and without a seed. Files are named relative to
    the folder of the scenarios that come with lagnet.

    Later parts win: the problem, the form, the profile, the entry's own sections.
    """
    parts = [{"stop": suite.document["stop"]}, suite.problems[problem], suite.document["forms"][entry.form],
             suite.profiles[profile], entry.sections]
    made: Document = {"lagnet": 1, "name": f"{problem}, {profile}, {entry.name}"}
    for part in parts:
        for section, value in part.items():
            if section not in ("why", "clock", "clocked"):
                made[section] = _merged(made.get(section), value)
    if made["topology"]["kind"] in ("star", "two_level_tree"):
        made["network"]["server_site"] = made["network"]["sites"][0]["name"]
    if suite.document["forms"][entry.form].get("clocked"):
        made.setdefault("compute", {})["clock"] = copy.deepcopy(suite.profiles[profile]["clock"])
    made["algorithm"] = copy.deepcopy(entry.algorithm)
    return made

