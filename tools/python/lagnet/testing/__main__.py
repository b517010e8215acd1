"""`python -m lagnet.testing hunt REQUEST`: what the program calls, with its options as JSON."""

import json
import os
import sys

from .hunt import main  # noqa

if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())  # where classes are, as of `python -m`
    sys.exit(main(json.loads(sys.argv[2])))
