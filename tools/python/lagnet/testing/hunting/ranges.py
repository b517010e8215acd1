"""`within`: the keys that are drawn, and from which values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ... import words
from ...documents import pointer_of, swept
from ...errors import Problem, ScenarioError
from . import changes
from .draw import rounded
from .trees import Document, replaced, touches
from .world import World


@dataclasses.dataclass(frozen=True)
class Range:
    """Values of one key: between two numbers, or one of `values`. Where both are empty, lagnet's own draws of this key
    and of what is below it are taken."""

    pointer: str
    low: float | None = None
    high: float | None = None
    is_integer: bool = False
    values: tuple[Any, ...] = ()

    @property
    def is_numeric(self) -> bool:
        return self.low is not None

    def draw(self, world: World) -> None:
        if self.values:
            world.put(self.pointer, world.draw.pick(self.values))
        elif self.low is not None and self.high is not None:
            low, high = self.low, self.high
            if self.is_integer:
                world.put(self.pointer, world.draw.whole(int(low), int(high)))
            else:
                world.put(self.pointer, world.draw.scale(low, high) if low > 0 and world.draw.chance(0.8)
                          else min(high, max(low, rounded(world.draw.uniform(low, high), 3))))


def ranges_of(within: Mapping[str, Any] | None, base: Document) -> list[Range]:
    """The ranges that `within` says: [low, high], other lists of values, or null for lagnet's own draws. Two integers
    are a range of integers where `base` takes no other numbers. Raises ScenarioError with all that is wrong."""
    found: list[Range] = []
    problems: list[Problem] = []
    in_sweep = swept(base)
    for key, given in (within or {}).items():
        pointer = pointer_of(key)
        if given is not None and (set_by := [one for one in in_sweep if touches(one, pointer)]):
            problems.append(Problem(pointer, "a key that the scenario's sweep leaves alone", f"{set_by[0]} in it"))
        elif given is None:
            found.append(Range(pointer))
            if not any(touches(one.pointer, pointer) for one in changes.ALL):
                known = ", ".join(sorted({one.pointer for one in changes.ALL}))
                problems.append(Problem(pointer, f"null for a key that lagnet draws by itself: {known}", "another key"))
        elif not isinstance(given, (list, tuple)) or not given:
            problems.append(Problem(pointer, "[low, high], a list of values, or null for any draws of this key",
                                    f"{given!r:.60}"))
        elif len(given) == 2 and all(map(_is_number, given)):
            problems += [Problem(pointer, "a range from its low to its high end", f"{given}")] \
                if not given[0] < given[1] else _refusals(base, pointer, given)
            found.append(Range(pointer, given[0], given[1], _takes_integers(base, pointer, *given)))
        else:
            found.append(Range(pointer, values=tuple(given)))
            problems += _refusals(base, pointer, given)
    if problems:
        raise ScenarioError(problems, "within")
    return found


def _refusals(base: Document, pointer: str, values: Sequence[Any]) -> list[Problem]:
    """What is wrong with a key if a scenario takes none of these values there."""
    found: list[Problem] = []
    for value in values:
        try:
            document = replaced(base, pointer, value)
        except (IndexError, KeyError, ValueError, TypeError):
            return [Problem(pointer, "a key of the scenario", "none there")]
        wrong = [one for one in words.validate(document)
                 if one.pointer and (one.pointer == pointer or pointer.startswith(one.pointer + "/"))]
        if not wrong:
            return []
        found += wrong
    return found[:1]


def _takes_integers(base: Document, pointer: str, low: float, high: float) -> bool:
    """Whether two integers are the ends of a range of integers: a scenario that takes one of them does not take a
    number beside it."""
    if not isinstance(low, int) or not isinstance(high, int):
        return False
    for end, beside in ((low, low + 0.5), (high, high - 0.5)):
        if not _refusals(base, pointer, [end]):
            return bool(_refusals(base, pointer, [beside]))
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def value_at(one: Range, place: float) -> float | int:
    """The value at a place from 0 to 1 of a range, logarithmic where both ends are positive."""
    assert one.low is not None and one.high is not None
    if place in (0, 1):
        return one.high if place else one.low
    if one.low > 0:
        value = math.exp(math.log(one.low) + place * (math.log(one.high) - math.log(one.low)))
    else:
        value = one.low + place * (one.high - one.low)
    return round(value) if one.is_integer else min(one.high, max(one.low, rounded(value, 6)))


def place_of(one: Range, value: float) -> float:
    """The place from 0 to 1 of a value in its range."""
    assert one.low is not None and one.high is not None
    if one.low > 0:
        return math.log(value / one.low) / math.log(one.high / one.low)
    return (value - one.low) / (one.high - one.low)
