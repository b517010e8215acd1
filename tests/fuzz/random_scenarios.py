#!/usr/bin/env python3
"""Random scenarios, drawn from lagnet's own schema and held against what must be true of every run.

    tests/fuzz/random_scenarios.py --count 300           what the tests run: a minute
    tests/fuzz/random_scenarios.py --count 1000000 --seed 7 --findings found
                                                         over a night; each finding is left as a folder of its own

The program under test is named by the environment variable LAGNET. Every scenario is a function of the seed and its
number, so that `--only 1234` runs one again.

Half of the scenarios are made valid: what `validate` refuses is drawn again, at the pointer that it names. They are
run, and then: messages sent are those delivered, lost and under way; a run on two threads writes the same bytes;
`replay` agrees; a run without numbers, where the scenario can have one, has the same trace; `compare`, `report` and
`diff` take the folder. The other half is broken, in one to three places of the document or of its text: the program
ends with 0, 1 or 2, a refusal names the file, and nothing half-written is left."""

import argparse
import concurrent.futures
import copy
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("LAGNET", str(ROOT / "build/release/bin/lagnet"))
SETS = ROOT / "scenarios/data/sets"
FILES = {"libsvm": ["heart_scale.libsvm", "housing_scale.libsvm", "breast_cancer_scale.libsvm"]}
LARGEST = {"agents": 9, "rounds": 12, "samples": 40, "features": 12, "clients": 6, "samples_per_client": 8,
           "local_steps": 4, "clusters": 3, "cluster_agents": 3, "clique_agents": 4, "path_agents": 3, "rows": 3,
           "columns": 3, "candidates": 3, "power_iterations": 5, "attempts": 1000, "max_samples": 40, "test_samples": 5}
LEFT_OUT = {"sweep", "tune", "expect", "figure", "maps", "full", "label", "description", "source", "lagnet", "name"}
HOSTILE = [None, True, -1, 0, 1, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, -2**63, 2**64, 10**30, 1e-320, 1e308, -1e308,
           0.5, -0.0, "", "x", "\u0000", "\u001b[2J", "\u202e", "../..", "/dev/null", "9" * 400, [], [[]], {},
           {"kind": "x"}, [1, 2, 3], [None] * 50, {"": 0}]


