"""Classes in Python that a scenario names: methods, losses, regularizers and metrics. Annotated attributes are their
options. A scenario has the class's name, the digest of its source and the values of its options, and nothing of its
code.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import importlib
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from .errors import InputError


class Named:
    """The base of what a scenario can name."""

    _sort: ClassVar[str] = ""  # "Loss"
    _place: ClassVar[str] = ""  # the place of its section: "/problem/loss"
    _base: ClassVar[type] = object  # what it derives from
    _apart: ClassVar[tuple[str, ...]] = ()  # fields beside the options

    def __init_subclass__(cls, is_base: bool = False, **arguments: Any) -> None:
        """`is_base`: it is one that users derive their classes from."""
        super().__init_subclass__(**arguments)
        cls._base = cls if is_base else cls._base
        if is_base:
            return
        dataclasses.dataclass(eq=False, kw_only=True)(cls)
        _known[name_of(cls)] = cls
        _digests[cls] = _digest_of(cls)  # of the text that was compiled: the file may change later

    def section(self) -> dict[str, Any]:
        """Its form in a scenario."""
        from .documents import plain

        cls = type(self)
        if name_of(cls) not in _known:
            raise InputError(f"{cls.__name__}: expected a class that derives from it, found the base itself")
        if _known[name_of(cls)] is not cls:
            raise InputError(f"{name_of(cls)}: expected classes of different names, found a later one of the same, "
                             "which a scenario would mean; give what they differ in as an option, or set __qualname__")
        options = {key: getattr(self, key) for key in options_of(cls)}
        return {"kind": "python", "class": name_of(cls), **self._facts(), "source_sha256": source_of(cls),
                "options": plain(options, f"{self._place}/options")}

    def _facts(self) -> dict[str, Any]:
        """What else its section has."""
        return {}

    def _wrong(self) -> tuple[str, str] | None:
        """What keeps lagnet from using it, as what was expected and what was found."""
        return None

    def _gives(self, function: str) -> bool:
        """Whether the class has a function of its own of that name."""
        own = getattr(type(self), function, None)
        return own is not None and own is not getattr(self._base, function, None)


_known: dict[str, type[Named]] = {}
_digests: dict[type, str] = {}
# What classes of each sort derive from.
_bases = {"Method": "lagnet.Peers or lagnet.ServerAndClients", "Loss": "lagnet.Loss",
         "Regularizer": "lagnet.Regularizer", "Metric": "lagnet.Metric"}


def options_of(cls: type[Named]) -> dict[str, Any]:
    """The options of a class, as fields of a data class by their names."""
    fields: Any = cls
    return {field.name: field for field in dataclasses.fields(fields) if field.name not in cls._apart}


def name_of(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def called(section: Mapping[str, Any]) -> str:
    """What an algorithm is called: its kind, or the class in Python."""
    return re.split("[:.]", section["class"])[-1] if section["kind"] == "python" else str(section["kind"])


def source_of(cls: type) -> str:
    """The SHA-256 of the class's source, with that of the user's classes that it derives from, and of what they use of
    their modules: functions, classes and constants. Comments, docstrings and the layout are not in it. "" where the
    source is not known, as of what was typed into a prompt."""
    return _digests[cls]


def _digest_of(cls: type) -> str:
    own = [one for one in cls.__mro__ if issubclass(one, Named) and "_base" in one.__dict__ and one._base is not one]
    try:
        return hashlib.sha256("".join(map(_code_of, own)).encode()).hexdigest()
    except (OSError, TypeError, SyntaxError):
        return ""


def _code_of(cls: type) -> str:
    """The class's syntax tree, and those of the statements of its module that define what it uses, in their order."""
    lines, at = inspect.findsource(cls)
    module = ast.parse("".join(lines))
    found: list[ast.AST] = [node for node in ast.walk(module) if isinstance(node, ast.ClassDef)
                            and min([node.lineno, *(one.lineno for one in node.decorator_list)]) <= at + 1
                            <= node.lineno]
    if not found:
        raise OSError("the class is not in the source")
    defined_by: dict[str, list[ast.stmt]] = {}
    for statement in module.body:
        for name in _defined(statement):
            defined_by.setdefault(name, []).append(statement)
    taken = [found[-1]]
    for one in taken:  # grows
        for node in ast.walk(one):
            if isinstance(node, ast.Name):
                taken += [other for other in defined_by.get(node.id, []) if other not in taken]
    return "\n".join(ast.dump(_without_docstrings(one)) for one in [taken[0], *sorted(taken[1:], key=_line_of)])


