"""run, sweep, tune and retime write the files of the command line, and their results agree with its output."""

import json
import pathlib
import warnings

import lagnet
from support import ROOT, SMALL, Case, changed, files

GOLDENS = sorted(path for path in (ROOT / "scenarios/golden").glob("*.json") if not path.name.endswith(".golden.json"))


class Running(Case):
    def by_command_line(self, scenario, *arguments, command="run"):
        """The files that the program writes for a scenario."""
        pathlib.Path("s.json").write_text(json.dumps({"lagnet": 1, **scenario}))
        status, _, err = self.program(command, "s.json", "--out", "by_command_line", "--quiet", *arguments)
        self.assertEqual(status, 0, err)
        return self.results("by_command_line")

    def results(self, folder):
        """Its files, but for build.txt, which says whether the program or Python's process has written them."""
        found = files(folder)
        self.assertIn("build.txt", found)
        del found["build.txt"]
        return found

    def test_results_are_those_of_the_command_line_byte_for_byte(self):
        result = lagnet.run(SMALL, out="by_python")
        self.assertEqual(self.results("by_python"), self.by_command_line(SMALL))
        self.assertEqual(result.folder, self.folder / "by_python")
        self.assertEqual(len(files("by_python")), 7)

    def test_rows_of_goldens_are_those_of_the_command_line(self):
        """Every seventh of them: the others go the same way through Python."""
        self.assertGreater(len(GOLDENS), 20)
        warnings.simplefilter("ignore", lagnet.RunWarning)
        for golden in GOLDENS[::7]:
            with self.subTest(golden.stem):
                result = lagnet.run(golden, out=f"p/{golden.stem}", check=False) if "sweep" not in golden.read_text() \
                    else lagnet.sweep(golden, out=f"p/{golden.stem}")
                self.program("run", golden, "--out", f"c/{golden.stem}", "--quiet")
                theirs = self.results(f"c/{golden.stem}")
                self.assertEqual(self.results(result.folder), theirs)
                self.assertTrue(any(name.endswith("progress.csv") for name in theirs))

    def test_a_scenario_is_a_path_or_a_dictionary_or_json_or_an_object(self):
        pathlib.Path("s.json").write_text("// with a comment\n" + json.dumps({"lagnet": 1, **SMALL}))
        expected = files(lagnet.run(SMALL, out="r").folder)
        for scenario in ("s.json", pathlib.Path("s.json"), json.dumps(SMALL), lagnet.Scenario(SMALL),
                         lagnet.Scenario.read("s.json"), lagnet.Scenario(**SMALL)):
            with self.subTest(type(scenario)):
                self.assertEqual(files(lagnet.run(scenario, out="q").folder), expected)

    def test_values_are_set_by_their_keys_or_pointers(self):
        for key in ("network.latency_ms", "/network/latency_ms"):
            self.assertEqual(lagnet.run(SMALL, set={key: 7}).links["latency_s"].unique().tolist(), [0.007])
        pathlib.Path("s.json").write_text(json.dumps({"lagnet": 1, **SMALL}))
        self.assertEqual(lagnet.run("s.json", set={"stop": {"rounds": 3}}).summary["stop"]["round"], 3)

    def test_a_value_that_fits_on_no_command_line_is_set_all_the_same(self):
        links = [{"links": [[k % 5, (k + 1) % 5]], "latency_ms": 1 + k % 5, "both_ways": False} for k in range(5)]
        long = [{"from_s": 10**6 + k, "until_s": 10**6 + k + 1, "links": [[0, 1]]} for k in range(5000)]
        pathlib.Path("s.json").write_text("// a comment\n" + json.dumps({"lagnet": 1, **SMALL}))
        for scenario in (SMALL, "s.json"):
            result = lagnet.run(scenario, set={"network.links": links, "/network/outages": long})
            self.assertEqual(len(result.scenario["network"]["outages"]), 5000)
            self.assertEqual(result.links.set_index(["from", "to"])["latency_s"][2, 3], 0.003)

    def test_paths_are_relative_to_the_file_or_to_the_working_folder(self):
        pathlib.Path("a").mkdir()
        pathlib.Path("a/data.csv").write_text("1,2,3\n4,5,6\n7,8,1\n3,1,4\n")
        data = {"source": "csv", "path": "data.csv", "header": "absent"}
        scenario = {"lagnet": 1, **changed({"/data": data, "/topology/agents": 3})}
        pathlib.Path("a/s.json").write_text(json.dumps(scenario))
        first = lagnet.run("a/s.json", set={"seed": 2})
        second = lagnet.run("a/s.json", algorithm="extra", set={"seed": 2})
        third = lagnet.run(changed({"/data": {**data, "path": "a/data.csv"}, "/topology/agents": 3}), set={"seed": 2})
        self.assertEqual({run.summary["trace_hash"] for run in (first, second, third)}, {first.summary["trace_hash"]})
        self.assertEqual(first.scenario["data"]["path"], str(self.folder / "a/data.csv"))
        self.assertEqual(lagnet.run(first.scenario).summary["trace_hash"], first.summary["trace_hash"])

    def test_seeds_are_a_sweep(self):
        runs = lagnet.run(SMALL, seeds=range(3), out="by_python")
        self.assertIsInstance(runs, lagnet.Results)
        self.assertEqual([run.values for run in runs], [{"seed": 0}, {"seed": 1}, {"seed": 2}])
        self.assertEqual(self.results("by_python"), self.by_command_line({**SMALL, "sweep": {"/seed": [0, 1, 2]}}))

    def test_a_scenario_with_a_sweep_gives_all_its_runs(self):
        runs = lagnet.run({**SMALL, "sweep": {"/topology/agents": [3, 4]}})
        self.assertEqual([run.values["agents"] for run in runs], [3, 4])
        self.assertEqual(len(lagnet.sweep(SMALL)), 1)

    def test_a_sweep_has_every_combination_seeds_fastest(self):
        runs = lagnet.sweep(SMALL, {"network.latency_ms": [1, 5]}, algorithm=["dgd", {"kind": "extra", "step": 0.05}],
                            seeds=[4, 9])
        self.assertEqual([(run.scenario["algorithm"]["kind"], run.values["latency_ms"], run.values["seed"])
                          for run in runs],
                         [(kind, latency, seed) for kind in ("dgd", "extra") for latency in (1, 5) for seed in (4, 9)])
        self.assertEqual(runs[4].scenario["algorithm"]["step"], 0.05)
        self.assertEqual(len({run.label for run in runs}), 4)

    def test_points_of_a_sweep_may_have_labels(self):
        points = [{"label": "few", "/topology/agents": 3}, {"label": "many", "/topology/agents": 9}]
        runs = lagnet.sweep(SMALL, {"points": points})
        self.assertEqual([run.label for run in runs], ["few", "many"])
        self.assertEqual(runs.summary["label"].tolist(), ["few", "many"])

    def test_threads_and_jobs_do_not_change_results(self):
        runs = lagnet.sweep(SMALL, seeds=[1, 2], jobs=1, out="one")
        lagnet.sweep(SMALL, seeds=[1, 2], threads=2, jobs=2, memory_budget_mib=500, out="two")
        self.assertEqual(files("one"), files("two"))
        self.assertEqual(len(runs), 2)

    def test_a_sweep_that_retimes_has_the_same_values(self):
        over = {"network.latency_ms": [1, 5]}
        lagnet.sweep(SMALL, over, out="computed")
        lagnet.sweep(SMALL, over, retime=True, out="retimed")
        for name in ("000/progress.csv", "001/progress.csv"):
            self.assertEqual(files("retimed")[name], files("computed")[name])
        self.assertIn(b'"retimed"', files("retimed")["001/summary.json"])

    def test_tuning_gives_the_scenario_and_the_table_of_the_command_line(self):
        tuned = lagnet.tune(SMALL, {"algorithm.step": (0.01, 0.2)}, candidates=3, seeds=[1, 2], to=0.5, out="by_python")
        tune = {"candidates": 3, "to": 0.5, "seeds": [1, 2], "ranges": {"/algorithm/step": {"low": 0.01, "high": 0.2}}}
        self.assertEqual(self.results("by_python"), self.by_command_line({**SMALL, "tune": tune}, command="tune"))
        self.assertEqual(len(tuned.candidates), 3)
        self.assertEqual(list(tuned.chosen), ["/algorithm/step"])
        again = lagnet.run(tuned.scenario)
        self.assertEqual(again.scenario["algorithm"]["step"], tuned.chosen["/algorithm/step"])

    def test_a_search_in_which_nothing_can_be_chosen_says_so(self):
        tuned = lagnet.tune(SMALL, {"algorithm.step": {"low": 1e6, "high": 1e7}}, candidates=2)
        self.assertEqual(tuned.chosen, {})
        self.assertRaisesRegex(lagnet.InputError, "none of the candidates can be chosen", lambda: tuned.scenario)

    def test_retimed_runs_have_the_values_of_the_first_and_other_times(self):
        result = lagnet.run(SMALL)
        slower = lagnet.retime(result, set={"network.latency_ms": 20})
        self.assertEqual(slower.frame["objective"].tolist(), result.frame["objective"].tolist())
        self.assertGreater(slower.summary["stop"]["simulated_s"], 9 * result.summary["stop"]["simulated_s"])
        several = lagnet.retime(result.folder, over={"/network/latency_ms": [2, 20]})
        self.assertEqual([run.summary["trace_hash"] for run in several],
                         [one.summary["trace_hash"] for one in (result, slower)])
        self.assertRaisesRegex(lagnet.InputError, "differs in network and compute alone",
                               lambda: lagnet.retime(result, set={"seed": 2}))

    def test_retimed_sweeps_are_sweeps(self):
        runs = lagnet.retime(lagnet.sweep(SMALL, seeds=[1, 2]), set={"network.latency_ms": 20})
        self.assertEqual([run.values["seed"] for run in runs], [1, 2])


if __name__ == "__main__":
    import unittest
    unittest.main()
