"""The runs of chosen cells and a page of each, beside the page of their league."""

from __future__ import annotations

import fnmatch
import os
import pathlib
import urllib.parse
import warnings
from collections.abc import Iterable

from .. import commands, pages
from ..errors import InputError, RunWarning
from . import from_tables, running, suite
from .cells import Cell
from .records import League, Record

FOLDER = "runs"  # beside the page: PROBLEM/PROFILE/ENTRY.VARIANT has the runs, and .html the page


def matching(league: League, patterns: Iterable[str]) -> list[Record]:
    """The cells that ran and whose names match a pattern, such as ridge/phones/*; raises InputError for a pattern
    without any.

    >>> from lagnet.league import drawn
    >>> [one.name for one in matching(drawn.league(), ["problem_2/*_1/entry_1.*"])]
    ['problem_2/network_1/entry_1.tuned', 'problem_2/network_1/entry_1.default']
    """
    there = [one for one in league.records if one.status == "ran"]
    found: dict[str, Record] = {}
    faults = []
    for pattern in patterns:
        matches = {one.name: one for one in there if fnmatch.fnmatchcase(one.name, pattern)}
        if not matches:
            like = f", such as {there[0].name}" if there else ""
            faults.append(f"--runs: expected cells that ran{like}, found none that match {pattern}")
        found.update(matches)
    if faults:
        raise InputError("\n".join(faults))
    return list(found.values())


def _scenario(folder: pathlib.Path, league: League, record: Record) -> suite.Document:
    """What a cell ran. Tables alone do not say to what it was tuned: it is tuned again."""
    if not from_tables.is_alone(folder):
        return record.scenario
    cell = Cell(record.problem, record.profile, record.entry, record.variant)
    return running.scenario_as_run(suite.load(size=league.suite), cell)[0]


def write(folder: pathlib.Path, league: League, record: Record, beside: pathlib.Path) -> pathlib.Path:
    """Runs a cell of a folder again and writes the page of its runs; gives its file. Raises InputError if the runs
    differ from the record."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunWarning)
        found = commands.sweep(running.usable(_scenario(folder, league, record)), seeds=league.seeds,
                               out=beside / FOLDER / record.name, jobs=1, progress=False)
    for told, run in zip(record.runs, found.runs, strict=True):
        trace = run.summary["trace_hash"] if not run.error else ""
        if trace != told.trace_hash:
            raise InputError(f"{record.name}: seed {told.seed}: expected the trace {told.trace_hash} of the record, "
                             f"found {trace}; `lagnet league verify` compares all that the record has")
    pages.report([found], page_of(record.name, beside), replace=True)
    return page_of(record.name, beside)


def page_of(name: str, beside: pathlib.Path) -> pathlib.Path:
    return beside / FOLDER / f"{name}.html"


def link_to(name: str, beside: pathlib.Path) -> str | None:
    """The address of a cell's page, relative to that of the league; None if there is none."""
    path = page_of(name, beside)
    return urllib.parse.quote(os.path.relpath(path, beside)) if path.is_file() else None
