"""A script of decent-bench: the algorithms and the problem of its call of benchmark()."""

from __future__ import annotations

import ast
import dataclasses
from typing import Any

from . import python_code
from .drafts import Draft, Faults, is_number, quoted
from .graph_calls import topology_of
from .python_code import UNKNOWN, Made

ARGUMENTS = {"benchmark": ("algorithms", "benchmark_problem", "plot_metrics", "table_metrics", "table_fmt"),
             "create_regression_problem": ("cost_function_cls",),
             "BenchmarkProblem": ("topology_structure", "optimal_x", "cost_functions", "agent_activation_schemes",
                                  "compression_scheme", "noise_scheme", "drop_scheme"),
             "SyntheticClassificationData": ("n_partitions", "n_classes", "n_samples_per_partition", "n_features",
                                             "seed"),
             "DGD": ("iterations", "step_size", "name"), "GT1": ("iterations", "step_size", "name"),
             "GT2": ("iterations", "step_size", "name"), "ADMM": ("iterations", "rho", "alpha", "name"),
             "UniformActivationRate": ("activation_probability",), "Quantization": ("n_significant_digits",),
             "UniformDropRate": ("drop_rate",), "GaussianNoise": ("mean", "sd")}
LOSSES = {"LinearRegressionCost": "squared", "LogisticRegressionCost": "logistic"}
SCHEMES = {"agent_activation_schemes": ("AlwaysActive", "UniformActivationRate"),
           "compression_scheme": ("NoCompression", "Quantization"), "noise_scheme": ("NoNoise", "GaussianNoise"),
           "drop_scheme": ("NoDrops", "UniformDropRate")}


@dataclasses.dataclass
class Problem:
    """What a benchmark problem has. Probabilities that are None are not in the file."""

    loss: str
    topology: dict[str, Any]
    agents: int
    samples_each: int
    features: int
    drops: float = 0


@dataclasses.dataclass
class Algorithm:
    """One that lagnet has, by its class, with the values of its arguments."""

    kind: str
    label: str
    iterations: int
    values: dict[str, float]


