"""What lagnet does, a function for each: run, sweep, tune, retime, reproduce, and what looks and proves."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import warnings
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from typing import Any, overload

from . import documents, inside, results as results_of, tables
from .errors import Deadlock, Diverged, InputError, RunWarning
from .places import Place
from .inside import Asked
from .prepared import Changes, prepare
from .results import Remark, Result, Results

Scenario = Any  # a path, a mapping, JSON, or a Scenario
Folder = Any  # results, or their folder
Out = str | os.PathLike[str] | None


def told(found: Any, check: bool) -> Any:
    """The results; warns of what a reader must know. A single run that failed is an exception if `check`."""
    runs = found.runs if isinstance(found, Results) else [found]
    seen: dict[str, list[str]] = {}
    for run in runs:
        for warning in [Remark(run.error)] if run.error else run.warnings:
            if run.status != "deadlock" or isinstance(found, Results):
                seen.setdefault(warning.kind, []).append(f"{run.label:.60}: {warning}")
    if check and isinstance(found, Result) and found.status in ("diverged", "deadlock"):
        kind = Diverged if found.status == "diverged" else Deadlock
        raise kind("; ".join(map(str, found.warnings)) or found.status, found)
    for same in seen.values():
        more = f" (and {len(same) - 1} more runs)" if len(same) > 1 else ""
        warnings.warn(same[0] + more, RunWarning, stacklevel=4)
    return found


def _execute(command: str, scenario: Scenario, changes: Changes, out: Out, asked: Asked, progress: bool | None,
             check: bool, executor: Executor | None = None) -> Any:
    if executor is not None and out is None:
        raise InputError("executor: expected out, a folder that its workers see, found none")
    place = Place(out)
    given = prepare(scenario, changes, place.inputs, executor is not None)
    inside.execute(command, given, place.out, asked, progress, executor)
    return told(results_of.read(place.out, place.keeper), check)


@overload
def run(scenario: Scenario, *, seeds: Iterable[int], set: Mapping[str, Any] | None = None, data: Any = None,
        test: Any = None, topology: Any = None, algorithm: Any = None, loss: Any = None, regularizer: Any = None,
        metrics: Any = None, out: Out = None, replace: bool = False, threads: int | None = None,
        jobs: int | None = None, memory_budget_mib: int | None = None, progress: bool | None = None,
        check: bool = True) -> Results: ...


@overload
def run(scenario: Scenario, *, seeds: None = None, set: Mapping[str, Any] | None = None, data: Any = None,
        test: Any = None, topology: Any = None, algorithm: Any = None, loss: Any = None, regularizer: Any = None,
        metrics: Any = None, out: Out = None, replace: bool = False, threads: int | None = None,
        jobs: int | None = None, memory_budget_mib: int | None = None, progress: bool | None = None,
        check: bool = True) -> Result: ...


def run(scenario: Scenario, *, seeds: Iterable[int] | None = None, set: Mapping[str, Any] | None = None,
        data: Any = None, test: Any = None, topology: Any = None, algorithm: Any = None, loss: Any = None,
        regularizer: Any = None, metrics: Any = None, out: Out = None, replace: bool = False,
        threads: int | None = None, jobs: int | None = None, memory_budget_mib: int | None = None,
        progress: bool | None = None, check: bool = True) -> Any:
    """Runs a scenario: a Result, or Results with several seeds or where the scenario itself has a sweep.

    scenario: the path of a file, a mapping, JSON, or a Scenario. Paths in a mapping are relative to the working folder.
    set: values by their keys, {"network.latency_ms": 50}, or by JSON pointers, {"/network/latency_ms": 50}.
    data: (X, y), X of shape (samples, features), dense or a sparse matrix of SciPy, y of shape (samples,); it takes the
        place of the section `data`. test: samples for tests alone, likewise. X of more than 64 MiB is used where it
        lies: as doubles in Fortran order, or as a csr_matrix or csc_matrix; others are copied, with a warning.
    topology: a networkx graph, whose nodes and edges may have the attributes that GraphML files may have; edges as
        pairs of agents; or a section. Nodes that are not 0 .. n-1, as numbers or as texts, are agents in the order in
        which the graph has them, and keep their names.
    algorithm: a name, a section with options, {"kind": "extra", "step": 0.5}, or a method in Python, as lagnet.Peers
        has them, which runs in this process. loss, regularizer: likewise, or of lagnet.Loss and lagnet.Regularizer.
    metrics: columns to record beside those of the scenario: names, sections, and objects of lagnet.Metric.
    seeds: runs the scenario with each of them.
    out: the folder of the results, which is kept; by default one that goes when the results are no longer in use. If
        it has finished results of the same scenario, files and build, these are returned, and nothing runs. Results of
        another scenario or of changed files are an InputError. replace: runs, and replaces what is there.
    threads, jobs, memory_budget_mib: what runs may take; results do not depend on them. Runs of methods in Python go
        one after the other unless there are more jobs: then children of this process run the points of a sweep.
    progress: shows it by tqdm; by default where tqdm is installed and somebody looks.
    check: a run that diverges or ends in a deadlock raises Diverged or Deadlock, which have the `result`.

    Raises ScenarioError with everything that is wrong with the scenario.

    >>> import lagnet
    >>> result = lagnet.run(lagnet.example("gossip"), set={"stop.rounds": 5}, algorithm="extra")
    >>> int(result.frame["round"].iloc[-1])
    5
    """
    changes = Changes(set=set, data=data, test=test, topology=topology, algorithm=algorithm, loss=loss,
                      regularizer=regularizer, metrics=metrics, seeds=seeds)
    asked = Asked(threads, jobs, memory_budget_mib, replace)
    return _execute("run", scenario, changes, out, asked, progress, check)


def sweep(scenario: Scenario, over: Mapping[str, Any] | None = None, *, algorithm: Any = None,
          seeds: Iterable[int] | None = None, set: Mapping[str, Any] | None = None, data: Any = None, test: Any = None,
          topology: Any = None, loss: Any = None, regularizer: Any = None, metrics: Any = None, out: Out = None,
          replace: bool = False, retime: bool = False, threads: int | None = None, jobs: int | None = None,
          memory_budget_mib: int | None = None, progress: bool | None = None,
          executor: Executor | None = None) -> Results:
    """Runs every combination of the values: {"topology.agents": [10, 30]}, and those of `algorithm` and `seeds`.

    over: values by their keys, and `points`, `random` and `latin_hypercube` as in a scenario's section `sweep`, which
    this adds to. algorithm, loss, regularizer: lists of names, sections and classes in Python, each of which is run.
    retime: computes one of the points that differ only in network or compute. The other arguments are those of
    run(), but for `check`: runs that diverge or end in a deadlock are among the results, whose `failed` has them, and
    lagnet warns of them.

    executor: runs the points on its workers, in shares: a ProcessPoolExecutor, Dask's `Client.get_executor()`, an
        mpi4py.futures.MPIPoolExecutor, or any other of concurrent.futures. It needs `out`, a folder that the workers
        see, as they must see all files of the scenario. Workers import the classes in Python that it names. If workers
        are lost, lagnet warns, and this process runs their points. The results do not depend on the executor.

    A sweep with `out` that was interrupted goes on from its finished points.

    >>> import lagnet
    >>> runs = lagnet.sweep(lagnet.example("gossip"), {"network.latency_ms": [1, 50]}, algorithm=["extra", "dgd"],
    ...                     seeds=range(1, 3), set={"stop.rounds": 5})
    >>> len(runs), list(runs[0].values)
    (8, ['algorithm', 'latency_ms', 'seed'])
    """
    if algorithm is not None and not isinstance(algorithm, (list, tuple)):
        algorithm = [algorithm]
    changes = Changes(set=set, data=data, test=test, topology=topology, algorithm=algorithm, loss=loss,
                      regularizer=regularizer, metrics=metrics, seeds=seeds, over=over)
    if executor is not None and jobs is not None:
        raise InputError("jobs: has no effect beside executor, whose workers run one point at a time each")
    if executor is not None and retime:
        raise InputError("retime: has no effect beside executor: points would need the values of other shares")
    asked = Asked(threads, jobs, memory_budget_mib, replace, retime)
    found: Results = _execute("sweep", scenario, changes, out, asked, progress, False, executor)
    return found


class Tuned:
    """What a search of parameters found: `scenario` is the tuned one, `chosen` the values that it has by their
    pointers, `facts` all that `lagnet tune` prints, `candidates` its table."""

    def __init__(self, folder: pathlib.Path, keeper: Any = None) -> None:
        self.folder = folder
        self._keeper = keeper
        self.facts: dict[str, Any] = json.loads((folder / "tune.json").read_text(encoding="utf-8"))

    @property
    def chosen(self) -> dict[str, Any]:
        """The values that were chosen, by their JSON pointers; {} if no candidate can be."""
        return dict((self.facts["chosen"] or {}).get("values", {}))

    @functools.cached_property
    def scenario(self) -> dict[str, Any]:
        """The scenario with the chosen values, and files by their absolute paths."""
        path = self.folder / "tuned.json"
        if not path.is_file():
            raise InputError(f"{path}: none of the candidates can be chosen; `candidates` says why")
        here = os.path.realpath(self.folder)
        found: dict[str, Any] = documents.with_paths(
            json.loads(path.read_text(encoding="utf-8")), lambda path: os.path.normpath(os.path.join(here, path)))
        return found

    @property
    def candidates(self) -> Any:
        """candidates.csv as a pandas.DataFrame."""
        return tables.frame(self.folder / "candidates.csv")

    def __repr__(self) -> str:
        return f"<lagnet.Tuned: {self.facts['candidates']} candidates, chosen {self.chosen}>"


def tune(scenario: Scenario, ranges: Mapping[str, Any] | None = None, *, candidates: int | None = None,
         to: float | None = None, seeds: Iterable[int] | None = None, set: Mapping[str, Any] | None = None,
         data: Any = None, test: Any = None, topology: Any = None, algorithm: Any = None, loss: Any = None,
         regularizer: Any = None, metrics: Any = None, out: Out = None, replace: bool = False,
         threads: int | None = None, jobs: int | None = None, memory_budget_mib: int | None = None,
         progress: bool | None = None) -> Tuned:
    """Searches parameters: draws candidates from ranges and chooses the one that is first to a relative error.

    ranges: {"algorithm.step": (0.01, 1)}, the least and the largest value, between which candidates are uniform in the
    logarithm; or a range as in a scenario, {"low": 1, "high": 9, "integer": True}. candidates: how many. to: the
    relative error to reach. seeds: every candidate runs with each of them, and the median counts. What is not given is
    as in the scenario's section `tune`. The other arguments are those of run().

    >>> import lagnet
    >>> tuned = lagnet.tune(lagnet.example("gossip"), {"algorithm.step": (0.01, 1)}, candidates=3, algorithm="extra",
    ...                     set={"stop.rounds": 20})
    >>> list(tuned.chosen), tuned.scenario["algorithm"]["step"] == tuned.chosen["/algorithm/step"]
    (['/algorithm/step'], True)
    """
    taken: dict[str, Any] = {"candidates": candidates, "to": to}
    if seeds is not None:
        taken["seeds"] = documents.seeds_of(seeds)
    if ranges is not None:
        taken["ranges"] = {documents.pointer_of(key): documents.plain(_range(key, one), f"/tune/ranges/{key}")
                           for key, one in ranges.items()}
    changes = Changes(set=set, data=data, test=test, topology=topology, algorithm=algorithm, loss=loss,
                      regularizer=regularizer, metrics=metrics, tune=taken)
    place = Place(out)
    given = prepare(scenario, changes, place.inputs)
    inside.execute("tune", given, place.out, Asked(threads, jobs, memory_budget_mib, replace), progress)
    return Tuned(place.out, place.keeper)


def _range(key: str, given: Any) -> dict[str, Any]:
    """A range of a scenario's section `tune`, of one or of its two ends."""
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, str) or not isinstance(given, Iterable) or len(ends := list(given)) != 2:
        raise TypeError(f"ranges: expected the two ends of {key}, as in (0.01, 1), found {given!r:.60}")
    return {"low": ends[0], "high": ends[1]}
