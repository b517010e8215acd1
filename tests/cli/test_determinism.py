"""The same scenario gives the same run, whatever the machine does; the network changes times alone."""

import json

from support import Case

ITERATES = ["round", "objective", "relative_error", "objective_last", "relative_error_last"]


class Determinism(Case):
    def hash_of(self, folder):
        return json.loads((folder / "summary.json").read_text())["trace_hash"]

    def test_any_number_of_threads_gives_the_same_bytes(self):
        # Many columns, so that there is something to share.
        changes = {"/data/samples": 300, "/data/features": 120, "/topology": {"kind": "lattice", "agents": 16},
                   "/record/trace": True}
        one = self.run_small("one", changes)
        names = ["agents.csv", "build.txt", "links.csv", "model.csv", "progress.csv", "scenario.json", "summary.json",
                 "trace.jsonl"]
        self.assertEqual(sorted(path.name for path in one.iterdir()), names)
        for threads in (2, 4):
            more = self.run_small(f"threads{threads}", changes, "--threads", threads)
            for name in names:
                self.assertEqual((one / name).read_bytes(), (more / name).read_bytes(), f"{name}, {threads} threads")

    def test_a_second_run_gives_the_same_bytes_and_another_seed_does_not(self):
        first, again = self.run_small("first"), self.run_small("again")
        for path in first.iterdir():
            self.assertEqual(path.read_bytes(), (again / path.name).read_bytes(), path.name)
        other = self.run_small("other", {"/seed": 2})
        self.assertNotEqual((first / "progress.csv").read_bytes(), (other / "progress.csv").read_bytes())

    def test_latencies_change_times_and_no_bit_of_an_iterate(self):
        self.run_small("near", {"/network/latency_ms": 1})
        near = self.table("near/progress.csv")
        uniform = {"kind": "uniform", "low": 0.1, "high": 90}
        for name, latency in (("far", 50), ("mixed", uniform), ("none", 0)):
            self.run_small(name, {"/network/latency_ms": latency})
            rows = self.table(f"{name}/progress.csv")
            self.assertEqual([[row[key] for key in ITERATES] for row in rows],
                             [[row[key] for key in ITERATES] for row in near], name)
            for row, near_row in zip(rows[1:], near[1:]):
                self.assertNotEqual(row["simulated_s"], near_row["simulated_s"], name)
            self.assertNotEqual(self.hash_of(self.folder / name), self.hash_of(self.folder / "near"), name)

    def test_agents_speeds_change_times_and_no_bit_of_an_iterate(self):
        self.run_small("even")
        self.run_small("uneven", {"/compute": {"speed_flops_per_s": {"kind": "uniform", "low": 1e5, "high": 1e9}}})
        even, uneven = self.table("even/progress.csv"), self.table("uneven/progress.csv")
        self.assertEqual([[row[key] for key in ITERATES] for row in even],
                         [[row[key] for key in ITERATES] for row in uneven])
        self.assertLess(float(even[-1]["simulated_s"]), float(uneven[-1]["simulated_s"]))

    def test_slow_memory_makes_computation_as_long_as_its_bytes_take(self):
        # 5 agents in a ring, 20 samples, blocks of 2, 2, 1, 1, 1 columns; all else is free. A round's work reads X_j
        # twice, 8 bytes an entry, and every vector once wherever it is read or written.
        free = {"/network": {"latency_ms": 0, "bandwidth_bytes_per_s": 1e300}, "/topology/agents": 5}
        self.run_small("m", {**free, "/compute": {"speed_flops_per_s": 1e18, "memory_bandwidth_bytes_per_s": 1e9}})
        n, degree = 20, 2
        primal = [8 * (n * d + n * (1 + (degree + 1) + 5) + 3 * d) for d in (2, 2, 1, 1, 1)]
        dual = [8 * (n * d + n * ((degree + 1) + 3 + 2 + 3) + 3 * d) for d in (2, 2, 1, 1, 1)]
        agents = self.table("m/agents.csv")
        for row, bytes_of_primal, bytes_of_dual in zip(agents, primal, dual):
            # 1 byte takes 1 ns: whole nanoseconds, so that the sum is exact up to its print.
            expected = 12 * (bytes_of_primal + bytes_of_dual) * 1e-9
            self.assertAlmostEqual(float(row["computing_s"]), expected, delta=1e-15)
