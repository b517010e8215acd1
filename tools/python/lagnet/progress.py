"""How far runs are, told by tqdm where it is installed."""

from __future__ import annotations

import re
import sys
import time
from typing import Any

# What the program draws: "run: round 400 of 20000 [==   ], ..", or of a sweep "3 of 40 runs done [=  ], ..".
ROUND = re.compile(r": round (\d+)(?: of (\d+))?")
RUNS = re.compile(r"^(\d+) of (\d+) runs done")
# A line that is drawn anew, and the sequence that takes it away.
DRAWN = re.compile(r"\r\x1b\[K")


class Progress:
    """Shows a bar after a moment; is given what the program draws."""

    QUICK_S = 0.5  # what is over by then shows no bar

    def __init__(self, bar: Any) -> None:
        self._make = bar
        self._bar: Any = None
        self._began = time.monotonic()
        self._rest = ""

    def __call__(self, text: str) -> None:
        *whole, self._rest = DRAWN.split(self._rest + text)
        for line in whole[-1:]:  # the rest may not have come whole
            self._show(line)

    def _show(self, line: str) -> None:
        runs = RUNS.match(line)
        found = runs or ROUND.search(line)
        if found:
            error = re.search(r"relative error (\S+?)(?:,|$)|best (\S+)", line)
            self._tell(int(found[1]), int(found[2]) if found[2] else None, "run" if runs else "round",
                       (error[1] or error[2]) if error else None)

    def numbers(self, done: int, total: int | None, unit: str, error: float | None) -> None:
        """Is given how many runs, or rounds, are done, by runs in this process."""
        self._tell(done, total, unit, None if error is None else f"{error:.2e}")

    def _tell(self, done: int, total: int | None, unit: str, error: str | None) -> None:
        if time.monotonic() - self._began < self.QUICK_S:
            return
        if self._bar is None:
            self._bar = self._make(total=total, unit=unit, leave=False)
        if done > self._bar.n:
            self._bar.update(done - self._bar.n)
        if error:
            self._bar.set_postfix_str(f"error {error}", refresh=False)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def watcher(wanted: bool | None) -> Progress | None:
    """What shows progress; None where nothing does. By default (None) it is shown where tqdm is installed and somebody
    looks: on a terminal, or in a notebook. True asks for it anywhere, and tqdm must be there."""
    if wanted is False:
        return None
    if wanted is None and not (sys.stderr is not None and sys.stderr.isatty()) and "ipykernel" not in sys.modules:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if wanted:
            raise
        return None
    return Progress(tqdm)


def without_progress(text: str) -> str:
    """The messages alone, of what a watched program wrote."""
    kept = [line for line in DRAWN.sub("\n", text).split("\n")
            if line and not RUNS.match(line) and not re.search(r": round \d+.* rounds/s", line)
            and not re.search(r": round \d+(?: of \d+)?(?: \[|,)", line)]
    return "\n".join(kept)
