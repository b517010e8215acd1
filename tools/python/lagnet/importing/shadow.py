"""Networks of Shadow: shadow.yaml with its hosts, or the network graph alone, in GML or GraphML."""

from __future__ import annotations

import importlib
import pathlib
import re
from typing import Any

from . import shadow_graph
from .drafts import Draft, Faults, quoted
from .platforms import add_workload
from .shadow_graph import Graph
from .units import plain_number

NAME = "shadow"
CALLED = "a network of Shadow"
SWITCH = 'graph [ node [ id 0 host_bandwidth_up "1 Gbit" host_bandwidth_down "1 Gbit" ] ' \
         'edge [ source 0 target 0 latency "1 ms" packet_loss 0.0 ] ]'
MOST_AT_A_NODE = 200  # each pair of them has a link

Host = tuple[str, str, float | None, float | None]  # name, node, bytes a second up and down


def recognize(file: pathlib.Path, head: str) -> bool:
    if re.search(r"<graphml\b", head):
        return re.search(r"packet_?loss|host_bandwidth|bandwidthup", head) is not None
    if re.match(r"(#.*\n|\s)*(Creator[^\n]*\n\s*)?graph\s*\[", head):
        return "latency" in head
    return _is_yaml(head)


def _is_yaml(text: str) -> bool:
    """Whether a line begins the section `network`, and another one `hosts` or `general`, which Shadow requires."""
    begun = {line.partition(":")[0] for line in text.splitlines() if ":" in line}
    return "network" in begun and not begun.isdisjoint(("hosts", "general"))


def read(draft: Draft, faults: Faults) -> None:
    text = draft.file.read_text(encoding="utf-8", errors="replace")
    if _is_yaml(text):
        graph, hosts = _configuration(draft, faults, text)
    else:
        graph = shadow_graph.read(draft.file, text, faults)
        hosts = [(node, node, graph.up.get(node), graph.down.get(node)) for node in graph.nodes]
        draft.assume("topology", "one host at each node: a network graph has no hosts.")
    faults.check()
    if len(hosts) < 2:
        faults.add("", "two hosts or more", len(hosts))
    faults.check()
    _write(draft, faults, graph, hosts)


def _configuration(draft: Draft, faults: Faults, text: str) -> tuple[Graph, list[Host]]:
    """The graph and the hosts of shadow.yaml, in the order of their names, which is that of Shadow."""
    try:
        yaml = importlib.import_module("yaml")
    except ImportError:
        faults.add("", "PyYAML, which reads shadow.yaml; or the network graph by itself", "none that Python can import")
        return Graph(), []
    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        faults.add(mark.line + 1 if mark else "", "YAML", getattr(error, "problem", None) or type(error).__name__)
        return Graph(), []
    network = _object(document, "network", faults)
    hosts = _object(document, "hosts", faults)
    graph = _graph(draft, faults, _object(network, "graph", faults))
    if network.get("use_shortest_path") is False:
        graph.is_direct = True
    elif network.get("use_shortest_path", True) is not True:
        faults.add("network.use_shortest_path", "true or false", quoted(network["use_shortest_path"]))
    found = [_host(draft, faults, graph, str(name), hosts[name]) for name in sorted(hosts, key=str)]
    general = document.get("general") if isinstance(document, dict) else None
    if isinstance(general, dict):
        _general(draft, general)
    if "experimental" in document:
        draft.leave_out("network", "experimental options.")
    return graph, [host for host in found if host is not None]


def _object(document: Any, key: str, faults: Faults) -> dict[Any, Any]:
    value = document.get(key) if isinstance(document, dict) else None
    if not isinstance(value, dict) or not value:
        if not faults.problems:
            faults.add(key, "an object", "none" if value is None else quoted(value))
        return {}
    return value


def _graph(draft: Draft, faults: Faults, given: dict[Any, Any]) -> Graph:
    kind = given.get("type")
    if kind == "1_gbit_switch":
        return shadow_graph.read(draft.file, SWITCH, faults)
    if kind != "gml":
        if given:
            faults.add("network.graph.type", "gml or 1_gbit_switch", quoted(kind))
        return Graph()
    if isinstance(given.get("inline"), str):
        return shadow_graph.read(draft.file, given["inline"], faults)
    file = given.get("file")
    file = file if isinstance(file, dict) else {}
    path = file.get("path")
    if not isinstance(path, str):
        faults.add("network.graph", "inline, or file with a path", "neither")
        return Graph()
    if file.get("compression") is not None:
        faults.add("network.graph.file.compression", "none: unpack the file", quoted(file["compression"]))
        return Graph()
    where = draft.file.parent / pathlib.Path(path).expanduser()
    if not where.is_file():
        faults.add("network.graph.file.path", "a file", quoted(path))
        return Graph()
    of_graph = Faults(where)
    graph = shadow_graph.read(where, where.read_text(encoding="utf-8", errors="replace"), of_graph)
    of_graph.check()
    return graph


