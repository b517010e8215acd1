"""Graphs of networkx as topologies, and the links of a run as a graph of networkx."""

from __future__ import annotations

import itertools
import numbers
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from . import arrays
from .errors import InputError, Problem, ScenarioError

# What the two directions of a link may have of their own, and the keys of network.links that they become.
LINK_KEYS = ("latency_ms", "bandwidth_bytes_per_s")


def is_graph(value: Any) -> bool:
    return hasattr(value, "is_directed") and hasattr(value, "edges") and hasattr(value, "nodes")


def agents_of(graph: Any) -> dict[Any, int]:
    """The agent that each node is: its own number where the nodes are 0 .. n-1, as numbers or as texts, else its place
    among the nodes."""
    nodes = list(graph.nodes)
    if set(nodes) == set(range(len(nodes))) or set(nodes) == set(map(str, range(len(nodes)))):
        return {node: int(node) for node in nodes}
    return {node: k for k, node in enumerate(nodes)}


def sections_of(topology: Any, folder: pathlib.Path) -> dict[str, Any]:
    """The sections `topology` and, where edges have latencies or bandwidths of their own, the `links` of the section
    `network`, of a graph, of a list of edges, or of a section that is one already. A graph whose nodes have names, or
    whose nodes or edges have attributes, is a GraphML file in the folder, which lagnet reads like any other. A directed
    graph with an edge whose opposite is missing is a topology of one-way links, one with both directions everywhere an
    undirected one."""
    if isinstance(topology, Mapping):
        return {"topology": topology}
    if not is_graph(topology):
        try:
            edges = [tuple(int(end) for end in edge) for edge in topology]
        except (TypeError, ValueError):
            edges = [()]
        if any(len(edge) != 2 for edge in edges):
            raise InputError("topology: expected a graph, a mapping such as {\"kind\": \"ring\", \"agents\": 8}, or "
                             f"edges of two agents each, found {topology!r:.60}")
        agents = 1 + max(itertools.chain.from_iterable(edges), default=0)
        return {"topology": {"kind": "edges", "agents": agents, "edges": [list(edge) for edge in edges]}}
    if topology.is_multigraph():
        raise ScenarioError([Problem("/topology", "a simple graph; write_graphml() and {\"kind\": \"graphml\", "
                                     "\"parallel_edges\": \"merge\"} make one of parallel edges", "a multigraph")])
    return _graph_sections(topology, folder)


def _graph_sections(graph: Any, folder: pathlib.Path) -> dict[str, Any]:
    agent = agents_of(graph)
    arcs = [(agent[a], agent[b], dict(values)) for a, b, values in graph.edges(data=True)]
    there = {(a, b): values for a, b, values in arcs}
    one_way = graph.is_directed() and any((b, a) not in there for a, b in there)
    links = [] if one_way or not graph.is_directed() else _take_links(there)
    edges = arcs if one_way or not graph.is_directed() else _once(there)
    nodes = sorted((number, str(node), graph.nodes[node]) for node, number in agent.items())
    if any(values for _, _, values in edges) or any(name != str(k) or values for k, name, values in nodes):
        section: dict[str, Any] = {"kind": "graphml", "path": str(arrays.write_text(
            _graphml(nodes, edges, one_way), folder, ".graphml"))}
    else:
        section = {"kind": "edges", "agents": len(agent), "edges": [[a, b] for a, b, _ in edges]}
    if one_way:
        section["directed"] = True
    return {"topology": section, "links": links} if links else {"topology": section}


def _take_links(there: Mapping[tuple[int, int], dict[str, Any]]) -> list[dict[str, Any]]:
    """network.links: those whose directions differ, with what is theirs alone, which the edges then lack; those that
    have the same latency and bandwidth together."""
    alike: dict[tuple[Any, ...], list[list[int]]] = {}
    own = {ends: tuple(None if values.get(key) is None else float(values[key]) for key in LINK_KEYS)
           for ends, values in there.items()}
    for (a, b), values in there.items():
        if own[a, b] == own[b, a]:
            continue
        if any(value is not None for value in own[a, b]):
            alike.setdefault(own[a, b], []).append([a, b])
        for key in LINK_KEYS:
            values.pop(key, None)
    return [{"links": links, **{key: value for key, value in zip(LINK_KEYS, both) if value is not None},
             "both_ways": False} for both, links in alike.items()]


def _once(there: Mapping[tuple[int, int], dict[str, Any]]) -> list[tuple[int, int, dict[str, Any]]]:
    """Each edge once of a directed graph that has every edge in both directions: as a topology it is undirected, for
    methods that send both ways, and its edges have one value of each attribute."""
    for (a, b), values in there.items():
        for key in values.keys() | there[b, a].keys():
            if values.get(key) != there[b, a].get(key):
                raise ScenarioError([Problem("/topology", f"one {key} of the edge between {a} and {b}", "two")])
    return [(a, b, values) for (a, b), values in there.items() if a <= b]


def _graphml(nodes: Iterable[tuple[int, str, Mapping[str, Any]]], edges: Iterable[tuple[int, int, Mapping[str, Any]]],
             directed: bool) -> Iterator[str]:
    """The lines of a GraphML file: nodes by the numbers of their agents, with their names as labels."""
    nodes, edges = list(nodes), list(edges)
    keys = {"node": sorted({"label", *(str(key) for _, _, values in nodes for key in values)}),
            "edge": sorted({str(key) for _, _, values in edges for key in values})}
    yield "<graphml>\n"
    for kind, names in keys.items():
        for place, name in enumerate(names):
            yield f'<key id="{kind}{place}" for="{kind}" attr.name={quoteattr(name)} attr.type="string"/>\n'

    def data(kind: str, values: Mapping[str, Any]) -> str:
        texts = {str(key): repr(float(value)) if isinstance(value, numbers.Real) else str(value)
                 for key, value in values.items() if value is not None}
        return "".join(f'<data key="{kind}{keys[kind].index(key)}">{escape(text)}</data>'
                       for key, text in texts.items())

    yield f'<graph edgedefault="{"directed" if directed else "undirected"}">\n'
    for number, name, values in nodes:
        label = {} if name == str(number) else {"label": name}
        yield f'<node id="{number}">{data("node", {**label, **values})}</node>\n'
    for a, b, values in edges:
        yield f'<edge source="{a}" target="{b}">{data("edge", values)}</edge>\n'
    yield "</graph></graphml>\n"


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
