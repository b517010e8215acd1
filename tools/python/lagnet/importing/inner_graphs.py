"""An underlay of links and of routes that are lists of links, as simulators have them: such links have no ends. Links
whose routes allow it form a graph. Any other link, such as a bus that many pairs of hosts cross, is loose: it has two
nodes of its own, and wires without latency lead to it and away from it."""

from __future__ import annotations

import dataclasses
import heapq
from typing import Any

Hop = tuple[str, bool]  # a link, and whether it is crossed from its first end to its second
Routes = dict[tuple[str, str], list[Hop]]


@dataclasses.dataclass(frozen=True)
class InnerLink:
    """A link; bandwidth in bytes a second. Half duplex: both directions have one bandwidth. One way: it is crossed from
    its first end to its second alone."""

    latency_ms: float
    bandwidth: float | None
    is_half_duplex: bool
    is_one_way: bool


def underlay_of(hosts: list[str], routers: list[str], links: dict[str, InnerLink], routes: Routes) -> dict[str, Any]:
    """The section `underlay` in which a message between two hosts takes the links of its route. Routes from or to
    routers only tell where they are."""
    between = {pair: hops for pair, hops in routes.items() if not set(pair).intersection(routers)}
    graph = (_graph([*hosts, *routers], links, routes, 0) or _graph(hosts, links, between, MOST_LOOSE) or
             _Joined(hosts, links, set(links)).graph(between))
    paths = {pair: path for pair, path in graph.paths.items() if pair in between}
    crossed = {(one, other) for path in paths.values() for one, other in zip(path, path[1:])}
    edges = []
    for name, (first, second) in graph.ends.items():
        link = links[name]
        both = ((first, second), (second, first))
        ways = [pair for pair in (both[:1] if link.is_one_way else both) if pair in crossed]
        if not ways:
            continue  # on a route of a router alone
        edge: dict[str, Any] = {"name": name, "ends": list(ways[0])}
        if link.latency_ms:
            edge["latency_ms"] = link.latency_ms
        if link.bandwidth is not None:
            edge["bandwidth_bytes_per_s"] = link.bandwidth
        if len(ways) == 1:
            edge["both_ways"] = False
        elif link.is_half_duplex:
            edge["duplex"] = "half"
        edges.append(edge)
    edges += [{"ends": list(pair), "both_ways": False} for pair in graph.wires]
    used = {end for edge in edges for end in edge["ends"]}
    made: dict[str, Any] = {"nodes": [node for node in graph.nodes if node in used or node in hosts], "agents": hosts,
                            "links": edges}
    stated = _stated(edges, paths)
    if stated:
        made["routes"] = stated
    return made


@dataclasses.dataclass
class _Graph:
    """Nodes, the ends of each link, wires without latency that join nodes, and the nodes on each route."""

    nodes: list[str]
    ends: dict[str, tuple[str, str]]
    wires: list[tuple[str, str]]
    paths: dict[tuple[str, str], list[str]]


class _Nodes:
    """Nodes that may turn out to be the same one (union-find). Those that have names are different from each other."""

    def __init__(self, points: list[str]) -> None:
        self.parents = list(range(len(points)))
        self.points = len(points)

    def new(self) -> int:
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def find(self, node: int) -> int:
        while self.parents[node] != node:
            self.parents[node] = self.parents[self.parents[node]]
            node = self.parents[node]
        return node

    def join(self, one: int, other: int) -> bool:
        """Whether they may be the same; the lower number stays, which is that of a name if either has one."""
        low, high = sorted((self.find(one), self.find(other)))
        if low != high and high < self.points:
            return False
        self.parents[high] = low
        return True


MOST_LOOSE = 50


def _graph(points: list[str], links: dict[str, InnerLink], routes: Routes, most_loose: int) -> _Graph | None:
    """A graph with as few loose links as it takes; None where that are many."""
    loose: set[str] = set()
    while len(loose) <= most_loose:
        try:
            return _Joined(points, links, loose).graph(routes)
        except _Conflict as conflict:
            if conflict.link in loose or not conflict.link:
                return None
            loose.add(conflict.link)
    return None


class _Conflict(Exception):
    """A link that cannot be between two nodes of a graph."""

    def __init__(self, link: str) -> None:
        super().__init__(link)
        self.link = link


