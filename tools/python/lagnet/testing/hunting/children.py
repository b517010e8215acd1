"""Worlds run in children of this process, so that one that crashes or hangs ends its child alone. They are made by
fork, as those of sweeps are: a child has each class in Python as it is here."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pathlib
import signal
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from ...places import Place
from . import trial
from .failure import Failure, Outcome
from .trial import Trial

# A world that computes for longer, or that sleeps for so long, is a failure by itself. Neither depends on how busy the
# machine is: the system counts the time that a process computes, and one that waits for a processor is not asleep.
PATIENCE_S = 30.0
BETWEEN_LOOKS_S = 1.0


def _work(pipe: Connection, parent: int, folder: str) -> None:
    tempfile.tempdir, Place._root = folder, None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its children
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    while os.getppid() == parent:
        if not pipe.poll(1):
            continue
        try:
            asked = pipe.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, PATIENCE_S)  # whose signal ends the process
        outcome = trial.run(asked)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(outcome)


class _Child:
    def __init__(self, folder: str) -> None:
        self._context: Any = multiprocessing.get_context("fork")
        self.pipe, theirs = self._context.Pipe()
        self.process: Any = self._context.Process(target=_work, args=(theirs, os.getpid(), folder), daemon=True)
        self.process.start()
        theirs.close()
        self.number, self.looks = -1, 0

    def begin(self, number: int, one: Trial) -> None:
        self.number, self.looks = number, 0
        self.pipe.send(one)

    def has_slept(self) -> bool:
        """Whether it was asleep, with all of its threads, at so many looks that it will not wake up."""
        try:
            states = [path.read_text().rpartition(")")[2].split()[0]
                      for path in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/stat")]
        except OSError:  # it ends at this moment
            return False
        self.looks += set(states) == {"S"}
        return self.looks * BETWEEN_LOOKS_S >= PATIENCE_S

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
            ready = wait([child.pipe for child in busy], BETWEEN_LOOKS_S)
            for child in list(busy):
                outcome = self._outcome(child, child.pipe in ready, not ready)
                if outcome is not None:
                    found[child.number] = outcome
                    busy.remove(child)
        return [found[number] for number in range(len(trials))]

    def _outcome(self, child: _Child, is_ready: bool, are_looked_at: bool) -> Outcome | None:
        """What came of the world of a child; None if it is still at work."""
        if is_ready:
            try:
                found: Outcome = child.pipe.recv()
                return found
            except (EOFError, OSError):
                child.process.join()
                if child.process.exitcode == -signal.SIGPROF:
                    return self._lost(child, "hang", f"the run did not end within {PATIENCE_S:g} s of computing")
                return self._lost(child, "crash", _how(child.process.exitcode))
        if not are_looked_at or not child.has_slept():
            return None
        return self._lost(child, "hang", f"the run did not end, and slept for {PATIENCE_S:g} s")

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
