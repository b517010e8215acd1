"""Runs in this process, by the compiled module."""

from __future__ import annotations

import dataclasses
import functools
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, wait
from typing import TYPE_CHECKING, Any

from . import classes, process, progress as progress_of, shares
from .documents import document_of, whole
from .errors import AgentError, InputError, Problem, ProgramMissing, ScenarioError, SystemFailure

if TYPE_CHECKING:
    from .memory import Offer
    from .prepared import Prepared

BETWEEN_LOOKS_S = 0.1


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
    raise ProgramMissing("runs need the compiled module of this package, which was not found: it is built where the "
                         "Debian packages python3-dev and pybind11-dev are")


def has_python(document: Any) -> bool:
    """Whether a scenario, or a part of one, names a class in Python."""
    return any(True for _ in classes.sections(document))


def has_parts(document: Any) -> bool:
    """Whether one names a loss, a regularizer or a metric in Python, and not only a method."""
    return any("roles" not in section for section in classes.sections(document))


def _raise(ended: tuple[Any, ...], scenario: str) -> None:
    how, *facts = ended
    if how == "problems":
        raise ScenarioError([Problem(*one) for one in facts[0]], scenario)
    if how == "agent":
        agent, round_, at, text, cause = facts
        raise AgentError(text, agent, round_, at) from cause
    if how == "code":
        text, cause = facts
        raise InputError(text) from cause
    raise (InputError if how == "input" else SystemFailure)(facts[0])


@dataclasses.dataclass(frozen=True)
class Asked:
    """What a call asks for beside the scenario, of which no result depends on the first three."""

    threads: int | None = None
    jobs: int | None = None
    memory_budget_mib: int | None = None
    replace: bool = False
    retime: bool = False
    processes: int = 1  # that share the memory
    part: tuple[int, int] | None = None  # (2, 5): the second of five shares of the points, and nothing is published

    def __post_init__(self) -> None:
        for name, most in (("threads", 1024), ("jobs", 1024), ("memory_budget_mib", 1 << 40)):
            value = getattr(self, name)
            if value is not None and not 1 <= whole(value, name) <= most:
                raise InputError(f"{name}: expected an integer from 1 to {most}, found {value}")


def _refuse_idle(given: Prepared, asked: Asked) -> None:
    if asked.retime and (given.has_python or given.offers):
        raise InputError("retime: has no effect where classes in Python or arrays in memory take part: all points are "
                         "computed")
    if given.has_parts and (asked.threads or 1) > 1:
        raise InputError("threads: has no effect where a loss, a regularizer or a metric is in Python")


def _listening(work: Callable[[Any], Any], tell: Any = None) -> Any:
    """What `work` returns, which runs in a thread of its own, so that Ctrl-C reaches this one at once. `work` is given
    what to call with its numbers, which ends it by an exception after Ctrl-C."""
    told: list[Any] = []
    is_over = False

    def keep(*numbers: Any) -> None:
        if is_over:
            raise KeyboardInterrupt
        told[:] = [numbers]

    answer: Future[Any] = Future()

    def run() -> None:
        try:
            answer.set_result(work(keep))
        except BaseException as error:
            answer.set_exception(error)

    thread = threading.Thread(target=run)
    try:
        thread.start()
        while wait([answer], BETWEEN_LOOKS_S).not_done:
            if tell is not None and told:
                tell(*told[0])
    except BaseException:
        is_over = True
        # Ctrl-C may come while the thread starts, so that this one does not know of it yet.
        wait([answer], None if thread.ident is not None else 1)
        raise
    return answer.result()


def call(command: str, given: Prepared, out: str, asked: Asked, tell: Any = None) -> None:
    """Has the compiled module run it: agents in Python on this thread, other runs beside it."""
    # One thread at a time runs Python.
    facts = {**dataclasses.asdict(asked), "has_python": given.has_python, "jobs": 1 if given.has_python else asked.jobs}
    source = _source(given)

    def work(tell: Any) -> Any:
        return core().execute(command, source, out, facts, tell, given.offers)

    try:
        ended = work(tell) if given.has_python else _listening(work, tell)
    except ValueError as error:  # of the offers; what is raised in a run comes in another way
        raise InputError(str(error)) from None
    if ended is not None:
        _raise(ended, given.name)


