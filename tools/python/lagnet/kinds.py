"""Scenarios as objects: `Scenario` with its sections as attributes, and a function for every kind, by the key that
takes it: kinds.algorithm.extra(step=0.5), kinds.topology.ring(agents=10), kinds.loss.logistic(). All of it follows from
the program's schema, so that completion in a notebook knows every key, with its description. What is made is a
dictionary.

>>> import lagnet
>>> from lagnet import kinds
>>> scenario = lagnet.Scenario(
...     data=kinds.data.gaussian_regression(samples=60, features=5),
...     topology=kinds.topology.ring(agents=6),
...     algorithm=kinds.algorithm.extra())
>>> scenario.network.latency_ms = 20
>>> scenario.stop.rounds = 40
>>> lagnet.run(scenario).status
'done'
"""

from __future__ import annotations

import copy
import difflib
import inspect
import keyword
import os
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any

from . import documents, words
from .errors import Problem, ScenarioError

Schema = dict[str, Any]


def resolved(schema: Schema) -> Schema:
    """The schema that a reference leads to."""
    while "$ref" in schema:
        schema = words.schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def choices(schema: Schema) -> Iterator[Schema]:
    """All schemas that a value may follow."""
    schema = resolved(schema)
    if "oneOf" in schema or "anyOf" in schema:
        for one in schema.get("oneOf") or schema["anyOf"]:
            yield from choices(one)
    else:
        yield schema


def name_of(schema: Schema) -> str | None:
    """The kind that an object is of; the key that says so is `kind`, or `source` of data."""
    for key in ("kind", "source"):
        if "const" in schema.get("properties", {}).get(key, {}):
            return str(schema["properties"][key]["const"])
    return None


def keys_of(schema: Schema, of: dict[str, Any]) -> dict[str, Schema]:
    """The keys that an object may have: of the kind that it says it is, or of all kinds until then."""
    objects = [one for one in choices(schema) if "properties" in one]
    said = of.get("kind", of.get("source"))
    own = [one for one in objects if name_of(one) == said] or objects
    return {key: one for choice in own for key, one in choice["properties"].items()}


def unknown(key: str, keys: Iterable[str], what: str) -> str:
    near = difflib.get_close_matches(key, keys, 1)
    return f"{what} has no key {key!r}" + (f"; did you mean {near[0]}?" if near else f": it has {', '.join(keys)}")


class Section(dict[str, Any]):
    """A part of a scenario: a dictionary whose keys are attributes, too. A section that every scenario has is made when
    it is asked for; any other key that is not there has its default."""

    def __init__(self, values: dict[str, Any] | None = None, path: tuple[str, ...] = ()) -> None:
        super().__init__(values or {})
        object.__setattr__(self, "_path", path)

    def __reduce__(self) -> tuple[Any, ...]:
        return Section, (dict(self), self._path)

    def _keys(self) -> dict[str, Schema]:
        found: dict[str, Schema] = keys_of(_schema_at(self._path), self)
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        keys = self._keys()
        if name in self:
            value = self[name]
        elif name not in keys:
            raise AttributeError(unknown(name, keys, "/" + "/".join(self._path)))
        elif all(one.get("type") == "object" and name_of(one) is None for one in choices(keys[name])):
            value = {}
        else:
            return copy.deepcopy(keys[name].get("default"))
        if isinstance(value, dict) and not isinstance(value, Section):
            value = self[name] = Section(value, (*self._path, name))
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        keys = self._keys()
        if name not in keys:
            raise AttributeError(unknown(name, keys, "/" + "/".join(self._path)))
        self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self:
            raise AttributeError(name)
        del self[name]

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._keys()]


def _schema_at(path: tuple[str, ...]) -> Schema:
    at = words.schema()
    for key in path:
        for one in choices(at):
            if key in one.get("properties", {}):
                at = one["properties"][key]
                break
    return at


class Scenario(Section):
    """A scenario, from its sections; see `lagnet.describe("scenario")`."""

    def __init__(self, *values: dict[str, Any], **sections: Any) -> None:
        super().__init__({"lagnet": 1, **(values[0] if values else {})})
        for name, value in sections.items():
            setattr(self, name, value)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Scenario:
        """The scenario of a file; files that it names are named by absolute paths."""
        document, _ = documents.document_of(pathlib.Path(path))
        if document is None:
            raise ScenarioError([Problem("", "a scenario file, which `validate` finds nothing wrong with")], str(path))
        here = pathlib.Path(path).absolute().parent
        return cls(documents.with_paths(document, lambda name: os.path.normpath(here / name)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Scenario, (dict(self),)


class Kind:
    """Makes sections of one kind."""

    def __init__(self, name: str, schema: Schema) -> None:
        self._tag = next((key for key in ("kind", "source") if "const" in schema["properties"].get(key, {})), None)
        self._kind = name_of(schema)
        keys = {key: one for key, one in schema["properties"].items() if key != self._tag}
        self._keys = {f"{key}_" if keyword.iskeyword(key) else key: key for key in keys}
        self._required = [key for key in schema.get("required", []) if key in keys]
        self.__name__ = name
        self.__doc__ = self._words(schema, keys)
        self.__signature__ = inspect.Signature([
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY,
                              default=inspect.Parameter.empty if key in self._required else keys[key].get("default"))
            for name, key in self._keys.items()])

    def _words(self, schema: Schema, keys: dict[str, Schema]) -> str:
        summary = schema["properties"][self._tag].get("description", "") if self._tag else schema.get("description", "")
        return "\n".join([summary, "", *(f"{key}: {one.get('description', '')}" for key, one in keys.items())]).rstrip()

    def __call__(self, **values: Any) -> dict[str, Any]:
        for name in values:
            if name not in self._keys:
                raise TypeError(unknown(name, self._keys, self.__name__))
        made = {self._keys[name]: value for name, value in values.items()}
        missing = [key for key in self._required if key not in made]
        if missing:
            raise TypeError(f"{self.__name__} needs {', '.join(missing)}")
        return {**({self._tag: self._kind} if self._tag else {}), **made}

    def __repr__(self) -> str:
        return f"<{self.__name__}{self.__signature__}>"


class Family:
    """The kinds that one key takes, each an attribute that makes it."""

    def __init__(self, name: str, schema: Schema) -> None:
        self._name = name
        self._kinds = {kind: Kind(kind, one) for one in choices(schema) if (kind := name_of(one)) is not None}

    def __getattr__(self, name: str) -> Kind:
        if name.startswith("__") or name not in self._kinds:
            raise AttributeError(unknown(name, self._kinds, self._name))
        return self._kinds[name]

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._kinds]

    def __repr__(self) -> str:
        return f"<lagnet.kinds.{self._name}: {', '.join(self._kinds)}>"


def names() -> list[str]:
    """What this module has beside its classes: a family for each key that takes kinds, and the sections."""
    schema = words.schema()
    sections = [key for key, one in schema["properties"].items() if "$ref" in one or "properties" in one]
    return sorted({*schema["$defs"], *sections})


_made: dict[tuple[int, str], Family | Kind] = {}


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    schema = words.schema()
    made = _made.get((id(schema), name))
    if made is None:
        one = schema["properties"].get(name) or schema["$defs"].get(name)
        if one is None or name not in names():
            raise AttributeError(unknown(name, names(), "lagnet.kinds"))
        made = Family(name, one) if any(name_of(choice) for choice in choices(one)) else Kind(name, resolved(one))
        _made[id(schema), name] = made
    return made


def __dir__() -> list[str]:
    return sorted({*globals(), *names()})
