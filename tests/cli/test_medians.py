"""If some seeds never reach a level, medians are those of a plain script, and fall where each run falls."""

import json
import unittest

import medians
from support import Case

SEEDS = [1, 2, 3, 4, 5, 6, 7]
LEVELS = [1e-1, 3e-2, 1e-2, 3e-3, 1e-3]


class Medians(Case):
    STOP = {"rounds": 30, "relative_error": 1e-2}

    def setUp(self):
        super().setUp()
        self.run_small("r", {"/problem/regularizer": ..., "/data/samples": 40, "/record/every": 1,
                             "/algorithm": {"kind": "extra", "step": 0.1},
                             "/stop": self.STOP,
                             "/network/latency_ms": {"kind": "lognormal", "median": 2, "sigma": 1},
                             "/sweep": {"/seed": SEEDS}})
        self.runs = [medians.Run(self.folder / "r" / f"{k:03}", "simulated_s", "relative_error")
                     for k in range(len(SEEDS))]

    def test_some_runs_reach_their_goal_and_some_never_do(self):
        self.assertIn(sum(run.is_done for run in self.runs), range(1, len(SEEDS)))

    def test_curves_are_those_of_the_script_and_never_rise(self):
        rows = json.loads(self.succeeds("compare", "r", "--points", 0, "--json"))["curves"]
        found = {row["simulated_s"]: row["median"] for row in rows}
        axis = sorted({x for run in self.runs for x, _ in run.points})
        wanted = {x: medians.curve(self.runs, x) for x in axis}
        self.assertEqual(found, {x: y for x, y in wanted.items() if y is not None})
        values = [found[x] for x in sorted(found)]
        falls = all(b <= a for run in self.runs for (_, a), (_, b) in zip(run.points, run.points[1:]))
        self.assertTrue(falls, "each run falls")
        self.assertEqual(values, sorted(values, reverse=True))
        # It ends where the first run ends that did not reach its goal.
        self.assertEqual(max(found), min(run.points[-1][0] for run in self.runs if not run.is_done))

    def test_few_points_are_spread_over_the_curve(self):
        text = self.succeeds("compare", "r", "--points", 4, "--table", "curves")
        rows = [line.split() for line in text.splitlines()[4:]]
        self.assertEqual(len(rows), 4)
        self.assertNotIn("-", [row[1] for row in rows])

    def test_costs_of_levels_are_those_of_the_script(self):
        document = json.loads(self.succeeds("compare", "r", "--to", ",".join(map(str, LEVELS)), "--json"))
        found = {row["to"]: row["median"] for row in document["accuracy"] if row["currency"] == "simulated_s"}
        self.assertEqual(found, {level: medians.cost(self.runs, level) for level in LEVELS})
        self.assertIn(None, found.values())
        there = [cost for cost in found.values() if cost is not None]
        self.assertEqual(there, sorted(there))


class MediansByMetric(Medians):
    """Runs that end by a metric are done likewise."""

    STOP = {"rounds": 30, "metric": {"column": "optimum_distance", "at_most": 1e-1}}


if __name__ == "__main__":
    unittest.main()
