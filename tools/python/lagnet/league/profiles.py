"""Performance profiles (Dolan, Moré 2002) and data profiles (Moré, Wild 2009) of the entries of a league."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

from . import costs
from .records import League

Steps = tuple[tuple[float, float], ...]  # (place, share from there on), rising


@dataclasses.dataclass(frozen=True)
class Profile:
    """Of each entry a step function. instances: those that some entry solves, the denominator of every share;
    unsolved: those that nobody solves, which are left out."""

    curves: Mapping[str, Steps]
    instances: tuple[costs.Instance, ...]
    unsolved: tuple[costs.Instance, ...]

    def share(self, entry: str, place: float) -> float:
        """The value of an entry's curve."""
        return max((share for step, share in self.curves[entry] if step <= place), default=0.0)


def steps(places: list[float], instances: int) -> Steps:
    """The share of `instances` whose place is at most x, as a function of x; infinite places are never counted.

    >>> steps([1.0, 4.0, 1.0, math.inf], 4)
    ((1.0, 0.5), (4.0, 0.75))
    """
    finite = sorted(place for place in places if math.isfinite(place))
    return tuple((place, (number + 1) / instances) for number, place in enumerate(finite)
                 if number + 1 == len(finite) or finite[number + 1] > place)


def _profile(league: League, found: costs.Ratios, all_instances: costs.Costs) -> Profile:
    entries = sorted({entry for of_entries in all_instances.values() for entry in of_entries})
    curves = {entry: steps([of_entries.get(entry, math.inf) for of_entries in found.values()], len(found))
              for entry in entries}
    return Profile(curves, tuple(found), tuple(one for one in all_instances if one not in found))


def performance_profile(league: League, currency: str = "simulated_s", level: float = 1e-3,
                        variant: str = "tuned") -> Profile:
    """The share of instances in which an entry costs at most x times what the best one costs there, in the median over
    seeds. What an entry is refused on, or was not run on, is not solved.

    >>> from lagnet.league import drawn
    >>> profile = performance_profile(drawn.league(), "bytes", 0.1)
    >>> len(profile.instances), sum(profile.share(entry, 1) for entry in profile.curves) > 0.99
    (6, True)
    """
    found = costs.costs(league, currency, level, variant)
    return _profile(league, costs.ratios(found), found)


def units(league: League, currency: str) -> dict[costs.Instance, float]:
    """What a round costs on each instance: the least cost of a round among the runs that reached the last level, in all
    variants of the entries that compete."""
    made: dict[costs.Instance, float] = {}
    for variant in ("default", "tuned"):
        for record in costs.chosen(league, variant):
            for run in record.runs:
                cost = run.costs[league.levels[-1]][currency]
                if run.status == "reached" and cost is not None and run.rounds > 0:
                    instance = record.problem, record.profile
                    made[instance] = min(made.get(instance, math.inf), cost / run.rounds)
    return {instance: unit for instance, unit in made.items() if unit > 0}


def data_profile(league: League, currency: str = "simulated_s", level: float = 1e-3,
                 variant: str = "tuned") -> Profile:
    """The share of instances that an entry solves with a budget of x cheapest rounds (`units`). Instances without a
    unit, where no run reaches the last level, are left out as unsolved.

    >>> from lagnet.league import drawn
    >>> profile = data_profile(drawn.league(), "bytes", 0.1)
    >>> profile.share("entry_1", 0) <= profile.share("entry_1", 1e6)
    True
    """
    found, unit = costs.costs(league, currency, level, variant), units(league, currency)
    places = {instance: {entry: costs.median(values) / unit[instance] for entry, values in of_entries.items()}
              for instance, of_entries in found.items() if instance in unit}
    return _profile(league, places, found)
