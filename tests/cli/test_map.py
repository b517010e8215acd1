"""`lagnet compare --map`: who is first to a level over two keys that decide about time alone."""

import csv
import io
import json
import random

from support import Case

LATENCIES, BANDWIDTHS = [0.01, 0.3, 7, 150], [2e3, 5e4, 1e6, 3e8]
LEVEL = 1e-2
TOPOLOGIES = ["star", "ring", "lattice", "complete"]
SCENARIO = {
    "lagnet": 1, "name": "map", "data": {"source": "gaussian_regression", "samples": 90, "features": 30},
    "topology": {"kind": "ring", "agents": 9}, "algorithm": {"kind": "extra"},
    "network": {"latency_ms": 5, "up_bytes_per_s": 1e6}, "stop": {"rounds": 3000, "relative_error": LEVEL},
    "sweep": {"/topology/kind": TOPOLOGIES, "/seed": [1, 2]}}


class Map(Case):
    def map(self, folder, *axes):
        out = self.succeeds("compare", folder, "--to", str(LEVEL), "--map", *axes, "--format", "csv")
        return list(csv.DictReader(io.StringIO(out)))

    def seconds_of_real_runs(self, settings):
        """Of each topology, the seconds to the level in the median of its seeds, by runs with numbers."""
        self.succeeds("run", "s.json", "--out", "real", "--quiet", "--replace", *settings)
        found = {}
        for number in range(8):
            folder = self.folder / "real" / f"{number:03}"
            rows = self.table(folder / "progress.csv")
            kind = json.loads((folder / "scenario.json").read_text())["topology"]["kind"]
            row = next((one for one in rows if float(one["relative_error"]) <= LEVEL), None)
            found.setdefault(kind, []).append(float(row["simulated_s"]) if row else float("inf"))
        return {kind: sum(seconds) / 2 for kind, seconds in found.items()}

    def check_cell(self, cell, settings):
        real = self.seconds_of_real_runs(settings)
        for kind, seconds in real.items():
            self.assertEqual(float(cell[kind] or "inf"), seconds, (kind, cell))
        ranked = sorted(real, key=lambda kind: real[kind])
        self.assertEqual(real[cell["first"]], real[ranked[0]])
        self.assertEqual(float(cell["simulated_s"]), real[ranked[0]])
        if cell["ratio"]:
            self.assertAlmostEqual(float(cell["ratio"]), real[ranked[1]] / real[ranked[0]], places=12)

    def test_cells_are_those_of_real_runs(self):
        self.write("s.json", SCENARIO)
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        cells = self.map("r", "network.latency_ms=" + ",".join(map(str, LATENCIES)),
                         "network.bandwidth_bytes_per_s=" + ",".join(map(str, BANDWIDTHS)))
        self.assertEqual(len(cells), 16)
        for cell in random.Random(1).sample(cells, 6):
            self.check_cell(cell, ["--set", f"network.latency_ms={cell['network/latency_ms']}",
                                   "--set", f"network.bandwidth_bytes_per_s={cell['network/bandwidth_bytes_per_s']}"])
        self.assertGreater(len({cell["first"] for cell in cells}), 1)

    def test_keys_that_change_sizes_and_networks_with_queues_go_through_the_events(self):
        scenario = dict(SCENARIO, network={"latency_ms": 5, "sharing": "fair", "up_bytes_per_s": 1e5, "jitter_ms": 1})
        self.write("s.json", scenario)
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        for cell in self.map("r", "network.header_bytes=0,500", "network.up_bytes_per_s=1e4,1e6"):
            self.check_cell(cell, ["--set", f"network.header_bytes={int(float(cell['network/header_bytes']))}",
                                   "--set", f"network.up_bytes_per_s={cell['network/up_bytes_per_s']}"])

    def test_a_sweep_over_the_keys_gives_the_map_that_one_of_its_runs_gives(self):
        self.write("s.json", dict(SCENARIO, sweep={"/topology/kind": TOPOLOGIES, "/seed": [1, 2],
                                                        "/network/latency_ms": [1, 60]}))
        self.succeeds("run", "s.json", "--out", "swept", "--quiet")
        self.write("s.json", SCENARIO)
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        axes = ["network.latency_ms=1..100:3", "compute.speed_flops_per_s=1e5..1e9:2"]
        self.assertEqual(self.map("swept", *axes), self.map("r", *axes))

    def test_people_get_letters_and_programs_a_list(self):
        self.write("s.json", SCENARIO)
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        arguments = ["compare", "r", "--to", "0.01", "--map", "network.latency_ms=0.1..100:30",
                     "network.bandwidth_bytes_per_s=1e4..1e8:7"]
        out = self.succeeds(*arguments)
        self.assertIn("first to relative_error 0.01", out)
        lines = [line.split()[1] for line in out.splitlines() if line[:10].strip() and len(line.split()) == 2]
        self.assertEqual([len(line) for line in lines], [30] * 7)
        cells = json.loads(self.succeeds(*arguments, "--json"))
        self.assertEqual(len(cells), 210)
        letters = {None: "=", **{name: chr(65 + k) for k, name in enumerate(list(cells[0])[6:])}}
        self.assertEqual(lines[0], "".join(letters[cell["first"]] for cell in cells[-30:]))

    def test_refusals(self):
        self.write("s.json", SCENARIO)
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        good = "network.latency_ms=1..10:2"
        for axes, to, told in [
                ((good, good), "1e-2", "two keys"), ((good, "latency"), "1e-2", "no key with values"),
                ((good, "network.up_bytes_per_s=9..1"), "1e-2", "9 to 1"),
                ((good, "network.up_bytes_per_s=1..9:1"), "1e-2", "1 cells"),
                ((good, "network.up_bytes_per_s=3,2"), "1e-2", "do not ascend"),
                ((good, "network.up_bytes_per_s=1,x"), "1e-2", '"x"'),
                ((good, "network.up_bytes_per_s=1,9"), "1e-2,1e-3", "one level"),
                ((good, "algorithm.step=0.01,0.1"), "1e-2", "algorithm/step: it decides what is computed"),
                ((good, "network.loss_probability=0,0.1"), "1e-2", "network.loss_probability: a message that is lost"),
                ((good, "network.nonsense=1,9"), "1e-2", "nonsense")]:
            with self.subTest(axes=axes):
                status, out, err = self.lagnet("compare", "r", "--to", to, "--map", *axes)
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(told, err)
        late = {"missing_neighbor": {"kind": "skip", "deadline_ms": 9}}
        self.write("s.json", dict(SCENARIO, participation=late))
        self.succeeds("run", "s.json", "--out", "late", "--quiet")
        status, _, err = self.lagnet("compare", "late", "--to", "1e-2", "--map", good,
                                     "compute.speed_flops_per_s=1e5,1e9")
        self.assertEqual(status, 2)
        self.assertIn("participation.missing_neighbor", err)
