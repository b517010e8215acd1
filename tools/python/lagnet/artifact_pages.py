"""What an archive of results says to people: README.md, CITATION.cff, Containerfile and claims.md."""

from __future__ import annotations

import json
from typing import Any

Document = dict[str, Any]

# What the program of a wheel from Debian 12 needs beside Python.
LIBRARIES = ("libboost-graph1.74.0", "libboost-iostreams1.74.0", "libexpat1", "libfmt9", "libisal2", "libsqlite3-0",
             "libssl3")

CONTAINER = """\
# Beside this file: the archive, and the wheel of lagnet {lagnet} for Debian 12. Then:
#     podman build -t artifact . && podman run --rm artifact
FROM debian:12
RUN apt-get update && apt-get install --yes --no-install-recommends python3 python3-venv {packages} \\
    && rm -rf /var/lib/apt/lists/*
COPY *.zip lagnet-*.whl /artifact/
RUN python3 -m venv --system-site-packages /artifact/venv \\
    && /artifact/venv/bin/pip install --no-index /artifact/lagnet-*.whl
WORKDIR /artifact
CMD ["sh", "-c", "/artifact/venv/bin/lagnet reproduce /artifact/*.zip"]
"""


def pages_of(document: Document) -> dict[str, str]:
    """The pages by their names."""
    packages = " ".join([*LIBRARIES, *(["python3-numpy"] if "numpy" in document["versions"] else [])])
    made = {"README.md": readme(document), "CITATION.cff": citation(document),
            "Containerfile": CONTAINER.format(lagnet=document["versions"]["lagnet"], packages=packages)}
    if any(run["claims"] for run in document["runs"]):
        made["claims.md"] = claims(document)
    return made


def cell(text: str) -> str:
    """A cell of a table in Markdown."""
    return " ".join(str(text).split()).replace("|", "\\|")


def table(columns: list[str], rows: list[list[Any]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(cell(one) for one in line) + " |\n" for line in lines)


def verdict_of(claim: Document) -> str:
    return str(claim["verdict"]) + (f"; known: {claim['known_to_fail']}" if claim["known_to_fail"] else "")


def claims(document: Document) -> str:
    rows = [[run["name"], claim["statement"], claim["measured"], claim["allowed"], verdict_of(claim)]
            for run in document["runs"] for claim in run["claims"]]
    return "# Claims\n\n" + table(["results", "statement", "measured", "allowed", "verdict"], rows)


def readme(document: Document) -> str:
    rows = [[run["name"], f"{run['points']} runs" if run["kind"] == "sweep" else "1 run", run["description"],
             run["source"], len(run["claims"])] for run in document["runs"]]
    text = f"# {document['title']}\n\n"
    if document["authors"]:
        text += ", ".join(document["authors"]) + "\n\n"
    versions = ", ".join(f"{name} {version}" for name, version in document["versions"].items() if name != "machine")
    text += (f"Made with {versions} ({document['versions']['machine']}). One command runs everything again, compares "
             "it with what is recorded here, and decides the claims:\n\n    lagnet reproduce FILE.zip\n\n"
             "Exit status: 0 all numbers are the same and the claims hold, 1 something differs or fails, 2 the archive "
             "cannot be used. With `--out FOLDER` the new results stay. `Containerfile` does the same in a "
             "container.\n\n## Results\n\n" + table(["name", "size", "shows", "source", "claims"], rows)
             + "\nEach is in `results/NAME`: its scenario with every default filled in, and its tables. Real numbers "
             f"are the same within {document['relative_tolerance']:g} relative to their size, everything else exactly.")
    if any(run["claims"] for run in document["runs"]):
        text += " `claims.md` says what was measured."
    text += "\n"
    if document["figures"]:
        text += "\n## Figures\n\n" + "".join(f"![{name}]({name})\n" for name in document["figures"])
    if document["data"]:
        files = [[f"`{one['name']}`", one["bytes"], f"`{one['sha256']}`", _how(one)] for one in document["data"]]
        text += "\n## Data\n\n" + table(["file", "bytes", "SHA-256", "where it is"], files)
    if any(not one["included"] for one in document["data"]):
        text += ("\nGet the files that are not in the archive, and put each beside it under the name in this table: "
                 "`data/..` in the folder of the archive.\n")
    if any(run["has_python"] for run in document["runs"]):
        text += ("\n## Code\n\n`sources` has the classes in Python that scenarios name, which run with the rights of "
                 "whoever reproduces the results.\n")
    return text


def _how(one: Document) -> str:
    where = "in this archive" if one["included"] else "not in this archive"
    return where + (f"; {one['how']}" if one.get("how") else "")


def quoted(text: str) -> str:
    """A string in YAML, of which JSON is a part."""
    return json.dumps(text, ensure_ascii=False)


def citation(document: Document) -> str:
    authors = document["authors"] or ["The authors of these results"]
    lines = ["cff-version: 1.2.0", 'message: "If you use these results, please cite them, and the sources below."',
             "type: dataset", f"title: {quoted(document['title'])}", "authors:",
             *(f"  - name: {quoted(name)}" for name in authors), "references:",
             "  - type: software", "    title: lagnet", "    authors:", "      - name: The lagnet developers",
             f"    version: {quoted(document['versions']['lagnet'])}"]
    for source in dict.fromkeys(run["source"] for run in document["runs"] if run["source"]):
        lines += ["  - type: generic", f"    title: {quoted(source)}", "    authors:",
                  "      - name: named in the title"]
    return "\n".join(lines) + "\n"
