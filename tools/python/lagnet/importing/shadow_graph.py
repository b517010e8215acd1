"""The network graph of Shadow: GML, as of Shadow 2 and later, or GraphML with the same attributes or those of Shadow
1."""

from __future__ import annotations

import dataclasses
import pathlib
import warnings
from decimal import Decimal
from typing import Any

from . import xml_tree
from .drafts import Faults, quoted
from .units import BINARY_PREFIXES, LONG_PREFIXES, factor_of, plain_number, scaled

UNITS_MS = {"ns nanosecond nanoseconds": "1e-6", "us \u03bcs microsecond microseconds": "1e-3",
            "ms millisecond milliseconds": "1", "s sec secs second seconds": "1e3",
            "m min mins minute minutes": "6e4", "h hr hrs hour hours": "3.6e6"}
TIMES = {"": Decimal(1000)}
TIMES.update({_unit: Decimal(_factor) for _units, _factor in UNITS_MS.items() for _unit in _units.split()})
BANDWIDTHS = {f"{_prefix}bit": (factor_of(_prefix) or Decimal(1)) / 8
              for _prefix in ["", "K", "M", "G", "T", *list(BINARY_PREFIXES)[:4], *LONG_PREFIXES]}  # in bytes a second
BANDWIDTHS.update({f"{unit}s": factor for unit, factor in list(BANDWIDTHS.items())})
BANDWIDTHS[""] = Decimal(1) / 8


def bandwidth(text: str) -> Decimal | None:
    """A bandwidth in bytes a second.

    >>> float(bandwidth("100 Mbit")), bandwidth("fast")
    (12500000.0, None)
    """
    value = scaled(text, BANDWIDTHS)
    return value if value is not None and value >= 1 else None


@dataclasses.dataclass(frozen=True)
class Edge:
    """An edge: its latency, and the probability that it loses a packet."""

    latency_ms: float
    loss: float

    def keys(self) -> dict[str, float]:
        """Of a link of an underlay."""
        return {"latency_ms": self.latency_ms, **({"loss_probability": self.loss} if self.loss else {})}


@dataclasses.dataclass
class Graph:
    """A network graph: bandwidths of hosts at its nodes, edges between nodes, and from nodes to themselves."""

    nodes: list[str] = dataclasses.field(default_factory=list)
    up: dict[str, float] = dataclasses.field(default_factory=dict)
    down: dict[str, float] = dataclasses.field(default_factory=dict)
    edges: dict[tuple[str, str], Edge] = dataclasses.field(default_factory=dict)
    loops: dict[str, Edge] = dataclasses.field(default_factory=dict)
    is_undirected: bool = True
    is_direct: bool = False  # messages take the edge between their nodes alone
    has_jitter: bool = False

    def has_losses(self) -> bool:
        return any(edge.loss for edge in [*self.edges.values(), *self.loops.values()])


def read(file: pathlib.Path, text: str, faults: Faults) -> Graph:
    """The graph that a text is; without nodes, and with faults, where it is none."""
    import networkx
    is_graphml = "<graphml" in text
    if is_graphml and xml_tree.parsed(file, faults) is None:
        return Graph()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = networkx.parse_graphml(text) if is_graphml else networkx.parse_gml(text, label="id")
    except faults_of_parsing() as error:
        faults.add("", "a graph in GraphML" if is_graphml else "a graph in GML", str(error) or type(error).__name__)
        return Graph()
    return _checked(found, faults)


def faults_of_parsing() -> tuple[type[Exception], ...]:
    """What networkx raises at graphs that it cannot read."""
    import networkx
    return networkx.NetworkXException, ValueError, KeyError, TypeError, IndexError, AttributeError, SyntaxError


def _checked(found: Any, faults: Faults) -> Graph:
    graph = Graph(is_undirected=not found.is_directed())
    if found.is_multigraph() and len(set(found.edges())) < found.number_of_edges():
        faults.add("", "at most one edge between two nodes", "several")
    for node, values in found.nodes(data=True):
        graph.nodes.append(str(node))
        _rates(graph, str(node), values, faults)
    for first, second, values in found.edges(data=True):
        place = f"edge {first} - {second}"
        edge = _edge(place, values, faults)
        graph.has_jitter = graph.has_jitter or str(values.get("jitter", "0")).split(" ")[0] not in ("0", "0.0", "")
        if first == second:
            graph.loops[str(first)] = edge
        else:
            graph.edges[str(first), str(second)] = edge
    if not graph.nodes:
        faults.add("", "a graph with nodes", "none")
    return graph


def _rates(graph: Graph, node: str, values: dict[str, Any], faults: Faults) -> None:
    for of, key, old in ((graph.up, "host_bandwidth_up", "bandwidthup"),
                         (graph.down, "host_bandwidth_down", "bandwidthdown")):
        if key in values:
            rate = bandwidth(str(values[key]))
        elif old in values:  # KiB a second in Shadow 1
            number = scaled(str(values[old]), {"": Decimal(1024)})
            rate = number if number is not None and number >= 1 else None
        else:
            continue
        if rate is None:
            faults.add(f"node {node}", f'{key}, such as "100 Mbit"', quoted(values.get(key, values.get(old))))
        else:
            of[node] = plain_number(rate)


def _edge(place: str, values: dict[str, Any], faults: Faults) -> Edge:
    latency: Decimal | None = None
    if "latency" not in values:
        faults.add(place, 'latency, such as "10 ms"', "none")
    else:
        is_old = not isinstance(values["latency"], str) and "packetloss" in values  # a number of ms in Shadow 1
        latency = scaled(str(values["latency"]), {"": Decimal(1)} if is_old else TIMES)
        if latency is None or latency <= 0:
            faults.add(place, 'a latency above 0, such as "10 ms"', quoted(values["latency"]))
    loss = values.get("packet_loss", values.get("packetloss", 0.0))
    try:
        share = float(loss)
    except (TypeError, ValueError):
        share = -1.0
    if not 0 <= share <= 1:
        faults.add(place, "packet_loss from 0 to 1", quoted(loss))
        share = 0.0
    return Edge(plain_number(latency) if latency is not None and latency > 0 else 1, share)
