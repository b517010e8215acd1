"""Draws of the network: each sets one thing."""

from __future__ import annotations

from . import remedies
from .world import World


def latency(world: World) -> None:
    world.put("/network/latency_ms", world.draw.scale(0.01, 2000))


def latency_that_is_drawn(world: World) -> None:
    world.put("/network/latency_ms", world.distribution(0.1, 500))


def latency_of_a_link(world: World) -> None:
    world.add("/network/links", {"links": [world.link()], "latency_ms": world.draw.scale(0.01, 3000)})


def latency_that_changes(world: World) -> None:
    draw = world.draw
    world.put("/network/latency_ms", {"kind": "schedule", "at_s": [0, max(1e-6, world.instant())],
                                      "values": [draw.scale(0.1, 500), draw.scale(0.1, 500)]})


def jitter(world: World) -> None:
    world.put("/network/jitter_ms", world.distribution(0.01, 100) if world.draw.chance(0.5)
              else {"kind": "uniform", "low": 0, "high": world.draw.scale(0.1, 100)})


def in_order(world: World) -> None:
    world.put("/network/in_order", world.draw.chance(0.3))


def bandwidth(world: World) -> None:
    """From a message in a minute to thousands in a millisecond."""
    world.put("/network/bandwidth_bytes_per_s", max(1.0, world.facts.message_bytes) * world.draw.scale(0.1, 1e6))


def bandwidth_of_a_link(world: World) -> None:
    rate = max(1.0, world.facts.message_bytes) * world.draw.scale(0.1, 1e4)
    world.add("/network/links", {"links": [world.link()], "bandwidth_bytes_per_s": rate})


def interfaces(world: World) -> None:
    rate = max(1.0, world.facts.message_bytes) * world.draw.scale(1, 1e5)
    for key in world.draw.some(("up_bytes_per_s", "down_bytes_per_s"), 1, 2):
        world.put(f"/network/{key}", rate)


def sharing(world: World) -> None:
    world.put("/network/sharing", world.draw.pick(("none", "fifo", "fair")))


def forwarding(world: World) -> None:
    key, value = world.draw.pick((("forwarding", "store_and_forward"), ("send_order", "ascending"),
                                  ("symmetric", True)))
    world.put(f"/network/{key}", value)


def sizes_on_the_wire(world: World) -> None:
    draw = world.draw
    key, value = draw.pick((("header_bytes", draw.pick((1, 66, 1500))), ("bytes_per_scalar", draw.pick((2, 4))),
                            ("model_bytes", int(draw.scale(1, 1e7)))))
    world.put(f"/network/{key}", value)


def losses(world: World) -> None:
    world.put("/network/loss_probability", world.draw.scale(1e-3, 0.5))
    remedies.see_to(world)


def losses_of_a_link(world: World) -> None:
    world.add("/network/links", {"links": [world.link()], "loss_probability": world.draw.scale(0.01, 1)})
    remedies.see_to(world)


def losses_in_bursts(world: World) -> None:
    world.put("/network/burst_loss", {"enter": world.draw.scale(0.01, 0.3), "leave": world.draw.scale(0.1, 1)})
    remedies.see_to(world)


def retransmission(world: World) -> None:
    remedies.retransmit(world)


def duplicates(world: World) -> None:
    world.put("/network/duplicate_probability", world.draw.scale(0.01, 1))


def reordering(world: World) -> None:
    wait = max(0.1, 1e3 * world.facts.round_s)
    world.put("/network/reordering", {"probability": world.draw.scale(0.01, 1),
                                      "delay_ms": world.draw.scale(0.1 * wait, 10 * wait)})


def partition(world: World) -> None:
    """One agent, or a group of them, apart from the others for a while."""
    begin, end = world.window()
    draw, agents = world.draw, list(range(world.agents))
    group = [world.agent()] if draw.chance(0.5) else draw.some(agents, 1, max(1, len(agents) - 1))
    world.add("/network/partitions", {"from_s": begin, "until_s": end, "groups": [group]})
    remedies.see_to(world)


def outage(world: World) -> None:
    begin, end = world.window()
    found = {"from_s": begin, "until_s": end, "links": [world.link()]}
    world.add("/network/outages", found if world.draw.chance(0.5) else {**found, "both_ways": False})
    remedies.see_to(world)
