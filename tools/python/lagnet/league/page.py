"""The page of a league: one HTML file that asks no server. Its frame, style, charts and chart library are those of
`lagnet report`, which the program has."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Callable, Iterable

from .. import pages, process
from ..errors import InputError, SystemFailure
from . import page_model, picture, records, run_pages

PARTS = pathlib.Path(__file__).resolve().parent / "page"
SCRIPTS = ("standings", "sorted_table", "curves", "map", "method", "ranking", "league")

# Where the scripts of the report begin to build its own page.
START = "const given = JSON.parse("

# Runs in a few milliseconds: the page of its report has the frame.
TINY = {"lagnet": 1, "data": {"source": "gaussian_regression", "samples": 4, "features": 1},
        "topology": {"kind": "complete", "agents": 2}, "algorithm": {"kind": "dgd", "step": 0.1},
        "stop": {"rounds": 1}}


def report_page() -> str:
    """A page of `lagnet report`."""
    with tempfile.TemporaryDirectory(prefix="lagnet-") as folder:
        place = pathlib.Path(folder)
        (place / "tiny.json").write_text(json.dumps(TINY), encoding="utf-8")
        process.succeed(["run", str(place / "tiny.json"), "--out", str(place / "run"), "--quiet"])
        page = pages.report([place / "run"], place / "report.html")
        return page.path.read_text(encoding="utf-8")


def _cut(text: str, mark: str) -> tuple[str, str]:
    before, found, after = text.partition(mark)
    if not found:
        raise SystemFailure(f"league page: expected {mark!r} in a page of lagnet report, found none; the program and "
                            "the package are of different versions")
    return before, after


def _in_script(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def filled(report: str, model: page_model.Document) -> str:
    """The page of a league, made of one of `lagnet report`."""
    head, rest = _cut(report, '<script type="application/json" id="model">')
    _, rest = _cut(rest, "</script>\n<script>")
    library, rest = _cut(rest, "</script>\n<script>")
    scripts, tail = _cut(rest, "</script>\n</body>")
    own = "".join((PARTS / f"{name}.js").read_text(encoding="utf-8") + "\n" for name in SCRIPTS)
    scripts = f"{_cut(scripts, START)[0]}{own}}})();\n"
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'"
                      for one in (library, scripts))
    head = re.sub(r"script-src [^;]*;", lambda _: f"script-src {hashes};", head, count=1)
    before, after = _cut(head, "</style>")
    head = f"{before}{(PARTS / 'league.css').read_text(encoding='utf-8')}</style>{after}"
    head = head.replace("lagnet report", "lagnet league")
    return (f'{head}<script type="application/json" id="model">{_in_script(model)}</script>\n'
            f"<script>{library}</script>\n<script>{scripts}</script>\n</body>{tail}")


def _write_all(texts: dict[pathlib.Path, str], replace: bool) -> list[pathlib.Path]:
    """Writes all files, or none of them."""
    faults = []
    for path, text in texts.items():
        if path.is_dir():
            faults.append(f"{path}: expected a file, found a folder")
        elif not replace and path.exists() and path.read_bytes() != text.encode():
            faults.append(f"{path}: expected no file with other content, found one; --replace replaces it")
    if faults:
        raise InputError("\n".join(faults))
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_name(path.name + ".new")
        scratch.write_bytes(text.encode())
        os.replace(scratch, path)
    return list(texts)


def write(folder: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, replace: bool = False,
          svg: str | os.PathLike[str] | None = None, runs: Iterable[str] = (),
          tell: Callable[[int, int, records.Record], None] = lambda done, all_of_them, record: None
          ) -> list[pathlib.Path]:
    """Writes the page of a league's folder: league.html in it, or `out`. Gives the files.

    svg: also a file for the picture of the performance profiles in simulated seconds. replace: also files with other
    content. runs: patterns of cells, such as "ridge/phones/*", which run again for a page of their runs; the page
    links to all that are there. tell: is told after each cell how many have run, of how many, and its record

    >>> import tempfile
    >>> from lagnet.league import drawn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drawn.write(folder, problems=1, profiles=1, entries=2)
    ...     [path.name for path in write(folder)]
    ['league.html']
    """
    league = records.read(folder)
    place = pathlib.Path(folder) / "league.html" if out is None else pathlib.Path(out)
    chosen, made = run_pages.matching(league, runs), []
    for done, record in enumerate(chosen, 1):
        made.append(run_pages.write(pathlib.Path(folder), league, record, place.parent))
        tell(done, len(chosen), record)
    texts = {place: filled(report_page(), page_model.model(league, os.fspath(folder), place))}
    if svg is not None:
        texts[pathlib.Path(svg)] = picture.performance_profiles(league)
    return _write_all(texts, replace) + made
