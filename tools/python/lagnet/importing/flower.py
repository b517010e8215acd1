"""A Flower app: its pyproject.toml has the configuration of runs and of simulated federations, and names the module of
the server, from which the strategy is read. Nothing is executed."""

from __future__ import annotations

import pathlib
import tomllib
from typing import Any

from . import python_code, strategies
from .drafts import Draft, Faults, is_number, quoted

NAME = "flower"
CALLED = "the pyproject.toml of a Flower app"

# What apps call these values: Flower's documentation and examples, and its own arguments.
ROUNDS = ("num-server-rounds", "num-rounds", "num_rounds")
EPOCHS = ("local-epochs", "local_epochs", "epochs")
STEPS = ("learning-rate", "lr", "client-lr", "learning_rate")
BATCHES = ("batch-size", "batch_size")
STRATEGIES = ("strategy", "strategy-name", "strategy.name", "algorithm", "algorithm-name")
CLIENTS = ("num-clients", "num-supernodes", "num_clients")
SEEDS = ("seed", "random-seed")
# Names in the configuration that are arguments of strategies, though apps spell them in many ways.
EVALUATION = ("fraction-evaluate", "min-evaluate-clients", "min-evaluate-nodes")


def recognize(file: pathlib.Path, head: str) -> bool:
    return "[tool.flwr" in head or "[tool]\nflwr" in head