def _host(draft: Draft, faults: Faults, graph: Graph, name: str, given: Any) -> Host | None:
    if not isinstance(given, dict):
        faults.add(f"hosts.{name}", "an object", quoted(given))
        return None
    node = given.get("network_node_id")
    if str(node) not in graph.nodes:
        if graph.nodes:
            faults.add(f"hosts.{name}.network_node_id", "the id of a node of the graph",
                       "none" if node is None else quoted(node))
        return None
    rates = []
    for key, of_node in (("bandwidth_up", graph.up), ("bandwidth_down", graph.down)):
        rate = of_node.get(str(node))
        if given.get(key) is not None:
            value = shadow_graph.bandwidth(str(given[key]))
            if value is None:
                faults.add(f"hosts.{name}.{key}", 'a bandwidth such as "100 Mbit"', quoted(given[key]))
            rate = plain_number(value) if value is not None else None
        if rate is None:
            faults.add(f"hosts.{name}.{key}", f"a bandwidth, here or as host_{key} of node {node}", "none")
        rates.append(rate)
    if given.get("processes"):
        draft.leave_out("algorithm", "the processes of the hosts: agents stand for them.")
    for key in sorted(set(given) - {"network_node_id", "bandwidth_up", "bandwidth_down", "processes", "host_options",
                                    "ip_addr", "ip_address_hint"}, key=str):
        draft.leave_out("network", f"{key} of hosts.")
    return name, str(node), rates[0], rates[1]


def _general(draft: Draft, general: dict[Any, Any]) -> None:
    seed = general.get("seed")
    if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0:
        draft.put("seed", seed)
    for key, what in (("stop_time", "the simulated time at which Shadow ends; stop.simulated_s is lagnet's"),
                      ("bootstrap_end_time", "a time without limits and losses at the beginning")):
        if general.get(key):
            draft.leave_out("stop" if key == "stop_time" else "network", f"{key} {general[key]}: {what}.")


def _write(draft: Draft, faults: Faults, graph: Graph, hosts: list[Host]) -> None:
    names = [host[0] for host in hosts]
    add_workload(draft, len(hosts), names[0])
    network: dict[str, Any] = {}
    if graph.has_losses():
        network["retransmit"] = {}
        draft.assume("network", "a lost message is sent again after 200 ms: Shadow's packet_loss is of packets, which "
                                "TCP sends again, and lagnet loses whole messages. network.retransmit=null loses them "
                                "for good.")
    rates = [(host[2], host[3]) for host in hosts]
    usual = max(set(rates), key=rates.count)
    network["up_bytes_per_s"], network["down_bytes_per_s"] = usual
    others = [{"agents": [names.index(host[0])], "up_bytes_per_s": host[2], "down_bytes_per_s": host[3]}
              for host in hosts if (host[2], host[3]) != usual]
    if others:
        network["interfaces"] = others
    nodes = {host[1] for host in hosts}
    if len(nodes) == 1:
        loop = graph.loops.get(hosts[0][1])
        if loop is None:
            faults.add("", f"an edge from node {hosts[0][1]} to itself, which two hosts there use", "none")
            faults.check()
            return
        network.update({"latency_ms": loop.latency_ms, "bandwidth_bytes_per_s": None})
        if loop.loss:
            network["loss_probability"] = loop.loss
    else:
        network["underlay"] = _underlay(draft, faults, graph, hosts)
        faults.check()
    if graph.has_jitter:
        draft.leave_out("network", "jitter, which Shadow reserves for later.")
    draft.leave_out("network", "packets and TCP: whole messages take turns at the interfaces of hosts. "
                               "network.transport={\"kind\": \"tcp\"} adds handshakes and slow start.")
    draft.put("network", network)


def _underlay(draft: Draft, faults: Faults, graph: Graph, hosts: list[Host]) -> dict[str, Any]:
    """Hosts that share a node get nodes of their own beside it, and links among each other for the edge from the node
    to itself, which their messages take whatever is shorter."""
    at: dict[str, list[str]] = {}
    for name, node, _, _ in hosts:
        at.setdefault(node, []).append(name)
    alone = {node: node for node, there in at.items() if len(there) == 1}
    place = {name: alone.get(node) or f"host {name}" for name, node, _, _ in hosts}
    links: list[dict[str, Any]] = [
        {"ends": list(pair), **edge.keys(), **({} if graph.is_undirected else {"both_ways": False})}
        for pair, edge in graph.edges.items()]
    routes: list[dict[str, Any]] = []
    for node, there in at.items():
        if len(there) < 2:
            continue
        loop = graph.loops.get(node)
        if loop is None:
            faults.add("", f"an edge from node {node} to itself, which {there[0]} and {there[1]} use", "none")
            continue
        if len(there) > MOST_AT_A_NODE:
            faults.add("", f"at most {MOST_AT_A_NODE} hosts at one node, or all hosts at it",
                       f"{len(there)} at node {node}")
            continue
        links += [{"ends": [place[name], node]} for name in there]
        pairs = [(one, other) for k, one in enumerate(there) for other in there[k + 1:]]
        links += [{"ends": [place[one], place[other]], **loop.keys()} for one, other in pairs]
        routes += [{"from": place[one], "to": place[other], "via": []}
                   for pair in pairs for one, other in (pair, pair[::-1])]
    if graph.is_direct:
        routes += [{"from": place[one[0]], "to": place[other[0]], "via":
                    [node for node in (one[1], other[1]) if node not in alone]}
                   for one in hosts for other in hosts if one[1] != other[1]]
    own = [node for node in place.values() if node not in graph.nodes]
    made: dict[str, Any] = {"nodes": [*graph.nodes, *own], "agents": [place[name] for name, *_ in hosts],
                            "links": links}
    if routes:
        made["routes"] = routes
    return made
