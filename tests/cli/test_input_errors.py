"""Wrong input: every problem in one clear line, all of them at once, status 2, and nothing is written."""

import gzip

from support import SMALL, Case, changed

LIBSVM = {"source": "libsvm", "path": "data.libsvm"}
EDGES = {"kind": "edge_list", "path": "edges.csv", "agents": 5}

# What is wrong: changes of the small scenario, and the lines, in which {d} stands for the folder.
SCENARIOS = [
    ("two sections at once",
     {"/stop/rounds": 0, "/topology/agents": "five", "/problem/regularizer/weight": -1, "/algorithm/tauu": 1},
     ['/problem/regularizer/weight: expected a number at least 0, found -1']),
]
