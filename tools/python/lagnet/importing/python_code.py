"""What a Python file says, by its syntax tree: calls, and the values of simple expressions. Nothing is executed."""

from __future__ import annotations

import ast
import dataclasses
import operator
import pathlib
import warnings
from collections.abc import Iterator
from typing import Any

from ..errors import InputError

LONGEST = 1_000_000  # elements of a list that is multiplied
DEEPEST = 100


class _Unknown:
    """The value of what is more than a simple expression."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()


@dataclasses.dataclass
class Made:
    """What a call stands for: the name of what is called, and values of its arguments."""

    name: str
    call: ast.Call
    arguments: list[Any]
    keywords: dict[str, Any]


@dataclasses.dataclass
class Module:
    """A file and its syntax tree."""

    path: pathlib.Path
    tree: ast.Module

    def calls(self) -> Iterator[tuple[ast.Call, str]]:
        """Every call in the order of the file, and the last part of the name of what is called."""
        calls = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
        for call in sorted(calls, key=lambda one: (one.lineno, one.col_offset)):
            yield call, last_name(call.func)

    def classes(self) -> dict[str, list[str]]:
        """The last parts of the names of the bases of each class."""
        return {node.name: [last_name(base) for base in node.bases] for node in ast.walk(self.tree)
                if isinstance(node, ast.ClassDef)}

    def assignments(self) -> dict[str, list[ast.expr]]:
        """What is assigned to each name, anywhere in the file."""
        found: dict[str, list[ast.expr]] = {}
        for node in ast.walk(self.tree):
            targets = node.targets if isinstance(node, ast.Assign) else (
                [node.target] if isinstance(node, ast.AnnAssign) else [])
            value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
            for target in targets:
                if isinstance(target, ast.Name) and value is not None:
                    found.setdefault(target.id, []).append(value)
        return found


def parsed(path: pathlib.Path) -> Module:
    """InputError where it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Module(path, ast.parse(path.read_bytes()))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"{path}: {f'line {line}: ' if line else ''}expected Python, found: "
                         f"{getattr(error, 'msg', None) or error}") from error


def last_name(node: ast.expr) -> str:
    """The last part of a name: DGD of decent_bench.DGD; "" of anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


OPERATORS: dict[type, Any] = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
                              ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv}


class Scope:
    """Values of expressions: constants, names that are assigned once, arithmetic, lists, and calls as `Made`."""

    def __init__(self, module: Module, named: dict[str, Any] | None = None) -> None:
        self.assigned = module.assignments()
        self.named = named or {}

    def value(self, node: ast.expr | None, depth: int = 0) -> Any:
        if node is None or depth > DEEPEST:
            return UNKNOWN
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) in self.named:
            return self.named[last_name(node)]
        if isinstance(node, ast.Name):
            values = self.assigned.get(node.id, [])
            return self.value(values[0], depth + 1) if len(values) == 1 else UNKNOWN
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(one, depth + 1) for one in node.elts]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self.value(node.operand, depth + 1)
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                return UNKNOWN
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return _combined(node.op, self.value(node.left, depth + 1), self.value(node.right, depth + 1))
        if isinstance(node, ast.Subscript):
            return _member(self.value(node.value, depth + 1), self.value(node.slice, depth + 1))
        return self._called(node, depth) if isinstance(node, ast.Call) else UNKNOWN

    def _called(self, node: ast.Call, depth: int) -> Any:
        name = last_name(node.func)
        if name == "get" and isinstance(node.func, ast.Attribute) and node.args:
            whole = self.value(node.func.value, depth + 1)
            if isinstance(whole, dict):  # run_config.get("fraction-fit", 1.0)
                key = self.value(node.args[0], depth + 1)
                default = self.value(node.args[1], depth + 1) if len(node.args) > 1 else None
                return _member(whole, key) if isinstance(key, str) and key in whole else default
        arguments = [self.value(one, depth + 1) for one in node.args]
        if name in ("int", "float") and len(arguments) == 1 and isinstance(arguments[0], (int, float)):
            return int(arguments[0]) if name == "int" else float(arguments[0])
        named = {word.arg: self.value(word.value, depth + 1) for word in node.keywords if word.arg}
        return Made(name, node, arguments, named)


def _combined(kind: ast.operator, left: Any, right: Any) -> Any:
    lists = [one for one in (left, right) if isinstance(one, list)]
    numbers = [one for one in (left, right) if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if isinstance(kind, ast.Pow) and len(numbers) == 2:
        return left ** right if abs(right) <= 64 and abs(left) <= 1e6 and left > 0 else UNKNOWN
    if isinstance(kind, ast.Add) and len(lists) == 2:
        return left + right
    if isinstance(kind, ast.Mult) and len(lists) == 1 and len(numbers) == 1 and isinstance(numbers[0], int):
        return lists[0] * numbers[0] if len(lists[0]) * max(numbers[0], 0) <= LONGEST else UNKNOWN
    if len(numbers) == 2 and type(kind) in OPERATORS:
        try:
            return OPERATORS[type(kind)](left, right)
        except (ArithmeticError, ValueError):
            return UNKNOWN
    return UNKNOWN


def _member(whole: Any, key: Any) -> Any:
    if isinstance(whole, dict) and isinstance(key, str) and key in whole:
        return whole[key]
    return UNKNOWN
