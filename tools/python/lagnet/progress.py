"""How far runs are, shown by tqdm where it is installed."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any


class Progress:
    """Shows a bar after a moment; is called with how many runs, or rounds, are done."""

    QUICK_S = 0.5  # what is over by then shows no bar

    def __init__(self, bar: Any) -> None:
        self._make = bar
        self._bar: Any = None
        self._began = time.monotonic()

    def __call__(self, done: int, total: int | None, unit: str, error: float | None) -> None:
        if time.monotonic() - self._began < self.QUICK_S:
            return
        if self._bar is None:
            self._bar = self._make(total=total, unit=unit, leave=False)
        if done > self._bar.n:
            self._bar.update(done - self._bar.n)
        if error is not None:
            self._bar.set_postfix_str(f"error {error:.2e}", refresh=False)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


@contextlib.contextmanager
def shown(wanted: bool | None) -> Iterator[Progress | None]:
    """What shows progress, as long as it goes on; None where nothing does."""
    watching = watcher(wanted)
    try:
        yield watching
    finally:
        if watching is not None:
            watching.close()


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
