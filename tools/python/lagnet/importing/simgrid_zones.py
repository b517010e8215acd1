"""The zones of a SimGrid platform: hosts, routers, links, and the routes that are declared."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from decimal import Decimal

from .drafts import Draft, Faults, quoted
from .simgrid_units import BANDWIDTHS, SPEEDS, TIMES
from .units import scaled
from .xml_tree import Element

POLICIES = {"SHARED": "SHARED", "SPLITDUPLEX": "SPLITDUPLEX", "FULLDUPLEX": "SPLITDUPLEX", "FATPIPE": "FATPIPE"}
ROUTINGS = ("Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster")
# What the DTD lets stand in a zone, and this leaves out with a note.
SILENT = {"prop": "properties", "trace": "traces of availability", "trace_connect": "traces of availability",
          "config": "settings of the simulator", "disk": "disks", "storage": "disks", "storage_type": "disks",
          "mount": "disks", "random": "random generators", "actor": "actors", "process": "actors"}
FILES = ("availability_file", "speed_file", "state_file", "bandwidth_file", "latency_file")
MOST_IN_CLUSTER = 100_000

Hop = tuple[str, bool]  # a link, and whether it is crossed upwards; halves of a SPLITDUPLEX link are links
Way = list[Hop]


@dataclasses.dataclass(frozen=True)
class Link:
    """A link: bytes a second, seconds, and SHARED (one bandwidth for both directions), FATPIPE (for each message alone)
    or ONE_WAY."""

    bandwidth: Decimal
    latency_s: Decimal
    policy: str


@dataclasses.dataclass
class Route:
    """A declared route within a zone. Between zones it has gateways."""

    way: Way
    gateways: tuple[str, str] | None = None


@dataclasses.dataclass
class Zone:
    """A zone, the zones within, and its routes between hosts, routers and zones."""

    name: str
    routing: str
    parent: Zone | None
    line: int
    points: list[str] = dataclasses.field(default_factory=list)  # hosts, routers and zones within
    routes: dict[tuple[str, str], Route] = dataclasses.field(default_factory=dict)
    local: Callable[[str, str], Way] | None = None  # of clusters

    def above(self) -> list[Zone]:
        return [self, *(self.parent.above() if self.parent else [])]


@dataclasses.dataclass
class Members:
    """Hosts of a cluster: the links up from each and down to it, with a backbone between that all messages cross."""

    up: dict[str, Way] = dataclasses.field(default_factory=dict)
    down: dict[str, Way] = dataclasses.field(default_factory=dict)
    backbone: str | None = None

    def way(self, source: str, target: str) -> Way:
        """Between two of them, or one and the router of the cluster."""
        middle: Way = [(self.backbone, True)] if self.backbone is not None else []
        return [*self.up.get(source, []), *middle, *self.down.get(target, [])]


class Platform:
    """All zones of a file, with faults of their elements."""

    def __init__(self, draft: Draft, faults: Faults) -> None:
        self.draft, self.faults = draft, faults
        self.hosts: dict[str, Decimal] = {}
        self.links: dict[str, Link] = {}
        self.zones: dict[str, Zone] = {}
        self.zone_of: dict[str, Zone] = {}  # of a host or router
        self.splits: set[str] = set()

    def read(self, root: Element) -> None:
        tops = list(root.all("zone", "AS", "cluster"))
        if len(tops) != 1:
            self.faults.add(root.line, "one zone or cluster that holds all others", len(tops))
        for element in root.children:
            if element.tag in ("zone", "AS"):
                self._zone(element, None)
            elif element.tag == "cluster":
                self._cluster(element, None)
            else:
                self._other(element)

    def _other(self, element: Element) -> None:
        if element.tag in SILENT:
            self.draft.leave_out("network", f"{SILENT[element.tag]} of the platform.")
        else:
            self.faults.add(element.line, "zones, clusters, hosts, routers, links and routes",
                            f"the element {element.tag}")

    def attribute(self, element: Element, key: str) -> str:
        if key not in element.attributes:
            self.faults.add(element.line, f"the attribute {key} of {element.tag}", "none")
        return element.attributes.get(key, "")

    def quantity(self, element: Element, key: str, units: dict[str, Decimal], example: str) -> Decimal:
        """The value of an attribute in base units; 1 with a fault where it is none."""
        text = self.attribute(element, key)
        value = scaled(text, units)
        if value is None or value < 0 or (value == 0 and units is not TIMES):
            if key in element.attributes:
                self.faults.add(element.line, f"{key} of {element.tag}, such as {example}", quoted(text))
            return Decimal(1)
        return value

    def _name(self, element: Element, known: object) -> str:
        name = self.attribute(element, "id")
        if isinstance(known, dict) and name in known:
            self.faults.add(element.line, f"an id that no other {element.tag} has", quoted(name))
        return name

    def _zone(self, element: Element, parent: Zone | None) -> None:
        routing = self.attribute(element, "routing")
        name = self._name(element, self.zones)
        if routing not in ROUTINGS:
            self.faults.add(element.line, f"a zone with routing {', '.join(ROUTINGS)}", quoted(routing))
        zone = Zone(name, routing, parent, element.line)
        self._add_zone(zone)
        late, is_cluster = [], routing == "Cluster"
        members = Members()
        for one in element.children:
            if one.tag in ("zone", "AS"):
                self._zone(one, zone)
            elif one.tag == "cluster":
                self._cluster(one, zone)
            elif one.tag == "host":
                self._host(one, zone)
            elif one.tag == "router":
                self._point(self._name(one, self.zone_of), zone)
            elif one.tag == "link":
                self._link(one)
            elif one.tag in ("route", "zoneRoute", "ASroute") or (one.tag == "host_link" and is_cluster):
                late.append(one)
            elif one.tag == "backbone" and is_cluster:
                members.backbone = self._name(one, self.links)
                self._link(one)
            elif one.tag == "cabinet" and is_cluster:
                self._hosts(one, zone, members, "", "SPLITDUPLEX")
            else:
                self._other(one)
        for one in late:
            if one.tag == "host_link":
                self._host_link(one, zone, members)
            else:
                self._route(one, zone)
        if is_cluster:
            zone.local = members.way
            for host in zone.points:
                if host in self.hosts and host not in members.up:
                    self.faults.add(zone.line, f"a host_link of each host of {name}", f"none of {host}")

    def _host_link(self, element: Element, zone: Zone, members: Members) -> None:
        host = self.attribute(element, "id")
        if host not in zone.points and "id" in element.attributes:
            self.faults.add(element.line, f"id of host_link, a host within {zone.name}", quoted(host))
        for key, ways in (("up", members.up), ("down", members.down)):
            hop = self._crossed(element, self.attribute(element, key), None)
            if hop is not None:
                ways[host] = [hop]

    def _add_zone(self, zone: Zone) -> None:
        self.zones[zone.name] = zone
        if zone.parent is not None:
            zone.parent.points.append(zone.name)

    def _point(self, name: str, zone: Zone) -> None:
        self.zone_of[name] = zone
        zone.points.append(name)

    def _host(self, element: Element, zone: Zone) -> None:
        name = self._name(element, self.zone_of)
        self.hosts[name] = self._speed(element)
        self._point(name, zone)
        self._note_files(element)
        for one in element.children:
            self._other(one)

    def _speed(self, element: Element) -> Decimal:
        """Of the pstate that the host begins with, a core alone."""
        states = self.attribute(element, "speed").split(",")
        state = element.attributes.get("pstate", "0")
        if len(states) > 1:
            self.draft.leave_out("compute", "speeds of other pstates than the first one that a host has.")
        if not state.isdigit() or int(state) >= len(states):
            self.faults.add(element.line, f"a pstate from 0 to {len(states) - 1}", quoted(state))
            state = "0"
        if element.attributes.get("core", "1") != "1":
            self.draft.leave_out("compute", "cores beside the first one of a host: an agent computes on one.")
        speed = scaled(states[int(state)], SPEEDS)
        if speed is None or speed < 1:
            if "speed" in element.attributes:
                self.faults.add(element.line, f"speed of {element.tag}, such as 1Gf", quoted(states[int(state)]))
            return Decimal(1)
        return speed

    def _note_files(self, element: Element) -> None:
        for key in FILES:
            if element.attributes.get(key):
                self.draft.leave_out("compute" if element.tag == "host" else "network",
                                     f"{key} of {element.tag} {element.attributes.get('id', '')}: "
                                     f"{element.attributes[key]}; lagnet has schedules and traces.")

    def _link(self, element: Element) -> None:
        name = self._name(element, self.links)
        bandwidth = self.quantity(element, "bandwidth", BANDWIDTHS, "125MBps")
        latency = self.quantity(element, "latency", TIMES, "50us") if "latency" in element.attributes else Decimal(0)
        self._add_link(element, name, bandwidth, latency, element.attributes.get("sharing_policy", "SHARED"))
        self._note_files(element)
        for one in element.children:
            self._other(one)

    def _add_link(self, element: Element, name: str, bandwidth: Decimal, latency: Decimal, policy: str) -> None:
        if policy not in POLICIES:
            self.faults.add(element.line, f"a sharing_policy of {', '.join(sorted(POLICIES))}", quoted(policy))
        elif POLICIES[policy] == "SPLITDUPLEX":
            self.splits.add(name)
            for half in ("_UP", "_DOWN"):
                self.links[name + half] = Link(bandwidth, latency, "ONE_WAY")
        else:
            self.links[name] = Link(bandwidth, latency, policy)

    def hop(self, name: str, upwards: bool) -> Hop:
        """A crossing of a declared link: of one half, if it has two."""
        return (name + ("_UP" if upwards else "_DOWN"), True) if name in self.splits else (name, upwards)

    def _cluster(self, element: Element, parent: Zone | None) -> None:
        """A star of hosts, each with its link, and a backbone in the middle if it has one."""
        name = self._name(element, self.zones)
        given, members = element.attributes, Members()
        zone = Zone(name, "Cluster", parent, element.line, local=members.way)
        self._add_zone(zone)
        if given.get("topology", "FLAT") != "FLAT":
            self.faults.add(element.line, "a cluster with topology FLAT", quoted(given["topology"]))
        self._hosts(element, zone, members, f"{name}_", given.get("sharing_policy", "SPLITDUPLEX"))
        if given.get("bb_bw") or given.get("bb_lat"):
            members.backbone = f"{name}_backbone"
            self._add_link(element, members.backbone, self.quantity(element, "bb_bw", BANDWIDTHS, "2.25GBps"),
                           self.quantity(element, "bb_lat", TIMES, "500us"), given.get("bb_sharing_policy", "SHARED"))
        self._point(given.get("router_id") or f"{given.get('prefix')}{name}_router{given.get('suffix')}", zone)
        for one in element.children:
            self._other(one)

    def _hosts(self, element: Element, zone: Zone, members: Members, before: str, policy: str) -> None:
        """The hosts of a cluster or cabinet, by its radical, with a link each, and perhaps a limit for both
        directions."""
        prefix, suffix = self.attribute(element, "prefix"), self.attribute(element, "suffix")
        bandwidth = self.quantity(element, "bw", BANDWIDTHS, "125MBps")
        latency = self.quantity(element, "lat", TIMES, "50us")
        speed = self._speed(element)
        for number in self._radical(element):
            host = f"{prefix}{number}{suffix}"
            if host in self.zone_of:
                self.faults.add(element.line, "names of hosts that no other host or router has", quoted(host))
            self.hosts[host] = speed
            self._point(host, zone)
            link = f"{before or element.attributes.get('id', '') + '_'}link_{number}"
            self._add_link(element, link, bandwidth, latency, policy)
            members.up[host], members.down[host] = [self.hop(link, True)], [self.hop(link, False)]
            if element.attributes.get("limiter_link"):
                limiter = f"{before}limiter_{number}"
                limit = self.quantity(element, "limiter_link", BANDWIDTHS, "250MBps")
                self._add_link(element, limiter, limit, Decimal(0), "SHARED")
                members.up[host].insert(0, (limiter, True))
                members.down[host].append((limiter, False))

    def _radical(self, element: Element) -> list[str]:
        """The numbers of a cluster's hosts: "0-2,5" is 0, 1, 2 and 5."""
        text = self.attribute(element, "radical")
        numbers: list[str] = []
        for part in text.replace(";", ",").split(","):
            low, dash, high = part.strip().partition("-")
            if not low.isdigit() or (dash and not high.isdigit()) or int(high or low) < int(low) or (
                    int(high or low) - int(low) > MOST_IN_CLUSTER):
                if "radical" in element.attributes:
                    self.faults.add(element.line, "radical of cluster, such as 0-99", quoted(text))
                return []
            numbers += [str(number) for number in range(int(low), int(high or low) + 1)]
        return numbers

    def _route(self, element: Element, zone: Zone) -> None:
        is_zones = element.tag != "route"
        source, target = self.attribute(element, "src"), self.attribute(element, "dst")
        for key, name in (("src", source), ("dst", target)):
            if key in element.attributes and name not in zone.points:
                self.faults.add(element.line, f"{key}, a {'zone' if is_zones else 'host or router'} within {zone.name}",
                                quoted(name))
        gateways = (self.attribute(element, "gw_src"), self.attribute(element, "gw_dst")) if is_zones else None
        for name, of in zip(gateways or (), (source, target)):
            if name and (name not in self.zone_of or of not in (above.name for above in self.zone_of[name].above())):
                self.faults.add(element.line, f"a gateway within {of}, a host or router", quoted(name))
        way = self._way(element)
        if source == target:
            return  # a loopback, which no message between agents takes
        zone.routes[source, target] = Route(way, gateways)
        symmetrical = element.attributes.get("symmetrical", "YES").upper()
        if symmetrical not in ("YES", "NO"):
            self.faults.add(element.line, "symmetrical, yes or no", quoted(symmetrical))
        if symmetrical == "YES":
            back = [self._reversed(hop) for hop in reversed(way)]
            zone.routes.setdefault((target, source), Route(back, (gateways[1], gateways[0]) if gateways else None))

    def _reversed(self, hop: Hop) -> Hop:
        name, upwards = hop
        for half, other in (("_UP", "_DOWN"), ("_DOWN", "_UP")):
            if name.endswith(half) and name.removesuffix(half) in self.splits:
                return name.removesuffix(half) + other, True
        return name, not upwards

    def _way(self, element: Element) -> Way:
        way: Way = []
        for one in element.children:
            if one.tag != "link_ctn":
                self.faults.add(one.line, "elements link_ctn", f"the element {one.tag}")
                continue
            hop = self._crossed(one, self.attribute(one, "id"), one.attributes.get("direction"))
            if hop is not None:
                way.append(hop)
        if not element.children:
            self.faults.add(element.line, f"one element link_ctn or more in {element.tag}", "none")
        return way

    def _crossed(self, element: Element, name: str, direction: str | None) -> Hop | None:
        """The crossing of a link by its name, or of a half of it by the name of the half."""
        for half in ("_UP", "_DOWN"):
            if name in self.links and name.endswith(half) and name.removesuffix(half) in self.splits:
                return name, True
        if name not in self.splits and name not in self.links:
            if name:
                self.faults.add(element.line, "a link that is declared before", quoted(name))
        elif direction not in (None, "UP", "DOWN", "NONE"):
            self.faults.add(element.line, "direction, UP or DOWN", quoted(direction))
        else:
            return self.hop(name, direction != "DOWN")
        return None

    def routers(self) -> list[str]:
        return [point for point in self.zone_of if point not in self.hosts]
