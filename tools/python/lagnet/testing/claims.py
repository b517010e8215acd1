"""What a method claims of itself, by which the properties that it is held against are chosen."""

from __future__ import annotations

import dataclasses
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
        wrong: list[str] = []
        taken: dict[str, Any] = {}
        choices = {"rate": RATES, "losses": LOSSES, "draws": DRAWS}
        lists = {"topologies": TOPOLOGIES, "problems": PROBLEMS, "regularizers": REGULARIZERS, "shards": SHARDS}
        fields = {field.name: field for field in dataclasses.fields(cls)}
        for key, value in given.items():
            if key not in fields:
                wrong.append(f"claims: expected keys among {', '.join(fields)}, found {key!r}")
            elif key in choices and value not in (*choices[key], None):
                wrong.append(f"claims/{key}: expected one of {', '.join(choices[key])}, found {value!r}")
            elif key in lists and value is not None:
                is_list = isinstance(value, (list, tuple)) and len(value) > 0
                if not is_list or any(one not in lists[key] for one in value):
                    wrong.append(f"claims/{key}: expected a list of {', '.join(lists[key])}, found {value!r}")
                else:
                    taken[key] = tuple(value)
                continue
            elif str(fields[key].type) == "bool" and not isinstance(value, bool):
                wrong.append(f"claims/{key}: expected true or false, found {value!r}")
            elif key in ("neighborhood", "error") and not (isinstance(value, (int, float)) and 0 < value < 1):
                wrong.append(f"claims/{key}: expected a number between 0 and 1, found {value!r}")
            elif key in ("rounds", "gradients", "exchanges") and value is not None and not (
                    isinstance(value, int) and not isinstance(value, bool) and value >= 0):
                wrong.append(f"claims/{key}: expected an integer at least 0, found {value!r}")
            elif key == "alone" and isinstance(value, str):
                value = {"kind": value}
            taken[key] = value
        if wrong:
            raise InputError("\n".join(wrong))
        return cls(**taken)
