"""lagnet.testing: searches for numbers: the smallest value that fails, where an order turns round, and the worst
world within ranges."""

import sys
from unittest import mock

import lagnet
from lagnet.testing import hunt, smallest, turning, worst
from lagnet.testing.hunting import measures
from lagnet.testing.hunting.children import Children
from lagnet.testing.hunting.draw import Draw
from lagnet.testing.hunting.facts import Facts
from lagnet.testing.hunting.failure import Failure, Outcome
from lagnet.testing.hunting.ranges import Range
from lagnet.testing.hunting.trial import Trial, limited
from lagnet.testing.hunting.world import World
from support import SMALL, Case, changed


class NumbersCase(Case):
    def test_the_turning_latency_is_the_crossing_of_compare(self):
        """Mixing more often pays off where latencies are short, and a sweep with `compare` has the exact crossing."""
        scenario = {"lagnet": 1, "data": {"source": "gaussian_regression", "samples": 120, "features": 10},
                    "topology": {"kind": "ring", "agents": 8},
                    "network": {"latency_ms": 5, "up_bytes_per_s": 2e4, "down_bytes_per_s": 2e4},
                    "algorithm": {"kind": "nids"}, "stop": {"rounds": 3000, "relative_error": 1e-5},
                    "sweep": {"/topology/kind": ["complete", "ring"]}}
        turns, level = turning(scenario, "network.latency_ms", {"network.latency_ms": [0.1, 100]}, jobs=2)
        self.assertEqual(level, 1e-5)
        (turn,) = turns
        self.assertEqual((turn.below, turn.above), ({"topology": "ring"}, {"topology": "complete"}))
        near = [turn.value / 2, turn.value / 1.2, turn.value * 1.2, turn.value * 2]
        runs = lagnet.sweep(scenario, {"network.latency_ms": near})
        (swap,) = runs.compare(to=1e-5, by="network.latency_ms").facts["swaps"]
        self.assertAlmostEqual(swap["latency_ms"], turn.value, delta=0.01 * turn.value)

    def test_an_order_by_errors_that_no_run_has_is_refused(self):
        scenario = {"lagnet": 1, **SMALL, "sweep": {"/algorithm/kind": ["extra", "dgd"]}}
        within = {"network.latency_ms": [1, 100]}
        for more, to, said in (
                ({"record": {"optimum": False}}, None, "since a run ends without one, found none"),
                ({"record": {"optimum": False}}, 1e-2, "that a run comes to, found 0.01"),
                ({}, 1e-30, "that a run comes to, found 1e-30")):
            with self.subTest(said), self.assertRaisesRegex(lagnet.InputError, f"^to: expected a level.*{said}"):
                turning({**scenario, **more}, "network.latency_ms", within, to=to)

    def test_a_run_without_rows_has_no_number_of_its_last_row(self):
        class Silent(lagnet.Peers):
            regularizers = "all"

            async def run(self, me):
                await me.receive()

        silent = lagnet.run({"lagnet": 1, **SMALL, "algorithm": Silent()}, check=False)
        self.assertEqual(silent.rows(), [])
        self.assertEqual(measures.value_of(silent, "messages_sent"), 0)
        for measure in ("relative_error", "first:relative_error=1e-3"):
            self.assertRaisesRegex(lagnet.InputError, "found relative_error", measures.value_of, silent, measure)

    def test_the_smallest_value_that_fails_is_where_the_claim_says(self):
        claim = {"kind": "bound", "statement": "in time", "metric": "simulated_s", "at_most": 1}
        scenario = {"lagnet": 1, **SMALL, "expect": [claim]}
        found = smallest(scenario, "network.latency_ms", {"network.latency_ms": [1, 1000]})
        # 12 rounds of an exchange each, and microseconds of computing.
        self.assertAlmostEqual(found.value, 1000 / 12, delta=0.1)
        self.assertLess(found.holds_at, found.value)
        self.assertIn("in time: fails", found.sentence)
        self.assertIsNone(smallest(scenario, "network.latency_ms", {"network.latency_ms": [1, 50]}).value)
        fewest = smallest({**scenario, "network": {"latency_ms": 50}}, "stop.rounds", {"stop.rounds": [1, 100]})
        self.assertEqual((fewest.value, fewest.holds_at), (20, 19))

    def test_a_search_down_to_zero_ends(self):
        """Where every value above 0 fails, no share of a value is near enough."""
        def run(children, trials):
            failed = Outcome(failures=(Failure("claim", "", "it fails"),))
            return [failed if trial.document["network"]["latency_ms"] > 0 else Outcome() for trial in trials]

        with mock.patch.object(Children, "run", run):
            found = smallest({"lagnet": 1, **SMALL}, "network.latency_ms", {"network.latency_ms": [0, 1000]})
        self.assertEqual(found.holds_at, 0)
        self.assertLess(found.value, 1e-6)
        self.assertLess(found.runs, 100)

    def test_the_worst_within_ranges_is_better_than_draws_alone(self):
        found = worst({"lagnet": 1, **changed({"/algorithm": {"kind": "dgd"}})}, "relative_error",
                      {"algorithm.step": [0.01, 0.5]}, smallest=True, runs=40, jobs=2)
        again = worst({"lagnet": 1, **changed({"/algorithm": {"kind": "dgd"}})}, "relative_error",
                      {"algorithm.step": [0.01, 0.5]}, smallest=True, runs=40)
        self.assertEqual(found, again)
        self.assertLessEqual(found.runs, 40)
        self.assertLess(found.value, found.drawn)
        by_grid = [lagnet.run(changed({"/algorithm": {"kind": "dgd", "step": 0.01 * 50 ** (k / 30)}})).rows()[-1]
                   ["relative_error"] for k in range(31)]
        self.assertLessEqual(found.value, min(by_grid))

    def test_keys_of_within_that_have_no_effect_are_refused(self):
        scenario, latency = {"lagnet": 1, **SMALL}, "network.latency_ms"
        swept = {**scenario, "sweep": {"/algorithm/kind": ["extra", "dgd"]}}
        within = {latency: [1, 100], "/stop/rounds": [5, 9], "seed": [1, 2]}
        for call in (lambda: smallest(scenario, latency, within), lambda: turning(swept, latency, within)):
            with self.assertRaises(lagnet.ScenarioError) as caught:
                call()
            self.assertEqual([one.pointer for one in caught.exception.problems], ["/stop/rounds", "/seed"])
        with self.assertRaisesRegex(lagnet.ScenarioError, r"/network/partitions: expected \[low, high\].* found null"):
            worst(scenario, "bytes", {latency: [1, 100], "/network/partitions": None}, runs=2)

    def test_a_key_that_the_sweep_sets_is_not_searched(self):
        scenario = {"lagnet": 1, **SMALL, "sweep": {"points": [{"/network/latency_ms": 1}, {"/network/latency_ms": 2}]}}
        latency = {"network.latency_ms": [1, 100]}
        for call in (lambda: smallest(scenario, "network.latency_ms", latency),
                     lambda: turning(scenario, "network.latency_ms", latency),
                     lambda: turning(scenario, "network.latency_ms"),
                     lambda: hunt(scenario, within=latency, runs=2)):
            with self.assertRaisesRegex(lagnet.ScenarioError, "/network/latency_ms: expected a key that the scenario's "
                                                              "sweep leaves alone, found /network/latency_ms in"):
                call()

    def test_a_limit_of_time_leaves_a_sweep_over_times_alone(self):
        for sweep in ({"/stop/simulated_s": [1, 2]}, {"points": [{"/stop/simulated_s": 1}, {"/stop/simulated_s": 2}]},
                      {"/stop": [{"simulated_s": 1}, {"rounds": 2}]}):
            document = {**SMALL, "sweep": sweep}
            self.assertEqual(limited(Trial(document, 7.0)), document)
        self.assertEqual(limited(Trial(SMALL, 7.0))["stop"], {"rounds": 12, "simulated_s": 7.0})

    def test_numbers_that_are_none_are_refused_by_all_searches(self):
        scenario, latency = {"lagnet": 1, **SMALL}, {"network.latency_ms": [1, 100]}
        swept = {**scenario, "sweep": {"/algorithm/kind": ["extra", "dgd"]}}
        for call in (lambda: smallest(scenario, "network.latency_ms", latency, jobs=0),
                     lambda: turning(swept, "network.latency_ms", latency, jobs=0),
                     lambda: worst(scenario, "bytes", latency, jobs=0), lambda: hunt(scenario, jobs=0)):
            self.assertRaisesRegex(lagnet.InputError, "^jobs: expected an integer from 1, found 0$", call)
        for level in (0, -1, float("nan"), float("inf")):
            with self.assertRaisesRegex(lagnet.InputError, "^to: expected a number above 0"):
                turning(swept, "network.latency_ms", latency, to=level)
        for level in ("nan", "inf", "x"):
            with self.assertRaisesRegex(lagnet.InputError, f"a number after relative_error=, found {level}"):
                worst(scenario, f"first:relative_error={level}", latency, runs=2)

    def test_the_smallest_budget_has_an_answer(self):
        scenario, latency = {"lagnet": 1, **SMALL}, {"network.latency_ms": [1, 100]}
        self.assertEqual(worst(scenario, "simulated_s", latency, runs=1).runs, 1)
        self.assertGreater(worst(scenario, "simulated_s", latency, seconds=1e-9).runs, 0)

    def test_drawn_numbers_stay_within_their_range(self):
        for low, high in ((0, 1.0099), (-1.0099, 0), (1.0051, 1.0099)):
            drawn = []
            for number in range(500):
                world = World({}, Facts(), Draw(1, number))
                Range("/network/jitter_ms", low, high).draw(world)
                drawn.append(world.get("/network/jitter_ms"))
            self.assertTrue(low <= min(drawn) and max(drawn) <= high, (min(drawn), max(drawn)))
            self.assertGreater(len(set(drawn)), 1)

    def test_where_every_run_fails_the_search_says_how(self):
        class Raises(lagnet.Peers):
            regularizers = "all"

            async def run(self, me):
                raise ZeroDivisionError("by nothing")

        with self.assertRaisesRegex(lagnet.InputError, "ZeroDivisionError: by nothing"):
            worst({"lagnet": 1, **SMALL, "algorithm": Raises()}, "bytes", {"network.latency_ms": [1, 9]}, runs=2)

    def test_without_scipy_nothing_runs(self):
        with mock.patch.dict(sys.modules, {"scipy": None}), mock.patch.object(Children, "run") as run:
            with self.assertRaisesRegex(lagnet.InputError, "needs the Python package scipy"):
                worst({"lagnet": 1, **SMALL}, "bytes", {"network.latency_ms": [1, 100]}, runs=2)
        run.assert_not_called()


if __name__ == "__main__":
    import unittest
    unittest.main()
