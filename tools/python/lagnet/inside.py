"""Runs in this process, by the compiled module: those with classes in Python."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Any

from . import process
from .errors import AgentError, InputError, ProgramMissing, ScenarioError, SystemFailure, problem_at

if TYPE_CHECKING:
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


def execute(command: str, given: Prepared, out: pathlib.Path, resources: list[str]) -> None:
    """run, sweep or tune. All that is in Python shares one thread, so that runs go one after the other; of `resources`,
    what the command line would be given, the threads are for what lagnet computes itself."""
    settings = given.words[2::2]
    values = [json.loads(setting.partition("=")[2]) for setting in settings]
    one_thread = _has_parts([json.loads(given.text or "null"), values])  # so that kernels in Python are on this one
    threads = int(resources[resources.index("--threads") + 1]) if "--threads" in resources and not one_thread else 1
    ended = core().execute(command, given.text, given.name, str(given.folder), settings, str(out), threads)
    if ended is not None:
        _raise(ended, given.name)


def replay(folder: pathlib.Path) -> str:
    """How a run again differs; "" if it does not."""
    ended = core().replay(str(folder))
    if ended[0] == "replayed":
        return str(ended[1])
    _raise(ended, str(folder))
    return ""


def recorded_in_python(folder: pathlib.Path) -> bool:
    """Whether the results in the folder are those of a class in Python."""
    try:
        return has_python(json.loads((folder / "scenario.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return False
