"""Which sources a golden was made with, and what has changed since. Numbers decide whether a golden holds; a changed
source is a hint."""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

from . import classes, places

KEY = "sources"  # in a golden: {"own:Descent": {"code": SHA-256, "file": SHA-256}}


def record(golden: pathlib.Path, document: Any) -> None:
    """Writes into a golden, which has just been made, the sources of its scenario's classes."""
    found = dict(sorted((name, _now(cls)) for name, cls in _classes(document)))
    if not found:
        return
    # As text, so that the numbers keep their form.
    text = golden.read_text(encoding="utf-8").rstrip()
    inner = json.dumps(found, indent=1).replace("\n", "\n ")
    places.write_text(golden, f'{text[:-1].rstrip()},\n "{KEY}": {inner}\n}}\n')


def hints(golden: pathlib.Path, document: Any, is_same: bool) -> list[str]:
    """A sentence for each class whose source, or the file that it is in, is not that of the golden."""
    try:
        recorded = json.loads(golden.read_text(encoding="utf-8")).get(KEY)
    except (OSError, ValueError, AttributeError):
        recorded = None
    changed = dict.fromkeys(classes.changed_sources(document))
    known = recorded if isinstance(recorded, dict) else {}
    for name, cls in _classes(document):
        was, now = known.get(name), _now(cls)
        if not isinstance(was, dict):
            continue
        if was.get("code") != now["code"]:
            changed[classes.change_of(name, str(was.get("code")), now["code"])] = None
        elif was.get("file") != now["file"]:
            changed[f"{_file_of(cls).name} changed, but nothing that {name} computes with"] = None
    return [text + ("; the numbers are the same" if is_same else "") for text in changed]


def _classes(document: Any) -> Iterator[tuple[str, type]]:
    """The classes that a scenario names, with their names."""
    for section in classes.sections(document):
        cls = classes.named_class(section["class"])
        if cls is not None:
            yield classes.name_of(cls), cls


def _file_of(cls: type) -> pathlib.Path:
    return pathlib.Path(getattr(sys.modules.get(cls.__module__), "__file__", None) or "")


def _now(cls: type) -> dict[str, str]:
    file = _file_of(cls)
    digest = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
    return {"code": classes.source_of(cls), "file": digest}
