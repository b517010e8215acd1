"""Compressors of agents in Python: lagnet's own, by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Compressor(Mapping[str, Any]):
    """A compressor with its options, as a scenario has it: {"kind": "top_k", "k": 3}. It can be an option of a method
    in Python; compressor() makes it."""

    def __init__(self, kind: str, options: Mapping[str, Any]) -> None:
        self._section = {"kind": kind, **options}

    def __getitem__(self, key: str) -> Any:
        return self._section[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._section)

    def __len__(self) -> int:
        return len(self._section)

    def __hash__(self) -> int:
        return hash(self._section["kind"])

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self._section.items() if key != "kind")
        return f"lagnet.compressor({self._section['kind']!r}{options})"


def compressor(kind: str, **options: Any) -> Compressor:
    """A compressor for agents in Python, as an option of their class; lagnet.list("compressors") has the kinds.

    >>> import lagnet
    >>> class Halves(lagnet.Peers):
    ...     compressor: lagnet.Compressor = lagnet.compressor("top_k", fraction=0.5)
    ...     async def run(self, me):
    ...         x = me.zeros()
    ...         me.report(0, x)
    ...         for t in me.rounds():
    ...             await me.compute(me.gradient_flops)
    ...             packed = me.compress(self.compressor, x - me.gradient(x), t)  # what is sent, and what it weighs
    ...             x = await me.mix(packed)
    ...             me.report(t, x)
    >>> result = lagnet.run(lagnet.example("gossip"), algorithm=Halves, set={"stop": {"rounds": 2}, "problem": {}})
    >>> result.scenario["algorithm"]["options"]
    {'compressor': {'kind': 'top_k', 'fraction': 0.5}}
    """
    return Compressor(kind, options)
