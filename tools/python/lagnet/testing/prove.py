"""`lagnet prove`: holds methods against all properties, and reports how it went."""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import pathlib
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from . import needed  # noqa: F401, which comes first
from .. import places, words
from ..errors import InputError
from .badge import badge
from .properties import PROPERTIES, Verdict, hold
from .subjects import Subject, subject_of

BEGIN, END = "<!-- proven: begin -->", "<!-- proven: end -->"
MARKS = {"held": "x", "refused": " ", "failed": "!"}


@functools.lru_cache(maxsize=4)
def _subject(name: str) -> Subject:
    return subject_of(name)


def _task(task: tuple[str, str, int, int]) -> Verdict:
    """One property of one method, maybe in a process of its own."""
    name, property_, seed, examples = task
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    return hold(_subject(name), property_, seed, examples)


def _verdicts(tasks: list[tuple[str, str, int, int]], jobs: int) -> Iterator[Verdict]:
    if jobs == 1:
        yield from map(_task, tasks)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(_task, tasks)


def count(verdicts: list[Verdict], which: str) -> int:
    return sum(one.verdict == which for one in verdicts)


def text_of(name: str, verdicts: list[Verdict]) -> str:
    """The table of one method."""
    lines = [f"{name}: {count(verdicts, 'held')} held, {count(verdicts, 'refused')} refused, "
             f"{count(verdicts, 'failed')} failed"]
    width = max(map(len, PROPERTIES))
    for one in verdicts:
        mark = "FAILED" if one.verdict == "failed" else one.verdict
        said = one.sentence if one.verdict == "held" else one.reason
        lines.append(f"  {mark:<7}  {one.property:<{width}}  {said}")
        if one.scenario is not None:
            lines += [f"           {one.sentence} The smallest scenario found:",
                      "           " + json.dumps(one.scenario)]
    return "\n".join(lines)


def json_of(name: str, verdicts: list[Verdict]) -> dict[str, Any]:
    return {"name": name, **{which: count(verdicts, which) for which in ("held", "refused", "failed")},
            "properties": [{"property": one.property, "sentence": one.sentence, "verdict": one.verdict,
                            "reason": one.reason, "examples": one.examples, "scenario": one.scenario}
                           for one in verdicts]}


def table_of(found: dict[str, list[Verdict]]) -> str:
    """All methods in Markdown, and the properties that any of them was held against."""
    asked = [k for k in range(len(PROPERTIES)) if any(one[k].verdict != "refused" for one in found.values())]
    sentences = [one.sentence for one in PROPERTIES.values()]
    lines = [f"{number}. {sentences[k]}" for number, k in enumerate(asked, 1)]
    lines += ["", "x: held in all worlds drawn; !: failed; empty: lagnet refuses its worlds, or the method's claims "
              "leave it out, and", "`lagnet prove NAME` says why.", "",
              "| | " + " | ".join(str(number) for number in range(1, len(asked) + 1)) + " |",
              "|---|" + "---|" * len(asked)]
    for name, verdicts in found.items():
        lines.append(f"| `{name}` | " + " | ".join(MARKS[verdicts[k].verdict] for k in asked) + " |")
    return "\n".join(lines)


def _whole(path: pathlib.Path) -> tuple[str, str]:
    """What stays of a file before and after the table."""
    if not path.exists():
        return "", ""
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"{path}: expected a new file, or one with the lines {BEGIN} and {END}, found one without")
    return before, after


def main(options: dict[str, Any]) -> int:
    """Runs what the command line said; the exit status."""
    names = list(dict.fromkeys(options.get("names") or []))
    table = pathlib.Path(options["table"]) if options.get("table") else None
    if not names:
        if table is None and not options.get("all"):
            raise InputError("expected a method, a class or a scenario, found none")
        names = [kind for kind in words.list_kinds("algorithms") if kind != "python"]
    picture = pathlib.Path(options["badge"]) if options.get("badge") else None
    before, after = _whole(table) if table else ("", "")
    for path in (table, picture):
        if path is not None and not path.absolute().parent.is_dir():
            raise InputError(f"{path}: expected a file in a folder that is there")
    subjects = {name: _subject(name) for name in names}
    for subject in subjects.values():
        subject.habitat  # noqa: B018, which refuses what cannot run at all
    seed, examples = int(options.get("seed", 1)), int(options.get("examples", 20))
    if examples < 1:
        raise InputError(f"examples: expected an integer at least 1, found {examples}")
    tasks = [(name, property_, seed, examples) for name in names for property_ in PROPERTIES]
    found: dict[str, list[Verdict]] = {name: [] for name in names}
    quiet = bool(options.get("quiet"))
    for (name, *_), verdict in zip(tasks, _verdicts(tasks, int(options.get("jobs", 1)))):
        found[name].append(verdict)
        if not quiet:
            print(f"{name}: {verdict.property}: {verdict.verdict}, {verdict.examples} worlds, {verdict.seconds:.1f} s",
                  file=sys.stderr, flush=True)
        if len(found[name]) == len(PROPERTIES) and not options.get("json"):
            print(text_of(name, found[name]), flush=True)
    failed = sum(count(verdicts, "failed") for verdicts in found.values())
    held = sum(count(verdicts, "held") for verdicts in found.values())
    if options.get("json"):
        print(json.dumps({"seed": seed, "examples": examples,
                          "methods": [json_of(name, verdicts) for name, verdicts in found.items()]}, indent=2))
    if table is not None:
        places.write_text(table, f"{before}{BEGIN}\n{table_of(found)}\n{END}{after or chr(10)}")
    if picture is not None:
        said = f"{held} held" if failed == 0 else f"{failed} of {held + failed} failed"
        places.write_text(picture, badge("lagnet prove", said, failed == 0))
    return 1 if failed else 0


__all__ = ["main", "table_of", "text_of"]