def program_output(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


class Generator:
    def __init__(self, schema, rng):
        self.schema, self.rng = schema, rng

    def resolved(self, node):
        while "$ref" in node:
            beside = {key: word for key, word in node.items() if key != "$ref"}
            node = {**self.schema["$defs"][node["$ref"].split("/")[-1]], **beside}
        return node

    def value(self, node, key=""):
        node, rng = self.resolved(node), self.rng
        for word in ("oneOf", "anyOf"):
            if word in node:
                return self.value(rng.choice(node[word]), key)
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return rng.choice(node["enum"])
        types = node.get("type", "object" if "properties" in node else "null")
        kind = rng.choice(types) if isinstance(types, list) else types
        if kind == "object":
            return self.document(node)
        if kind == "array":
            lengths = range(node.get("minItems", 0), node.get("minItems", 0) + 3)
            return [self.value(node.get("items", {}), key) for _ in range(rng.choice(lengths))]
        if kind in ("integer", "number"):
            return self.number(node, kind, key)
        return {"boolean": rng.random() < 0.5, "string": "x", "null": None}[kind]

    def number(self, node, kind, key):
        low = node.get("minimum", node.get("exclusiveMinimum", -2))
        high = node.get("maximum", node.get("exclusiveMaximum", low + 12))
        high = min(high, LARGEST.get(key, low + 12))
        if kind == "integer":
            return self.rng.randint(int(low), max(int(low), int(high)))
        if self.rng.random() < 0.3:
            return self.rng.choice([x for x in (low, high, 0.5, 1, 1e-3) if low <= x <= high] or [high])
        return low + (high - low) * 10 ** self.rng.uniform(-4, 0)

    def document(self, node, how_often=0.25):
        made = {}
        for key, child in node.get("properties", {}).items():
            if key in node.get("required", []) or "const" in self.resolved(child) or self.rng.random() < how_often:
                made[key] = self.value(child, key)
        if made.get("source") in FILES:
            made["path"] = str(SETS / self.rng.choice(FILES[made["source"]]))
        return made

    def scenario(self):
        top = {k: v for k, v in self.schema["properties"].items() if k not in LEFT_OUT}
        made = {"lagnet": 1, "name": "random"}
        for key, node in top.items():
            if key in self.schema["required"] or self.rng.random() < 0.5:
                made[key] = self.value(node, key)
        made["stop"] = {**made.get("stop", {}), "rounds": self.rng.randint(1, 12)}
        made.setdefault("record", {}).pop("file_budget_mb", None)
        return made


def parent_of(document, pointer):
    """The object or list that holds what a pointer names, and its key there; the nearest that there is."""
    at, key = None, None
    here = document
    for token in pointer.split("/")[1:]:
        if isinstance(here, list) and token.isdigit() and int(token) < len(here):
            at, key, here = here, int(token), here[int(token)]
        elif isinstance(here, dict) and token in here:
            at, key, here = here, token, here[token]
        else:
            break
    return at, key


class Finding(Exception):
    pass


class Trial:
    def __init__(self, schema, number, seed, folder):
        self.rng = random.Random(f"{seed}/{number}")
        self.generator = Generator(schema, self.rng)
        self.schema, self.folder = schema, folder
        self.log = []

    def lagnet(self, *arguments, allowed=(0, 1, 2)):
        words = [*map(str, arguments)]
        self.log.append("lagnet " + " ".join(words))
        try:
            done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            raise Finding("no end after 120 s") from None
        out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
        self.log += [f"exit {done.returncode}", err]
        if done.returncode not in allowed:
            raise Finding(f"exit status {done.returncode}: {err.strip() or out.strip()}")
        return done.returncode, out, err

    def write(self, text, name="s.json"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))

    def check(self, condition, what):
        if not condition:
            raise Finding(what)

    # Valid scenarios

    def repaired(self):
        """A scenario that is accepted: what is refused is drawn again or left out, a few times. None if that is too
        little."""
        document = self.generator.scenario()
        for _ in range(25):
            self.write(json.dumps(document))
            status, _, err = self.lagnet("validate", "s.json", "--memory-budget-mib", 500)
            if status == 0:
                return document
            pointers = re.findall(r"^s\.json: (/\S*?):? ", err, re.M)
            self.check(pointers, f"a refusal without a pointer: {err.strip()}")
            for pointer in pointers:
                at, key = parent_of(document, pointer.rstrip(":"))
                if at is None:
                    document = self.generator.scenario()
                elif self.rng.random() < 0.5 and isinstance(at, dict) and key not in self.schema["required"]:
                    del at[key]
                else:
                    top = pointer.split("/")[1]
                    if top in self.schema["properties"]:
                        document[top] = self.generator.value(self.schema["properties"][top], top)
            document["stop"] = {**(document.get("stop") or {}), "rounds": self.rng.randint(1, 12)}
        return None

    def check_valid(self):
        document = self.repaired()
        if document is None:
            return "refused"
        document.setdefault("record", {})["trace"] = True
        self.write(json.dumps(document))
        status, _, _ = self.lagnet("run", "s.json", "--out", "r", "--quiet", "--memory-budget-mib", 500)
        if status == 2:  # what only the run finds out
            self.check(not (self.folder / "r").exists(), "results of a refused run")
            return "refused by the run"
        totals = json.loads((self.folder / "r/summary.json").read_text())["totals"]
        arrived, lost = totals["messages_delivered"], totals["lost"]
        self.check(totals["messages_sent"] == arrived + lost + totals["messages_in_flight"],
                   f"messages are not conserved: {totals}")
        again = self.lagnet("run", "s.json", "--out", "two", "--quiet", "--threads", 2)[0]
        self.check(again == status, f"exit status {again} on two threads, {status} on one")
        self.compare_folders("r", "two")
        self.check(self.lagnet("replay", "r", "--quiet")[0] == 0, "the replay differs")
        if len((self.folder / "r/progress.csv").read_text().splitlines()) > 1:  # else it ended before its first row
            self.check(self.lagnet("compare", "r", "--metric", "round", "--against", "simulated_s")[0] == 0,
                       "compare refuses the folder")
        if self.rng.random() < 0.1:  # a page is a megabyte
            self.check(self.lagnet("report", "r", "-o", "page.html", "--quiet")[0] == 0, "report refuses the folder")
        self.check(self.lagnet("diff", "r", "two")[0] == 0, "diff finds differences")
        return self.check_twin(document)

    def compare_folders(self, one, other):
        files = {path.name for path in (self.folder / one).iterdir()}
        self.check(files == {path.name for path in (self.folder / other).iterdir()}, "other files on two threads")
        for name in files:
            same = (self.folder / one / name).read_bytes() == (self.folder / other / name).read_bytes()
            self.check(same, f"{name} differs on two threads")

    def check_twin(self, document):
        """The same scenario without numbers has the same trace, where it is accepted and nothing that a number decides
        ends the run."""
        ended = json.loads((self.folder / "r/summary.json").read_text())
        by_numbers = ended["status"] == "diverged" or ended["stop"]["reason"] == "relative_error"
        if document.get("numerics") == "off" or by_numbers:
            return "run"
        twin = copy.deepcopy(document)
        twin["numerics"] = "off"
        twin["stop"].pop("relative_error", None)
        twin["record"] = {"every": twin["record"].get("every", 1), "trace": True}
        self.write(json.dumps(twin), "twin.json")
        if self.lagnet("run", "twin.json", "--out", "twin", "--quiet")[0] == 2:
            return "run"
        hashes = [json.loads((self.folder / name / "summary.json").read_text())["trace_hash"] for name in ("r", "twin")]
        self.check(hashes[0] == hashes[1], "a run without numbers has another trace")
        return "run, with its twin"

    # Broken ones

    def broken(self, document):
        """The text of a document with one to three places replaced, or of its bytes."""
        text = json.dumps(document)
        for _ in range(self.rng.randint(1, 3)):
            places = []

            def visit(at):
                for key, child in at.items() if isinstance(at, dict) else enumerate(at):
                    places.append((at, key))
                    if isinstance(child, (dict, list)):
                        visit(child)

            visit(document)
            at, key = self.rng.choice(places)
            if isinstance(at, dict) and self.rng.random() < 0.2:
                del at[key]
            elif isinstance(at, dict) and self.rng.random() < 0.1:
                at[key + self.rng.choice(["s", "_", " "])] = at.pop(key)
            else:
                at[key] = copy.deepcopy(self.rng.choice(HOSTILE))
            text = json.dumps(document, allow_nan=True)
        if self.rng.random() < 0.2:
            data = bytearray(text.encode())
            for _ in range(self.rng.randint(1, 4)):
                place = self.rng.randrange(len(data))
                if self.rng.random() < 0.5:
                    data[place] = self.rng.randrange(256)
                else:
                    del data[place : place + self.rng.randint(1, 30)]
            return bytes(data)
        return text

    def check_broken(self):
        document = self.repaired() or self.generator.scenario()
        kept = {path.name for path in self.folder.iterdir()} | {"s.json"}
        self.write(self.broken(document))
        status, out, err = self.lagnet("run", "s.json", "--out", "r", "--quiet", "--memory-budget-mib", 500,
                                       "--set", "stop.rounds=5" if self.rng.random() < 0.9 else "name=x")
        found = {path.name for path in self.folder.iterdir()} - kept
        if status == 2:
            self.check(not found, f"a refused run left {sorted(found)}")
            self.check(re.match(r"(s\.json|--set)", err) or "s.json" in err or ": expected" in err,
                       f"a refusal that says not where: {err.strip()}")
            return "refused"
        self.check(found == {"r"}, f"a run left {sorted(found)}")
        return "accepted though broken"


def trial(schema, number, options):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lagnet-random-"))
    one = Trial(schema, number, options.seed, folder)
    try:
        return number, one.check_valid() if number % 2 == 0 else one.check_broken(), None
    except Finding as finding:
        if options.findings:
            kept = pathlib.Path(options.findings) / f"{options.seed}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            (kept / "log.txt").write_text("\n".join([*one.log, str(finding)]))
        return number, "finding", f"{finding}\n  after {one.log[-3] if len(one.log) > 2 else one.log}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the scenario of this number alone")
    parser.add_argument("--findings", metavar="FOLDER", help="leave what each finding needs there")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # for the program, which inherits it
    schema = json.loads(program_output("schema"))
    numbers = range(options.count) if options.only is None else [options.only]
    counts, findings = {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, what, finding in pool.map(lambda k: trial(schema, k, options), numbers):
            counts[what] = counts.get(what, 0) + 1
            if finding:
                findings += 1
                print(f"{options.seed}/{number}: {finding}", flush=True)
    print(f"{len(numbers)} scenarios of seed {options.seed}: " +
          ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
