"""Calls of networkx that make a graph, as topologies of lagnet."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from .drafts import Draft, Faults
from .python_code import UNKNOWN, Made

Topology = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Family:
    """A function of networkx: its parameters, what lagnet calls its graph, and whether lagnet draws another one."""

    parameters: tuple[str, ...]
    topology: Callable[..., Topology]
    is_drawn: bool = False


def _star(n: int) -> Topology:
    return {"kind": "star", "agents": n + 1}


def _grid(m: int, n: int, periodic: bool = False) -> Topology:
    return {"kind": "lattice", "agents": m * n, "rows": m, "columns": n, "torus": periodic, "hub_at_center": False}


def _random_regular(d: int, n: int) -> Topology:
    return {"kind": "random_regular", "agents": n, "degree": d}


def _erdos_renyi(n: int, p: float) -> Topology:
    return {"kind": "erdos_renyi", "agents": n, "probability": p}


def _watts_strogatz(n: int, k: int, p: float) -> Topology:
    return {"kind": "watts_strogatz", "agents": n, "degree": k - k % 2, "rewiring": p}


def _barabasi_albert(n: int, m: int) -> Topology:
    return {"kind": "barabasi_albert", "agents": n, "edges_per_agent": m}


def _of(kind: str) -> Callable[[int], Topology]:
    return lambda n: {"kind": kind, "agents": n}


FAMILIES = {
    "cycle_graph": Family(("n",), _of("ring")),
    "complete_graph": Family(("n",), _of("complete")),
    "path_graph": Family(("n",), _of("path")),
    "star_graph": Family(("n",), _star),
    "hypercube_graph": Family(("n",), lambda n: {"kind": "hypercube", "agents": 2 ** min(n, 30)}),
    "grid_2d_graph": Family(("m", "n", "periodic"), _grid),
    "random_regular_graph": Family(("d", "n"), _random_regular, True),
    "erdos_renyi_graph": Family(("n", "p"), _erdos_renyi, True),
    "gnp_random_graph": Family(("n", "p"), _erdos_renyi, True),
    "fast_gnp_random_graph": Family(("n", "p"), _erdos_renyi, True),
    "watts_strogatz_graph": Family(("n", "k", "p"), _watts_strogatz, True),
    "connected_watts_strogatz_graph": Family(("n", "k", "p"), _watts_strogatz, True),
    "barabasi_albert_graph": Family(("n", "m"), _barabasi_albert, True),
}


def topology_of(made: Any, draft: Draft, faults: Faults, line: int) -> Topology | None:
    """The topology; None with a fault where the graph is no call of these with values."""
    if isinstance(made, Made) and made.name in ("Graph", "from_edgelist") and made.arguments:
        return _edges(made.arguments[0], faults, line)
    if not isinstance(made, Made) or made.name not in FAMILIES:
        faults.add(line, f"a graph of networkx, by {', '.join(FAMILIES)} or Graph([..]), or --set topology=..",
                   f"{made.name}(..)" if isinstance(made, Made) else "an expression")
        return None
    family = FAMILIES[made.name]
    given = {**dict(zip(family.parameters, made.arguments)), **made.keywords}
    values = {key: given[key] for key in family.parameters if key in given}
    required = [key for key in family.parameters if key != "periodic"]
    wrong = [key for key in required if key not in values or values[key] is UNKNOWN or isinstance(values[key], bool) or
             not isinstance(values[key], (int, float) if key == "p" else int) or values[key] < (0 if key == "p" else 1)]
    if wrong or not isinstance(values.get("periodic", False), bool):
        faults.add(line, f"{made.name}({', '.join(family.parameters)}) with values",
                   ", ".join(wrong or ["periodic"]) + " without one")
        return None
    if made.name == "random_regular_graph" and (values["d"] >= values["n"] or values["d"] * values["n"] % 2):
        faults.add(line, "random_regular_graph(d, n) with a degree d below the number of nodes n, and d n even",
                   f"d={values['d']}, n={values['n']}")
        return None
    if family.is_drawn:
        draft.assume("topology", f"another draw of the family than that of networkx's {made.name}.")
    return family.topology(**values)


def _edges(listed: Any, faults: Faults, line: int) -> Topology | None:
    pairs = listed if isinstance(listed, list) else []
    fine = [pair for pair in pairs if isinstance(pair, list) and len(pair) >= 2 and
            all(isinstance(end, int) and not isinstance(end, bool) and end >= 0 for end in pair[:2])]
    if not pairs or len(fine) < len(pairs):
        faults.add(line, "a list of edges, each with two numbers of nodes from 0", "another one")
        return None
    nodes = sorted({end for pair in fine for end in pair[:2]})
    if nodes != list(range(len(nodes))):
        faults.add(line, f"nodes 0 to {len(nodes) - 1}", f"{', '.join(map(str, nodes[:10]))}")
        return None
    edges = sorted({tuple(sorted(pair[:2])) for pair in fine})
    return {"kind": "edges", "agents": len(nodes), "edges": [list(edge) for edge in edges]}
