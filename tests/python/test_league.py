"""The league's files, its runs, and the proof of a folder."""

import csv
import importlib
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import lagnet
from lagnet.league import cells, running, suite, tables, verifying
from league_case import ASKED, CELLS, LeagueCase

PACKAGE = pathlib.Path(__file__).resolve().parent / "league_package"


class LeagueFiles(LeagueCase):
    def test_every_entry_names_an_algorithm_and_every_other_algorithm_solves_another_problem(self):
        entered = {entry.algorithm["kind"] for entry in suite.load().entries.values()}
        # These find averages, work alone, need edge servers, which the networks here lack, or are a class in Python.
        left_out = {"gossip_averaging", "choco_gossip", "pairwise_gossip", "push_sum", "proximal_gradient",
                    "accelerated_proximal_gradient", "hier_avg", "python"}
        self.assertEqual(entered | left_out, set(lagnet.list("algorithms")))
        self.assertFalse(entered & left_out)

    def test_every_cell_is_a_scenario_or_is_refused_by_its_algorithm(self):
        # Only the method, its problem or the network may be the reason: a fault of the league's files is none.
        league = suite.load()
        pointers = set()
        for entry in league.entries.values():
            for problem, profile in zip(league.problems, [*league.profiles, *league.profiles]):
                scenario = running.usable(cells.scenario_of(league, entry, problem, profile))
                pointers |= {problem.pointer for problem in lagnet.validate(scenario)}
        self.assertLessEqual({pointer.split("/")[1] for pointer in pointers if pointer},
                             {"algorithm", "problem", "participation"}, pointers)

    def test_what_is_wrong_is_told_all_at_once(self):
        files = self.copied()
        (files / "problems" / "lasso.json").write_text('{"why": 3, "data": {}, "partition": {}, "problems": {}}')
        (files / "entries" / "nids.json").write_text(json.dumps({
            "form": "pears", "author": "", "source": "", "algorithm": {"kind": "nids"},
            "tune": {"step": [2, 1], "other": "theory"}}))
        self.change_seeds(files, 1)
        with self.assertRaises(lagnet.InputError) as caught:
            suite.load(files)
        said = str(caught.exception).splitlines()
        self.assertEqual([line.split(": ", 2)[1] for line in said],
                         ["/tuning/seed", "/tuning/seed", "/problem", "/why", "/problems", "/form", "/tune/step",
                          "/tune"])

    def change_seeds(self, files, seed):
        text = (files / "league.json").read_text()
        self.assertIn('"seed": 1001', text)
        (files / "league.json").write_text(text.replace('"seed": 1001', f'"seed": {seed}'))

    def test_a_tuning_seed_that_a_run_has_is_refused(self):
        files = self.copied()
        self.change_seeds(files, 5)
        self.assertEqual(self.league(command="run", suite=str(files)), 2)
        self.assertIn("/tuning/seed: expected a seed that is not among /seeds, found 5", self.complained)
        self.assertFalse(os.path.exists("out"))

    def test_names_that_are_not_there_are_refused(self):
        self.assertEqual(self.league(command="run", entries=["nids", "nidz"]), 2)
        self.assertIn("--entry: expected one of ", self.complained)
        self.assertIn("found nidz", self.complained)


