"""Rankings of the entries over each network, with intervals by bootstrap."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Sequence

from . import costs
from .records import League

CAP = 100.0  # what a ratio counts at most, and what a problem counts that an entry does not solve
DRAWS = 1000
LOG_CAP = math.log(CAP)
SEED = 1  # of the draws of the bootstrap
DIGITS = 9  # that scores keep: the last ones of exp() and log() differ between machines


@dataclasses.dataclass(frozen=True)
class Place:
    """An entry in a ranking.

    rank: from 1; entries with the same score share it. score: the geometric mean over problems of its cost over the
    least one, at most CAP each. low, high: of the score, the interval of 95 %. best, worst: of the rank. solved: of
    how many problems; problems: how many some entry solves
    """

    entry: str
    rank: int
    score: float
    low: float
    high: float
    best: int
    worst: int
    solved: int
    problems: int


Draw = list[float] | None  # of each entry the logarithm of its capped ratio on a problem; None if nobody solves it


def _logs(medians: Sequence[float]) -> Draw:
    least = min(medians)
    if math.isinf(least):
        return None
    if least > 0:
        most = CAP * least
        return [LOG_CAP if cost >= most else math.log(cost / least) for cost in medians]
    return [0.0 if cost == 0 else LOG_CAP for cost in medians]


class _Problem:
    """The costs of all entries on a problem, by seed. A draw of seeds is an ascending tuple of their places."""

    def __init__(self, by_entry: dict[str, list[float]], entries: Sequence[str], seeds: int) -> None:
        missing = [math.inf] * seeds
        self.costs = [by_entry.get(entry, missing) for entry in entries]
        self.medians = [costs.median(values) for values in self.costs]
        # The others have the same cost for any seeds.
        self.varying = [place for place, values in enumerate(self.costs) if min(values) < max(values)]
        self.known: dict[tuple[int, ...], Draw] = {}

    def logs(self, seeds: tuple[int, ...]) -> Draw:
        if seeds not in self.known:
            medians = self.medians.copy()
            for place in self.varying:
                values = self.costs[place]
                medians[place] = costs.median([values[seed] for seed in seeds])
            self.known[seeds] = _logs(medians)
        return self.known[seeds]


def _means(rows: Sequence[list[float]]) -> list[float]:
    return [math.fsum(column) / len(rows) for column in zip(*rows)]


def _score(mean: float) -> float:
    return float(f"{math.exp(mean):.{DIGITS}g}")


def _ranks(means: Sequence[float]) -> list[int]:
    first: dict[float, int] = {}
    for number, mean in enumerate(sorted(means), 1):
        first.setdefault(mean, number)
    return [first[mean] for mean in means]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % in the middle: what 2.5 % of the values lie below, and 2.5 % above.

    >>> interval(list(range(1000)))
    (25, 974)
    """
    ordered, cut = sorted(values), len(values) // 40
    return ordered[cut], ordered[-1 - cut]


def ranking(league: League, profile: str, currency: str = "simulated_s", level: float = 1e-3, variant: str = "tuned",
            draws: int = DRAWS) -> list[Place]:
    """The entries over a network, the best first; [] if nobody solves anything. Intervals are by bootstrap: each draw
    takes as many problems as there are, and for each as many seeds, both with replacement and the same for all entries.

    >>> from lagnet.league import drawn
    >>> first = ranking(drawn.league(), "network_1", "bytes", 0.1, draws=100)[0]
    >>> first.rank, first.low <= first.score <= first.high
    (1, True)
    """
    found = {problem: of_entries for (problem, network), of_entries
             in costs.costs(league, currency, level, variant).items() if network == profile}
    entries = sorted({entry for of_entries in found.values() for entry in of_entries})
    number = len(league.seeds)
    problems = [_Problem(of_entries, entries, number) for of_entries in found.values()]
    given = [row for problem in problems if (row := problem.logs(tuple(range(number)))) is not None]
    if not given:
        return []
    source = random.Random(SEED)  # its random() is the same everywhere, by Python's documentation
    samples: list[list[float]] = []
    for _ in range(draws):
        rows = []
        for _ in problems:
            problem = problems[int(source.random() * len(problems))]
            row = problem.logs(tuple(sorted([int(source.random() * number) for _ in range(number)])))
            if row is not None:
                rows.append(row)
        if rows:
            samples.append(_means(rows))
    means = _means(given)
    ranks = _ranks(means)
    drawn_ranks = [_ranks(sample) for sample in samples]
    solvable = sum(math.isfinite(min(problem.medians)) for problem in problems)
    places = []
    for place, entry in enumerate(entries):
        low, high = interval([sample[place] for sample in samples])
        best, worst = interval([drawn[place] for drawn in drawn_ranks])
        solved = sum(math.isfinite(problem.medians[place]) for problem in problems)
        places.append(Place(entry, ranks[place], _score(means[place]), _score(low), _score(high), int(best), int(worst),
                            solved, solvable))
    return sorted(places, key=lambda one: (one.rank, -one.solved, one.entry))
