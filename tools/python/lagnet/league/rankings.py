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


def _logs(by_seed: dict[str, list[float]], entries: Sequence[str], seeds: Sequence[int]) -> list[float] | None:
    """Of each entry the logarithm of its capped ratio on a problem with these seeds; None if nobody solves it."""
    medians = [costs.median([by_seed[entry][seed] for seed in seeds]) if entry in by_seed else math.inf
               for entry in entries]
    least = min(medians)
    if math.isinf(least):
        return None
    return [math.log(min(costs.ratio(cost, least), CAP)) for cost in medians]


def _scores(rows: list[list[float]]) -> list[float]:
    return [float(f"{math.exp(math.fsum(column) / len(rows)):.{DIGITS}g}") for column in zip(*rows)]


def _ranks(scores: Sequence[float]) -> list[int]:
    ordered = sorted(scores)
    first: dict[float, int] = {}
    for number, score in enumerate(ordered):
        first.setdefault(score, number + 1)
    return [first[score] for score in scores]


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
    problems, entries = list(found), sorted({entry for of_entries in found.values() for entry in of_entries})
    known: dict[tuple[int, tuple[int, ...]], list[float] | None] = {}

    def logs(problem: int, seeds: tuple[int, ...]) -> list[float] | None:
        if (problem, seeds) not in known:
            known[problem, seeds] = _logs(found[problems[problem]], entries, seeds)
        return known[problem, seeds]

    number = len(league.seeds)
    given = [row for problem in range(len(problems)) if (row := logs(problem, tuple(range(number)))) is not None]
    if not given:
        return []
    source = random.Random(SEED)  # its random() is the same everywhere, by Python's documentation
    samples: list[list[float]] = []
    for _ in range(draws):
        rows = []
        for _ in problems:
            problem = int(source.random() * len(problems))
            seeds = tuple(sorted(int(source.random() * number) for _ in range(number)))
            row = logs(problem, seeds)
            if row is not None:
                rows.append(row)
        if rows:
            samples.append(_scores(rows))
    scores = _scores(given)
    ranks = _ranks(scores)
    drawn_ranks = [_ranks(sample) for sample in samples]
    least = {problem: min(map(costs.median, of_entries.values())) for problem, of_entries in found.items()}
    places = []
    for place, entry in enumerate(entries):
        low, high = interval([sample[place] for sample in samples])
        best, worst = interval([drawn[place] for drawn in drawn_ranks])
        solved = sum(math.isfinite(costs.median(of_entries.get(entry, [math.inf]))) for of_entries in found.values())
        places.append(Place(entry, ranks[place], scores[place], low, high, int(best), int(worst), solved,
                            sum(map(math.isfinite, least.values()))))
    return sorted(places, key=lambda one: (one.rank, -one.solved, one.entry))
