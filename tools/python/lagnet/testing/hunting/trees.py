"""Documents as trees: values at JSON pointers, how two documents differ, how many fields one has."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

from ...documents import child, get, tokens

Document = dict[str, Any]
# Keys that say what a scenario is called, and nothing about the run.
TITLES = ("lagnet", "name", "description", "source", "figure")


def touches(one: str, other: str) -> bool:
    """Whether one of two pointers leads to the other, or to a part of it."""
    return one == other or one.startswith(other + "/") or other.startswith(one + "/")


def without(document: Document, pointer: str) -> Document:
    """A copy without the value at a pointer."""
    made = copy.deepcopy(document)
    *path, last = tokens(pointer)
    at: Any = made
    for part in path:
        at = at[int(part)] if isinstance(at, list) else at[part]
    if isinstance(at, list):
        del at[int(last)]
    else:
        del at[last]
    return made


def replaced(document: Document, pointer: str, value: Any) -> Document:
    """A copy with another value at a pointer; missing sections on the way are made."""
    made = copy.deepcopy(document)
    *path, last = tokens(pointer)
    at: Any = made
    for part in path:
        if isinstance(at, list):
            at = at[int(part)]
        else:
            if not isinstance(at.get(part), (dict, list)):
                at[part] = {}
            at = at[part]
    if isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return made


@dataclasses.dataclass(frozen=True)
class Edit:
    """What one document has at a pointer where another one has something else, or nothing."""

    pointer: str
    value: Any = None
    is_removal: bool = False


def _is_section(value: Any) -> bool:
    """An object whose keys can be taken one by one: those of an object with a kind belong together."""
    return isinstance(value, dict) and "kind" not in value


def edits(base: Any, other: Any, pointer: str = "") -> list[Edit]:
    """What makes `other` of `base`, each as small as can be.

    >>> edits({"seed": 1}, {"seed": 1, "network": {"latency_ms": 5, "header_bytes": 66}})
    ... # doctest: +NORMALIZE_WHITESPACE
    [Edit(pointer='/network/latency_ms', value=5, is_removal=False),
     Edit(pointer='/network/header_bytes', value=66, is_removal=False)]
    """
    if base == other and type(base) is type(other):
        return []
    same_kind = isinstance(base, dict) and isinstance(other, dict) and base.get("kind") == other.get("kind")
    if same_kind or (base is None and pointer and _is_section(other) and other):
        base = base or {}
        found: list[Edit] = []
        for key, value in other.items():
            found += edits(base.get(key), value, child(pointer, key))
        return found + [Edit(child(pointer, key), is_removal=True) for key in base if key not in other]
    return [Edit(pointer, copy.deepcopy(other))]


def applied(base: Document, changes: list[Edit]) -> Document:
    """The document that these edits make of `base`."""
    made = copy.deepcopy(base)
    for edit in changes:
        if not edit.is_removal:
            made = replaced(made, edit.pointer, copy.deepcopy(edit.value))
        elif get(made, edit.pointer, tokens) is not tokens:
            made = without(made, edit.pointer)
    return made


def places(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every value below one, a section before what is in it."""
    members: Any = ()
    if isinstance(value, dict):
        members = [(child(pointer, key), one) for key, one in value.items()]
    elif isinstance(value, list):
        members = [(child(pointer, str(k)), one) for k, one in enumerate(value)]
    for at, one in members:
        yield at, one
        yield from places(one, at)


def fields(document: Document) -> int:
    """How many numbers, texts and empty lists a scenario has, but for its titles.

    >>> fields({"lagnet": 1, "seed": 3, "topology": {"kind": "ring", "agents": 5}})
    3
    """
    return sum(1 for pointer, value in places({key: one for key, one in document.items() if key not in TITLES})
               if not isinstance(value, (dict, list)) or not value)


def plainer(value: Any) -> Any:
    """The same with 5 in place of 5.0.

    >>> plainer({"from_s": 5.0, "groups": [[0]], "factor": 1.5})
    {'from_s': 5, 'groups': [[0]], 'factor': 1.5}
    """
    if isinstance(value, dict):
        return {key: plainer(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plainer(one) for one in value]
    return int(value) if isinstance(value, float) and abs(value) < 1e15 and value == int(value) else value
