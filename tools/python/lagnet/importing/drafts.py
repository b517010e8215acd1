"""What an import makes: a document, notes on it, and everything that is wrong with the file."""

from __future__ import annotations

import dataclasses
import math
import os
import pathlib
from typing import Any, TypeGuard

from ..documents import Document, pointer_of
from ..errors import Problem, ScenarioError


MOST_SHOWN = 100  # things that are wrong with a file


@dataclasses.dataclass(frozen=True)
class Note:
    """A sentence about a section of the scenario: `assumed`, where the file says nothing, or `left out`, where it says
    what no scenario can."""

    kind: str
    section: str
    text: str


@dataclasses.dataclass
class Draft:
    """A scenario that is being made of a file, for `folder`. `form` has the name of the file's form, `called` words for
    it."""

    form: str
    called: str
    file: pathlib.Path
    folder: pathlib.Path = pathlib.Path()
    document: Document = dataclasses.field(default_factory=lambda: {"lagnet": 1})
    notes: list[Note] = dataclasses.field(default_factory=list)
    given: frozenset[str] = frozenset()  # pointers that are set on the command line

    def assume(self, section: str, text: str) -> None:
        self._note("assumed", section, text)

    def leave_out(self, section: str, text: str) -> None:
        self._note("left out", section, text)

    def texts(self, kind: str) -> list[str]:
        return [note.text for note in self.notes if note.kind == kind]

    def is_given(self, key: str) -> bool:
        """Whether the command line sets this key, or all that it is in; what is given needs no assumption."""
        pointer = pointer_of(key)
        return any(pointer == one or pointer.startswith(one + "/") for one in self.given)

    def path_to(self, file: pathlib.Path) -> str:
        """What the scenario calls a file: its path from the folder of the scenario."""
        return os.path.relpath(file.resolve(), self.folder.resolve())

    def put(self, section: str, value: Any) -> None:
        self.document[section] = value

    def _note(self, kind: str, section: str, text: str) -> None:
        note = Note(kind, section, text)
        if note not in self.notes:
            self.notes.append(note)


class Faults:
    """Everything that is wrong with a file: where, what is expected and what is found."""

    def __init__(self, file: pathlib.Path) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def add(self, place: str | int, expected: str, found: Any = "") -> None:
        """place: a line by its number, or words for it."""
        where = f"line {place}" if isinstance(place, int) else place
        problem = Problem("", expected, str(found), where)
        if problem not in self.problems:
            self.problems.append(problem)

    def check(self) -> None:
        """Raises all of them, if there are any; of very many the first ones."""
        rest = len(self.problems) - MOST_SHOWN
        if rest > 0:
            raise ScenarioError([*self.problems[:MOST_SHOWN], Problem("", "", f"and {rest} more")], str(self.file))
        if self.problems:
            raise ScenarioError(self.problems, str(self.file))


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether it is a finite number, and neither True nor False.

    >>> is_number(2), is_number(float("nan")), is_number(True)
    (True, False, False)
    """
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def quoted(value: Any, longest: int = 60) -> str:
    """A value as messages show it.

    >>> quoted("ring"), quoted(3)
    ('"ring"', '3')
    """
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= longest else text[:longest - 2] + ".."
