"""Flower's strategies, by their names and arguments, as methods of lagnet. Their arguments and defaults are those of
flwr.serverapp.strategy, and of flwr.server.strategy before it, which says clients and fit for nodes and train."""

from __future__ import annotations

import ast
import dataclasses
from typing import TYPE_CHECKING, Any

from . import python_code
from .drafts import Draft, Faults, is_number, quoted

if TYPE_CHECKING:
    from .flower import Config

KINDS = ("FedAvg", "FedProx", "FedAvgM", "FedAdagrad", "FedAdam", "FedYogi", "FedMedian", "FedTrimmedAvg", "Krum",
         "MultiKrum")
# Arguments that change no message, computation or time that lagnet has.
SILENT = ("fraction_evaluate", "min_evaluate_nodes", "min_evaluate_clients", "min_available_nodes",
          "min_available_clients", "initial_parameters", "evaluate_fn", "on_evaluate_config_fn",
          "fit_metrics_aggregation_fn", "evaluate_metrics_aggregation_fn", "train_metrics_aggr_fn",
          "evaluate_metrics_aggr_fn", "accept_failures", "weighted_by_key", "arrayrecord_key", "configrecord_key",
          "inplace")
ADAPTIVE = {"FedAdagrad": ("adagrad", 0.1, 0.1), "FedAdam": ("adam", 0.1, 0.1), "FedYogi": ("yogi", 0.01, 0.0316)}


@dataclasses.dataclass
class Strategy:
    """A strategy, its arguments as far as they are values, and the rounds that it is started with."""

    name: str
    arguments: dict[str, Any] = dataclasses.field(default_factory=dict)
    rounds: int | None = None
    unread: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Settings:
    """The method of lagnet: its options, the clients' step if the strategy has one, and how many clients a round
    asks."""

    kind: str
    sampled: int
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    client_step: float | None = None


def known(name: str) -> str | None:
    """The strategy of this name, however it is spelled.

    >>> known("fed-avg"), known("FedAdaGrad"), known("mine")
    ('FedAvg', 'FedAdagrad', None)
    """
    bare = name.lower().replace("-", "").replace("_", "").replace(" ", "")
    return {kind.lower(): kind for kind in KINDS}.get(bare)


def of_code(module: python_code.Module | None, config: dict[str, Any], asked: set[str]) -> Strategy | None:
    """The only strategy that the code makes. Arguments are values, or those of the configuration, by
    context.run_config["fraction-fit"]; `asked` takes their keys."""
    if module is None:
        return None
    own = {name: base for name, bases in module.classes().items() for base in bases if base in KINDS}
    calls = [(call, name) for call, name in module.calls() if name in KINDS or name in own]
    if len(calls) != 1:
        return None
    call, called = calls[0]
    name = own.get(called, called)
    scope = python_code.Scope(module, {"run_config": _Asked(config, asked)})
    strategy = Strategy(name)
    if called in own:
        strategy.unread.append(f"what {called} in {module.path.name} changes of {name}.")
    if call.args:
        strategy.unread.append(f"arguments of {name} without a name.")
    for word in call.keywords:
        value = scope.value(word.value)
        if word.arg is None or (value is python_code.UNKNOWN and word.arg not in SILENT):
            strategy.unread.append(f"{word.arg or 'arguments by **'} of {name} in {module.path.name}, line "
                                   f"{word.value.lineno}: it is no plain value.")
        elif value is not python_code.UNKNOWN:
            strategy.arguments[word.arg] = value
    rounds = [scope.value(word.value) for other, _ in module.calls() for word in other.keywords
              if word.arg == "num_rounds"]
    if len(rounds) == 1 and isinstance(rounds[0], int) and not isinstance(rounds[0], bool) and rounds[0] > 0:
        strategy.rounds = rounds[0]
    return strategy


class _Asked(dict[str, Any]):
    """The configuration, which notes what is looked up."""

    def __init__(self, values: dict[str, Any], asked: set[str]) -> None:
        super().__init__(values)
        self.asked = asked

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        self.asked.add(key)
        return value


