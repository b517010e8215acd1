"""Runs the program `lagnet`: where it is, what it is given, and how a call ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import pty
import selectors
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .errors import InputError, Interrupted, LagnetError, ProgramMissing, SystemFailure

PACKAGE = pathlib.Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent.parent.parent  # where the package is used from the sources

# How long an interrupted program may take to clean up, in s; it takes a few milliseconds.
PATIENCE_S = 5.0
# Longer arguments than this do not go onto a command line: Linux allows 128 KiB for each.
LONGEST_ARGUMENT = 100_000

Watch = Callable[[str], None]


class Answer(NamedTuple):
    """How a call of the program ended."""

    status: int
    out: str
    err: str


def program() -> pathlib.Path:
    """The program that is run: the one that the environment variable LAGNET names, the one in this package, that of
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


@contextlib.contextmanager
def _messages(watch: Watch | None) -> Iterator[list[int]]:
    """Both ends of what the program's messages go through: read from the first, written to the second. Who closes one
    takes it out of the list. Progress is drawn on terminals alone, so that a watched program gets one, wide enough
    that no line is broken."""
    if watch is None:
        ours, theirs = os.pipe()
    else:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 60_000, 0, 0))
        modes = termios.tcgetattr(theirs)
        modes[1] &= ~termios.OPOST  # lines end as they are written
        termios.tcsetattr(theirs, termios.TCSANOW, modes)
    ends = [ours, theirs]
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the program as Ctrl-C does, so that it leaves what it leaves then; harmless where it has come already."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    except BaseException:  # a second Ctrl-C
        process.kill()
        process.wait()
        raise


def _collect(process: subprocess.Popen[bytes], messages: int, watch: Watch | None) -> tuple[bytes, bytes]:
    """Everything the program prints, stdout and stderr, read until both are closed."""
    assert process.stdout is not None
    out = process.stdout.fileno()
    pieces: dict[int, list[bytes]] = {out: [], messages: []}
    with selectors.DefaultSelector() as selector:
        for descriptor in pieces:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                try:
                    piece = os.read(key.fd, 65536)
                except OSError:  # a terminal whose other end is closed
                    piece = b""
                if not piece:
                    selector.unregister(key.fd)
                pieces[key.fd].append(piece)
                if watch is not None and key.fd == messages:
                    watch(piece.decode(errors="replace"))
    return b"".join(pieces[out]), b"".join(pieces[messages])


def call(arguments: Sequence[str], text: str | None = None, folder: pathlib.Path | None = None,
         watch: Watch | None = None) -> Answer:
    """Runs the program to its end. `text` is its standard input, `folder` where it is started, `watch` is shown its
    messages as they come, progress with them. Ctrl-C ends it as it would on a command line, and is raised again."""
    command = [str(program()), *arguments]
    with contextlib.ExitStack() as stack:
        given = stack.enter_context(tempfile.TemporaryFile())  # what it holds needs nobody to hand it on
        given.write((text or "").encode())
        given.seek(0)
        messages = stack.enter_context(_messages(watch))
        # Popen.wait() and communicate() hold a KeyboardInterrupt back for a quarter of a second; reading does not.
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=messages[1], cwd=folder,
                                   env={**os.environ, "NO_COLOR": "1"})
        assert process.stdout is not None
        stack.enter_context(process.stdout)
        try:
            os.close(messages.pop())
            out, err = _collect(process, messages[0], watch)
            status = process.wait()
        except BaseException:  # Ctrl-C above all
            _end(process)
            raise
    return Answer(status, out.decode(errors="replace"), err.decode(errors="replace"))


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


def succeed(arguments: Sequence[str], text: str | None = None, folder: pathlib.Path | None = None,
            allowed: Sequence[int] = (0,)) -> Answer:
    """Runs the program; raises unless it ends with one of the allowed statuses."""
    answer = call(arguments, text, folder)
    if answer.status not in allowed:
        raise failure(answer)
    return answer
