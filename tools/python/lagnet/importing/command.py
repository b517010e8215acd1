"""`lagnet import`, called by the program."""

from __future__ import annotations

import json
import pathlib
import shlex
import sys
from typing import Any

from .. import inside
from ..documents import pointer_of, put
from ..errors import InputError, LagnetError, ScenarioError
from ..prepared import Prepared
from .drafts import Draft, Faults
from .recognition import check_readable, form_of
from .writing import text_of, write


def draft_of(file: pathlib.Path, form: str | None = None, settings: list[str] | None = None,
             folder: pathlib.Path | None = None) -> Draft:
    """The scenario that a file stands for, with the values of KEY=VALUE put in, and its notes.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     trace = pathlib.Path(folder, "cell.down")
    ...     _ = trace.write_text("2\\n4\\n6\\n")
    ...     draft_of(trace, settings=["stop.rounds=5"]).document["stop"]
    {'rounds': 5}
    """
    check_readable(file)
    module = form_of(file, form)
    values = dict(_setting(word) for word in settings or [])
    draft = Draft(module.NAME, module.CALLED, file, folder or pathlib.Path(), given=frozenset(values))
    faults = Faults(file)
    module.read(draft, faults)
    faults.check()
    for pointer, value in values.items():
        put(draft.document, pointer, value)
    return draft


def _setting(word: str) -> tuple[str, Any]:
    """KEY=VALUE: the value is JSON, or else a text, as in --set of every command."""
    key, equals, value = word.partition("=")
    if not equals or not key:
        raise InputError(f"import: --set: expected KEY=VALUE, found {word}")
    try:
        return pointer_of(key), json.loads(value)
    except ValueError:
        return pointer_of(key), value


def check(draft: Draft, text: str) -> None:
    """ScenarioError where lagnet would not run it."""
    problems = inside.problems_of(Prepared(str(draft.file), text, draft.folder.resolve(), []))
    if problems:
        raise ScenarioError(problems, f"{draft.file}, as a scenario")


def main(request: dict[str, Any]) -> int:
    """request: "file", "from", "out", "set", "replace", "json", "quiet". Gives the exit status; every line of what is
    wrong begins with the file."""
    try:
        return _imported(request)
    except LagnetError as error:
        print(error, file=sys.stderr)
        return 2


def _imported(request: dict[str, Any]) -> int:
    file = pathlib.Path(request["file"])
    out = pathlib.Path(request["out"]) if request.get("out") else None
    draft = draft_of(file, request.get("from"), request.get("set"), out.parent if out else None)
    text = text_of(draft)
    check(draft, text)
    if out is not None:
        write(text, out, bool(request.get("replace")))
    assumed, left_out = draft.texts("assumed"), draft.texts("left out")
    if request.get("json"):
        print(json.dumps({"form": draft.form, "file": str(file), "out": str(out) if out else None,
                          "scenario": draft.document, "assumed": assumed, "left_out": left_out}, indent=2))
    elif out is None:
        sys.stdout.write(text)
    elif not request.get("quiet"):
        print(f"{out}: from {draft.called}; assumed: {len(assumed)}, left out: {len(left_out)}, as its comments say; "
              f"lagnet run {shlex.quote(str(out))} runs it")
    return 0
