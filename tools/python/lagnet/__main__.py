"""`python -m lagnet`, and the command `lagnet` that pip installs: the program itself; but for `check` of a folder of
golden scenarios that name classes in Python, which run in this process."""

import os
import pathlib
import sys
from typing import NoReturn

from . import proofs
from .errors import LagnetError, exit_status
from .process import program


def _checked(arguments: list[str]) -> int | None:
    """The exit status of `check FOLDER [--update]` where scenarios there name classes in Python."""
    folders = [word for word in arguments[1:] if not word.startswith("-")]
    if arguments[:1] != ["check"] or len(folders) != 1 or set(arguments[1:]) - {folders[0], "--update"}:
        return None
    folder = pathlib.Path(folders[0])
    if not proofs.scenarios_with_classes(folder):
        return None
    sys.path.insert(0, os.getcwd())  # where classes are, as of `python -m`
    update = "--update" in arguments
    try:
        goldens = proofs.check(folder, update)
    except LagnetError as error:
        print(f"check: {error}", file=sys.stderr)
        return exit_status(error)
    assert isinstance(goldens, proofs.Goldens)
    print(goldens.text(update))
    return 0 if goldens.same else 1


def main() -> NoReturn:
    status = _checked(sys.argv[1:])
    if status is not None:
        sys.exit(status)
    try:
        path = program()
    except LagnetError as error:
        print(f"lagnet: {error}", file=sys.stderr)
        sys.exit(exit_status(error))
    os.environ.setdefault("LAGNET_PYTHON", sys.executable)  # for commands that come back
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
