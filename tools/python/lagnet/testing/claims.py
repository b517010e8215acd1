"""What a method claims of itself, by which the properties that it is held against are chosen."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from ..errors import InputError

RATES = ("linear", "sublinear", "neighborhood", "none")
LOSSES = ("none", "retransmit", "skip")
TOPOLOGIES = ("ring", "path", "complete", "star", "two_level_tree", "directed_ring", "random_out")
PROBLEMS = ("squared", "logistic")
REGULARIZERS = ("none", "l2", "l1")
SHARDS = ("equal", "unequal", "one")
DRAWS = ("own", "common", "none")


@dataclasses.dataclass(frozen=True)
class Claims:
    """The claims of a method, each by its key.

    rate: "linear", to `error` within `rounds`; "sublinear", to a hundredth; "neighborhood", to `neighborhood`; "none"
    neighborhood: the relative error that a method of that rate stays below
    error, rounds: how far a linear method comes, and how many rounds it may take
    losses: what it bears: "none", "retransmit" (what is lost is sent again), or "skip" (neighbors that are missing)
    topologies, problems, regularizers, shards: those that it is for, as lists; None: whatever lagnet accepts
    alone: what it is on one agent: a section of a method of lagnet's for one, such as {"kind": "proximal_gradient"}
    gradients, exchanges: how many gradients an agent computes in a round, and how many messages go over each link
    scalars: numbers in a message, in iterates
    draws: "own", each agent for itself; "common", all agents the same; "none"; None: found by a run
    accelerated: whether it needs rounds in proportion to the root of the condition number, and not to the number
    rotates, doubles: whether iterates turn with the features, and double with the labels
    repeats: whether the method is the same where each sample stands twice
    copies: whether agents with the same samples act as one, however many they are
    prefix: whether its rounds are the same however many follow
    span: whether alone it moves by gradients, so that as many of them bound what it can know
    """

    rate: str = "linear"
    neighborhood: float = 0.3
    error: float = 1e-7
    rounds: int = 3000
    losses: str | None = None
    topologies: tuple[str, ...] | None = None
    problems: tuple[str, ...] | None = None
    regularizers: tuple[str, ...] | None = None
    shards: tuple[str, ...] | None = None
    alone: Mapping[str, Any] | None = None
    gradients: int | None = None
    exchanges: int | None = None
    scalars: float | None = None
    draws: str | None = None
    accelerated: bool = False
    rotates: bool = True
    doubles: bool = True
    repeats: bool = True
    copies: bool = True
    prefix: bool = True
    span: bool = True

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Claims:
        """The claims that a caller wrote; InputError with everything that is wrong with them.

        >>> from lagnet.testing.claims import Claims
        >>> Claims.of({"rate": "linear", "topologies": ["ring", "star"]}).topologies
        ('ring', 'star')
        """
        if not isinstance(given, Mapping):
            raise InputError(f"claims: expected keys with values, found {given!r:.60}")
        fields = [field.name for field in dataclasses.fields(cls)]
        wrong: list[str] = []
        taken: dict[str, Any] = {}
        for key, value in given.items():
            if key not in fields:
                wrong.append(f"claims: expected keys among {', '.join(fields)}, found {key!r}")
            elif expected := _expected(key, value):
                wrong.append(f"claims/{key}: expected {expected}, found {value!r}")
            else:
                taken[key] = _taken(key, value)
        if wrong:
            raise InputError("\n".join(wrong))
        return cls(**taken)


CHOICES = {"rate": RATES, "losses": LOSSES, "draws": DRAWS}
LISTS = {"topologies": TOPOLOGIES, "problems": PROBLEMS, "regularizers": REGULARIZERS, "shards": SHARDS}
SHARES = ("neighborhood", "error")
COUNTS = {"rounds": 1, "gradients": 0, "exchanges": 0}  # and the least of each
OPTIONAL = ("losses", *LISTS, "alone", "gradients", "exchanges", "scalars", "draws")  # which may be None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _expected(key: str, value: Any) -> str:
    """What a claim may be, where it is something else; "" where it is good."""
    if value is None and key in OPTIONAL:
        return ""
    if key in CHOICES:
        return "" if value in CHOICES[key] else f"one of {', '.join(CHOICES[key])}"
    if key in LISTS:
        is_list = isinstance(value, (list, tuple)) and len(value) > 0 and all(one in LISTS[key] for one in value)
        return "" if is_list else f"a list of {', '.join(LISTS[key])}"
    if key in SHARES:
        return "" if _is_number(value) and 0 < value < 1 else "a number between 0 and 1"
    if key in COUNTS:
        is_count = isinstance(value, int) and not isinstance(value, bool) and value >= COUNTS[key]
        return "" if is_count else f"an integer at least {COUNTS[key]}"
    if key == "scalars":
        return "" if _is_number(value) and 0 < value < math.inf else "a number above 0"
    if key == "alone":
        is_section = isinstance(value, Mapping) and isinstance(value.get("kind"), str)
        return "" if isinstance(value, str) or is_section else "a method, or a section with its kind"
    return "" if isinstance(value, bool) else "true or false"


def _taken(key: str, value: Any) -> Any:
    if key == "alone" and isinstance(value, str):
        return {"kind": value}
    return tuple(value) if isinstance(value, list) else value
