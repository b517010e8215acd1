"""`lagnet artifact`, called by the program."""

from __future__ import annotations

import json
import os
from typing import Any

from ..artifacts import artifact


def main(request: dict[str, Any]) -> int:
    """request: "runs", "out", "title", "authors", "replace", "json", "quiet". Gives the exit status."""
    made = artifact(request["runs"], request["out"], title=request.get("title"), authors=request.get("authors") or [],
                    replace=bool(request.get("replace")))
    size = made.stat().st_size
    if request.get("json"):
        print(json.dumps({"artifact": str(made), "bytes": size}, indent=2))
    elif not request.get("quiet"):
        print(f"{os.path.relpath(made)}: {size} bytes; lagnet reproduce {os.path.relpath(made)} runs it again")
    return 0
