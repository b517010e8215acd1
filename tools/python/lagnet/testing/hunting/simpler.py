"""Simpler values in place of one: what shrinking tries, the simplest first."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from typing import Any

from .draw import rounded


def weight(value: Any) -> tuple[float, ...]:
    """How complicated a value is: a simpler one has a smaller weight, so that shrinking ends."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return (0, 0, 0)
    if isinstance(value, (int, float)):
        digits = len(f"{abs(value):.15g}".replace(".", "").strip("0").split("e")[0])
        size = abs(value) if isinstance(value, int) else abs(math.log10(abs(value))) if value else 0
        return (0, digits, size) if isinstance(value, float) else (0, min(digits, 1), size)
    members = list(value.values()) if isinstance(value, dict) else list(value)
    inner = [weight(one) for one in members]
    return (1 + sum(one[0] + 1 for one in inner), sum(one[1] for one in inner), sum(one[2] for one in inner))


def simpler(value: Any) -> Iterator[Any]:
    """Values of a smaller weight.

    >>> list(simpler(37)), list(simpler(0.0123))
    ([1, 2, 3, 4, 5, 9, 18, 27, 30], [0, 1, 0.01, 0.012])
    """
    before = weight(value)
    tried: list[Any] = [value]
    for one in _candidates(value):
        if weight(one) < before and not any(one == other and type(one) is type(other) for other in tried):
            tried.append(one)
            yield one


def _candidates(value: Any) -> Iterator[Any]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int):
        yield from _integers(value)
    elif isinstance(value, float):
        yield from (0, 1)
        yield 10.0 ** round(math.log10(abs(value))) if value else 0
        yield from (rounded(value, digits) for digits in (1, 2, 3))
        if value == int(value) and abs(value) < 1e9:
            yield int(value)
    elif isinstance(value, list):
        yield from _lists(value)
    elif isinstance(value, dict):
        yield from _objects(value)


def _integers(value: int) -> Iterator[int]:
    yield from (1, 2, 3, 4, 5)
    yield from (value // 4, value // 2, 3 * value // 4)
    ten = 10 ** (len(str(abs(value))) - 1)
    yield value // ten * ten
    if value <= 12:
        yield from (value - 2, value - 1)


def _lists(value: list[Any]) -> Iterator[Any]:
    if len(value) > 1:
        yield value[:len(value) // 2]
        yield value[len(value) // 2:]
        yield from ([*value[:k], *value[k + 1:]] for k in range(len(value)))
    for k, one in enumerate(value):
        for other in simpler(one):
            yield [*value[:k], other, *value[k + 1:]]


def _objects(value: dict[str, Any]) -> Iterator[Any]:
    if "kind" in value:  # a distribution: one number of it
        for key in ("low", "median", "mean", "scale", "high"):
            if isinstance(value.get(key), (int, float)):
                yield value[key]
    for key in value:
        if key != "kind":
            yield {other: one for other, one in value.items() if other != key}
    for key, one in value.items():
        for other in simpler(one):
            made = copy.deepcopy(value)
            made[key] = other
            yield made
