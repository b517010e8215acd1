"""The files of classes in Python: the module of each, and what this imports from beside it."""

from __future__ import annotations

import ast
import importlib
import pathlib
import sys
from collections.abc import Iterator

from . import archives


class Sources:
    """Files by their names below one folder, from which the classes can be imported again."""

    def __init__(self) -> None:
        self.files: dict[str, pathlib.Path] = {}

    def add(self, name: str) -> list[str]:
        """The class "module:Class", and what is wrong with it."""
        module = name.partition(":")[0]
        expected = f"expected the class {name} in a module that can be imported"
        if module == "__main__":
            return [f"{expected}, found one of a script or a prompt; move it into a file, and run it again"]
        try:
            found = importlib.import_module(module)
        except Exception as error:  # of the user's code
            return [f"{expected}, found {type(error).__name__}: {error}"]
        file = getattr(found, "__file__", None)
        if file is None or pathlib.Path(file).suffix != ".py":
            return [f"{expected} with a source, found none"]
        return self._add(module, pathlib.Path(file).resolve())

    def _add(self, module: str, file: pathlib.Path) -> list[str]:
        parts = module.split(".")
        inner = [*parts, "__init__"] if file.name == "__init__.py" else parts
        root = file.parents[len(inner) - 1]
        todo = [file, *_packages(root, file)]
        wrong = []
        while todo:
            one = todo.pop()
            name = one.relative_to(root).as_posix()
            if name in self.files:
                if self.files[name] != one:
                    wrong.append(f"expected one file {name} for all classes, found {self.files[name]} and {one}")
                continue
            if bad := archives.problem_of_name(name):
                wrong.append(f"{one}: expected {bad}, found another one")
            self.files[name] = one
            try:
                todo += _imported(one, root)
            except (SyntaxError, ValueError) as error:
                wrong.append(f"{one}: expected a module, found {error}")
        return wrong


def _packages(root: pathlib.Path, file: pathlib.Path) -> list[pathlib.Path]:
    """The __init__.py of the packages that a module is in."""
    folders = [folder for folder in file.parents if folder != root and root in folder.parents]
    return [folder / "__init__.py" for folder in folders if (folder / "__init__.py").is_file()]


def _imported(file: pathlib.Path, root: pathlib.Path) -> Iterator[pathlib.Path]:
    """The files below `root` that a module imports; what is elsewhere is an installed package."""
    package = file.parent.relative_to(root).parts
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names: list[tuple[str, ...]] = []
        if isinstance(node, ast.Import):
            names = [tuple(one.name.split(".")) for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[:len(package) - node.level + 1] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            names = [base, *((*base, one.name) for one in node.names)]
        for name in names:
            if not name or name[0] in sys.stdlib_module_names or name[0] == "lagnet":
                continue
            for path in (root.joinpath(*name[:-1], f"{name[-1]}.py"), root.joinpath(*name, "__init__.py")):
                if path.is_file():
                    yield path
                    yield from _packages(root, path)
