"""The comparison with other programs, tools/bench/peers, runs, and its NumPy computes the same as lagnet."""

import importlib.machinery
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import unittest

from support import PROGRAM, ROOT, Case

PEERS = ROOT / "tools/bench/peers"
BIN = pathlib.Path(PROGRAM).resolve().parent


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed")
class PeersInNumpy(Case):
    def peer(self):
        spec = importlib.util.spec_from_file_location("flagship_numpy", PEERS / "flagship_numpy.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def test_iterates_are_those_of_lagnet(self):
        import numpy as np
        rng = random.Random(1)
        rows = [[rng.gauss(0, 1) for _ in range(14)] for _ in range(40)]  # 13 features and the label
        self.write("data.csv", "".join(",".join(map(repr, row)) + "\n" for row in rows))
        self.run_small("r", {"/data": {"source": "csv", "path": "data.csv", "header": "absent"},
                             "/problem/regularizer": {"kind": "none"}, "/stop/rounds": 60, "/record/every": 1,
                             "/topology": {"kind": "erdos_renyi", "agents": 6, "probability": 0.5}})
        constants = json.loads((self.folder / "r/summary.json").read_text())["constants"]
        widths = [int(row["features"]) for row in self.table("r/agents.csv")]
        edges = [(int(row["from"]), int(row["to"])) for row in self.table("r/links.csv")]
        progress = self.table("r/progress.csv")
        self.assertEqual((sum(widths), len(progress)), (13, 61))

        data = np.array(rows)
        X, y = data[:, :-1], data[:, -1]
        blocks = np.split(X, np.cumsum(widths)[:-1], axis=1)
        peer = self.peer()
        dense = peer.laplacian(6, edges)
        laplacians = [dense] + ([peer.scipy.sparse.csr_matrix(dense)] if peer.scipy else [])

        def objective(theta):
            return np.sum((X @ theta - y) ** 2) / (2 * len(y))

        for L in laplacians:
            seen = [(objective(np.zeros(13)), objective(np.zeros(13)))]

            def note(_t, theta, theta_bar, seen=seen):
                seen.append((objective(theta_bar()), objective(np.concatenate(theta))))

            peer.iterate(blocks, y, L, constants["sigma"], constants["tau"], 60, note)
            expected = [(float(row["objective"]), float(row["objective_last"])) for row in progress]
            # Sums in another order: 1e-16 a sum, and the iteration does not make deviations grow.
            np.testing.assert_allclose(seen, expected, rtol=1e-11)
            self.assertLess(seen[-1][0], 0.9 * seen[0][0])


class PeersOnABusyMachine(Case):
    def test_rounds_are_added_until_they_take_longer_than_one(self):
        loader = importlib.machinery.SourceFileLoader("peers_run", str(PEERS / "run"))
        peers = importlib.util.module_from_spec(importlib.util.spec_from_loader("peers_run", loader))
        sys.modules["peers_run"] = peers  # where its dataclasses look for it
        self.addCleanup(sys.modules.pop, "peers_run")
        loader.exec_module(peers)
        cpu_s = {1: 0.5, 100: 0.4, 800: 2.0}
        asked = []

        class Suite(peers.Suite):
            def __init__(self):
                pass

            def run_scenario(self, scenario, settings, rounds):
                asked.append(rounds)
                return 20 * rounds, cpu_s.get(rounds, 0.1), 3.0 * rounds

        result = Suite().product("star.json", {}, 100)
        self.assertEqual(asked, [1, 100, 800])
        self.assertAlmostEqual(result.figure, 20 * 799 / 1.5)
        self.assertAlmostEqual(result.clock, 3 / 20)
        with self.assertRaisesRegex(peers.Failure, "6400 rounds of star.json took no longer than one"):
            cpu_s.clear()
            Suite().product("star.json", {}, 100)


@unittest.skipUnless((BIN / "phold_lagnet").exists() and (BIN / "bench_flagship").exists(), "benchmarks were not built")
class PeersBeside(Case):
    def compare(self, *arguments):
        command = [str(PEERS / "run"), *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=240, check=False)

    def test_every_contestant_runs_or_is_said_to_be_skipped(self):
        run = self.compare("--quick", "--bin", BIN, "--json", "figures.json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        lines = run.stdout.splitlines()
        for line in (lines[0], lines[-1]):
            self.assertTrue(line.startswith("load average"), line)
        said = json.loads((self.folder / "figures.json").read_text())
        names = [workload["name"] for workload in said["workloads"]]
        self.assertEqual(len(names), len(set(names)))
        for workload in said["workloads"]:
            for contestant in workload["contestants"]:
                with self.subTest(workload=workload["name"], contestant=contestant["name"]):
                    if contestant["skipped"]:
                        self.assertIn(f"{contestant['name']}: skipped, {contestant['skipped']}", lines)
                    else:
                        self.assertEqual((len(contestant["figures"]), len(contestant["ratios"])), (1, 1))
                        self.assertGreater(contestant["figures"][0], 0)

    def test_one_workload_is_repeated(self):
        run = self.compare("--quick", "--bin", BIN, "--only", "ping_pong", "--repeat", 3, "--json", "figures.json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        (workload,) = json.loads((self.folder / "figures.json").read_text())["workloads"]
        first, _, queue = workload["contestants"][:3]
        self.assertEqual(len(queue["figures"]), 3)
        for ours, theirs, ratio in zip(first["figures"], queue["figures"], queue["ratios"]):
            self.assertEqual(ours / theirs, ratio)

    def test_wrong_input_is_reported(self):
        run = self.compare("--bin", self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("lagnet, bench_flagship, phold_lagnet, phold_priority_queue not found; build the release preset",
                      run.stderr)
        self.assertEqual(self.compare("--bin", BIN, "--only", "nothing").returncode, 2)
        self.assertEqual(self.compare("--bin", BIN, "--repeat", 0).returncode, 2)
