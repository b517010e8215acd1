"""Calls the program `lagnet`, for what it does with results and with words: where it is, and how a call ends."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from .errors import InputError, Interrupted, LagnetError, ProgramMissing, SystemFailure

PACKAGE = pathlib.Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent.parent.parent  # where the package is used from the sources

# How long an interrupted program may take to clean up, in s; it takes a few milliseconds.
PATIENCE_S = 5.0


class Answer(NamedTuple):
    """How a call of the program ended."""

    status: int
    out: str
    err: str


def program() -> pathlib.Path:
    """The program that is called: the one that the environment variable LAGNET names, the one in this package, that of
    the sources' release build, or the one on the path."""
    named = os.environ.get("LAGNET")
    if named:
        found = shutil.which(named)
        if not found:
            raise ProgramMissing(f"LAGNET: expected the program lagnet, found nothing at {named}")
        return pathlib.Path(found).absolute()
    for place in (PACKAGE / "bin" / "lagnet", CHECKOUT / "build" / "release" / "bin" / "lagnet"):
        if os.access(place, os.X_OK) and place.is_file():
            return place
    found = shutil.which("lagnet")
    # A launcher of this very package would call itself.
    if found and pathlib.Path(found).read_bytes()[:4] == b"\x7fELF":
        return pathlib.Path(found)
    raise ProgramMissing("the program lagnet was not found: install this package with pip, or name the program in the "
                         "environment variable LAGNET")


def scenarios() -> pathlib.Path:
    """The folder of the scenarios that come with lagnet: `examples`, `papers`, and the data that they use."""
    for place in (PACKAGE / "share" / "scenarios", CHECKOUT / "scenarios"):
        if (place / "papers").is_dir():
            return place
    raise InputError(f"expected the scenarios that come with lagnet, found none in {PACKAGE / 'share'}")


def example(name: str) -> pathlib.Path:
    """The file of an example, such as "gossip" or "quickstart".

    >>> import lagnet
    >>> lagnet.example("gossip").name
    'gossip.json'
    """
    folder = scenarios() / "examples"
    path = folder / f"{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(one.stem for one in folder.glob("*.json")))
        raise InputError(f"expected one of the examples {known}, found {name}")
    return path


def call(arguments: Sequence[str], folder: pathlib.Path | None = None) -> Answer:
    """Runs the program to its end, started in `folder`. Ctrl-C ends it as it would on a command line, and is raised
    again."""
    with subprocess.Popen([str(program()), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=folder, env={**os.environ, "NO_COLOR": "1"}) as running:
        try:
            out, err = running.communicate()
        except BaseException:  # Ctrl-C above all
            running.send_signal(signal.SIGINT)  # so that it leaves what it leaves then
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(PATIENCE_S)
            running.kill()
            running.wait()
            raise
    return Answer(running.returncode, out.decode(errors="replace"), err.decode(errors="replace"))


def failure(answer: Answer) -> LagnetError:
    """The exception for an exit status that is neither 0 nor 1. Where lagnet was interrupted from its terminal, Python
    has a KeyboardInterrupt of its own, which comes first."""
    said = answer.err.strip() or f"lagnet ended with status {answer.status}"
    if answer.status == 2:
        return InputError(said)
    if answer.status in (130, 143, 129, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP):
        return Interrupted(said)
    if answer.status < 0:
        return SystemFailure(f"lagnet was ended by {signal.Signals(-answer.status).name}: {said}")
    return SystemFailure(said)


def succeed(arguments: Sequence[str], folder: pathlib.Path | None = None, allowed: Sequence[int] = (0,)) -> Answer:
    """Runs the program; raises unless it ends with one of the allowed statuses."""
    answer = call(arguments, folder)
    if answer.status not in allowed:
        raise failure(answer)
    return answer
