"""The list of all draws. A new one is a function of network_changes.py or agent_changes.py, and a line here."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from . import agent_changes as agents, network_changes as network
from .world import World


@dataclasses.dataclass(frozen=True)
class Change:
    """One draw. pointer: what it sets, so that `within` and a sweep can leave it out. is_for: "server" or "peers" if
    only methods of these roles know what it sets; "asynchronous" if only asynchronous ones do."""

    draw: Callable[[World], None]
    pointer: str
    is_for: str = ""

    @property
    def name(self) -> str:
        return self.draw.__name__


ALL = (
    Change(network.latency, "/network/latency_ms"),
    Change(network.latency_that_is_drawn, "/network/latency_ms"),
    Change(network.latency_of_a_link, "/network/links"),
    Change(network.latency_that_changes, "/network/latency_ms"),
    Change(network.jitter, "/network/jitter_ms"),
    Change(network.in_order, "/network/in_order"),
    Change(network.bandwidth, "/network/bandwidth_bytes_per_s"),
    Change(network.bandwidth_of_a_link, "/network/links"),
    Change(network.interfaces, "/network/up_bytes_per_s"),
    Change(network.sharing, "/network/sharing"),
    Change(network.forwarding, "/network/forwarding"),
    Change(network.sizes_on_the_wire, "/network/header_bytes"),
    Change(network.losses, "/network/loss_probability"),
    Change(network.losses_of_a_link, "/network/links"),
    Change(network.losses_in_bursts, "/network/burst_loss"),
    Change(network.retransmission, "/network/retransmit"),
    Change(network.duplicates, "/network/duplicate_probability"),
    Change(network.reordering, "/network/reordering"),
    Change(network.partition, "/network/partitions"),
    Change(network.outage, "/network/outages"),
    Change(agents.speed, "/compute/speed_flops_per_s"),
    Change(agents.speed_that_is_drawn, "/compute/speed_flops_per_s"),
    Change(agents.a_slow_agent, "/compute/speed_flops_per_s"),
    Change(agents.stragglers, "/compute/straggler"),
    Change(agents.times_of_updates, "/compute/update_ms"),
    Change(agents.clock, "/compute/clock", "asynchronous"),
    Change(agents.a_crash, "/participation/availability"),
    Change(agents.an_absence, "/participation/availability"),
    Change(agents.churn, "/participation/availability"),
    Change(agents.days, "/participation/availability"),
    Change(agents.clients, "/participation/clients", "server"),
    Change(agents.deadline, "/participation/deadline_ms", "server"),
    Change(agents.enough, "/participation/enough", "server"),
    Change(agents.missing_neighbors, "/participation/missing_neighbor", "peers"),
    Change(agents.seed, "/seed"),
    Change(agents.number_of_agents, "/topology/agents"),
    Change(agents.kind_of_graph, "/topology/kind", "peers"),
)
