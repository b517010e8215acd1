"""Archives of results run again: whether numbers are the same, byte for byte or within the tolerance, and whether the
claims hold."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from . import archives, differences, documents, inside, manifests, process, results, tables
from .artifacts import NOT_DECIDED, claims_of, versions_of
from .errors import InputError
from .places import Place

MOST_DIFFERENCES = 100  # of a run, that are kept
LONGEST = 60  # characters of a line that are shown
# Of JSON files: which build and which place wrote them, and what is only rounding.
NO_RESULTS = ("lagnet_version", "scenario_crc32", "source_sha256", "certificate_relative")

# What a process of its own does with a scenario that names classes in Python: modules of the same names may be others
# here.
CHILD = """
import json, sys, warnings
import lagnet
asked = json.loads(sys.argv[1])
warnings.simplefilter("ignore", lagnet.RunWarning)
try:
    getattr(lagnet, asked.pop("command"))(asked.pop("scenario"), **asked)
except lagnet.LagnetError as error:
    print(error, file=sys.stderr)
    sys.exit(2 if isinstance(error, (lagnet.InputError, lagnet.AgentError)) else 3)
"""


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """What an archive gave when it was run again. True if all numbers are the same and all claims hold.

    runs: "name", "verdict" ("same" byte for byte, "within_tolerance", "differs"), "differences", sentences, and
      "parts", what these say by name
    claims: "results", "statement", "good", false where it fails, "verdict", "recorded", the verdict in the archive,
      "measured", "allowed", "holds", "known_to_fail"
    versions: "recorded" and "here", each by the names of programs
    """

    artifact: str
    title: str
    tolerance: float
    versions: dict[str, dict[str, str]]
    runs: list[dict[str, Any]]
    claims: list[dict[str, Any]]
    keeper: Any = dataclasses.field(default=None, repr=False, compare=False)

    def __bool__(self) -> bool:
        return all(run["verdict"] != "differs" for run in self.runs) and all(
            claim["good"] for claim in self.claims)


def reproduce_artifact(artifact: str | os.PathLike[str], *, out: str | os.PathLike[str] | None = None,
                       jobs: int | None = None, tell: Callable[[str], None] | None = None) -> Reproduction:
    """Runs an archive that artifact() made again, and compares. Classes in Python that are in it run with the rights of
    this process.

    out: a new or an empty folder for the archive's files and, in `reproduced`, the new results; by default they are
    removed. jobs: how many points of a sweep run in parallel, by default 1. tell: is given the name of each result
    when it begins.

    Raises InputError for an archive that is damaged or was changed, for one that names files outside of it, and for
    data that are missing beside it. Then nothing was run and nothing is left.
    """
    path = pathlib.Path(artifact).absolute()
    count = inside.Asked(jobs=1 if jobs is None else jobs).jobs or 1
    place = Place(out)
    with archives.Reader(path) as reader:
        document = manifests.read(reader)
        missing = _beside(path, document)
        members = {name: (one["bytes"], one["sha256"]) for name, one in document["members"].items()}
        reader.unpack(members, manifests.LIST, place.out)
    for name, source in missing.items():
        (place.out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place.out / name)
    runs, claims = [], []
    tolerance = differences.Tolerances(differences.Tolerance(document["relative_tolerance"]))
    for one in document["runs"]:
        if tell is not None:
            tell(one["name"])
        refused = _run_again(one, place.out, count)
        found = [refused] if refused else _differences(one, place.out, tolerance)
        verdict = "same" if found is None else "differs" if found else "within_tolerance"
        runs.append({"name": one["name"], "verdict": verdict,
                     "differences": [differences.sentence(part) for part in found or []], "parts": found or []})
        claims += _claims(one, place.out, bool(refused))
    versions = {"recorded": document["versions"], "here": versions_of("python" in document["versions"])}
    return Reproduction(str(path), document["title"], document["relative_tolerance"], versions, runs, claims,
                        place.keeper)


# Data that are not in it


def _beside(path: pathlib.Path, document: dict[str, Any]) -> dict[str, pathlib.Path]:
    """The data that are not in the archive, by their names; they are in its folder."""
    found, wrong = {}, []
    for one in document["data"]:
        if one["included"]:
            continue
        file = path.parent / one["name"]
        digest = archives.digest_of(file) if file.is_file() else None
        if digest != one["sha256"]:
            how = f"; {one['how']}" if isinstance(one.get("how"), str) else ""
            wrong.append(f"{file}: expected the data of the archive, {one['bytes']} bytes with the SHA-256 "
                         f"{one['sha256']}, found {'none' if digest is None else digest}{how}")
        found[one["name"]] = file
    if wrong:
        raise InputError("\n".join(wrong))
    return found


# Runs and comparisons


def _run_again(one: dict[str, Any], folder: pathlib.Path, jobs: int) -> dict[str, Any] | None:
    """Runs a scenario into reproduced/NAME; how it was refused, or None."""
    scenario = folder / "results" / one["name"] / "scenario.json"
    out = folder / "reproduced" / one["name"]
    is_sweep = one["kind"] == "sweep"
    try:
        if inside.has_python(documents.parsed(scenario.read_text(encoding="utf-8"))):
            said = _in_child(scenario, out, is_sweep, jobs, folder / "sources")
        else:
            words = [one["kind"], str(scenario), "--out", str(out), "--quiet"]
            process.succeed([*words, *(["--jobs", str(jobs)] if is_sweep else [])], allowed=(0, 1))
            said = ""
    except InputError as error:
        said = str(error)
    if said or not out.is_dir():
        return {"code": "value", "file": "scenario.json", "where": "", "expected": "a scenario that runs",
                "found": said or "no results"}
    return None


def _in_child(scenario: pathlib.Path, out: pathlib.Path, is_sweep: bool, jobs: int, code: pathlib.Path) -> str:
    """Runs it in a process of its own; what this says if the scenario or its classes are to blame."""
    asked: dict[str, Any] = {"command": "sweep" if is_sweep else "run", "scenario": str(scenario), "out": str(out),
                             "progress": False}
    asked.update({"jobs": jobs} if is_sweep else {"check": False})
    known = [str(code), str(process.PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(one for one in known if one),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run([sys.executable, "-B", "-c", CHILD, json.dumps(asked)], stdin=subprocess.DEVNULL,
                           capture_output=True, text=True, errors="replace", cwd=code if code.is_dir() else None,
                           env=environment, check=False)
    if ended.returncode == 0:
        return ""
    if ended.returncode not in (1, 2):
        raise process.failure(process.Answer(ended.returncode, ended.stdout, ended.stderr))
    said = ended.stderr.strip()
    return (said if ended.returncode == 2 else said.rpartition("\n")[2]) or (
        f"Python ended with status {ended.returncode}")


def _differences(one: dict[str, Any], folder: pathlib.Path,
                 tolerances: differences.Tolerances) -> list[dict[str, Any]] | None:
    """How new results differ; None if they have the same bytes, and an empty list if they are within tolerances."""
    was, now = folder / "results" / one["name"], folder / "reproduced" / one["name"]
    names = sorted((path.relative_to(was) for path in was.rglob("*") if path.is_file()), key=_rank)
    found: list[dict[str, Any]] = []
    same = True
    for name in names:
        if not (now / name).is_file():
            parts: list[dict[str, Any]] | None = [{"code": "missing"}]
        else:
            parts = file_differences(was / name, now / name, tolerances)
        same = same and parts is None
        found += [{**part, "file": name.as_posix()} for part in parts or []]
        if len(found) >= MOST_DIFFERENCES:
            break
    for omitted in one["omitted"]:
        file = now / omitted["name"]
        if not file.is_file() or archives.digest_of(file) != omitted["sha256"]:
            found.append({"code": "bytes" if file.is_file() else "missing", "file": omitted["name"]})
    return None if same and not found else found[:MOST_DIFFERENCES]


def _rank(name: pathlib.Path) -> tuple[int, pathlib.Path]:
    """Scenarios first, since if these differ all else does, then results before the summaries made of them."""
    is_digest = name.name in (results.RUN, "sweep.csv", results.SWEEP)
    return {"scenario.json": 0, "progress.csv": 1}.get(name.name, 3 if is_digest else 2), name


def file_differences(was: pathlib.Path, now: pathlib.Path,
                     tolerances: differences.Tolerances) -> list[dict[str, Any]] | None:
    """How a file of results differs; None if it has the same bytes, an empty list if all differences are allowed."""
    if archives.digest_of(was) == archives.digest_of(now):
        return None
    if was.suffix == ".csv":
        return differences.in_table(differences.Table.of(tables.rows(was)), differences.Table.of(tables.rows(now)),
                                    tolerances)
    if was.suffix == ".json":
        want, got = _json_in(was), _json_in(now)
        if want is None or got is None:
            return _line_difference(was, now)
        if isinstance(want, dict) and isinstance(got, dict) and "retimed" in want:
            # The values of another run; a run of its own gives the same, but for the mark, and maybe a later model.
            want, got = ({key: value for key, value in one.items() if key not in ("retimed", "model")}
                         for one in (want, got))
            if want == got:
                return None
        # What a later version of lagnet adds is no difference.
        found = [part for part in differences.in_document(want, got, tolerances, NO_RESULTS) if part["code"] != "new"]
        return found[:MOST_DIFFERENCES]
    return _line_difference(was, now)


def _json_in(path: pathlib.Path) -> Any:
    """What a JSON file holds; None where that cannot be compared, as in an archive that somebody changed."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    return None if documents.is_deeper(found, documents.DEEPEST) else found