class LeagueRuns(LeagueCase):
    def test_parts_write_the_records_of_one_process_and_a_missing_one_is_run_again(self):
        self.assertEqual(self.league(command="run", **ASKED), 0)
        whole = {path.name: path.read_bytes() for path in pathlib.Path("out").rglob("*.json")}
        self.assertEqual(len(whole), 4)
        for part in (2, 1):
            self.assertEqual(self.league(command="run", folder="parts", part=[part, 2], **ASKED), 0)
        self.assertEqual({path.name: path.read_bytes() for path in pathlib.Path("parts").rglob("*.json")}, whole)
        self.record().unlink()
        self.assertEqual(self.league(command="run", json=True, **ASKED), 0)
        self.assertEqual(json.loads(self.printed), {"folder": "out", "cells": 3, "ran": 1})
        self.assertEqual(self.record().read_bytes(), whole["nids.tuned.json"])

    def test_the_small_league_has_numbers_of_the_full_one(self):
        small, full = (suite.load(size=size) for size in ("small", "full"))
        cell = CELLS[1]
        one, all_of_them = running.run_cell(small, cell)["runs"], running.run_cell(full, cell)["runs"]
        self.assertEqual(one, all_of_them[:len(one)])
        self.assertEqual([run["seed"] for run in all_of_them], full.seeds)

    def test_a_tuned_method_is_first_to_the_last_level_and_a_refused_one_has_a_reason(self):
        league = suite.load(size="small")
        default, tuned = (running.run_cell(league, cell) for cell in CELLS[1:])
        last = [min(run["levels"][-1]["simulated_s"] for run in record["runs"]) for record in (default, tuned)]
        self.assertLess(last[1], last[0])
        self.assertEqual(tuned["scenario"]["algorithm"]["step"], tuned["tuning"]["values"]["/algorithm/step"])
        refused = running.run_cell(league, cells.Cell("lasso", "data_center", "giant", "default"))
        self.assertEqual((refused["status"], refused["runs"]), ("refused", []))
        self.assertIn("giant has no prox", refused["reason"])

    def test_every_value_of_theory_is_one_that_tuning_finds(self):
        # An option that has no value of theory would make the tuned variant of an entry a refusal everywhere.
        league = suite.load(size="small")
        short = cells.scenario_of
        for name, entry in league.entries.items():
            if "theory" not in entry.tune.values():
                continue
            refusals = {}
            for problem, profile in (("ridge", "data_center"), ("lasso", "data_center")):
                scenario = running.usable(short(league, entry, problem, profile))
                if lagnet.validate(scenario):
                    continue
                wish = {f"/algorithm/{option}": "tune" for option in entry.tune}
                scenario["stop"] = {"simulated_s": 1e-9}
                try:
                    running.commands.run(scenario, set=wish, check=False, progress=False)
                except lagnet.ScenarioError as error:
                    refusals[problem] = str(error)
                except lagnet.InputError:
                    pass  # none of the candidates gets anywhere in a nanosecond
            self.assertEqual(refusals, {}, name)

    def test_the_table_here_is_what_its_cells_give(self):
        # Of three cells, which take moments: trace and rounds as they are, costs as goldens compare numbers.
        with lzma.open(lagnet.scenarios() / "league" / "small" / "runs.csv.xz", "rt", newline="") as file:
            kept = [row for row in csv.DictReader(file)]
        league = suite.load(size="small")
        self.assertEqual({row["entry"] for row in kept}, set(league.entries))
        for cell in CELLS:
            rows = [row for row in kept if (row["problem"], row["profile"], row["entry"], row["variant"])
                    == (cell.problem, cell.profile, cell.entry, cell.variant)]
            runs = running.run_cell(league, cell)["runs"]
            self.assertEqual([(row["trace_hash"], int(row["rounds"])) for row in rows],
                             [(run["trace_hash"], run["rounds"]) for run in runs], cell.name)
            for row, run in zip(rows, runs):
                self.assertAlmostEqual(float(row["relative_error"]) / run["relative_error"], 1, delta=1e-6)

    def test_a_package_takes_part_by_pip_alone(self):
        packages = pathlib.Path("packages").absolute()
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                        "--no-build-isolation", "--disable-pip-version-check", "--target", str(packages),
                        str(pathlib.Path(shutil.copytree(PACKAGE, "published")).absolute())], check=True)
        sys.path.insert(0, str(packages))
        self.addCleanup(sys.path.remove, str(packages))
        self.addCleanup(sys.modules.pop, "my_method", None)
        self.assertEqual(self.league(command="run", **{**ASKED, "entries": ["my_descent", "nids"]}), 0)
        self.assertEqual(self.league(command="table"), 0)
        self.assertIn("ridge,data_center,peers,my_descent,tuned,1,", pathlib.Path("out/runs.csv").read_text())
        self.assertEqual(self.league(command="verify", share=0), 0, self.printed)
        importlib.invalidate_caches()


