"""The text of a scenario: its sections in order, with the notes on each as comments above it."""

from __future__ import annotations

import json
import pathlib
import tempfile
import textwrap
from typing import Any

from ..errors import InputError
from .drafts import Draft

COMMENT_WIDTH = 110
WIDTH = 140
ORDER = ("lagnet", "name", "label", "description", "source", "seed", "numerics", "data", "problem", "partition",
         "topology", "network", "compute", "participation", "algorithm", "stop", "record", "sweep")


def text_of(draft: Draft) -> str:
    """The scenario as a file has it."""
    document = {key: draft.document[key] for key in ORDER if key in draft.document}
    document.update({key: value for key, value in draft.document.items() if key not in document})
    parts = []
    for key, value in document.items():
        notes = [f"{note.kind}: {note.text}" for note in draft.notes if note.section == key]
        parts.append("".join(f"{line}\n" for note in notes for line in _comment(note)) +
                     f"  {json.dumps(key)}: {_rendered(value, '  ', len(key) + 6)}")
    elsewhere = [note for note in draft.notes if note.section not in document]
    head = [f"From {draft.file.name}, {draft.called}, by lagnet import.",
            *(f"{note.kind}: {note.text}" for note in elsewhere)]
    return "".join(f"{line}\n" for note in head for line in _comment(note, "")) + "{\n" + ",\n".join(parts) + "\n}\n"


def _comment(text: str, indent: str = "  ") -> list[str]:
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return textwrap.wrap(printable, COMMENT_WIDTH, initial_indent=f"{indent}// ", subsequent_indent=f"{indent}//   ",
                         break_on_hyphens=False)


def _rendered(value: Any, indent: str, used: int) -> str:
    """JSON on a line where it fits; otherwise a member a line, and numbers and words as many as fit."""
    line = json.dumps(value, ensure_ascii=False)
    if used + len(line) <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        members = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {_rendered(one, inner, len(inner) + len(key) + 4)}"
                   for key, one in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if any(isinstance(one, (dict, list)) for one in value):
        return "[\n" + ",\n".join(inner + _rendered(one, inner, len(inner)) for one in value) + f"\n{indent}]"
    rows = [""]
    for word in [json.dumps(one, ensure_ascii=False) for one in value]:
        if rows[-1] and len(inner) + len(rows[-1]) + len(word) + 3 > WIDTH:
            rows.append("")
        rows[-1] += (" " if rows[-1] else "") + word + ","
    return "[\n" + "\n".join(inner + row for row in rows)[:-1] + f"\n{indent}]"


def write(text: str, out: pathlib.Path, replace: bool) -> None:
    """Writes the file as a whole. Another file of that name is replaced only if asked."""
    if out.is_dir():
        raise InputError(f"{out}: expected a file, found a folder")
    if out.exists() and not replace and out.read_bytes() != text.encode():
        raise InputError(f"{out}: expected a new file, found another one; choose another name, or --replace")
    try:
        with tempfile.NamedTemporaryFile(dir=out.parent, prefix=f".{out.name}.", delete=False) as made:
            temporary = pathlib.Path(made.name)
            made.write(text.encode())
        temporary.chmod(0o644)
        temporary.replace(out)
    except OSError as error:
        raise InputError(f"{out}: expected a file that can be written, found: {error.strerror}") from error
