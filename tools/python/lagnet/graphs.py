"""Graphs of networkx as topologies, and the links of a run as a graph of networkx."""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

from . import arrays
from .errors import Problem, ScenarioError

# What an edge may say about its link, and the key of network.links that it becomes.
LINK_KEYS = ("latency_ms", "bandwidth_bytes_per_s")


def is_graph(value: Any) -> bool:
    return hasattr(value, "is_directed") and hasattr(value, "edges") and hasattr(value, "nodes")


def agents_of(graph: Any) -> dict[Any, int]:
    """The agent that each node is: its own number where the nodes are 0 .. n-1, else its place among the nodes."""
    nodes = list(graph.nodes)
    if set(nodes) == set(range(len(nodes))):
        return {node: int(node) for node in nodes}
    return {node: k for k, node in enumerate(nodes)}


def sections_of(topology: Any, folder: pathlib.Path) -> dict[str, Any]:
    """The sections `topology` and, where edges have latencies or bandwidths of their own, the `links` of the section
    `network`, of a graph, of a list of edges, or of a section that is one already. Edges of a graph may have `weight`,
    `latency_ms` and `bandwidth_bytes_per_s`; weighted edges stand in a file in the folder. A directed graph with an
    edge whose opposite is missing is a topology of one-way links, one with both directions everywhere an undirected
    one."""
    if isinstance(topology, Mapping):
        return {"topology": topology}
    if not is_graph(topology):
        edges = [tuple(int(end) for end in edge) for edge in topology]
        if any(len(edge) != 2 for edge in edges):
            raise TypeError("topology: expected a graph, a mapping, or edges of two agents each")
        agents = 1 + max(itertools.chain.from_iterable(edges), default=0)
        return {"topology": {"kind": "edges", "agents": agents, "edges": [list(edge) for edge in edges]}}
    if topology.is_multigraph():
        raise ScenarioError([Problem("/topology", "a simple graph", "a multigraph")])
    return _graph_sections(topology, folder)


def _graph_sections(graph: Any, folder: pathlib.Path) -> dict[str, Any]:
    agent = agents_of(graph)
    arcs = [(agent[a], agent[b], values) for a, b, values in graph.edges(data=True)]
    there = {(a, b): values for a, b, values in arcs}
    both_ways = not graph.is_directed()
    one_way = graph.is_directed() and any((b, a) not in there for a, b in there)
    edges = arcs if both_ways or one_way else _once(there)
    section: dict[str, Any]
    if any("weight" in values for _, _, values in edges):
        weighted = [(a, b, float(values.get("weight", 1.0))) for a, b, values in edges]
        section = {"kind": "edge_list", "agents": len(agent), "path": str(arrays.write_edges(weighted, folder))}
    else:
        section = {"kind": "edges", "agents": len(agent), "edges": [[a, b] for a, b, _ in edges]}
    if one_way:
        section["directed"] = True
    links = _links(arcs, both_ways)
    return {"topology": section, "links": links} if links else {"topology": section}


def _once(there: Mapping[tuple[int, int], dict[str, Any]]) -> list[tuple[int, int, dict[str, Any]]]:
    """Each edge once of a directed graph that has every edge in both directions: as a topology it is undirected, for
    methods that send both ways, and its edges have one weight."""
    for (a, b), values in there.items():
        if values.get("weight", 1.0) != there[b, a].get("weight", 1.0):
            raise ScenarioError([Problem("/topology", f"one weight of the edge between {a} and {b}", "two")])
    return [(a, b, values) for (a, b), values in there.items() if a <= b]


def _links(arcs: list[tuple[int, int, dict[str, Any]]], both_ways: bool) -> list[dict[str, Any]]:
    """network.links: those that have the same latency and bandwidth together."""
    alike: dict[tuple[Any, ...], list[list[int]]] = {}
    for a, b, values in arcs:
        own = tuple(None if values.get(key) is None else float(values[key]) for key in LINK_KEYS)
        if any(value is not None for value in own):
            alike.setdefault(own, []).append([a, b])
    return [{"links": links, **{key: value for key, value in zip(LINK_KEYS, own) if value is not None},
             **({} if both_ways else {"both_ways": False})} for own, links in alike.items()]


def graph_of(agents: Iterable[Mapping[str, Any]], links: Iterable[Mapping[str, Any]]) -> Any:
    """A networkx.DiGraph: nodes have what agents.csv says, edges what links.csv says, and latency_ms."""
    import networkx

    graph = networkx.DiGraph()
    for row in agents:
        graph.add_node(row["agent"], **{key: value for key, value in row.items() if key != "agent"})
    for row in links:
        values = {key: value for key, value in row.items() if key not in ("from", "to")}
        graph.add_edge(row["from"], row["to"], **values, latency_ms=row["latency_s"] * 1000)
    return graph
