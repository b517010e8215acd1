"""Type hints of lagnet.kinds, from the schema of the program that the package comes with: kinds.pyi, by which editors
complete and type checkers check scenarios."""

from __future__ import annotations

import json
import keyword
import pathlib
import subprocess
import textwrap
from typing import Any

Schema = dict[str, Any]

HEAD = '''\
"""Scenarios as objects; made from `lagnet schema` when the package was built."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

class Section(dict[str, Any]):
    def __init__(self, values: dict[str, Any] | None = ..., path: tuple[str, ...] = ...) -> None: ...
    def __dir__(self) -> Iterable[str]: ...

class Kind:
    def __init__(self, name: str, schema: dict[str, Any]) -> None: ...
    def __call__(self, **values: Any) -> dict[str, Any]: ...

class Family:
    def __init__(self, name: str, schema: dict[str, Any]) -> None: ...
    def __getattr__(self, name: str) -> Kind: ...
    def __dir__(self) -> Iterable[str]: ...

def names() -> list[str]: ...
'''


class Stubs:
    """Writes them for one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.classes: list[str] = []  # of sections, those first that others name

    def resolved(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self.schema["$defs"][schema["$ref"].rpartition("/")[2]]
        return schema

    def choices(self, schema: Schema) -> list[Schema]:
        schema = self.resolved(schema)
        if "oneOf" in schema or "anyOf" in schema:
            return [choice for one in schema.get("oneOf") or schema["anyOf"] for choice in self.choices(one)]
        return [schema]

    def type_of(self, schema: Schema, more: str = "") -> str:
        """What a value of the schema may be; `more` is another type that numbers may be."""
        found: list[str] = []
        for one in self.choices(schema):
            found += self._types(one, more)
        return "Any" if "Any" in found else " | ".join(dict.fromkeys(found))

    def _types(self, schema: Schema, more: str) -> list[str]:
        if "const" in schema:
            return [f"Literal[{schema['const']!r}]"]
        if "enum" in schema:
            return ["Literal[" + ", ".join(repr(one) for one in schema["enum"]) + "]"]
        kinds = schema.get("type", "any")
        found = []
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            found.append({"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None",
                          "object": "Mapping[str, Any]"}.get(kind, "Any"))
            if kind == "array":
                found[-1] = f"Sequence[{self.type_of(schema['items'])}]"
            elif kind in ("integer", "number") and more:
                found.append(more)
        return found

    def function(self, name: str, schema: Schema, tag: str | None, indent: str) -> str:
        """What makes a section, or one of a kind."""
        keys = {key: one for key, one in schema["properties"].items() if key != tag}
        more = 'Literal["tune"]' if indent and self.algorithms else ""
        parameters = [f"{key}_" if keyword.iskeyword(key) else key for key in keys]
        typed = [f"{parameter}: {self.type_of(one, more)}" + ("" if key in schema.get("required", []) else " = ...")
                 for parameter, (key, one) in zip(parameters, keys.items())]
        summary = schema["properties"][tag].get("description", "") if tag else schema.get("description", name)
        words = [summary, "", *(f"{key}: {one.get('description', '')}" for key, one in keys.items())]
        text = "\n".join(words).rstrip().replace("\\", "\\\\").replace('"""', "'''")
        first = f"{indent}@staticmethod\n" if indent else ""
        star = f"*, {', '.join(typed)}" if typed else ""
        body = textwrap.indent(f'"""{text}"""\n...\n'.replace('""""', '" """'), indent + "    ")
        return f"{first}{indent}def {name}({star}) -> dict[str, Any]:\n{body}"

    algorithms = False

    def family(self, name: str, schema: Schema) -> str:
        """A class with a function for each kind."""
        self.algorithms = name == "algorithm"
        text = ""
        for one in self.choices(schema):
            for tag in ("kind", "source"):
                if "const" in one.get("properties", {}).get(tag, {}):
                    text += self.function(one["properties"][tag]["const"], one, tag, "    ")
                    break
        self.algorithms = False
        return f"class _{name}(Family):\n{text}\n{name}: _{name}\n"

    def section(self, name: str, schema: Schema) -> str:
        """A class with an attribute for each key; its name."""
        called = "".join(word.capitalize() for word in name.split("_"))
        lines = []
        for key, one in schema["properties"].items():
            sections = [choice for choice in self.choices(one) if "properties" in choice
                        and not any("const" in choice["properties"].get(tag, {}) for tag in ("kind", "source"))]
            if sections and len(self.choices(one)) == 1 and one.get("type") == "object":
                lines.append(f"    {key}: {self.section(f'{name}_{key}', sections[0])}")
            elif sections or "$ref" in one:
                lines.append(f"    {key}: Any")  # given as a dictionary, and asked for by its keys
            else:
                lines.append(f"    {key}: {self.type_of(one)}")
        self.classes.append(f"class {called}(Section):\n" + "\n".join(lines) + "\n")
        return called

    def scenario(self) -> str:
        """Scenario, with its constructor."""
        self.section("scenario", self.schema)
        typed = ", ".join(f"{key}: {self.type_of(one)} = ..." for key, one in self.schema["properties"].items())
        return (self.classes.pop() +
                f"    def __init__(self, values: dict[str, Any] = ..., /, *, {typed}) -> None: ...\n"
                "    @classmethod\n    def read(cls, path: str | os.PathLike[str]) -> Scenario: ...\n")

    def text(self) -> str:
        scenario = self.scenario()
        made = []
        properties = self.schema["properties"]
        sections = [key for key, one in properties.items() if "$ref" in one or "properties" in one]
        for name in sorted({*self.schema["$defs"], *sections}):
            one = properties.get(name) or self.schema["$defs"][name]
            is_family = "$ref" in one or "oneOf" in one
            made.append(self.family(name, one) if is_family else self.function(name, one, None, ""))
        return "\n".join([HEAD, *self.classes, scenario, *made])


def of_schema(schema: Schema) -> str:
    return Stubs(schema).text()


def of_program(program: pathlib.Path) -> str:
    """The hints for what this program understands."""
    told = subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout
    return of_schema(json.loads(told))
