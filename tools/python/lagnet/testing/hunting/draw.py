"""Random numbers of one world. They are a function of the hunt's seed and the world's number, so that a world is the
same whoever draws it and whenever."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def rounded(value: float, digits: int = 2) -> float:
    """The number with so many significant digits.

    >>> rounded(0.012345), rounded(98765.0)
    (0.012, 99000.0)
    """
    return float(f"{value:.{digits - 1}e}")


class Draw:
    """Everything is made of random(), whose numbers are the same in every version of Python.

    >>> first, again = Draw(1, 7), Draw(1, 7)
    >>> first.scale(1, 1000) == again.scale(1, 1000)
    True
    """

    def __init__(self, seed: int, number: int) -> None:
        self._random = random.Random(f"{seed}/{number}").random

    def uniform(self, low: float, high: float) -> float:
        return low + (high - low) * self._random()

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def scale(self, low: float, high: float) -> float:
        """A number between two positive ends, uniform in the logarithm, of one to three digits."""
        value = math.exp(self.uniform(math.log(low), math.log(high)))
        return min(max(rounded(value, self.pick((1, 2, 3))), low), high)

    def whole(self, low: int, high: int) -> int:
        """An integer from low to high."""
        return min(high, low + int((high - low + 1) * self._random()))

    def small(self, low: int, high: int) -> int:
        """An integer from low to high, small ones more often: uniform in the logarithm of its distance from low."""
        return min(high, low - 1 + int(math.exp(self.uniform(0, math.log(high - low + 2)))))

    def pick(self, values: Sequence[T]) -> T:
        return values[self.whole(0, len(values) - 1)]

    def weighted(self, values: Sequence[T], weights: Sequence[float]) -> T:
        left = self._random() * sum(weights)
        for value, weight in zip(values, weights):
            left -= weight
            if left < 0:
                return value
        return values[-1]

    def some(self, values: Sequence[T], least: int, most: int) -> list[T]:
        """A few different ones of the values, in their order."""
        count = self.small(least, max(least, min(most, len(values))))
        places: list[int] = []
        while len(places) < min(count, len(values)):
            at = self.whole(0, len(values) - 1)
            if at not in places:
                places.append(at)
        return [values[at] for at in sorted(places)]
