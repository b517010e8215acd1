"""The questions of findings.md: a query each, and the sentence that its rows give, whatever they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

Rows = list[dict[str, Any]]
Say = Callable[[Rows, float, float], str]  # the rows, the usual level, the last level

# Kinds whose agents use Hessians, or minimize their own functions in place of them.
SECOND_ORDER = ("dane", "fednl", "giant", "network_dane")
SERVER = "(form LIKE '%server' OR form LIKE '%clients')"  # forms with a server; the others are of peers


@dataclasses.dataclass(frozen=True)
class Question:
    """query: SQL with the placeholders @level@ and @last@."""

    name: str
    query: str
    say: Say

    def sql(self, level: float, last: float) -> str:
        return self.query.replace("@level@", repr(level)).replace("@last@", repr(last)).strip()


QUESTIONS: list[Question] = []


def question(query: str) -> Callable[[Say], Say]:
    def added(say: Say) -> Say:
        QUESTIONS.append(Question(say.__name__, query, say))
        return say

    return added


def error(level: float) -> str:
    """A level as people write it.

    >>> error(1e-3), error(0.5), error(0.1)
    ('1e-3', '0.5', '0.1')
    """
    mantissa, _, exponent = f"{level:e}".partition("e")
    return f"{float(mantissa):g}e{int(exponent)}" if level < 0.01 else f"{level:g}"


def of(number: int, total: int, noun: str, nouns: str = "") -> str:
    """How many of all.

    >>> of(0, 8, "problem"), of(3, 8, "problem"), of(8, 8, "problem"), of(1, 1, "problem")
    ('none of 8 problems', '3 of 8 problems', 'all 8 problems', 'the one problem')
    """
    many = noun if total == 1 else nouns or noun + "s"
    if number == total:
        return f"the one {noun}" if total == 1 else f"both {many}" if total == 2 else f"all {total} {many}"
    return f"{number or 'none'} of {total} {many}"


def are(number: int, one: str, more: str) -> str:
    return one if number == 1 else more


def listed(names: list[str], most: int = 4) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(list("abcdef"))
    ('a', 'a and b', 'a, b, c, d and 2 more')
    """
    shown = names[:most] + ([f"{len(names) - most} more"] if len(names) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


FIRST = """
WITH least AS (SELECT problem, profile, MIN(simulated_s) AS simulated_s FROM cells
               WHERE competes = 1 AND level = @level@ GROUP BY problem, profile),
     first AS (SELECT problem, profile, entry, kind FROM cells JOIN least USING (problem, profile, simulated_s)
               WHERE competes = 1 AND level = @level@)"""


@question(FIRST + """
SELECT profile, entry, COUNT(*) AS firsts, (SELECT COUNT(*) FROM problems) AS problems
FROM first JOIN profiles USING (profile) GROUP BY profile, entry ORDER BY firsts DESC, profiles.place, entry""")
def most_firsts(rows: Rows, level: float, last: float) -> str:
    if not rows:
        return f"No entry reaches {error(level)} on any problem over any network."
    best = rows[0]
    return (f"Over {best['profile']}, {best['entry']} is the first to {error(level)} on "
            f"{of(best['firsts'], best['problems'], 'problem')}; no entry is the first more often over any network.")


@question(FIRST + f"""
SELECT profile, COUNT(DISTINCT problem) AS firsts, (SELECT COUNT(*) FROM problems) AS problems,
       (SELECT COUNT(DISTINCT entry) FROM cells WHERE competes = 1 AND kind IN {SECOND_ORDER}) AS entries
FROM profiles LEFT JOIN (SELECT * FROM first WHERE kind IN {SECOND_ORDER}) USING (profile)
GROUP BY profile ORDER BY firsts DESC, profiles.place""")
def second_order(rows: Rows, level: float, last: float) -> str:
    if not rows[0]["entries"]:
        return "No entry is a second-order method."
    most, least = rows[0], rows[-1]
    text = f"A second-order method is the first to {error(level)} on {of(most['firsts'], most['problems'], 'problem')}"
    if most["firsts"] == least["firsts"]:
        each = f"over {most['profile']}" if len(rows) == 1 else "over any network" if not most["firsts"] else \
            "over each network"
        return f"{text} {each}."
    return (f"{text} over {most['profile']}, and on {of(least['firsts'], least['problems'], 'problem')} over "
            f"{least['profile']}.")


@question("""
WITH both AS (SELECT d.simulated_s AS default_s, t.simulated_s AS tuned_s FROM cells AS t
              JOIN cells AS d USING (problem, profile, entry, level)
              WHERE t.variant = 'tuned' AND d.variant = 'default' AND t.competes = 1 AND level = @level@),
     factors AS (SELECT default_s / tuned_s AS factor, ROW_NUMBER() OVER (ORDER BY default_s / tuned_s) AS place,
                 COUNT(*) OVER () AS pairs FROM both WHERE default_s IS NOT NULL AND tuned_s > 0)
SELECT (SELECT AVG(factor) FROM factors WHERE place IN ((pairs + 1) / 2, (pairs + 2) / 2)) AS factor,
       (SELECT COUNT(*) FROM factors) AS pairs, COUNT(*) AS cells,
       SUM(tuned_s IS NOT NULL AND default_s IS NULL) AS only_tuned,
       SUM(tuned_s IS NULL AND default_s IS NOT NULL) AS only_default FROM both""")
def tuning(rows: Rows, level: float, last: float) -> str:
    [row] = rows
    if not row["cells"]:
        return "No cell has both tuned and default options."
    only = (f"{row['only_tuned'] or 'no'} {are(row['only_tuned'], 'cell arrives', 'cells arrive')} with tuned options "
            f"alone, and {row['only_default'] or 'none'} with default options alone")
    if not row["pairs"]:
        return f"No cell reaches {error(level)} with both tuned and default options; {only}."
    return (f"Tuning makes the median entry {row['factor']:.3g} times as fast to {error(level)}, over the "
            f"{row['pairs']} {are(row['pairs'], 'cell', 'cells')} that arrive with both; {only}.")


@question("""
SELECT entry, SUM(level = @last@ AND simulated_s IS NOT NULL) AS arrived,
       COUNT(DISTINCT problem || '/' || profile) AS cells
FROM cells WHERE competes = 1 GROUP BY entry ORDER BY arrived, entry""")
def never(rows: Rows, level: float, last: float) -> str:
    names = [row["entry"] for row in rows if not row["arrived"]]
    if not names:
        return f"Every entry reaches {error(last)} on some problem over some network."
    if len(names) == len(rows):
        return f"No entry reaches {error(last)} on any problem over any network."
    return (f"{len(names)} of {len(rows)} entries never {are(len(names), 'reaches', 'reach')} {error(last)} on any "
            f"problem over any network: {listed(names)}.")


@question(f"""
WITH best AS (SELECT problem, profile, MIN(CASE WHEN {SERVER} THEN simulated_s END) AS server_s,
              MIN(CASE WHEN NOT {SERVER} THEN simulated_s END) AS peers_s
              FROM cells WHERE competes = 1 AND level = @level@ GROUP BY problem, profile)
SELECT profile, SUM(peers_s < server_s) AS peers_first, COUNT(*) AS problems
FROM best JOIN profiles USING (profile) WHERE peers_s IS NOT NULL AND server_s IS NOT NULL
GROUP BY profile ORDER BY 1.0 * SUM(peers_s < server_s) / COUNT(*) DESC, profiles.place""")
def peers_and_server(rows: Rows, level: float, last: float) -> str:
    if not rows:
        return f"Peers and a server nowhere reach {error(level)} on the same problem over the same network."
    first, pairs = sum(row["peers_first"] for row in rows), sum(row["problems"] for row in rows)
    text = (f"The best peers get to {error(level)} before the best method with a server on "
            f"{of(first, pairs, 'pair')} of problem and network that both solve")
    most, least = rows[0], rows[-1]
    if most["peers_first"] * least["problems"] == least["peers_first"] * most["problems"]:
        return text + "."
    return (f"{text}: over {most['profile']} on {of(most['peers_first'], most['problems'], 'problem')}, over "
            f"{least['profile']} on {of(least['peers_first'], least['problems'], 'problem')}.")


@question(FIRST + """,
     fewest AS (SELECT problem, profile, MIN(bytes) AS bytes FROM cells
                WHERE competes = 1 AND level = @level@ GROUP BY problem, profile),
     frugal AS (SELECT problem, profile, entry FROM cells JOIN fewest USING (problem, profile, bytes)
                WHERE competes = 1 AND level = @level@)
SELECT profile, COUNT(*) AS pairs, SUM(NOT EXISTS (SELECT 1 FROM first JOIN frugal USING (problem, profile, entry)
       WHERE first.problem = least.problem AND first.profile = least.profile)) AS differ
FROM least JOIN profiles USING (profile) WHERE simulated_s IS NOT NULL GROUP BY profile ORDER BY profiles.place""")
def seconds_and_bytes(rows: Rows, level: float, last: float) -> str:
    if not rows:
        return f"No entry reaches {error(level)}, so none is first in seconds or in bytes."
    differ, pairs = sum(row["differ"] for row in rows), sum(row["pairs"] for row in rows)
    return (f"On {of(differ, pairs, 'pair')} of problem and network, the first to {error(level)} in seconds is "
            "another entry than the first in bytes.")


@question(FIRST + """
SELECT entry, SUM(cells.simulated_s <= 2 * least.simulated_s) AS near,
       (SELECT COUNT(*) FROM least WHERE simulated_s IS NOT NULL) AS pairs
FROM cells JOIN least USING (problem, profile) WHERE competes = 1 AND level = @level@
GROUP BY entry ORDER BY near DESC, entry""")
def within_twice(rows: Rows, level: float, last: float) -> str:
    if not rows or not rows[0]["near"]:
        return f"No entry reaches {error(level)}, so none is near the first."
    best = rows[0]
    same = [row["entry"] for row in rows if row["near"] == best["near"]]
    return (f"On {of(best['near'], best['pairs'], 'pair')} of problem and network, {listed(same)} "
            f"{are(len(same), 'gets', 'get')} to {error(level)} in at most twice the time of the first, more often "
            "than any other entry.")


@question("""
SELECT entry, SUM(refused) AS refused, COUNT(*) AS cells
FROM (SELECT problem, profile, entry, MAX(status = 'refused') AS refused
      FROM runs JOIN (SELECT DISTINCT problem, profile, entry, variant FROM cells WHERE competes = 1)
      USING (problem, profile, entry, variant) GROUP BY problem, profile, entry)
GROUP BY entry ORDER BY refused DESC, entry""")
def refused(rows: Rows, level: float, last: float) -> str:
    some = [row for row in rows if row["refused"]]
    if not some:
        return "lagnet refuses no entry on any problem."
    return (f"lagnet refuses {of(len(some), len(rows), 'entry', 'entries')} on some problem: the most often "
            f"{some[0]['entry']}, on {of(some[0]['refused'], some[0]['cells'], 'pair')} of problem and network.")


@question("""
SELECT variant, SUM(status = 'diverged') AS diverged, COUNT(*) AS runs
FROM runs JOIN (SELECT DISTINCT problem, profile, entry FROM cells WHERE variant = 'tuned' AND competes = 1)
USING (problem, profile, entry) WHERE seed IS NOT NULL GROUP BY variant ORDER BY variant""")
def diverged(rows: Rows, level: float, last: float) -> str:
    told = {row["variant"]: of(row["diverged"], row["runs"], "run") for row in rows}
    counts = {row["variant"]: row["diverged"] for row in rows}
    if len(told) < 2:
        return "No entry ran with both tuned and default options."
    return (f"With default options {told['default']} {are(counts['default'], 'diverges', 'diverge')}, with tuned ones "
            f"{told['tuned']}, of the entries that have options to tune.")


@question("""
SELECT problem, COUNT(DISTINCT CASE WHEN simulated_s IS NOT NULL THEN entry END) AS arrived,
       COUNT(DISTINCT entry) AS entries
FROM cells JOIN problems USING (problem) WHERE competes = 1 AND level = @last@
GROUP BY problem ORDER BY 1.0 * COUNT(DISTINCT CASE WHEN simulated_s IS NOT NULL THEN entry END)
                          / COUNT(DISTINCT entry), problems.place""")
def hardest(rows: Rows, level: float, last: float) -> str:
    if not rows:
        return "No entry competes."
    most, least = rows[0], rows[-1]
    text = f"{of(most['arrived'], most['entries'], 'entry', 'entries')} {are(most['arrived'], 'reaches', 'reach')}"
    if (most["arrived"], most["entries"]) == (least["arrived"], least["entries"]):
        where = f"on {most['problem']}" if len(rows) == 1 else "on each problem"
        return f"{text[0].upper()}{text[1:]} {error(last)} {where} over some network."
    return (f"{most['problem']} is the hardest problem: {text} {error(last)} on it over some network; on "
            f"{least['problem']} {of(least['arrived'], least['entries'], 'entry', 'entries')} "
            f"{are(least['arrived'], 'does', 'do')}.")
