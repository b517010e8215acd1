"""Scenarios as JSON documents: Python values become JSON, files with comments are read, pointers lead to values."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import os
import pathlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .classes import Named
from .errors import Problem, ScenarioError

Document = dict[str, Any]

DEEPEST = 64  # levels of lists and objects that the program reads


def plain(value: Any, pointer: str = "") -> Any:
    """The value as JSON has it: it may contain mappings, sequences, paths, data classes and numbers of NumPy.
    `pointer` is its place, for the ScenarioError about values that cannot be JSON."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ScenarioError([Problem(pointer, "a finite number", repr(value))])
        return float(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Named):
        return value.section()
    if isinstance(value, type) and issubclass(value, Named):
        return value().section()
    if isinstance(value, Mapping):
        return {str(key): plain(one, child(pointer, str(key))) for key, one in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name), child(pointer, field.name))
                for field in dataclasses.fields(value)}
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy, series of pandas
        return plain(value.tolist(), pointer)
    if isinstance(value, (Sequence, frozenset, set)) and not isinstance(value, (bytes, bytearray)):
        ordered = sorted(value) if isinstance(value, (frozenset, set)) else value
        return [plain(one, child(pointer, str(k))) for k, one in enumerate(ordered)]
    raise ScenarioError([Problem(pointer, "a value that JSON has", f"{type(value).__name__} {value!r:.60}")])


def child(pointer: str, key: str) -> str:
    """The JSON pointer (RFC 6901) of a member of the value at `pointer`."""
    return f"{pointer}/" + key.replace("~", "~0").replace("/", "~1")


def tokens(pointer: str) -> list[str]:
    """The keys that a JSON pointer leads through.

    >>> tokens("/sweep/~1data~1path/0")
    ['sweep', '/data/path', '0']
    """
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def get(document: Any, pointer: str, missing: Any = None) -> Any:
    """The value at a pointer.

    >>> get({"network": {"outages": [{"from_s": 3}]}}, "/network/outages/0/from_s")
    3
    """
    at = document
    for part in tokens(pointer):
        if isinstance(at, list) and part.isdigit() and int(part) < len(at):
            at = at[int(part)]
        elif isinstance(at, dict) and part in at:
            at = at[part]
        else:
            return missing
    return at


def pointer_of(key: str) -> str:
    """A JSON pointer from one, or from a key such as network.latency_ms.

    >>> pointer_of("network.latency_ms"), pointer_of("/seed")
    ('/network/latency_ms', '/seed')
    """
    if key.startswith("/"):
        return key
    return "/" + key.replace("~", "~0").replace("/", "~1").replace(".", "/")


def put(document: Document, key: str, value: Any) -> None:
    """Sets the value at a JSON pointer; sections on the way that are missing are made."""
    pointer = pointer_of(key)
    *path, last = tokens(pointer)
    at: Any = document
    for depth, part in enumerate(path):
        if isinstance(at, list):
            at = at[int(part)] if part.isdigit() and int(part) < len(at) else None
        elif isinstance(at, dict):
            at = at.setdefault(part, {})
        if not isinstance(at, (dict, list)):
            here = "/" + "/".join(path[:depth + 1])
            raise ScenarioError([Problem(pointer, f"an object or a list at {here}", json.dumps(at))])
    if isinstance(at, list):
        if not last.isdigit() or int(last) >= len(at):
            raise ScenarioError([Problem(pointer, f"a number below {len(at)}", last)])
        at[int(last)] = plain(value, pointer)
    else:
        at[last] = plain(value, pointer)


def without_comments(text: str) -> str:
    """Plain JSON, without // and /* */ comments outside of strings."""
    kept, in_string, i = [], False, 0
    while i < len(text):
        if in_string:
            step = 2 if text[i] == "\\" else 1
            in_string = text[i] != '"'
            kept.append(text[i:i + step])
            i += step
        elif text.startswith("//", i):
            i = (text + "\n").index("\n", i)
        elif text.startswith("/*", i) and "*/" in text[i + 2:]:
            i = text.index("*/", i + 2) + 2
        else:
            in_string = text[i] == '"'
            kept.append(text[i])
            i += 1
    return "".join(kept)


