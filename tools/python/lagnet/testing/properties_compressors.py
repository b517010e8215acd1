"""Properties of methods with a compressor, which are asked with one that leaves nearly everything out."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from .. import words
from .copies import copies_of
from .errors import Refused
from .properties_runs import asynchronous
from .properties_symmetry import TOLERANCE, apart
from .proving import Case, prop
from .runs import Document, Outcome, run, samples_of
from .subjects import Subject

BYTES_OF_A_NUMBER = 8
DRAWN: tuple[Document, ...] = ({"kind": "rand_k", "k": 1}, {"kind": "rand_k", "k": 1, "scaled": False})
LARGEST: Document = {"kind": "top_k", "k": 1}


@functools.lru_cache(maxsize=None)
def _keys(kind: str) -> frozenset[str]:
    return frozenset(field["key"] for field in words.describe(kind)[0]["fields"])


def _no_compressor(subject: Subject) -> str:
    keys = subject.algorithm["options"] if subject.in_python else _keys(subject.algorithm["kind"])
    return "" if "compressor" in keys else "it has no option compressor"


def _taken(case: Case, kinds: tuple[Document, ...], run_with: Callable[[Document], list[Outcome]]) -> list[Outcome]:
    """The runs with the compressors that lagnet takes. Refused where it takes none."""
    found, refused = [], None
    place = "/algorithm/options/compressor" if case.subject.in_python else "/algorithm/compressor"
    for compressor in kinds:
        try:
            found += run_with({place: compressor})
        except Refused as reason:
            refused = reason
    if not found and refused is not None:
        raise refused
    return found


@prop("Each agent compresses by draws of its own.", share=0.2, shards="equal", features=(4, 5), samples=(6, 8),
      regularizer=("l2", "none"), topology=("ring", "star"),
      leaves_out=lambda subject: _no_compressor(subject) or asynchronous(subject))
def compressors_draw_apart(case: Case) -> None:
    assert case.world is not None
    X, y = samples_of(case.document)
    X, y = X[:case.world.samples], y[:case.world.samples]
    few, more = _taken(case, DRAWN, lambda changes: [copies_of(case, agents, X, y, changes) for agents in (3, 5)])[:2]
    if apart(few.iterates, few.iterates[:1].repeat(len(few.iterates), 0)) <= TOLERANCE:
        raise Refused("it does not move")
    if case.subject.habitat.server:
        differ = apart(few.iterates, more.iterates)
    else:  # whose mean moves as without a compressor
        differ = max((row.get("consensus_error") or 0.0) for row in more.rows)
    if differ <= TOLERANCE:
        raise case.broken("agents with the same samples do the same, though each keeps an entry that is drawn: they "
                          "share their draws", more)


@prop("A server learns no more numbers than came to it.", share=0.2, features=(5,), regularizer=("l2", "none"),
      topology="star", leaves_out=lambda subject: _no_compressor(subject) or asynchronous(subject) or (
          "" if subject.habitat.server else "a peer moves by what it computes, too"))
def numbers_cost_bytes(case: Case) -> None:
    X, y = samples_of(case.document)
    alone = {"/topology": {"kind": "star", "agents": 2}, "/partition": {"kind": "samples"}, "/stop/rounds": 1}
    for outcome in _taken(case, (*DRAWN, LARGEST), lambda changes: [run(case.document, (X, y), alone | changes)]):
        came = outcome.result.rows("agents")[1]["bytes_sent"]
        moved = int(np.count_nonzero(outcome.final))  # from 0
        if moved * BYTES_OF_A_NUMBER > came:
            raise case.broken(f"in its first round {came} bytes come to the server, and {moved} of "
                              f"{len(outcome.final)} entries of the iterate move, each by a number of "
                              f"{BYTES_OF_A_NUMBER} bytes", outcome)
