"""What theory proves beside what was measured: the key `bound` of summary.json, `compare --table bounds`, the page."""

import json

from support import Case

METHODS = {
    "proximal_gradient": ({"kind": "proximal_gradient"}, {"kind": "complete", "agents": 1}),
    "descent at clients": ({"kind": "distributed_proximal_gradient"}, {"kind": "star", "agents": 5}),
    "fista": ({"kind": "distributed_fista"}, {"kind": "star", "agents": 5}),
    "fista with mu": ({"kind": "distributed_fista", "momentum": "constant"}, {"kind": "star", "agents": 5}),
    "nids": ({"kind": "nids"}, {"kind": "ring", "agents": 6}),
    "dgd": ({"kind": "dgd"}, {"kind": "ring", "agents": 6}),
    "gossip": ({"kind": "gossip_averaging"}, {"kind": "ring", "agents": 6}),
}
REGULARIZERS = [{"kind": "none"}, {"kind": "l2", "weight": 0.1}, {"kind": "l1", "weight": 0.05},
                {"kind": "elastic_net", "l1_weight": 0.05, "l2_weight": 0.1}]
# Proofs without a prox have nothing to say of regularizers, which these methods have in one; constant momentum needs a
# square.
WITHOUT_BOUND = {(name, kind) for name in ("nids", "dgd") for kind in ("l2", "l1", "elastic_net")}
REFUSED = {("fista with mu", "none"), ("fista with mu", "l1")}


def allowed(bound, t):
    """The bound of round t, from what summary.json has of it."""
    falls = bound["q"] ** t * (t + bound["shift"]) ** -bound["power"]
    return (bound["floor"] + bound["resolution"] + bound["C"] * falls) ** bound["exponent"]


class Bounds(Case):
    def run_with(self, out, changes, *arguments):
        usual = {"/stop": {"rounds": 60}, "/record": {}, "/problem/regularizer": {"kind": "none"}}
        self.run_small(out, {**usual, **changes}, *arguments)
        return json.loads((self.folder / out / "summary.json").read_text())

    def test_no_row_is_above_and_the_figures_are_those_of_the_rows(self):
        for name, (algorithm, topology) in METHODS.items():
            for regularizer in REGULARIZERS:
                for seed in range(1, 7):
                    case = (name, regularizer["kind"])
                    if case in REFUSED:
                        continue
                    with self.subTest(case, seed=seed):
                        out = f"{name} {regularizer['kind']} {seed}".replace(" ", "_")
                        summary = self.run_with(out, {
                            "/algorithm": algorithm, "/topology": topology, "/seed": seed,
                            "/data": {"source": "gaussian_regression", "samples": 90, "features": 4, "noise": 0.5},
                            "/problem/regularizer": regularizer})
                        bound = summary.get("bound")
                        if case in WITHOUT_BOUND:
                            self.assertIsNone(bound)
                            continue
                        self.assertNotIn("above_bound", [one["code"] for one in summary["warnings"]])
                        ratios = {}
                        for row in self.table(f"{out}/progress.csv"):
                            t, measured = int(row["round"]), float(row[bound["measure"]])
                            if t >= bound["from"]:
                                most = allowed(bound, t)
                                self.assertLessEqual(measured, most * (1 + 1e-9), t)
                                ratios[t] = measured / most
                        # The same sums in another program: a few units of the last place for each power.
                        self.assertAlmostEqual(max(ratios.values()), bound["largest_ratio"], delta=1e-10)
                        at_worst = ratios[bound["largest_ratio_round"]]
                        self.assertAlmostEqual(at_worst, bound["largest_ratio"], delta=1e-10)

    def test_descent_in_one_dimension_is_at_its_bound_in_every_row(self):
        """There mu = L, and the error falls by (1 - s L)^2 a round, neither more nor less."""
        summary = self.run_with("line", {
            "/algorithm": {"kind": "proximal_gradient"}, "/topology": {"kind": "complete", "agents": 1},
            "/data": {"source": "gaussian_regression", "samples": 30, "features": 1}, "/stop": {"rounds": 10}})
        self.assertAlmostEqual(summary["bound"]["q"], 0.25, delta=1e-12)  # s = 1 / (2 L)
        for row in self.table("line/progress.csv"):
            # The error is a difference of objectives, each rounded to 1e-16 of the first one.
            self.assertAlmostEqual(float(row["relative_error"]), 0.25 ** int(row["round"]), delta=1e-14)

    def test_worlds_that_theory_is_not_about_have_none(self):
        ring = {"/topology": {"kind": "ring", "agents": 6}, "/algorithm": {"kind": "nids"}}
        skips = {"/network/loss_probability": 0.1,
                 "/participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 30}}}
        for name, changes in {"lost": skips, "batch": {"/algorithm": {"kind": "nids", "batch": 5}},
                              "mixes": {"/algorithm": {"kind": "nids", "gossip_rounds": 2}},
                              "subset": {"/topology": {"kind": "star", "agents": 6},
                                         "/algorithm": {"kind": "distributed_proximal_gradient"},
                                         "/participation": {"clients": {"kind": "random_subset", "size": 2}}}}.items():
            with self.subTest(name):
                changes = {**ring, **changes, "/stop": {"rounds": 3}}
                self.assertIsNone(self.run_with(name, changes).get("bound"))

    def test_retiming_keeps_the_bound_and_tells_of_a_row_above_it(self):
        self.run_with("run", {"/algorithm": {"kind": "gossip_averaging"}, "/topology": {"kind": "ring", "agents": 6}})
        path = self.folder / "run" / "summary.json"
        summary = json.loads(path.read_text())
        self.succeeds("retime", "run", "--set", "network.latency_ms=7", "--out", "same", "--quiet")
        self.assertEqual(json.loads((self.folder / "same" / "summary.json").read_text())["bound"], summary["bound"])
        summary["bound"]["C"] /= 2
        path.write_text(json.dumps(summary))
        _, _, err = self.lagnet("retime", "run", "--set", "network.latency_ms=8", "--out", "above")
        self.assertIn("consensus_error", err)
        self.assertIn("above the", err)
        text = self.succeeds("compare", "same", "above", "--table", "bounds", "--format", "csv", "--metric",
                             "objective")
        self.assertEqual([line.split(",")[6] for line in text.splitlines()], ["runs_above", "0", "1"])

    def test_a_comparison_without_bounds_says_which_have_them(self):
        self.run_with("extra", {"/algorithm": {"kind": "extra"}, "/topology": {"kind": "ring", "agents": 6}})
        status, _, err = self.lagnet("compare", "extra", "--table", "bounds")
        self.assertEqual(status, 2)
        self.assertIn("bounds exists only for methods with a bound of theory", err)
