"""`lagnet calibrate`: its measurements at the loopback address, and a simulation with them."""

import json
import math
import socket
import subprocess

from support import PROGRAM, Case, changed, SMALL


def free_ports(count):
    """Ports at which nobody listens; somebody else might come first, but does not in a namespace of tests."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Calibrate(Case):
    def plan(self, changes=None):
        """Agents 0 and 1 in one process, and each of the others in one of its own."""
        self.write("s.json", changed(SMALL, changes or {}))
        ports = free_ports(4)
        agents = ["0 1", "2", "3", "4"]
        self.write("hosts.txt", "".join(f"127.0.0.1:{port} {who}\n" for port, who in zip(ports, agents)))
        self.succeeds("deploy", "plan", "s.json", "--agents", "hosts.txt", "--out", "plan.json", "--quiet")

    def measure(self, agents):
        runs = [subprocess.Popen([PROGRAM, "calibrate", "plan.json", "--id", str(k)], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for k in agents]
        for run in runs:
            self.addCleanup(run.kill)
        return [(*run.communicate(timeout=100), run.returncode) for run in runs]

    def sections(self, path="calibrated.json"):
        return json.loads((self.folder / path).read_text(encoding="utf-8"))

    def check_sections(self, sections, within_a_process):
        """Of a ring of five agents; some links do not leave their process."""
        self.assertEqual(sorted(sections), ["compute", "network"])
        speeds = sections["compute"]["speed_flops_per_s"]["values"]
        self.assertEqual(len(speeds), 5)
        links = sections["network"]["links"]
        self.assertEqual(sorted(link["links"][0] for link in links),
                         sorted([k, other % 5] for k in range(5) for other in (k + 1, k + 4)))
        for number in [*speeds, *(link["bandwidth_bytes_per_s"] for link in links)]:
            self.assertTrue(math.isfinite(number) and number > 0, number)
        for link in links:
            self.assertTrue(math.isfinite(link["latency_ms"]) and link["latency_ms"] >= 0, link)
            if link["links"][0] in within_a_process:
                self.assertEqual((link["latency_ms"], link["bandwidth_bytes_per_s"]), (0, 1e12))
        # A message of 7 numbers: 8 bytes each, and what a frame adds.
        self.assertEqual(sections["network"]["header_bytes"], 92)

    def test_processes_of_a_plan_measure_and_a_simulation_uses_the_results(self):
        self.plan()
        for out, err, status in self.measure((1, 2, 3, 4)):  # of each process any agent
            self.assertEqual((status, err), (0, ""), out)
        records = [f"agent_{k}.calibration" for k in (1, 2, 3, 4)]
        self.assertEqual([self.sections(name)["agents"] for name in records], [[0, 1], [2], [3], [4]])
        self.assertEqual([[way["to"] for way in self.sections(name)["ways"]] for name in records],
                         [[1, 3], [0, 2], [1, 3], [0, 2]])
        told = self.succeeds("calibrate", "plan.json", "--collect", *records, "--out", "measured.json")
        self.assertIn("--set @measured.json", told)
        self.check_sections(self.sections("measured.json"), [[0, 1], [1, 0]])
        self.succeeds("run", "s.json", "--set", "@measured.json", "--out", "run", "--quiet")
        taken = self.sections("run/scenario.json")
        self.assertEqual(taken["compute"]["speed_flops_per_s"],
                         self.sections("measured.json")["compute"]["speed_flops_per_s"])
        for link in taken["network"]["links"]:
            for key in ("latency_ms", "bandwidth_bytes_per_s"):
                self.assertEqual(link[key].pop("kind"), "constant")
                link[key] = link[key]["value"]
        measured = self.sections("measured.json")["network"]["links"]
        self.assertEqual([{key: link[key] for key in measured[0]} for link in taken["network"]["links"]], measured)

    def test_processes_of_this_computer_are_measured_in_one_step(self):
        self.write("s.json", SMALL)
        self.succeeds("calibrate", "--local", "s.json", "-n", 3, "--quiet")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["calibrated.json", "s.json"])
        self.check_sections(self.sections(), [[0, 1], [1, 0], [2, 3], [3, 2]])  # agents 0 1, 2 3, and 4
        before = self.tree()
        status, out, err = self.lagnet("calibrate", "--local", "s.json", "--json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("calibrated.json: the file exists with other content", " ".join(err.split()))
        self.assertEqual(self.tree(), before)
        sections = json.loads(self.succeeds("calibrate", "--local", "s.json", "--json", "--replace"))
        self.assertEqual(sections, self.sections())
        self.check_sections(sections, [])

    def test_every_kind_of_part_has_a_speed(self):
        for changes in ({"/topology": {"kind": "star", "agents": 5}, "/algorithm": {"kind": "fed_avg"},
                         "/problem/regularizer": ...},
                        {"/algorithm": {"kind": "dgd", "step": 0.01}},
                        {"/topology": {"kind": "star", "agents": 5}, "/algorithm": {"kind": "hyfdca", "local_steps": 5},
                         "/problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.1}},
                         "/partition": {"kind": "blocks", "feature_groups": 2}}):
            with self.subTest(changes["/algorithm"]):
                self.write("s.json", changed(SMALL, changes))
                self.succeeds("calibrate", "--local", "s.json", "-n", 2, "--quiet", "--replace")
                speeds = self.sections()["compute"]["speed_flops_per_s"]["values"]
                self.assertEqual(len(speeds), 5)
                self.assertTrue(all(speed > 0 and math.isfinite(speed) for speed in speeds), speeds)

    def test_incomplete_records_are_refused_with_the_reason_and_nothing_is_written(self):
        self.plan({"/topology": {"kind": "ring", "agents": 5}})
        self.measure((0, 2, 3, 4))
        records = [f"agent_{k}.calibration" for k in (0, 2, 3, 4)]
        before = self.tree()
        status, out, err = self.lagnet("calibrate", "plan.json", "--collect", records[0], records[0], records[2])
        self.assertEqual((status, out), (2, ""))
        for reason in ("two records of process 0", "no record of process 1", "no record of process 3"):
            self.assertIn(reason, err)
        status, out, err = self.lagnet("calibrate", "plan.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--collect", err)
        self.assertEqual(self.tree(), before)
        record = self.sections(records[1])
        self.write(records[1], {**record, "scenario": "00"})
        status, out, err = self.lagnet("calibrate", "plan.json", "--collect", *records)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("it is of another scenario than plan.json", err)

    def test_other_computers_are_not_talked_to_in_plain_text_unasked(self):
        self.write("s.json", SMALL)
        self.write("hosts.txt", "10.255.0.1:7700\n127.0.0.1:7701\n")
        self.succeeds("deploy", "plan", "s.json", "--agents", "hosts.txt", "--out", "plan.json", "--quiet")
        status, out, err = self.lagnet("calibrate", "plan.json", "--id", 4)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--insecure", err)

    def test_sections_of_a_file_take_the_place_of_the_scenario_s(self):
        self.write("s.json", SMALL)
        self.write("other.json", {"network": {"latency_ms": 7}, "stop": {"rounds": 3}})
        self.succeeds("run", "s.json", "--set", "@other.json", "--set", "record.every=1", "--out", "run", "--quiet")
        taken = self.sections("run/scenario.json")
        self.assertEqual((taken["network"]["latency_ms"], taken["stop"]["rounds"], taken["record"]["every"]),
                         ({"kind": "constant", "value": 7}, 3, 1))
        status, _, err = self.lagnet("run", "s.json", "--set", "stop.rounds=9", "--set", "@other.json")
        self.assertEqual(status, 2)
        self.assertIn("--set /stop/rounds: expected each key once, found --set /stop after it", err)
        status, _, err = self.lagnet("run", "s.json", "--set", "@missing.json")
        self.assertEqual(status, 2)
        self.assertIn("missing.json", err)
        self.write("wrong.json", "{\"network\": }")
        status, _, err = self.lagnet("run", "s.json", "--set", "@wrong.json")
        self.assertEqual(status, 2)
        self.assertIn("wrong.json", err)
