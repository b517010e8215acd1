"""Results held against themselves, claims and other networks: replay, check, reproduce, retime, explain."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shlex
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from . import classes, inside, memory, process, results as results_of, source_records
from .commands import Folder, Out, told
from .documents import child, document_of, plain, pointer_of
from .errors import InputError, RunWarning
from .places import Place
from .inside import Asked
from .prepared import Prepared, settings
from .reproductions import reproduce_artifact
from .results import Claims


def _folder(results: Folder) -> str:
    return str(pathlib.Path(os.fspath(results)).absolute())


@dataclasses.dataclass(frozen=True)
class Replay:
    """Whether a run that was repeated gave the same bytes, and the first difference if it did not. True if the same.

    difference: a sentence, parts: what it says by name, such as `code`, `file`, `line`, `where`, `expected` and `found`
    """

    same: bool
    difference: str = ""
    parts: dict[str, Any] = dataclasses.field(default_factory=dict, repr=False, hash=False)

    def __bool__(self) -> bool:
        return self.same


def replay(results: Folder, *, data: Any = None, test: Any = None, threads: int | None = None,
           jobs: int | None = None) -> Replay:
    """Runs the scenario of results again and compares the folder byte for byte. Where it differs and a class in Python
    is another one by its source, `difference` says so. data, test: the arrays that the run was given, where these were
    too large to be kept beside its results.

    >>> import lagnet
    >>> result = lagnet.run(lagnet.example("gossip"), set={"stop.rounds": 3})
    >>> lagnet.replay(result)
    Replay(same=True, difference='')
    """
    folder = pathlib.Path(_folder(results))
    document = inside.recorded_scenario(folder)
    in_memory = memory.in_scenario(document)
    if data is not None and not in_memory:
        raise InputError("data: expected none, since these results have theirs beside them, found some")
    if test is not None and data is None:
        raise InputError("test: expected data beside it, found none")
    Asked(threads, jobs)  # refuses what is out of range
    has_python = inside.has_python(document)
    for name, value in (("threads", threads), ("jobs", jobs)):
        if value is not None and has_python:
            raise InputError(f"{name}: has no effect on results with classes in Python")
    if jobs is not None and not (folder / "sweep.csv").is_file():
        raise InputError("jobs: has no effect on a single run")
    difference, parts = inside.replay(folder, has_python, threads, jobs,
                                      [] if data is None else memory.offers_of(data, test)[1])
    if difference:
        difference = "; ".join([difference, *classes.changed_sources(document)])
    return Replay(not difference, difference, parts)


class Goldens(list[dict[str, Any]]):
    """Golden scenarios and how they differ from what they gave: "name", "same", "differences", "parts", what these say
    by name, such as `code`, `where`, `expected` and `found`, and "hints", which classes in Python have another source
    than then."""

    folder = "FOLDER"

    @property
    def same(self) -> bool:
        return all(one["same"] for one in self)

    def text(self, are_made: bool = False) -> str:
        """What python -m lagnet check prints: a line for each golden, its differences and hints, and how to renew."""
        lines = []
        for one in self:
            word = "made" if are_made else "same" if one["same"] else "DIFFERS"
            lines += [f"{word}  {one['name']}", *(f"      {text}" for text in one["differences"] + one["hints"])]
        # Not those between two runs of now, and of scenarios that are gone; a missing golden says it itself.
        if not are_made and any("comparison" not in part and part["code"] not in ("no_golden", "no_scenario")
                                for one in self for part in one["parts"]):
            lines.append("if this is intended, renew the goldens: python3 -m lagnet check "
                         f"{shlex.quote(self.folder)} --update")
        return "\n".join(lines)


def check(results: Folder, update: bool = False) -> Claims | Goldens:
    """Of results the claims of their scenario; of a folder of golden scenarios, NAME.json, whether these give what they
    gave, which NAME.golden.json beside each has. Scenarios may name classes in Python. update: writes the goldens from
    this run, all or none. From a shell: python -m lagnet check FOLDER [--update].

    >>> import lagnet
    >>> runs = lagnet.sweep(lagnet.example("which_topology"), set={"stop.rounds": 400})
    >>> [claim["verdict"] for claim in lagnet.check(runs)] == [claim["verdict"] for claim in runs.claims]
    True
    """
    folder = pathlib.Path(_folder(results))
    if any((folder / name).is_file() for name in (results_of.RUN, results_of.SWEEP)):
        if update:
            raise InputError(f"{folder}: expected a folder of golden scenarios, found results")
        claims: Claims = results_of.read(folder).claims
        return claims
    documents = scenarios_with_classes(folder)
    goldens = Goldens(inside.check(folder, update))
    goldens.folder = os.fspath(results)
    for one in goldens:
        golden, document = folder / f"{one['name']}.golden.json", documents.get(one["name"])
        if update and document is not None:
            source_records.record(golden, document)
        one["hints"] = source_records.hints(golden, document, one["same"])
    return goldens


def scenarios_with_classes(folder: pathlib.Path) -> dict[str, Any]:
    """The golden scenarios of a folder that name classes in Python, by their names."""
    found = {path.stem: document_of(path)[0] for path in sorted(folder.glob("*.json"))
             if not path.name.endswith(".golden.json")}
    return {name: document for name, document in found.items() if inside.has_python(document)}


def retime(results: Folder, *, set: Mapping[str, Any] | None = None, over: Mapping[str, Any] | None = None,
           out: Out = None, jobs: int | None = None, memory_budget_mib: int | None = None,
           progress: bool | None = None, check: bool = True) -> Any:
    """The values of recorded runs in the times of another network, without computing again: a Result, or Results where
    these were of a sweep or `over` has several values. Raises InputError for what could change values, and for runs
    with classes in Python or with arrays that stayed in memory, which have to be run again.

    set, over: of the sections `network` and `compute`, as in sweep().

    >>> import lagnet
    >>> result = lagnet.run(lagnet.example("quickstart"), set={"stop.rounds": 200})
    >>> slower = lagnet.retime(result, over={"network.latency_ms": [50, 500]})
    >>> [run.summary["trace_hash"] == result.summary["trace_hash"] for run in slower]
    [False, False]
    >>> slower[0].rows()[-1]["objective"] == result.rows()[-1]["objective"]
    True
    """
    place, folder = Place(out), pathlib.Path(_folder(results))
    if jobs is not None and (folder / results_of.RUN).is_file():
        raise InputError("jobs: has no effect on a single run")
    values = settings(set)
    for key, swept in (over or {}).items():
        pointer = pointer_of(key)
        values.append(f"{child('/sweep', pointer)}={json.dumps(plain(list_like(swept), pointer))}")
    inside.execute("retime", Prepared(str(folder), None, folder, values), place.out,
                   Asked(jobs=jobs, memory_budget_mib=memory_budget_mib), progress)
    return told(results_of.read(place.out, place.keeper), check)


def explain(result: Folder) -> dict[str, Any]:
    """What everybody waited for in a run, back from its last report, and how much sooner it would end with each of that
    twice as fast: what `lagnet explain --json` prints. `set` of an entry of `others` is an argument of retime().

    >>> import lagnet
    >>> result = lagnet.run(lagnet.example("quickstart"), set={"stop.rounds": 200})
    >>> found = lagnet.explain(result)
    >>> found["parts"][0]["what"], found["parts"][0]["kind"]
    ('link 0 -> 7', 'latency')
    >>> best = max(found["others"], key=lambda one: one["sooner_s"])
    >>> faster = lagnet.retime(result, set=best["set"])
    >>> bool(faster.summary["stop"]["simulated_s"] < found["until_s"])
    True
    """
    found: dict[str, Any] = json.loads(process.succeed(["explain", _folder(result), "--json"]).out)
    return found


def list_like(values: Any) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise InputError(f"over: expected values in a list, found {values!r:.60}")
    return list(values)


def reproduce(figure: str | os.PathLike[str], *, full: bool = False, seeds: int | range | None = None,
              set: Mapping[str, Any] | None = None, out: Out = None, pdf: str | os.PathLike[str] | None = None,
              threads: int | None = None, jobs: int | None = None, memory_budget_mib: int | None = None) -> Any:
    """Runs a figure of a paper, "ancelin2021/figure1", and holds it against what the paper says, which `claims` of the
    result has; all figures of a paper, "ancelin2021", as a dictionary by their names. papers() lists them.

    set: values of the scenario, as in run(). Statements are said of its data: where these are others, they are left
    out, with a RunWarning. full: the paper's size if the usual one is reduced. seeds: how many draws statements are
    decided over, or which, range(11, 21). pdf: where the scenario's figure is drawn.

    figure may also be an archive that artifact() made, "paper.zip": its results are run again and compared, which
    gives a Reproduction. `out` and `jobs` apply there. Classes in Python that are in it run with your rights.

    >>> import lagnet
    >>> results = lagnet.reproduce("nguyen2022/straggler")
    >>> results.claims.hold
    True
    """
    figure = os.fspath(figure)
    if figure.endswith(".zip"):
        idle = {"full": full, "seeds": seeds, "set": set, "pdf": pdf, "threads": threads,
                "memory_budget_mib": memory_budget_mib}
        for name, value in idle.items():
            if value not in (None, False):
                raise InputError(f"{name}: has no effect on an archive, which is run as it was")
        return reproduce_artifact(figure, out=out, jobs=jobs)
    place = Place(out)
    words = ["reproduce", figure, "--out", str(place.out), "--quiet"]
    for value in settings(set):
        words += ["--set", value]
    for name, number in (("threads", threads), ("jobs", jobs), ("memory-budget-mib", memory_budget_mib)):
        if number is not None:
            words += [f"--{name}", str(number)]
    if full:
        words.append("--full")
    if seeds is not None:
        words += ["--seeds", f"{seeds.start}..{seeds.stop - 1}" if isinstance(seeds, range) else str(seeds)]
    if pdf is not None:
        words += ["--pdf", str(pathlib.Path(pdf).absolute())]
    process.succeed(words, process.scenarios().parent, allowed=(0, 1))
    if "/" in figure or (place.out / "scenario.json").is_file():
        found = results_of.read(place.out, place.keeper)
        if not found.scenario.get("expect") and _has_statements(figure):
            warnings.warn(f"{figure}: the statements are about other data and are left out", RunWarning,
                          stacklevel=2)
        return found
    return {folder.name: results_of.read(folder, place.keeper) for folder in sorted(place.out.iterdir())}


def _has_statements(figure: str) -> bool:
    """Whether the scenario of a figure, or of a paper that has one alone, has any."""
    place = process.scenarios() / "papers" / figure
    documents = [document_of(path)[0] for path in (place.glob("*.json") if place.is_dir() else [f"{place}.json"])]
    return any(one.get("expect") for one in documents if one is not None)


def papers() -> list[dict[str, Any]]:
    """The figures that reproduce() runs: "name", "description", and how many "statements" they are held against."""
    answer = process.succeed(["reproduce", "--json"], folder=process.scenarios().parent)
    found: list[dict[str, Any]] = json.loads(answer.out)["papers"]
    return found
