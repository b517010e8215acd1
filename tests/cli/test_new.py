"""Scenarios without JSON: `lagnet new` writes one, `lagnet ask` answers with one."""

import json
import os
import pty
import re
import subprocess

from support import PROGRAM, ROOT, Case, without_comments

HEART = ROOT / "scenarios/data/sets/heart_scale.libsvm"


def scenario(path):
    return json.loads(without_comments(path.read_text()))


class New(Case):
    def check_reaches(self, name, error):
        self.succeeds("run", name, "--out", "r", "--quiet")
        summary = json.loads((self.folder / "r/summary.json").read_text())
        self.assertEqual(summary["stop"]["reason"], "relative_error", summary["last_row"])
        self.assertLessEqual(summary["last_row"]["relative_error"], error)
        return summary

    def test_a_new_scenario_runs_as_it_is_and_reaches_its_error(self):
        told = self.succeeds("new", "my.json")
        self.assertEqual(told, "my.json: written; next: lagnet run my.json\n")
        self.check_reaches("my.json", 1e-4)
        self.assertGreater((self.folder / "my.json").read_text().count("//"), 5)

    def test_flags_define_the_scenario(self):
        (self.folder / "sub").mkdir()
        self.succeeds("new", "sub/my.json", "--data", HEART, "--agents", "8", "--topology", "complete", "--algorithm",
                      "nids", "step=0.3", "gossip_rounds=2", "--latency", "5ms..0.15s", "--bandwidth",
                      "10Mbit", "--to", "1e-3", "--l2", "0.05")
        written = scenario(self.folder / "sub/my.json")
        self.assertEqual(written["topology"], {"kind": "complete", "agents": 8})
        self.assertEqual(written["algorithm"], {"kind": "nids", "step": 0.3, "gossip_rounds": 2})
        self.assertEqual(written["network"],
                         {"latency_ms": {"kind": "uniform", "low": 5.0, "high": 150.0}, "up_bytes_per_s": 1.25e6,
                          "down_bytes_per_s": 1.25e6, "sharing": "fifo"})
        self.assertEqual((written["problem"]["loss"], written["problem"]["regularizer"]["weight"]),
                         ({"kind": "logistic"}, 0.05))
        self.assertEqual((self.folder / "sub" / written["data"]["path"]).resolve(), HEART)
        self.assertEqual(self.check_reaches("sub/my.json", 1e-3)["topology"]["agents"], 8)

    def test_the_loss_follows_from_the_labels_and_a_server_is_one_agent_more(self):
        for name, classes, loss, rule in (("two.csv", 2, "logistic", "sign"), ("classes.csv", 3, "softmax", "classes"),
                                          ("regression.csv", None, "squared", None)):
            rows = [f"{i % 7},{i % 5},{i % classes if classes else i / 3}" for i in range(60)]
            self.write(name, "u,v,y\n" + "\n".join(rows) + "\n")
            out = name.replace(".csv", ".json")
            self.succeeds("new", out, "--data", name, "--label", "y", "--algorithm", "fed_avg", "--agents", "4")
            written = scenario(self.folder / out)
            self.assertEqual((written["problem"]["loss"]["kind"], written["data"].get("labels")), (loss, rule))
            self.assertEqual((written["data"]["label_name"], written["topology"]), ("y", {"kind": "star", "agents": 5}))

    SITES = "name,agents,up_bytes_per_s,price.internet_per_gb\nparis,2,1.25e7,0.09\ntokyo,3,,\n"
    MATRIX = "round_trip_ms,paris,tokyo\nparis,1,210\ntokyo,210,1\n"

    def test_sites_and_latencies_between_them_come_from_files(self):
        self.write("sites.csv", self.SITES)
        self.write("rtt.csv", self.MATRIX)
        flags = ("--sites", "sites.csv", "--latency", "rtt.csv")
        self.succeeds("new", "peers.json", *flags)
        self.succeeds("new", "star.json", "--algorithm", "fed_avg", *flags)
        network = {"latency_ms": {"kind": "matrix", "path": "rtt.csv"},
                   "sites": [{"name": "paris", "agents": 2, "up_bytes_per_s": 1.25e7,
                              "price": {"internet_per_gb": 0.09}}, {"name": "tokyo", "agents": 3}]}
        peers, star = scenario(self.folder / "peers.json"), scenario(self.folder / "star.json")
        self.assertEqual((peers["network"], peers["topology"]["agents"]), (network, 5))
        self.assertEqual((star["network"], star["topology"]["agents"]), (network | {"server_site": "paris"}, 6))
        status, told, err = self.lagnet("ask", "--dry-run", *flags)
        self.assertEqual(status, 0, err)
        asked = scenario(self.folder / "ask-made-up.json")
        self.assertEqual(asked["network"], network, told)
        self.assertEqual({(point["/topology"]["kind"] == "star", point.get("/network/server_site"))
                          for point in asked["sweep"]["points"]}, {(True, "paris"), (False, None)})

    def check_refused(self, command, *texts):
        status, out, err = self.lagnet(*command)
        self.assertEqual((status, out), (2, ""), err)
        for text in texts:
            self.assertIn(text, err)

    def test_faults_of_a_file_of_sites_are_said_with_their_lines(self):
        self.write("sites.csv", "name,price\nparis,1,2\n")
        refused = ("new", "my.json", "--sites", "sites.csv")
        self.check_refused(refused, "sites.csv:1: expected a column agents, found name, price",
                           "sites.csv:2: expected 2 fields, as in the header, found 3")
        self.write("sites.csv", self.SITES)
        self.check_refused((*refused, "--agents", "4"), "--agents: expected 5, those of all sites, or nothing, found 4")
        self.write("sites.csv", "name,agents,up_bytes\nparis,2,7\n")
        self.check_refused(refused, "/network/sites/0/up_bytes")
        self.assertFalse((self.folder / "my.json").exists())

    def test_an_existing_file_is_left_alone(self):
        self.write("my.json", "mine")
        self.assertEqual(self.lagnet("new", "my.json"),
                         (2, "", "new: expected a new file, found my.json, which is left as it is\n"))
        self.assertEqual((self.folder / "my.json").read_text(), "mine")

    def test_impossible_flags_are_reported_and_nothing_is_written(self):
        self.write("bad.csv", "1,2\nx,y,z\n")
        for arguments, message in (
                (["--latency", "5 parsecs"],
                 "--latency: expected a number with one of the units min, ms, s, us, found 5 parsecs"),
                (["--latency", "9..3"], "--latency: expected a range from a smaller to a larger number, found 9..3"),
                (["--bandwidth", "10ms"], "--bandwidth: expected a number with one of the units "),
                (["--algorithm", "extr"], "did you mean extra?"), (["--topology", "rnig"], "did you mean ring?"),
                (["--algorithm", "extra", "stepsize=1"], "did you mean step?"),
                (["--data", "absent.csv"], "expected a file, found nothing there"),
                (["--data", "bad.csv"], "bad.csv:2"),
                (["--agents", "1000"], "expected at least one sample for each agent"),
                (["--loss", "hnige"], "did you mean hinge?")):
            with self.subTest(arguments):
                status, out, err = self.lagnet("new", "my.json", *arguments)
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(message, err)
                self.assertFalse((self.folder / "my.json").exists())

    def test_in_a_terminal_missing_values_are_prompted(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        with subprocess.Popen([PROGRAM, "new", "my.json", "--algorithm", "extra"], cwd=self.folder, stdin=theirs,
                              stdout=theirs, stderr=theirs) as run:
            os.close(theirs)
            # After a wrong answer an error is printed, and the question asked again.
            os.write(ours, f"{HEART}.none\n{HEART}\nlatice\nlattice\n12\n\n".encode())
            text = b""
            try:
                while part := os.read(ours, 65536):
                    text += part
            except OSError:  # the other end is closed
                pass
        self.assertEqual(run.returncode, 0, text)
        questions = re.findall(rb" \[[^\]]*\]: ", text)
        self.assertEqual(len(questions), 6, "the algorithm is known, and two answers are wrong")
        self.assertIn(b"did you mean lattice?", b" ".join(text.split()))
        written = scenario(self.folder / "my.json")
        self.assertEqual((written["topology"], written["network"]),
                         ({"kind": "lattice", "rows": 3, "columns": 4}, {"latency_ms": 10.0}))

    def test_no_questions_is_a_flag_that_asks_nothing(self):
        self.assertRegex(self.succeeds("new", "--help"), r"(?m)^  --no-questions +ask no questions, use the defaults$")
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        with subprocess.Popen([PROGRAM, "new", "my.json", "--no-questions"], cwd=self.folder, stdin=theirs,
                              stdout=theirs, stderr=theirs) as run:
            os.close(theirs)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(os.read(ours, 65536), b"my.json: written; next: lagnet run my.json\r\n")


class Ask(Case):
    ASKED = ("ask", "--data", HEART, "--agents", "9", "--latency", "5..150", "--bandwidth", "10Mbit", "--to", "1e-1")

    def test_the_scenario_compares_methods_of_both_roles_on_fair_terms(self):
        status, out, err = self.lagnet(*self.ASKED, "--dry-run")
        self.assertEqual((status, out), (0, ""))
        self.assertIn("ask-heart_scale.json: the scenario", err)
        written = scenario(self.folder / "ask-heart_scale.json")
        points = written["sweep"]["points"]
        self.assertEqual({point["/topology"]["kind"] for point in points}, {"star", "ring", "lattice", "complete"})
        self.assertEqual({point["/topology"].get("agents", 9) for point in points}, {9, 10}, "a server is one more")
        self.assertEqual(written["sweep"]["/seed"], [1, 2, 3], "latencies are drawn")
        self.assertEqual(written["network"]["sharing"], "fifo")
        self.assertFalse((self.folder / "runs").exists())
        self.assertRegex(self.succeeds("validate", "ask-heart_scale.json"), f"valid, {3 * len(points)} runs")

    def test_it_runs_them_and_answers(self):
        status, out, _ = self.lagnet(*self.ASKED, "--algorithm", "extra", "--algorithm", "fed_avg")
        self.assertEqual(status, 0)
        for words in ("extra", "fed_avg", "results in runs/ask-heart_scale"):
            self.assertIn(words, out)
        answer = out.split("results in ", 1)[1]
        self.assertLess(max(map(len, answer.splitlines())), 80, answer)
        self.assertRegex(answer, r"(?m)^fed_avg on star +[0-9.]+ +[0-9.e+]+  (yes|no)$")
        verdict = json.loads(self.succeeds("compare", "runs/ask-heart_scale", "--to", "1e-1", "--json", "--table",
                                           "verdict"))["verdict"]
        winner = next(row["winner"] for row in verdict if row["currency"] == "simulated_s")
        named = re.findall(r"To 1e-1: ([^:]+?) first after ", " ".join(answer.split()))
        self.assertEqual(named, [winner] if winner else [])
        self.assertEqual(len(self.table("runs/ask-heart_scale/sweep.csv")), 4 * 3)
        again = self.lagnet(*self.ASKED, "--algorithm", "extra", "--algorithm", "fed_avg", "--dry-run")
        self.assertEqual(again[0], 0, "the same question has the same scenario")
        status, _, err = self.lagnet(*self.ASKED, "--algorithm", "extra", "--dry-run")
        self.assertEqual(status, 0)
        self.assertIn("ask-heart_scale-2.json: the scenario", err, "another question has a number of its own")

    def test_steps_are_those_of_theory_or_tuned(self):
        few = ("--algorithm", "extra", "--algorithm", "fed_avg", "local_steps=2")
        status, out, _ = self.lagnet(*self.ASKED, *few, "--no-tune", "--out", "theory")
        self.assertEqual(status, 0)
        answer = " ".join(out.split("results in theory")[1].split())
        self.assertTrue(answer.startswith("not tuned: step sizes are theoretical"), answer)
        self.assertIn("steps of extra, fed_avg are those of theory", answer)
        status, out, _ = self.lagnet(*self.ASKED, *few, "--out", "tuned")
        self.assertEqual(status, 0)
        self.assertNotIn("those of theory", out)
        answer = " ".join(out.split("results in tuned")[1].split())
        wanted = "tuned: step sizes of 4 of 4 methods and topologies, with 10 candidates each"
        self.assertTrue(answer.startswith(wanted), answer)
        labels = {"extra on ring", "extra on lattice", "extra on complete", "fed_avg local_steps=2 on star"}
        for folder in ("theory", "tuned"):
            self.assertEqual({row["label"] for row in self.table(f"{folder}/sweep.csv")}, labels)
        self.assertEqual(len(self.table("tuned/sweep.csv")), 4 * 3)

    def test_a_step_that_is_typed_stays_and_tune_is_taken(self):
        typed = ("--algorithm", "extra", "step=tune", "--algorithm", "nids", "step=0.5")
        status, _, err = self.lagnet(*self.ASKED, *typed, "--no-tune", "--dry-run")
        self.assertEqual(status, 2)
        self.assertIn("--no-tune has no effect", err)
        self.assertEqual(self.lagnet(*self.ASKED, *typed, "--dry-run")[0], 0)
        points = scenario(self.folder / "ask-heart_scale.json")["sweep"]["points"]
        self.assertEqual({(point["label"].split(" on ")[0], point["/algorithm"]["step"]) for point in points},
                         {("extra step=tune", "tune"), ("nids step=0.5", 0.5)})

    def test_a_bandwidth_without_a_unit_is_refused(self):
        status, out, err = self.lagnet(*self.ASKED[:-3], "10")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--bandwidth: expected a number with a unit, as in 10Mbit or 1.25MB/s, found 10", err)
