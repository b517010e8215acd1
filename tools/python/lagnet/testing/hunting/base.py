"""The scenario around which worlds are drawn, as one document, and checks of what a search is asked for."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any

from ... import words
from ...documents import document_of, put, with_paths
from ...errors import InputError, ScenarioError
from .trees import Document


def plain_scenario(scenario: Any, set: Mapping[str, Any] | None = None) -> Document:
    """The scenario as one document, with files by their absolute paths, and one seed instead of a sweep over seeds.
    Raises ScenarioError for what is wrong with it."""
    if problems := words.validate(scenario, set=set):
        raise ScenarioError(problems, str(scenario) if isinstance(scenario, (str, os.PathLike)) else "scenario")
    document, path = document_of(scenario)
    assert document is not None
    for key, value in (set or {}).items():
        put(document, key, value)
    folder = pathlib.Path.cwd() if path is None else path.absolute().parent
    made: Document = with_paths(document, lambda name: os.path.normpath(folder / name))
    sweep = made.get("sweep")
    if isinstance(sweep, dict) and "/seed" in sweep:
        made["seed"] = sweep.pop("/seed")[0]
        if not sweep:
            del made["sweep"]
    return {"lagnet": 1, **made}


def check_budget(runs: int | None, seconds: float | None, jobs: int, seed: int) -> None:
    """InputError for a budget that is none."""
    for name, value, least in (("runs", runs, 1), ("jobs", jobs, 1), ("seed", seed, 0)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise InputError(f"{name}: expected an integer from {least}, found {value!r}")
    if seconds is not None and not seconds > 0:
        raise InputError(f"seconds: expected a number above 0, found {seconds!r}")
