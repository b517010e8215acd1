"""Methods in Python, beside those that they repeat."""

import importlib
import pathlib
import sys

import numpy as np

import lagnet
import methods
from support import ROOT, SMALL, Case, changed

PLAIN = {"problem.regularizer": {"kind": "none"}}
STAR = changed({"/topology": {"kind": "star", "agents": 5}})


class Agents(Case):
    def failing(self, method, **values):
        """The exception of a run."""
        with self.assertRaises(lagnet.LagnetError) as caught:
            lagnet.run(SMALL, algorithm=method, **values)
        return caught.exception

    def test_dgd_in_python_is_dgd_with_the_same_bits_and_events(self):
        data = {"source": "gaussian_classification", "samples": 24, "features": 4}
        for set in ({}, PLAIN, {"problem": {"constraint": {"kind": "l1_ball", "radius": 0.5}}},
                    {"network.latency_ms": 7, "problem.loss": {"kind": "logistic"}, "data": data,
                     "problem.regularizer": {"kind": "l1", "weight": 0.05}}):
            mine = lagnet.run(SMALL, algorithm=methods.MyDGD(step=0.05), set=set)
            own = lagnet.run(SMALL, algorithm={"kind": "dgd", "step": 0.05}, set=set)
            for table in ("progress", "agents", "links", "model"):
                self.assertEqual(mine.rows(table), own.rows(table))
            self.assertEqual(mine.summary["trace_hash"], own.summary["trace_hash"])

    def test_sums_of_numpy_give_the_same_up_to_rounding(self):
        """Sums of d = 4 and n = 5 numbers of size 1 in another order: 1e-15 a round, and 12 rounds that contract."""
        mine = lagnet.run(SMALL, algorithm=methods.OwnSums(step=0.05), set=PLAIN)
        own = lagnet.run(SMALL, algorithm={"kind": "dgd", "step": 0.05}, set=PLAIN)
        for one, other in zip(mine.rows("model"), own.rows("model"), strict=True):
            self.assertAlmostEqual(one["coefficient"], other["coefficient"], 14)

    def test_messages_of_one_instant_are_received_in_a_drawn_order(self):
        class Noting(methods.Newest):
            order = []

            async def serve(self, me):
                w = me.zeros()
                me.report(0, w)
                for k in me.neighbors:
                    me.send(k, 0, w)
                for t in me.rounds():
                    answer = await me.receive()
                    self.order.append(answer.sender)
                    me.report(t, w)
                    me.send(answer.sender, t, w)

        orders, no_time = [], {f"network.{way}bytes_per_s": 1e15 for way in ("bandwidth_", "up_", "down_")}
        for seed in (1, 1, 2):
            Noting.order = []
            lagnet.run(STAR, algorithm=Noting(step=0.05),
                       set={**PLAIN, **no_time, "seed": seed, "stop": {"updates": 80}})
            instants = [Noting.order[k:k + 4] for k in range(0, 80, 4)]
            self.assertTrue(all(sorted(one) == [1, 2, 3, 4] for one in instants), instants)  # equal links and speeds
            self.assertEqual({one[0] for one in instants}, {1, 2, 3, 4})
            orders.append(instants)
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], orders[2])

    def test_a_wrong_awaitable_is_refused_with_the_expected_ones(self):
        def awaiting(make):
            class Once(methods.Toy):
                async def run(self, me):
                    me.report(0, me.zeros())
                    await make(me)
            return Once

        for make, told in ((lambda me: me.mix(np.ones(2 + me.id % 2)),
                            "expected vectors of one length where they are added up, found "),
                           (lambda me: me.mix(1j * me.zeros()),
                            "expected a vector of real numbers, found an array of complex128"),
                           (lambda me: me.mix(np.ma.masked_equal([1.0, 2, 3, 4], 2)),
                            "found an array with masked entries"),
                           (lambda me: me.compute("5"), "flops: expected a number, found str"),
                           (lambda me: me.sleep("5"), "sleep: expected a number, found str"),
                           (lambda me: me.collect("1"), "round: expected an integer, found str")):
            with self.subTest(told):
                self.assertIn(told, str(self.failing(awaiting(make))))

    def test_agents_see_their_samples(self):
        X, y = np.arange(15.0).reshape(5, 3), np.arange(5.0)
        seen = {}

        class Looks(lagnet.Peers):
            async def run(self, me):
                seen[me.id] = me.X, me.y, me.samples, me.features, me.neighbors
                me.report(0, me.zeros())
                for t in me.rounds():
                    me.report(t, me.zeros())

        lagnet.run({"topology": {"kind": "path", "agents": 2}, "stop": {"rounds": 1}}, algorithm=Looks, data=(X, y))
        rows = np.concatenate([seen[i][0] for i in (0, 1)])
        self.assertEqual(sorted(rows.tolist()), X.tolist())
        self.assertEqual(sorted(np.concatenate([seen[i][1] for i in (0, 1)]).tolist()), y.tolist())
        self.assertEqual([seen[i][2:] for i in (0, 1)], [(3, 3, [1]), (2, 3, [0])])
        with self.assertRaisesRegex(ValueError, "read-only"):
            seen[0][0][0, 0] = 1

    def test_sparse_samples_are_matrices_of_scipy(self):
        import scipy.sparse
        X = scipy.sparse.random(12, 6, 0.4, "csr", random_state=1)
        seen = {}

        class Looks(lagnet.Peers):
            async def run(self, me):
                seen[me.id] = me.X.copy(), me.gradient(np.ones(me.d)), me.y
                for t in range(2):
                    me.report(t, me.zeros())

        lagnet.run({"topology": {"kind": "path", "agents": 2}, "stop": {"rounds": 1}}, algorithm=Looks,
                   data=(X, np.ones(12)))
        for own, gradient, y in seen.values():
            np.testing.assert_allclose(gradient, own.T @ (own @ np.ones(6) - y) / own.shape[0], rtol=1e-13)

    def test_a_server_and_clients(self):
        result = lagnet.run(STAR, algorithm=methods.Averaging(step=0.1))
        self.assertLess(result.rows()[-1]["objective"], 0.5 * result.rows()[0]["objective"])
        self.assertEqual(result.summary["totals"]["messages_sent"], 12 * 2 * 4)

    def test_an_endless_server_gets_an_error_after_the_last_round(self):
        with self.assertRaises(lagnet.LagnetError) as caught:
            lagnet.run(STAR, algorithm=methods.Newest, set={"stop": {"rounds": 20}})
        self.assertIn("report: expected a round or update up to 20, the scenario's last one, found 21",
                      str(caught.exception))

    def test_an_asynchronous_server_counts_updates_and_staleness(self):
        result = lagnet.run(STAR, algorithm=methods.Newest, set={"stop": {"updates": 40}, "network.latency_ms": 3})
        self.assertEqual(result.rows()[-1]["round"], 40)
        self.assertEqual(max(row["staleness"] for row in result.rows("staleness")), 3)

    def test_all_that_can_be_awaited(self):
        methods.AllThatCanBeAwaited.seen.clear()
        lagnet.run(SMALL, algorithm=methods.AllThatCanBeAwaited, set={"compute.speed_flops_per_s": 1e6})
        seen = methods.AllThatCanBeAwaited.seen
        self.assertEqual(seen[0]["sum"], [5.0] * 4)
        self.assertEqual(seen[0]["exchange"], [(1, [1.0]), (4, [4.0])])
        self.assertAlmostEqual(seen[0]["slept"], 0.25, 9)
        self.assertEqual(seen[0]["collected"], [1, 4])
        self.assertEqual((seen[0]["event"], seen[0]["nothing"], seen[0]["none in time"]), ("finished", None, None))
        self.assertNotEqual(seen[0]["draws"], seen[1]["draws"])
        again = {i: one["draws"] for i, one in seen.items()}
        lagnet.run(SMALL, algorithm=methods.AllThatCanBeAwaited, set={"compute.speed_flops_per_s": 1e3})
        self.assertEqual({i: one["draws"] for i, one in methods.AllThatCanBeAwaited.seen.items()}, again)

    def test_sweeps_compare_methods_in_python_with_others(self):
        runs = lagnet.sweep(SMALL, algorithm=[methods.MyDGD(step=0.02), methods.MyDGD(step=0.05), "dgd"], seeds=[1, 2])
        self.assertEqual(len(runs), 6)
        self.assertEqual({run.values["algorithm"] for run in runs}, {"MyDGD", "dgd"})
        self.assertIn("MyDGD", runs.compare(to=[0.9]).answer)
        tuned = lagnet.tune(SMALL, {"algorithm.options.step": (0.01, 0.1)}, algorithm=methods.MyDGD, candidates=3)
        self.assertTrue(0.01 <= tuned.chosen["/algorithm/options/step"] <= 0.1)

    def test_the_program_reads_results_of_methods_in_python(self):
        lagnet.run(SMALL, algorithm=methods.MyDGD(step=0.02), out="mine")
        status, out, _ = self.program("compare", "mine")
        self.assertEqual(status, 0)
        self.assertIn("  MyDGD ", out)
        status, out, _ = self.program("replay", "mine")
        self.assertEqual(status, 1)
        self.assertIn("lagnet.run of the Python package runs this one", out)

    def test_faults_and_crashes_are_those_of_the_scenario(self):
        set = {"network.loss_probability": 0.2,
               "participation.missing_neighbor": {"kind": "reuse_last", "deadline_ms": 20}}
        mine = lagnet.run(SMALL, algorithm=methods.MyDGD(step=0.05), set=set)
        own = lagnet.run(SMALL, algorithm={"kind": "dgd", "step": 0.05}, set=set)
        self.assertGreater(mine.summary["totals"]["lost"], 0)
        self.assertEqual(mine.summary["trace_hash"], own.summary["trace_hash"])
        self.assertEqual(mine.rows(), own.rows())

    def test_free_work_is_remarked_on(self):
        for method, is_free in ((methods.MyDGD, False), (methods.Free, True), (methods.FreeSums, True),
                                (methods.Keeps, False)):  # which computes nothing
            with self.subTest(method=method.__name__):
                if is_free:
                    with self.assertWarnsRegex(lagnet.RunWarning, "agents never wait for what they compute"):
                        result = lagnet.run(SMALL, algorithm=method, set=PLAIN)
                else:
                    result = lagnet.run(SMALL, algorithm=method, set=PLAIN)
                self.assertEqual("computing_is_free" in [one.code for one in result.warnings], is_free)

    def test_an_agents_exception_is_the_cause(self):
        error = self.failing(methods.Raises)
        self.assertIsInstance(error, lagnet.AgentError)
        self.assertEqual((error.agent, error.round, error.at), (2, 2, 3e-7))
        self.assertIsInstance(error.__cause__, KeyError)
        self.assertEqual(str(error), "agent 2 at 300 ns: KeyError: 'seven'")
        frames = []
        trace = error.__cause__.__traceback__
        while trace:
            frames.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        self.assertEqual(frames, ["run"])

    def test_every_mistake_is_reported_in_a_sentence(self):
        for method, told in ((methods.AwaitsAFuture, "await: expected something of the agent, such as me.compute"),
                             (methods.ReportsTooLittle, "report: expected an iterate of 4 numbers, found 3"),
                             (methods.ReportsNothing, "has ended and not reported round 12: it has reported none"),
                             (methods.IsNoCoroutine, "run: expected an async function"),
                             (methods.HasNoRun, "HasNoRun has no function: async def run")):
            self.assertIn(told, str(self.failing(method)))
        self.assertIn("5 agents still wait", str(self.failing(methods.WaitsForNobody)))

    def test_wrong_sections_have_their_pointers(self):
        section = methods.MyDGD().section()
        for change, pointer in (({"class": "nowhere:Nothing"}, "/algorithm/class"),
                                ({"class": "methods:Nothing"}, "/algorithm/class"),
                                ({"options": {"stpe": 1}}, "/algorithm/options"),
                                ({"options": 3}, "/algorithm/options")):
            error = self.failing({**section, **change})
            self.assertEqual([problem.pointer for problem in error.problems], [pointer])

    def test_a_run_of_another_source_warns_and_has_the_source_as_it_is(self):
        section = methods.MyDGD().section()
        with self.assertWarnsRegex(lagnet.RunWarning, "the source of methods:MyDGD changed: 00000000 -> " +
                                   section["source_sha256"][:8]):
            result = lagnet.run(SMALL, algorithm={**section, "source_sha256": "0" * 64})
        self.assertEqual(result.scenario["algorithm"]["source_sha256"], section["source_sha256"])

    def test_a_replay_that_differs_names_a_changed_source(self):
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        path = pathlib.Path("changing.py")
        text = "import lagnet\n\n" + (ROOT / "tests/python/methods.py").read_text().split("\n\n\n")[1]
        path.write_text(text)
        result = lagnet.run(SMALL, algorithm=importlib.import_module("changing").MyDGD(step=0.05), out="r")
        self.assertEqual(lagnet.replay(result), lagnet.Replay(True))
        import linecache
        for change, same in (("1 * self.step", True), ("2 * self.step", False)):  # numbers decide
            path.write_text(text.replace("self.step", change))
            del sys.modules["changing"]
            linecache.clearcache()
            importlib.import_module("changing")
            again = lagnet.replay(result)
            self.assertEqual(again.same, same)
        self.assertRegex(again.difference, r"^progress.csv:.*; the source of changing:MyDGD changed: \w{8} -> \w{8}$")

    def test_an_agent_is_gone_after_its_run(self):
        lagnet.run(SMALL, algorithm=methods.Keeps)
        with self.assertRaisesRegex(RuntimeError, "this agent no longer exists"):
            methods.Keeps.kept[0].report(1, np.zeros(4))
        for use in (lambda me: me.gradient(np.zeros(4)), lambda me: me.prox(np.zeros(4), 1), lambda me: me.prox_flops,
                    lambda me: me.X, lambda me: me._handle.samples):
            with self.assertRaisesRegex(RuntimeError, "this agent no longer exists"):
                use(methods.Keeps.kept[0])

    def test_control_c_ends_a_sweep_at_its_first_point(self):
        methods.NeverEnds.begun.clear()
        _, error = self.interrupted(lambda: lagnet.sweep(SMALL, algorithm=methods.NeverEnds, seeds=range(3)),
                                    lambda: methods.NeverEnds.begun)
        self.assertIsInstance(error, KeyboardInterrupt)
        self.assertEqual(methods.NeverEnds.begun, [0])

    def test_an_agent_that_raises_is_the_result_of_a_point(self):
        with self.assertWarnsRegex(lagnet.RunWarning, "agent 2 at 300 ns: KeyError: 'seven'"):
            runs = lagnet.sweep(SMALL, algorithm=[methods.Raises, "dgd"])
        self.assertEqual([run.status for run in runs], ["error", "done"])

    def test_control_c_ends_a_function_that_never_ends(self):
        methods.NeverEnds.begun.clear()
        late, error = self.interrupted(lambda: lagnet.run(SMALL, algorithm=methods.NeverEnds, out="r"),
                                       lambda: methods.NeverEnds.begun)
        self.assertIsInstance(error, KeyboardInterrupt)
        self.assertLess(late, 10)  # that it ends at all; how soon is for the benchmarks
        self.assertFalse(pathlib.Path("r").exists())


if __name__ == "__main__":
    import unittest
    unittest.main()
