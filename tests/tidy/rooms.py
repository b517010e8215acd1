"""The rooms of the product code and their order: which files a room's files may include, and what every room has."""

import collections
import os
import re

from text import without_comments


def ladder(*rooms, below=()):
    """Rooms in order: each may include those before it, and those below all of them."""
    return [(room, [*below, *rooms[:k]]) for k, room in enumerate(rooms)]


def names(rooms):
    return [room for room, _ in rooms]


SIM = ladder("sim/base", "sim/machine", "sim/world", "sim/exchange", "sim/transport", "sim/agents", "sim/engine") + [
    ("sim/accounts", ["sim/base", "sim/machine", "sim/world"]),  # listens: nothing in sim includes it
    ("sim/numerics", ["sim/base"])]  # nor this
WHAT_AGENTS_SEE = ["sim/base", "sim/machine", "sim/world", "sim/exchange", "sim/agents"]
SIM.append(("sim/realtime/frames", WHAT_AGENTS_SEE))
SIM.append(("sim/realtime", WHAT_AGENTS_SEE + ["sim/realtime/frames"]))  # simulates nothing

TOPOLOGIES = ladder(
    "topologies", "topologies/generators", "topologies/digraphs", "topologies/sequences", "topologies/designs",
    below=["sim/base", "sim/numerics"])

OBJECTIVES = ["algorithms/objectives/losses", "algorithms/objectives/regularizers", "algorithms/objectives/sets"]
LOCAL_MATHEMATICS = [("algorithms/objectives", ["sim/base", "sim/numerics"])] + [
    (room, ["sim/base", "algorithms/objectives"]) for room in OBJECTIVES] + ladder(
    "algorithms/problem", "algorithms/kernels", "algorithms/central", "algorithms/local", "algorithms/compression",
    below=["sim/base", "sim/numerics", "sim/machine", "algorithms/objectives", *OBJECTIVES])
BELOW_INTERFACE = ["sim/numerics"] + WHAT_AGENTS_SEE + names(LOCAL_MATHEMATICS)
BELOW_METHODS = [*BELOW_INTERFACE, "algorithms/interface"]
ALGORITHMS = LOCAL_MATHEMATICS + [("algorithms/interface", BELOW_INTERFACE)] + ladder(
    "algorithms/peers/bases", "algorithms/peers/compressed", "algorithms/peers/asynchronous",
    "algorithms/peers/directed", "algorithms/peers/optimal", "algorithms/peers",
    below=BELOW_METHODS) + ladder(
    "algorithms/federated/aggregation", "algorithms/federated/bases", "algorithms/federated/compressed",
    "algorithms/federated/newton", "algorithms/federated", below=BELOW_METHODS) + [
    ("algorithms/asynchronous", [*BELOW_METHODS, "algorithms/federated/bases"])] + [
    (f"algorithms/{family}", BELOW_METHODS)
    for family in ("dual", "hybrid")]  # families of methods never include each other

SCENARIOS = ladder(
    "scenarios/words", "scenarios/json", "scenarios/files", "scenarios/data", "scenarios/data/generators",
    "scenarios/data/partitions", "scenarios/format/kinds", "scenarios/format", "scenarios/assembly", "scenarios/assembly/catalogues", "scenarios/run",
    "scenarios/design", "scenarios/results", "scenarios/times", "scenarios/sweep", "scenarios/deploy",
    "scenarios/estimate", "scenarios/explain",
    "scenarios/tune", "scenarios/compare/tables", "scenarios/export", "scenarios/compare", "scenarios/report",
    below=names(SIM + TOPOLOGIES + ALGORITHMS))

PRODUCT = names(SIM + TOPOLOGIES + ALGORITHMS + SCENARIOS)
TOOLS = ladder(
    "tools/report", "tools/console", "tools/serve", "tools/flags", "tools/cli/completion", "tools/cli/results",
    "tools/cli", below=PRODUCT) + [
    ("tools/report/page", []), ("tools/report/page/play", []), ("tools/report/page/what_if", []),
    ("tools/bench", PRODUCT), ("tools/bench/peers", PRODUCT), ("tools/python", []), ("tools/python/lagnet", []),
    ("tools/python/lagnet/league", []), ("tools/python/lagnet/league/page", []), ("tools/python/lagnet/importing", []),
    ("tools/python/lagnet/testing", []),
    ("tools/python/lagnet/testing/hunting", []),
    ("tools/python/backend", []), ("tools/python/module", PRODUCT), ("tools/python/notebooks", [])]

ROOMS = dict(SIM + TOPOLOGIES + ALGORITHMS + SCENARIOS + TOOLS)
LAYERS = ("sim", "topologies", "algorithms", "scenarios", "tools")

STAND_INS = {"tools/report/no_page.cpp"}  # sources in place of generated ones

CODE = (".cpp", ".hpp")
SOURCES = CODE + (".py", ".js")
MAX_FILES = 40
USUAL_LINES = 300


def is_product(path):
    return path.split("/")[0] in LAYERS and "/" in path


def room_of(path):
    return os.path.dirname(path)


def includes(text):
    """(line, header) of each include with quotes in a file."""
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if found:
            yield number, found[1]


