"""What came out of one run, and of several."""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
import os
import pathlib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from . import comparison, documents, graphs, names, pages, places, plots, process, tables
from .errors import InputError

RUN, SWEEP = "summary.json", "sweep.json"


class Folder:
    """What results have in common: a folder that the program wrote, which is read when it is asked for."""

    def __init__(self, folder: str | os.PathLike[str], keeper: places.Keeper | None = None) -> None:
        self.folder = pathlib.Path(folder).absolute()
        self._keeper = keeper

    def __fspath__(self) -> str:
        return str(self.folder)

    def __getstate__(self) -> dict[str, Any]:
        return {"folder": self.folder, "_keeper": None}  # another process holds no folder of this one

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy.copy(self)

    def __copy__(self) -> Any:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    @functools.cached_property
    def scenario(self) -> dict[str, Any]:
        """The scenario with every default filled in, and files by their absolute paths. run() takes it again."""
        here = os.path.realpath(self.folder)
        found: dict[str, Any] = documents.with_paths(
            self._json("scenario.json"), lambda path: os.path.normpath(os.path.join(here, path)))
        return found

    @functools.cached_property
    def claims(self) -> Claims:
        """What the scenario claims under `expect`, and whether it holds."""
        if not self.scenario.get("expect"):
            return Claims()
        answer = process.succeed(["check", str(self.folder), "--json"], allowed=(0, 1))
        return Claims(json.loads(answer.out)["claims"])

    def report(self, out: str | os.PathLike[str] | None = None, *, inline: bool = False) -> pages.Page:
        """Writes the page of `lagnet report`, one file for any browser; a notebook shows a link, or with `inline` the
        page itself. Without `out` the page is beside the results and moves with them."""
        return pages.report([self], out, inline)

    def figure(self, name: str | None = None, **choices: Any) -> pages.Figure:
        """A figure for print, as figure() of this package has it."""
        return pages.figure([self], name, **choices)

    def compare(self, *others: Any, **options: Any) -> comparison.Comparison:
        """Compares these runs, and those of other results, as compare() of this package does."""
        return comparison.compare(self, *others, **options)

    def plot(self, x: str = "simulated_s", y: str = "relative_error", ax: Any = None,
             where: Mapping[str, Any] | None = None) -> Any:
        """Draws a column of the runs against another one with matplotlib, as plot() of this package does; gives the
        axes."""
        return plots.plot(self, x, y, ax, where)

    def keep(self, folder: str | os.PathLike[str]) -> Any:
        """Copies the results to a folder that stays, a new or an empty one, and what arrays they need beside it, in
        `lagnet-inputs`; gives what read() gives."""
        places.keep(self.folder, pathlib.Path(folder).absolute())
        return read(folder)

    def _json(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{path}: missing") from None
        return found


@dataclasses.dataclass(frozen=True)
class Remark:
    """What a reader of a result has to know: str() gives the sentence, `text`.

    code: of which kind it is, "answers_missing"; "" in results of earlier versions
    numbers: those in the sentence, by name
    """

    text: str
    code: str = ""
    numbers: Mapping[str, float | None] = dataclasses.field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The same for remarks that differ in numbers alone."""
        return self.code if self.numbers else self.text

    def __str__(self) -> str:
        return self.text


class Result(Folder):
    """One run.

    >>> import lagnet
    >>> result = lagnet.run(lagnet.example("gossip"), set={"stop.rounds": 3})
    >>> result.status, result.summary["stop"]["round"], len(result.frame)
    ('done', 3, 4)
    """

    def __init__(self, folder: str | os.PathLike[str], keeper: places.Keeper | None = None, point: str = "",
                 values: dict[str, Any] | None = None, called: names.Names | None = None) -> None:
        super().__init__(folder, keeper)
        self.point = point  # its name among the points of a sweep
        self.values = values or {}  # of the swept keys, by the names that sweep.csv gives them
        self._names = called or names.Names({self.folder: ""})

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "point": self.point, "values": self.values, "_names": self._names}

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json: why the run ended, totals, the optimum and its certificate, the trace hash."""
        return self._json(RUN)

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """What a reader of the run has to know."""
        return tuple(Remark(one) if isinstance(one, str) else Remark(**one) for one in self.summary["warnings"])

    @property
    def status(self) -> str:
        """"done", "diverged", "deadlock", or "error" for a point of a sweep that could not run."""
        return "error" if self.error else str(self.summary["status"])

    @property
    def error(self) -> str:
        """Why the point of a sweep could not run; "" if it could."""
        path = self.folder / "error.txt"
        return path.read_text(encoding="utf-8").strip() if path.is_file() else ""

    @property
    def label(self) -> str:
        """What the run is called among others, as compare() calls its series: the values that tell it from them, but
        for its seed, kinds first and only as many as it takes."""
        return self._names.of(self.folder)

    def rows(self, table: str = "progress") -> list[dict[str, Any]]:
        """The rows of a table, "progress", "agents", "links", "sites", "resources", "staleness" or "model", without
        pandas."""
        return tables.rows(self._table(table))

    @property
    def frame(self) -> Any:
        """progress.csv as a pandas.DataFrame: a row for each recorded round or moment, in s and bytes."""
        return tables.frame(self._table("progress"))

    @property
    def agents(self) -> Any:
        """agents.csv as a pandas.DataFrame: what each agent did and waited for."""
        return tables.frame(self._table("agents"))

    @property
    def links(self) -> Any:
        """links.csv as a pandas.DataFrame: what each directed link carried."""
        return tables.frame(self._table("links"))

    @property
    def sites(self) -> Any:
        """sites.csv as a pandas.DataFrame, with network.sites: what the agents of each did and cost."""
        return tables.frame(self._table("sites"))

    @property
    def resources(self) -> Any:
        """resources.csv as a pandas.DataFrame, with network.underlay or media: what was sent and waited where."""
        return tables.frame(self._table("resources"))

    @property
    def staleness(self) -> Any:
        """staleness.csv as a pandas.DataFrame, of asynchronous methods: how often updates used something so old."""
        return tables.frame(self._table("staleness"))

    @property
    def samples(self) -> Any:
        """samples.csv as a pandas.DataFrame, with record.holders: the agent of each sample."""
        return tables.frame(self._table("samples"))

    @property
    def model(self) -> Any:
        """model.csv as a pandas.DataFrame: the coefficients that the run ended with, by feature."""
        return tables.frame(self._table("model"))

    @property
    def graph(self) -> Any:
        """The links as a networkx.DiGraph: nodes are agents with the accounts of agents.csv, edges have those of
        links.csv and their latency, `latency_ms`."""
        return graphs.graph_of(self.rows("agents"), self.rows("links"))

    def _table(self, name: str) -> pathlib.Path:
        path = self.folder / f"{name}.csv"
        if not path.is_file():
            raise InputError(f"{path}: " + (f"the run could not run: {self.error}" if self.error else "missing"))
        return path

    def __repr__(self) -> str:
        if self.error:
            return f"<lagnet.Result {self.label}: error: {self.error:.100}>"
        stop, last = self.summary["stop"], self.summary.get("last_row") or {}
        error = last.get("relative_error")
        return (f"<lagnet.Result {self.label}: {self.status}, {stop['round']} rounds, {stop['simulated_s']:.6g} s" +
                (f", relative error {error:.3g}" if error is not None else "") + ">")

    def _repr_html_(self) -> str:
        return pages.html_of([self])


class Results(Folder, Sequence[Result]):
    """Several runs, the points of a sweep; a sequence of them, in the order of the sweep.

    >>> import lagnet
    >>> runs = lagnet.sweep(lagnet.example("gossip"), {"network.latency_ms": [1, 50]}, set={"stop.rounds": 3})
    >>> [(run.values["latency_ms"], run.status) for run in runs]
    [(1, 'done'), (50, 'done')]
    """

    @functools.cached_property
    def runs(self) -> list[Result]:
        found, called = [], names.Names({})
        for row in tables.rows(self.folder / "sweep.csv"):
            columns = list(row)
            first, end = columns.index("folder") + 1, columns.index("stop")
            values = {name: row[name] for name in columns[first:end]}
            found.append(Result(self.folder / row["folder"], self._keeper, row["point"], values, called))
            called.labels[found[-1].folder] = str(values.get("label") or "")
        return found

    @overload
    def __getitem__(self, at: int) -> Result: ...

    @overload
    def __getitem__(self, at: slice) -> list[Result]: ...

    def __getitem__(self, at: int | slice) -> Result | list[Result]:
        return self.runs[at]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.runs)

    @property
    def failed(self) -> list[Result]:
        """The runs that came to no good end."""
        return [run for run in self.runs if run.status != "done"]

    @property
    def summary(self) -> Any:
        """sweep.csv as a pandas.DataFrame: a row for each run, with the swept keys and the last row of its progress."""
        return tables.frame(self.folder / "sweep.csv")

    @property
    def frame(self) -> Any:
        """progress.csv of all runs in one pandas.DataFrame, with `point` and the swept keys as columns."""
        return self._joined("progress")

    @property
    def agents(self) -> Any:
        """agents.csv of all runs, likewise."""
        return self._joined("agents")

    @property
    def links(self) -> Any:
        """links.csv of all runs, likewise."""
        return self._joined("links")

    @property
    def graphs(self) -> list[Any]:
        """The graph of each run."""
        return [run.graph for run in self.runs]

    def _joined(self, table: str) -> Any:
        import pandas

        frames = []
        for run in self.runs:
            if run.error:
                continue
            one = getattr(run, {"progress": "frame"}.get(table, table))
            for place, (name, value) in enumerate({"point": run.point, **run.values}.items()):
                # A name that the table has, too, is that of the swept key with its unit elsewhere.
                one.insert(place, name if name not in one else f"swept_{name}", value)
            frames.append(one)
        return pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame()

    def __repr__(self) -> str:
        failed = len(self.failed)
        return f"<lagnet.Results: {len(self)} runs" + (f", {failed} of them failed" if failed else "") + ">"

    def _repr_html_(self) -> str:
        return pages.html_of([self])


