"""Properties of runs: what the machine, the clock and the network must not change."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import warnings
from typing import Any

import numpy as np

from .. import process, proofs
from ..errors import InputError, RunWarning, ScenarioError
from .errors import Refused
from .hunting import invariants
from .hunting.facts import Ran
from .proving import Case, prop
from .runs import Document, Outcome, run
from .subjects import Subject

# Columns of progress.csv about values alone, which no network changes.
VALUES = ("round", "objective", "relative_error", "optimum_distance", "consensus_error")
OTHER_NETWORKS: list[Document] = [
    {"/network/latency_ms": {"kind": "lognormal", "median": 4, "sigma": 1.5}, "/network/jitter_ms": 3},
    {"/network/latency_ms": {"kind": "uniform", "low": 1, "high": 40}, "/network/in_order": False,
     "/compute/speed_flops_per_s": {"kind": "lognormal", "median": 1e5, "sigma": 1},
     "/compute/straggler": {"probability": 0.3, "factor": 20}},
]


def asynchronous(subject: Subject) -> str:
    return "it is asynchronous: what it computes depends on when messages come" if subject.habitat.asynchronous else ""


def first_difference(one: Outcome, other: Outcome) -> str:
    """Where iterates differ in a bit, or ""."""
    return _first_difference(one.iterates, other.iterates, one.rows)


def _first_difference(a: Any, b: Any, rows: list[Document]) -> str:
    if a.shape != b.shape:
        return f"{len(a)} rows against {len(b)}"
    if a.tobytes() == b.tobytes():
        return ""
    row = int(np.flatnonzero((a != b).any(axis=1))[0]) if not np.array_equal(a, b) else 0
    k = int(np.flatnonzero(a[row] != b[row])[0]) if not np.array_equal(a[row], b[row]) else 0
    round_ = rows[min(row, len(rows) - 1)].get("round", row)
    return f"round {round_}, entry {k}: {a[row, k]:.17g} against {b[row, k]:.17g}"


def _same_files(case: Case, first: Outcome, second: Outcome, how: str) -> None:
    difference = first_difference(first, second)
    if not difference and first.table("progress.csv") != second.table("progress.csv"):
        difference = "progress.csv differs"
    if not difference and first.summary["trace_hash"] != second.summary["trace_hash"]:
        difference = "the trace hashes differ"
    if difference:
        raise case.broken(f"{how} gave other numbers: {difference}")


@prop("A second run gives the same bits.", share=0.25, of_documents=True)
def same_bits_again(case: Case) -> None:
    _same_files(case, run(case.document), run(case.document), "a second run")


@prop("Two threads give the same bits as one.", share=0.25, of_documents=True)
def same_bits_with_two_threads(case: Case) -> None:
    try:
        second = run(case.document, threads=2)
    except InputError as error:
        raise Refused(str(error)) from None
    _same_files(case, run(case.document, threads=1), second, "a run with two threads")


OTHER = """
import importlib, json, sys, warnings
sys.path[:0] = json.loads(sys.argv[2])
import lagnet
warnings.simplefilter("ignore")
lagnet.run(json.loads(sys.stdin.read()), out=sys.argv[1], progress=False, check=False)
"""


@prop("Another process gives the same bits.", share=0.05, of_documents=True)
def same_bits_in_another_process(case: Case) -> None:
    if case.subject.in_python and case.subject.algorithm["class"].startswith("__main__:"):
        raise Refused("its class is in __main__, which another process cannot import")
    first = run(case.document)
    out = first.result.folder.parent / "again"
    # Sets of texts have another order there.
    environment = {**os.environ, "PYTHONHASHSEED": "7",
                   "PYTHONPATH": os.pathsep.join([str(process.PACKAGE.parent), os.environ.get("PYTHONPATH", "")])}
    ended = subprocess.run([sys.executable, "-B", "-c", OTHER, str(out), json.dumps(sys.path)], check=False,
                           capture_output=True, text=True, env=environment, input=json.dumps(case.document))
    if not (pathlib.Path(out) / "summary.json").is_file():
        raise case.broken("the run ended in another process: " + (ended.stderr.strip().splitlines() or ["?"])[-1])
    from ..results import Result

    _same_files(case, first, Outcome(Result(out), case.document), "another process")


@prop("Iterates do not depend on latencies, speeds and the order in which messages come.", leaves_out=asynchronous,
      share=0.5, of_documents=True)
def same_iterates_under_other_latencies(case: Case) -> None:
    first = run(case.document)
    for changes in OTHER_NETWORKS:
        second = run(case.document, changes=changes)
        difference = first_difference(first, second)
        if not difference:
            for a, b in zip(first.rows, second.rows):
                key = next((key for key in VALUES if a.get(key) != b.get(key)), None)
                if key is not None:
                    difference = f"round {a['round']}, {key}: {a[key]} against {b[key]}"
                    break
        if difference:
            raise case.broken(f"with {json.dumps(changes)} values are others: {difference}")


def _does_not_bear(what: str) -> Any:
    def reason(subject: Subject) -> str:
        losses = subject.claims.losses
        if losses == "none" or (losses == "retransmit" and what == "skip"):
            return f"it claims to bear losses: {losses}"
        return asynchronous(subject) if what == "retransmit" else ""

    return reason


@prop("Losses that the network repairs leave the iterates as they are.", leaves_out=_does_not_bear("retransmit"),
      share=0.25, of_documents=True)
def same_iterates_with_retransmission(case: Case) -> None:
    first = run(case.document)
    second = run(case.document, changes={"/network/loss_probability": 0.2, "/network/retransmit": {"timeout_ms": 30}})
    if second.summary["status"] == "deadlock":
        raise case.broken("with losses that are sent again it ends in a deadlock")
    difference = first_difference(first, second)
    if difference:
        raise case.broken(f"with losses that are sent again values are others: {difference}")


def _troubles(case: Case) -> list[Document]:
    lossy: Document = {"/network/loss_probability": 0.15}
    away: Document = {"/participation/availability": [{"kind": "on_off", "mean_up_s": 0.2, "mean_down_s": 0.03}]}
    if case.subject.habitat.server:
        away["/participation/availability"][0]["agents"] = [2]
        closing: Document = {"/participation/deadline_ms": 60}
        if case.document["topology"]["kind"] == "two_level_tree":
            closing["/algorithm/cloud_deadline_ms"] = 200  # the cloud waits for edges as these do for clients
        resend: Document = {"/algorithm/resend_ms": 50}
        return [{**lossy, **away, **closing}, {**lossy, **away, **resend}, {**away, **closing}, {**lossy, **closing}]
    skip: Document = {"/participation/missing_neighbor": {"kind": "skip", "deadline_ms": 40}}
    return [{**lossy, **away, **skip}, {**lossy, **skip}, {**lossy, **away}, lossy]


@prop("With messages lost and agents away a run ends, with finite numbers and every message counted.",
      leaves_out=_does_not_bear("skip"), share=0.4, of_documents=True)
def ends_in_trouble(case: Case) -> None:
    reasons = []
    for changes in _troubles(case):
        try:
            outcome = run(case.document, changes=changes)
        except Refused as refused:
            reasons.append(str(refused))
            continue
        if outcome.summary["status"] == "deadlock":
            raise case.broken(f"with {json.dumps(changes)} it ends in a deadlock: {outcome.result.warnings[0]}",
                              outcome)
        if not np.isfinite(outcome.final).all():
            raise case.broken(f"with {json.dumps(changes)} an iterate is not finite", outcome)
        held_counts(case, outcome)
        return
    raise Refused(reasons[-1])


def held_counts(case: Case, outcome: Outcome) -> None:
    """What holds in every run holds in this one: every message that was sent arrived, was lost, or is on its way,
    agents and links add up to the totals, and nothing that is counted falls."""
    for one in invariants.broken(Ran(outcome.result)):
        raise case.broken(one.sentence, outcome)


@prop("Retiming gives what a run in the other network gives.", leaves_out=asynchronous, share=0.15, of_documents=True)
def retiming_is_running(case: Case) -> None:
    changes: Document = {"/network/latency_ms": {"kind": "uniform", "low": 5, "high": 50},
                         "/compute/speed_flops_per_s": 1e5}
    first = run(case.document)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunWarning)
        try:
            retimed = proofs.retime(first.result, set=changes, progress=False)
        except ScenarioError as error:
            raise Refused("; ".join(map(str, error.problems))) from None
    second = run(case.document, changes=changes)
    rows = Outcome(retimed, case.document).rows
    if len(rows) != len(second.rows):
        raise case.broken(f"retimed it has {len(rows)} rows, run {len(second.rows)}")
    for a, b in zip(rows, second.rows):
        key = next((key for key in a if a[key] != b.get(key)), None)
        if key is not None:
            raise case.broken(f"round {a['round']}, {key}: retimed {a[key]}, run {b[key]}")


@prop("Its first rounds are the same however many follow.", share=0.25,
      leaves_out=lambda subject: asynchronous(subject) or (
          "" if subject.claims.prefix else "it claims that what it does depends on how many rounds follow"))
def same_beginning(case: Case) -> None:
    first = run(case.document)
    longer = run(case.document, changes={"/stop/rounds": 2 * case.document["stop"]["rounds"]})
    difference = _first_difference(first.iterates, longer.iterates[:len(first.iterates)], first.rows)
    if difference:
        raise case.broken(f"where twice as many rounds follow, values are others: {difference}")


@prop("A run without numbers has the same events.", share=0.15,
      leaves_out=lambda subject: "a class in Python runs with numbers alone" if subject.in_python else "")
def same_events_without_numbers(case: Case) -> None:
    changes: Document = {"/record": {}}
    first = run(case.document, changes=changes)
    second = run(case.document, changes={**changes, "/numerics": "off"})
    if first.summary["trace_hash"] != second.summary["trace_hash"]:
        raise case.broken("numerics off has another trace hash")
