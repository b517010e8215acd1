"""`lagnet reproduce FILE.zip`, called by the program."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from ..reproductions import Reproduction, reproduce_artifact

MOST_SHOWN = 10  # differences of a run
INDENT = "      "


def main(request: dict[str, Any]) -> int:
    """request: "artifact", "out", "jobs", "json", "quiet". Gives the exit status: 0, or 1 where something differs."""
    quiet = bool(request.get("quiet"))

    def tell(name: str) -> None:
        print(name, file=sys.stderr, flush=True)

    done = reproduce_artifact(request["artifact"], out=request.get("out"), jobs=request.get("jobs"),
                              tell=None if quiet else tell)
    if request.get("json"):
        found = {field.name: getattr(done, field.name) for field in dataclasses.fields(done) if field.name != "keeper"}
        print(json.dumps({**found, "reproduced": bool(done)}, indent=2))
    elif lines := lines_of(done, quiet):
        print("\n".join(lines))
    return 0 if done else 1


def lines_of(done: Reproduction, quiet: bool = False) -> list[str]:
    """What a terminal shows; with `quiet` only what differs and fails."""
    lines = []
    words = {"same": "same", "within_tolerance": f"within {done.tolerance:g}", "differs": "DIFFERS"}
    for run in done.runs:
        if not quiet or run["verdict"] == "differs":
            lines.append(f"{words[run['verdict']]}  {run['name']}")
        lines += [INDENT + one for one in run["differences"][:MOST_SHOWN]]
        if (more := len(run["differences"]) - MOST_SHOWN) > 0:
            lines.append(f"{INDENT}and {more} more")
    for claim in done.claims:
        if quiet and claim["good"]:
            continue
        lines.append(f"{claim['verdict']}  {claim['statement']}")
        if claim["verdict"] != claim["recorded"]:
            lines.append(f"{INDENT}expected {claim['recorded']}, as recorded, found {claim['verdict']}")
        if not claim["good"]:
            lines.append(f"{INDENT}measured: {claim['measured']}")
    recorded, here = done.versions["recorded"], done.versions["here"]
    for name in recorded:
        if recorded[name] != here.get(name) and not quiet:
            lines.append(f"recorded with {name} {recorded[name]}, run again with {here.get(name, 'none')}")
    if not quiet:
        same = sum(run["verdict"] == "same" for run in done.runs)
        near = sum(run["verdict"] == "within_tolerance" for run in done.runs)
        hold = sum(claim["good"] for claim in done.claims)
        lines.append(f"{same + near} of {len(done.runs)} results reproduced, {same} of them byte for byte; "
                     f"{hold} of {len(done.claims)} claims hold")
    return lines