def parsed(text: str) -> Document | None:
    """The object that a scenario file holds; None where it holds none that the program takes, which it says better."""
    def members(pairs: list[tuple[str, Any]]) -> Document:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key stands twice")
        return dict(pairs)

    def refuse(constant: str) -> float:
        raise ValueError(f"{constant} is no JSON")

    try:
        document = json.loads(without_comments(text), object_pairs_hook=members, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and not is_deeper(document, DEEPEST) else None


def is_deeper(value: Any, levels: int) -> bool:
    """Whether a value has more levels of lists and objects than these.

    >>> is_deeper({"groups": [[0]]}, 3), is_deeper({"groups": [[0]]}, 2)
    (False, True)
    """
    if not isinstance(value, (dict, list)):
        return False
    members = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_deeper(one, levels - 1) for one in members)


def document_of(scenario: Any) -> tuple[Document | None, pathlib.Path | None]:
    """What a scenario says, as a copy that may be changed, and its file where it has one. The document is None where
    the file cannot be read as one."""
    if isinstance(scenario, Mapping) or dataclasses.is_dataclass(scenario):
        return copy.deepcopy(plain(scenario)), None
    if isinstance(scenario, str) and scenario.lstrip().startswith("{"):
        found = parsed(scenario)
        if found is None:
            raise ScenarioError([Problem("", "a JSON object", f"{scenario.strip():.60}")])
        return found, None
    if not isinstance(scenario, (str, os.PathLike)):
        raise TypeError("scenario: expected a path, a mapping, JSON or a Scenario, found "
                        f"{type(scenario).__name__}")
    path = pathlib.Path(os.fspath(scenario))
    try:
        return parsed(path.read_text(encoding="utf-8")), path
    except (OSError, UnicodeDecodeError):
        return None, path


def names_files(key: str) -> bool:
    """Whether a key, or the last part of a pointer in a sweep, names a file: `path`, or one such as test_path."""
    last = key.rpartition("/")[2]
    return last == "path" or last.endswith("_path")


def with_paths(value: Any, change: Callable[[str], str]) -> Any:
    """A copy in which every file that is named is called what `change` makes of its name.

    >>> with_paths({"data": {"path": "a.csv"}, "sweep": {"/data/path": ["a.csv", "b.csv"]}}, lambda name: "/in/" + name)
    {'data': {'path': '/in/a.csv'}, 'sweep': {'/data/path': ['/in/a.csv', '/in/b.csv']}}
    """
    def named(one: Any) -> Any:
        return change(one) if isinstance(one, str) else with_paths(one, change)

    if isinstance(value, list):
        return [with_paths(one, change) for one in value]
    if isinstance(value, dict):
        return {key: with_paths(one, change) if not names_files(key) else
                list(map(named, one)) if isinstance(one, list) else named(one) for key, one in value.items()}
    return value


_LITERAL = re.compile(rb'"(?:[^"\\]|\\.)*"')


def with_paths_in(text: bytes, change: Callable[[str], str]) -> bytes:
    """The same for JSON as text, in which all else keeps its bytes."""
    names: dict[bytes, bytes] = {}

    def note(name: str) -> str:
        old, new = (json.dumps(one, ensure_ascii=False).encode() for one in (name, change(name)))
        names[old] = new
        return name

    with_paths(json.loads(text), note)
    return _LITERAL.sub(lambda found: names.get(found[0], found[0]), text)


def swept(document: Document) -> list[str]:
    """The pointers that the points of a scenario's sweep set.

    >>> swept({"sweep": {"/seed": [1, 2], "points": [{"/data/path": "a.csv"}]}})
    ['/seed', '/data/path']
    """
    sweep = document.get("sweep")
    if not isinstance(sweep, dict):
        return []
    points = sweep.get("points")
    sections = [sweep, *(points if isinstance(points, list) else [])]
    for drawn in ("random", "latin_hypercube"):
        sections.append(sweep[drawn].get("ranges") if isinstance(sweep.get(drawn), dict) else None)
    return list(dict.fromkeys(key for section in sections if isinstance(section, dict) for key in section
                              if key.startswith("/")))


def seeds_of(seeds: Any) -> list[int]:
    """Seeds as integers, of any iterable."""
    if isinstance(seeds, (str, bytes)) or not isinstance(seeds, Iterable):
        raise TypeError(f"seeds: expected numbers, as in range(5), found {seeds!r:.60}")
    return [whole(seed, "seeds") for seed in seeds]


def whole(value: Any, name: str) -> int:
    """The value as an integer, of any type that has one; TypeError where that would drop a fraction."""
    if isinstance(value, bool) or not hasattr(value, "__int__") or int(value) != value:
        raise TypeError(f"{name}: expected an integer, found {value!r:.60}")
    return int(value)


def named(kind: Any) -> Any:
    """A kind by its name, {"kind": "extra"} for "extra", or what stands for it."""
    return {"kind": kind} if isinstance(kind, str) else plain(kind)
