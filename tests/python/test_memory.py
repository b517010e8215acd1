"""Large arrays stay where they lie: they give the bits that files give, nothing copies them unsaid, and their results
are repeated with the same arrays alone."""

import subprocess
import sys
import unittest.mock

import numpy as np
import scipy.sparse

import lagnet
from lagnet import memory
from support import ROOT, Case, changed

RNG = np.random.default_rng(11)


def small(n=40, d=7):
    X = RNG.normal(size=(n, d)) * (RNG.random(size=(n, d)) < 0.4)
    return np.asfortranarray(X), X @ RNG.normal(size=d) + RNG.normal(size=n)


SCENARIO = {**changed({"/stop/rounds": 6}), "data": None}
METHODS = ["extra", "dgd", "fd_primal_dual", {"kind": "fed_avg", "local_steps": 2}]


class Mean(lagnet.Peers):
    """Short steps of gradient descent, whose gradients are of the rows that the agent sees, without the regularizer."""

    regularizers = "all"

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            await me.compute(me.gradient_flops)
            x = await me.mix(x) - 1e-9 * (me.X.T @ (me.X @ x - me.y))
            me.report(t, x)


class Memory(Case):
    def setUp(self):
        super().setUp()
        patched = unittest.mock.patch.object(memory, "LARGEST_IN_FILES", 0)
        patched.start()
        self.addCleanup(patched.stop)

    def test_a_scenario_is_validated_with_its_arrays(self):
        X, y = RNG.normal(size=(24, 4)), RNG.normal(size=24)
        scenario = {key: value for key, value in SCENARIO.items() if key != "data"}
        for algorithm in ("extra", Mean):
            self.assertEqual(lagnet.validate(scenario, data=(X, y), algorithm=algorithm), [])
            problem, = lagnet.validate(scenario, data=(X, y), algorithm=algorithm,
                                       set={"problem.loss": {"kind": "logistic"}})
            self.assertIn("-1 or +1", problem.expected)
            problem, = lagnet.validate(scenario, data=(X, y), algorithm=algorithm, set={"topology.agents": 25})
            self.assertTrue(problem.expected, problem)

    def in_files(self, data, **more):
        with unittest.mock.patch.object(memory, "LARGEST_IN_FILES", 1 << 40):
            return lagnet.run(SCENARIO, data=data, **more)

    def run_with(self, algorithm, data, **more):
        topology = {"kind": "star", "agents": 5} if "fed_avg" in str(algorithm) else {"kind": "ring", "agents": 5}
        return dict(algorithm=algorithm, topology=topology, data=data, **more)

    def test_runs_have_the_bits_of_runs_from_files(self):
        X, y = small()
        kinds = {"dense": np.asfortranarray(X), "csr": scipy.sparse.csr_matrix(X), "csc": scipy.sparse.csc_matrix(X)}
        for name, matrix in kinds.items():
            for algorithm in [*METHODS, Mean()]:
                with self.subTest(name, algorithm=algorithm):
                    run = lagnet.run(SCENARIO, **self.run_with(algorithm, (matrix, y)))
                    files = self.in_files(**self.run_with(algorithm, (matrix, y)))
                    self.assertEqual(run.scenario["data"]["source"], "arrays")
                    self.assertEqual(run.rows(), files.rows())
                    self.assertEqual(run.summary["trace_hash"], files.summary["trace_hash"])
                    self.assertEqual(run.summary["data"]["stored"], files.summary["data"]["stored"])

    def test_tests_and_steps_of_the_section_data_are_as_from_files(self):
        X, y = small()
        more = {"test": small(9), "set": {"data.scaling": "standardize", "data.intercept": True,
                                          "record.metrics": ["test_loss"]}}
        data = (np.asfortranarray(X), y)
        self.assertEqual(lagnet.run(SCENARIO, data=data, **more).rows(), self.in_files(data, **more).rows())

    def test_a_sweep_and_a_tune_find_the_arrays(self):
        data = small()
        runs = lagnet.sweep(SCENARIO, data=data, algorithm=["extra", "dgd"], seeds=range(1, 3))
        tuned = lagnet.tune(SCENARIO, {"algorithm.step": (0.01, 0.1)}, data=data, candidates=2)
        self.assertEqual([run.status for run in runs], ["done"] * 4)
        self.assertEqual(list(tuned.chosen), ["/algorithm/step"])

    def test_a_replay_asks_for_the_same_arrays(self):
        X, y = small()
        X = np.asfortranarray(X)
        result = lagnet.run(SCENARIO, data=(X, y))
        self.assertTrue(lagnet.replay(result, data=(X, y)))
        self.assertTrue(lagnet.replay(result, data=(X.copy(order="C"), y)))
        for other in ({}, {"data": (X + 1, y)}, {"data": (X, y + 1)}, {"data": (X[:, ::-1], y)}):
            again = lagnet.replay(result, **other)
            self.assertFalse(again)
            self.assertRegex(again.difference, "/data: sha256: expected arrays that were offered .*, found none")

    def test_the_program_says_that_it_has_no_arrays(self):
        result = lagnet.run(SCENARIO, data=small(), out="r")
        answer = lagnet.process.call(["replay", "r"])
        self.assertEqual(answer.status, 1)
        self.assertIn("lagnet.replay(folder, data=(X, y))", answer.out)
        self.assertEqual(lagnet.process.call(["report", "r", "--out", "page.html"]).status, 0)
        self.assertEqual(lagnet.process.call(["compare", "r"]).status, 0)
        self.assertEqual(result.status, "done")

    def test_invalid_data_are_refused(self):
        X, y = small()
        spoiled = np.asfortranarray(X)
        spoiled[3, 2] = np.nan
        wrong = {
            "found nan": (spoiled, y),
            "label for each of 40 samples": (X, y[1:]),
            "X of two dimensions": (X[0], y),
            "X: expected real numbers": (X.astype(complex), y),
            "y: expected real numbers": (X, y.astype(complex)),
            "y: expected integers that a double holds": (X, np.full(40, 2**53 + 1)),
            "X: expected integers that a double holds": (np.full((40, 3), 2**53 + 1), y),
            "X: expected real": (scipy.sparse.csr_matrix(X.astype(complex)), y),
        }
        for said, data in wrong.items():
            with self.subTest(said), self.assertRaisesRegex(lagnet.InputError, said):
                lagnet.run(SCENARIO, data=data)
        with self.assertRaisesRegex(lagnet.InputError, "7 features in the tests too, found 6"):
            lagnet.run(SCENARIO, data=(X, y), test=(X[:, 1:], y))

    def test_matrices_that_are_stored_in_other_ways_are_the_same(self):
        X, y = small()
        expected = self.in_files((scipy.sparse.csr_matrix(X), y)).rows()
        wide = scipy.sparse.csr_matrix(X)
        wide.data, wide.indices = np.append(wide.data, [5, 5]), np.append(wide.indices, np.int32([0, 0]))
        strided = scipy.sparse.csr_matrix(X)
        strided.data = np.repeat(strided.data, 2)[::2]
        large = scipy.sparse.csr_matrix(X)
        large.indices, large.indptr = large.indices.astype(np.int64), large.indptr.astype(np.int64)
        for matrix in (wide, strided, large, scipy.sparse.coo_matrix(X), scipy.sparse.csr_matrix(X)[:, ::-1][:, ::-1]):
            self.assertEqual(lagnet.run(SCENARIO, data=(matrix, y)).rows(), expected)

    def test_places_that_no_matrix_has_never_reach_a_run(self):
        X, y = small()
        for name, spoil in {"each once": lambda m: m.indices.__setitem__(0, 7),
                            "non-decreasing": lambda m: m.indptr.__setitem__(-1, 3),
                            "in order": lambda m: m.indptr.__setitem__(1, -1)}.items():
            matrix = scipy.sparse.csr_matrix(X)
            matrix.has_canonical_format = True
            spoil(matrix)
            with self.subTest(name), self.assertRaisesRegex(lagnet.InputError, name):
                lagnet.run(SCENARIO, data=(matrix, y))