class LeagueProofs(LeagueCase):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.league(command="run", **ASKED), 0)
        self.assertEqual(self.league(command="table"), 0)

    def faults(self, **options):
        """The sentences of `verify`, which must not be content."""
        self.assertEqual(self.league(command="verify", quiet=True, **options), 1)
        return self.printed.splitlines()

    def test_an_honest_folder_agrees(self):
        self.assertEqual(self.league(command="verify", share=1, json=True), 0, self.printed)
        told = json.loads(self.printed)
        self.assertEqual((told["records"], len(told["repeated"]), told["faults"]), (3, 3, []))

    def test_a_changed_digit_is_found_by_the_table_and_by_a_new_run(self):
        def digit(document):
            document["runs"][1]["levels"][2]["bytes"] += 1
        self.change(self.record(), digit)
        self.assertTrue(any("levels.csv" in fault for fault in self.faults(share=0)))
        self.assertEqual(self.league(command="table"), 0)  # who changes a record may write the tables again
        found = self.faults(cell=CELLS[2].name)
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"^ridge/data_center/nids.tuned: /runs/1/levels/2/bytes: expected \d+, found \d+, "
                                   "run again")

    def test_a_changed_option_is_found_without_a_run(self):
        def option(document):
            document["scenario"]["algorithm"]["step"] *= 2
        self.change(self.record(), option)
        self.assertTrue(any("/scenario/algorithm/step" in fault for fault in self.faults(share=0)))

    def test_a_tuning_on_a_seed_of_the_runs_is_found_if_it_is_said_and_if_it_is_not(self):
        league = suite.load(size="small")
        dishonest = suite.load(size="small")
        dishonest.document["tuning"]["seed"] = 1
        record = running.run_cell(dishonest, CELLS[2])
        honest = json.loads(self.record().read_text())
        self.assertNotEqual(record["tuning"]["values"], honest["tuning"]["values"])
        said = verifying.faults_of(league, CELLS[2], record)
        self.assertIn("ridge/data_center/nids.tuned: /tuning/seed: expected 1001, found 1", said)
        record["tuning"]["seed"], record["asked"] = 1001, honest["asked"]
        self.assertEqual(verifying.faults_of(league, CELLS[2], record), [])
        found = verifying.repeated_faults(league, CELLS[2], record)
        self.assertTrue(any("/tuning/values/" in fault for fault in found), found)

    def test_a_folder_without_records_and_a_name_of_another_form_are_refused(self):
        self.assertEqual(self.league(command="verify", cell="ridge/nids"), 2)
        self.assertIn("cell: expected PROBLEM/PROFILE/ENTRY.VARIANT, found ridge/nids", self.complained)
        self.assertEqual(self.league(command="verify", folder="none"), 2)
        self.assertIn("league.json", self.complained)


class LeagueTables(LeagueCase):
    """A folder, `tables`, that has the tables of `out` alone, as scenarios/league/small has them."""

    def setUp(self):
        super().setUp()
        self.assertEqual(self.league(command="run", **ASKED), 0)
        self.assertEqual(self.league(command="table"), 0)
        pathlib.Path("tables").mkdir()
        for name in ("runs.csv", "levels.csv"):
            pathlib.Path("tables", f"{name}.xz").write_bytes(lzma.compress(pathlib.Path("out", name).read_bytes()))
        shutil.copy("out/findings.md", "tables")

    def change_table(self, name, old, new):
        path = pathlib.Path("tables", f"{name}.xz")
        text = lzma.decompress(path.read_bytes()).decode()
        self.assertIn(old, text)
        path.write_bytes(lzma.compress(text.replace(old, new, 1).encode()))

    def test_tables_alone_are_proved_by_running_their_cells_again(self):
        self.assertEqual(self.league(command="verify", folder="tables", share=1, json=True), 0, self.printed)
        told = json.loads(self.printed)
        self.assertEqual((told["records"], len(told["repeated"]), told["faults"]), (3, 3, []))

    def test_a_changed_digit_of_a_table_is_named_with_its_cell_and_column_and_both_numbers(self):
        with open("out/levels.csv", newline="") as file:
            row = next(row for row in csv.DictReader(file) if row["entry"] == "nids" and row["variant"] == "default"
                       and row["seed"] == "2" and row["level"] == "0.01")
        right, wrong = row["bytes"], str(int(row["bytes"]) - 1)
        line = ",".join(row.values())
        self.change_table("levels.csv", line, line.replace(f",{right},", f",{wrong},"))
        pathlib.Path("tables/findings.md").unlink()  # whose medians have it too
        self.assertEqual(self.league(command="verify", folder="tables", share=1, quiet=True), 1)
        self.assertEqual(self.printed, "ridge/data_center/nids.default: levels.csv: seed 2, level 0.01: bytes: "
                                       f"expected {right}, found {wrong}, run again\n")

    def test_a_row_too_few_and_findings_of_other_tables_are_found_without_a_run(self):
        row = next(line for line in pathlib.Path("out/runs.csv").read_text().splitlines(keepends=True)
                   if ",giant,default,2," in line)
        findings = pathlib.Path("tables/findings.md")
        findings.write_text(findings.read_text().replace("# Findings", "# Finding", 1))
        self.assertEqual(self.league(command="verify", folder="tables", share=0, quiet=True), 1)
        self.assertEqual(self.printed, "findings.md: line 1: expected # Findings, found # Finding\n")
        self.change_table("runs.csv", row, "")
        self.assertEqual(self.league(command="verify", folder="tables", share=0), 2)
        self.assertIn("ridge/data_center/giant.default: /runs: expected one of each of the seeds [1, 2], found [1]",
                      self.complained)

    def test_the_tables_here_are_those_of_their_findings(self):
        # Without a run: both tables read back to the same bytes, and give the findings.
        self.assertEqual(tables.disagreements(lagnet.scenarios() / "league" / "small"), [])


if __name__ == "__main__":
    unittest.main()
