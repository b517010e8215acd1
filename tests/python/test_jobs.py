"""Sweeps of methods in Python with several jobs: children of this process run points, too."""

import os
import pathlib
import signal
import threading
import time
import warnings
import zlib

import lagnet
import methods
from lagnet.inside import core
from support import ENDLESS, SMALL, Case, changed, files

HERE = os.getpid()


def wait_for(condition):
    deadline = time.monotonic() + 100
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.005)


def marks(kind):
    """Files that processes have left, by their numbers."""
    return sorted(int(path.suffix[1:]) for path in pathlib.Path().glob(f"{kind}.*"))


def mark(kind):
    pathlib.Path(f"{kind}.{os.getpid()}").touch()


class Jobs(Case):
    def method(self, at_start):
        """A method that no other interpreter could import; `at_start` is called by each process that runs a point."""
        class Local(methods.MyDGD):
            async def run(self, me):
                if me.id == 0:
                    at_start()
                await super().run(me)
        return Local

    def sweep(self, algorithm, jobs, out="r", points=6):
        return lagnet.sweep(SMALL, {"seed": range(1, points + 1)}, algorithm=algorithm, jobs=jobs, out=out)

    def check_same_as_alone(self, algorithm, act=lambda: None):
        """With several jobs, while `act` runs; what the sweep returns."""
        acting = threading.Thread(target=act)
        acting.start()
        found = self.sweep(algorithm, 3)
        acting.join()
        self.assert_no_children()
        with_jobs = files("r")
        self.sweep(algorithm, 1, out="alone")
        self.assertEqual(files("alone"), with_jobs)
        self.assertFalse(pathlib.Path("r.partial").exists())
        return found

    def test_children_run_points_and_results_are_those_of_one_job(self):
        def two_at_least():
            mark("ran")
            wait_for(lambda: len(marks("ran")) > 1)

        self.check_same_as_alone(self.method(two_at_least))
        self.assertIn(len(set(marks("ran")) - {HERE}), (2, 3))

    def test_one_job_is_the_default_and_runs_here(self):
        self.sweep(self.method(lambda: mark("ran")), None)
        self.assertEqual(marks("ran"), [HERE])

    def test_no_jobs_are_refused(self):
        with self.assertRaisesRegex(lagnet.InputError, "^jobs: expected an integer from 1 to 1024, found 0$"):
            self.sweep(methods.MyDGD, 0)

    def test_wrong_scenarios_are_refused_as_with_one_job(self):
        told = []
        for jobs in (1, 3):
            with self.assertRaises(lagnet.ScenarioError) as refused:
                lagnet.run({**SMALL, "seed": -1, "sweep": [1]}, algorithm=methods.MyDGD, jobs=jobs)
            told.append([str(problem) for problem in refused.exception.problems])
        self.assertEqual(told[0], told[1])
        self.assert_no_children()

    def test_there_are_no_more_children_than_points(self):
        lagnet.run(SMALL, seeds=[1], algorithm=self.method(lambda: mark("ran")), jobs=4)
        self.assertEqual(marks("ran"), [HERE])

    def test_earlier_results_are_replaced(self):
        self.sweep(methods.MyDGD, 1)
        self.sweep(self.method(lambda: mark("ran")), 1, out="mine")
        before = pathlib.Path("mine/sweep.csv").stat().st_mtime_ns
        pathlib.Path(f"ran.{HERE}").unlink()
        self.check_same_as_alone(methods.MyDGD)
        self.sweep(self.method(lambda: mark("ran")), 2, out="mine")
        self.assertNotEqual(marks("ran"), [])
        self.assertGreater(pathlib.Path("mine/sweep.csv").stat().st_mtime_ns, before)

    def test_a_killed_child_loses_no_points(self):
        def hang_in_children():
            if os.getpid() != HERE and not marks("killed"):
                mark("hangs")
                wait_for(lambda: False)
            wait_for(lambda: marks("killed"))

        def kill():
            wait_for(lambda: len(marks("hangs")) == 3)
            os.kill(marks("hangs")[0], signal.SIGKILL)
            mark("killed")

        with self.assertWarnsRegex(lagnet.RunWarning, "shares .* were lost with their workers"):
            self.check_same_as_alone(self.method(hang_in_children), kill)
        self.assertEqual(len(marks("hangs")), 3)

    def test_errors_of_agents_are_results_as_they_are_with_one_job(self):
        class Breaks(methods.MyDGD):
            async def run(self, me):
                if me.id == 0 and me.draws("fate").uniform(1)[0] < 0.5:
                    raise ValueError("it broke")
                await super().run(me)

        warnings.simplefilter("ignore", lagnet.RunWarning)
        found = self.check_same_as_alone(Breaks)
        self.assertTrue(0 < len(found.failed) < 6)
        self.assertIn("ValueError: it broke", found.failed[0].error)

    def test_what_a_child_leaves_by_costs_no_point(self):
        def leave():
            if os.getpid() != HERE:
                raise SystemExit("enough")
            mark("here")

        with self.assertWarnsRegex(lagnet.RunWarning, "6 of 6 shares .*SystemExit: enough"):
            self.check_same_as_alone(self.method(leave))
        self.assertEqual(marks("here"), [HERE])

    def test_what_is_no_run_raises_in_the_caller(self):
        class Odd(lagnet.Loss):
            smoothness = 1.0

            def value(self, scores, labels):
                raise ValueError("seven")

            def derivative(self, scores, labels):
                return scores

        told = []
        for jobs in (1, 2):
            with self.assertRaises(lagnet.InputError) as raised:
                lagnet.sweep(SMALL, seeds=[1, 2], algorithm="dgd", loss=Odd(), jobs=jobs, out="r")
            told.append(str(raised.exception))
        self.assertIn("ValueError: seven", told[0])
        self.assertEqual(told[0], told[1])
        self.assert_no_children()

    def test_children_that_do_not_listen_are_ended(self):
        patience = lagnet.process.PATIENCE_S
        self.addCleanup(setattr, lagnet.process, "PATIENCE_S", patience)
        lagnet.process.PATIENCE_S = 0.1

        def deaf():
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            mark("deaf")
            while True:
                time.sleep(60)

        _, error = self.interrupted(lambda: self.sweep(self.method(deaf), 2), lambda: len(marks("deaf")) == 2)
        self.assertIsInstance(error, KeyboardInterrupt)
        self.assert_no_children()

    def build_of(self, certificate):
        return certificate.read_text().split("\n")[0]

    def build(self):
        """The build of lagnet by which a finished point is known: the program that runs here, and the module."""
        sums = [f"{zlib.crc32(pathlib.Path(file).read_bytes()):08x}" for file in ("/proc/self/exe", core().__file__)]
        return " ".join([lagnet.__version__, *sums])

    def test_ctrl_c_ends_all_and_finished_points_stay(self):
        algorithm = methods.MyDGD(step=0.01)
        scenario = {**ENDLESS, "algorithm": algorithm, "sweep": {"/stop/rounds": [1, 10**12, 2, 10**12]}}
        partial = pathlib.Path("r.partial")
        _, error = self.interrupted(lambda: lagnet.sweep(scenario, out="r", jobs=2),
                                    lambda: len(list(partial.glob("*.running"))) == 2
                                    and len(list(partial.glob("*.finished"))) == 2)
        self.assertIsInstance(error, KeyboardInterrupt)
        self.assert_no_children()
        self.assertEqual(len(list(partial.glob("*.finished"))), 2)
        self.assertEqual(list(partial.glob("*.running")), [])
        self.assertEqual({self.build_of(path) for path in partial.glob("*.finished")}, {self.build()})
        scenario["sweep"]["/stop/rounds"][1::2] = [3, 4]
        runs = lagnet.sweep(scenario, out="r", jobs=2)
        self.assertEqual([run.summary["stop"]["round"] for run in runs], [1, 3, 2, 4])

    def test_a_tuning_finds_the_same(self):
        ranges = {"algorithm.options.step": (0.001, 0.1)}
        tuned = [lagnet.tune(changed({"/stop/rounds": 30}), ranges, candidates=5, algorithm=methods.MyDGD(step=0.05),
                             jobs=jobs, out="r") for jobs in (1, 3)]
        self.assertEqual(tuned[0].facts, tuned[1].facts)


if __name__ == "__main__":
    import unittest
    unittest.main()
