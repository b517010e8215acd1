"""What a scenario says of single agents, by their numbers."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from .trees import Document


def without_agents(document: Document, agents: int) -> Document:
    """A copy that names no agent from this number on: what is said of these alone is not in it.

    >>> without_agents({"network": {"outages": [{"from_s": 1, "links": [[0, 1], [1, 5]]}]}}, 5)
    {'network': {'outages': [{'from_s': 1, 'links': [[0, 1]]}]}}
    """
    made = copy.deepcopy(document)

    def is_there(agent: Any) -> bool:
        return not isinstance(agent, int) or agent < agents

    for section, key, within in _lists_of_lists(made):
        kept = [[agent for agent in one if is_there(agent)] for one in within[key]] if key == "groups" else \
            [one for one in within[key] if all(map(is_there, one))]
        within[key] = [one for one in kept if one]
        if not within[key]:
            section.remove(within)
    availability = (made.get("participation") or {}).get("availability") or []
    for one in list(availability):
        listed = {"down": [down for down in one.get("down") or [] if is_there(down.get("agent"))],
                  "agents": [agent for agent in one.get("agents") or [] if is_there(agent)]}
        one.update({key: value for key, value in listed.items() if one.get(key)})
        if not is_there(one.get("agent")) or any(one.get(key) == [] for key in listed):
            availability.remove(one)
    speeds = (made.get("compute") or {}).get("speed_flops_per_s")
    if isinstance(speeds, dict) and speeds.get("kind") == "list":
        values = speeds["values"]
        speeds["values"] = values[:agents] + [1e9] * (agents - len(values))
    return made


def _lists_of_lists(document: Document) -> Iterator[tuple[list[Any], str, dict[str, Any]]]:
    network = document.get("network") or {}
    for name, key in (("partitions", "groups"), ("outages", "links"), ("links", "links")):
        for one in list(network.get(name) or []):
            if one.get(key):
                yield network[name], key, one
