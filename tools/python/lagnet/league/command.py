"""`lagnet league`: what the command line asked for."""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

from . import from_tables, running, suite, verifying
from .cells import Cell, cells_of
from .records import Record

TELL_S = 2.0  # from one line of progress to the next


def _suite_of(options: dict[str, Any], size: str) -> suite.Suite:
    return suite.load(pathlib.Path(options["suite"]) if options.get("suite") else None, size)


def _size_of(folder: pathlib.Path, files: str | None) -> str:
    if from_tables.is_alone(folder):
        return from_tables.read(folder, pathlib.Path(files) if files else None).suite
    found = verifying.read_record(folder / "league.json").get("suite")
    return str(found) if found in suite.SIZES else "full"


def _teller(options: dict[str, Any]) -> Callable[[int, int, Cell | Record], None]:
    """Prints how far it is, now and then."""
    began = told = time.monotonic()

    def tell(done: int, of: int, cell: Cell | Record) -> None:
        nonlocal told
        now = time.monotonic()
        if options.get("quiet") or now - told < TELL_S or done == of:
            return
        told = now
        left = (now - began) / done * (of - done)
        print(f"{done} of {of}, about {left / 60:.0f} minutes left: {cell.name}", file=sys.stderr, flush=True)

    return tell


def _run(options: dict[str, Any]) -> int:
    league = _suite_of(options, "small" if options.get("small") else "full")
    entries = suite.named("--entry", options.get("entries", []), league.entries)
    problems = suite.named("--problem", options.get("problems", []), league.problems)
    profiles = suite.named("--profile", options.get("profiles", []), league.profiles)
    cells = [one for one in cells_of(league, entries) if one.problem in problems and one.profile in profiles]
    if options.get("part"):
        number, of = options["part"]
        cells = cells[number - 1::of]
    folder = pathlib.Path(options["folder"])
    ran = running.run(league, folder, cells, int(options.get("jobs") or 1), tell=_teller(options))
    if options.get("json"):
        print(json.dumps({"folder": str(folder), "cells": len(cells), "ran": ran}, indent=2))
    elif not options.get("quiet"):
        print(f"{folder}: {len(cells)} cells, {ran} of them new; `lagnet league table {folder}` has the results")
    return 0


def _table(options: dict[str, Any]) -> int:
    from . import tables

    written = tables.write(pathlib.Path(options["folder"]))
    if options.get("json"):
        print(json.dumps({"written": [str(path) for path in written]}, indent=2))
    elif not options.get("quiet"):
        print("\n".join(map(str, written)))
    return 0


def _page(options: dict[str, Any]) -> int:
    from . import page

    written = page.write(pathlib.Path(options["folder"]), pathlib.Path(options["out"]), bool(options["replace"]),
                         pathlib.Path(options["picture"]) if options.get("picture") else None, options.get("runs", ()),
                         _teller(options))
    if options.get("json"):
        print(json.dumps({"written": [str(path) for path in written]}, indent=2))
    elif not options.get("quiet"):
        print("\n".join(map(str, written)))
    return 0


def _verify(options: dict[str, Any]) -> int:
    from . import tables

    folder = pathlib.Path(options["folder"])
    league = _suite_of(options, _size_of(folder, options.get("suite")))
    cell = verifying.cell_named(options["cell"]) if options.get("cell") else None
    found = verifying.verify(league, folder, float(options.get("share", 0.02)), int(options.get("seed", 1)), cell,
                             int(options.get("jobs") or 1), tables.disagreements, _teller(options))
    if options.get("json"):
        print(json.dumps({"records": found.records, "missing": found.missing, "repeated": found.repeated,
                          "faults": found.faults}, indent=2))
    else:
        for fault in found.faults:
            print(fault)
        if not options.get("quiet"):
            repeated = f"{len(found.repeated)} {'was' if len(found.repeated) == 1 else 'were'} tuned and run again"
            agree = "record agrees" if found.records == 1 else "records agree"
            print(f"{folder}: {found.records} {agree} with the league's files and the tables; {repeated}"
                  if not found.faults else
                  f"{folder}: {len(found.faults)} disagreements in {found.records} records, of which {repeated}")
            if found.missing:
                print(f"{found.missing} cells have no record yet")
    return 1 if found.faults else 0


def main(options: dict[str, Any]) -> int:
    """Runs what the command line said; the exit status."""
    return {"run": _run, "table": _table, "page": _page, "verify": _verify}[options["command"]](options)
