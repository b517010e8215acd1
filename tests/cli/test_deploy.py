"""`lagnet deploy local`: the same agents as processes, held against the simulated run."""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time

from support import PROGRAM, SMALL, Case, changed

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "scenarios/golden"

# Of each family of synchronous methods: a golden scenario, the algorithm if the scenario sweeps over several, and what
# is changed so that a run is short, and so that no simulated fault adds messages that a real network does not send.
LOSSLESS = ("loss_probability", "duplicate_probability")
METHODS = {
    "peers and a lattice": ("lattice_squared_housing", {}),
    "peers and a random graph": ("random_geometric_logistic_mushrooms", {}),
    "peers and matchings": ("ring_matchings_squared_l2", {}),
    "peers, accelerated": ("accel_tracking_l1_ball", {}),
    "peers, dual": ("ring_ssda_housing", {}),
    "peers, optimal": ("binary_tree_apapc_heart", {}),
    "peers, gossip": ("two_level_gossip_averaging", {}),
    "peers, EXTRA": ("gossip_methods", {"/algorithm": {"kind": "extra"}}),
    "peers, gradient tracking": ("gossip_methods", {"/algorithm": {"kind": "gradient_tracking"}}),
    "peers, compressed": ("ring_lead_housing", {}),
    "peers, directed": ("directed_exponential_push_sum", {}),
    "federated, dual averaging": ("star_fed_dual_avg_nuclear_digits", {}),
    "federated, mirror descent": ("star_fed_mid_softmax_digits", {}),
    "federated, control variates": ("star_scaffold_heart", {}),
    "federated, proximal": ("star_fed_prox_heart", {}),
    "federated, compressed": ("star_ef21_heart", {}),
    "server, gradients": ("star_distributed_gradient_heart", {}),
    "server, ADMM": ("star_consensus_admm_housing", {}),
    "hybrid": ("star_hyfdca_quadrants", {}),
    "hybrid, block splitting": ("star_block_splitting_digits", {"/stop/rounds": 30}),
}

# What does not depend on when things happen. Those who report nothing may already compute while a round is closed.
TIMES = ("_s", "utilization", "delivered", "late", "flops")


# How much of it agents that are ahead have sent when a row is complete does, until the last one.
AHEAD = ("messages", "bytes", "round_trips")


def without_times(rows):
    return [{key: value for key, value in row.items()
             if not any(word in key for word in (TIMES if row is rows[-1] else TIMES + AHEAD))} for row in rows]


