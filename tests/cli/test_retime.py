"""`lagnet retime` and `lagnet sweep --retime`: the values of a run in the times of another network."""

import json

from support import ROOT, Case, changed, without_comments

GOLDEN, EXAMPLES = ROOT / "scenarios" / "golden", ROOT / "scenarios" / "examples"

OTHER_TIMES = {"/network/latency_ms": '{"kind": "uniform", "low": 3, "high": 70}', "/network/jitter_ms": "1",
               "/network/sharing": "fair", "/network/bandwidth_bytes_per_s": "2e5", "/network/header_bytes": "66",
               "/compute/speed_flops_per_s": "3e8"}

# Algorithms whose events depend on their numbers.
BY_NUMBERS = {"dispa", "a_dispa", "cocoa", "cocoa_plus", "block_splitting_admm", "dane"}
# Those of which they do with any loss but the squared one.
BY_NUMBERS_OF_LOSSES = {"ssda", "msda"}
# Those that compute what depends on when messages come.
ASYNCHRONOUS = {"fed_async", "fed_buff", "async_gradient", "piag", "dave_pg", "async_admm", "async_blocks",
                "pairwise_gossip", "ad_psgd", "asy_sonata", "edge_admm", "fd_edge_admm", "walkman", "fed_at",
                "fed_compass"}
# Choices of clients that look at losses or at who answers soon.
CHOICES_BY_RESULTS = {"power_of_choice", "oort", "tiers"}


def other_times(swept=()):
    """Options that set times that no scenario here has, but for the keys that a sweep sets."""
    return [word for key, value in OTHER_TIMES.items() if key not in swept for word in ("--set", f"{key}={value}")]


def points(document):
    """The scenario with each value of its sweep, one key at a time, and with each of its list of points."""
    sweep = document.get("sweep", {})
    alone = {key: value for key, value in document.items() if key != "sweep"}
    changes = [{key: value} for key, values in sweep.items() if key != "points" for value in values]
    changes += [{key: value for key, value in point.items() if key != "label"} for point in sweep.get("points", [])]
    return [changed(alone, change) for change in changes or [{}]]


def dependence(document):
    """The key that makes the values of a scenario depend on time, by the rules of the documentation."""
    network, participation = document.get("network", {}), document.get("participation", {})
    algorithm = document["algorithm"]
    clients = participation.get("clients") or {}
    missing = participation.get("missing_neighbor", "wait")
    is_squared = document.get("problem", {}).get("loss", {}).get("kind", "squared") == "squared"
    keys = {
        "numerics": document.get("numerics") == "off",
        "algorithm.kind": algorithm["kind"] in BY_NUMBERS | ASYNCHRONOUS or "epsilon" in algorithm
                          or (algorithm["kind"] in BY_NUMBERS_OF_LOSSES and not is_squared)
                          or '"local_minimizer": "gradient"' in json.dumps(document),
        "record.every_s": document.get("record", {}).get("every_s") is not None,
        "network.index_bytes": network.get("index_bytes") is not None,
        "record.every_updates": document.get("record", {}).get("every_updates") is not None,
        "participation.clients": isinstance(clients, dict) and clients.get("kind") in CHOICES_BY_RESULTS,
        "participation.deadline_ms": participation.get("deadline_ms") is not None,
        "participation.enough": participation.get("enough") is not None,
        "participation.availability": bool(participation.get("availability")),
        "participation.missing_neighbor": missing not in ("wait", {"kind": "wait"}),
    }
    for key in ("loss_probability", "burst_loss", "partitions", "outages"):
        keys["network." + key] = bool(network.get(key)) and not network.get("retransmit")
    reasons = [key + ": " for key, is_there in keys.items() if is_there]
    if not reasons and "simulated_s" in document.get("stop", {}) and document.get("record", {}).get("every", 1) > 1:
        return ["found fewer: in these times round "]  # ends between two recorded rounds
    return reasons