class Claims(list[dict[str, Any]]):
    """Statements and whether they hold, as `lagnet check --json` prints them."""

    @property
    def hold(self) -> bool:
        """Whether none of them fails, but for those that are known to."""
        return all(claim["holds"] or claim["known_to_fail"] for claim in self)

    def __repr__(self) -> str:
        """A line for each: its verdict, and what decides it."""
        return "\n".join(f"{one['verdict']}: {one['statement']}; allowed: {one['allowed']}, measured: "
                         + textwrap.shorten(one["measured"], 100, placeholder=" ..") for one in self) or "no statements"

    def _repr_html_(self) -> str:
        return pages.table(["statement", "in the paper", "measured", "allowed", "verdict"],
                           [[one["statement"], one["quote"] or one["paper"], one["measured"], one["allowed"],
                             one["verdict"] + (f"; known: {one['known_to_fail']}" if one["known_to_fail"] else "")]
                            for one in self])


def read(folder: str | os.PathLike[str], keeper: places.Keeper | None = None) -> Any:
    """The results in a folder: a Result of one run, Results of a sweep."""
    path = pathlib.Path(folder).absolute()
    if (path / SWEEP).is_file():
        return Results(path, keeper)
    if (path / RUN).is_file() or (path / "error.txt").is_file():
        return Result(path, keeper)
    raise InputError(f"{folder}: expected the folder of a run or of a sweep, found "
                     + ("neither" if path.is_dir() else "nothing there"))