class Deploy(Case):
    def golden(self, name, changes):
        """The scenario of a golden without its sweep, claims and simulated losses."""
        text = (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
        document = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
        for key in ("sweep", "expect", "compute"):  # without simulated speeds computations take what they take
            document.pop(key, None)
        for key in LOSSLESS:
            document.get("network", {}).pop(key, None)
        if "path" in document["data"]:
            document["data"]["path"] = str((GOLDEN / document["data"]["path"]).resolve())
        return self.write("s.json", changed(document, changes))

    def deploys_alike(self, *arguments):
        self.succeeds("run", "s.json", "--out", "simulated", "--replace", "--quiet")
        self.succeeds("deploy", "local", "s.json", "--out", "real", "--replace", "--quiet", *arguments)
        simulated, real = (without_times(self.table(f"{name}/progress.csv")) for name in ("simulated", "real"))
        self.assertGreater(len(simulated), 1)
        self.assertGreater(len(simulated[0]), 4)
        self.assertEqual(real, simulated)
        for name in ("model.json", "model.csv"):
            model = self.folder / "simulated" / name
            if model.exists():
                self.assertEqual((self.folder / "real" / name).read_bytes(), model.read_bytes())
        agents = [[(row["agent"], row["messages_sent"], row["bytes_sent"], row["flops"])
                   for row in self.table(f"{name}/agents.csv")] for name in ("simulated", "real")]
        self.assertEqual(agents[1], agents[0])

    def test_processes_compute_and_send_as_simulated_agents_in_every_family(self):
        for family, (name, changes) in METHODS.items():
            with self.subTest(family):
                self.golden(name, changes)
                self.deploys_alike()

    def test_agents_may_share_processes(self):
        self.golden("lattice_squared_housing", {})
        for processes in (1, 2, 4):
            with self.subTest(processes):
                self.deploys_alike("-n", processes)

    def test_an_asynchronous_server_gets_as_many_answers_as_in_a_simulation(self):
        # Who answers when depends on times: how often each does is another one in every run.
        self.golden("star_fed_async_heart", {"/stop/rounds": 40, "/record/every": 10})
        self.succeeds("deploy", "local", "s.json", "--out", "real", "--quiet")
        rows = self.table("real/progress.csv")
        self.assertEqual([row["round"] for row in rows], ["0", "10", "20", "30", "40"])
        moments = [float(row["simulated_s"]) for row in rows]
        self.assertEqual(moments, sorted(moments))

    def test_the_result_is_a_run_in_real_time_that_other_commands_read(self):
        self.write_small()
        self.succeeds("deploy", "local", "s.json", "--out", "real", "--quiet")
        self.succeeds("run", "s.json", "--out", "simulated", "--quiet")
        summary = json.loads((self.folder / "real/summary.json").read_text(encoding="utf-8"))
        self.assertEqual((summary["runtime"], summary["retimable"], summary["status"]), ("tcp", False, "done"))
        self.assertGreater(summary["stop"]["simulated_s"], 0)
        self.assertIn("runtime=tcp", self.succeeds("compare", "real", "simulated"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["real", "s.json", "simulated"])
        self.assertEqual({path.name for path in (self.folder / "real").iterdir()},
                         {path.name for path in (self.folder / "simulated").iterdir()})

    def test_far_slower_rounds_are_reported_with_the_command_that_measures_the_network(self):
        # Two simulated runs, of which one stands for real processes: 1 ms and 40 ms a message, two exchanges a round.
        self.run_small("fast", {"/network/latency_ms": 1, "/record/every": 1, "/compute": {"speed_flops_per_s": 1e12}})
        self.run_small("slow", {"/network/latency_ms": 40, "/record/every": 1, "/compute": {"speed_flops_per_s": 1e12}})

        def compared(real, simulated):
            path = self.folder / real / "summary.json"
            computed = json.loads(path.read_text(encoding="utf-8"))
            path.write_text(json.dumps({**computed, "runtime": "tcp"}), encoding="utf-8")
            self.assertEqual(self.lagnet("deploy", "compare", simulated, real)[:2], (2, ""), "the wrong way round")
            text = self.succeeds("deploy", "compare", real, simulated)
            path.write_text(json.dumps(computed), encoding="utf-8")
            return text

        text = compared("slow", "fast")
        self.assertRegex(text, r"\|real - simulated\| / simulated: median 3[89]\d\d %, 95th percentile 3[89]\d\d %\n")
        self.assertIn("the network or the computers are slower than those of the scenario: `lagnet calibrate`", text)
        self.assertNotIn("calibrate", compared("fast", "slow"))

    def test_undeployable_scenarios_are_refused_with_all_reasons(self):
        self.write_small({"/numerics": "off", "/stop": {"bytes": 1000}})
        status, out, err = self.lagnet("deploy", "local", "s.json", "-n", 9)
        self.assertEqual((status, out), (2, ""))
        for reason in ("/numerics", "/stop", "-n: expected 1 to 5"):
            self.assertIn(reason, err)
        self.golden("star_dispa_heart", {})
        status, out, err = self.lagnet("deploy", "local", "s.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("dual variables", err)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["s.json"])

    def test_an_agent_that_fails_ends_all_processes_and_leaves_nothing(self):
        self.write_small({"/stop/rounds": 10**9})
        run = subprocess.Popen([PROGRAM, "deploy", "local", "s.json"], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        children = self.children_of(run, 5)
        os.kill(children[2], signal.SIGKILL)
        out, err = run.communicate(timeout=100)
        self.assertEqual((run.returncode, out), (2, ""), err)
        self.assertIn("process 2: ended by signal 9", err)
        self.gone(children)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["s.json"])

    def test_an_interrupt_ends_all_processes_and_leaves_nothing(self):
        for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)):
            with self.subTest(sent):
                self.write_small({"/stop/rounds": 10**9})
                run = subprocess.Popen([PROGRAM, "deploy", "local", "s.json"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.addCleanup(run.kill)
                children = self.children_of(run, 5)
                run.send_signal(sent)
                run.communicate(timeout=100)
                self.assertEqual(run.returncode, status)
                self.gone(children)
                if sent != signal.SIGKILL:
                    self.assertEqual([path.name for path in self.folder.iterdir()], ["s.json"])

    def test_killed_and_restarted_agents_reach_the_last_round_and_take_nothing_twice(self):
        self.write_small({"/stop/rounds": 400, "/record/every": 50,
                          "/participation": {"missing_neighbor": {"kind": "reuse_last", "deadline_ms": 10}},
                          "/compute": {"speed_flops_per_s": 1e5}})
        run = subprocess.Popen([PROGRAM, "deploy", "local", "s.json", "--out", "real", "--restart"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        path = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
        draws = random.Random(4)
        killed = 0
        while run.poll() is None and killed < 25:
            time.sleep(draws.uniform(0.01, 0.06))
            try:
                os.kill(int(draws.choice(path.read_text(encoding="utf-8").split())), signal.SIGKILL)
                killed += 1
            except (OSError, IndexError, ProcessLookupError):
                pass  # the last one has just ended
        out, err = run.communicate(timeout=200)
        self.assertEqual(run.returncode, 0, err)
        self.assertGreater(killed, 0)
        self.assertIn("starts anew", err)
        self.assertEqual(self.table("real/progress.csv")[-1]["round"], "400", out)
        for row in self.table("real/links.csv"):
            self.assertLessEqual(int(row["messages_delivered"]), int(row["messages_sent"]))
        warnings = json.loads((self.folder / "real/summary.json").read_text(encoding="utf-8"))["warnings"]
        self.assertIn("records_without_end", [one["code"] for one in warnings])

    def test_agents_that_wait_for_all_messages_cannot_restart(self):
        self.write_small()
        status, _, err = self.lagnet("deploy", "local", "s.json", "--restart")
        self.assertEqual(status, 2)
        self.assertIn("missing_neighbor", err)

    def children_of(self, run, count):
        path = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
        wait_until(lambda: len(path.read_text(encoding="utf-8").split()) == count)
        return [int(pid) for pid in path.read_text(encoding="utf-8").split()]

    def gone(self, pids):
        def state(pid):
            try:
                return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
            except OSError:
                return "Z"
        wait_until(lambda: all(state(pid) == "Z" for pid in pids))


def wait_until(true, seconds=100):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
