"""What a scenario says about messages that do not arrive. A world that loses messages gets one of these, since agents
that wait for a message that never comes do what the scenario says."""

from __future__ import annotations

from .world import World


def has_remedy(world: World) -> bool:
    missing = world.get("/participation/missing_neighbor/kind", "wait")
    return bool(world.get("/network/retransmit") or missing != "wait" or world.get("/participation/deadline_ms"))


def retransmit(world: World) -> None:
    wait = max(1.0, 1e3 * world.facts.round_s)
    world.put("/network/retransmit", {"timeout_ms": world.draw.scale(wait, 20 * wait)})


def go_on(world: World) -> None:
    """Without the neighbors, or the clients, that are missing."""
    wait = max(1.0, 1e3 * world.facts.round_s)
    deadline = world.draw.scale(0.5 * wait, 20 * wait)
    if world.facts.has_server:
        world.put("/participation/deadline_ms", deadline)
    else:
        kind = world.draw.pick(("skip", "reuse_last"))
        world.put("/participation/missing_neighbor", {"kind": kind, "deadline_ms": deadline})


def see_to(world: World) -> None:
    """Adds a remedy if there is none, and the method needs one."""
    facts = world.facts
    if has_remedy(world) or (facts.is_asynchronous and not facts.has_server):
        return
    if facts.is_asynchronous or world.draw.chance(0.6):
        retransmit(world)
    else:
        go_on(world)
