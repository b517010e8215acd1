"""`python -m lagnet.testing COMMAND JSON`, by which the program runs what is in Python: each command is a module with a
function `main`, which takes what the command line said, and gives the exit status."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback

from ..errors import LagnetError, exit_status

COMMANDS = {"prove": "lagnet.testing.prove", "hunt": "lagnet.testing.hunt", "artifact": "lagnet.testing.artifact",
            "reproduce": "lagnet.testing.reproduce", "import": "lagnet.importing.command",
            "league": "lagnet.league.command"}


def main(words: list[str]) -> int:
    """Runs a command; gives its exit status, or that of what it raises, 3 for an internal error."""
    if len(words) != 2 or words[0] not in COMMANDS:
        print(f"lagnet.testing: expected one of {', '.join(COMMANDS)}, and its options as JSON", file=sys.stderr)
        return 2
    if words[0] == "import":  # whose folder may be anybody's: nothing in it is executed
        sys.path[:] = [one for one in sys.path if one not in ("", os.getcwd())]
    else:
        sys.path.insert(0, os.getcwd())  # where classes are, as of `python -m`
    try:
        command = importlib.import_module(COMMANDS[words[0]])
        return int(command.main(json.loads(words[1])))
    except LagnetError as error:
        print(f"{words[0]}: {error}", file=sys.stderr)
        return exit_status(error)
    except BrokenPipeError:  # whoever read it has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        traceback.print_exc()
        print(f"{words[0]}: internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