class Script:
    """The parts of a script. Faults have the line of the call that they are about."""

    def __init__(self, module: python_code.Module, faults: Faults) -> None:
        self.module, self.faults, self.scope = module, faults, python_code.Scope(module)
        calls = [call for call, name in module.calls() if name == "benchmark"]
        if len(calls) != 1:
            lines = ", ".join(str(call.lineno) for call in calls)
            faults.add("", "one call benchmark(algorithms=.., benchmark_problem=..)",
                       f"{len(calls)}, in lines {lines}" if calls else "none")
            faults.check()
        self.call = calls[0]

    def expressions(self, call: ast.Call, name: str) -> dict[str, ast.expr]:
        """The arguments of a call by their names."""
        found = dict(zip(ARGUMENTS.get(name, ()), call.args))
        found.update({word.arg: word.value for word in call.keywords if word.arg is not None})
        return found

    def resolved(self, node: ast.expr | None) -> ast.expr | None:
        """What a name stands for, if it is assigned once."""
        for _ in range(python_code.DEEPEST):
            if not isinstance(node, ast.Name):
                return node
            values = self.scope.assigned.get(node.id, [])
            node = values[0] if len(values) == 1 else None
        return None

    def number(self, given: dict[str, ast.expr], key: str, line: int, default: Any, whole: bool, low: float,
               high: float | None = None) -> Any:
        """The value of an argument; a fault where it is none, or not within the limits."""
        if key not in given:
            if default is None:
                self.faults.add(line, f"the argument {key}", "none")
            return default
        value = self.scope.value(given[key])
        is_kind = is_number(value) and (isinstance(value, int) or not whole)
        if not is_kind or value < low or (high is not None and value > high):
            limits = f"from {low:g} to {high:g}" if high is not None else f"of at least {low:g}"
            self.faults.add(given[key].lineno, f"{key}, {'a whole number' if whole else 'a number'} {limits}",
                            "an expression that is more than a value" if value is UNKNOWN else
                            f"{value.name}(..)" if isinstance(value, Made) else quoted(value))
            return default if default is not None else low
        return value

    def algorithms(self, draft: Draft) -> list[Algorithm]:
        given = self.expressions(self.call, "benchmark")
        listed = self.resolved(given.get("algorithms"))
        if not isinstance(listed, (ast.List, ast.Tuple)) or not listed.elts:
            self.faults.add(self.call.lineno, "algorithms=[DGD(..), ..]", "none" if listed is None else "an expression")
            return []
        found = [one for node in listed.elts if (one := self._algorithm(draft, node)) is not None]
        if not found and not draft.is_given("algorithm"):
            self.faults.add(self.call.lineno, "one algorithm that lagnet has, of DGD, GT2 and ADMM", "none")
        trials = self.number(given, "n_trials", self.call.lineno, 30, True, 1)
        if trials > 1:
            draft.leave_out("sweep", f"{trials} trials of each algorithm: --sweep seed=1,2,.. runs as many, each with "
                                     "other data, too.")
        rest = sorted(set(given) - {"algorithms", "benchmark_problem", "n_trials"})
        if rest:
            draft.leave_out("record", f"{', '.join(rest)}: what is measured and shown; record.metrics adds columns.")
        return found

    def _algorithm(self, draft: Draft, node: ast.expr) -> Algorithm | None:
        call = self.resolved(node)
        name = python_code.last_name(call.func) if isinstance(call, ast.Call) else ""
        if not isinstance(call, ast.Call) or not name:
            self.faults.add(node.lineno, "an algorithm such as DGD(iterations=.., step_size=..)", "an expression")
            return None
        given = self.expressions(call, name)
        if name == "GT1":
            draft.leave_out("algorithm", "GT1: lagnet has no method with its iteration; gradient_tracking and extra "
                                         "are near it.")
            return None
        if name not in ("DGD", "GT2", "ADMM"):
            draft.leave_out("algorithm", f"{name}: it is not one of decent-bench 0.2.2; if lagnet has it, --algorithm "
                                         "of lagnet run adds it.")
            return None
        unknown = sorted(set(given) - set(ARGUMENTS[name]))
        if unknown:
            self.faults.add(call.lineno, f"arguments of {name}: {', '.join(ARGUMENTS[name])}", ", ".join(unknown))
        label = self.scope.value(given["name"]) if "name" in given else name
        values = {key: self.number(given, key, call.lineno, None, False, 0) for key in ARGUMENTS[name][1:-1]}
        for key, value in values.items():
            if value == 0 or (key == "alpha" and value is not None and value >= 1):
                self.faults.add(given[key].lineno if key in given else call.lineno,
                                f"{key}, a number above 0{' and below 1' if key == 'alpha' else ''}", value)
        iterations = self.number(given, "iterations", call.lineno, None, True, 1)
        return Algorithm(name, label if isinstance(label, str) else name, iterations or 1,
                         {key: value or 0 for key, value in values.items()})

    def problem(self, draft: Draft) -> Problem | None:
        given = self.expressions(self.call, "benchmark")
        node = given.get("benchmark_problem")
        call = self.resolved(node)
        name = python_code.last_name(call.func) if isinstance(call, ast.Call) else ""
        if not isinstance(call, ast.Call) or name not in ("create_regression_problem", "BenchmarkProblem"):
            self.faults.add(self.call.lineno,
                            "benchmark_problem, of create_regression_problem(..) or BenchmarkProblem(..)",
                            f"{name}(..)" if name else "none" if node is None else "an expression")
            return None
        parts = self.expressions(call, name)
        later = self._later(node)
        if name == "create_regression_problem":
            return self._out_of_the_box(draft, call, parts, later)
        return self._composed(draft, call, {**parts, **later})

    def _later(self, node: ast.expr | None) -> dict[str, ast.expr]:
        """Attributes of the problem that are set after it is made: problem.topology_structure = .."""
        if not isinstance(node, ast.Name):
            return {}
        found: dict[str, ast.expr] = {}
        for one in ast.walk(self.module.tree):
            if isinstance(one, ast.Assign):
                for target in one.targets:
                    if isinstance(target, ast.Attribute) and python_code.last_name(target.value) == node.id:
                        found[target.attr] = one.value
        return found

    def _out_of_the_box(self, draft: Draft, call: ast.Call, given: dict[str, ast.expr],
                        later: dict[str, ast.expr]) -> Problem:
        """create_regression_problem: 10 samples with 3 features for each agent of a random regular graph."""
        agents = self.number(given, "n_agents", call.lineno, 100, True, 2)
        degree = self.number(given, "n_neighbors_per_agent", call.lineno, 3, True, 1)
        problem = Problem(self._loss(draft, given.get("cost_function_cls"), call.lineno),
                          {"kind": "random_regular", "agents": agents, "degree": degree}, agents, 10, 3)
        if degree >= agents or agents * degree % 2:
            self.faults.add(call.lineno, "n_neighbors_per_agent below n_agents, and an even product of the two",
                            f"{degree} and {agents}")
        if "topology_structure" not in later and not draft.is_given("topology"):
            draft.assume("topology", "another random regular graph than that of networkx with seed 0.")
        for key, scheme, value in (("asynchrony", "UniformActivationRate", 0.5), ("compression", "Quantization", 4),
                                   ("noise", "GaussianNoise", 0.001), ("drops", "UniformDropRate", 0.5)):
            flag = self.scope.value(given[key]) if key in given else False
            if not isinstance(flag, bool):
                self.faults.add(given[key].lineno, f"{key}, True or False", quoted(flag))
            elif flag:
                self._scheme(draft, problem, scheme, value)
        self._set_later(draft, problem, later)
        return problem

    def _set_later(self, draft: Draft, problem: Problem, later: dict[str, ast.expr]) -> None:
        if "topology_structure" in later:
            problem.topology = self._topology(draft, later["topology_structure"])
            if problem.topology and problem.topology["agents"] != problem.agents:
                self.faults.add(later["topology_structure"].lineno,
                                f"a graph of {problem.agents} nodes, one for each agent", problem.topology["agents"])
        self._schemes(draft, problem, later)
        for key in sorted(set(later) - {"topology_structure", *SCHEMES}):
            draft.leave_out("problem", f"{key}, which is set later.")

    def _composed(self, draft: Draft, call: ast.Call, given: dict[str, ast.expr]) -> Problem:
        """BenchmarkProblem of a graph, costs and schemes."""
        missing = [key for key in ("topology_structure", "cost_functions") if key not in given]
        for key in missing:
            self.faults.add(call.lineno, f"the argument {key}", "none")
        topology = {} if missing else self._topology(draft, given["topology_structure"])
        agents = topology.get("agents", 2)
        costs = self.resolved(given.get("cost_functions"))
        names = [] if costs is None else [python_code.last_name(one.func) for one in ast.walk(costs)
                                          if isinstance(one, ast.Call)]
        cost = next((name for name in names if name.endswith(("Cost", "CostFunction"))), names[0] if names else "")
        problem = Problem("squared" if missing else self._loss_named(draft, cost, call.lineno), topology, agents, 10, 3)
        self._data(draft, problem)
        self._schemes(draft, problem, given)
        return problem

    def _topology(self, draft: Draft, node: ast.expr) -> dict[str, Any]:
        made = self.scope.value(self.resolved(node))
        if draft.is_given("topology"):
            made_of = made.arguments if isinstance(made, Made) else []
            return {"kind": "ring", "agents": max([one for one in made_of if isinstance(one, int)], default=2)}
        found = topology_of(made, draft, self.faults, node.lineno)
        return found or {}

    def _loss(self, draft: Draft, node: ast.expr | None, line: int) -> str:
        return self._loss_named(draft, python_code.last_name(node) if node is not None else "", line)

    def _loss_named(self, draft: Draft, name: str, line: int) -> str:
        if name in LOSSES or draft.is_given("problem"):
            return LOSSES.get(name, "squared")
        self.faults.add(line, f"costs of {' or '.join(LOSSES)}, or --set problem=..", name or "none")
        return "squared"

    def _data(self, draft: Draft, problem: Problem) -> None:
        calls = [call for call, name in self.module.calls() if name == "SyntheticClassificationData"]
        if len(calls) != 1:
            if not draft.is_given("data"):
                draft.assume("data", "10 samples with 3 features for each agent: the script has no "
                                     "SyntheticClassificationData, or several.")
            return
        given, line = self.expressions(calls[0], "SyntheticClassificationData"), calls[0].lineno
        partitions = self.number(given, "n_partitions", line, None, True, 1)
        problem.samples_each = self.number(given, "n_samples_per_partition", line, None, True, 1) or 1
        problem.features = self.number(given, "n_features", line, None, True, 1) or 1
        classes = self.number(given, "n_classes", line, None, True, 2)
        if classes not in (None, 2):
            self.faults.add(line, "n_classes=2", classes)
        if problem.topology and partitions is not None and partitions < problem.agents:
            self.faults.add(line, f"n_partitions of at least {problem.agents}, the agents of the graph", partitions)

    def _schemes(self, draft: Draft, problem: Problem, given: dict[str, ast.expr]) -> None:
        for key, names in SCHEMES.items():
            if key not in given:
                continue
            value = self.scope.value(self.resolved(given[key]))
            kinds = value if isinstance(value, list) else [value]
            made = [one for one in kinds if isinstance(one, Made)]
            different = {(one.name, ast.dump(one.call)) for one in made}
            if len(made) < len(kinds) or len(different) != 1 or made[0].name not in names:
                what = ", ".join(sorted({one.name for one in made})) or "an expression"
                draft.leave_out("network", f"{key}: {what}.")
                continue
            if made[0].name == names[1]:
                arguments = self.expressions(made[0].call, names[1])
                first = ARGUMENTS[names[1]][-1]
                most = 1.0 if key in ("agent_activation_schemes", "drop_scheme") else None
                self._scheme(draft, problem, names[1],
                             self.number(arguments, first, made[0].call.lineno, None, False, 0, most))

    def _scheme(self, draft: Draft, problem: Problem, name: str, value: Any) -> None:
        if name == "UniformActivationRate":
            draft.leave_out("participation", f"in an iteration an agent is active with probability {value}: peers of "
                                             "lagnet take part in all rounds. participation.availability has absence "
                                             "by the clock.")
        elif name == "Quantization":
            draft.leave_out("algorithm", f"messages are rounded to {value} significant digits: lagnet compresses "
                                         "messages of methods made for it, such as choco_sgd and lead.")
        elif name == "GaussianNoise":
            draft.leave_out("network", f"messages have Gaussian noise of standard deviation {value}.")
        elif value:
            problem.drops = float(value)
