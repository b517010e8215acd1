"""manifest.json, the list of an archive of results: what is in it, and what it was made with. A list that was read is
one that can be used: every name stays within the archive."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from typing import Any

from . import archives, documents
from .errors import InputError

FORMAT = 1
LIST = "manifest.json"

LONGEST_NAME = 200  # of results

_NAME = re.compile(rf"[\w.+=,-]{{1,{LONGEST_NAME}}}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def read(reader: archives.Reader) -> dict[str, Any]:
    """manifest.json, of which everything that is used here has been checked."""
    where = f"{reader.path}: {LIST}"
    if not reader.has(LIST):
        raise InputError(f"{where}: expected it in an archive that `lagnet artifact` made, found none")
    try:
        document = json.loads(reader.read(LIST))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: expected JSON, found none: {error}") from None
    if documents.is_deeper(document, documents.DEEPEST):
        raise InputError(f"{where}: expected at most {documents.DEEPEST} levels of lists and objects, found more")
    if not isinstance(document, dict) or document.get("lagnet_artifact") != FORMAT:
        found = document.get("lagnet_artifact") if isinstance(document, dict) else None
        raise InputError(f"{where}: /lagnet_artifact: expected {FORMAT}, found {found!r:.60}")
    wrong = list(_wrong(document))
    if wrong:
        raise InputError("\n".join(f"{where}: {one}" for one in wrong[:archives.MOST_SHOWN]))
    _check_scenarios(reader, document)
    return document


def _wrong(document: dict[str, Any]) -> Iterator[str]:
    def of(key: str, kind: type) -> Any:
        value = document.get(key)
        return value if isinstance(value, kind) else kind()

    for key, kind in (("title", str), ("versions", dict), ("runs", list), ("data", list), ("members", dict)):
        if not isinstance(document.get(key), kind):
            yield f"/{key}: expected a value of type {kind.__name__}, found {document.get(key)!r:.60}"
    if any(not isinstance(one, str) for one in of("versions", dict).values()):
        yield "/versions: expected texts, found others"
    tolerance = document.get("relative_tolerance")
    if not isinstance(tolerance, float) or not 0 <= tolerance < 1:
        yield f"/relative_tolerance: expected a number from 0 to below 1, found {tolerance!r:.60}"
    for name, one in of("members", dict).items():
        if archives.problem_of_name(name) or not _is_described(one):
            yield f"/members: expected names with bytes and sha256, found {name!r:.60}: {one!r:.100}"
    for number, one in enumerate(of("data", list)):
        good = _is_described(one) and isinstance(one.get("name"), str) and isinstance(one.get("included"), bool)
        if not good or not one["name"].startswith("data/") or archives.problem_of_name(one["name"]):
            yield f"/data/{number}: expected a name in data, bytes, sha256 and included, found {one!r:.100}"
        elif one["included"] and one["name"] not in of("members", dict):
            yield f"/data/{number}: expected a member {one['name']}, found none"
    names = set()
    for number, one in enumerate(of("runs", list)):
        if not _is_run(one) or one["name"].casefold() in names:
            yield f"/runs/{number}: expected a distinct name, kind, claims and omitted, found {one!r:.100}"
        elif f"results/{one['name']}/scenario.json" not in of("members", dict):
            yield f"/runs/{number}: expected a member results/{one['name']}/scenario.json, found none"
        names.add(one["name"].casefold() if _is_run(one) else "")


def _is_described(one: Any) -> bool:
    if not isinstance(one, dict):
        return False
    size, digest = one.get("bytes"), one.get("sha256")
    return (isinstance(size, int) and not isinstance(size, bool) and size >= 0 and isinstance(digest, str)
            and _DIGEST.fullmatch(digest) is not None)


def _is_run(one: Any) -> bool:
    if not isinstance(one, dict) or not isinstance(one.get("name"), str):
        return False
    claims, omitted = one.get("claims"), one.get("omitted")
    return (_NAME.fullmatch(one["name"]) is not None and one["name"] not in (".", "..")
            and one.get("kind") in ("run", "sweep") and isinstance(claims, list) and isinstance(omitted, list)
            and all(isinstance(claim, dict) and isinstance(claim.get("statement"), str)
                    and isinstance(claim.get("verdict"), str) for claim in claims)
            and all(_is_described(file) and isinstance(file.get("name"), str)
                    and not archives.problem_of_name(file["name"]) for file in omitted))


def _check_scenarios(reader: archives.Reader, document: dict[str, Any]) -> None:
    """Scenarios may name the data of the archive and no other file."""
    data, wrong = {one["name"] for one in document["data"]}, []
    for name in document["members"]:
        if not name.startswith("results/") or not name.endswith("/scenario.json") or not reader.has(name):
            continue
        scenario = documents.parsed(reader.read(name).decode("utf-8", errors="replace"))
        if scenario is None:
            wrong.append(f"{name}: expected a scenario, found no JSON")
            continue
        here = posixpath.dirname(name)
        wrong += [f"{name}: expected data of the archive, found the file {path!r}" for path in named_files(scenario)
                  if posixpath.normpath(posixpath.join(here, path)) not in data]
    if wrong:
        raise InputError("\n".join(f"{reader.path}: {one}" for one in wrong[:archives.MOST_SHOWN]))


def named_files(document: Any) -> Iterator[str]:
    """The files that a scenario or a summary names, also those that a sweep takes in turn."""
    found: list[str] = []

    def note(name: str) -> str:
        found.append(name)
        return name

    documents.with_paths(document, note)
    return iter(found)