def check_order(texts):
    """Files of a room that include a room they must not."""
    for path, text in texts.items():
        room = room_of(path)
        if room not in ROOMS:
            yield path, 0, f"'{room}' is no room; add it to tests/tidy/rooms.py, in its place of the order"
            continue
        for number, header in includes(text):
            other = room_of(header)
            if "/" not in header or ".." in header or other == room or other in ROOMS[room]:
                continue
            yield path, number, f"{room} must not include {other} ({header}); it may include {', '.join(ROOMS[room]) or 'nothing'}"


def check_targets(files):
    """Tests that include a file of ours that does not exist; product code is held by its order and by every build."""
    for path, text in files.items():
        if path.startswith("tests/") and path.endswith(CODE):
            for number, header in includes(text):
                if "/" in header and header not in files:
                    yield path, number, f"\"{header}\" does not exist"


def check_circles(texts):
    """Files that include themselves by way of others, each circle once."""
    targets = {path: sorted({header for _, header in includes(text) if header in texts}) for path, text in texts.items()}
    state, trail = {}, []

    def visit(path):
        state[path] = "open"
        trail.append(path)
        for header in targets[path]:
            if state.get(header) == "open":
                yield path, 0, "an include circle: " + " -> ".join([*trail[trail.index(header):], header])
            elif header not in state:
                yield from visit(header)
        trail.pop()
        state[path] = "done"

    for path in targets:
        if path not in state:
            yield from visit(path)


def advice(files):
    """Long product files, which may hold two things; like a problem, but no reason to fail."""
    for path, text in sorted(files.items()):
        lines = text.count("\n")
        if is_product(path) and path.endswith(SOURCES) and lines > USUAL_LINES:
            yield path, 0, f"{lines} lines, usually at most {USUAL_LINES}: see whether it holds two things"


def check_folders(paths):
    """Rooms with too many files, or without a door sign."""
    files = collections.Counter(room_of(path) for path in paths if path.endswith(SOURCES))
    for room, count in sorted(files.items()):
        if count > MAX_FILES:
            yield room, 0, f"{count} files, at most {MAX_FILES} in a folder: divide it into rooms"
        if room in ROOMS and f"{room}/README.md" not in paths:
            yield room, 0, "a room without README.md: say what it is for, what it may include, where to start reading"


def stems(path):
    """a/b, a/b_c and a/b_c_d for a/b_c_d, which may be a part or a topic of each."""
    room, name = os.path.split(path)
    words = name.split("_")
    return [os.path.join(room, "_".join(words[:k])) for k in range(1, len(words) + 1)]


def check_names(texts):
    """A function is declared in the header of its own source, or of the source whose part it is: simulation_instants.cpp
    is a part of simulation.hpp. A subcommand may be declared in the commands.hpp of its room. Programs, and what is
    declared by a family of kinds, have no header."""
    for path, text in texts.items():
        if not path.endswith(".cpp") or path in STAND_INS or any(f"{stem}.hpp" in texts for stem in stems(path[:-4])):
            continue
        if re.search(r"_commands?\.cpp$", path) and f"{room_of(path)}/commands.hpp" in texts:
            continue
        if not re.search(r"^int main\(|^PYBIND11_MODULE\(|::catalogue\(\) \{$|^\s*BENCHMARK", text, re.M):
            yield path, 0, f"a source without {os.path.basename(path)[:-4]}.hpp: declare its functions there"


def check_mirror(paths):
    """A unit test lies in the room of what it tests and is called like its source, with a topic behind it where one source
    has several tests: tests/unit/sim/agents/agent_crash.cpp tests sim/agents/agent.cpp."""
    sources = {path[:-4] for path in paths if is_product(path) and path.endswith(CODE)}
    for path in paths:
        if not path.startswith("tests/unit/") or not path.endswith(".cpp"):
            continue
        source = path[len("tests/unit/"):-len(".cpp")]
        room = os.path.dirname(source)
        if not any(stem in sources for stem in stems(source)):
            yield path, 0, f"a unit test of no source in {room}: call it like what it tests, and a topic: source_topic.cpp"


def fnv(text):
    """The id of a Purpose (sim/base/draws.hpp)."""
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def check_purposes(texts):
    """Purposes whose ids collide would draw the same numbers."""
    known = {}
    for path, text in texts.items():
        for number, line in enumerate(without_comments(text).split("\n"), 1):
            for purpose in re.findall(r'\bPurpose(?:\s+\w+)?[({]"([^"]*)"[)}]', line):
                other = known.setdefault(fnv(purpose), purpose)
                if other != purpose:
                    yield path, number, f"Purpose \"{purpose}\" has the id of \"{other}\": rename one"


def check_rooms(files):
    """Every problem as (path, line or 0, text); `files` are the texts of all files of the tree that are read, by path."""
    product = {path: text for path, text in files.items() if is_product(path)}
    code = {path: text for path, text in product.items() if path.endswith(CODE)}
    yield from check_order(code)
    yield from check_targets(files)
    yield from check_circles(code)
    yield from check_folders(product)
    yield from check_names(code)
    yield from check_mirror(files)
    yield from check_purposes(code)