def _line_difference(was: pathlib.Path, now: pathlib.Path) -> list[dict[str, Any]]:
    with (open(was, encoding="utf-8", errors="replace") as first,
          open(now, encoding="utf-8", errors="replace") as other):
        for number, (want, got) in enumerate(itertools.zip_longest(first, other), 1):
            if want != got:
                shown = [repr(text.rstrip("\n")[:LONGEST]) if text is not None else "the end" for text in (want, got)]
                return [{"code": "value", "where": f"line {number}", "expected": shown[0], "found": shown[1]}]
    return [{"code": "bytes"}]


def _claims(one: dict[str, Any], folder: pathlib.Path, was_refused: bool) -> list[dict[str, Any]]:
    """The claims of new results beside those in the archive. One that neither can decide is no failure."""
    found = [] if was_refused else claims_of(folder / "reproduced" / one["name"])
    now = {claim["statement"]: claim for claim in found}
    nothing = {"holds": False, "known_to_fail": None, "verdict": NOT_DECIDED, "measured": "nothing", "allowed": ""}
    claims = []
    for recorded in one["claims"]:
        claim = now.get(recorded["statement"], nothing)
        good = claim["holds"] or claim["known_to_fail"] or claim["verdict"] == recorded["verdict"] == NOT_DECIDED
        claims.append({"results": one["name"], "statement": recorded["statement"], "recorded": recorded["verdict"],
                       "good": bool(good), **{key: claim[key] for key in nothing}})
    return claims
