"""Runs of small worlds, and what properties look at of them."""

from __future__ import annotations

import copy
import functools
import json
import warnings
from typing import Any

import numpy as np

from .. import commands
from ..errors import Deadlock, Diverged, InputError, RunWarning, ScenarioError
from ..objectives import Metric
from ..results import Result
from .errors import Refused

Document = dict[str, Any]
Array = Any


class Outcome:
    """One run: its rows, the iterate of each (rows, d), and its summary."""

    def __init__(self, result: Result, document: Document) -> None:
        self.result = result
        self.document = document

    @functools.cached_property
    def rows(self) -> list[dict[str, Any]]:
        return self.result.rows()

    @functools.cached_property
    def iterates(self) -> Array:
        """The iterate of each recorded round, (rows, d); of a method without rounds the last one alone."""
        path = self.result.folder / "model_history.npy"
        if path.is_file():
            found = np.load(path)
            return found.reshape(len(found), -1)
        return self.final[None]

    @functools.cached_property
    def final(self) -> Array:
        if not (self.result.folder / "model.csv").is_file():
            raise InputError("; ".join([f"it ends with status {self.summary['status']}",
                                        *map(str, self.result.warnings[:1])]))
        rows = self.result.rows("model")
        columns = [name for name in rows[0] if name != "feature"]
        return np.array([[row[name] for name in columns] for row in rows], dtype=float).T.ravel()

    @property
    def summary(self) -> dict[str, Any]:
        return self.result.summary

    @property
    def error(self) -> float:
        """The last relative error; infinite where it is not known."""
        found = self.rows[-1].get("relative_error")
        return float("inf") if found is None else float(found)

    def table(self, name: str) -> bytes:
        return (self.result.folder / name).read_bytes()


def changed(document: Document, changes: dict[str, Any]) -> Document:
    """The scenario with the values at some pointers replaced."""
    from ..documents import put

    made = copy.deepcopy(document)
    for pointer, value in changes.items():
        put(made, pointer, value)
    return made


def run(document: Document, data: Any = None, changes: dict[str, Any] | None = None, threads: int | None = None,
        metrics: Any = None) -> Outcome:
    """Runs a scenario to its end, good or bad. Refused where lagnet refuses it."""
    made = changed(document, changes or {})
    given = {key: value for key, value in made.items() if data is None or key != "data"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunWarning)
        try:
            found = commands.run(given, data=data, threads=threads, metrics=metrics, progress=False)
        except ScenarioError as error:
            raise Refused("; ".join(str(problem) for problem in error.problems)) from None
        except (Diverged, Deadlock) as error:
            found = error.result
    return Outcome(found, made)


class Kept(Metric):
    """Keeps the samples that a run's data are."""

    def value(self, x: Any, problem: Any) -> float:
        X = problem.X.toarray() if hasattr(problem.X, "toarray") else problem.X
        _kept[:] = [np.array(X), np.array(problem.y)]
        return 0.0


_kept: list[Array] = []


@functools.lru_cache(maxsize=64)
def _samples(text: str) -> tuple[Array, Array]:
    document = json.loads(text)
    document["algorithm"] = {"kind": "proximal_gradient"}
    document["topology"] = {"kind": "complete", "agents": 1}
    document["stop"] = {"rounds": 1}
    commands.run(document, metrics=[Kept()], progress=False)
    X, y = _kept
    return X, y


def samples_of(document: Document) -> tuple[Array, Array]:
    """The samples of a scenario, X (n, d) and y (n,), as its generator makes them."""
    loss = document["problem"]["loss"]
    X, y = _samples(json.dumps({"lagnet": 1, "seed": document["seed"], "data": document["data"],
                                "problem": {"loss": loss}}))
    return X.copy(), y.copy()
