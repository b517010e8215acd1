"""Runs in this process, by the compiled module: those with classes in Python, and of arrays that stay where they
lie."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import json
import math
import os
import pathlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import forks, process, progress as progress_of
from .documents import document_of
from .errors import AgentError, InputError, Problem, ProgramMissing, ScenarioError, SystemFailure, problem_at

if TYPE_CHECKING:
    from .memory import Offer
    from .prepared import Prepared


@functools.cache
def core() -> Any:
    """The compiled module: that of this package, or that of the sources' release build."""
    try:
        from . import _core

        return _core
    except ImportError:
        pass
    named = os.environ.get("LAGNET_MODULE_FOLDER")
    folder = pathlib.Path(named) if named else process.CHECKOUT / "build" / "release" / "python" / "lagnet"
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        path = folder / f"_core{suffix}"
        if path.is_file():
            spec = importlib.util.spec_from_file_location("lagnet._core", path)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            sys.modules["lagnet._core"] = module
            return module
    raise ProgramMissing("methods in Python need the compiled module of this package, which was not found: it is built "
                         "where the Debian packages python3-dev and pybind11-dev are")


def has_python(document: Any) -> bool:
    """Whether a scenario, or a part of one, names a class in Python."""
    if isinstance(document, dict):
        return (document.get("kind") == "python" and "class" in document) or any(map(has_python, document.values()))
    return isinstance(document, list) and any(map(has_python, document))


def _has_parts(document: Any) -> bool:
    """Whether one names a loss, a regularizer or a metric in Python, and not only a method."""
    if isinstance(document, dict):
        is_part = document.get("kind") == "python" and "class" in document and "roles" not in document
        return is_part or any(map(_has_parts, document.values()))
    return isinstance(document, list) and any(map(_has_parts, document))


def _raise(ended: tuple[Any, ...], scenario: str) -> None:
    how, *facts = ended
    if how == "problems":
        raise ScenarioError([problem_at(*one) for one in facts[0]], scenario)
    if how == "agent":
        agent, round_, at, text, cause = facts
        raise AgentError(text, agent, round_, at) from cause
    if how == "code":
        text, cause = facts
        raise InputError(text) from cause
    raise (InputError if how == "input" else SystemFailure)(facts[0])


def _points_at_most(given: Prepared) -> int | None:
    """How many runs there are, where that is easily said."""
    sweep = json.loads(given.text or "{}").get("sweep") or {}
    if not isinstance(sweep, dict) or any(
            not isinstance(values, list) or not key.startswith("/") for key, values in sweep.items()):
        return None
    return math.prod(map(len, sweep.values()))


def _is_of_sweep(setting: str) -> bool:
    return setting.partition("=")[0].split("/")[1:2] == ["sweep"]


def _number(resources: list[str], option: str) -> int:
    return int(resources[resources.index(option) + 1]) if option in resources else 1


def execute(command: str, given: Prepared, out: pathlib.Path, resources: list[str],
            progress: bool | None = None) -> None:
    """run, sweep or tune. Agents in Python share one thread, so that runs of one process go one after the other. With
    more jobs, this process and its children run a part of the points each, and then this one what they have left. One
    job is the default, since what agents leave in variables stays in the process that ran them. Of `resources`, what
    the command line would be given, the threads are for what lagnet computes itself."""
    settings = given.words[2::2]
    values = [json.loads(setting.partition("=")[2]) for setting in settings]
    one_thread = _has_parts([json.loads(given.text or "null"), values])  # so that kernels in Python are on this one
    idle = {"--retime": "where classes in Python or arrays in memory take part: all points are computed",
            "--memory-budget-mib": "on runs in this process"}
    if one_thread and _number(resources, "--threads") > 1:
        idle["--threads"] = "where a loss, a regularizer or a metric is in Python"
    for option, why in idle.items():
        if option in resources:
            raise InputError(f"{option.removeprefix('--').replace('-', '_')}: has no effect {why}")
    threads = 1 if one_thread else _number(resources, "--threads")
    children = _number(resources, "--jobs") - 1
    if children < 0:
        raise InputError(f"jobs: expected a number of at least 1, found {children + 1}")
    if command != "tune" and not any(_is_of_sweep(setting) for setting in settings):
        points = _points_at_most(given)
        if children > 0 and not json.loads(given.text or "{}").get("sweep"):
            raise InputError("jobs: has no effect on a single run")
        children = children if points is None else min(children, max(0, points - 1))
    parts = children + 1
    watching = progress_of.watcher(progress)

    def work(part: str = "", tell: Any = None) -> Any:
        try:
            return core().execute(command, given.text, given.name, str(given.folder), settings, str(out), threads,
                                  tell, part, parts, given.offers, "--replace" in resources)
        except ValueError as error:  # of the offers; what is raised in a run comes in another way
            raise InputError(str(error)) from None

    tell = None if watching is None else watching.numbers
    try:
        ended = None
        if children > 0:
            core()  # is loaded once
            ended = forks.together(lambda: work(f"1/{parts}", tell),
                                   [functools.partial(work, f"{k}/{parts}") for k in range(2, parts + 1)])
            parts = 1
        if ended is None:
            ended = work("", tell)
    finally:
        if watching is not None:
            watching.close()
    if ended is not None:
        _raise(ended, given.name)


def replay(folder: pathlib.Path, offers: Sequence[Offer] = ()) -> str:
    """How a run again differs; "" if it does not."""
    ended = core().replay(str(folder), list(offers))
    if ended[0] == "replayed":
        return str(ended[1])
    _raise(ended, str(folder))
    return ""


def check(folder: pathlib.Path, update: bool) -> list[tuple[str, list[str]]]:
    """The golden scenarios of a folder, by their names, and how each differs from its golden."""
    documents = [document_of(path)[0] for path in folder.glob("*.json")]
    # Kernels in Python are on the thread that the run is on.
    ended = core().check(str(folder), update, 1 if any(map(_has_parts, documents)) else 2)
    if ended[0] != "checked":
        _raise(ended, str(folder))
    return [(name, list(differences)) for name, differences in ended[1]]


def problems_of(given: Prepared) -> list[Problem]:
    """Everything that is wrong with a scenario that runs in this process."""
    ended = core().validate(given.text, given.name, str(given.folder), given.words[2::2], given.offers)
    if ended is None:
        return []
    if ended[0] == "problems":
        return [problem_at(*one) for one in ended[1]]
    _raise(ended, given.name)
    return []


def recorded_scenario(folder: pathlib.Path) -> Any:
    """The scenario of results; None where it cannot be read, of which the program says best what is wrong."""
    try:
        return json.loads((folder / "scenario.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
