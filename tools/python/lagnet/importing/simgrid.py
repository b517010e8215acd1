"""SimGrid platforms in XML, versions 4 and 4.1 of its DTD: hosts become agents, links those of an underlay."""

from __future__ import annotations

import pathlib
import re
from decimal import Decimal

from . import simgrid_routes, simgrid_zones, xml_tree
from .drafts import Draft, Faults, quoted
from .inner_graphs import InnerLink, Routes, underlay_of
from .platforms import add_workload
from .units import plain_number

NAME = "simgrid"
CALLED = "a platform of SimGrid"
MOST_HOSTS = 1000  # every pair of them has a route


def recognize(file: pathlib.Path, head: str) -> bool:
    return re.search(r"<platform\b", head) is not None and re.search(r"<(zone|AS|cluster)\b", head) is not None


def read(draft: Draft, faults: Faults) -> None:
    root = xml_tree.parsed(draft.file, faults)
    faults.check()
    if root is None or root.tag != "platform":
        faults.add(root.line if root else "", "the element platform", quoted(root.tag if root else "nothing"))
        faults.check()
        return
    version = root.attributes.get("version", "0.0")
    if not re.fullmatch(r"4(\.\d+)?", version):
        faults.add(root.line, "a platform of version 4 or 4.1; simgrid_update_xml makes one of an older one",
                   quoted(version))
    platform = simgrid_zones.Platform(draft, faults)
    platform.read(root)
    if not faults.problems and len(platform.hosts) < 2:
        faults.add("", "two hosts or more", len(platform.hosts))
    if len(platform.hosts) > MOST_HOSTS:
        faults.add("", f"at most {MOST_HOSTS} hosts", len(platform.hosts))
    faults.check()
    routes = simgrid_routes.routes(platform)
    faults.check()
    _write(draft, platform, routes)


def _write(draft: Draft, platform: simgrid_zones.Platform, routes: Routes) -> None:
    hosts = list(platform.hosts)
    used = {name for pair, way in routes.items() if set(pair) <= set(hosts) for name, _ in way}
    add_workload(draft, len(hosts), hosts[0])
    links = {name: _inner(link) for name, link in platform.links.items()}
    draft.put("network", {"sharing": "fair", "underlay": underlay_of(hosts, platform.routers(), links, routes)})
    speeds = list(platform.hosts.values())
    draft.put("compute", {"speed_flops_per_s": plain_number(speeds[0]) if len(set(speeds)) == 1 else
                          {"kind": "list", "values": [plain_number(speed) for speed in speeds]}})
    draft.assume("network", "messages share bandwidths max-min fairly, as in SimGrid's model CM02: latencies and "
                            "bandwidths are those of the file. SimGrid's default model, LV08, takes 13.01 times the "
                            "latencies and 0.97 times the bandwidths.")
    fat = [name for name, link in platform.links.items() if link.policy == "FATPIPE" and name in used]
    if fat:
        draft.leave_out("network", f"bandwidths of links that no messages share (FATPIPE): {_some(fat)}; their "
                                   "latencies count.")
    unused = [name for name in platform.links if name not in used]
    if unused:
        draft.leave_out("network", f"links that are on no route between hosts: {_some(unused)}.")


def _inner(link: simgrid_zones.Link) -> InnerLink:
    return InnerLink(latency_ms=plain_number(link.latency_s * 1000),
                     bandwidth=None if link.policy == "FATPIPE" else plain_number(_least(link.bandwidth)),
                     is_half_duplex=link.policy == "SHARED", is_one_way=link.policy == "ONE_WAY")


def _least(bandwidth: Decimal) -> Decimal:
    return max(bandwidth, Decimal(1))


def _some(names: list[str]) -> str:
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