def execute(command: str, given: Prepared, out: pathlib.Path, asked: Asked, progress: bool | None = None,
            executor: Executor | None = None) -> None:
    """run, sweep, tune or retime. Agents in Python share one thread, so that their runs go one after the other in a
    process. With more jobs, children of this process run points. One job is the default, since what agents leave in
    variables stays in the process that ran them."""
    _refuse_idle(given, asked)
    points = None
    if executor is not None or (asked.jobs is not None and command in ("run", "sweep", "tune")):
        points = _points(command, given)
        if points is None and asked.jobs is not None and command == "run":
            raise InputError("jobs: has no effect on a single run")
    if executor is not None and (problems := problems_of(given)):
        raise ScenarioError(problems, given.name)
    if executor is not None and points == 0:
        raise InputError("executor: expected numbers for all options, found tune, which every share would search")
    children = min(asked.jobs or 1, points or 1) if given.has_python and executor is None else 1
    with progress_of.shown(progress) as tell:
        patience = 0.0
        if executor is not None and shares.run(executor, command, given, out, asked, points or 1, tell):
            patience = process.PATIENCE_S  # other workers may be about to end
        if children > 1:
            with shares.children(children, given) as pool:
                shares.run(pool, command, given, out, dataclasses.replace(asked, processes=children), points or 1,
                           tell)
        until = time.monotonic() + patience
        while True:
            try:
                return call(command, given, str(out), asked, tell)
            except InputError:
                if time.monotonic() >= until:
                    raise
            time.sleep(0.1)


def _source(given: Prepared) -> Any:
    return core().Source(given.text, given.name, str(given.folder), given.settings)


def _points(command: str, given: Prepared) -> int | None:
    """How many runs there are; 0 where options are searched before the runs, None where there is no sweep."""
    ended = core().count_points(command, _source(given))
    if ended[0] != "counted":
        _raise(ended, given.name)
    count: int | None = ended[1]
    return count


def replay(folder: pathlib.Path, has_python: bool, threads: int | None, jobs: int | None,
           offers: Sequence[Offer] = ()) -> tuple[str, dict[str, Any]]:
    """How a run again differs, as a sentence and in its parts; empty if it does not."""
    def work(tell: Any) -> Any:
        return core().replay(str(folder), threads or 1, 1 if has_python else jobs, tell, list(offers))

    ended = work(None) if has_python else _listening(work)
    if ended[0] == "replayed":
        return str(ended[1]), json.loads(ended[2])
    _raise(ended, str(folder))
    return "", {}


def check(folder: pathlib.Path, update: bool) -> list[dict[str, Any]]:
    """The golden scenarios of a folder and how each differs from its golden, as `lagnet check --json` prints it."""
    documents = [document_of(path)[0] for path in folder.glob("*.json")]
    # Kernels in Python are on the thread that the run is on.
    ended = core().check(str(folder), update, 1 if any(map(has_parts, documents)) else 2)
    if ended[0] != "checked":
        _raise(ended, str(folder))
    goldens: list[dict[str, Any]] = json.loads(ended[1])
    return goldens


def problems_of(given: Prepared) -> list[Problem]:
    """Everything that is wrong with a scenario."""
    ended = core().validate(_source(given), given.offers)
    if ended is None:
        return []
    if ended[0] == "problems":
        return [Problem(*one) for one in ended[1]]
    _raise(ended, given.name)
    return []


def recorded_scenario(folder: pathlib.Path) -> Any:
    """The scenario of results; None where it cannot be read, of which the program says best what is wrong."""
    try:
        return json.loads((folder / "scenario.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