PEAK = '''
import sys, warnings
sys.path[:0] = [{package!r}, {tests!r}]
import numpy as np, scipy.sparse, lagnet
from test_memory import Mean, SCENARIO

warnings.simplefilter("error")
lagnet.run(SCENARIO, data=(np.ones((20, 3)), np.ones(20)), algorithm=Mean())  # loads what a run needs
n, d = 1024, 16384
{make}
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins anew
def status(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key))
before = status("VmRSS")
lagnet.run(SCENARIO, data=(X, np.ones(n)), algorithm={algorithm}, set={{"record.optimum": False, "stop.rounds": 2}})
print((status("VmHWM") - before) / 1024)
'''


class Copies(Case):
    def grown(self, make, algorithm="Mean()"):
        """How many MiB the peak grows by in a run with X of 128 MiB, where warnings are errors."""
        program = PEAK.format(package=str(ROOT / "tools" / "python"), tests=str(ROOT / "tests" / "python"), make=make,
                              algorithm=algorithm)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return float(done.stdout)

    DENSE = "X = np.ones((n, d), order='F')"
    BY_ROWS = ("k = n * d // 2; places = np.tile(np.arange(0, d, 2, dtype=np.int32), n);"
               "starts = np.arange(0, k + 1, d // 2, dtype=np.int32);"
               "X = scipy.sparse.csr_matrix((np.ones(k), places, starts), shape=(n, d)); X.has_canonical_format = True")

    def test_a_method_of_features_copies_nothing(self):
        self.assertLess(self.grown(self.DENSE, "'fd_primal_dual'"), 64)

    def test_a_method_in_python_copies_nothing(self):
        self.assertLess(self.grown(self.DENSE), 64)

    def test_a_method_of_samples_copies_nothing_that_is_given_by_rows(self):
        self.assertLess(self.grown(self.BY_ROWS, "'dgd'"), 64)

    def test_copies_are_reported(self):
        """X of 68 MB, for which each run gives a warning."""
        X = np.ones((1063, 8000), order="F")
        y = np.ones(1063)
        of_features = {"algorithm": "fd_primal_dual"}
        by_columns = scipy.sparse.csc_matrix(np.ones((1063, 6000)))
        told = [
            ("as np.asfortranarray", np.ascontiguousarray(X), of_features),
            ("as np.asfortranarray", X.astype("f4"), of_features),
            ("hold samples row by row", X, {"algorithm": "dgd"}),
            ("steps of the section data", X, {**of_features, "set": {"data.intercept": True}}),
            ("in another order", X, {**of_features, "set": {"partition.kind": "shuffled_features"}}),
            ("csr_matrix or csc_matrix is used", by_columns.tocoo(), {"algorithm": "dgd"}),
            ("it is given by rows", by_columns.tocsr(), of_features),
        ]
        for said, matrix, more in told:
            more = {**more, "set": {"record.optimum": False, "stop.rounds": 1, **more.get("set", {})}}
            with self.subTest(said), self.assertWarnsRegex(lagnet.RunWarning, f"X, 0.*copied: .*{said}"):
                lagnet.run(SCENARIO, data=(matrix, y), **more)
        lagnet.run(SCENARIO, data=(X, y), **of_features, set={"record.optimum": False, "stop.rounds": 1})
