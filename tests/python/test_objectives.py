"""Losses, regularizers and metrics in Python, beside those that they repeat."""

import importlib
import pathlib
import sys

import numpy as np

import lagnet
import methods
import objectives
from support import ROOT, SMALL, Case, changed, files

PLAIN = changed({"/problem": {}, "/record": {"optimum": False}})
CLASSES = changed({"/data": {"source": "gaussian_classification", "samples": 24, "features": 4},
                   "/problem": {"loss": {"kind": "logistic"}}, "/record": {"optimum": False}})
STAR = {"topology": {"kind": "star", "agents": 5}}
DGD = {"kind": "dgd", "step": 0.05}
FED_AVG = {"kind": "fed_avg", "client_step": 0.05, "local_steps": 2}
L1 = {"kind": "l1", "weight": 0.05}
TABLES = ("progress", "agents", "links", "model")


class Objectives(Case):
    def failing(self, kind=lagnet.LagnetError, scenario=SMALL, **values):
        with self.assertRaises(kind) as caught:
            lagnet.run(scenario, **values)
        return caught.exception

    def problems(self, scenario=PLAIN, **values):
        return [(one.pointer, f"{one.expected} | {one.found}")
                for one in self.failing(lagnet.ScenarioError, scenario, **values).problems]

    def assert_alike(self, mine, own):
        """The same bits and events."""
        for table in TABLES:
            self.assertEqual(mine.rows(table), own.rows(table))
        self.assertEqual(mine.summary["trace_hash"], own.summary["trace_hash"])

    def assert_close(self, mine, own, places):
        """The same events, and numbers that are equal up to rounding."""
        self.assertEqual(mine.summary["trace_hash"], own.summary["trace_hash"])
        for table in ("progress", "model"):
            for one, other in zip(mine.rows(table), own.rows(table), strict=True):
                self.assertEqual(one.keys(), other.keys())
                for key in one:
                    self.assertAlmostEqual(one[key], other[key], places, key)

    def test_the_squared_loss_in_python_has_the_bits_of_the_squared_loss(self):
        """Its two operations are those of the loss in C++, element by element, and lagnet adds up both in one order."""
        for algorithm, set in ((DGD, {}), (FED_AVG, STAR), ("extra", {}), (methods.MyDGD(step=0.05), {}),
                               ({**FED_AVG, "batch": 2}, STAR), (methods.Averaging(), STAR)):
            mine = lagnet.run(PLAIN, algorithm=algorithm, loss=objectives.Squared, set=set)
            own = lagnet.run(PLAIN, algorithm=algorithm, loss="squared", set=set)
            self.assert_alike(mine, own)

    def test_the_logistic_loss_in_python_is_the_logistic_loss_up_to_rounding(self):
        """exp and log1p of NumPy differ from those of C by an ulp: 2e-16 in values and steps of size 1, over 12 rounds
        that contract."""
        for algorithm, set in ((DGD, {}), (FED_AVG, STAR)):
            mine = lagnet.run(CLASSES, algorithm=algorithm, loss=objectives.Logistic(), set=set)
            own = lagnet.run(CLASSES, algorithm=algorithm, set=set)
            self.assert_close(mine, own, 14)

    def test_l1_in_python_has_the_bits_of_l1_but_for_its_sum(self):
        """The prox and the sign are element by element. NumPy and lagnet add up the four terms of the value in orders
        of their own, which is rounding of an objective of size 1."""
        for algorithm, set in ((DGD, {}), (FED_AVG, STAR), ({"kind": "fd_primal_dual", "sigma": 1, "tau": 0.1}, {}),
                               (methods.MyDGD(step=0.05), {})):
            mine = lagnet.run(PLAIN, algorithm=algorithm, regularizer=objectives.L1(l1=0.05), set=set)
            own = lagnet.run(PLAIN, algorithm=algorithm, regularizer=L1, set=set)
            self.assert_close(mine, own, 14)
            self.assertEqual(mine.rows("model"), own.rows("model"))

    def test_a_smooth_regularizer_is_a_part_of_every_agents_objective(self):
        """gradient_tracking has no prox. Steps of theory know the regularizer's smoothness."""
        for algorithm, set in (({"kind": "gradient_tracking", "step": 0.05}, {}), ("gradient_tracking", {}),
                               (FED_AVG, STAR)):
            mine = lagnet.run(PLAIN, algorithm=algorithm, regularizer=objectives.Ridge(weight=0.1), set=set)
            own = lagnet.run(PLAIN, algorithm=algorithm, regularizer={"kind": "l2", "weight": 0.1}, set=set)
            self.assert_close(mine, own, 14)

    def test_optima_are_found_and_their_certificates_are_gaps_where_a_known_regularizer_bounds_them(self):
        """Optima of certificates of 1e-10 at most; F is 0.5 to 2 here, so that their values agree to 1e-9."""
        cases = [({"loss": objectives.Squared()}, {"loss": "squared"},
                  "proximal gradient; no duality gap, since the loss"),
                 ({"loss": objectives.CurvedSquared()}, {"loss": "squared"}, "Newton's method; no duality gap"),
                 ({"loss": objectives.CurvedSquared(), "regularizer": L1}, {"loss": "squared", "regularizer": L1},
                  "proximal gradient and Newton's method on the support"),
                 ({"regularizer": objectives.L1(l1=0.05)}, {"regularizer": L1},
                  "proximal gradient; no duality gap, since the regularizer"),
                 ({"loss": objectives.Squared(), "regularizer": objectives.L1(l1=0.05)}, {"regularizer": L1},
                  "proximal gradient; no duality gap, since the loss")]
        for mine, own, how in cases:
            scenario = changed({"/problem": {}, "/algorithm": DGD})
            found, known = (lagnet.run(scenario, **one).summary["optimum"] for one in (mine, own))
            self.assertAlmostEqual(found["value"], known["value"], 9)
            self.assertEqual(found["certificate"], "kkt_residual" if "no duality gap" in how else "duality_gap")
            self.assertLessEqual(found["certificate_relative"], 1e-10)
            self.assertTrue(found["method"].startswith(how), found["method"])

    def test_without_smoothness_there_is_no_optimum_and_a_warning_says_so(self):
        with self.assertWarnsRegex(lagnet.RunWarning, "objectives:Rough states no smoothness"):
            result = lagnet.run(changed({"/problem": {}}), algorithm=FED_AVG, loss=objectives.Rough, set=STAR)
        self.assertEqual(result.rows()[-1]["relative_error"], None)

    def test_functions_that_a_method_lacks_are_named_before_the_run(self):
        rough, squared = objectives.Rough(), objectives.Squared()
        self.assertEqual(self.problems(algorithm=DGD, loss=rough), [
            ("/algorithm/kind", "an algorithm that does not need to know how smooth the loss is, or its smoothness, "
             "the Lipschitz constant of its derivative in the score | dgd")])
        for kind, what, set in (("fd_primal_dual", "conjugate", {}), ("dispa", "conjugate", STAR),
                                ("cocoa_plus", "conjugate", STAR),
                                ({"kind": "hyfdca", "local_steps": 2}, "conjugate", STAR),
                                ("ssda", "curvature", {}),
                                ({"kind": "block_splitting_admm", "penalty": 0.1}, "conjugate", STAR)):
            found = self.problems(algorithm=kind, loss=squared, set=set)
            name = kind["kind"] if isinstance(kind, dict) else kind
            self.assertEqual([pointer for pointer, _ in found if pointer.startswith("/problem/loss")],
                             ["/problem/loss/kind"], found)
            self.assertIn(("a loss with a " + what + f", which {name} needs"), found[0][1])
            self.assertIn("| objectives:Squared, which has none", found[0][1])
        self.assertEqual(self.problems(algorithm="gradient_tracking", regularizer=objectives.L1())[0][0],
                         "/problem/regularizer/kind")
        self.assertEqual(self.problems(algorithm=FED_AVG, regularizer=objectives.ProxAlone(), set=STAR), [
            ("/algorithm/kind", "an algorithm that needs no subgradient, which this regularizer does not offer | "
             "fed_avg")])
        self.assertIn("a regularizer that is a sum over coefficients", self.problems(
            algorithm={"kind": "fd_primal_dual", "sigma": 1, "tau": 0.1}, regularizer=objectives.ProxAlone())[0][1])

    def test_metrics_are_columns(self):
        for set in ({}, {"partition": {"kind": "dirichlet", "concentration": 1, "quantiles": 4}}):
            result = lagnet.run(SMALL, set=set, metrics=[
                objectives.Objective, objectives.NonZeros(column="own"), objectives.ByHand(), "non_zeros", "train_loss",
                objectives.ByHand(scale=2.0, column="twice"), objectives.GivesMetric(what="nothing")])
            for row in result.rows():
                self.assertAlmostEqual(row["Objective"], row["objective"], 14)  # sums in the order of data or agents
                self.assertEqual(row["own"], row["non_zeros"])
                self.assertAlmostEqual(row["ByHand"], row["train_loss"], 14)
                self.assertEqual(row["twice"], 2 * row["ByHand"])
                self.assertIsNone(row["GivesMetric"])
        self.assertEqual(lagnet.replay(result), lagnet.Replay(True))

    def test_metrics_see_sparse_data_and_features_in_their_order(self):
        import scipy.sparse
        X = scipy.sparse.random(12, 6, 0.4, "csr", random_state=1)
        result = lagnet.run({"topology": {"kind": "path", "agents": 2}, "stop": {"rounds": 3}, "algorithm": {
            "kind": "fd_primal_dual", "sigma": 1, "tau": 0.1}}, data=(X, np.ones(12)), metrics=[objectives.ByHand()])
        for row in result.rows():
            self.assertAlmostEqual(row["ByHand"], row["objective"], 14)

    def test_metrics_of_one_name_need_another(self):
        self.assertEqual(self.problems(metrics=[objectives.ByHand(), objectives.ByHand(scale=2.0)]), [
            ("/record/metrics/1", 'a column that is not there already; "column" gives it another name | ByHand')])

    def test_a_problem_is_gone_after_the_call(self):
        lagnet.run(SMALL, metrics=[objectives.Keeps])
        with self.assertRaisesRegex(RuntimeError, "this problem no longer exists"):
            objectives.Keeps.kept[0].objective(np.zeros(4))

    def test_sweeps_and_tuning_have_their_options(self):
        runs = lagnet.sweep(SMALL, {"problem.regularizer.options.l1": [0.01, 1.0]}, algorithm=DGD,
                            regularizer=objectives.L1(), set={"stop": {"rounds": 40}})
        self.assertEqual([run.values["l1"] for run in runs], [0.01, 1.0])
        sums = [sum(abs(row["coefficient"]) for row in run.rows("model")) for run in runs]
        self.assertGreater(sums[0], sums[1])
        both = lagnet.sweep(SMALL, algorithm=DGD, loss=[objectives.Squared(), objectives.Scaled(weight=0.5), "huber"])
        self.assertEqual([run.values["loss"] for run in both], ["Squared", "Scaled", "huber"])
        losses = lagnet.sweep(SMALL, algorithm=[DGD, "extra"], loss=objectives.Scaled(weight=0.5))
        self.assertIn("extra", losses.compare(to=[0.9]).answer)
        tuned = lagnet.tune(SMALL, {"problem.loss.options.weight": (0.5, 2)}, algorithm=DGD, loss=objectives.Scaled,
                            candidates=2)
        self.assertTrue(0.5 <= tuned.chosen["/problem/loss/options/weight"] <= 2)

    def test_they_stand_anywhere_in_a_scenario(self):
        reference = lagnet.run(SMALL, algorithm=DGD, loss=objectives.Scaled(weight=0.5), metrics=[objectives.NonZeros])
        metrics = [objectives.NonZeros()]
        scenario = changed({"/problem/loss": objectives.Scaled(weight=0.5), "/record": {"metrics": metrics},
                            "/algorithm": DGD})
        pathlib.Path("small.json").write_text(__import__("json").dumps({"lagnet": 1, **SMALL, "algorithm": DGD}))
        made = lagnet.Scenario(**{**SMALL, "algorithm": DGD})
        made.problem.loss = objectives.Scaled(weight=0.5)
        made.record.metrics = metrics
        set = {"problem.loss": objectives.Scaled(weight=0.5), "record.metrics": metrics}
        for run in (lagnet.run(scenario), lagnet.run("small.json", set=set), lagnet.run(made),
                    lagnet.run(reference.scenario)):
            self.assertEqual(files(run.folder), files(reference.folder))

    def test_threads_are_refused_where_they_change_nothing(self):
        one, default = (lagnet.run(PLAIN, algorithm=DGD, loss=objectives.Squared, threads=count) for count in (1, None))
        self.assertEqual(files(one.folder), files(default.folder))
        with self.assertRaisesRegex(lagnet.InputError, "threads: has no effect where a loss"):
            lagnet.run(PLAIN, algorithm=DGD, loss=objectives.Squared, threads=4)

    def test_the_program_reads_them_and_does_not_run_them(self):
        lagnet.run(SMALL, algorithm=DGD, loss=objectives.Scaled(weight=0.5), regularizer=objectives.Ridge(), out="r",
                   metrics=[objectives.NonZeros])
        self.assertEqual(self.program("validate", "r/scenario.json")[0], 0)
        status, out, _ = self.program("compare", "r")
        self.assertEqual(status, 0)
        for command in (("replay", "r"), ("run", "r/scenario.json", "--out", "again"), ("estimate", "r/scenario.json")):
            status, out, err = self.program(*command)
            self.assertIn(status, (1, 2))
            self.assertIn("a loss that this program can run; lagnet.run of the Python package runs this one", out + err)
        pathlib.Path("samples.csv").write_text("x1,x2,x3,x4,y\n1,2,3,4,5\n")
        self.assertEqual(self.program("predict", "r", "samples.csv")[0], 2)

    def test_a_class_that_a_later_one_took_the_name_of_is_refused(self):
        """A scenario has names alone: both would run as the later one."""
        def factory(scale):
            class Scaled(objectives.Squared):
                def value(self, scores, labels):
                    return scale * super().value(scores, labels)
            return Scaled

        first, second = factory(1), factory(2)
        self.assertIn("a later one of the same", str(self.failing(lagnet.InputError, PLAIN, loss=first())))
        self.assertEqual(lagnet.run(PLAIN, loss=second()).status, "done")

    def test_constants_may_be_numbers_of_numpy_and_smoothness_of_a_regularizer_0(self):
        class Weighted(lagnet.Regularizer):
            weight: float = 0.1

            @property
            def smoothness(self):
                return np.float32(self.weight)

            def value(self, x):
                return self.weight / 2 * x @ x

            def gradient(self, x):
                return self.weight * x

            def prox(self, q, step):
                return q / (1 + step * self.weight)

        for weight in (0, 0.5):
            mine = lagnet.run(PLAIN, algorithm=DGD, regularizer=Weighted(weight=weight))
            own = lagnet.run(PLAIN, algorithm=DGD, regularizer={"kind": "l2", "weight": weight})
            for one, other in zip(mine.rows("model"), own.rows("model"), strict=True):
                self.assertAlmostEqual(one["coefficient"], other["coefficient"], 12)  # sums of a few numbers of size 1

    def test_a_metric_sees_the_problem_only_where_it_asks_for_one(self):
        class Largest(lagnet.Metric):
            def value(self, x, factor=2.0):
                return factor * np.abs(x).max()

        class Loss(lagnet.Metric):
            def value(self, x, problem=None):
                return problem.objective(x)

        row = lagnet.run(PLAIN, metrics=[Largest(), Loss()]).rows()[-1]
        model = lagnet.run(PLAIN).rows("model")
        self.assertEqual(row["Largest"], 2 * max(abs(one["coefficient"]) for one in model))
        self.assertEqual(row["Loss"], row["objective"])

    def test_a_replay_that_differs_names_a_changed_source(self):
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        path = pathlib.Path("turning.py")
        parts = (ROOT / "tests/python/objectives.py").read_text().split("\n\n\n")
        text = "import numpy as np\n\nimport lagnet\n\n\n" + "\n\n\n".join(parts[1:3]) + "\n"
        path.write_text(text)
        module = importlib.import_module("turning")
        result = lagnet.run(SMALL, algorithm=DGD, loss=module.CurvedSquared(), out="r")
        self.assertEqual(lagnet.replay(result), lagnet.Replay(True))
        # of the class that it derives from
        path.write_text(text.replace("return scores - labels", "return labels - scores"))
        del sys.modules["turning"]
        import linecache
        linecache.clearcache()
        importlib.import_module("turning")
        again = lagnet.replay(result)
        self.assertFalse(again)
        self.assertRegex(again.difference,
                         r"^progress.csv:.*; the source of turning:CurvedSquared changed: \w{8} -> \w{8}$")


if __name__ == "__main__":
    import unittest
    unittest.main()
