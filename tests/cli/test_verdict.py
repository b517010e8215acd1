"""What `lagnet compare` and the report's page say first: the verdict, with the numbers of a plain script."""

import json
import math
import re
import statistics
import unittest

import bootstrap
import medians
from support import Case

SEEDS = [1, 2, 3, 4, 5]
LEVELS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
CHANGES = {"/problem/regularizer": ..., "/stop/rounds": 150, "/record/every": 1, "/data/samples": 40}
METHODS = {"extra": {"kind": "extra", "step": 0.1}, "nids": {"kind": "nids", "step": 0.2}}


class VerdictOfTwo(Case):
    def setUp(self):
        super().setUp()
        for name, algorithm in METHODS.items():
            self.run_small(name, {**CHANGES, "/algorithm": algorithm, "/sweep": {"/seed": SEEDS}})

    def runs(self, name, axis):
        return [medians.Run(self.folder / name / f"{k:03}", axis, "relative_error") for k in range(len(SEEDS))]

    def model(self, *folders):
        self.succeeds("report", *folders, "--quiet")
        return json.loads(re.search('id="model">(.*?)</script>', (self.folder / "report.html").read_text(), re.S)[1])

    def test_winners_ratios_and_intervals_are_those_of_a_plain_script(self):
        rows = self.model("extra", "nids")["comparison"]["verdict"]["rows"]
        self.assertEqual([(row["to"], row["currency"]) for row in rows],
                         [(level, currency) for level in LEVELS for currency in ("simulated_s", "bytes")])
        compared = 0
        for row in rows:
            costs = {name: [run.cost(row["to"]) for run in self.runs(name, row["currency"])] for name in METHODS}
            for cost in row["costs"]:
                wanted = statistics.median(costs[cost["series"]])
                self.assertEqual(cost["median"], None if math.isinf(wanted) else wanted)
                self.assertEqual(cost["reached_by"], sum(map(math.isfinite, costs[cost["series"]])))
            if math.inf in costs["extra"] + costs["nids"] or row["leader"] is None:
                continue
            compared += 1
            self.assertEqual(row["leader"], min(METHODS, key=lambda name: statistics.median(costs[name])))
            pair = costs[row["leader"]], costs[row["next"]]
            low, high = bootstrap.ratio_of_medians(*pair)
            # 1e-12: quotients of doubles, and a line between two of them.
            self.assertAlmostEqual(row["ratio"], statistics.median(pair[1]) / statistics.median(pair[0]),
                                   delta=1e-12 * row["ratio"])
            self.assertAlmostEqual(row["low"], low, delta=1e-12 * low)
            self.assertAlmostEqual(row["high"], high, delta=1e-12 * high)
        self.assertGreaterEqual(compared, 2)

    def test_the_page_has_the_output_of_compare(self):
        text = self.succeeds("compare", "extra", "nids")
        comparison = self.model("extra", "nids")["comparison"]
        lines = text.splitlines()
        self.assertEqual(lines[:4], [comparison["what"], comparison["setting"], "", comparison["headline"]])
        said = comparison["verdict"]["sentences"] + comparison["verdict"]["never"] + [
            one["text"] for one in comparison["remarks"]]
        self.assertEqual(lines[4:4 + len(said)], ["  " + sentence for sentence in said])
        document = json.loads(self.succeeds("compare", "extra", "nids", "--json"))
        for table in comparison["tables"]:
            self.assertIn(table["title"], text)
            if table["name"] in ("series", "paired", "pareto", "crossings"):
                keys = [column["key"] for column in table["columns"]]
                self.assertEqual([dict(zip(keys, row)) for row in table["rows"]], document[table["name"]])

    def test_a_single_series_prints_its_levels_times_and_the_remedy(self):
        self.run_small("one", {"/stop/rounds": 60, "/record/every": 1})
        out = self.succeeds("compare", "one")
        rows = self.table("one/progress.csv")
        points = [(float(row["simulated_s"]), float(row["relative_error"])) for row in rows]
        best = min(error for _, error in points)
        self.assertIn(f"1e-1 after {medians.arrival(points, 1e-1)[2]:.3g} s", out)
        self.assertRegex(out, r"no run reached 1e-\d( or less)? in 60 rounds: \S+ at best; at this rate "
                              r"it takes about \d+ more: give --set stop.rounds=\d+\n")
        self.assertGreater(best, 1e-6)

    def test_one_seed_has_no_interval_and_equal_bits_are_reported(self):
        self.assertIn("one seed", self.succeeds("compare", "extra/000", "nids/000"))
        for name in ("ring", "star"):
            self.run_small(name, {"/data": {"source": "csv", "path": str(self.data()), "header": "absent"},
                                  "/topology/kind": name, "/sweep": {"/seed": [1, 2, 3]}})
        self.assertIn("3 seeds, the same bits: nothing is random here", self.succeeds("compare", "ring", "star"))

    def data(self):
        return self.write("data.csv", "".join(",".join(str(k % n) for n in range(2, 11)) + "\n" for k in range(20)))

    def test_runs_of_other_data_have_no_comparison_and_the_page_says_why(self):
        self.run_small("other", {**CHANGES, "/data/samples": 41})
        model = self.model("extra", "other")
        self.assertIsNone(model["comparison"])
        self.assertIn("/data/samples is 40, and 41 in other", model["comparison_missing"])


if __name__ == "__main__":
    unittest.main()
