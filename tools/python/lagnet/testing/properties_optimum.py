"""Properties of where a method ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from .copies import copies_of
from .errors import Refused
from .proving import Case, prop
from .runs import Document, Outcome, run, samples_of
from .subjects import Subject

SUBLINEAR = 0.01  # the relative error that a sublinear method comes to
# Errors are of the objective, which near the optimum are about the squares of distances from it.
NEAR_OPTIMUM, LEFT = 1e-9, 1e-3  # a relative error, and the share of the residual at 0 that is left there
NEARER_OPTIMUM, MOVED = 1e-11, 1e-3  # a relative error, and how far the model may be from where it should be
NO_RESIDUAL = 1e-6  # at 0: the optimum is there
# exp(-LONG / CONDITION^(1/2)) is 3e-6, exp(-LONG / CONDITION) 0.7: FISTA's error is 0.002 to 0.02 of what gradient
# descent can come to, with steps of 1/L and 0.4/L.
ENTRIES, CONDITION, LONG = 8, 1000, 400


def _rounds(case: Case, rounds: int) -> Document:
    if case.subject.habitat.by_updates:
        assert case.world is not None
        return {"/stop": {"updates": rounds * case.world.agents}, "/record": {}}
    return {"/stop": {"rounds": rounds}, "/record": {"every": max(1, rounds // 20)}}


def _stops(case: Case, error: float) -> Document:
    changes = _rounds(case, case.subject.claims.rounds)
    changes["/stop"]["relative_error"] = error
    return changes


def _ended(case: Case, outcome: Outcome) -> None:
    status = outcome.summary["status"]
    if status != "done":
        how = "it diverges" if status == "diverged" else "it ends in a deadlock"
        raise case.broken("; ".join([how, *map(str, outcome.result.warnings[:1])]), outcome)


def _has_an_optimum(case: Case) -> None:
    problem = case.document["problem"]
    if problem["loss"]["kind"] == "logistic" and problem["regularizer"]["kind"] == "none":
        raise Refused("separable samples have no optimum of the logistic loss without a regularizer")


def not_linear(subject: Subject) -> str:
    return "" if subject.claims.rate == "linear" else f"its claim is the rate {subject.claims.rate}"


@prop("It converges to the certified optimum, or to the neighborhood that it states.", share=1,
      leaves_out=lambda subject: "it claims no rate" if subject.claims.rate == "none" else "")
def converges(case: Case) -> None:
    _has_an_optimum(case)
    claims = case.subject.claims
    if claims.rate == "linear":
        outcome = run(case.document, changes=_stops(case, claims.error))
        _ended(case, outcome)
        if not outcome.error <= claims.error:
            raise case.broken(f"the relative error is {outcome.error:.3g} after {claims.rounds} rounds, claimed "
                              f"{claims.error:g} (rate: linear)", outcome)
        return
    bound = SUBLINEAR if claims.rate == "sublinear" else claims.neighborhood
    outcome = run(case.document, changes=_rounds(case, claims.rounds))
    _ended(case, outcome)
    if not outcome.error <= bound:
        raise case.broken(f"the relative error is {outcome.error:.3g} after {claims.rounds} rounds, claimed {bound:g} "
                          f"(rate: {claims.rate})", outcome)


def gradient_mapping(document: Document, x: Any, sizes: list[int]) -> tuple[float, float]:
    """|x - P(x - grad f(x))|, the prox P of the regularizer, at x and at 0: both are 0 at an optimum alone."""
    X, y = samples_of(document)
    loss, regularizer = document["problem"]["loss"]["kind"], document["problem"]["regularizer"]
    weight = regularizer.get("weight", 0.0)
    each = np.full(len(y), 1 / len(y))  # the share of each sample in the objective
    if document["problem"].get("agent_weights") == "even":
        each = np.concatenate([np.full(n, 1 / (len(sizes) * n)) for n in sizes])

    def residual(at: Any) -> float:
        scores = X @ at
        slopes = scores - y if loss == "squared" else -y / (1 + np.exp(y * scores))
        moved = at - X.T @ (each * slopes)
        if regularizer["kind"] == "l2":
            moved = moved / (1 + weight)
        elif regularizer["kind"] == "l1":
            moved = np.sign(moved) * np.maximum(np.abs(moved) - weight, 0)
        return float(np.linalg.norm(at - moved))

    return residual(x), residual(np.zeros_like(x))


def _optimal(case: Case) -> None:
    assert case.world is not None
    _has_an_optimum(case)
    outcome = run(case.document, changes=_stops(case, min(NEAR_OPTIMUM, case.subject.claims.error)))
    _ended(case, outcome)
    found, start = gradient_mapping(case.document, outcome.final, case.world.sizes())
    if start < NO_RESIDUAL:
        raise Refused("the optimum is where it starts")
    if not found <= LEFT * start:
        raise case.broken(f"where it ends, the residual of the conditions of optimality is {found:.3g}, at 0 "
                          f"{start:.3g}", outcome)


@prop("Where it ends, the conditions of optimality hold, as NumPy computes them.", leaves_out=not_linear, share=0.3)
def fixed_point_is_optimal(case: Case) -> None:
    _optimal(case)


@prop("With l1, where it ends, zero entries and others are optimal.", leaves_out=not_linear, share=0.2,
      regularizer="l1")
def l1_is_optimal(case: Case) -> None:
    _optimal(case)


@prop("A constant added to all labels moves the intercept by it, and nothing else.", leaves_out=not_linear, share=0.2,
      problem="squared", regularizer="none")
def constant_moves_intercept(case: Case) -> None:
    X, y = samples_of(case.document)
    if case.subject.habitat.partition != "samples":
        raise Refused("its agents hold features")
    root = 2 ** -0.5
    X = np.hstack([X * root, np.full((len(X), 1), root)])
    if np.linalg.matrix_rank(X) < X.shape[1] or np.linalg.cond(X) > 8:
        raise Refused("the features are as good as dependent")
    changes = _stops(case, NEARER_OPTIMUM)
    one, other = run(case.document, (X, y), changes), run(case.document, (X, y + 3), changes)
    _ended(case, one)
    _ended(case, other)
    if max(one.error, other.error) > 10 * NEARER_OPTIMUM:
        raise Refused("it is not near enough to the optimum after as many rounds as it claims to take")
    moved = other.final - one.final
    expected = np.append(np.zeros(len(moved) - 1), 3 / root)
    if not np.abs(moved - expected).max() <= MOVED:
        raise case.broken(f"with 3 added to all labels, and a column of {root:.3g}, the model moves by "
                          f"{moved.round(4)}, expected {expected.round(4)}")


def least_error_of_descent(curvatures: Any, optimum: Any, rounds: int) -> float:
    """The least relative error to which gradient descent of any constant step a comes from 0 on the quadratic with
    these curvatures h and entries o of the optimum along its axes: sum h o^2 (1 - a h)^(2 rounds) / sum h o^2."""
    steps = np.linspace(0, 2 / curvatures.max(), 2001)[1:, None]
    left = curvatures * optimum ** 2
    return float((left * (1 - steps * curvatures) ** (2 * rounds)).sum(axis=1).min() / left.sum())


@prop("It is nearer to the optimum than gradient descent of any step can be, as its claim to be accelerated says.",
      share=0.1, problem="squared", regularizer=("none", "l2"), shards="equal", latencies="equal",
      topology=("ring", "star", "complete"),
      leaves_out=lambda subject: "" if subject.claims.accelerated else "it does not claim to be accelerated")
def accelerated(case: Case) -> None:
    assert case.world is not None
    draws = np.random.RandomState(case.document["seed"])
    P, Q = (np.linalg.qr(draws.normal(size=(ENTRIES, ENTRIES)))[0] for _ in range(2))
    squares = np.geomspace(1 / CONDITION, 1, ENTRIES)  # of the singular values of X / sqrt(n)
    X = ENTRIES ** 0.5 * P @ np.diag(squares ** 0.5) @ Q.T
    changes: Document = {"/stop/rounds": LONG, "/record": {}}
    weight = 0.0
    if case.world.regularizer == "l2":
        changes["/problem/regularizer/weight"] = weight = 1 / CONDITION
    outcome = copies_of(case, case.world.agents, X, X @ Q.sum(axis=1), changes)
    least = least_error_of_descent(squares + weight, squares / (squares + weight), LONG)
    if not outcome.error <= least / 10:
        raise case.broken(f"on copies of a least squares problem of condition {CONDITION} its relative error is "
                          f"{outcome.error:.3g} after {LONG} rounds; gradient descent comes to {least:.3g}, and what "
                          "is accelerated to a tenth of that", outcome)
