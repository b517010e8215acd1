"""Errors in losses, regularizers and metrics in Python are reported with their cause."""

import numpy as np

import lagnet
import methods
import objectives
from support import SMALL, Case, changed

DGD = {"kind": "dgd", "step": 0.05}
PLAIN = changed({"/problem": {}, "/record": {"optimum": False}, "/algorithm": DGD})


class ObjectiveErrors(Case):
    def failing(self, scenario=PLAIN, **values):
        with self.assertRaises(lagnet.LagnetError) as caught:
            lagnet.run(scenario, **values)
        return caught.exception

    def test_a_kernels_exception_is_an_error_of_its_agent(self):
        """Of one agent the seventh gradient is that of the seventh round."""
        error = self.failing(loss=objectives.Gives(at="derivative", what="raise", calls=6),
                             set={"topology": {"kind": "complete", "agents": 1}})
        self.assertIsInstance(error, lagnet.AgentError)
        self.assertEqual((error.agent, error.round), (0, 6))
        self.assertGreater(error.at, 0)
        self.assertIsInstance(error.__cause__, KeyError)
        self.assertRegex(str(error), "agent 0 at .* ns: objectives:Gives.derivative: KeyError: 'seven'")
        error = self.failing(regularizer=objectives.GivesProx(what="raise"))
        self.assertIsInstance(error, lagnet.AgentError)
        self.assertIsInstance(error.__cause__, KeyError)

    def test_agents_in_python_meet_the_exception_itself(self):
        seen = []

        class Catches(methods.Toy):
            async def run(self, me):
                try:
                    me.gradient(me.zeros())
                except KeyError as error:
                    seen.append(str(error))
                for t in range(13):
                    me.report(t, me.zeros())

        lagnet.run(PLAIN, algorithm=Catches, loss=objectives.Gives(what="raise"))
        self.assertEqual(seen, ["'seven'"] * 5)
        error = self.failing(algorithm=methods.MyDGD, loss=objectives.Gives(what="raise"))
        self.assertEqual((type(error), error.agent, error.round), (lagnet.AgentError, 0, 0))
        self.assertIsInstance(error.__cause__, KeyError)
        names, trace = [], error.__cause__.__traceback__
        while trace:
            names.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        self.assertEqual(names[0], "run")
        self.assertEqual(names[-1], "wrong")

    def test_calls_outside_of_agents_are_not_agent_errors(self):
        for values, told in (({"loss": objectives.Gives(at="value", what="raise", calls=3)}, "Gives.value: KeyError"),
                             ({"loss": objectives.Judges()}, "Judges.label_problem: ZeroDivisionError"),
                             ({"regularizer": objectives.GivesProx(at="value", what="raise")}, "GivesProx.value: KeyE"),
                             ({"metrics": [objectives.GivesMetric(what="raise")]}, "GivesMetric.value: KeyError")):
            for algorithm in (DGD, methods.MyDGD(step=0.05), methods.Swallows()):
                error = self.failing(algorithm=algorithm, **values)
                self.assertIs(type(error), lagnet.InputError)
                self.assertTrue(str(error).startswith("objectives:" + told), error)
                self.assertIsInstance(error.__cause__, (KeyError, ZeroDivisionError))
        optimum = self.failing(set={"record.optimum": True}, loss=objectives.Gives(what="raise"))
        self.assertEqual((type(optimum), type(optimum.__cause__)), (lagnet.InputError, KeyError))

    def test_every_wrong_answer_is_reported_in_a_sentence(self):
        each = r"an array of \d numbers, one for each score, found "
        for what, told in (("none", each + "NoneType"), ("text", each + "str"),
                           ("short", each + r"an array of shape \(1,\)"),
                           ("square", each + r"an array of shape \(2, 2\)"),
                           ("complex", each + "an array of complex128"),
                           ("nan", "numbers, found nan for the score .* and the label .*")):
            self.assertRegex(str(self.failing(loss=objectives.Gives(what=what))),
                             "Gives.derivative: .*: expected " + told)
        each = "an array of 4 numbers, one for each coefficient, found "
        for what, told in (("none", each + "NoneType"), ("short", each + r"an array of shape \(1,\)"),
                           ("nan", "numbers, found nan")):
            self.assertRegex(str(self.failing(regularizer=objectives.GivesProx(what=what))),
                             "GivesProx.prox: .*: expected " + told)
        for what, told in (("none", "a number, found NoneType"), ("text", "a number, found str"),
                           ("square", r"a number, found an array of shape \(2, 2\)"), ("nan", "a number, found nan"),
                           ("complex", "a number, found ")):
            self.assertRegex(str(self.failing(regularizer=objectives.GivesProx(at="value", what=what))),
                             "GivesProx.value: .*: expected " + told)
            if what not in ("none", "nan"):
                self.assertRegex(str(self.failing(metrics=[objectives.GivesMetric(what=what)])),
                                 "GivesMetric.value: .*: expected " + told)
        self.assertIn("expected a finite number, or None for an empty cell, found nan",
                      str(self.failing(metrics=[objectives.GivesMetric(what="nan")])))

    def test_a_run_whose_iterates_leave_all_bounds_diverges_and_is_no_error(self):
        with self.assertRaises(lagnet.Diverged):
            lagnet.run(PLAIN, loss=objectives.Squared, set={"algorithm.step": 1e9, "stop": {"rounds": 100}})

    def test_wrong_classes_and_sections_have_their_pointers(self):
        for place, given in (("loss", objectives.Scaled()), ("regularizer", objectives.L1())):
            section = given.section()
            for change, pointer in (({"class": "nowhere:Nothing"}, "class"),
                                    ({"class": "methods:MyDGD", "source_sha256": ""}, "class"),
                                    ({"options": {"wieght": 1}}, "options"), ({"options": 3}, "options")):
                error = self.failing(**{place: {**section, **change}})
                self.assertEqual([one.pointer for one in error.problems], [f"/problem/{place}/{pointer}"])
        error = self.failing(metrics=["non_zeros", {**objectives.ByHand().section(), "class": "nowhere:Nothing"}])
        self.assertEqual([one.pointer for one in error.problems], ["/record/metrics/1/class"])
        for place, given, told in (
                ("loss", objectives.NoDerivative(), "a class with the function derivative(self, scores, labels)"),
                ("loss", objectives.NegativeSmoothness(), "smoothness of NegativeSmoothness to be a finite number ab"),
                ("regularizer", objectives.SmoothWithoutGradient(), "a class with the function gradient(self, x)")):
            (problem,) = self.failing(**{place: given}).problems
            self.assertEqual((problem.pointer, problem.expected[:len(told)]), (f"/problem/{place}/class", told))
        self.assertEqual([one.pointer for one in self.failing(metrics=["python"]).problems], ["/record/metrics/0"])

    def test_labels_are_judged(self):
        error = self.failing(loss=objectives.Logistic())
        self.assertIn("expected -1 or 1", str(error))

    def test_a_point_that_fails_is_a_result_of_a_sweep(self):
        with self.assertWarnsRegex(lagnet.RunWarning, "objectives:Gives.value: KeyError: 'seven'"):
            runs = lagnet.sweep(PLAIN, loss=[objectives.Gives(at="value", what="raise", calls=3), "squared"])
        self.assertEqual([run.status for run in runs], ["error", "done"])

    def test_control_c_ends_every_function(self):
        for values in ({"loss": objectives.Gives(what="forever")},
                       {"loss": objectives.Gives(at="value", what="forever", calls=2)},
                       {"regularizer": objectives.GivesProx(what="forever")},
                       {"metrics": [objectives.GivesMetric(what="forever")]},
                       {"metrics": [objectives.GivesMetric(what="forever")], "algorithm": methods.MyDGD}):
            objectives.begun.clear()
            _, error = self.interrupted(lambda given=values: lagnet.sweep(PLAIN, seeds=[1, 2], **given),
                                        lambda: objectives.begun)
            self.assertIsInstance(error, KeyboardInterrupt)
            self.assertEqual(len(objectives.begun), 1)

    def test_the_optimum_of_data_that_can_be_separated_is_not_looked_for(self):
        data = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([-1, -1, 1, 1])
        result = lagnet.run({"topology": {"kind": "path", "agents": 2}, "stop": {"rounds": 2}}, data=data,
                            algorithm=DGD, loss=objectives.Logistic)
        self.assertEqual(result.summary["optimum"]["certificate"], "no_minimizer")


if __name__ == "__main__":
    import unittest
    unittest.main()
