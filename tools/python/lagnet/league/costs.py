"""What it costs to get to a level: of each instance, a problem over a network profile, and each entry."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .records import CURRENCIES, League, Record

Instance = tuple[str, str]  # problem, profile
Costs = dict[Instance, dict[str, list[float]]]  # of each entry the cost of each seed, infinite where it did not arrive
Ratios = dict[Instance, dict[str, float]]  # of each entry its median cost over the least one

# One agent with all samples, which sends nothing: a yardstick for the others, which does not compete with them.
YARDSTICK = "alone"


def chosen(league: League, variant: str) -> list[Record]:
    """The records that compete: of each entry its tuned variant, or the one with default options. An entry that has
    nothing to tune competes with its default options in both."""
    tuned = {(one.problem, one.profile, one.entry) for one in league.records if one.variant == "tuned"}
    return [one for one in league.records if one.form != YARDSTICK
            and (one.variant == variant or (one.problem, one.profile, one.entry) not in tuned)]


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two in the middle.

    >>> median([3.0, 1.0, math.inf])
    3.0
    """
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def costs(league: League, currency: str, level: float, variant: str = "tuned") -> Costs:
    """The costs of all seeds, of each entry that competes. A refused entry is infinite for every seed.

    >>> from lagnet.league import drawn
    >>> league = drawn.league(problems=1, profiles=1, entries=2, seeds=3)
    >>> sorted(costs(league, "bytes", 0.1)["problem_1", "network_1"])
    ['entry_1', 'entry_2']
    """
    if currency not in CURRENCIES:
        raise ValueError(f"currency: expected one of {', '.join(CURRENCIES)}, found {currency}")
    if level not in league.levels:
        raise ValueError(f"level: expected one of {', '.join(map(repr, league.levels))}, found {level}")
    found: Costs = {}
    for record in chosen(league, variant):
        values = [run.costs[level][currency] for run in record.runs] or [None] * len(league.seeds)
        found.setdefault((record.problem, record.profile), {})[record.entry] = [
            math.inf if value is None else float(value) for value in values]
    return found


def ratio(cost: float, least: float) -> float:
    """How many times the least cost this is; infinite if it did not arrive. Nothing is once nothing.

    >>> ratio(3.0, 2.0), ratio(math.inf, 2.0), ratio(0.0, 0.0)
    (1.5, inf, 1.0)
    """
    if math.isinf(cost):
        return math.inf
    return cost / least if least > 0 else 1.0 if cost == 0 else math.inf


def ratios(found: Costs) -> Ratios:
    """The ratios of the medians over seeds, of the instances that some entry solves."""
    made: Ratios = {}
    for instance, of_entries in found.items():
        medians = {entry: median(values) for entry, values in of_entries.items()}
        least = min(medians.values())
        if math.isfinite(least):
            made[instance] = {entry: ratio(cost, least) for entry, cost in medians.items()}
    return made
