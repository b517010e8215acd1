"""`python -m lagnet.testing hunt REQUEST`: what the program calls, with its options as JSON."""

import importlib
import json
import os
import sys

if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())  # where classes are, as of `python -m`
    sys.exit(importlib.import_module(f"lagnet.testing.{sys.argv[1]}").main(json.loads(sys.argv[2])))
