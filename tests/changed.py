"""The tests of the rooms that a change touches. `changed.py programs` and `changed.py tests` read the changed files
from stdin, one a line, and print the programs to build and a pattern for the names of the tests to run."""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent
# Where a file is, the programs to build, and how names of tests begin. The first place that fits counts. {room} is the
# folder of the file, {layer} the first part of it. {cli} are the classes of tests/cli that have the name of the room or
# of the file, {classes} those in the file.
MAP = [
    ("sim/", "unit_sim property_sim", ["unit/{room}(/|$)", "property/sim$"]),
    ("topologies/", "unit_topologies", ["unit/{room}(/|$)"]),
    ("algorithms/", "unit_algorithms costs readme_snippet", ["unit/{room}(/|$)", "costs", "readme"]),
    ("scenarios/", "unit_scenarios lagnet", ["unit/{room}(/|$)", "golden: ", "{cli}"]),
    ("tools/python/", "lagnet lagnet_core", ["python: "]),
    ("tools/report/", "lagnet", ["report: ", "{cli}"]),
    ("tools/package/", "lagnet", ["package: "]),
    ("tools/man/", "lagnet", ["package: "]),
    ("tools/setup", "", ["setup: "]),
    ("tools/packages/", "", ["setup: "]),
    ("tools/quickstart", "", ["setup: "]),
    ("tools/test", "", ["setup: "]),
    ("tools/", "unit_tools lagnet", ["unit/{room}(/|$)", "cli: Usage$", "{cli}"]),
    ("tests/unit/", "unit_{layer}", ["unit/{room}(/|$)"]),
    ("tests/property/sim/", "property_sim", ["property/sim$"]),
    ("tests/property/registered/", "property", ["property/registered$"]),
    ("tests/property/effects/", "property_effects", ["property/effects$"]),
    ("tests/costs/", "costs", ["costs"]),
    ("tests/readme/", "readme_snippet", ["readme"]),
    ("tests/fuzz/random/", "random_scenarios", ["fuzz: "]),
    ("tests/fuzz/", "fuzz_corpus", ["fuzz/"]),
    ("tests/reference/ns3/", "property", ["property/registered$"]),
    ("tests/reference/", "reference_check", ["reference: ", "simgrid: "]),
    ("tests/cli/", "lagnet random_scenarios", ["{classes}"]),
    ("tests/package/", "lagnet", ["{classes}"]),
    ("tests/python/", "lagnet lagnet_core", ["{classes}"]),
    ("tests/docs/", "lagnet", ["{classes}"]),
    ("tests/report/", "lagnet", ["report: "]),
    ("tests/realtime/", "lagnet wire", ["realtime: "]),
    ("tests/consumer/", "all", ["consumer: "]),
    ("tests/support/", "test_programs", ["unit/", "property/"]),
    ("tests/", "", ["setup: "]),
    ("docs/", "lagnet", ["docs: "]),
    ("README.md", "lagnet", ["cli: Readme$", "docs: Readmes$"]),
]
ALWAYS = ["tidy: ", "data: "]


def classes(folder, files):
    """The tests of some files of a folder in Python."""
    found = [name for file in sorted((TESTS / folder).glob(files))
             for name in re.findall(r"^class (\w+)\([\w.]*Case\):", file.read_text(encoding="utf-8"), re.M)]
    return [f"{folder}: {name}$" for name in found]


def selected(path):
    """The programs and tests of a changed file."""
    room, _, file = path.removeprefix("tests/unit/").rpartition("/")
    for place, programs, tests in MAP:
        if not path.startswith(place):
            continue
        names = []
        for test in tests:
            if test == "{cli}":
                names += [name for word in (room.split("/")[-1], re.split(r"[_.]", file)[0])
                          for name in classes("cli", f"test_{word}*.py")]
            elif test == "{classes}":
                names += classes(path.split("/")[1], file if re.match("test_.*py$", file) else "test_*.py")
            else:
                names.append(test.format(room=room))
        return programs.format(layer=room.split("/")[0]).split(), names
    return [], []


def main():
    programs, names = set(), set(ALWAYS)
    for path in sys.stdin.read().split():
        programs.update(selected(path)[0])
        names.update(selected(path)[1])
    print(*sorted(programs) if sys.argv[1] == "programs" else ["^(" + "|".join(sorted(names)) + ")"])


if __name__ == "__main__":
    main()
