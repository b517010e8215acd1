"""Fuzzes the command line: `command_line.py --count 1000 --seed 7 [--findings FOLDER]`. Shipped scenarios with changed
values, every command with files of the wrong kind, and result folders with changed files. The program may refuse all of
it, but with a sentence and status 2: an internal error, a signal or silence for a minute is a finding. The environment
variable LAGNET names the program."""

import argparse
import copy
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/python"))
from lagnet.documents import without_comments  # noqa: E402

PROGRAM = os.environ.get("LAGNET", "lagnet")
PATIENCE_S = 60
BUDGET = ("--memory-budget-mib", "500")
ODD = [None, True, False, -1, 0, 1, 2, 0.5, -0.5, 1e-300, 1e300, 2**31, 2**53 + 1, 2**63 - 1, 2**64, -2**63, "", "x",
       "theory", "tune", "/", "/a/b", "é\u0001", "a" * 5000, [], {}, [[]], [[[[1]]]], [None], ["x"], [0, -1], [1e300],
       {"kind": "x"}, {"kind": None}, {"": 1}, {"/algorithm/kind": ["extra"]}, [{}], [[0, 1], [1, 2]]]


def shipped():
    """Scenarios that run in moments, as texts."""
    small = [*ROOT.glob("scenarios/golden/*.json"), *ROOT.glob("scenarios/papers/*/*.json")]
    return sorted(path for path in small if not path.name.endswith(".golden.json"))


