"""`lagnet compare`: its numbers are those that plain Python finds in the result folders, and wrong input is refused."""

import csv
import io
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import unittest

import bootstrap
import medians
from support import Case

SEEDS = list(range(1, 11))
LEVELS = [1e-1, 1e-2, 1e-3]
SAMPLES = {"/problem/regularizer": ..., "/stop/rounds": 400, "/record/every": 1, "/data/samples": 40}
METHODS = {"extra": {"kind": "extra", "step": 0.1}, "nids": {"kind": "nids", "step": 0.2}}


class Compare(Case):
    """Two algorithms under ten seeds, run once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        maker = cls()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        cls.place = maker.folder
        for name, algorithm in METHODS.items():
            maker.run_small(name, {**SAMPLES, "/algorithm": algorithm, "/sweep": {"/seed": SEEDS}})

    def runTest(self):
        """For the class's own maker."""

    def setUp(self):
        super().setUp()
        if hasattr(type(self), "place"):
            self.folder = self.place

    def rows(self, name, seed):
        """A run's progress as numbers."""
        rows = self.table(f"{name}/{seed - 1:03}/progress.csv")
        return [{key: float(cell or "nan") for key, cell in row.items()} for row in rows]

    def compared(self, *arguments):
        return json.loads(self.succeeds("compare", "extra", "nids", "--json", *arguments))

    def cost(self, name, seed, level, currency):
        there = medians.arrival([(row[currency], row["relative_error"]) for row in self.rows(name, seed)], level)[2]
        return None if math.isinf(there) else there

    def test_paired_intervals_are_those_of_a_plain_script(self):
        paired = self.compared("--to", ",".join(map(str, LEVELS)))["paired"]
        of_costs = {row["to"]: row for row in paired if row["quantity"] == "simulated_s"}
        self.assertEqual(sorted(of_costs, reverse=True), LEVELS)
        for level, row in of_costs.items():
            costs = [(self.cost("nids", seed, level, "simulated_s"), self.cost("extra", seed, level, "simulated_s"))
                     for seed in SEEDS]
            pairs = [pair for pair in costs if None not in pair]
            self.assertEqual(row["pairs"], len(pairs))
            self.assertGreaterEqual(len(pairs), 5)
            self.check_interval(row, pairs)
        at_end = next(row for row in paired if row["quantity"] == "relative_error")
        end = min(self.rows(name, seed)[-1]["simulated_s"] for name in METHODS for seed in SEEDS)
        self.assertEqual(at_end["at"], end)

        def last(name, seed):
            return [row["relative_error"] for row in self.rows(name, seed) if row["simulated_s"] <= end][-1]

        self.check_interval(at_end, [(last("nids", seed), last("extra", seed)) for seed in SEEDS])

    def check_interval(self, row, pairs):
        differences = [a - b for a, b in pairs]
        # 1e-13: sums of ten doubles of one magnitude each, and a logarithm and an exponential for the ratios.
        scale = 1e-13 * max(map(abs, differences))
        self.assertAlmostEqual(row["difference"], statistics.fmean(differences), delta=scale)
        low, high = bootstrap.interval(differences)
        self.assertAlmostEqual(row["low"], low, delta=scale)
        self.assertAlmostEqual(row["high"], high, delta=scale)
        if row["ratio"] is not None:
            logarithms = [math.log(a / b) for a, b in pairs]
            self.assertAlmostEqual(row["ratio"], math.exp(statistics.fmean(logarithms)), delta=1e-13 * row["ratio"])
            low, high = map(math.exp, bootstrap.interval(logarithms))
            self.assertAlmostEqual(row["ratio_low"], low, delta=1e-13 * low)
            self.assertAlmostEqual(row["ratio_high"], high, delta=1e-13 * high)

    def test_other_draws_and_another_confidence_give_the_interval_of_these(self):
        given = ("--to", "0.1", "--against", "bytes", "--resamples", 500, "--confidence", 0.8,
                 "--bootstrap-seed", 2**33 + 5)
        row = self.compared(*given)["paired"][1]
        costs = [(self.cost("nids", seed, 0.1, "bytes"), self.cost("extra", seed, 0.1, "bytes")) for seed in SEEDS]
        differences = [a - b for a, b in costs]
        low, high = bootstrap.interval(differences, 500, 0.8, 2**33 + 5)
        # 1e-9 of some thousand bytes: sums and quotients are exact to 1e-13.
        self.assertAlmostEqual(row["low"], low, delta=1e-9)
        self.assertAlmostEqual(row["high"], high, delta=1e-9)

    def test_costs_of_levels_are_those_of_the_first_rows_that_stay_there(self):
        found = self.compared("--to", "0.01")["accuracy"]
        self.assertEqual([(row["series"], row["currency"]) for row in found],
                         [(name, currency) for name in METHODS
                          for currency in ("round", "simulated_s", "bytes", "messages", "flops_per_agent_max", "flops",
                                           "encrypting_s")])
        for row in found:
            costs = [self.cost(row["series"], seed, 0.01, row["currency"]) for seed in SEEDS]
            there = [cost for cost in costs if cost is not None]
            self.assertEqual((row["reached_by"], row["runs"]), (len(there), len(SEEDS)))
            median = statistics.median([math.inf if cost is None else cost for cost in costs])
            self.assertEqual(row["median"], None if math.isinf(median) else median)
            self.assertEqual((row["min"], row["max"]), (min(there), max(there)) if there else (None, None))

    def test_curves_carry_the_last_row_forward(self):
        out = self.succeeds("compare", "extra", "nids", "--format", "csv", "--points", 7, "--against", "flops")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(list(rows[0]), ["flops", "series", "reached_by", "runs", "mean", "median", "min", "max"])
        axis = sorted({float(row["flops"]) for row in rows})
        self.assertLessEqual(len(axis), 7)
        self.assertEqual((axis[0], axis[-1]), (0, max(self.rows(n, s)[-1]["flops"] for n in METHODS for s in SEEDS)))
        for row in rows:
            values = []
            for seed in SEEDS:
                of_run = self.rows(row["series"], seed)
                self.assertLessEqual(float(row["flops"]), of_run[-1]["flops"], "the curve ends with the first run")
                values.append([r["relative_error"] for r in of_run if r["flops"] <= float(row["flops"])][-1])
            self.assertEqual((int(row["reached_by"]), int(row["runs"])), (len(SEEDS), len(SEEDS)))
            self.assertEqual((float(row["min"]), float(row["max"])), (min(values), max(values)))
            self.assertAlmostEqual(float(row["median"]), statistics.median(values), delta=1e-15 * max(values))
            self.assertAlmostEqual(float(row["mean"]), statistics.fmean(values), delta=1e-14 * max(values))
        every = self.succeeds("compare", "extra", "--format", "csv", "--points", 0, "--against", "round").splitlines()
        self.assertEqual(len(every), 1 + 401)

    def test_formats_say_the_same(self):
        document = self.compared()
        self.assertEqual([row["series"] for row in document["series"]], ["extra", "nids"])
        self.assertEqual(len(document["folders"]), 20)
        self.assertEqual({row["to"] for row in document["accuracy"]}, {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
        for name in ("verdict", "series", "curves", "accuracy", "paired", "pareto", "crossings"):
            rows = list(csv.DictReader(io.StringIO(self.succeeds("compare", "extra", "nids", "--format", "csv",
                                                                 "--table", name))))
            as_text = [{key: "" if value is None else value if isinstance(value, str) else float(value)
                        for key, value in row.items()} for row in document[name]]
            as_read = [{key: cell if isinstance(wanted[key], str) else float(cell) for key, cell in row.items()}
                       for row, wanted in zip(rows, as_text)]
            self.assertEqual((len(rows), as_read), (len(as_text), as_text), name)
        text = self.succeeds("compare", "extra", "nids", "--format", "text")
        self.assertEqual(text.splitlines()[0],
                         "2 series, 20 runs: relative_error over simulated time (s), medians over seeds")
        self.assertEqual(text, self.succeeds("compare", "extra", "nids", "--out", "t.txt")
                         or (self.folder / "t.txt").read_text())
        self.assertEqual(self.succeeds("compare", "extra", "nids", "--quiet"), "")
        one = self.succeeds("compare", "extra", "nids", "--table", "pareto")
        self.assertNotIn("carried forward", one)
        self.assertIn(one.split("\n", 2)[2], text)
        self.assertFalse((self.folder / "t.txt.partial").exists())

    def test_a_median_is_known_as_long_as_more_than_half_get_there(self):
        seeds = SEEDS[:3]
        objectives = {seed: [row["objective"] for row in self.rows("extra", seed)] for seed in seeds}
        lowest = sorted(map(min, objectives.values()))
        level = (lowest[1] + lowest[2]) / 2  # each seed has data and an optimum of its own: two of three get there
        arrivals = [medians.arrival(list(enumerate(values)), level)[2] for values in objectives.values()]
        there = sorted(filter(math.isfinite, arrivals))
        self.assertEqual(len(there), 2)
        out = self.succeeds("compare", *(f"extra/{seed - 1:03}" for seed in seeds), "--json", "--metric", "objective",
                            "--to", repr(level))
        row = next(row for row in json.loads(out)["accuracy"] if row["currency"] == "round")
        self.assertEqual((row["reached_by"], row["median"]), (2, there[1]))

    def test_latex_has_tables_that_compile(self):
        latex = self.succeeds("compare", "extra", "nids", "--format", "latex")
        self.assertIn("relative\\_error", latex)
        self.assertEqual(latex.count("\\begin{tabular}"), latex.count("\\bottomrule"))
        self.assertNotRegex(latex, r"(?<!\\)[_%#](?!.*booktabs)")
        program = shutil.which("pdflatex")
        if program is None:
            self.skipTest("pdflatex is not installed: that the tables compile is not tested")
        with tempfile.TemporaryDirectory() as place:
            source = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n" + latex + "\\end{document}\n"
            pathlib.Path(place, "t.tex").write_text(source)
            run = subprocess.run([program, "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=place,
                                 capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(run.returncode, 0, run.stdout[-2000:])


class CompareRefuses(Case):
    def refused(self, *arguments):
        """The one line that says why."""
        before = self.tree()
        status, out, err = self.lagnet("compare", *arguments)
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
        self.assertEqual(self.tree(), before)
        return err.rstrip("\n")

    def test_folders_that_hold_no_whole_results(self):
        self.run_small("a")
        expected = "expected the folder of a run or a sweep, found "
        (self.folder / "empty").mkdir()
        self.assertEqual(self.refused("a", "absent"), f"absent: {expected}nothing")
        self.assertEqual(self.refused("empty"), f"empty: {expected}an empty folder")
        self.assertEqual(self.refused("a.json"), f"a.json: {expected}a file")
        shutil.copytree(self.folder / "a", self.folder / "b.partial")
        self.assertEqual(self.refused("b.partial"), f"b.partial: {expected}one that is not finished")
        self.assertEqual(self.refused("b"), f"b: {expected}only b.partial, which is not finished")
        for name in ("scenario.json", "summary.json", "progress.csv"):
            shutil.copytree(self.folder / "a", self.folder / "c", dirs_exist_ok=True)
            (self.folder / "c" / name).unlink()
            self.assertEqual(self.refused("a", "c"), f"c/{name}: missing")
        text = (self.folder / "a/progress.csv").read_text()
        (self.folder / "c/progress.csv").write_text(text[:-20])
        self.assertRegex(self.refused("c"), r"^c/progress.csv:5: expected \d+ cells, as in the header, found \d+$")
        (self.folder / "c/progress.csv").write_text("\n".join(text.split("\n")[:3]) + "\n")
        self.assertEqual(self.refused("c"), "c/progress.csv: expected the last row to be of round 12, as summary.json "
                                            "says, found 4")
        self.assertEqual(self.refused("a", "./a"), "./a: given twice")

    def test_runs_of_other_problems_and_runs_that_do_not_differ(self):
        self.run_small("a")
        self.run_small("b", {"/problem/regularizer/weight": 0.02})
        self.assertEqual(self.refused("a", "b"), "a: expected runs over the same data and problem, found others: "
                                                 "/problem/regularizer/weight is 0.01, and 0.02 in b")
        self.run_small("c", {"/name": "the same"})
        self.assertEqual(self.refused("a", "c"), "c: expected runs that differ, found the scenario and seed of a")

    def test_unknown_names_are_refused(self):
        self.run_small("a")
        self.run_small("b", {"/topology/kind": "star"})
        columns = (self.folder / "a/progress.csv").read_text().split("\n", 1)[0].replace(",", ", ")
        self.assertEqual(self.refused("a", "b", "--metric", "relativ_error"),
                         f"a/progress.csv: expected one of the columns {columns}, found relativ_error; did you mean "
                         "relative_error?")
        self.assertIn("found byte; did you mean bytes?", self.refused("a", "b", "--against", "byte"))
        self.assertIn("expected an axis that never falls, found relative_error with ",
                      self.refused("a", "b", "--against", "relative_error"))
        self.assertEqual(self.refused("a", "b", "--baseline", "stat"),
                         "baseline: expected one of the series ring, star, found stat; did you mean star?")
        self.assertEqual(self.refused("a", "b", "--to", "inf"),
                         "compare: --to: expected a finite number between commas, found inf")
        self.assertEqual(self.refused("a", "b", "--to", "1e-1,,2"),
                         "compare: --to: expected a number between commas, found nothing in 1e-1,,2")
        self.assertEqual(self.refused("a", "b", "--json", "--format", "csv"),
                         "compare: --format: expected no --format but json beside --json, found csv")
        (self.folder / "place").mkdir()
        self.assertEqual(self.refused("a", "b", "--out", "place"), "place: expected a file, found a folder")
        self.assertEqual(self.refused("a", "b", "--out", "absent/t.txt"),
                         "absent/t.txt: cannot be written: No such file or directory")
        for wrong in (("--format", "html"), ("--table", "all"), ("--to", "small"), ("--points", "-1"),
                      ("--confidence", "95"), ("--confidence", "nan"), ("--bootstrap-seed", "-1"), ()):
            folders = ("a", "b") if wrong else ()
            status, out, err = self.lagnet("compare", *folders, *wrong)
            self.assertEqual((status, out), (2, ""), wrong)
            self.assertIn(wrong[0] if wrong else "DIR", err)

    def test_metrics_that_were_not_recorded_say_why(self):
        self.run_small("a", {"/record/optimum": False})
        self.assertEqual(self.refused("a"), "a/progress.csv: expected a row with relative_error, found none: not asked "
                                            "for: record.optimum is false")

    def test_a_run_that_diverged_to_nan_is_printed_as_infinite(self):
        changes = {"/problem/regularizer": ..., "/stop/divergence_factor": None, "/record/every": 1}
        self.run_small("a", {**changes, "/algorithm": {"kind": "extra", "step": 0.1}})
        self.write_small({**changes, "/algorithm": {"kind": "extra", "step": 1e60}})
        self.assertEqual(self.lagnet("run", "s.json", "--out", "b")[0], 1)
        self.assertIn("nan", self.table("b/progress.csv")[-1]["relative_error"])
        text = self.succeeds("compare", "a", "b", "--table", "series")
        self.assertIn("; the last relative_error of each, inf for runs that diverged to no number\n", text)
        self.assertRegex(text, r"diverged +inf +inf +inf")
        self.assertNotIn("inf for", self.succeeds("compare", "a", "--table", "series"))

    def test_a_folder_of_a_tuning_is_refused_as_one(self):
        ranges = {"/algorithm/tau": {"low": 0.1, "high": 1}, "/algorithm/sigma": {"low": 0.1, "high": 1}}
        self.write_small({"/tune": {"candidates": 2, "ranges": ranges},
                          "/algorithm": {"kind": "fd_primal_dual", "tau": 1, "sigma": 1}})
        self.succeeds("tune", "s.json", "--out", "t", "--quiet")
        line = ("t: expected the folder of a run or a sweep, found that of a tuning: its runs are in "
                "t/000, .., and `lagnet run t/tuned.json` runs the chosen scenario")
        self.assertEqual(self.refused("t"), line)
        self.assertEqual(self.refused("t/"), line.replace("t:", "t/:", 1))
        self.succeeds("compare", "t/000", "t/001")

    def test_points_that_broke_are_named_and_left_out(self):
        sweep = {"/sweep": {"/seed": [1, 2]}}
        folder = self.run_small("a", sweep)
        for path in (folder / "001").iterdir():
            path.unlink()
        (folder / "001/error.txt").write_text("agent 3: it broke\n")
        status, out, err = self.lagnet("compare", "a")
        self.assertEqual((status, err), (0, "left out: a/001: agent 3: it broke\n"))
        self.assertIn("1 series, 1 run:", out)
        document = json.loads(self.succeeds("compare", "a", "--quiet", "--json"))
        self.assertEqual((document["left_out"], document["folders"]), (["a/001: agent 3: it broke"], ["a/000"]))


if __name__ == "__main__":
    unittest.main()
