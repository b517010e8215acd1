"""What a browser or a notebook shows: figures, pages, tables. Figures are static, so that they are also seen where
scripts are taken out of a notebook."""

from __future__ import annotations

import base64
import html
import json
import os
import pathlib
import tempfile
import webbrowser
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import process
from .errors import InputError, LagnetError

if TYPE_CHECKING:
    from .results import Result

MIME = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


class Figure:
    """A drawn figure: `data` are the bytes of a file of this format, "svg", "png" or "pdf"."""

    def __init__(self, data: bytes, format: str, text: str = "") -> None:
        self.data = data
        self.format = format
        self.text = text  # what it shows, in words

    def save(self, path: str | os.PathLike[str], replace: bool = False) -> pathlib.Path:
        """Writes the file, whose name ends in the format, or in nothing. replace: also over other content."""
        ending = pathlib.Path(path).suffix.lower()
        if ending not in ("", f".{self.format}"):
            raise InputError(f"save: expected a name that ends in .{self.format}, found {os.fspath(path)}; "
                             f"figure(format=...) draws others")
        file = pathlib.Path(path)
        if not replace and file.exists() and file.read_bytes() != self.data:
            raise InputError(f"save: expected no file with other content (replace=True replaces it), found {file}")
        file.write_bytes(self.data)
        return file

    def _repr_html_(self) -> str | None:
        """An image that holds the drawing, which no other drawing on the page can disturb."""
        if self.format == "pdf":
            return None
        return (f'<img src="data:{MIME[self.format]};base64,{base64.b64encode(self.data).decode()}" '
                f'alt="{html.escape(self.text)}" style="max-width:100%">')

    def __repr__(self) -> str:
        return f"<lagnet.Figure: {self.format}, {len(self.data)} bytes>"


class Page:
    """A page that was written: `path` is its file. A notebook shows a link to it, or the page itself (`inline`)."""

    def __init__(self, path: pathlib.Path, inline: bool = False, keeper: Any = None) -> None:
        self.path = path
        self.inline = inline
        self._keeper = keeper

    def __fspath__(self) -> str:
        return str(self.path)

    def open(self) -> None:
        """Shows the page in a browser."""
        webbrowser.open(self.path.as_uri())

    def _repr_html_(self) -> str:
        if not self.inline:
            return f'<a href="{html.escape(self.path.as_uri())}">{html.escape(str(self.path))}</a>'
        page = html.escape(self.path.read_text(encoding="utf-8"))
        return (f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads allow-popups" title="lagnet report" '
                'style="width:100%;height:80vh;border:1px solid #ccc"></iframe>')

    def __repr__(self) -> str:
        return f"<lagnet.Page: {self.path}>"


def folders_of(results: Iterable[Any]) -> list[str]:
    """Their folders, absolute, since programs start elsewhere."""
    return [str(pathlib.Path(os.fspath(one)).absolute()) for one in results]


def figure(results: Sequence[Any], name: str | None = None, *, format: str = "svg", width_mm: float | None = None,
           panel: int | None = None, from_s: float | None = None, to_s: float | None = None, **choose: Any) -> Figure:
    """Draws a figure of `lagnet report`: "convergence", the default, "panels" (the scenario's own), "ranking",
    "pareto", "heat", "critical-path", "costs", "faults", "staleness", "topology", "links", "sites", "playback",
    "timeline" or "what-if-map".

    format: "svg", "png" or "pdf". width_mm: 85 by default, the width of a column, and 180 for panels. panel: this panel
    of the scenario's own figure instead, from 1 on. from_s, to_s: the part of a timeline, in s of simulated time.
    Everything else is what the page's controls choose: x="bytes", y="objective", logX=True, run=2.

    >>> import lagnet
    >>> result = lagnet.run(lagnet.example("gossip"), set={"stop.rounds": 3})
    >>> lagnet.figure([result], x="bytes").format
    'svg'
    """
    words = ["report", *folders_of(results), "--format", format]
    if name is not None or panel is None:
        words += ["--figure", name or "convergence"]
    for option, value in (("--width-mm", width_mm), ("--panel", panel), ("--from-s", from_s), ("--to-s", to_s)):
        if value is not None:
            words += [option, str(value)]
    for key, value in choose.items():
        words += ["--choose", f"{key}={json.dumps(value) if isinstance(value, bool) else value}"]
    with tempfile.TemporaryDirectory(prefix="lagnet-") as folder:
        path = pathlib.Path(folder) / f"figure.{format}"
        process.succeed([*words, "-o", str(path), "--quiet"])
        data = path.read_bytes()
    return Figure(data, format, _words_of(data) if format == "svg" else name or "")


def _words_of(svg: bytes) -> str:
    """What the program says that a figure shows."""
    head = svg[:4000].decode(errors="replace")
    _, found, rest = head.partition('aria-label="')
    return html.unescape(rest.partition('"')[0]) if found else ""


def report(results: Sequence[Any], out: str | os.PathLike[str] | None = None, inline: bool = False,
           replace: bool = False) -> Page:
    """Writes the page of `lagnet report` about these results: report.html beside the first of them, or `out`. A file
    with other content is replaced with `replace` alone."""
    if not results:
        raise InputError("report: expected results of a run or more, found none")
    keeper = getattr(results[0], "_keeper", None)
    path = pathlib.Path(folders_of(results)[0]).parent / "report.html" if out is None else pathlib.Path(out).absolute()
    process.succeed(["report", *folders_of(results), "-o", str(path), "--quiet", *(["--replace"] if replace else [])])
    return Page(path, inline, keeper if out is None else None)


def cell(value: Any) -> str:
    """A value as a table shows it."""
    if value is None or value == "":
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table in HTML, without scripts and style sheets; nothing where there are no rows."""
    rows = list(rows)
    if not rows:
        return ""
    head = "".join(f'<th style="text-align:left">{html.escape(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f'<td style="text-align:left">{html.escape(cell(one))}</td>' for one in row)
                   + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


MOST_ROWS = 24  # of a table in a notebook


def html_of(results: Sequence[Any]) -> str:
    """Convergence as a picture, and a table of the runs. Where the program cannot draw, it says why."""
    try:
        picture = figure(results)._repr_html_() or ""
    except LagnetError as error:
        picture = f"<p>{html.escape(str(error))}</p>"
    runs: list[Result] = []
    for one in results:
        runs += getattr(one, "runs", None) or [one]
    left_out = f"<p>and {len(runs) - MOST_ROWS} more</p>" if len(runs) > MOST_ROWS else ""
    columns = ["run", "seed", "status", "rounds", "simulated time (s)", "relative error", "bytes", "messages"]
    return picture + table(columns, [_row(run) for run in runs[:MOST_ROWS]]) + left_out


def _row(run: Result) -> list[Any]:
    if run.error:
        return [run.label, run.scenario["seed"], "error: " + run.error, *[None] * 5]
    summary = run.summary
    last = summary.get("last_row") or {}
    return [run.label, run.scenario["seed"], run.status, summary["stop"]["round"],
            float(summary["stop"]["simulated_s"]), last.get("relative_error"), summary["totals"]["bytes_sent"],
            summary["totals"]["messages_sent"]]
