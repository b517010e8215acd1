"""Runs compared: who is first and by how much, as in `lagnet compare`."""

from __future__ import annotations

import functools
import html
import json
from collections.abc import Iterable, Mapping
from typing import Any

from . import pages, process
from .documents import pointer_of
from .errors import InputError, LagnetError


class Comparison:
    """What `lagnet compare` says; its text is that of the command line.

    `tables` has the names of the tables, each of which is an attribute: `verdict`, `series`, `curves`, `accuracy`,
    `paired`, `pareto`, `crossings`, `runs`, and with `by` `pivot` and `swaps` in their place, as pandas.DataFrame.
    Where runs recorded `critical_path`, there is `waits`, too.
    """

    def __init__(self, results: tuple[Any, ...], words: list[str]) -> None:
        self._results = results
        self._words = words
        self.facts: dict[str, Any] = json.loads(process.succeed([*words, "--format", "json"]).out)

    @property
    def tables(self) -> list[str]:
        return [name for name, rows in self.facts.items()
                if isinstance(rows, list) and name not in ("folders", "left_out")]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "facts" or name not in self.tables:
            raise AttributeError(f"this comparison has no table {name!r}")
        import pandas

        return pandas.DataFrame(self.facts[name])

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.tables]

    @functools.cached_property
    def text(self) -> str:
        """The answer in sentences, and all tables."""
        return process.succeed([*self._words, "--format", "text"]).out.rstrip("\n")

    @property
    def answer(self) -> str:
        """The answer in sentences alone: who is first to each level, and how many times the next one needs."""
        paragraphs = self.text.split("\n\n")
        return paragraphs[1] if len(paragraphs) > 1 else self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<lagnet.Comparison: {len(self.facts['folders'])} runs of {len(self.facts['series'])} series>"

    def _repr_html_(self) -> str:
        try:
            choices = {"y": self.facts["metric"], "x": self.facts["against"]}
            picture = pages.figure(self._results, **choices)._repr_html_() or ""
        except LagnetError:
            picture = ""
        series = pages.table(["series", "runs", "ended by", "median", "least", "largest"],
                             [[one.get(key) for key in ("series", "runs", "ended_by", "median", "min", "max")]
                              for one in self.facts["series"]])
        return f'{picture}<pre style="white-space:pre-wrap">{html.escape(self.answer)}</pre>{series}'


def compare(*results: Any, to: float | Iterable[float] | None = None, metric: str | None = None,
            against: str | None = None, rising: bool = False, baseline: str | None = None, by: str | None = None,
            where: Mapping[str, Any] | None = None, points: int | None = None, confidence: float | None = None,
            resamples: int | None = None, bootstrap_seed: int | None = None) -> Comparison:
    """Compares runs and sweeps over the same data and problem. Runs that differ in their seeds alone are one series,
    and series are compared seed by seed.

    results: what run() and sweep() gave, or folders. to: levels of the metric; by default powers of ten. metric: a
    column of progress.csv, "relative_error" by default; rising: larger is better. against: the axis, "simulated_s" by
    default, or "round", "bytes", "messages", "flops", .. baseline: the series that others are compared with. by: a
    swept key whose values are the rows of one table. where: only runs with these values, {"algorithm.kind": "extra"}.
    points: rows of the curves. confidence, resamples, bootstrap_seed: of the intervals.

    >>> import lagnet
    >>> runs = lagnet.sweep(lagnet.example("gossip"), algorithm=["extra", "dgd"], set={"stop.rounds": 60})
    >>> print(runs.compare(to=[0.1]).answer.splitlines()[0])
    extra is first to 1e-1.
    """
    if not results:
        raise InputError("compare: expected results, found none")
    words = ["compare", *pages.folders_of(results)]
    if to is not None:
        levels = [to] if isinstance(to, (int, float)) else list(to)
        words += ["--to", ",".join(repr(float(level)) for level in levels)]
    for option, value in (("--metric", metric), ("--against", against), ("--baseline", baseline),
                          ("--by", None if by is None else pointer_of(by)), ("--points", points),
                          ("--confidence", confidence), ("--resamples", resamples),
                          ("--bootstrap-seed", bootstrap_seed)):
        if value is not None:
            words += [option, str(value)]
    for key, value in (where or {}).items():
        words += ["--where", f"{pointer_of(key)}={json.dumps(value)}"]
    if rising:
        words.append("--rising")
    return Comparison(results, words)
