"""What is wrong with a run, and what came of a world."""

from __future__ import annotations

import dataclasses
from typing import Any

from .facts import Facts


@dataclasses.dataclass(frozen=True)
class Failure:
    """kind: "claim", a statement of `expect` that does not hold; "deadlock", agents that wait for what never comes,
    though messages that are lost are sent again or done without; "diverged", the objective or an iterate left all
    bounds; "endless", no round ends any more; "error", a class in Python raised an exception; "invariant", the accounts
    of the run contradict each other; "internal", lagnet reports an internal error, or the system lacks something;
    "crash", the process of the run ended by itself; "hang", the run computed, or slept, without an end. what: what
    tells failures of a kind apart, such as the statement of a claim. sentence: what happened, with its numbers."""

    kind: str
    what: str
    sentence: str

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.what


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of a world. refused: why it cannot be run; "" if it ran. is_cut: whether the hunt ended it, so that
    claims were not decided. features: what was seen in it, for coverage. value: what is asked for, in a search of the
    worst."""

    refused: str = ""
    failures: tuple[Failure, ...] = ()
    features: tuple[str, ...] = ()
    facts: Facts | None = None
    is_cut: bool = False
    value: Any = None

    def fails_like(self, failure: Failure) -> Failure | None:
        return next((one for one in self.failures if one.key == failure.key), None)
