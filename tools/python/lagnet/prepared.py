"""What the compiled module is given: the scenario of a caller, with what replaces parts of it."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import shutil
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import arrays, classes, graphs, inside, memory
from .documents import Document, document_of, named, plain, pointer_of, put, seeds_of, swept, tokens, with_paths
from .errors import InputError, Problem, RunWarning, ScenarioError


# Keys at which the name of a kind stands for it.
NAMED = ("/algorithm", "/topology", "/problem/loss", "/problem/regularizer")


@dataclasses.dataclass
class Changes:
    """What a call says beside the scenario; see run(), sweep() and tune()."""

    set: Mapping[str, Any] | None = None
    data: Any = None
    test: Any = None
    topology: Any = None
    algorithm: Any = None
    loss: Any = None
    regularizer: Any = None
    metrics: Any = None
    seeds: Iterable[int] | None = None
    over: Mapping[str, Any] | None = None
    tune: Mapping[str, Any] | None = None

    def within(self) -> bool:
        """Whether the scenario itself must contain any of it."""
        return any(value is not None for value in (self.data, self.test, self.topology, self.algorithm, self.loss,
                                                   self.regularizer, self.metrics, self.seeds, self.over, self.tune))


@dataclasses.dataclass
class Prepared:
    """A scenario as the compiled module takes it."""

    name: str  # what messages call it
    text: str | None  # the scenario; None where the module reads the file, or a command is given results instead
    folder: pathlib.Path  # what its paths are relative to
    settings: list[str]  # POINTER=VALUE
    has_python: bool = False  # whether it names classes in Python
    has_parts: bool = False  # whether these are losses, regularizers or metrics
    offers: list[memory.Offer] = dataclasses.field(default_factory=list)  # arrays that stay where they are


def settings(values: Mapping[str, Any] | None) -> list[str]:
    """POINTER=VALUE for each; keys are JSON pointers, or like network.latency_ms."""
    return [f"{pointer}={json.dumps(plain(value, pointer))}"
            for pointer, value in ((pointer_of(key), value) for key, value in (values or {}).items())]


def prepare(scenario: Any, changes: Changes, inputs: pathlib.Path, in_files: bool = False) -> Prepared:
    """`scenario` is a path, a mapping, JSON, or a Scenario; files for arrays are made in `inputs`, `in_files` for all
    of them."""
    document, path = document_of(scenario)
    values = settings(changes.set)
    if document is None:  # the module reads the file itself, and says best what is wrong with it
        assert path is not None
        given = Prepared(str(path), None, path.absolute().parent, values)
        if changes.within():
            raise ScenarioError(inside.problems_of(given) or [Problem("", "a scenario file")], str(path))
        return given
    if path is None or changes.within():
        document = {"lagnet": 1, **document}
    offers = _merge(document, changes, inputs, in_files)
    _refuse_idle(document, changes)
    document = dict(with_paths(document, lambda name: _adopted(name, inputs)))
    for text in classes.changed_sources(document):
        warnings.warn(f"{text}: the run is of the class as it is", RunWarning, stacklevel=4)
    classes.with_own_sources(document)
    named_in = [document, *(plain(value, pointer_of(key)) for key, value in (changes.set or {}).items())]
    return Prepared("scenario" if path is None else str(path), json.dumps(document),
                    pathlib.Path.cwd() if path is None else path.absolute().parent, values,
                    inside.has_python(named_in), inside.has_parts(named_in), offers)


def _replaces(pointer: str, put: str, value: Any) -> bool:
    """Whether what is put at a pointer leaves nothing of a value that was put, or of a part of it."""
    later, earlier = tokens(pointer), tokens(put)
    if earlier[:len(later)] == later:
        return True
    if later[:len(earlier)] != earlier:
        return False
    for part in later[len(earlier):]:
        if not isinstance(value, Mapping) or part not in value:
            return False
        value = value[part]
    return True


def _written(given: Any, put: str, document: Document) -> Any:
    """What a caller wrote of a part, as its section has it. Defaults of a class, and what arrays and graphs imply, are
    not in it, so that they can be set and swept."""
    if isinstance(given, classes.Named):
        return {"kind": "python", "options": {key: None for key, field in classes.options_of(type(given)).items()
                                              if getattr(given, key) is not field.default
                                              and field.default_factory is dataclasses.MISSING}}
    if isinstance(given, type) or (put in ("/data", "/topology") and not isinstance(given, (str, Mapping))):
        return None
    value: Any = document
    for part in tokens(put):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _refuse_idle(document: Document, changes: Changes) -> None:
    """InputError for an argument whose value a sweep, `set` or another argument replaces."""
    parts = {"/data": ("data", changes.data), "/topology": ("topology", changes.topology),
             "/algorithm": ("algorithm", changes.algorithm), "/problem/loss": ("loss", changes.loss),
             "/problem/regularizer": ("regularizer", changes.regularizer)}
    in_sweep, over = swept(document), [pointer_of(key) for key in changes.over or {}]
    set_later = [pointer_of(key) for key in changes.set or {}]
    for put, (name, given) in parts.items():
        if given is None:
            continue
        if isinstance(given, (list, tuple)) and name in ("algorithm", "loss", "regularizer"):
            if put in over:
                raise InputError(f"{name}: expected no list of it where over has {put}, found both")
            continue
        value = _written(given, put, document)
        for other, pointers in (("the scenario's sweep", in_sweep), ("set", set_later)):
            for pointer in pointers:
                if _replaces(pointer, put, value):
                    raise InputError(f"{name}: expected a value that {other} leaves alone, found {pointer}, which it "
                                     "sets")
    if changes.seeds is not None and "/seed" in over:
        raise InputError("seeds: expected none where over has /seed, found both")
    for key, value in (changes.set or {}).items():
        for pointer in in_sweep:
            if _replaces(pointer, pointer_of(key), value):
                raise InputError(f"set: expected a value that the sweep leaves alone, found {pointer_of(key)}: it sets "
                                 f"{pointer}")


def _adopted(name: str, inputs: pathlib.Path) -> str:
    """An array's file of other results, which may go when these are no longer in use, as one of these."""
    path = pathlib.Path(name)
    if path.parent.name != arrays.FOLDER or path.parent == inputs or not path.is_absolute() or not path.is_file():
        return name
    inputs.mkdir(parents=True, exist_ok=True)
    return str(shutil.copy2(path, inputs))


