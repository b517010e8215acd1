"""Properties of what is the same problem in other words: turned, numbered or written another way."""

from __future__ import annotations

from typing import Any

import numpy as np

from .copies import copies_of, finished
from .errors import Refused
from .properties_runs import asynchronous
from .proving import Case, prop
from .runs import Document, samples_of
from .subjects import Subject

# Of values of the order of 1: rounding, and what local solvers leave; and where every sum is another one.
TOLERANCE, OF_OTHER_SUMS = 1e-8, 1e-6


def _samples_of_agents(subject: Subject) -> str:
    return "" if subject.habitat.partition == "samples" else "its agents hold features"


def _one_agent(subject: Subject) -> str:
    return "it is a method of one agent" if subject.habitat.agents[1] == 1 else ""


def draws_of(case: Case) -> str:
    """"own", "common" or "none": what the method claims, or whether another seed gives other iterates."""
    claimed = case.subject.claims.draws
    if claimed is not None:
        return claimed
    data = samples_of(case.document)
    changes: Document = {"/network/latency_ms": 1}
    one = finished(case.document, data, {**changes, "/seed": 1})
    other = finished(case.document, data, {**changes, "/seed": 2})
    return "none" if np.array_equal(one.iterates, other.iterates) else "own"


def _no_draws(case: Case) -> None:
    if draws_of(case) != "none":
        raise Refused("what it computes is drawn, for each agent by its number")


def apart(one: Any, other: Any) -> float:
    """The largest difference between iterates, in the size of the larger."""
    if one.shape != other.shape:
        return float("inf")
    scale = max(1.0, float(np.abs(one).max()), float(np.abs(other).max()))
    difference = float(np.abs(one - other).max()) / scale
    return difference if np.isfinite(difference) else float("inf")


def _first(one: Any, other: Any) -> int:
    """The first row that is further apart than rounding."""
    return next((k for k in range(min(len(one), len(other))) if apart(one[k], other[k]) > TOLERANCE), 0)


@prop("Numbering the agents from the other end leaves the mean iterate as it is.", share=0.4,
      leaves_out=lambda subject: _one_agent(subject) or _samples_of_agents(subject) or asynchronous(subject),
      topology=("ring", "path", "complete", "star"))
def agents_have_no_rank(case: Case) -> None:
    _no_draws(case)
    assert case.world is not None
    X, y = samples_of(case.document)
    ends = np.cumsum(case.world.sizes())
    shards = [range(end - n, end) for n, end in zip(case.world.sizes(), ends)]
    order = [row for shard in reversed(shards) for row in shard]
    one = finished(case.document, (X, y))
    other = finished(case.document, (X[order], y[order]), {"/partition/sizes": case.world.sizes()[::-1]})
    if apart(one.iterates, other.iterates) > TOLERANCE:
        raise case.broken(f"with agents numbered from the other end round {_first(one.iterates, other.iterates)} is "
                          f"another one, by {apart(one.iterates, other.iterates):.2g}")


@prop("Turning the features turns the iterates.", share=0.3, regularizer=("l2", "none"),
      leaves_out=lambda subject: _samples_of_agents(subject) or asynchronous(subject) or (
          "" if subject.claims.rotates else "it claims to work on single entries"))
def features_turn(case: Case) -> None:
    X, y = samples_of(case.document)
    Q, _ = np.linalg.qr(np.random.RandomState(case.document["seed"]).normal(size=(X.shape[1], X.shape[1])))
    one, other = finished(case.document, (X, y)), finished(case.document, (X @ Q, y))
    if apart(one.iterates @ Q, other.iterates) > OF_OTHER_SUMS:
        raise case.broken(f"with features turned by Q the iterates are not Q' times what they were, from round "
                          f"{_first(one.iterates @ Q, other.iterates)} on")


@prop("Twice the labels give twice the iterates of a squared loss.", share=0.3, problem="squared",
      regularizer=("l2", "none"), leaves_out=lambda subject: asynchronous(subject) or (
          "" if subject.claims.doubles else "it claims to depend on the size of labels"))
