"""`lagnet replay`: a result folder that is whole is confirmed, and any change of it is found."""

import json
import shutil

from support import Case

SWEEP = {"/topology/agents": [3, 4], "/network/latency_ms": [1, 5]}


class Replay(Case):
    def result_files(self, folder):
        """All but build.txt, which says which program wrote the others: another one may have."""
        return [path for path in sorted((self.folder / folder).rglob("*"))
                if path.is_file() and path.name != "build.txt"]

    def differs(self, folder):
        """The difference that is named."""
        status, out, err = self.lagnet("replay", folder)
        self.assertEqual((status, err), (1, ""), out)
        self.assertTrue(out.startswith(f"{folder}: "), out)
        return out[len(folder) + 2 :].rstrip("\n")

    def parts(self, folder):
        """The same in its parts."""
        status, out, err = self.lagnet("replay", folder, "--json")
        self.assertEqual((status, err), (1, ""), out)
        self.assertEqual(json.loads(out)["difference"], self.differs(folder))
        return json.loads(out)["parts"]

    def change_bytes(self, folder, digests):
        """Replays with each of many bytes of each file changed, one at a time."""
        for path in self.result_files(folder):
            name, whole = str(path.relative_to(self.folder / folder)), path.read_bytes()
            places = sorted({k * (len(whole) - 1) // 9 for k in range(10)})
            for place in places:
                changed = bytearray(whole)
                changed[place] = ord("7") if whole[place] != ord("7") else ord("8")
                path.write_bytes(changed)
                difference = self.differs(folder)
                # The file that says which scenario it belongs to may be doubted together with the scenario.
                named = (name, "scenario.json") if name in digests else (name,)
                self.assertTrue(difference.startswith(named), f"{name}, byte {place}: {difference}")
            path.write_bytes(whole)
        self.assertEqual(self.succeeds("replay", folder), f"{folder}: the same, byte for byte\n")

    def remove_files(self, folder):
        for path in self.result_files(folder):
            whole = path.read_bytes()
            path.unlink()
            self.assertEqual(self.differs(folder), f"{path.relative_to(self.folder / folder)}: missing")
            path.write_bytes(whole)

    def test_every_changed_byte_of_a_run_is_found(self):
        self.run_small("r", {"/record/trace": True, "/record/timeline": True,
                             "/description": "what is not computed with counts, too"})
        self.assertEqual(self.succeeds("replay", "r"), "r: the same, byte for byte\n")
        self.assertEqual(self.succeeds("replay", "r", "--threads", "3"), "r: the same, byte for byte\n")
        self.change_bytes("r", ["summary.json"])

    def test_every_changed_byte_of_a_sweep_is_found(self):
        self.run_small("r", {"/sweep": SWEEP, "/stop/rounds": 2})
        self.assertEqual(self.succeeds("replay", "r"), "r: the same, byte for byte\n")
        self.change_bytes("r", ["sweep.json"])

    def test_a_changing_topology_is_replayed_from_its_files(self):
        (self.folder / "graphs").mkdir()
        self.write("graphs/later.csv", "0,2\n2,4\n1,3\n")
        self.write("up.csv", "2,0.01,0\n2,0.02,1\n")
        later = {"kind": "edge_list", "path": "graphs/later.csv", "agents": 5}
        graphs = [{"from_s": 0.01, "topology": later}]
        for number, changes in enumerate(({"kind": "graphs", "graphs": graphs, "repeat_s": 0.02},
                                          {"kind": "random_matchings"}, {"kind": "random_edges", "probability": 0.5})):
            folder = f"r{number}"
            self.run_small(folder, {"/topology/changes": changes, "/network/retransmit": {"timeout_ms": 7},
                                    "/participation": {"availability": [{"kind": "trace", "path": "up.csv"}]}})
            for threads in ("1", "3"):
                status, out, _ = self.lagnet("replay", folder, "--threads", threads)  # with the method's warning
                self.assertEqual((status, out), (0, f"{folder}: the same, byte for byte\n"))
        written = json.loads((self.folder / "r0/scenario.json").read_text())
        self.assertEqual(written["topology"]["changes"]["graphs"][0]["topology"]["path"], "../graphs/later.csv")
        self.assertEqual(written["participation"]["availability"][0]["path"], "../up.csv")

    def test_every_missing_file_is_named(self):
        self.run_small("r", {"/record/trace": True, "/record/timeline": True})
        self.remove_files("r")
        self.run_small("s", {"/sweep": SWEEP})
        self.remove_files("s")

    def test_the_first_difference_is_named_by_file_line_and_column(self):
        folder = self.run_small("r")
        progress = folder / "progress.csv"
        lines = progress.read_text().split("\n")
        cells = lines[2].split(",")
        objective = cells[2]
        cells[2] = "0.25"
        progress.write_text("\n".join(lines[:2] + [",".join(cells)] + lines[3:]))
        self.assertEqual(self.differs("r"), f"progress.csv:3: objective is `0.25`, and `{objective}` in the new run")
        self.assertEqual(self.parts("r"), {"code": "cell", "file": "progress.csv", "line": 3, "where": "objective",
                                           "expected": "0.25", "found": objective})
        progress.write_text("\n".join(lines[:3]) + "\n")
        self.assertEqual(self.differs("r"), "progress.csv:4: ends here, and goes on in the new run")

    def test_a_value_that_a_sweep_replaces_belongs_to_the_results_all_the_same(self):
        folder = self.run_small("r", {"/sweep": SWEEP})
        scenario = folder / "scenario.json"
        scenario.write_text(scenario.read_text().replace('"agents": 5', '"agents": 6'))
        self.assertRegex(self.differs("r"), r"^scenario.json: is not the scenario of these results: its CRC-32 is "
                                            r"[0-9a-f]{8}, and \"[0-9a-f]{8}\" in sweep.json$")
        self.assertEqual([self.parts("r")[name] for name in ("code", "file")], ["damaged", "scenario.json"])

    def test_a_diverged_run_is_confirmed_and_its_summary_is_json(self):
        self.write_small({"/algorithm/sigma": 1e6, "/algorithm/tau": 1e6,
                          "/stop": {"rounds": 2000, "divergence_factor": None}})
        status, out, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual(status, 1, err)
        self.assertRegex(out, "^run: diverged after [0-9]+ rounds, .*\nresults in r\n$")
        summary = json.loads((self.folder / "r/summary.json").read_text())
        self.assertEqual((summary["status"], summary["stop"]["reason"]), ("diverged", "diverged"))
        self.assertIsNone(summary["last_row"]["objective"])
        self.assertEqual(self.lagnet("replay", "r", "--quiet"), (0, "", ""))

    def test_a_folder_beside_its_data_may_move_with_them(self):
        (self.folder / "a").mkdir()
        self.write("a/data.csv", "1,2,3\n4,5,6\n7,8,1\n")
        self.write_small({"/data": {"source": "csv", "path": "data.csv", "header": "absent"}, "/topology/agents": 3},
                         "a/s.json")
        self.succeeds("run", "a/s.json", "--out", "a/r", "--quiet")
        self.assertNotIn(str(self.folder), (self.folder / "a/r/summary.json").read_text())
        self.assertEqual(json.loads((self.folder / "a/r/scenario.json").read_text())["data"]["path"], "../data.csv")
        shutil.move(self.folder / "a", self.folder / "b")
        self.assertEqual(self.succeeds("replay", "b/r"), "b/r: the same, byte for byte\n")

    def test_a_folder_that_no_run_wrote_is_wrong_input(self):
        (self.folder / "empty").mkdir()
        for name in ("empty", "absent"):
            self.assertEqual(self.lagnet("replay", name),
                             (2, "", f"{name}: expected a folder that a run wrote, found none\n"))

    def test_the_answer_is_json_on_request(self):
        self.run_small("r")
        self.assertEqual(json.loads(self.succeeds("replay", "r", "--json")),
                         {"folder": "r", "same": True, "difference": "", "parts": None})
