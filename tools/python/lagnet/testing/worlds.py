"""Small worlds, drawn by Hypothesis: sizes, conditioning, shards, graphs and latencies."""

from __future__ import annotations

import dataclasses
from typing import Any

from .runs import Document

LATENCIES: dict[str, Any] = {
    "equal": 1,
    "uniform": {"kind": "uniform", "low": 1, "high": 9},
    "heavy": {"kind": "lognormal", "median": 5, "sigma": 1.5},
}
REGULARIZER_WEIGHTS = {"none": None, "l2": 0.1, "l1": 0.02}


@dataclasses.dataclass(frozen=True)
class Habitat:
    """What a method's worlds have in common, and what lagnet lets it do there."""

    algorithm: Document
    server: bool = False
    partition: str = "samples"  # samples, features or cells
    asynchronous: bool = False
    by_updates: bool = False  # it has no rounds
    even: bool = False  # agents weigh alike
    topologies: tuple[str, ...] = ("ring",)
    problems: tuple[str, ...] = ("squared",)
    regularizers: tuple[str, ...] = ("l2",)
    shards: tuple[str, ...] = ("equal",)
    agents: tuple[int, int] = (3, 6)  # from and to how many hold data


@dataclasses.dataclass(frozen=True)
class World:
    """One world; the defaults are the simplest."""

    seed: int = 1
    agents: int = 3  # that hold data
    samples: int = 4  # of each
    features: int = 2
    condition: int = 1
    shards: str = "equal"
    topology: str = "ring"
    latencies: str = "equal"
    problem: str = "squared"
    regularizer: str = "l2"
    rounds: int = 12

    def sizes(self) -> list[int]:
        """How many samples each agent with data holds."""
        if self.shards == "one":
            return [1] + [self.samples + 1] * (self.agents - 1)
        if self.shards == "unequal":
            return [self.samples + 2 * k for k in range(self.agents)]
        return [self.samples] * self.agents

    def _topology(self) -> Document:
        if self.topology == "star":
            return {"kind": "star", "agents": self.agents + 1}
        if self.topology == "two_level_tree":
            return {"kind": "two_level_tree", "clients": [self.agents - self.agents // 2, self.agents // 2]}
        if self.topology == "peer_star":
            return {"kind": "star", "agents": self.agents}
        if self.topology == "random_out":
            return {"kind": "random_out", "agents": self.agents, "degree": 2}
        return {"kind": self.topology, "agents": self.agents}

    def document(self, habitat: Habitat) -> Document:
        """The scenario, short enough to read."""
        regularizer: Document = {"kind": self.regularizer}
        if self.regularizer != "none":
            regularizer["weight"] = REGULARIZER_WEIGHTS[self.regularizer]
        data: Document = {"samples": sum(self.sizes()), "features": self.features, "scaling": "unit_rows"}
        if self.problem == "squared":
            data = {"source": "gaussian_regression", **data, "noise": 0.5}
            if self.condition > 1:
                data["condition_number"] = self.condition
        else:
            data = {"source": "gaussian_classification", **data}
        made: Document = {
            "lagnet": 1, "seed": self.seed, "data": data,
            "problem": {"loss": {"kind": self.problem}, "regularizer": regularizer},
            "topology": self._topology(), "network": {"latency_ms": LATENCIES[self.latencies]},
            "algorithm": habitat.algorithm, "stop": {"rounds": self.rounds},
            "record": {"model_every": 1}}
        if habitat.even:
            made["problem"]["agent_weights"] = "even"
        if habitat.partition == "samples" and self.agents > 1:
            made["partition"] = {"kind": "sample_blocks", "sizes": self.sizes()}
        if habitat.partition == "cells":
            made["partition"] = {"kind": "blocks", "feature_groups": 2}
        if habitat.by_updates:
            made["compute"] = {"speed_flops_per_s": 1e5}  # updates take as long as messages
            made["stop"] = {"updates": self.rounds * self.agents}
            del made["record"]
        return made
