"""What the page of a league knows of it: one JSON document."""

from __future__ import annotations

import collections
import os
import pathlib
import shlex
import statistics
from typing import Any

from . import costs, run_pages
from .findings import Finding, findings
from .profiles import units
from .rankings import ranking
from .records import CURRENCIES, VARIANTS, League, Record

Document = dict[str, Any]

DIGITS = 9  # of numbers on the page


def levels_of(league: League) -> list[float]:
    """The levels that the page compares: the first, the usual and the last.

    >>> from lagnet.league import drawn
    >>> levels_of(drawn.league())
    [0.1, 0.001, 1e-06]
    """
    return sorted({league.levels[0], league.usual_level, league.levels[-1]}, reverse=True)


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


def _medians(record: Record, currency: str, levels: list[float]) -> list[float | None]:
    """Of each level the median over seeds, to the last level that it reaches."""
    made: list[float | None] = []
    for level in levels:
        values = [run.costs[level][currency] for run in record.runs]
        there = sorted(value for value in values if value is not None)
        half = len(values) // 2
        if not values or len(there) <= half:
            break
        made.append(_rounded(there[half] if len(values) % 2 else (there[half - 1] + there[half]) / 2))
    return made


def _cell(record: Record, league: League, levels: list[float], names: Document, link: str | None) -> Document:
    """A record in short. link: to the page of its runs"""
    made: Document = {"problem": league.problems.index(record.problem),
                      "profile": league.profiles.index(record.profile),
                      "entry": names[record.entry], "variant": record.variant}
    if record.status == "refused":
        return {**made, "reason": record.reason}
    if link is not None:
        made["page"] = link
    made["ends"] = dict(sorted(collections.Counter(run.status for run in record.runs).items()))
    made["costs"] = [_medians(record, currency, levels) for currency in CURRENCIES]
    errors = [run.relative_error for run in record.runs if run.relative_error is not None]
    made["error"] = _rounded(statistics.median_low(errors)) if errors else None
    if record.tuning:
        made["tuning"] = record.tuning.get("values", {})
    return made


def _finding(finding: Finding) -> Document:
    return {"name": finding.name, "sentence": finding.sentence, "sql": finding.sql, "columns": list(finding.columns),
            "rows": [list(row) for row in finding.rows]}


def _rankings(league: League, levels: list[float], names: Document) -> Document:
    """By variant, currency, level and network: places as [entry, rank, score, low, high, best, worst, solved,
    problems]."""
    made: Document = {}
    for variant in VARIANTS:
        for currency in CURRENCIES:
            for number, level in enumerate(levels):
                for place, profile in enumerate(league.profiles):
                    made[f"{variant} {currency} {number} {place}"] = [
                        [names[one.entry], one.rank, one.score, one.low, one.high, one.best, one.worst, one.solved,
                         one.problems] for one in ranking(league, profile, currency, level, variant)]
    return made


def _command(folder: str, page: pathlib.Path) -> str:
    """The command that wrote the page."""
    elsewhere = [] if page == pathlib.Path(folder) / "league.html" else ["-o", os.fspath(page), "--replace"]
    return shlex.join(["lagnet", "league", "page", folder, *elsewhere])


def model(league: League, folder: str, page: pathlib.Path) -> Document:
    """The document of a page. folder: what commands call the league's folder. page: its file, beside which pages of
    runs may be.

    >>> import pathlib
    >>> from lagnet.league import drawn
    >>> sorted(model(drawn.league(problems=1, profiles=1), "runs/league", pathlib.Path("league.html")))[:4]
    ['cells', 'command', 'currencies', 'entries']
    """
    levels = levels_of(league)
    names: Document = {name: number for number, name in enumerate(league.entries)}
    entries: dict[str, Document] = {}
    for record in league.records:
        entries.setdefault(record.entry, {"name": record.entry, "form": record.form, "kind": record.kind})
    competing = {variant: {one.name for one in costs.chosen(league, variant)} for variant in VARIANTS}
    beside, cells = page.parent, []
    for record in league.records:
        cell = _cell(record, league, levels, names, run_pages.link_to(record.name, beside))
        cell["in"] = [variant for variant in VARIANTS if record.name in competing[variant]]
        cells.append(cell)
    return {"league": league.number, "suite": league.suite, "folder": folder, "command": _command(folder, page),
            "runs": os.fspath(page.parent / run_pages.FOLDER),
            "lagnet": (league.document.get("build") or {}).get("lagnet", ""), "problems": list(league.problems),
            "profiles": list(league.profiles), "seeds": len(league.seeds), "levels": levels,
            "usual": levels.index(league.usual_level), "currencies": list(CURRENCIES),
            "entries": [entries[name] for name in league.entries], "cells": cells,
            "units": {currency: [[league.problems.index(problem), league.profiles.index(profile), _rounded(unit)]
                                 for (problem, profile), unit in units(league, currency).items()]
                      for currency in CURRENCIES},
            "rankings": _rankings(league, levels, names), "findings": [_finding(one) for one in findings(league)]}
