"""The links on the way from each host of a SimGrid platform to each other, through its zones."""

from __future__ import annotations

import heapq

from .simgrid_zones import Platform, Route, Way, Zone


def routes(platform: Platform) -> dict[tuple[str, str], Way]:
    """The links on the way from each host to each other, as far as there is one, and between hosts and routers."""
    finder = Finder(platform)
    pairs = [(source, target) for source in platform.hosts for target in platform.hosts if source != target]
    found = {pair: way for pair in pairs if (way := finder.way(*pair)) is not None}
    missing = [pair for pair in pairs if pair not in found]
    if missing and not found:
        platform.faults.add("", "a route between two hosts", "none")
    if missing:
        platform.draft.leave_out("network", f"{len(missing)} pairs of hosts have no route in the file, the first "
                                            f"{missing[0][0]} to {missing[0][1]}: lagnet takes a shortest one if it "
                                            "finds any.")
    for (source, target), way in found.items():
        names = [name for name, _ in way]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            platform.faults.add(f"the way from {source} to {target}", "each link once", f"{', '.join(twice)} twice")
    for router in platform.routers():
        for host in platform.hosts:
            for pair in ((host, router), (router, host)):
                way = finder.way(*pair) or []
                if way and len({name for name, _ in way}) == len(way):
                    found[pair] = way
    return found


class Finder:
    """Ways through zones, as SimGrid's documentation describes them: up to the gateway, between the zones below the
    common one, and down again."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.trees: dict[tuple[str, str], dict[str, str]] = {}

    def way(self, source: str, target: str) -> Way | None:
        if source == target:
            return []
        above, others = (self.platform.zone_of[point].above()[::-1] for point in (source, target))
        depth = 0
        while depth < min(len(above), len(others)) and above[depth] is others[depth]:
            depth += 1
        common = above[depth - 1]
        first = above[depth].name if depth < len(above) else source
        last = others[depth].name if depth < len(others) else target
        return self._crossing(common, source, first, last, target)

    def _crossing(self, zone: Zone, source: str, first: str, last: str, target: str) -> Way | None:
        """The way within a zone, between two of its points, of which some are zones that hold source and target."""
        if zone.local is not None:
            return zone.local(source, target)
        whole: Way = []
        at = source
        for route in self._chain(zone, first, last):
            if route is None:
                return None
            if route.gateways is not None:
                inner = self.way(at, route.gateways[0])
                if inner is None:
                    return None
                whole += inner
                at = route.gateways[1]
            whole += route.way
        if at != source:
            inner = self.way(at, target)
            return None if inner is None else whole + inner
        return whole

    def _chain(self, zone: Zone, first: str, last: str) -> list[Route | None]:
        """The declared route, or in Floyd and Dijkstra zones those of the shortest chain."""
        if zone.routing == "Full":
            return [zone.routes.get((first, last))]
        if (zone.name, first) not in self.trees:
            self.trees[zone.name, first] = self._tree(zone, first)
        before, chain, at = self.trees[zone.name, first], list[Route | None](), last
        while at != first:
            if at not in before:
                return [None]
            chain.append(zone.routes[before[at], at])
            at = before[at]
        return chain[::-1]

    def _tree(self, zone: Zone, first: str) -> dict[str, str]:
        """The point before each on the chain of fewest links. SimGrid's documentation says that Dijkstra zones go by
        latency; SimGrid 3.32 and 4.1 count links there, too (DijkstraZone::get_local_route)."""
        neighbors: dict[str, list[tuple[str, int]]] = {}
        for (source, target), route in zone.routes.items():
            neighbors.setdefault(source, []).append((target, len(route.way)))
        length, before = {first: 0}, dict[str, str]()
        queue, done = [(0, 0, first)], set[str]()
        while queue:
            so_far, _, point = heapq.heappop(queue)
            if point in done:
                continue
            done.add(point)
            for other, cost in neighbors.get(point, []):
                found = so_far + cost
                if other in length and found == length[other] and other not in done:
                    self.platform.draft.assume("network", f"where chains of routes in zone {zone.name} are equally "
                                                          "short, the one whose routes come first is taken.")
                if other not in length or found < length[other]:
                    length[other], before[other] = found, point
                    heapq.heappush(queue, (found, len(length), other))
        return before
