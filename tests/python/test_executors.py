"""Sweeps on executors: a process pool, Dask and MPI, each with a worker that is killed."""

import concurrent.futures
import importlib.util
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import warnings

import doomed
import lagnet
import methods
from support import ROOT, SMALL, Case, files

POINTS = 7
PATH = os.pathsep.join(map(str, (ROOT / "tools/python", ROOT / "tests/python")))


def sweep(algorithm, out, **options):
    return lagnet.sweep(SMALL, {"seed": range(1, POINTS + 1)}, algorithm=algorithm, out=out, **options)


class Recorded(concurrent.futures.ThreadPoolExecutor):
    """Keeps which shares were submitted, and loses some of them."""

    def __init__(self, workers, lost=()):
        super().__init__(workers)
        self.parts, self.lost = [], lost

    def submit(self, function, *arguments):
        part = arguments[-2].part
        self.parts.append(part)
        if part[0] in self.lost:
            future = concurrent.futures.Future()
            future.set_exception(ConnectionError("the worker is gone"))
            return future
        return super().submit(function, *arguments)


def doomed_here():
    return doomed.Doomed(step=0.05, mark=str(pathlib.Path("mark").absolute()))


def check_same_as_alone(case, algorithm, found):
    """The bytes of one process, of which this is the one."""
    with_executor = files(found.folder)
    case.assertFalse(pathlib.Path(f"{found.folder}.partial").exists())
    sweep(algorithm, "alone", jobs=1)
    case.assertEqual(files("alone"), with_executor)


class Executors(Case):
    def test_each_share_is_a_task_and_results_are_those_of_one_process(self):
        for algorithm in ("extra", methods.MyDGD(step=0.05)):
            with self.subTest(algorithm), Recorded(1) as executor:
                found = sweep(algorithm, f"r{len(os.listdir())}", executor=executor)
                self.assertEqual(executor.parts, [(k, 4) for k in range(1, 5)])
                check_same_as_alone(self, algorithm, found)
                shutil.rmtree("alone")
        with Recorded(30) as executor:
            sweep("dgd", "many", executor=executor)
            self.assertEqual(len(executor.parts), POINTS)

    def test_only_missing_points_run_in_this_process(self):
        ran = []

        class Marks(methods.MyDGD):
            async def run(self, me):
                if me.id == 0:
                    ran.append(me.draws("point").uniform(1)[0])
                await super().run(me)

        with Recorded(1, lost=(2,)) as executor, self.assertWarns(lagnet.RunWarning):
            sweep(Marks, "r", executor=executor)
        self.assertEqual((len(ran), len(set(ran))), (POINTS, POINTS))

    def test_shares_that_are_lost_run_here(self):
        with Recorded(1, lost=(2, 3)) as executor, self.assertWarnsRegex(
                lagnet.RunWarning,
                "2 of 4 shares .* lost with their workers .*ConnectionError: the worker is gone") as caught:
            found = sweep("extra", "r", executor=executor)
        self.assertEqual(caught.filename, __file__)
        check_same_as_alone(self, "extra", found)

    def test_results_that_exist_are_replaced_if_asked(self):
        sweep("extra", "r")
        with Recorded(1) as executor:
            self.assertRaisesRegex(lagnet.InputError, "expected results of this scenario", sweep, "dgd", "r",
                                   executor=executor)
            check_same_as_alone(self, "dgd", sweep("dgd", "r", executor=executor, replace=True))

    def test_errors_of_points_are_results(self):
        class Breaks(methods.MyDGD):
            async def run(self, me):
                if me.id == 0 and me.draws("fate").uniform(1)[0] < 0.5:
                    raise ValueError("it broke")
                await super().run(me)

        warnings.simplefilter("ignore", lagnet.RunWarning)
        with Recorded(1) as executor:
            found = sweep(Breaks, "r", executor=executor)
        self.assertTrue(0 < len(found.failed) < POINTS)
        check_same_as_alone(self, Breaks, found)

    def test_arguments_that_no_executor_can_take_are_refused_before_any_task(self):
        with Recorded(1) as executor:
            for said, options in {"expected out, a folder": {"out": None}, "jobs: has no effect": {"jobs": 2},
                                  "retime: has no effect": {"retime": True},
                                  "/seed: expected an integer": {"set": {"seed": "x"}, "over": {}},
                                  "found tune": {"algorithm": {"kind": "extra", "step": "tune"}}}.items():
                given = {"out": "r", "over": {"seed": [1, 2]}, "algorithm": "extra", **options}
                with self.subTest(said), self.assertRaisesRegex(lagnet.InputError, said):
                    lagnet.sweep(SMALL, given.pop("over"), executor=executor, **given)
            self.assertEqual(executor.parts, [])

    def test_a_class_that_workers_cannot_import_is_an_exception(self):
        class Local(methods.MyDGD):
            pass

        spawn = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, spawn) as executor, self.assertRaisesRegex(
                lagnet.ScenarioError, "that can be imported"):
            sweep(Local, "r", executor=executor)

    def test_of_a_process_pool_a_worker_is_killed(self):
        with concurrent.futures.ProcessPoolExecutor(2) as executor, self.assertWarnsRegex(
                lagnet.RunWarning, "lost with their workers .*BrokenProcessPool"):
            found = sweep(doomed_here(), "r", executor=executor)
        self.assertTrue(pathlib.Path("mark").exists())
        check_same_as_alone(self, doomed_here(), found)

    def test_of_a_process_pool_all_workers_live(self):
        pathlib.Path("mark").touch()
        with concurrent.futures.ProcessPoolExecutor(2) as executor:
            found = sweep(doomed_here(), "r", executor=executor)
        check_same_as_alone(self, doomed_here(), found)


