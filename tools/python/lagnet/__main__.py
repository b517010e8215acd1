"""`python -m lagnet`, and the command `lagnet` that pip installs: the program itself."""

import os
import sys
from typing import NoReturn

from .process import program


def main() -> NoReturn:
    path = program()
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
