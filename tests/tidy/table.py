"""Holds the table of README.md against the tests of a build: `table.py CTEST TREE` prints what does not agree."""

import collections
import json
import pathlib
import re
import subprocess
import sys

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"
QUICK = "quick"


def rows(text):
    """What runs the tests of each label: `tools/test` or `--all`."""
    return dict(re.findall(r"^\| `(\w+)` \| `([^`|]+)` \|[^|]+\|[^|]+\|$", text, re.M))


def problems(table, tests):
    """`tests` are the labels of each test by its name. Labels of the table that this build lacks are right: some need a
    browser, or trees of sanitizers."""
    by_label = collections.defaultdict(set)
    for name, labels in tests.items():
        if not set(labels) - {QUICK}:
            yield f"{name}: a test without a label for its kind"
        for label in labels:
            by_label[label].add(QUICK in labels)
    for label, quick in sorted(by_label.items()):
        place = "`tools/test`" if all(quick) else "`--all`"
        if f"`{table.get(label)}`" != place:
            yield f"{label}: expected a row of this label in the table of tests/README.md that says {place}"


def main():
    listed = subprocess.run([sys.argv[1], "--test-dir", sys.argv[2], "--show-only=json-v1"], capture_output=True,
                            text=True, check=True)
    tests = {test["name"]: [label for entry in test.get("properties", []) if entry["name"] == "LABELS"
                            for label in entry["value"]] for test in json.loads(listed.stdout)["tests"]}
    found = list(problems(rows(README.read_text(encoding="utf-8")), tests))
    print(*found or [f"the table has the labels of {len(tests)} tests"], sep="\n")
    return 1 if found or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
