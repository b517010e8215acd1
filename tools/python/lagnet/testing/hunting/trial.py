"""Runs one world and says what came of it."""

from __future__ import annotations

import copy
import dataclasses
import math
import warnings
from collections.abc import Iterator

from ... import commands
from ...documents import get, swept
from ...errors import AgentError, InputError, LagnetError, ScenarioError
from ...results import Result, Results
from . import invariants, measures
from .coverage import features_of
from .facts import Facts, Ran, facts_of
from .failure import Failure, Outcome
from .trees import Document, touches

CRITERIA = ("rounds", "updates", "simulated_s", "relative_error", "metric", "flops", "flops_per_agent", "bytes",
            "price")


@dataclasses.dataclass(frozen=True)
class Trial:
    """A world to run. limit_s: the simulated time at which the hunt ends it; None: it ends by itself. measure: a
    number to take, and not to look for failures. level: of relative_error, for the seconds to it
    of each point of a sweep, instead."""

    document: Document
    limit_s: float | None = None
    measure: str | None = None
    level: float | None = None


def limited(trial: Trial) -> Document:
    """The document with the limit of its simulated time."""
    document = copy.deepcopy(trial.document)
    own = get(document, "/stop/simulated_s")
    is_swept = any(touches("/stop/simulated_s", pointer) for pointer in swept(document))
    if trial.limit_s is not None and (own is None or trial.limit_s < own) and not is_swept:
        document["stop"] = {**(document.get("stop") or {}), "simulated_s": trial.limit_s}
    return document


def run(trial: Trial) -> Outcome:
    """Runs it. What it raises that no input explains is an outcome, too."""
    document = limited(trial)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = commands.run(document, check=False, progress=False)
            runs = found.runs if isinstance(found, Results) else [found]
            if trial.measure is not None:
                return Outcome(value=measures.value_of(runs[0], trial.measure))
            if trial.level is not None:
                return Outcome(value=[({name: value for name, value in one.values.items() if name != "seed"},
                                       measures.seconds_to(one.rows(), "relative_error", trial.level),
                                       _least(one)) for one in runs])
            return _judged(found, runs, trial, document)
    except AgentError as error:
        return Outcome(failures=(Failure("error", type(error.__cause__).__name__, str(error)),))
    except ScenarioError as error:
        return Outcome(refused="; ".join(str(one) for one in error.problems))
    except InputError as error:
        return Outcome(refused=str(error))
    except LagnetError as error:
        return Outcome(failures=(Failure("internal", type(error).__name__, str(error)),))


def _least(run: Result) -> float:
    """The error that a run ends with; infinite where it is not known."""
    rows = run.rows()
    error = rows[-1].get("relative_error") if rows else None
    return math.inf if error is None else float(error)


def _judged(found: Result | Results, runs: list[Result], trial: Trial, document: Document) -> Outcome:
    if wrong := next((one.error for one in runs if one.error), ""):
        return Outcome(refused=wrong)
    ran = [Ran(one) for one in runs]
    facts = facts_of(ran[0])
    failures: list[Failure] = []
    is_cut = False
    for one in ran:
        failures += _ends(one, facts, trial, document)
        failures += invariants.broken(one)
        is_cut = is_cut or _is_cut(one, trial, document) or one.status != "done"
    if not is_cut and document.get("expect"):
        failures += _claims(found)
    features = sorted({name for one in ran for name in features_of(one, document)})
    return Outcome("", tuple(failures), tuple(features), facts, is_cut)


def _is_cut(run: Ran, trial: Trial, document: Document) -> bool:
    """Whether the hunt's limit ended it, and not the scenario's own."""
    own = get(trial.document, "/stop/simulated_s")
    limit = get(document, "/stop/simulated_s")
    return bool(own != limit and run.summary["stop"]["reason"] == "simulated_s")


def _ends(run: Ran, facts: Facts, trial: Trial, document: Document) -> Iterator[Failure]:
    """How a run comes to no good end."""
    stop = run.summary["stop"]
    if run.status == "diverged":
        said = next((str(one) for one in run.warnings if one.code == "diverged"), "the run diverged")
        yield Failure("diverged", "", f"{said}, at {stop['simulated_s']:.4g} s")
    elif is_stated(run, facts, document):
        return
    elif run.status == "deadlock":
        said = next((str(one) for one in run.warnings if one.code == "deadlock"), "deadlock")
        yield Failure("deadlock", "", said.replace("\n  ", "; "))
    elif _is_cut(run, trial, document) and stop["simulated_s"] < 0.1 * stop["ended_s"] \
            and not any(run.summary["totals"][name] for name in ("messages_in_flight", "away_s")):
        yield Failure("endless", "", f"the last round that ended is round {stop['round']}, at "
                                     f"{stop['simulated_s']:.4g} s; none did up to {stop['ended_s']:.6g} s")


def is_stated(run: Ran, facts: Facts, document: Document) -> bool:
    """Whether agents wait for what never comes because the scenario says so: messages are lost for good, or agents go
    away or begin anew, and nothing is said of going on without them. Asynchronous peers have to bear that."""
    taking, network = document.get("participation") or {}, document.get("network") or {}
    crashes = [one for one in taking.get("availability") or [] if one.get("kind") == "crash"]
    gone = {one.get("agent") for one in crashes if one.get("recovers_after_s") is None}
    if len(gone) == facts.agents or (facts.has_server and 0 in gone):
        return True
    missing = (taking.get("missing_neighbor") or {}).get("kind", "wait")
    if (facts.is_asynchronous and not facts.has_server) or missing != "wait" or taking.get("deadline_ms"):
        return False
    totals = run.summary["totals"]
    return bool(totals["lost"] > totals["retransmitted"] or totals["dropped"]
                or any(one.get("state") != "kept" for one in crashes)
                or (totals["away_s"] and not network.get("retransmit")))


def _claims(found: Result | Results) -> Iterator[Failure]:
    for claim in found.claims:
        if not claim["holds"] and not claim["known_to_fail"]:
            yield Failure("claim", claim["statement"],
                          f"{claim['statement']}: {claim['verdict']}; measured {claim['measured']}"
                          + (f", allowed {claim['allowed']}" if claim["allowed"] not in ("", "none") else ""))
