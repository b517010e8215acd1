"""Worlds run in children of this process, so that one that crashes or hangs ends its child alone. They are made by
fork, as those of sweeps are: a child has each class in Python as it is here."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from ...places import Place
from . import trial
from .failure import Failure, Outcome
from .trial import Trial

# Of real time: a world that takes longer is a failure by itself. Nothing else depends on a clock.
PATIENCE_S = 30.0


def _work(pipe: Connection, parent: int, folder: str) -> None:
    tempfile.tempdir, Place._root = folder, None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its children
    while os.getppid() == parent:
        if not pipe.poll(1):
            continue
        try:
            asked = pipe.recv()
        except EOFError:
            return
        pipe.send(trial.run(asked))


class _Child:
    def __init__(self, folder: str) -> None:
        self._context: Any = multiprocessing.get_context("fork")
        self.pipe, theirs = self._context.Pipe()
        self.process: Any = self._context.Process(target=_work, args=(theirs, os.getpid(), folder), daemon=True)
        self.process.start()
        theirs.close()
        self.number, self.until = -1, 0.0

    def begin(self, number: int, one: Trial) -> None:
        self.number, self.until = number, time.monotonic() + PATIENCE_S
        self.pipe.send(one)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Children:
    """`run` gives the outcomes of worlds in their order, whatever the number of children."""

    def __init__(self, jobs: int, folder: str) -> None:
        self.jobs, self._folder = jobs, folder
        self._children = [_Child(folder) for _ in range(jobs)]

    def run(self, trials: Sequence[Trial]) -> list[Outcome]:
        found: dict[int, Outcome] = {}
        left = list(enumerate(trials))[::-1]
        busy: list[_Child] = []
        while left or busy:
            for child in self._children:
                if left and child not in busy:
                    child.begin(*left.pop())
                    busy.append(child)
            patience = min(child.until for child in busy) - time.monotonic()
            ready = wait([child.pipe for child in busy], max(0.0, patience))
            for child in list(busy):
                outcome = self._outcome(child, child.pipe in ready)
                if outcome is not None:
                    found[child.number] = outcome
                    busy.remove(child)
        return [found[number] for number in range(len(trials))]

    def _outcome(self, child: _Child, is_ready: bool) -> Outcome | None:
        """What came of the world of a child; None if it is still at work."""
        if is_ready:
            try:
                found: Outcome = child.pipe.recv()
                return found
            except (EOFError, OSError):
                child.process.join()
                return self._lost(child, "crash", _how(child.process.exitcode))
        if time.monotonic() > child.until:
            return self._lost(child, "hang", f"the run did not end within {PATIENCE_S:.0f} s of real time")
        return None

    def _lost(self, child: _Child, kind: str, sentence: str) -> Outcome:
        child.end()
        place = self._children.index(child)
        self._children[place] = _Child(self._folder)
        return Outcome(failures=(Failure(kind, "", sentence),))

    def end(self) -> None:
        for child in self._children:
            child.end()


def _how(status: int | None) -> str:
    if status is not None and status < 0:
        return f"the process of the run was ended by {signal.Signals(-status).name}"
    return f"the process of the run ended with status {status}"


@contextlib.contextmanager
def children(jobs: int) -> Iterator[Children]:
    """Children that are gone at the end, with all files of their runs."""
    with tempfile.TemporaryDirectory(prefix="lagnet-hunt-") as folder:
        made = Children(jobs, folder)
        try:
            yield made
        finally:
            made.end()
