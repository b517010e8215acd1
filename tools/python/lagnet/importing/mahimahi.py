"""Traces of mahimahi (mm-link): each line of NAME.up and NAME.down is a time in ms at which 1,500 bytes may pass."""

from __future__ import annotations

import pathlib

from .drafts import Draft, Faults, quoted
from .platforms import add_workload

NAME = "mahimahi"
CALLED = "a packet-delivery trace of mahimahi"
SIDES = {".up": ".down", ".down": ".up"}


def recognize(file: pathlib.Path, head: str) -> bool:
    """Lines that are whole numbers; the last one may have been cut."""
    lines = head.splitlines()[:-1] or head.splitlines()
    return bool(lines) and all(line.isascii() and line.isdigit() for line in lines)


def read(draft: Draft, faults: Faults) -> None:
    """One client whose access link has the bandwidths of the traces, and a server without a limit."""
    file = draft.file
    _check(file, faults)
    other = file.with_suffix(SIDES[file.suffix]) if file.suffix in SIDES else None
    if other is not None and other.is_file():
        of_other = Faults(other)
        _check(other, of_other)
        of_other.check()
    else:
        why = f"there is no file {other.name}" if other else "its name ends neither in .up nor in .down"
        draft.assume("network", f"both directions have the bandwidth of {file.name}: {why}.")
        other = file
    up, down = (other, file) if file.suffix == ".down" else (file, other)
    add_workload(draft, 2, "beyond the link")
    draft.put("network", {
        "latency_ms": 0, "bandwidth_bytes_per_s": None,
        "up_bytes_per_s": {"kind": "mahimahi", "path": draft.path_to(up)},
        "down_bytes_per_s": {"kind": "mahimahi", "path": draft.path_to(down)},
        "interfaces": [{"agents": [0], "up_bytes_per_s": None, "down_bytes_per_s": None}]})
    draft.assume("network", "agents other than 0 each have an access link with these traces, and agent 0 has no limit.")
    draft.assume("network", "a trace has no delay: latency_ms is 0. Of a run under mm-delay, set network.latency_ms to "
                            "its number.")
    draft.leave_out("network", "single packets: a message passes at the bandwidth of each 100 ms (bin_ms), and a queue "
                               "of mm-link that drops packets is network.interfaces[].up_queue and down_queue.")
    faults.check()


def _check(file: pathlib.Path, faults: Faults) -> None:
    """mahimahi takes whole numbers that do not fall, the last one above 0."""
    before, last = 0, None
    for number, line in enumerate(file.read_text(encoding="ascii", errors="replace").splitlines(), 1):
        if not (line.isascii() and line.isdigit()):
            faults.add(number, "a time in ms, a whole number", quoted(line) if line else "an empty line")
            continue
        last = int(line)
        if last < before:
            faults.add(number, f"a time that is not before the {before} ms above it", last)
        before = last
    if last is None:
        faults.add("", "times in ms, one a line", "none")
    elif before == 0:
        faults.add("", "a last time above 0 ms, after which the trace repeats", 0)
