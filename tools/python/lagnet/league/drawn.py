"""A league that nobody ran: its records are drawn, for tests of what reads records, and for examples."""

from __future__ import annotations

import json
import os
import pathlib
import random
from collections.abc import Iterator
from typing import Any

from . import records

LEVELS = [10.0**-digit for digit in range(1, 7)]
ENTRIES = (("extra", "peers"), ("fednl", "server"), ("distributed_fista", "server"), ("gradient_tracking", "peers"),
           ("giant", "server"), ("proximal_gradient", "alone"))  # kinds of algorithms, and forms, in turn


def documents(problems: int = 3, profiles: int = 2, entries: int = 4, seeds: int = 3,
              seed: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """The files of a league folder, each with its name and what is in it. entries: how many, entry_1 and so on, the
    first of them always run, the others now and then refused.

    >>> [name for name, document in documents(1, 1, 1, 1)][:2]
    ['league.json', 'records/problem_1/network_1/entry_1.tuned.json']
    """
    draws = random.Random(seed)
    named_problems = [f"problem_{number + 1}" for number in range(problems)]
    named_profiles = [f"network_{number + 1}" for number in range(profiles)]
    yield records.LIST, {"league": 1, "suite": "small", "build": {}, "problems": named_problems,
                         "profiles": named_profiles, "forms": {}, "seeds": list(range(1, seeds + 1)), "levels": LEVELS,
                         "tuning": {"seed": 1001, "candidates": 10}}
    for problem in named_problems:
        for place, profile in enumerate(named_profiles):
            for number in range(entries):
                kind, form = ENTRIES[number % len(ENTRIES)]
                refused = number > 0 and draws.random() < 0.1
                pace, round_s = 10 ** draws.uniform(0, 2), 10.0 ** (place - 2) * draws.uniform(1, 4)
                for variant in records.VARIANTS:
                    slower = draws.uniform(1, 5) if variant == "default" else 1.0
                    runs = [] if refused else [_run(draws, one, pace * slower, round_s, number, form == "alone")
                                               for one in range(1, seeds + 1)]
                    name = f"entry_{number + 1}"
                    yield f"records/{problem}/{profile}/{name}.{variant}.json", {
                        "league": 1, "problem": problem, "profile": profile, "entry": name, "variant": variant,
                        "form": form, "scenario": {"lagnet": 1, "algorithm": {"kind": kind}},
                        "status": "refused" if refused else "ran",
                        "reason": f"{kind} needs an l2 regularizer" if refused else "", "runs": runs,
                        "tuning": {"seed": 1001, "candidates": 10, "values": {"/algorithm/step": 0.5}, "runs": 10}
                        if variant == "tuned" and not refused else None}


def _run(draws: random.Random, seed: int, pace: float, round_s: float, number: int, alone: bool) -> dict[str, Any]:
    """pace: how many rounds a tenth of the error takes."""
    status = draws.choices(("reached", "budget", "diverged"), (8, 3, 1))[0]
    arrived = len(LEVELS) if status == "reached" else draws.randrange(len(LEVELS)) if status == "budget" else 0
    costs: list[dict[str, Any]] = []
    rounds = 0
    for place, level in enumerate(LEVELS):
        rounds += max(1, round(pace * draws.uniform(0.8, 1.2)))
        sent = 0 if alone else 80 * rounds * (1 + number)
        costs.append({"level": level, "simulated_s": rounds * round_s, "bytes": sent,
                      "flops_per_agent_max": 1000 * rounds, "joules": 1e-9 * sent + 1e-8 * rounds}
                     if place < arrived else {"level": level, **dict.fromkeys(records.CURRENCIES)})
    error = None if status == "diverged" else 10.0 ** -max(arrived, 0.5)
    return {"seed": seed, "status": status, "why": "" if status == "reached" else f"the run ended as {status}",
            "rounds": rounds, "relative_error": error, "trace_hash": f"{draws.getrandbits(64):016x}", "levels": costs}


def write(folder: str | os.PathLike[str], **sizes: int) -> None:
    """Writes the files of `documents(**sizes)`."""
    for name, document in documents(**sizes):
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def league(**sizes: int) -> records.League:
    """The same as if it had been written and read."""
    found = dict(documents(**sizes))
    return records.of_documents(found.pop(records.LIST), found.values())
