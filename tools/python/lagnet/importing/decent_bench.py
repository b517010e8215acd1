"""A benchmark of decent-bench 0.2.2: a Python script that calls benchmark(algorithms=.., benchmark_problem=..). It is
read, not executed. Formulas of both tools: see docs/howto/import.md."""

from __future__ import annotations

import pathlib
from typing import Any

from . import python_code
from .decent_script import Algorithm, Problem, Script
from .drafts import Draft, Faults

NAME = "decent-bench"
CALLED = "a benchmark script of decent-bench"

PERIOD_MS = 100  # of the ticks that stand for iterations of ADMM, far longer than a message takes
DEADLINE_MS = 10  # after which a message is missing


def recognize(file: pathlib.Path, head: str) -> bool:
    return "decent_bench" in head and any(word in head for word in ("import decent_bench", "from decent_bench"))


def read(draft: Draft, faults: Faults) -> None:
    script = Script(python_code.parsed(draft.file), faults)
    problem = script.problem(draft)
    algorithms = script.algorithms(draft)
    faults.check()
    _write(draft, faults, problem, algorithms)


def _write(draft: Draft, faults: Faults, problem: Problem | None, algorithms: list[Algorithm]) -> None:
    assert problem is not None
    samples = problem.samples_each
    draft.put("data", {"source": "gaussian_classification", "samples": samples * problem.agents,
                       "features": problem.features})
    if not draft.is_given("data"):
        draft.assume("data", "lagnet's generated classes, -1 and 1, stand for scikit-learn's make_classification, "
                             "which has 0 and 1: each agent has as many samples.")
    draft.put("problem", {"loss": {"kind": problem.loss}})
    draft.put("topology", {**problem.topology, "gossip": "metropolis"})
    draft.assume("network", "decent-bench has no time: links have lagnet's defaults, 1 ms and 1 Gbit/s.")
    draft.put("network", {"loss_probability": problem.drops} if problem.drops else {})
    points = [_point(one, problem) for one in algorithms]
    if not points:
        return
    for key in ("participation", "compute", "algorithm", "stop"):
        draft.put(key, points[0][f"/{key}"])
    if len(points) > 1:
        varied = [key for key in points[0] if key == "label" or any(one[key] != points[0][key] for one in points)]
        draft.put("sweep", {"points": [{key: one[key] for key in varied} for one in points]})
    for key in ("participation", "compute"):
        if not draft.document[key]:
            del draft.document[key]
    _explain(draft, problem, {one.kind for one in algorithms})


def _point(algorithm: Algorithm, problem: Problem) -> dict[str, Any]:
    """The sections that differ among algorithms."""
    values, each = algorithm.values, problem.samples_each
    point: dict[str, Any] = {"label": algorithm.label, "/participation": {}, "/compute": {}}
    if algorithm.kind == "ADMM":
        method: dict[str, Any] = {"kind": "edge_admm", "penalty": values["rho"] / each, "relaxation": values["alpha"]}
        if problem.loss != "squared":
            method["accuracy"] = 1e-8
        return {**point, "/compute": {"clock": {"kind": "periodic", "period_ms": PERIOD_MS}}, "/algorithm": method,
                "/stop": {"updates": algorithm.iterations * problem.agents}}
    if problem.drops:
        point["/participation"] = {"missing_neighbor": {"kind": "reuse_last", "deadline_ms": DEADLINE_MS}}
    step = float(values["step_size"] * each)
    if algorithm.kind == "GT2":
        rounds = max(algorithm.iterations - 1, 1)
        return {**point, "/algorithm": {"kind": "nids", "step": step}, "/stop": {"rounds": rounds}}
    return {**point, "/algorithm": {"kind": "dgd", "step": step}, "/stop": {"rounds": algorithm.iterations}}


def _explain(draft: Draft, problem: Problem, kinds: set[str]) -> None:
    each = problem.samples_each
    if kinds & {"DGD", "GT2"}:
        draft.assume("algorithm", f"steps are step_size times {each}: decent-bench adds up the losses of an agent's "
                                  f"{each} samples, and lagnet takes their mean.")
    if "GT2" in kinds:
        draft.assume("algorithm", "GT2 is nids, whose first step comes before round 1: round k is iteration k + 1.")
    if "ADMM" in kinds:
        draft.assume("algorithm", f"ADMM is edge_admm with rho / {each}; an update every {PERIOD_MS} ms stands for an "
                                  "iteration, since it has no rounds.")
    if problem.drops and kinds & {"DGD", "GT2"}:
        draft.assume("participation", f"a message that has not come after {DEADLINE_MS} ms is lost, and the last one "
                                      "of that neighbor is used, as decent-bench does.")