def read(draft: Draft, faults: Faults) -> None:
    try:
        document = tomllib.loads(draft.file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        faults.add("", "a file in TOML", error)
        faults.check()
        return
    flwr = _table(document, faults, "tool", "flwr")
    if not flwr:
        faults.add("[tool.flwr]", "the configuration of a Flower app", "none")
    faults.check()
    app = _table(flwr, faults, "app")
    config = Config(_flat(_table(app, faults, "config")), faults)
    clients = _clients(draft, faults, flwr, config)
    strategy = _strategy(draft, faults, app, config)
    rounds = config.whole(ROUNDS, 1)
    if rounds is None:
        rounds = strategy.rounds
    if rounds is None and not draft.is_given("stop.rounds"):
        faults.add("[tool.flwr.app.config]", "num-server-rounds, the number of rounds", "none")
    faults.check()
    _write(draft, faults, config, strategy, clients, rounds or 1)


class Config:
    """The values of [tool.flwr.app.config], by the names that apps give them; those that nobody asks for are left."""

    def __init__(self, values: dict[str, Any], faults: Faults) -> None:
        self.values, self.faults, self.asked = values, faults, set[str]()

    def take(self, names: tuple[str, ...]) -> tuple[str, Any] | None:
        """The first of the names that is there, and its value; also the last part of a name such as strategy.mu."""
        for name in names:
            for key, value in self.values.items():
                if key == name or key.rpartition(".")[2] == name:
                    self.asked.add(key)
                    return key, value
        return None

    def number(self, names: tuple[str, ...], low: float, expected: str) -> float | None:
        found = self.take(names)
        if found is None:
            return None
        key, value = found
        if not is_number(value) or value <= low:
            self.faults.add(f"[tool.flwr.app.config] {key}", expected, quoted(value))
            return None
        return value

    def whole(self, names: tuple[str, ...], least: int) -> int | None:
        found = self.take(names)
        if found is None:
            return None
        key, value = found
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            self.faults.add(f"[tool.flwr.app.config] {key}", f"a whole number of at least {least}", quoted(value))
            return None
        return value

    def rest(self) -> list[str]:
        return sorted(set(self.values) - self.asked)


def _table(document: Any, faults: Faults, *keys: str) -> dict[str, Any]:
    for depth, key in enumerate(keys):
        document = document.get(key, {})
        if not isinstance(document, dict):
            faults.add(".".join(keys[:depth + 1]), "a table", quoted(document))
            return {}
    return dict(document)


def _flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Tables within as Flower flattens them: {"strategy": {"mu": 1}} has the key strategy.mu."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat.update(_flat(value, f"{before}{key}.") if isinstance(value, dict) else {before + key: value})
    return flat


def _clients(draft: Draft, faults: Faults, flwr: dict[str, Any], config: Config) -> int:
    """The clients: num-supernodes of the default federation, or of the only one."""
    federations = _table(flwr, faults, "federations")
    default = federations.pop("default", None)
    sizes = {name: _flat(one).get("options.num-supernodes") for name, one in federations.items()
             if isinstance(one, dict)}
    name = default if default is not None else next(iter(sizes), None)
    if default is not None and default not in sizes:
        faults.add("[tool.flwr.federations] default", "one of the federations there" if sizes else "a federation there",
                   quoted(default))
        return 1
    of_config = config.whole(CLIENTS, 1)
    size = sizes.get(name) if name is not None else None
    if size is None:
        if of_config is not None:
            return of_config
        draft.assume("topology", "10 clients: the file has no federation with options.num-supernodes (Flower keeps "
                                 "newer ones in a file of its own); --set topology.agents=N+1 gives N.")
        return 10
    place = f"[tool.flwr.federations.{name}] options.num-supernodes"
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        faults.add(place, "a whole number of at least 1", quoted(size))
        return 1
    others = sorted(set(sizes) - {name})
    if others:
        draft.leave_out("topology", f"the federations {', '.join(others)}: clients are those of {name}.")
    for key in sorted(set(_flat(federations[name] or {})) - {"options.num-supernodes"}):
        draft.leave_out("topology", f"{key} of the federation {name}.")
    return size


def _strategy(draft: Draft, faults: Faults, app: dict[str, Any], config: Config) -> strategies.Strategy:
    """The strategy by its name in the configuration, or by the code of the server."""
    named = config.take(STRATEGIES)
    reference = _table(app, faults, "components").get("serverapp")
    found = None
    if isinstance(reference, str):
        found = strategies.of_code(_code(draft, reference), config.values, config.asked)
    if found is not None:
        for text in found.unread:
            draft.leave_out("algorithm", text)
        if named is None or strategies.known(str(named[1])) in (None, found.name):
            return found
    if named is not None:
        name = strategies.known(str(named[1]))
        if name is None:
            faults.add(f"[tool.flwr.app.config] {named[0]}", f"one of {', '.join(strategies.KINDS)}", quoted(named[1]))
            return strategies.Strategy("FedAvg")
        return strategies.Strategy(name)
    if not draft.is_given("algorithm"):
        code = quoted(reference) if reference else "not named"
        draft.assume("algorithm", "the strategy is FedAvg, Flower's usual one: neither the configuration nor the code "
                                  f"of the server ({code}) says which it is.")
    return strategies.Strategy("FedAvg")


def _code(draft: Draft, reference: str) -> python_code.Module | None:
    """The module of the server, beside the file or in src."""
    parts = reference.partition(":")[0].split(".")
    for base in (draft.file.parent, draft.file.parent / "src"):
        path = base.joinpath(*parts).with_suffix(".py")
        if path.is_file():
            return python_code.parsed(path)
    return None


def _write(draft: Draft, faults: Faults, config: Config, strategy: strategies.Strategy, clients: int,
           rounds: int) -> None:
    settings = strategies.settings_of(strategy, config, faults, draft, clients)
    epochs, batch = config.whole(EPOCHS, 1), config.whole(BATCHES, 1)
    step = config.number(STEPS, 0, "a number above 0")
    faults.check()
    algorithm: dict[str, Any] = {"kind": settings.kind, "local_epochs": epochs or 1}
    if batch is not None:
        algorithm["batch"] = batch
    algorithm.update(settings.options)
    if step is None:
        step = settings.client_step
    if step is not None:
        algorithm["client_step"] = step
    if not draft.is_given("algorithm"):
        if epochs is None:
            draft.assume("algorithm", "one epoch of local training: the configuration has no local-epochs.")
        if batch is None:
            draft.assume("algorithm", "whole shards are batches: the configuration has no batch-size.")
        if step is None:
            draft.assume("algorithm", "the clients' step follows from theory: the configuration has no learning-rate.")
    seed = config.whole(SEEDS, 0)
    if seed is not None:
        draft.put("seed", seed)
    if not draft.is_given("data"):
        draft.assume("data", "the app loads data by code: 100 generated samples for each client stand for them.")
    if not draft.is_given("problem"):
        draft.assume("problem", "the model is code, too: a linear one with the logistic loss stands for it. "
                                "network.model_bytes sets the size of messages.")
    draft.put("data", {"source": "gaussian_classification", "samples": 100 * clients, "features": 20})
    draft.put("problem", {"loss": {"kind": "logistic"}})
    draft.put("topology", {"kind": "star", "agents": clients + 1})
    draft.put("network", {})
    draft.assume("network", "Flower's simulation has no network: links have lagnet's defaults, 1 ms and 1 Gbit/s.")
    if settings.sampled < clients:
        draft.put("participation", {"clients": {"kind": "random_subset", "size": settings.sampled}})
    draft.put("algorithm", algorithm)
    draft.put("stop", {"rounds": rounds})
    evaluation = [key for key in config.rest() if key.rpartition(".")[2] in EVALUATION]
    if evaluation:
        draft.leave_out("record", f"{', '.join(evaluation)}: lagnet evaluates on all samples; record.metrics adds "
                                  "columns.")
    rest = [key for key in config.rest() if key not in evaluation]
    if rest:
        draft.leave_out("algorithm", f"values of the configuration that only code understands: {', '.join(rest)}.")