def labels_double(case: Case) -> None:
    X, y = samples_of(case.document)
    one, other = finished(case.document, (X, y)), finished(case.document, (X, 2 * y))
    if apart(2 * one.iterates, other.iterates) > TOLERANCE:
        raise case.broken(f"with twice the labels the iterates are not doubled, from round "
                          f"{_first(2 * one.iterates, other.iterates)} on")


@prop("Each sample twice is the same problem, and gives the same iterates.", share=0.3,
      leaves_out=lambda subject: _one_agent(subject) or _samples_of_agents(subject) or asynchronous(subject) or (
          "" if subject.claims.repeats else "it claims to take samples one by one"))
def samples_repeat(case: Case) -> None:
    _no_draws(case)
    assert case.world is not None
    X, y = samples_of(case.document)
    one = finished(case.document, (X, y))
    other = finished(case.document, (np.repeat(X, 2, axis=0), np.repeat(y, 2)),
                     {"/partition/sizes": [2 * n for n in case.world.sizes()]})
    if apart(one.iterates, other.iterates) > OF_OTHER_SUMS:
        raise case.broken(f"with each sample twice round {_first(one.iterates, other.iterates)} is another one, by "
                          f"{apart(one.iterates, other.iterates):.2g}")


@prop("Agents with the same samples act as one, unless each draws for itself.", share=0.3,
      leaves_out=lambda subject: _one_agent(subject) or _samples_of_agents(subject) or asynchronous(subject) or (
          "it claims to depend on how many agents there are" if not subject.claims.copies else
          "" if {"ring", "complete", "star"} & set(subject.habitat.topologies)
          else "its topologies are not alike at every agent"),
      topology=("ring", "star"), shards="equal", samples=(6, 8))
def copies_act_as_one(case: Case) -> None:
    X, y = samples_of(case.document)
    n = len(y) // case.world.agents if case.world else len(y)
    one, other = (copies_of(case, agents, X[:n], y[:n]) for agents in (3, 5))
    distance = apart(one.iterates, other.iterates)
    draws = draws_of(case)
    consensus = max((row.get("consensus_error") or 0.0) for row in one.rows)
    if draws == "own":
        if distance <= TOLERANCE and apart(one.iterates, one.iterates[:1].repeat(len(one.iterates), 0)) > TOLERANCE:
            raise case.broken("agents with the same samples compute the same, though it draws: they share their draws")
        return
    if distance > OF_OTHER_SUMS:
        raise case.broken(f"five agents with the same samples are not like three of them, from round "
                          f"{_first(one.iterates, other.iterates)} on, by {distance:.2g}")
    if draws == "none" and consensus > OF_OTHER_SUMS:
        raise case.broken(f"agents with the same samples come to differ, by {consensus:.2g}")


@prop("One agent alone is its central method.", share=0.2, shards="equal", regularizer="none",
      leaves_out=lambda subject: asynchronous(subject) or _one_agent(subject) or (
          "" if subject.claims.alone else "it does not claim what it is alone"))
def alone_is_central(case: Case) -> None:
    X, y = samples_of(case.document)
    server = case.subject.habitat.server
    topology: Document = {"kind": "star", "agents": 2} if server else {"kind": "complete", "agents": 1}
    one = finished(case.document, (X, y), {"/topology": topology, "/partition": {"kind": "samples"}})
    central = dict(case.subject.claims.alone or {})
    options = case.subject.algorithm.get("options", case.subject.algorithm)
    for key in ("step", "client_step"):
        if central["kind"] == "proximal_gradient" and key in options:
            central.setdefault("step", options[key])
    other = finished(case.document, (X, y), {"/topology": {"kind": "complete", "agents": 1}, "/algorithm": central,
                                             "/partition": {"kind": "samples"}})
    if apart(one.iterates, other.iterates) > TOLERANCE:
        raise case.broken(f"one agent alone is not {central['kind']}, from round "
                          f"{_first(one.iterates, other.iterates)} on")
