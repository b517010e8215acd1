"""What `lagnet hunt` prints."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

from .corpus import lines_of

if TYPE_CHECKING:
    from ..hunt import Hunt
    from ..turning import Edge, Turn
    from ..worst import Worst


def of_hunt(found: Hunt) -> str:
    """A paragraph for each finding, and its scenario where that has no file."""
    seen = f"{_count(found.runs, 'world')}, {found.refused} of them refused, {found.coverage} things seen"
    if not found.findings:
        return f"nothing found in {seen}"
    lines = [f"found {_count(len(found.findings), 'failure')} in {seen}"]
    for one in found.findings:
        lines += ["", str(one)]
        lines += [f"  {edit.pointer}: " + ("left out" if edit.is_removal else json.dumps(edit.value))
                  for edit in one.changes] or ["  in the scenario as it is"]
        lines += [f"  world {one.number}, shrunk from {one.of_fields} to {one.fields} fields"
                  + (f": {one.path}" if one.path is not None else "")]
        lines += [] if one.path is not None else [lines_of(one.document)]
    return "\n".join(lines)


def of_worst(measure: str, found: Worst) -> str:
    values = ", ".join(f"{key} = {json.dumps(value)}" for key, value in found.values.items())
    return (f"{measure} = {found.value:.6g} at {values}\n{_count(found.runs, 'run')}; "
            f"the best of the draws alone: {found.drawn:.6g}")


def of_edge(key: str, found: Edge) -> str:
    if found.value is None:
        return f"nothing fails within the range of {key}, in {_count(found.runs, 'run')}"
    until = "the whole range fails" if found.holds_at is None else f"not at {found.holds_at:.6g}"
    return f"fails at {key} = {found.value:.6g}, {until}, in {_count(found.runs, 'run')}\n{found.sentence}"


def of_turns(key: str, turns: list[Turn], level: float) -> str:
    if not turns:
        return f"the same point is first to {level:g} over the whole range of {key}"
    return "\n".join(f"{key} = {one.value:.4g}: below it {_named(one.below)} is first to {level:g}, above it "
                     f"{_named(one.above)}; {one.seconds:.4g} s" for one in turns)


def _named(values: dict[str, Any]) -> str:
    return ", ".join(str(value) for value in values.values())


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def as_json(found: Any) -> str:
    """A result of a search, of which paths are texts, and numbers that JSON does not have are null.

    >>> print(as_json({"value": float("inf")}))
    {
      "value": null
    }
    """
    plain = found if isinstance(found, dict) else dataclasses.asdict(found)
    return json.dumps(_finite(plain), indent=2, ensure_ascii=False, allow_nan=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