def places(value, path=()):
    """The paths of all values below one."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


def changed_at(document, path, change):
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    change(at, path[-1])
    return document


def mutated(document, draws):
    """The document with one to three odd values, missing keys, or keys of another name."""
    for _ in range(draws.choice((1, 1, 2, 3))):
        path = draws.choice(list(places(document)))

        def change(at, key):
            how = draws.random()
            if how < 0.7:
                at[key] = copy.deepcopy(draws.choice(ODD))
            elif how < 0.8 and isinstance(at[key], (int, float)) and not isinstance(at[key], bool):
                at[key] = draws.choice((-1, 1000, 1e-9, 0.5)) * at[key]
            elif how < 0.9:
                del at[key]
            elif isinstance(at, dict):
                at[draws.choice(("kind", "path", "x", str(key)[:-1]))] = at.pop(key)
            else:
                at.insert(0, copy.deepcopy(at[key]))

        document = changed_at(document, path, change)
        if not isinstance(document, dict) or not document:
            return document
    return document


class Finder:
    """Calls the program in a folder of its own, and keeps the calls after which it did what it must not do."""

    def __init__(self, folder, findings=None, tells=False):
        self.folder = pathlib.Path(folder)
        self.tells = tells
        self.keep = findings
        self.calls = 0
        self.statuses = {}
        self.found = []

    def call(self, *words):
        words = [os.fspath(word) for word in words]
        self.calls += 1
        try:
            run = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, timeout=PATIENCE_S,
                                 stdin=subprocess.DEVNULL, check=False)
            status, err = run.returncode, run.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            status, err = "no end", ""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        is_silent = status == 2 and not err.strip()
        wrong = status not in (0, 1, 2) or is_silent or re.search(r"\.[ch]pp:\d+|internal error", err)
        if wrong:
            self.found.append((words, status, err.strip()[-600:]))
            if self.tells:
                print(status, " ".join(words)[:300], "\n   ", err.strip()[-400:], flush=True)
            if self.keep:
                pathlib.Path(self.keep).mkdir(exist_ok=True)
                shutil.copytree(self.folder, pathlib.Path(self.keep) / f"{len(self.found):04}", symlinks=True,
                                dirs_exist_ok=True, ignore=lambda at, names: [n for n in names if n.endswith("fifo")])
        return status


def try_scenario(finder, path, draws):
    document = json.loads(without_comments(path.read_text(encoding="utf-8")))
    document.setdefault("stop", {})
    if isinstance(document["stop"], dict) and "rounds" in document["stop"]:
        document["stop"]["rounds"] = min(3, document["stop"]["rounds"])
    document = mutated(document, draws)
    text = json.dumps(document)
    (finder.folder / "s.json").write_text(text.replace('"../', f'"{path.parent.parent}/'), encoding="utf-8")
    shutil.rmtree(finder.folder / "r", ignore_errors=True)
    valid = finder.call("validate", "s.json", *BUDGET)
    if valid == 2:
        return
    command = draws.choice(("run", "run", "run", "topology", "estimate", "design", "slurm"))
    rest = {"run": ("--out", "r", "--quiet", *BUDGET), "slurm": ("-o", "r", "--tasks", "2", "--time", "9"),
            "design": ("-o", "d.json")}.get(command, ())
    (finder.folder / "d.json").unlink(missing_ok=True)
    finder.call(command, "s.json", *rest)


# What commands take where FILE stands.
COMMANDS = [
    "run FILE --out o", "run SCENARIO --set @FILE --out o", "sweep FILE --out o", "tune FILE --out o",
    "estimate FILE", "validate FILE", "topology FILE", "topology SCENARIO -o FILE", "design FILE -o d.json",
    "slurm FILE -o o --tasks 2 --time 9", "retime FILE --out o", "replay FILE", "explain FILE", "compare FILE",
    "compare RESULTS FILE", "compare RESULTS -o FILE", "report FILE", "report RESULTS -o FILE",
    "export FILE --sqlite d.db", "export RESULTS --sqlite FILE", "diff FILE FILE", "diff RESULTS FILE", "check FILE",
    "predict FILE FILE", "predict RESULTS FILE", "predict RESULTS SCENARIO -o FILE", "new FILE --no-questions",
    "new n.json --no-questions --data FILE", "ask --dry-run --data FILE", "ask --dry-run --scenario FILE",
    "deploy plan FILE --agents SCENARIO", "deploy plan SCENARIO --agents FILE", "deploy keys FILE",
    "deploy shares FILE", "deploy collect FILE FILE", "deploy compare FILE RESULTS", "deploy compare RESULTS FILE",
    "agent FILE --id 0 --patience-s 0.2", "calibrate FILE --id 0 --patience-s 0.2", "calibrate FILE --collect FILE",
    "calibrate --local FILE --patience-s 0.2", "describe FILE", "list FILE", "reproduce FILE",
    "run SCENARIO --out FILE", 'run SCENARIO --out o --set data={"source":"libsvm","path":"FILE"}',
    'run SCENARIO --out o --set data={"source":"csv","path":"FILE"}',
    'run SCENARIO --out o --set data={"source":"matrix_market","path":"FILE"}',
    'run SCENARIO --out o --set data={"source":"arrays","path":"FILE"}',
    'run SCENARIO --out o --set topology={"kind":"edge_list","path":"FILE"}',
    'run SCENARIO --out o --set topology={"kind":"graphml","path":"FILE"}',
    'run SCENARIO --out o --set network.latency_ms={"kind":"matrix","path":"FILE"}',
    'run SCENARIO --out o --set compute.speed_flops_per_s={"kind":"trace","path":"FILE"}',
    'run SCENARIO --out o --set participation.availability=[{"kind":"trace","path":"FILE"}]']
SMALL = {"lagnet": 1, "data": {"source": "gaussian_regression", "samples": 20, "features": 3},
         "topology": {"kind": "ring", "agents": 4}, "algorithm": {"kind": "extra"}, "stop": {"rounds": 3}}


def wrong_files(folder, draws):
    """A file of each wrong kind, by its name."""
    folder = pathlib.Path(folder)
    made = {"binary": bytes(draws.randrange(256) for _ in range(300)), "empty": b"", "text": b"one two\nthree\n",
            "json": b"{}", "list.json": b"[1, 2]", "numbers.csv": b"1,2,3\n4,5,6\n", "nul.json": b'{"lagnet": 1}\0{}',
            "deep.json": b"[" * 3000 + b"]" * 3000, "scenario.json": json.dumps(SMALL).encode()}
    for name, content in made.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "fifo")
    (folder / "loop").symlink_to("loop")
    (folder / "locked").write_text("1 1:2\n")
    (folder / "locked").chmod(0)
    return [*made, "folder", "fifo", "loop", "locked", "nothing", "text/below", "n" * 300, "/dev/null", ""]


def try_files(finder, draws, share=1.0):
    (finder.folder / "SCENARIO").write_text(json.dumps(SMALL), encoding="utf-8")
    names = wrong_files(finder.folder, draws)
    finder.call("run", "SCENARIO", "--out", "RESULTS", "--quiet")
    for command in COMMANDS:
        for name in names:
            if draws.random() < share:
                finder.call(*[word.replace("FILE", name) for word in command.split()])
                for left in ("o", "o.partial", "d.json", "n.json", "d.db", "report.html"):
                    path = finder.folder / left
                    shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


RESULT_COMMANDS = ("compare r", "explain r", "report r -o p.html", "replay r", "check r", "predict r SCENARIO",
                   "export r --sqlite d.db", "retime r --set network.latency_ms=2 --out o", "diff r RESULTS",
                   "deploy compare r RESULTS", "run SCENARIO --out r")


def try_results(finder, draws, count):
    """Result folders with one changed file: cut, emptied, bytes of it replaced, or values of its JSON."""
    for _ in range(count):
        shutil.rmtree(finder.folder / "r", ignore_errors=True)
        shutil.copytree(finder.folder / "RESULTS", finder.folder / "r")
        path = draws.choice(sorted(path for path in (finder.folder / "r").rglob("*") if path.is_file()))
        content = path.read_bytes()
        how = draws.random()
        if path.suffix == ".json" and how < 0.6:
            content = json.dumps(mutated(json.loads(content), draws)).encode()
        elif how < 0.75:
            content = content[:draws.randrange(len(content) + 1)]
        else:
            content = bytearray(content)
            for _ in range(draws.choice((1, 3, 30))):
                if content:
                    content[draws.randrange(len(content))] = draws.choice((0, 10, 44, 45, 48, 57, 101, 120, 255))
        path.write_bytes(bytes(content))
        finder.call(*draws.choice(RESULT_COMMANDS).split())
        for left in ("o", "p.html", "d.db"):
            path = finder.folder / left
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", help="folder that takes what led to each finding")
    parser.add_argument("--only", choices=("scenarios", "files", "results"))
    given = parser.parse_args()
    draws = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        finder = Finder(folder, given.findings, tells=True)
        if given.only in (None, "files", "results"):
            try_files(finder, draws, 1.0 if given.only != "results" else 0.0)
        if given.only in (None, "results"):
            try_results(finder, draws, given.count)
        scenarios = shipped()
        for _ in range(given.count if given.only in (None, "scenarios") else 0):
            try_scenario(finder, draws.choice(scenarios), draws)
    print(f"{finder.calls} calls, {len(finder.found)} findings, statuses {finder.statuses}")
    return 1 if finder.found else 0


if __name__ == "__main__":
    sys.exit(main())
