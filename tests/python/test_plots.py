"""Curves by matplotlib, and their names."""

import pickle
import unittest
import warnings

import lagnet
from lagnet.names import series_names
from support import SMALL, Case, changed

try:
    import matplotlib
except ImportError:
    matplotlib = None
else:
    matplotlib.use("agg")

GRAPHS = [{"kind": "ring", "agents": 5}, {"kind": "ring", "agents": 8}, {"kind": "lattice", "rows": 2, "columns": 3}]


def drawn(ax):
    return [line.get_label() for line in ax.lines]


class Names(Case):
    def test_runs_are_called_as_the_program_calls_their_series(self):
        sweeps = [
            lagnet.sweep(SMALL, {"topology": GRAPHS}, algorithm=["extra", {"kind": "dgd", "step": 0.1}], seeds=[1, 2]),
            lagnet.sweep(SMALL, {"network.latency_ms": [2, 30.5], "topology.agents": [5, 6]}),
            lagnet.sweep(SMALL, {"points": [{"label": "few", "/topology/agents": 3},
                                            {"label": "many", "/topology/agents": 9}, {"/topology/agents": 4}]}),
            lagnet.sweep(changed({"/label": "mine"}), {"topology.agents": [5, 6]}),
            lagnet.run(SMALL, seeds=[1, 2]),
        ]
        for runs in sweeps:
            there = dict.fromkeys(run.label for run in runs)
            self.assertEqual(list(there), [one["series"] for one in runs.compare().facts["series"]])

    def test_values_that_all_have_are_left_out(self):
        """The sections of a point set many keys that do not separate the runs."""
        points = [{"/topology": {"kind": "ring", "agents": 6}, "/algorithm": {"kind": "extra"}},
                  {"/topology": {"kind": "complete", "agents": 4}, "/algorithm": {"kind": "dgd"}}]
        runs = lagnet.sweep(SMALL, {"points": points})
        self.assertIn("agents", runs[0].values)
        self.assertEqual([run.label for run in runs], ["extra", "dgd"])
        self.assertEqual(pickle.loads(pickle.dumps(runs[1])).label, "dgd")

    def test_a_scenario_without_a_value_has_a_name_too(self):
        scenarios = [{"a": {"b": 1}}, {"a": {"c": 1}}, {"a": {"b": 1, "c": 2}}]
        self.assertEqual(series_names(scenarios), ["b=1", "c=1", "b=1 c=2"])
        self.assertEqual(series_names([{"a": 1}, {}]), ["a=1", "(2)"])


@unittest.skipIf(matplotlib is None, "matplotlib is not installed: figures are not tested")
class Plots(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = lagnet.sweep(SMALL, {"topology": GRAPHS}, algorithm=["extra", {"kind": "dgd", "step": 0.1}])

    def tearDown(self):
        import matplotlib.pyplot
        matplotlib.pyplot.close("all")

    def test_runs_are_chosen_and_named_by_their_differences(self):
        self.assertEqual(drawn(self.runs.plot(where={"topology.kind": "lattice"})), ["extra", "dgd"])
        self.assertEqual(drawn(self.runs.plot(where={"/topology/kind": "ring", "algorithm.kind": "dgd"})),
                         ["agents=5", "agents=8"])
        self.assertEqual(drawn(lagnet.plot(self.runs, where={"topology.agents": range(6, 9)})),
                         ["extra", "dgd"])
        self.assertEqual(drawn(self.runs.plot(where={"topology.agents": 8, "algorithm.kind": "dgd"})),
                         ["dgd ring agents=8"])

    def test_runs_of_several_calls_share_axes(self):
        other = lagnet.run(changed({"/algorithm/kind": "gradient_tracking"}))
        self.assertEqual(drawn(lagnet.plot([self.runs[0], other])), ["extra", "gradient_tracking"])
        lagnet.run(SMALL, out="kept")
        self.assertEqual(drawn(lagnet.plot(["kept", other])), ["extra", "gradient_tracking"])
        ax = self.runs[0].plot()
        self.assertIsNone(ax.get_legend())
        other.plot(ax=ax)
        self.assertEqual([text.get_text() for text in ax.get_legend().texts],
                         ["extra ring agents=5", "gradient_tracking"])

    def test_axes_have_names_and_units(self):
        ax = self.runs.plot("bytes", "objective")
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("bytes sent", "objective"))
        ax = self.runs.plot("round", "idle_s")
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("round", "idle (s)"))
        self.assertEqual(self.runs.plot().get_xlabel(), "simulated time (s)")

    def test_values_of_different_powers_of_ten_are_on_a_log_scale(self):
        for y, scale in (("relative_error", "log"), ("messages", "linear"), ("compute_utilization", "linear")):
            self.assertEqual(self.runs.plot("round", y).get_yscale(), scale, y)
        far = lagnet.run(SMALL, set={"data.noise": 0, "problem.regularizer.weight": 1e-6, "stop.rounds": 60})
        objectives = [row["objective"] for row in far.rows()]
        self.assertGreater(max(objectives), 10 * min(objectives))
        self.assertEqual(far.plot(y="objective").get_yscale(), "log")

    def test_curves_are_those_of_compare(self):
        """Of seeds that reach the tolerance after different times, and again where the last of them does not."""
        warnings.simplefilter("ignore", lagnet.RunWarning)
        last = 400
        for reaching in (5, 4):
            runs = lagnet.sweep(SMALL, seeds=range(1, 6), set={"stop": {"rounds": last, "relative_error": 1e-4},
                                                               "topology": {"kind": "ring", "agents": 8}})
            ends = sorted((run.rows()[-1]["round"], run.summary["stop"]["reason"] == "relative_error") for run in runs)
            self.assertEqual(sum(reached for _, reached in ends), reaching)
            self.assertLess(ends[0][0], ends[-1][0])
            last = ends[-1][0] - 1
            curves = runs.compare(points=0).facts["curves"]
            line, band = runs.plot().lines[0], runs.plot().collections[0]
            self.assertEqual([tuple(point) for point in line.get_xydata()],
                             [(one["simulated_s"], one["median"]) for one in curves])
            corners = {tuple(point) for point in band.get_paths()[0].vertices}
            for one in curves:
                self.assertLessEqual({(one["simulated_s"], one["min"]), (one["simulated_s"], one["max"])}, corners)
            matplotlib.pyplot.close("all")

    def test_impossible_plots_are_reported(self):
        without = lagnet.run(SMALL, set={"record.optimum": False})
        for draw, told in (
                (lambda: self.runs.plot(y="relative_eror"), "found 'relative_eror'; did you mean relative_error?"),
                (lambda: self.runs.plot(x="zzz"), "found 'zzz': it has round, simulated_s, "),
                (without.plot, "a row with simulated_s and relative_error, found none: not asked for: record.optimum"),
                (lambda: self.runs.plot(where={"topology.kind": "star"}),
                 "/topology/kind is 'star', found 'lattice', 'ring'"),
                (lambda: lagnet.plot([]), "expected runs, found none")):
            with self.assertRaises(lagnet.InputError) as raised:
                draw()
            self.assertIn(told, str(raised.exception))
        import matplotlib.pyplot
        self.assertEqual(matplotlib.pyplot.get_fignums(), [])


if __name__ == "__main__":
    unittest.main()
