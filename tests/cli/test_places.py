"""Where files are: through symbolic links, with ".." in paths, and with names that are no UTF-8."""

import json
import os

from support import Case

CSV = "a,b,y\n1,2,3\n4,5,7\n2,2,3\n"
OWN_DATA = {"/data": {"source": "csv", "path": "data/own.csv"}, "/topology/agents": 3, "/stop/rounds": 4}


class Places(Case):
    def write_own_data(self, folder):
        (self.folder / folder / "data").mkdir(parents=True)
        self.write(f"{folder}/data/own.csv", CSV)
        self.write_small(OWN_DATA, f"{folder}/s.json")

    def test_a_name_that_is_empty_is_not_the_default(self):
        self.run_small("s")
        before = self.tree()
        for arguments in (["run", "s.json"], ["sweep", "s.json"], ["report", "s"],
                          ["compare", "s"], ["reproduce", "yu2017/theorem"]):
            self.assertEqual(self.lagnet(*arguments, "--out", ""),
                             (2, "", "--out: expected a name, found none\nRun with --help for more information.\n"))
        self.assertEqual(self.tree(), before)

    def test_files_where_a_path_with_two_dots_leads_are_left_alone(self):
        self.write_small()
        (self.folder / "mine").mkdir()
        self.write("mine/notes.txt", "mine")
        (self.folder / "other/deep").mkdir(parents=True)
        (self.folder / "link").symlink_to("other/deep")
        refusal = ("nothere/../mine: expected a new folder, an empty one, or one that contains only earlier results, "
                   "found notes.txt in it\n")
        self.assertEqual(self.lagnet("run", "s.json", "--out", "nothere/../mine"), (2, "", refusal))
        self.succeeds("run", "s.json", "--quiet", "--out", "link/../mine")
        self.assertEqual(os.listdir(self.folder / "mine"), ["notes.txt"])
        self.assertTrue((self.folder / "other/mine/summary.json").exists())
        self.succeeds("replay", "link/../mine")

    def test_a_scenario_in_a_linked_folder_finds_its_data(self):
        self.write_own_data("real/deep")
        (self.folder / "real/deep/scenarios").mkdir()
        data = {"source": "csv", "path": "../data/own.csv"}
        self.write_small({**OWN_DATA, "/data": data}, "real/deep/scenarios/s.json")
        (self.folder / "linked").symlink_to("real/deep/scenarios")
        self.succeeds("validate", "linked/s.json")

    def test_results_in_a_linked_folder_are_whole_by_any_of_its_names(self):
        self.write_own_data(".")
        (self.folder / "disk/deep/runs").mkdir(parents=True)
        (self.folder / "runs").symlink_to("disk/deep/runs")
        self.succeeds("run", "s.json", "--quiet", "--out", "runs/r")
        (self.folder / "r").symlink_to("runs/r")
        for name in ("runs/r", "disk/deep/runs/r", "r"):
            self.assertEqual(self.succeeds("replay", name), f"{name}: the same, byte for byte\n")
        self.assertEqual(json.loads((self.folder / "r/scenario.json").read_text())["data"]["path"],
                         "../../../../data/own.csv")

    def test_names_that_are_not_utf8_are_printed_in_json_without_those_bytes(self):
        self.write_small({"/sweep": {"/seed": [1, 2]}})
        name = os.fsdecode(b"lat\xe9")
        (self.folder / name).symlink_to(".")
        for arguments in (["run", "s.json", "--out", name + "1"], ["validate", f"{name}/s.json"],
                          ["replay", name + "1"], ["compare", name + "1"],
                          ["report", name + "1", "-o", name + ".html"]):
            told = self.succeeds(*arguments, "--json")
            self.assertIn("lat\N{REPLACEMENT CHARACTER}", json.dumps(json.loads(told), ensure_ascii=False))

    def test_data_whose_name_no_result_can_hold_are_wrong_input(self):
        name = os.fsdecode(b"lat\xe9")
        self.write_own_data(name)
        status, out, err = self.lagnet("run", f"{name}/s.json", "--out", "r", errors="replace")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("expected files with names in UTF-8, which results can hold, found ", err)
        self.assertFalse((self.folder / "r").exists())

    def test_a_missing_temporary_folder_is_reported(self):
        self.run_small("r")
        refusal = "the system's temporary folder (TMPDIR) cannot be used: No such file or directory\n"
        environment = {**os.environ, "TMPDIR": str(self.folder / "gone")}
        self.assertEqual(self.lagnet("replay", "r", env=environment), (2, "", refusal))