def settings_of(strategy: Strategy, config: Config, faults: Faults, draft: Draft, clients: int) -> Settings:
    """The strategy as a method; what it has and lagnet does not is noted."""
    arguments = _Arguments(strategy, config, faults)
    fraction = arguments.number(("fraction_train", "fraction_fit"), 1.0, 0, 1)
    least = arguments.whole(("min_train_nodes", "min_fit_clients"), 2, 0)
    sampled = min(clients, max(int(clients * fraction), least))
    if fraction == 0:
        faults.add(arguments.place("fraction_train"), "a number above 0: with 0 nobody trains", 0)
    elif sampled > int(clients * fraction) and fraction < 1:
        draft.assume("participation", f"{sampled} clients are asked in a round, as Flower does: not fewer than "
                                      "min_fit_clients (min_train_nodes), 2 unless it is set.")
    made = Settings("fed_avg", max(sampled, 1))
    name = strategy.name
    if name == "FedProx":
        made.kind, made.options = "fed_prox", {"mu": arguments.number(("proximal_mu", "mu"), 0.0, 0)}
        draft.assume("algorithm", "the clients' code adds the proximal term, as FedProx asks of it.")
    elif name == "FedAvgM":
        made.options = {"server_step": arguments.number(("server_learning_rate",), 1.0, 0),
                        "server_optimizer": {"kind": "sgd", "momentum": arguments.number(("server_momentum",), 0.0, 0)}}
    elif name in ADAPTIVE:
        _adaptive(made, name, arguments, draft)
    elif name == "FedMedian":
        made.options = {"aggregation": {"kind": "coordinate_median"}}
    elif name == "FedTrimmedAvg":
        made.options = {"aggregation": {"kind": "trimmed_mean", "trim": arguments.number(("beta",), 0.2, 0)}}
    elif name in ("Krum", "MultiKrum"):
        attackers = arguments.whole(("num_malicious_nodes", "num_malicious_clients"), 0, 0)
        keep = arguments.whole(("num_nodes_to_select", "num_clients_to_keep"), 1, 0)
        made.options = {"aggregation": {"kind": "krum", "attackers": attackers, "keep": max(keep, 1)}}
    silent = [key for key in strategy.arguments if key in SILENT]
    rest = sorted(set(strategy.arguments) - arguments.used - set(silent))
    if silent:
        draft.leave_out("algorithm", f"of {name}, {', '.join(sorted(silent))}: evaluation and names, which change no "
                                     "round.")
    if rest:
        draft.leave_out("algorithm", f"of {name}, {', '.join(rest)}.")
    return made


def _adaptive(made: Settings, name: str, arguments: _Arguments, draft: Draft) -> None:
    kind, eta, eta_l = ADAPTIVE[name]
    optimizer: dict[str, Any] = {"kind": kind}
    if kind != "adagrad":
        optimizer["beta1"] = arguments.number(("beta_1",), 0.9, 0)
        optimizer["beta2"] = arguments.number(("beta_2",), 0.99, 0)
    optimizer.update({"tau": arguments.number(("tau",), 1e-3, 0), "v0": 0})
    made.options = {"server_step": arguments.number(("eta",), eta, 0), "server_optimizer": optimizer}
    made.client_step = arguments.number(("eta_l",), eta_l, 0)
    if kind == "adam":
        draft.leave_out("algorithm", "the bias correction of FedAdam's first rounds, which lagnet's adam has not.")


class _Arguments:
    """Arguments of a strategy: of the code, or of the configuration, or the default."""

    def __init__(self, strategy: Strategy, config: Config, faults: Faults) -> None:
        self.strategy, self.config, self.faults = strategy, config, faults
        self.used: set[str] = set()

    def place(self, name: str) -> str:
        return f"{name} of {self.strategy.name}"

    def number(self, names: tuple[str, ...], default: float, low: float, high: float | None = None) -> float:
        for name in names:
            if name in self.strategy.arguments:
                self.used.add(name)
                return self._checked(self.place(name), self.strategy.arguments[name], default, low, high)
        found = self.config.take(tuple(name.replace("_", "-") for name in names) + names)
        if found is None:
            return default
        return self._checked(f"[tool.flwr.app.config] {found[0]}", found[1], default, low, high)

    def whole(self, names: tuple[str, ...], default: int, low: int) -> int:
        value = self.number(names, default, low)
        if value != int(value):
            self.faults.add(f"{names[0]} of {self.strategy.name}", "a whole number", quoted(value))
        return int(value)

    def _checked(self, place: str, value: Any, default: float, low: float, high: float | None) -> float:
        if not is_number(value) or value < low or (high is not None and value > high):
            limits = f"from {low:g} to {high:g}" if high is not None else f"of at least {low:g}"
            self.faults.add(place, f"a number {limits}", quoted(value))
            return default
        return value
