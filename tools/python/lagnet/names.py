"""How series of runs are called in plots and tables: as `lagnet compare` calls them."""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import classes

# What changes nothing that happens in a run, or is different in every run of a series.
ASIDE = ("name", "label", "description", "source", "seed", "sweep", "tune", "expect", "figure", "maps", "full")
RECORDED = ("trace", "timeline", "timeline_window_s", "file_budget_mb")
LABEL = "/label"

Flat = dict[str, Any]  # values of a scenario by their JSON pointers


def series_names(scenarios: Sequence[Mapping[str, Any]], labels: Sequence[str] | None = None) -> list[str]:
    """A name for each of some scenarios with every default filled in: its label, or else the values in which its series
    differs from the others, kinds first, and only as many as it takes. Scenarios that differ in their seeds alone are
    one series, and have one name. `labels` are those of the scenarios by default; "" is none.

    >>> ring, star = ({"algorithm": {"kind": "extra"}, "topology": {"kind": kind}} for kind in ("ring", "star"))
    >>> series_names([ring, star]), series_names([ring])
    (['ring', 'star'], ['extra'])
    """
    given = [str(one.get("label") or "") for one in scenarios] if labels is None else list(labels)
    places: dict[str, int] = {}
    flats: list[Flat] = []
    named: list[str] = []  # the label of each series, where all of its runs have one
    of_scenario = []
    for scenario, label in zip(scenarios, given):
        flat = dict(_flattened(_circumstances(scenario)))
        place = places.setdefault(json.dumps(flat, sort_keys=True), len(flats))
        if place == len(flats):
            flats.append(flat)
            named.append(label)
        named[place] = named[place] if label else ""
        of_scenario.append(place)
    names = _told_apart(flats)
    labeled = [place for place, label in enumerate(named) if label]
    for place, name in zip(labeled, _told_apart([{**flats[place], LABEL: named[place]} for place in labeled])):
        names[place] = name
    for place, name in enumerate(names):
        if not name or names.count(name) > 1:
            names[place] = f"{name} ({place + 1})".lstrip()
    return [names[place] for place in of_scenario]


class Names:
    """What runs in some folders are called, beside each other; their scenarios are read when the first is asked for.
    `labels` are given by the folders; "" where there is none but that of the scenario."""

    def __init__(self, labels: dict[pathlib.Path, str]) -> None:
        self.labels = labels

    def of(self, folder: pathlib.Path) -> str:
        return self._found[folder]

    @functools.cached_property
    def _found(self) -> dict[pathlib.Path, str]:
        scenarios, labels = [], []
        for folder, label in self.labels.items():
            scenarios.append(json.loads((folder / "scenario.json").read_text(encoding="utf-8")))
            labels.append(label or str(scenarios[-1].get("label") or ""))
        return dict(zip(self.labels, series_names(scenarios, labels)))


def _circumstances(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """The difference of a series from others."""
    kept = {key: value for key, value in scenario.items() if key not in ASIDE}
    if isinstance(record := kept.get("record"), Mapping):
        kept["record"] = {key: value for key, value in record.items() if key not in RECORDED}
    return dict(_as_called(kept))


def _as_called(value: Any) -> Any:
    """Sections of classes in Python, with the class as their kind."""
    if isinstance(value, list):
        return [_as_called(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    if value.get("kind") == "python" and isinstance(value.get("class"), str):
        return {"kind": classes.called(value), **_as_called({"options": value.get("options", {})})}
    return {key: _as_called(one) for key, one in value.items()}


def _flattened(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(value, (Mapping, list)) or not value:
        yield pointer, value
        return
    for key, one in value.items() if isinstance(value, Mapping) else enumerate(value):
        yield from _flattened(one, f"{pointer}/{key}")


def _rank(pointer: str) -> int:
    """A label says most, then kinds."""
    if pointer == LABEL:
        return 0
    return 1 if pointer == "/algorithm/kind" else 2 if pointer.endswith("/kind") else 3


def _told_apart(flats: Sequence[Flat]) -> list[str]:
    """The shortest distinct names: differing values are added as long as some names are equal."""
    if len(flats) == 1:
        return [str(flats[0].get(LABEL) or flats[0].get("/algorithm/kind", "runs"))]
    pointers = dict.fromkeys(pointer for flat in flats for pointer in flat)
    unlike = [pointer for pointer in pointers if len({json.dumps(flat.get(pointer)) for flat in flats}) > 1]
    labels = {flat.get(LABEL) for flat in flats}
    shared = [str(label) for label in labels if label] if len(labels) == 1 else []  # it separates no runs, and yet
    parts = [list(shared) for _ in flats]                                           # it is their name
    keys = [""] * len(flats)
    for pointer in sorted(unlike, key=_rank):
        longer = [key + json.dumps(flat.get(pointer)) + "\n" for key, flat in zip(keys, flats)]
        if len(set(longer)) == len(set(keys)):
            continue
        keys = longer
        for part, flat in zip(parts, flats):
            if pointer in flat:
                part.append(_named(pointer, flat[pointer]))
    return [" ".join(part) for part in parts]


def _named(pointer: str, value: Any) -> str:
    """ "ring" for a kind, "agents=16" for anything else, and "latency_ms=5" for the value of a distribution."""
    text = value if isinstance(value, str) else json.dumps(value)
    if isinstance(value, float):
        text = text.removesuffix(".0")
    if _rank(pointer) < 3:
        return text
    return pointer.removesuffix("/value").rpartition("/")[2] + "=" + text
