"""The files that say what the league is: scenarios/league has the problems, profiles and entries, and league.json what
every cell has."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

from .. import documents, process
from ..errors import InputError

Document = dict[str, Any]

ENTRY_POINTS = "lagnet.methods"  # the group in which packages name their entries
CURRENCIES = ("simulated_s", "bytes", "flops_per_agent_max", "joules")
SIZES = ("small", "full")
TYPES = {dict: "an object", list: "a list", str: "text", int: "an integer"}

_SUITE = {"league": int, "levels": list, "seeds": list, "tuning": dict, "forms": dict, "stop": dict, "small": dict}
_PROBLEM = {"why": str, "data": dict, "partition": dict, "problem": dict}
_PROFILE = {"why": str, "network": dict, "clock": dict, "stop": dict}
_ENTRY = {"form": str, "algorithm": dict, "author": str, "source": str}
_PROFILE_MAY = {"compute": dict, "participation": dict}
_ENTRY_MAY = {"tune": dict, "sections": dict, "note": str}


@dataclasses.dataclass(frozen=True)
class Entry:
    """A method that takes part.

    form: which of the forms of league.json has its agents, "peers" or "server" for instance
    algorithm: the section of a scenario, or for a class in Python the name of its kind and class
    tune: by option "theory", which is 1/32 to 32 times the value of theory, or [low, high]; {}: it has no tuned variant
    sections: sections of a scenario that take the place of those of form, problem and profile
    """

    name: str
    form: str
    algorithm: Document
    author: str
    source: str
    tune: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    sections: Document = dataclasses.field(default_factory=dict)
    note: str = ""

    @property
    def variants(self) -> tuple[str, ...]:
        return ("tuned", "default") if self.tune else ("default",)

    @property
    def pointers(self) -> dict[str, str]:
        """Where a scenario has the options that are tuned."""
        where = "/algorithm/options" if self.algorithm["kind"] == "python" else "/algorithm"
        return {option: f"{where}/{option}" for option in self.tune}


@dataclasses.dataclass(frozen=True)
class Suite:
    """All of a league. `size` is "small" or "full", by which problems, profiles and seeds are chosen."""

    folder: pathlib.Path
    size: str
    document: Document
    problems: dict[str, Document]
    profiles: dict[str, Document]
    entries: dict[str, Entry]

    @property
    def number(self) -> int:
        return int(self.document["league"])

    @property
    def levels(self) -> list[float]:
        return [float(level) for level in self.document["levels"]]

    @property
    def seeds(self) -> list[int]:
        return list((self.document["small"] if self.size == "small" else self.document)["seeds"])

    @property
    def tuning(self) -> Document:
        return dict(self.document["tuning"])


def _fault(path: pathlib.Path, key: str, expected: str, found: Any) -> str:
    text = found if isinstance(found, str) else json.dumps(found, default=str)
    return f"{path}: /{key}: expected {expected}, found {text:.80}"


def _read(path: pathlib.Path, needed: Mapping[str, type], may: Mapping[str, type],
          faults: list[str]) -> Document | None:
    try:
        found = documents.parsed(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        faults.append(f"{path}: {error}")
        return None
    if found is None:
        faults.append(f"{path}: expected a JSON object, found something else")
        return None
    before = len(faults)
    faults += [f"{path}: /{key}: missing" for key in needed if key not in found]
    known = {**needed, **may}
    for key, value in found.items():
        if key not in known:
            faults.append(_fault(path, key, f"one of {', '.join(known)}", key))
        elif not isinstance(value, known[key]) or isinstance(value, bool):
            faults.append(_fault(path, key, TYPES[known[key]], value))
    return found if len(faults) == before else None


def _files(folder: pathlib.Path, faults: list[str]) -> list[pathlib.Path]:
    found = sorted(folder.glob("*.json"))
    if not found:
        faults.append(f"{folder}: expected files of JSON, found none")
    return found


def _check_tune(place: str, tune: Mapping[str, Any], faults: list[str]) -> None:
    for option, wish in tune.items():
        ends = isinstance(wish, list) and len(wish) == 2 and all(type(end) in (int, float) for end in wish)
        if wish != "theory" and not (ends and 0 < wish[0] < wish[1]):
            faults.append(f"{place}: /tune/{option}: expected \"theory\", or two numbers above 0 that rise, found "
                          f"{json.dumps(wish, default=str)}")
    if len({wish == "theory" for wish in tune.values()}) > 1:
        faults.append(f"{place}: /tune: expected \"theory\" for all options, or ranges for all, found both")


def entry_of(name: str, place: str, found: Mapping[str, Any], forms: Iterable[str], faults: list[str]) -> Entry:
    """The entry that a file or a package describes; what is wrong with it is added to `faults`."""
    if found["form"] not in forms:
        faults.append(f"{place}: /form: expected one of {', '.join(forms)}, found {found['form']}")
    _check_tune(place, found.get("tune", {}), faults)
    if found["algorithm"].get("kind") == "python" and "theory" in found.get("tune", {}).values():
        faults.append(f"{place}: /tune: expected [low, high] for an option of a class in Python, found \"theory\"")
    return Entry(name=name, form=found["form"], algorithm=dict(found["algorithm"]), author=found["author"],
                 source=found["source"], tune=dict(found.get("tune", {})), sections=dict(found.get("sections", {})),
                 note=found.get("note", ""))


def _plugged(forms: Iterable[str], faults: list[str]) -> Iterable[Entry]:
    """Entries of installed packages: each entry point names a class that has `league`, a mapping as in an entry's
    file, but for the algorithm, which is the class with its defaults."""
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        place = f"entry point {point.name} of {ENTRY_POINTS} ({point.value})"
        try:
            loaded = point.load()
            algorithm = documents.plain(loaded())
            told = {"source": "", "author": "", **loaded.league}
        except Exception as error:  # of somebody's package, whatever it is
            faults.append(f"{place}: expected a class with defaults for its options and the mapping league, found "
                          f"{type(error).__name__}: {error}")
            continue
        if "form" not in told:
            faults.append(f"{place}: league: expected a form, found none")
            continue
        yield entry_of(point.name, place, {**told, "algorithm": algorithm}, forms, faults)


def _checked_seeds(document: Document, path: pathlib.Path, faults: list[str]) -> None:
    tuning = document["tuning"].get("seed")
    for where, seeds in (("seeds", document["seeds"]), ("small/seeds", document["small"].get("seeds", []))):
        if not seeds or not all(type(seed) is int for seed in seeds):
            faults.append(_fault(path, where, "integers", seeds))
        if tuning in seeds:
            faults.append(_fault(path, "tuning/seed", f"a seed that is not among /{where}", tuning))
    if type(tuning) is not int:
        faults.append(_fault(path, "tuning/seed", "an integer", tuning))


def default_folder() -> pathlib.Path:
    """The folder of the league that comes with lagnet."""
    return process.scenarios() / "league"


def load(folder: pathlib.Path | None = None, size: str = "full") -> Suite:
    """Reads a league; raises InputError with everything that is wrong with its files.

    >>> from lagnet import league
    >>> small = league.load(size="small")
    >>> small.seeds, small.tuning["candidates"]
    ([1, 2], 10)
    """
    place = folder or default_folder()
    faults: list[str] = []
    path = place / "league.json"
    read = _read(path, _SUITE, {}, faults)
    if read is None:
        raise InputError("\n".join(faults))
    document: Document = read
    _checked_seeds(document, path, faults)

    def all_of(part: str, needed: Mapping[str, type], may: Mapping[str, type]) -> dict[str, Document]:
        found = {one.stem: _read(one, needed, may, faults) for one in _files(place / part, faults)}
        return {name: one for name, one in found.items() if one is not None}

    problems = all_of("problems", _PROBLEM, {})
    profiles = all_of("profiles", _PROFILE, _PROFILE_MAY)
    entries = {name: entry_of(name, str(place / "entries" / f"{name}.json"), found, document["forms"], faults)
               for name, found in all_of("entries", _ENTRY, _ENTRY_MAY).items()}
    for entry in _plugged(document["forms"], faults):
        if entry.name in entries:
            faults.append(f"entry point {entry.name} of {ENTRY_POINTS}: expected a name of its own, found that of an "
                          "entry")
        entries[entry.name] = entry
    if size == "small":
        for part, all_names in (("problems", problems), ("profiles", profiles)):
            for name in document["small"].get(part, []):
                if name not in all_names:
                    faults.append(_fault(path, f"small/{part}", f"one of {', '.join(all_names)}", name))
    if faults:
        raise InputError("\n".join(faults))

    def chosen(part: str, found: dict[str, Document]) -> dict[str, Document]:
        return found if size == "full" else {name: found[name] for name in document["small"][part]}

    return Suite(place, size, document, chosen("problems", problems), chosen("profiles", profiles), entries)


def named(kind: str, asked: Iterable[str], known: Iterable[str]) -> list[str]:
    """The names that were asked for, or all; raises InputError for those that there are not."""
    names = list(known)
    wrong = [name for name in asked if name not in names]
    if wrong:
        raise InputError("\n".join(f"{kind}: expected one of {', '.join(names)}, found {name}" for name in wrong))
    wanted = set(asked)
    return [name for name in names if not wanted or name in wanted]