class _Joined:
    """The graph in which each link ends where the next one of a route begins, but for loose links."""

    def __init__(self, points: list[str], links: dict[str, InnerLink], loose: set[str]) -> None:
        self.points, self.links, self.loose = points, links, loose
        self.numbers = {point: number for number, point in enumerate(points)}
        self.nodes, self.ends = _Nodes(points), dict[str, tuple[int, int]]()

    def graph(self, routes: Routes) -> _Graph:
        """Raises _Conflict where a link has to be loose."""
        paths = {pair: self._walked(pair, hops) for pair, hops in routes.items()}
        seen: dict[tuple[int, int], str] = {}
        for name, (one, other) in self.ends.items():
            first, second = self.nodes.find(one), self.nodes.find(other)
            ways = [(first, second)] if self.links[name].is_one_way else [(first, second), (second, first)]
            if first == second or any(way in seen for way in ways):
                raise _Conflict(name)
            seen.update(dict.fromkeys(ways, name))
        return self._named(paths, routes)

    def _walked(self, pair: tuple[str, str], hops: list[Hop]) -> list[int]:
        """The nodes of a route."""
        at, target = self.numbers[pair[0]], self.numbers[pair[1]]
        path, name = [at], ""
        for place, (name, forward) in enumerate(hops):
            rest = hops[place + 1:]
            if name in self.loose:
                first, second = self.ends.setdefault(name, (-1, -1))
                if first < 0:
                    first, second = self.ends[name] = self.nodes.new(), self.nodes.new()
                path += [first, second]
                if rest and rest[0][0] not in self.loose:
                    path.append(self.nodes.new())
                at = path[-1] if rest else target
                continue
            if name not in self.ends:
                beyond = self.nodes.new() if rest else target
                self.ends[name] = (at, beyond) if forward else (beyond, at)
            at = self._crossed(name, forward, path)
            path.append(at)
        if name in self.loose:
            path.append(target)
        elif not self.nodes.join(at, target):
            raise _Conflict(name)
        return path

    def _crossed(self, name: str, forward: bool, path: list[int]) -> int:
        """The node beyond a link. One that may be crossed both ways is crossed from the end where the path is; if it is
        at neither, as the route says, and otherwise the other way."""
        at, ends = self.nodes.find(path[-1]), self.ends[name] if forward else self.ends[name][::-1]
        ways = [ends] if self.links[name].is_one_way else [ends, ends[::-1]]
        for first, second in ways:
            if self.nodes.find(first) == at:
                return second
        behind = set(map(self.nodes.find, path[:-1]))
        for first, second in ways:
            if self.nodes.find(first) not in behind and self.nodes.find(second) != at and self.nodes.join(at, first):
                return second
        raise _Conflict(name)

    def _named(self, paths: dict[tuple[str, str], list[int]], routes: Routes) -> _Graph:
        taken, names, find = set(self.points), dict(enumerate(self.points)), self.nodes.find
        for name, both in self.ends.items():
            for node, side in zip(map(find, both), ("in", "out")):
                if node not in names:
                    number = len(names) - len(self.points) + 1
                    names[node] = _free(f"{name} {side}" if name in self.loose else f"node {number}", taken)
        ends = {name: (names[find(first)], names[find(second)]) for name, (first, second) in self.ends.items()}
        known = {way for name, one in ends.items() for way in (one, one[::-1])[:2 - (name in self.loose)]}
        named, wires = dict[tuple[str, str], list[str]](), dict[tuple[str, str], None]()
        for pair, path in paths.items():
            for node in map(find, path):
                if node not in names:  # between loose links and others that are crossed both ways
                    names[node] = _free("node", taken)
            words = [names[find(node)] for node in path]
            if len(set(words)) < len(words):
                raise _Conflict(next((name for name, _ in routes[pair] if name not in self.loose), ""))
            named[pair] = words
            wires.update(dict.fromkeys(way for way in zip(words, words[1:]) if way not in known))
        return _Graph([*dict.fromkeys(names.values())], ends, list(wires), named)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def _stated(edges: list[dict[str, Any]], paths: dict[tuple[str, str], list[str]]) -> list[dict[str, Any]]:
    """The routes that differ from the only shortest one by latency, and those that have a rival."""
    neighbors: dict[str, list[tuple[str, float]]] = {}
    for edge in edges:
        first, second = edge["ends"]
        neighbors.setdefault(first, []).append((second, edge.get("latency_ms", 0)))
        if edge.get("both_ways", True):
            neighbors.setdefault(second, []).append((first, edge.get("latency_ms", 0)))
    stated, trees = [], dict[str, tuple[dict[str, str], set[str]]]()
    for (source, target), path in paths.items():
        if source not in trees:
            trees[source] = _shortest(source, neighbors)
        before, doubtful = trees[source]
        way = [target]
        while way[-1] != source and way[-1] in before:
            way.append(before[way[-1]])
        if way[::-1] != path or doubtful.intersection(path):
            stated.append({"from": source, "to": target, "via": path[1:-1]})
    return stated


def _shortest(source: str, neighbors: dict[str, list[tuple[str, float]]]) -> tuple[dict[str, str], set[str]]:
    """The node before each on a shortest way from the source, and the nodes with several such ways, up to rounding."""
    length, before, doubtful = {source: 0.0}, dict[str, str](), set[str]()
    queue, done = [(0.0, source)], set[str]()
    while queue:
        so_far, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        for other, latency in neighbors.get(node, []):
            found = so_far + latency
            known = length.get(other)
            if known is not None and abs(found - known) <= 1e-9 * max(found, 1e-9) and before.get(other) != node:
                doubtful.add(other)
            if known is None or found < known:
                length[other], before[other] = found, node
                heapq.heappush(queue, (found, other))
    doubtful.discard(source)
    return before, doubtful
