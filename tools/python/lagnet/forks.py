"""Further processes for a sweep whose methods are in Python: children of this one, each with a part of the points.

One thread at a time runs Python, so that threads would not help. Children are made by fork, and not by a fresh
interpreter that imports the method: a child has every class as it is here, also one that was typed into a prompt, a
notebook or a script, or was changed since it was imported. Results may not depend on which process ran a point. What
fork is feared for is that other threads are not there in the child, and locks that they had stay locked: a method that
takes locks of this process's other threads needs one job. What a child has left that was killed, this process runs.
Children run points and nothing else, and end without any cleaning up of what is this process's.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import pickle
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from . import process

PR_SET_PDEATHSIG = 1  # of prctl(2)


class ChildTraceback(Exception):
    """Where an exception was raised in a child: the cause of the exception that this process raises."""

    def __init__(self, text: str) -> None:
        super().__init__(text)

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _portable(error: BaseException) -> tuple[BaseException, str]:
    """An exception that can be sent, and where it was raised."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    return error, text


def _received(sent: tuple[BaseException, str]) -> BaseException:
    error, text = sent
    error.__cause__ = ChildTraceback(text)
    return error


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def _live(work: Callable[[], Any], answers: int, parent: int) -> NoReturn:
    """A child's life: it does the work and answers what came of it, unless it is interrupted."""
    try:
        gc.freeze()  # what is not in use here may be there, or go there
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if os.getppid() == parent:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            try:
                answer = ("ended", work())
            except KeyboardInterrupt:
                answer = ("ended", None)
            except BaseException as error:  # this process raises it
                answer = ("raised", _portable(error))
            if answer[0] == "ended" and answer[1] is not None and isinstance(answer[1][-1], BaseException):
                answer = ("ended_in", (*answer[1][:-1], _portable(answer[1][-1])))
            _flush()  # whoever has the answer ends this process
            with os.fdopen(answers, "wb") as file:
                pickle.dump(answer, file)
    finally:
        os._exit(0)


class Child:
    """A child of this process that does some work, once it is started."""

    def __init__(self) -> None:
        self.pid = 0
        self._answers = -1

    def start(self, work: Callable[[], Any]) -> None:
        _flush()  # what is not written yet would be written by both
        parent = os.getpid()
        self._answers, theirs = os.pipe()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of other threads: see above
                self.pid = os.fork()
            if self.pid == 0:
                _live(work, theirs, parent)
        finally:
            os.close(theirs)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def interrupt(self) -> None:
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGINT)

    def end(self, until: float | None = None) -> Any:
        """What it answers until then; it is ended in any case. None of one that was killed, or interrupted."""
        if not self.pid:
            return None
        pieces: list[bytes] = []
        try:
            while True:
                if not select.select([self._answers], [], [],
                                     None if until is None else max(0.0, until - time.monotonic()))[0]:
                    break
                piece = os.read(self._answers, 65536)
                if not piece:
                    break
                pieces.append(piece)
        finally:
            os.close(self._answers)
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self.pid, signal.SIGKILL)  # it has answered, or does not listen
                os.waitpid(self.pid, 0)
            self.pid = 0
        try:
            how, answer = pickle.loads(b"".join(pieces))
        except (EOFError, pickle.UnpicklingError):
            return None
        if how == "raised":
            raise _received(answer)
        return (*answer[:-1], _received(answer[-1])) if how == "ended_in" else answer


def _end_all(children: Sequence[Child]) -> None:
    """Ends them, before they have done their work."""
    for child in children:
        child.interrupt()
    until = time.monotonic() + process.PATIENCE_S
    for child in children:
        try:
            child.end(until)
        except KeyboardInterrupt:  # a second Ctrl-C
            until = 0.0
        except BaseException:  # what ends them all comes first
            pass


def together(work: Callable[[], Any], others: Sequence[Callable[[], Any]]) -> Any:
    """What `work` returns, while children do the `others`; what these return, if they do and it does not. Exceptions of
    all are raised. No child is left behind."""
    children: list[Child] = []
    try:
        for other in others:
            children.append(Child())  # first, so that Ctrl-C finds every one
            children[-1].start(other)
        answers = [work(), *(child.end() for child in children)]
    except BaseException:
        _end_all(children)
        raise
    return next((answer for answer in answers if answer is not None), None)
