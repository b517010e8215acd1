"""Sweeps whose points other processes run. Each task runs one share of the points. Afterwards this process runs what is
missing and publishes the results, so that a lost task costs time alone."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import multiprocessing
import os
import pathlib
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from . import inside, process
from .errors import LagnetError, RunWarning

if TYPE_CHECKING:
    from .prepared import Prepared

# Shares are several times as many as workers, since some take longer than others.
SHARES_OF_A_WORKER = 4
BETWEEN_LOOKS_S = 0.2
PR_SET_PDEATHSIG = 1  # of prctl(2)

_of_parent: Prepared | None = None  # what a child runs shares of


def run_share(command: str, given: Prepared | None, out: str, asked: inside.Asked, call: int = 0) -> None:
    """A task: runs the points of a share, and leaves them finished beside the folder of the results. `call` differs
    between calls, since Dask runs equal tasks once."""
    taken = given or _of_parent
    assert taken is not None
    inside.call(command, taken, out, asked)


def workers_of(executor: Executor) -> int:
    """How many tasks an executor runs at a time, as far as it can be known."""
    threads_of_dask = getattr(getattr(executor, "_client", None), "nthreads", None)
    workers: int = sum(threads_of_dask().values()) if threads_of_dask else getattr(executor, "_max_workers", 0)
    return workers or os.cpu_count() or 1


def run(executor: Executor, command: str, given: Prepared, out: pathlib.Path, asked: inside.Asked, points: int,
        tell: Callable[..., None] | None) -> bool:
    """Has the executor run the points, in shares. Warns if tasks are lost with their workers, and returns whether any
    were: the caller runs their points."""
    count = max(1, min(points, SHARES_OF_A_WORKER * workers_of(executor)))
    call = time.time_ns()
    sent = None if isinstance(executor, Children) else given  # children have it
    futures: list[Future[None]] = []
    lost: list[BaseException] = []
    try:
        for number in range(1, count + 1):
            share = dataclasses.replace(asked, jobs=1, part=(number, count))
            try:
                futures.append(executor.submit(run_share, command, sent, str(out), share, call))
            except BrokenExecutor as error:
                lost.append(error)
        _wait(futures, pathlib.Path(os.path.realpath(out) + ".partial"), points, tell)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    for future in futures:
        raised = CancelledError() if future.cancelled() else future.exception()
        if isinstance(raised, LagnetError):
            raise raised
        if raised is not None:
            lost.append(raised)
    if lost:
        warnings.warn(f"{len(lost)} of {count} shares of the sweep were lost with their workers "
                      f"({type(lost[0]).__name__}: {lost[0]}): this process runs their points", RunWarning,
                      stacklevel=5)
    return bool(lost)


def _wait(futures: list[Future[None]], partial: pathlib.Path, points: int, tell: Callable[..., None] | None) -> None:
    left = set(futures)
    while left:
        left = wait(left, None if tell is None else BETWEEN_LOOKS_S).not_done
        if tell is not None:
            tell(len(list(partial.glob("*.finished"))), points, "run", None)


class Children(ProcessPoolExecutor):
    """Children of this process. They are made by fork, not by a fresh interpreter that imports the classes of a
    scenario: so a child has each class as it is here, also one that was typed into a notebook, or was changed since it
    was imported. Other threads are not there in a child, and locks that they have stay locked: a method that takes
    these needs one job."""


def _begin_child(parent: int, given: Prepared) -> None:
    global _of_parent
    _of_parent = given
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its children
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


@contextlib.contextmanager
def children(count: int, given: Prepared) -> Iterator[Children]:
    """As many children, which are gone at the end."""
    executor = Children(count, multiprocessing.get_context("fork"), _begin_child, (os.getpid(), given))
    try:
        yield executor
    except BaseException:
        _end(executor)
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _end(executor: Children) -> None:
    """Interrupts what children run, and kills those that do not listen."""
    processes: list[Any] = list((executor._processes or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for one in processes:
        one.terminate()
    until = time.monotonic() + process.PATIENCE_S
    for one in processes:
        one.join(max(0.0, until - time.monotonic()))
        one.kill()
        one.join()
