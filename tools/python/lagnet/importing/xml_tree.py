"""XML as a tree whose elements know their lines. Documents that declare entities are refused: they can name files, and
grow without end."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from .drafts import Faults

DEEPEST = 200


@dataclasses.dataclass
class Element:
    """A tag with its attributes, the line of its start, and the elements within."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = dataclasses.field(default_factory=list)

    def all(self, *tags: str) -> Iterator[Element]:
        """The children of these tags, in order."""
        return (one for one in self.children if one.tag in tags)

    def walk(self) -> Iterator[Element]:
        yield self
        for one in self.children:
            yield from one.walk()


def parsed(file: pathlib.Path, faults: Faults) -> Element | None:
    """The root; None, with faults, where the file is no XML or declares entities."""
    parser = expat.ParserCreate()
    top = Element("", {}, 0)
    open_ones = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_ones) > DEEPEST:
            raise _Refused(f"elements within each other at most {DEEPEST} deep", "more")
        made = Element(tag.rpartition(":")[2], attributes, parser.CurrentLineNumber)
        open_ones[-1].children.append(made)
        open_ones.append(made)

    def declared(name: str, *_: Any) -> None:
        raise _Refused("no declared entities", f"the entity {name}")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: open_ones.pop()
    parser.EntityDeclHandler = declared
    try:
        parser.Parse(file.read_bytes(), True)
    except _Refused as error:
        faults.add(parser.CurrentLineNumber, error.expected, error.found)
        return None
    except expat.ExpatError as error:
        faults.add(error.lineno, "well-formed XML", expat.ErrorString(error.code))
        return None
    except (ValueError, LookupError) as error:  # an encoding that expat does not know
        faults.add("", "well-formed XML", error)
        return None
    return top.children[0] if top.children else None


class _Refused(Exception):
    """What XML may have, and these files may not."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(expected)
        self.expected, self.found = expected, found
