"""A result is known by its scenario and by the content of every file that it has read: nothing mixes two versions."""

import hashlib
import json
import pathlib
import random
import signal
import struct
import subprocess
import time
import unittest

from support import PROGRAM, SMALL, Case, changed

RING = {"kind": "ring", "agents": 5}
DATA = {"source": "csv", "path": "data.csv"}
SWEEP = {"/data": DATA, "/algorithm": {"kind": "extra"}, "/sweep": {"/network/latency_ms": [1, 2, 3, 4, 5, 6]},
         "/record/every": 100}
NPY = b"\x93NUMPY\x01\0" + struct.pack("<H", 118) + (
    "{'descr': '<f8', 'fortran_order': False, 'shape': (20, 3), }".ljust(117) + "\n").encode() + struct.pack(
        "<60d", *(random.Random(9).gauss(0, 1) for _ in range(60)))
GRAPH = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
<node id="0"/><node id="1"/><node id="2"/><edge source="0" target="1"/><edge source="1" target="2"/>
</graph></graphml>
"""


def csv_text(factor=1, rows=20, columns=8):
    draw = random.Random(7)
    table = [[draw.gauss(0, 1) for _ in range(columns)] for _ in range(rows)]
    return "".join(",".join(f"{x:.6f}" for x in [*row[:-1], factor * row[-1]]) + "\n" for row in table)


def libsvm_text():
    draw = random.Random(8)
    return "".join(f"{draw.gauss(0, 1):.6f} 1:{draw.gauss(0, 1):.6f} 2:{draw.gauss(0, 1):.6f}\n" for _ in range(20))


MARKET = ("%%MatrixMarket matrix array real general\n20 2\n"
          + "".join(f"{random.Random(k).gauss(0, 1):.4f}\n" for k in range(40)))
# By the pointer of each kind of file that a scenario can name: what the scenario has, and the files with their content.
FILES = {
    "/data/path csv": ({"/data": DATA}, {"data.csv": csv_text()}),
    "/data/path libsvm": ({"/data": {"source": "libsvm", "path": "data.csv"}}, {"data.csv": libsvm_text()}),
    "/data/path matrix_market": (
        {"/data": {"source": "matrix_market", "path": "data.csv", "labels_path": "y.txt"}},
        {"data.csv": MARKET, "y.txt": "1\n" * 20}),
    "/data/path npy": ({"/data": {"source": "npy", "path": "data.csv"}}, {"data.csv": NPY}),
    "/data/labels_path": ({"/data": {"source": "matrix_market", "path": "X.mtx", "labels_path": "data.csv"}},
                          {"X.mtx": MARKET, "data.csv": "1\n" * 20}),
    "/data/test_path": ({"/data": {"source": "csv", "path": "X.csv", "test_path": "data.csv"}},
                        {"X.csv": csv_text(), "data.csv": csv_text(2)}),
    "/network/latency_ms/path": ({"/network/latency_ms": {"kind": "matrix", "path": "data.csv"}},
                                 {"data.csv": "site,a,b\na,0,3\nb,4,0\n"}),
    "/topology/path edge_list": ({"/topology": {"kind": "edge_list", "path": "data.csv"}},
                                 {"data.csv": "0 1\n1 2\n2 3\n3 4\n"}),
    "/topology/path graphml": ({"/topology": {"kind": "graphml", "path": "data.csv"}}, {"data.csv": GRAPH}),
    "/topology/gossip/path": (
        {"/algorithm": {"kind": "extra"}, "/topology": {**RING, "gossip": {"path": "data.csv"}}},
        {"data.csv": "".join(",".join("0.4" if i == j else "0.3" if (i - j) % 5 in (1, 4) else "0" for j in range(5))
                             + "\n" for i in range(5))}),
    "/participation/availability/0/path": (
        {"/participation": {"availability": [{"kind": "trace", "path": "data.csv"}],
                            "missing_neighbor": {"kind": "skip", "deadline_ms": 50}}},
        {"data.csv": "agent,from_s,up\n1,0.01,0\n1,0.02,1\n"}),
    "/compute/speed_flops_per_s/path": (
        {"/compute": {"speed_flops_per_s": {"kind": "trace", "path": "data.csv"}}},
        {"data.csv": "agent,from_s,speed_flops_per_s\n" + "".join(f"{k},0,1e9\n" for k in range(5))}),
}


def digest(content):
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


class Identity(Case):
    def words(self, *arguments, **options):
        """Exit status, stdout, and stderr as one line."""
        status, out, err = self.lagnet(*arguments, **options)
        return status, out, " ".join(err.split())

    def interrupt(self, *arguments, points=2):
        """Runs a sweep into r until this number of points is finished."""
        with subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as sweep:
            deadline = time.monotonic() + 200
            while len(list(self.folder.glob("r.partial/*.finished"))) < points:
                self.assertIsNone(sweep.poll())
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.001)
            sweep.send_signal(signal.SIGINT)
            sweep.communicate(timeout=200)

    def objectives(self, folder):
        """Those of the points that differ in their latency alone."""
        return {row["objective"] for row in self.table(f"{folder}/sweep.csv")}

    def check_refusal(self, message, before, after):
        for part in ("/data/path", "data.csv", before, after, "restore the file", "--out", "--replace"):
            self.assertIn(part, message)

    def test_every_file_that_a_run_reads_is_in_its_summary_and_results_of_another_content_are_kept(self):
        for name, (scenario, files) in FILES.items():
            pointer = name.split()[0]
            with self.subTest(name):
                folder = self.folder / name.replace("/", "_").replace(" ", "_")
                folder.mkdir()
                self.folder, outer = folder, self.folder
                for file, content in files.items():
                    self.write(file, content)
                self.write_small(scenario)
                self.succeeds("run", "s.json", "--out", "r", "--quiet")
                inputs = {one["pointer"]: one
                          for one in json.loads((folder / "r/summary.json").read_text())["inputs"]}
                self.assertEqual({one["path"]: one["sha256"] for one in inputs.values()},
                                 {f"../{file}": digest(content) for file, content in files.items()})
                self.assertEqual(inputs[pointer]["path"], "../data.csv")
                # Whatever else it means: it is another content.
                data = files["data.csv"]
                other = (data[:-1] + b"\0" if isinstance(data, bytes) else
                         data.rstrip("\n") if pointer.startswith("/data") else data + "\n")
                self.write("data.csv", other)
                before = self.tree()
                status, out, err = self.words("run", "s.json", "--out", "r")
                self.assertEqual((status, out), (2, ""), err)
                for part in (pointer, digest(files["data.csv"]), digest(other), "--replace"):
                    self.assertIn(part, err)
                self.assertEqual(self.tree(), before)
                status, out, _ = self.lagnet("replay", "r", "--quiet")
                self.assertEqual(status, 1)
                self.assertIn(f"summary.json: {pointer}: expected ../data.csv with the SHA-256", out)
                self.assertEqual(self.words("run", "s.json", "--out", "r", "--replace", "--quiet"), (0, "", ""))
                self.folder = outer

    def test_an_interrupted_sweep_does_not_go_on_with_other_data(self):
        self.write("data.csv", csv_text())
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 20000}))
        for options in (["--jobs", "1"], ["--part", "1/1", "--jobs", "1"]):
            with self.subTest(options):
                self.interrupt("sweep", "s.json", "--out", "r", *options)
                self.write("data.csv", csv_text(2))
                before = {name: content for name, content in self.tree().items() if not name.endswith(".lock")}
                status, out, err = self.words("sweep", "s.json", "--out", "r", "--quiet", *options)
                self.assertEqual((status, out), (2, ""))
                self.check_refusal(err, digest(csv_text()), digest(csv_text(2)))
                self.assertEqual({name: content for name, content in self.tree().items()
                                  if not name.endswith(".lock")}, before)
                self.write("data.csv", csv_text())
        self.assertEqual(self.words("sweep", "s.json", "--out", "r", "--quiet"), (0, "", ""))
        self.assertEqual(len(self.objectives("r")), 1)
        old = self.objectives("r")
        self.interrupt("sweep", "s.json", "--out", "r", "--replace", "--jobs", "1")
        self.write("data.csv", csv_text(2))
        self.assertEqual(self.words("sweep", "s.json", "--out", "r", "--quiet", "--replace"), (0, "", ""))
        self.assertEqual(len(self.objectives("r")), 1)
        self.assertNotEqual(self.objectives("r"), old)

    def test_an_interrupted_sweep_of_another_scenario_is_kept_and_points_are_added(self):
        self.write("data.csv", csv_text())
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 20000}))
        self.interrupt("sweep", "s.json", "--out", "r", "--jobs", "1")
        status, _, err = self.words("sweep", "s.json", "--out", "r", "--quiet", "--set", "seed=5")
        self.assertEqual(status, 2)
        self.assertIn("of another one, which was interrupted", err)
        self.assertIn("--replace", err)
        more = {"/sweep": {"/network/latency_ms": [7, 1, 2, 3, 4, 5, 6]}, "/stop/rounds": 20000}
        self.write("s.json", changed(SMALL, {**SWEEP, **more}))
        status, _, err = self.words("sweep", "s.json", "--out", "r")
        self.assertEqual(status, 0)
        self.assertRegex(err, "[2-6] of 7 points were finished before")

    def test_recorded_runs_are_not_given_other_times_after_their_data_have_changed(self):
        text = csv_text()
        self.write("data.csv", text)
        self.write_small({"/data": DATA, "/algorithm": {"kind": "extra"}})
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        self.succeeds("retime", "r", "--set", "network.latency_ms=9", "--out", "t", "--quiet")
        self.assertEqual(self.words("retime", "r", "--set", "network.latency_ms=9", "--out", "t", "--quiet"),
                         (0, "", ""))
        other = "0" + text[text.index(","):]  # one entry of X
        self.write("data.csv", other)
        status, _, err = self.words("retime", "r", "--set", "network.latency_ms=8", "--out", "t2", "--quiet")
        self.assertEqual(status, 2)
        for part in ("/data/path", digest(text), digest(other)):
            self.assertIn(part, err)
        self.assertFalse((self.folder / "t2").exists())
        # What is changed on purpose may be another file.
        self.write("data.csv", text)
        self.write("m.csv", "site,a,b\na,0,3\nb,4,0\n")
        self.succeeds("retime", "r", "--set", 'network.latency_ms={"kind": "matrix", "path": "../m.csv"}',
                      "--out", "t3", "--quiet")
        inputs = json.loads((self.folder / "t3/summary.json").read_text())["inputs"]
        self.assertEqual([one["pointer"] for one in inputs], ["/data/path", "/network/latency_ms/path"])

    def test_runs_of_two_versions_of_a_file_are_not_compared(self):
        for pointer, scenario in (("/data/path", {"/data": DATA}),
                                  ("/network/latency_ms/path", FILES["/network/latency_ms/path"][0])):
            with self.subTest(pointer):
                contents = [csv_text(), csv_text(2)] if pointer == "/data/path" else ["site,a\na,1\n", "site,a\na,2\n"]
                for name, content, algorithm in (("a", contents[0], "extra"), ("b", contents[1], "nids")):
                    self.write("data.csv", content)
                    self.write_small({**scenario, "/algorithm": {"kind": algorithm}})
                    self.succeeds("run", "s.json", "--out", name, "--quiet", "--replace")
                for command in (["compare", "a", "b"], ["report", "a", "b", "-o", "page.html"]):
                    status, _, err = self.words(*command)
                    self.assertEqual(status, 2)
                    for part in ("data.csv", digest(contents[0]), digest(contents[1]), "has changed between them"):
                        self.assertIn(part, err)
                status, out, _ = self.words("diff", "a", "b", "--quiet")
                self.assertEqual(status, 1)
                self.assertTrue(out.startswith(f"summary.json: {pointer}: expected ../data.csv with the SHA-256 "
                                               f"{digest(contents[0])}, found ../data.csv with {digest(contents[1])} "),
                                out)

    def test_data_are_compared_by_their_content_wherever_they_lie(self):
        for name, algorithm in (("a", "extra"), ("b", "nids")):
            (self.folder / name).mkdir()
            self.write(f"{name}/data.csv", csv_text())
            self.write(f"{name}/s.json", changed(SMALL, {"/data": DATA, "/algorithm": {"kind": algorithm}}))
            self.succeeds("run", f"{name}/s.json", "--out", f"{name}/r", "--quiet")
        self.succeeds("compare", "a/r", "b/r", "--quiet")
        self.write("b/data.csv", csv_text(2))
        self.succeeds("run", "b/s.json", "--out", "b/r", "--quiet", "--replace")
        status, _, err = self.words("compare", "a/r", "b/r")
        self.assertEqual(status, 2)
        self.assertIn("expected runs over the same data and problem", err)
        self.assertIn(digest(csv_text(2)), err)

    def test_claims_are_not_decided_over_points_of_two_versions_of_the_data(self):
        self.write("data.csv", csv_text())
        claim = {"kind": "order", "statement": "seconds rise", "over": "/network/latency_ms", "direction": "rising",
                 "metric": "simulated_s"}
        self.write_small({**SWEEP, "/expect": [claim]})
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet")
        self.succeeds("check", "r", "--quiet")
        file = self.folder / "r/003/summary.json"
        file.write_text(file.read_text().replace(digest(csv_text()), digest(csv_text(2))))
        status, _, err = self.words("check", "r")
        self.assertEqual(status, 2)
        self.assertIn("has changed between them", err)

    def test_a_tree_that_was_moved_replays_and_is_known_as_finished(self):
        (self.folder / "old").mkdir()
        self.write("old/data.csv", csv_text())
        self.write("old/s.json", changed(SMALL, {**SWEEP, "/network/latency_ms": 1}))
        self.succeeds("sweep", "old/s.json", "--out", "old/r", "--quiet")
        pathlib.Path(self.folder / "old").rename(self.folder / "new")
        self.succeeds("replay", "new/r", "--quiet")
        status, _, err = self.words("sweep", "new/s.json", "--out", "new/r")
        self.assertEqual(status, 0)
        self.assertIn("done before", err)


class Finished(Case):
    def times(self, folder):
        return {path: path.stat().st_mtime_ns for path in (self.folder / folder).rglob("*")}

    def test_results_that_have_lost_rows_run_again(self):
        for sweep in ({}, {"/seed": [1, 2]}):
            self.write_small({"/sweep": sweep})
            out = f"r{len(sweep)}"
            self.succeeds("run", "s.json", "--out", out, "--quiet")
            path = sorted((self.folder / out).rglob("progress.csv"))[-1]
            whole = path.read_bytes()
            for left in (None, b"", whole[:-1], whole[:whole[:-1].rindex(b"\n") + 1]):
                if left is None:
                    path.unlink()
                else:
                    path.write_bytes(left)
                status, _, err = self.lagnet("run", "s.json", "--out", out)
                self.assertEqual(status, 0, err)
                self.assertNotIn("done before", err)
                self.assertEqual(path.read_bytes(), whole)

    def test_finished_results_of_the_same_scenario_are_printed_and_nothing_runs(self):
        for command, sweep in (("run", {}), ("sweep", {}), ("sweep", {"/seed": [1, 2, 3]}), ("run", {"/seed": [1, 2]})):
            with self.subTest(command=command, sweep=sweep):
                self.write_small({"/sweep": sweep, "/stop/rounds": 13})
                out = f"r{command}{len(sweep)}"
                status, first, _ = self.lagnet(command, "s.json", "--out", out)
                times = self.times(out)
                again, second, err = self.lagnet(command, "s.json", "--out", out)
                self.assertEqual((status, first), (again, second))
                self.assertIn("done before", err)
                self.assertEqual(self.times(out), times)
                self.assertEqual(self.lagnet(command, "s.json", "--out", out, "--quiet"), (0, "", ""))
                _, third, err = self.lagnet(command, "s.json", "--out", out, "--replace")
                self.assertEqual(third, first.replace(f"results in {out}",
                                                      f"results in {out}, in place of earlier ones"))
                self.assertNotIn("done before", err)
                self.assertNotEqual(self.times(out), times)

    def test_a_run_that_diverged_is_printed_again_with_its_status(self):
        self.write_small({"/algorithm": {"kind": "dgd", "step": 1e9}, "/stop": {"rounds": 50, "divergence_factor": 10}})
        first = self.lagnet("run", "s.json", "--out", "r")
        again = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual((first[0], first[1]), (1, again[1]))
        self.assertEqual(again[0], 1)

    def test_a_tuning_is_printed_again(self):
        self.write_small({"/algorithm": {"kind": "extra"}, "/tune": {
            "candidates": 3, "ranges": {"/algorithm/step": {"low": 0.01, "high": 0.1}}}})
        status, first, _ = self.lagnet("tune", "s.json", "--out", "r")
        times = self.times("r")
        again, second, _ = self.lagnet("tune", "s.json", "--out", "r")
        self.assertEqual((status, first), (again, second))
        self.assertEqual(self.times("r"), times)

    def test_results_of_other_work_are_replaced_only_where_that_is_asked_for(self):
        self.write_small({"/sweep": {"/seed": [1, 2, 3]}})
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet")
        self.write_small({}, "other.json")
        self.write_small({"/algorithm": {"kind": "extra"}, "/tune": {
            "candidates": 3, "ranges": {"/algorithm/step": {"low": 0.01, "high": 0.1}}}}, "tune.json")
        before = self.tree()
        commands = [["run", "other.json"], ["sweep", "other.json"], ["tune", "tune.json"],
                    ["sweep", "s.json", "--set", "stop.rounds=5"],
                    ["sweep", "s.json", "--part", "1/2", "--set", "stop.rounds=5"]]
        for command in commands:
            with self.subTest(command):
                status, out, err = self.lagnet(*command, "--out", "r")
                self.assertEqual((status, out), (2, ""))
                self.assertIn("found those of another", " ".join(err.split()))
                self.assertIn("--replace", err)
                self.assertEqual(self.tree(), before)
        status, _, err = self.lagnet("sweep", "s.json", "--set", "stop.rounds=5", "--out", "r")
        self.assertIn("/stop/rounds is 5, and 12 there", " ".join(err.split()))
        self.assertEqual(self.lagnet("run", "other.json", "--out", "r", "--replace", "--quiet"), (0, "", ""))
        self.assertTrue((self.folder / "r/summary.json").exists())


if __name__ == "__main__":
    unittest.main()
