"""Which form a file has, by its content."""

from __future__ import annotations

import pathlib
from types import ModuleType

from ..errors import InputError
from . import decent_bench, flower, mahimahi, shadow, simgrid

FORMS: dict[str, ModuleType] = {module.NAME: module for module in (decent_bench, flower, simgrid, shadow, mahimahi)}
HEAD = 1 << 16  # bytes that are looked at
LARGEST = 64 << 20


def form_of(file: pathlib.Path, named: str | None) -> ModuleType:
    """The module that reads the file: that of the form which is named, or the one that recognizes it."""
    if named is not None:
        if named not in FORMS:
            raise InputError(f"import: --from: expected one of {', '.join(FORMS)}, found {named}")
        return FORMS[named]
    head = file.read_bytes()[:HEAD].decode("utf-8", errors="replace").removeprefix("\ufeff")
    found = [module for module in FORMS.values() if module.recognize(file, head)]
    if len(found) == 1:
        return found[0]
    forms = ", ".join(f"{module.CALLED} ({name})" for name, module in FORMS.items())
    was = "none of them" if not found else "what may be each of " + " and ".join(module.NAME for module in found)
    raise InputError(f"{file}: expected {forms}, found {was}; --from says which it is")


def check_readable(file: pathlib.Path) -> None:
    """InputError where the file is not there, or too large to be one of these."""
    try:
        if not file.is_file():
            raise InputError(f"{file}: expected a file, found {'a folder' if file.is_dir() else 'nothing'}")
        size = file.stat().st_size
        with open(file, "rb"):
            pass
    except OSError as error:
        raise InputError(f"{file}: expected a file that can be read, found: {error.strerror}") from error
    if size > LARGEST:
        raise InputError(f"{file}: expected at most {LARGEST} bytes, found {size}")
