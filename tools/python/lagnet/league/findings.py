"""Ten sentences about a league, each with the query over league.sqlite that it follows from."""

from __future__ import annotations

import contextlib
import dataclasses
import textwrap
from typing import Any

from . import sentences, tables
from .records import League

MOST_ROWS = 12  # of a query, in findings.md


@dataclasses.dataclass(frozen=True)
class Finding:
    """name: of the question. sentence: the answer. sql: the query over league.sqlite; columns, rows: what it gave."""

    name: str
    sentence: str
    sql: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def findings(league: League) -> list[Finding]:
    """All of them, in their order.

    >>> from lagnet.league import drawn
    >>> [finding.name for finding in findings(drawn.league())][:3]
    ['most_firsts', 'second_order', 'tuning']
    """
    level, last = league.usual_level, league.levels[-1]
    made = []
    with contextlib.closing(tables.database(league)) as base:
        for question in sentences.QUESTIONS:
            sql = question.sql(level, last)
            found = base.execute(sql)
            columns, rows = tuple(one[0] for one in found.description), tuple(found)
            records = [dict(zip(columns, row)) for row in rows]
            made.append(Finding(question.name, question.say(records, level, last), sql, columns, rows))
    return made


def _shown(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value).replace("|", "\\|")


def _table(finding: Finding) -> str:
    lines = [finding.columns, ["---"] * len(finding.columns),
             *(map(_shown, row) for row in finding.rows[:MOST_ROWS])]
    more = len(finding.rows) - MOST_ROWS
    return ("".join("| " + " | ".join(line) + " |\n" for line in lines)
            + (f"\nand {more} more row{'s' if more > 1 else ''}\n" if more > 0 else ""))


def text(found: list[Finding]) -> str:
    """findings.md: the sentences, and each with its query and the rows that it gave."""
    parts = ["# Findings\n\nEach sentence follows from a query over `league.sqlite`. `competes = 1` are the entries "
             "that are compared: tuned where they have something to tune, and without the yardstick of one agent that "
             "has all samples. Costs in `cells` are medians over seeds, null where not reached.\n\n"
             + "".join(f"{number}. {one.sentence}\n" for number, one in enumerate(found, 1))]
    for number, one in enumerate(found, 1):
        parts.append(f"\n## {number}. {one.sentence}\n\n{textwrap.indent(one.sql, '    ')}\n\n{_table(one)}")
    return "".join(parts)
