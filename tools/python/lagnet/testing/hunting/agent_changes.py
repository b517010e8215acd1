"""Draws of the agents, their computers, and who takes part."""

from __future__ import annotations

from typing import Any

from . import remedies
from .named_agents import without_agents
from .world import World


def speed(world: World) -> None:
    world.put("/compute/speed_flops_per_s", world.draw.scale(1, 1e5) * max(1.0, world.facts.flops_of_a_round))


def speed_that_is_drawn(world: World) -> None:
    world.put("/compute/speed_flops_per_s", world.distribution(1e4, 1e9))


def a_slow_agent(world: World) -> None:
    slow, speeds = world.agent(), [1e9] * world.agents
    if 0 < len(speeds) <= 64:
        speeds[slow] = 1e9 / world.draw.scale(2, 1e6)
        world.put("/compute/speed_flops_per_s", {"kind": "list", "values": speeds})


def stragglers(world: World) -> None:
    draw = world.draw
    world.put("/compute/straggler", {"probability": draw.scale(0.01, 1), "factor": draw.scale(1.5, 1000),
                                     "mean_rounds": draw.pick((1, 3, 10, None))})


def times_of_updates(world: World) -> None:
    world.put("/compute/update_ms", world.draw.scale(0.1, 1000))


def clock(world: World) -> None:
    kind = world.draw.pick(("poisson", "periodic"))
    wait = max(0.1, 1e3 * world.facts.round_s)
    world.put("/compute/clock", {"kind": kind, "mean_ms" if kind == "poisson" else "period_ms":
                                 world.draw.scale(0.1 * wait, 10 * wait)})


def a_crash(world: World) -> None:
    draw = world.draw
    found = {"kind": "crash", "agent": world.agent(), "at_s": world.instant(), "recovers_after_s": world.duration()}
    if draw.chance(0.7):
        found["state"] = "kept"
    world.add("/participation/availability", found)
    remedies.see_to(world)


def an_absence(world: World) -> None:
    begin, end = world.window()
    world.add("/participation/availability", {"kind": "schedule", "down": [
        {"agent": world.agent(), "from_s": begin, "until_s": end}]})
    remedies.see_to(world)


def _turns(world: World) -> tuple[float, float]:
    """How long agents are up or down: from a round, or a millisecond, on. Shorter turns take time and show nothing."""
    low = max(1e-3, world.facts.round_s)
    return low, max(world.facts.end_s, 2 * low)


def churn(world: World) -> None:
    low, high = _turns(world)
    found = {"kind": "on_off", "mean_up_s": world.draw.scale(low, high), "mean_down_s": world.draw.scale(low, high)}
    if world.draw.chance(0.5):
        found["agents"] = [world.agent()]
    world.add("/participation/availability", found)
    remedies.see_to(world)


def days(world: World) -> None:
    low, high = _turns(world)
    period, share = world.draw.scale(low, high), world.draw.scale(0.1, 1)
    world.add("/participation/availability", {"kind": "diurnal", "period_s": period, "up_share": share})
    remedies.see_to(world)


def clients(world: World) -> None:
    draw = world.draw
    count = max(1, world.agents - 1)
    world.put("/participation/clients", draw.pick((
        {"kind": "random_subset", "size": draw.whole(1, count)},
        {"kind": "independent", "probability": draw.scale(0.1, 1)},
        {"kind": "cyclic", "groups": draw.whole(1, count)})))


def deadline(world: World) -> None:
    wait = max(0.1, 1e3 * world.facts.round_s)
    world.put("/participation/deadline_ms", world.draw.scale(0.01 * wait, 10 * wait))


def enough(world: World) -> None:
    world.put("/participation/enough", world.draw.whole(1, max(1, world.agents - 1)))


def missing_neighbors(world: World) -> None:
    remedies.go_on(world)


def seed(world: World) -> None:
    world.put("/seed", world.draw.small(1, 10 ** 6))


def number_of_agents(world: World) -> None:
    least = 2 if world.facts.has_server else 1
    world.put("/topology/agents", world.draw.small(least, max(12, 2 * world.facts.agents)))
    world.document.update(without_agents(world.document, world.agents))


def kind_of_graph(world: World) -> None:
    draw, agents = world.draw, world.agents
    kind = draw.pick(("complete", "star", "ring", "path", "lattice", "erdos_renyi", "random_regular",
                      "watts_strogatz", "barabasi_albert", "exponential", "binary_tree"))
    found: dict[str, Any] = {"kind": kind, "agents": agents}
    if kind == "erdos_renyi":
        found["probability"] = draw.pick((0.3, 0.5, 0.8))
    elif kind == "random_regular":
        found["degree"] = draw.pick((2, 4) if agents % 2 else (2, 3, 4))
    elif kind == "watts_strogatz":
        found.update(degree=draw.pick((2, 4)), rewiring=draw.pick((0.1, 0.5)))
    elif kind == "barabasi_albert":
        found["edges_per_agent"] = draw.pick((1, 2))
    world.put("/topology", found)