def _line_of(statement: Any) -> int:
    return int(statement.lineno)


def _defined(statement: ast.stmt) -> set[str]:
    """The names that a statement of a module defines."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(one.asname or one.name).partition(".")[0] for one in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _without_docstrings(statement: ast.AST) -> ast.AST:
    for node in ast.walk(statement):
        body = getattr(node, "body", None)
        if (isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and body
                and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
                and isinstance(body[0].value.value, str)):
            node.body = body[1:] or [ast.Pass()]
    return statement


def named_class(name: str) -> type[Named] | None:
    """The class "module:Class", imported if need be."""
    if name not in _known:
        try:
            importlib.import_module(name.partition(":")[0])
        except (ImportError, ValueError):
            return None
    return _known.get(name)


def class_of(sort: str, name: str) -> type[Named] | None:
    """The class "module:Class" of that sort, imported if need be."""
    cls = named_class(name)
    return cls if cls is not None and cls._sort == sort else None


def changed_sources(document: Any) -> list[str]:
    """A sentence for each class of a scenario whose source is another one than the scenario says. It is a hint where
    numbers differ: they decide, since sources change in what computes nothing, and numbers by what is no source."""
    return list(dict.fromkeys(change_of(name, was, now) for _, name, was, now in _with_sources(document)
                              if was != now))


def change_of(name: str, was: str, now: str) -> str:
    """What a changed source of a class is reported as."""
    return f"the source of {name} changed: {was[:8]} -> {now[:8] or 'not known'}"


def with_own_sources(document: Any) -> None:
    """Gives the classes of a scenario the digests of their sources as they are."""
    for section, _, _, now in _with_sources(document):
        section["source_sha256"] = now


def sections(document: Any) -> Iterator[dict[str, Any]]:
    """The sections of a scenario, or of a part of one, that name a class in Python.

    >>> own = {"kind": "python", "class": "own:Descent"}
    >>> list(sections({"algorithm": own, "problem": {"loss": {"kind": "squared"}}})) == [own]
    True
    """
    if isinstance(document, list):
        for one in document:
            yield from sections(one)
    elif isinstance(document, dict):
        if document.get("kind") == "python" and isinstance(document.get("class"), str):
            yield document
        yield from sections(list(document.values()))


def _with_sources(document: Any) -> Iterator[tuple[dict[str, Any], str, str, str]]:
    """The sections of classes that have a digest: with the class, the digest, and that of the source as it is."""
    for section in sections(document):
        was = section.get("source_sha256")
        cls = named_class(section["class"]) if was else None
        if cls is not None:
            yield section, name_of(cls), str(was), source_of(cls)


def made(sort: str, name: str, options: str) -> Named | tuple[str, str, str]:
    """The instance that a scenario asks for, or what is wrong: key, what was expected, what was found."""
    cls = class_of(sort, name)
    if cls is None:
        return "class", f"a class of {_bases[sort]} that can be imported", name
    given = json.loads(options)
    fields = options_of(cls)
    for key in given:
        if key not in fields:
            return "options", f"options of {name} ({', '.join(fields) or 'none'})", key
    for key, field in fields.items():
        if key not in given and field.default is field.default_factory is dataclasses.MISSING:
            return "options", f"a value of {key}, which {name} has no default for", "none"
    instance = cls(**given)
    wrong = instance._wrong()
    return instance if wrong is None else ("class", *wrong)