class Retime(Case):
    def files(self, folder):
        """The files of a result folder, by name; what a retimed summary has beside those of the run with numbers is
        taken off and must be there."""
        root, texts = self.folder / folder, {}
        for path in sorted(root.rglob("*")):
            if path.is_file():
                texts[str(path.relative_to(root))] = path.read_bytes()
        return texts

    def same_but_for_the_mark(self, retimed, real, recorded):
        files, of_real = self.files(retimed), self.files(real)
        self.assertEqual(sorted(files), sorted(of_real))
        for name, content in files.items():
            if name.split("/")[-1] != "summary.json":
                self.assertEqual(content, of_real[name], name)
                continue
            summary, summary_of_real = json.loads(content), json.loads(of_real[name])
            # Of points that differ in time alone, the values are those of one of them.
            sources = [json.loads(path.read_text()) for path in (self.folder / recorded).rglob("summary.json")]
            self.assertIn(summary.pop("retimed"), [{"trace_hash": source["trace_hash"]} for source in sources])
            self.assertEqual(summary, summary_of_real, name)

    def sweep_until_an_instant(self):
        """In 0.1 s a latency of 1 ms, the second point of "real", has time for more rounds than one of 10 ms."""
        self.write_small({"/sweep": {"/network/latency_ms": [10, 1]}, "/stop": {"simulated_s": 0.1, "rounds": 5000},
                          "/record/every": 1})
        self.succeeds("sweep", "s.json", "--out", "real", "--quiet")

    def test_every_example_and_golden_is_the_run_with_numbers_or_refused_for_its_reason(self):
        retimed = refused = 0
        for path in sorted([*GOLDEN.glob("*.json"), *EXAMPLES.glob("*.json")]):
            if path.name.endswith(".golden.json") or path.name == "fleet.json":
                continue
            with self.subTest(path.name):
                document = json.loads(without_comments(path.read_text()))
                reasons = {reason for point in points(document) for reason in dependence(point)}
                times = other_times(document.get("sweep", {}))
                short = ["--set", "/stop/rounds=60"] if path.parent == EXAMPLES else []
                name = path.stem
                self.assertIn(self.lagnet("run", path, "--out", name, "--quiet", *short)[0], (0, 1))
                status, out, err = self.lagnet("retime", name, "--out", name + "-2", "--quiet", *times)
                if reasons:
                    refused += 1
                    self.assertEqual((status, out), (2, ""), err)
                    for reason in reasons:
                        self.assertIn(reason, err)
                    self.assertFalse((self.folder / (name + "-2")).exists())
                    continue
                retimed += 1
                self.assertEqual((status, err), (0, ""))
                self.succeeds("run", path, "--out", name + "-3", "--quiet", *short, *times)
                self.same_but_for_the_mark(name + "-2", name + "-3", name)
                self.assertEqual(self.lagnet("replay", name + "-2")[:2], (0, f"{name}-2: the same, byte for byte\n"))
        self.assertGreaterEqual((retimed, refused), (20, 8))

    def test_a_sweep_of_networks_is_made_from_one_run(self):
        self.run_small("r", {"/record/every": 1})
        self.succeeds("retime", "r", "--sweep", "network.latency_ms=1,10,100", "--set", "network.sharing=none", "--out",
                      "retimed", "--quiet")
        self.write_small({"/record/every": 1, "/sweep": {"/network/latency_ms": [1, 10, 100]},
                          "/network/sharing": "none"})
        self.succeeds("sweep", "s.json", "--out", "real", "--quiet")
        self.assertEqual((self.folder / "retimed" / "sweep.csv").read_bytes(),
                         (self.folder / "real" / "sweep.csv").read_bytes())
        self.assertEqual(len(self.table("retimed/sweep.csv")), 3)

    def test_a_sweep_computes_one_point_of_those_that_differ_in_time_alone(self):
        self.write_small({"/sweep": {"/topology/agents": [4, 5], "/network/latency_ms": [1, 5, 25], "/seed": [1, 2]}})
        self.succeeds("sweep", "s.json", "--out", "real", "--quiet")
        status, _, err = self.lagnet("sweep", "s.json", "--retime", "--out", "retimed")
        self.assertEqual(status, 0)
        self.assertIn("4 points computed, 8 more retimed from their values", err)
        for name in ("sweep.csv", "sweep.json", "scenario.json"):
            self.assertEqual((self.folder / "retimed" / name).read_bytes(), (self.folder / "real" / name).read_bytes())
        marks = [json.loads((self.folder / "retimed" / f"{k:03}" / "summary.json").read_text()).get("retimed")
                 for k in range(12)]
        # The seed is fastest, then the latency: the first two points of each size compute.
        self.assertEqual([mark is None for mark in marks], 2 * [True, True, False, False, False, False])
        self.assertEqual(self.succeeds("replay", "retimed"), "retimed: the same, byte for byte\n")

    def test_a_point_that_ends_later_than_the_one_it_follows_computes(self):
        self.sweep_until_an_instant()
        self.lagnet("sweep", "s.json", "--retime", "--out", "retimed")
        self.assertEqual((self.folder / "retimed" / "sweep.csv").read_bytes(),
                         (self.folder / "real" / "sweep.csv").read_bytes())
        self.assertNotIn("retimed", json.loads((self.folder / "retimed/001/summary.json").read_text()))

    def test_changes_of_values_are_refused_with_place_and_reason(self):
        self.run_small("r")
        for setting, reason in {
            "seed=2": "/seed is 2, and 1 in the recorded run",
            "topology.agents=6": "/topology/agents is 6, and 5 in the recorded run",
            "problem.regularizer.weight=0.1": "/problem/regularizer/weight is 0.1, and 0.01 in the recorded run",
            "stop.rounds=13": "/stop/rounds is 13, and 12 in the recorded run",
            "network.loss_probability=0.1":
                "network.loss_probability: a message that is lost for good changes what its receiver computes",
            "numerics=off": "numerics: where they are off there are no values to keep",
            "network.index_bytes=4": "network.index_bytes: sizes of messages depend on which numbers are zero",
        }.items():
            with self.subTest(setting):
                status, out, err = self.lagnet("retime", "r", "--set", setting, "--out", "o")
                self.assertEqual((status, out), (2, ""))
                self.assertIn(reason, " ".join(err.split()))
                self.assertFalse((self.folder / "o").exists())
        said = self.lagnet("retime", "r", "--set", "seed=2", "--set", "network.index_bytes=4", "--out", "o")[2]
        self.assertIn("/seed is 2", said)
        self.assertIn("network.index_bytes: sizes", said)
        status, _, err = self.lagnet("retime", "nothing", "--out", "o")
        self.assertEqual(status, 2)
        self.assertIn("nothing: expected the folder of a run or a sweep, found nothing", err)

    def test_rounds_without_values_end_it_with_a_sentence_and_no_files(self):
        self.run_small("r", {"/record/every": 1, "/stop": {"simulated_s": 0.05, "rounds": 5000}})
        status, out, err = self.lagnet("retime", "r", "--set", "network.latency_ms=0.1", "--out", "o", "--quiet")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("r: expected the values of all rounds that this run has, found fewer: in these times round ", err)
        self.assertFalse((self.folder / "o").exists())

    def test_a_model_is_that_of_the_last_round_or_is_missing_with_a_reason(self):
        self.run_small("r", {"/record/every": 1, "/stop": {"simulated_s": 0.05, "rounds": 5000}})
        self.succeeds("retime", "r", "--set", "network.latency_ms=4", "--out", "slower", "--quiet")
        summary = json.loads((self.folder / "slower" / "summary.json").read_text())
        last = json.loads((self.folder / "r" / "summary.json").read_text())["stop"]["round"]
        self.assertLess(summary["stop"]["round"], last)
        self.assertEqual(summary["model"], {
            "file": None, "last_round": last,
            "why": f"retimed: the run with numbers ended with round {last}, and has no model of another"})
        self.assertFalse((self.folder / "slower" / "model.csv").exists())
        self.assertEqual(self.succeeds("replay", "slower"), "slower: the same, byte for byte\n")

    def test_the_run_with_the_values_is_not_replaced(self):
        self.write_small({"/sweep": {"/seed": [1, 2]}})
        self.succeeds("run", "s.json", "--out", "s", "--quiet")
        before = self.files("s")
        for source, out, found in [("s", "s", "its folder"), ("s/000", "s", "a folder around it")]:
            status, _, err = self.lagnet("retime", source, "--out", out)
            self.assertEqual(status, 2)
            self.assertIn(f"{out}: expected a folder outside the recorded run, found {found}", " ".join(err.split()))
        self.assertEqual(self.files("s"), before)

    def test_values_come_from_the_run_in_the_same_times_or_the_one_that_came_farthest(self):
        self.sweep_until_an_instant()
        self.succeeds("retime", "real", "--out", "same", "--quiet")
        self.assertEqual((self.folder / "same" / "sweep.csv").read_bytes(),
                         (self.folder / "real" / "sweep.csv").read_bytes())
        self.succeeds("retime", "real", "--set", "network.jitter_ms=0.1", "--sweep", "network.latency_ms=3,5",
                      "--out", "other", "--quiet")
        hashes = {json.loads((self.folder / "other" / point / "summary.json").read_text())["retimed"]["trace_hash"]
                  for point in ("000", "001")}
        self.assertEqual(hashes, {json.loads((self.folder / "real/001/summary.json").read_text())["trace_hash"]})

    def test_a_retimed_run_can_be_retimed_and_names_the_run_that_computed(self):
        self.run_small("r")
        self.succeeds("retime", "r", "--set", "network.latency_ms=4", "--out", "a", "--quiet")
        self.succeeds("retime", "a", "--set", "network.latency_ms=9", "--out", "b", "--quiet")
        self.succeeds("retime", "r", "--set", "network.latency_ms=9", "--out", "c", "--quiet")
        self.assertEqual(self.files("b"), self.files("c"))

    def test_failed_damaged_and_changed_runs_are_refused_by_name(self):
        self.write("d.csv", "a,b,y\n" + "".join(f"{k},{k % 3},{k % 5}\n" for k in range(12)))
        self.run_small("r", {"/data": {"source": "csv", "path": "d.csv", "label_name": "y"}, "/record/every": 1})

        def refused():
            status, out, err = self.lagnet("retime", "r", "--set", "network.latency_ms=9", "--out", "o")
            self.assertEqual((status, out), (2, ""), err)
            self.assertFalse((self.folder / "o").exists())
            return " ".join(err.split())

        summary, progress = self.folder / "r" / "summary.json", self.folder / "r" / "progress.csv"
        whole, rows = summary.read_text(), progress.read_text()
        for key, value, said in [("model", None, "an object in the key model"),
                                 ("optimum", 3, "an object in the key optimum"),
                                 ("trace_hash", None, "a text in the key trace_hash"),
                                 ("status", "diverged", "the recorded run has failed: diverged"),
                                 ("constants", {"sigma": 1}, "a run of the same data and program, constants"),
                                 ("objective_start", 0.5, "a run of the same data and program, objective_start")]:
            with self.subTest(key):
                summary.write_text(json.dumps({**json.loads(whole), key: value}))
                self.assertIn(said, refused())
        summary.write_text(whole)
        for change, said in [(lambda text: text.replace("objective", "objectives", 1), "expected the columns round"),
                             (lambda text: text.replace("\n3,", "\n2,", 1), "expected a round from 3 on in row 4"),
                             (lambda text: text.replace("\n3,", "\n3.5,", 1), "expected a round from 3 on in row 4")]:
            progress.write_text(change(rows))
            self.assertIn(said, refused())
        progress.write_text(rows)
        (self.folder / "r" / "model.csv").rename(self.folder / "kept")
        self.assertIn("model.csv: expected the run's model, found none", refused())
        (self.folder / "kept").rename(self.folder / "r" / "model.csv")
        self.write("d.csv", "a,b,y\n" + "".join(f"{k},{k % 3},{k % 4}\n" for k in range(12)))
        self.assertRegex(refused(), "/data/path: expected .*d.csv with the SHA-256 [0-9a-f]{64}, found .* with "
                                    "[0-9a-f]{64}")

    def test_replay_finds_a_mark_that_no_retiming_made(self):
        self.run_small("r")
        summary = self.folder / "r" / "summary.json"
        whole = json.loads(summary.read_text())
        for changes in [{"retimed": 17}, {"retimed": {"trace_hash": "short"}}, {"retimed": {"trace_hash": None}},
                        {"retimed": {"trace_hash": "0" * 16}, "model": None},
                        {"retimed": {"trace_hash": "0" * 16}, "model": {"file": None, "why": 3}},
                        {"retimed": {"trace_hash": "0" * 16}, "model": {"file": None, "last_round": 12, "why": (
                            "retimed: the run with numbers ended with round 12, and has no model of another")}},
                        {"retimed": {"trace_hash": "0" * 16}, "model": {"file": None, "last_round": 13, "why": (
                            "retimed: the run with numbers ended with round 12, and has no model of another")}}]:
            with self.subTest(changes):
                summary.write_text(json.dumps({**whole, **changes}, indent=2) + "\n")
                status, out, err = self.lagnet("replay", "r")
                self.assertEqual((status, err), (1, ""))
                self.assertTrue(out.startswith("r: summary.json:"), out)