def _merge(document: Document, changes: Changes, inputs: pathlib.Path, in_files: bool) -> list[memory.Offer]:
    offers: list[memory.Offer] = []
    if changes.data is not None:
        if memory.is_large(changes.data) and not in_files:
            document["data"], offers = memory.offers_of(changes.data, changes.test)
        else:
            document["data"] = arrays.data_section(changes.data, inputs, changes.test)
    elif changes.test is not None:
        raise InputError("test: expected data beside it, found none")
    if changes.topology is not None:
        made = graphs.sections_of(changes.topology, inputs)
        document["topology"] = plain(made["topology"], "/topology")
        if "links" in made:
            put(document, "/network/links", made["links"])
    for pointer, given in (("/algorithm", changes.algorithm), ("/problem/loss", changes.loss),
                           ("/problem/regularizer", changes.regularizer)):
        if isinstance(given, (list, tuple)):
            _sweep(document, pointer, [named(one) for one in given])
        elif given is not None:
            put(document, pointer, named(given))
    if changes.metrics is not None:
        _add_metrics(document, changes.metrics)
    for key, values in (changes.over or {}).items():
        _over(document, key, values, inputs)
    if changes.seeds is not None:
        _sweep(document, "/seed", seeds_of(changes.seeds))
    if changes.tune is not None:
        tune = document.setdefault("tune", {}) or {}
        document["tune"] = {**tune, **{key: value for key, value in changes.tune.items() if value is not None}}
    return offers


def _add_metrics(document: Document, metrics: Any) -> None:
    """Adds columns to those that the scenario records."""
    if isinstance(metrics, (str, bytes, Mapping)) or not isinstance(metrics, Iterable):
        raise InputError(f"metrics: expected metrics in a list, found {metrics!r:.60}")
    record = document.get("record") or {}
    if not isinstance(record, dict):
        return  # which the program says best
    put(document, "/record", {**record, "metrics": [*(record.get("metrics") or []), *plain(list(metrics))]})


def _over(document: Document, key: str, values: Any, inputs: pathlib.Path) -> None:
    """One key of a sweep: the values of a pointer, or what else may stand in the section, such as points."""
    if key in ("points", "latin_hypercube", "random"):
        document.setdefault("sweep", {})[key] = plain(values, f"/sweep/{key}")
        return
    pointer = pointer_of(key)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise ScenarioError([Problem(pointer, "values to sweep over, in a list", f"{values!r:.60}")])
    taken = []
    for value in values:
        if pointer == "/topology" and graphs.is_graph(value):
            made = graphs.sections_of(value, inputs)
            if "links" in made:
                raise ScenarioError([Problem(pointer, "graphs whose links have the same latency_ms and "
                                             "bandwidth_bytes_per_s in both directions, in a sweep",
                                             "some that have not")])
            value = made["topology"]
        taken.append(named(value) if pointer in NAMED else value)
    _sweep(document, pointer, taken)


def _sweep(document: Document, pointer: str, values: Sequence[Any]) -> None:
    sweep = document.setdefault("sweep", {})
    sweep.pop(pointer, None)  # the last key is the fastest
    sweep[pointer] = plain(values, f"/sweep{pointer}")