SCRIPT = """
import json, sys, warnings
import doomed, lagnet

def sweep(executor):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lagnet.sweep(json.loads(sys.argv[1]), {"seed": range(1, int(sys.argv[2]) + 1)}, out="r", executor=executor,
                     algorithm=doomed.Doomed(step=0.05, mark=sys.argv[3]))
    print(*(one.message for one in caught if one.category is lagnet.RunWarning), sep="\\n")

if __name__ == "__main__":
"""
DASK = SCRIPT + """
    import dask
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.scheduler.allowed-failures": int(sys.argv[4])})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        sweep(client.get_executor())
"""
MPI = SCRIPT + """
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as executor:
        sweep(executor)
"""


WITH_DASK = unittest.skipUnless(importlib.util.find_spec("distributed"),
                                 "python3-distributed is missing: Dask is not tested")
WITH_MPI = unittest.skipUnless(importlib.util.find_spec("mpi4py"), "python3-mpi4py is missing: MPI is not tested")


class Clusters(Case):
    """Workers are processes that start Python themselves."""

    def script(self, text, *arguments, before=(), **environment):
        """Runs it in a process of its own."""
        pathlib.Path("script.py").write_text(text)
        words = [*before, "script.py", json.dumps(SMALL), str(POINTS), str(self.folder / "mark"), *arguments]
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PYTHONPATH": PATH, **environment})

    def check(self):
        self.assertTrue(pathlib.Path("mark").exists())
        check_same_as_alone(self, doomed_here(), lagnet.read("r"))

    @WITH_DASK
    def test_dask_gives_the_share_of_a_killed_worker_to_another_one(self):
        done = self.script(DASK, 3, before=[sys.executable])
        self.assertEqual((done.returncode, done.stdout), (0, "\n"), done.stderr)
        self.check()

    @WITH_DASK
    def test_a_share_that_dask_gives_up_runs_here(self):
        done = self.script(DASK, 0, before=[sys.executable])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "lost with their workers .*KilledWorker")
        self.check()

    def mpi(self):
        return self.script(MPI, before=["mpiexec", "-n", 3, sys.executable, "-m", "mpi4py.futures"],
                           OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1")

    @WITH_MPI
    def test_after_a_worker_was_killed_the_same_job_goes_on(self):
        """MPI ends the whole job with the worker."""
        self.assertNotEqual(self.mpi().returncode, 0)
        self.assertTrue(pathlib.Path("mark").exists())
        self.assertFalse(pathlib.Path("r").exists())
        done = self.mpi()
        self.assertEqual((done.returncode, done.stdout), (0, "\n"), done.stderr)
        self.check()


if __name__ == "__main__":
    unittest.main()
