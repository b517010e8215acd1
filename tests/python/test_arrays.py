"""Arrays in memory reach the program with every bit, and invalid data are refused with their place."""

import pathlib

import numpy as np
import pandas
import scipy.sparse

import lagnet
from support import Case, changed, files

RNG = np.random.default_rng(3)


def scenario(**more):
    """One that reads data and computes little with them."""
    return {**changed({"/topology/agents": 2, "/stop/rounds": 2, "/record": {"optimum": False}}), "data": None, **more}


class Arrays(Case):
    def given(self, data, out="r", **options):
        """A run with these data, and the numbers that the program reads: its file's lines."""
        result = lagnet.run(scenario(), data=data, out=out, **options)
        path = pathlib.Path(result.scenario["data"]["path"])
        return result, [line.split(",") for line in path.read_text().splitlines()]

    def test_every_bit_comes_through(self):
        """The model after one step from zero with the gradient of one sample is a multiple of that sample, so that what
        the program read is seen in it; and the text is what reads back as the same double."""
        bits = RNG.integers(0, 2**63 - 1, 400, dtype=np.int64).view(np.float64)
        values = bits[np.isfinite(bits) & (np.abs(bits) < 1e100)]
        values = np.concatenate([values, [5e-324, 2.2250738585072014e-308, 1 / 3, 1e22, 9007199254740993.0, 0.1 + 0.2]])
        X = values[:len(values) // 2 * 2].reshape(-1, 2)
        path = pathlib.Path(lagnet.arrays.data_section((X, X[:, 0]), self.folder)["path"])
        read = np.array([[float(cell) for cell in line.split(",")] for line in path.read_text().splitlines()])
        self.assertEqual(read.tobytes(), np.column_stack([X, X[:, 0]]).tobytes())

    def test_the_program_reads_the_doubles_that_were_given(self):
        """One step of gradient descent from zero, of length 1, for one sample x with the label 1, gives x."""
        x = np.array([[0.1 + 0.2, 1 / 3, 2**-1074 * 3, 0.12345678901234568]])
        result = lagnet.run(scenario(), data=(x, [1.0]), algorithm={"kind": "proximal_gradient", "step": 1.0},
                            topology={"kind": "complete", "agents": 1},
                            set={"stop.rounds": 1, "problem": {}})
        self.assertEqual(result.model["coefficient"].tolist(), x[0].tolist())

    def test_dense_data_are_stored_as_such_and_have_their_shape(self):
        X = np.zeros((9, 5))
        X[0, 0] = 1
        result, lines = self.given((X, np.arange(9)))
        self.assertEqual((len(lines), len(lines[0])), (9, 6))
        self.assertEqual({key: result.summary["data"][key] for key in ("samples", "features", "stored")},
                         {"samples": 9, "features": 5, "stored": "dense"})

    def test_sparse_data_are_stored_as_such_with_empty_last_columns(self):
        X = scipy.sparse.hstack([scipy.sparse.random(30, 11, 0.2, random_state=1), np.zeros((30, 1))], "csr")
        y = RNG.normal(size=30)
        for matrix in (X, X.tocsc(), X.tocoo(), scipy.sparse.csr_array(X)):
            result = lagnet.run(scenario(), data=(matrix, y), out="sparse")
            self.assertEqual((result.summary["data"]["stored"], result.summary["data"]["features"]), ("sparse", 12))
        dense = lagnet.run(scenario(), data=(X.toarray(), y), out="dense", set={"data.storage": "sparse"})
        self.assertEqual(files("sparse")["progress.csv"], files("dense")["progress.csv"])
        self.assertEqual(dense.summary["data"]["nonzeros"], X.count_nonzero())

    def test_repeated_places_of_a_sparse_matrix_add_up(self):
        X = scipy.sparse.coo_matrix(([1.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
        result = lagnet.run(scenario(), data=(X, [1, 2]))
        text = pathlib.Path(result.scenario["data"]["path"]).read_text()
        self.assertEqual(text, "1.0 2:3.0\n2.0 1:4.0\n")

    def test_numbers_of_all_kinds_are_the_same_doubles(self):
        whole = [[1, 2], [3, 4], [5, 7]]
        expected = self.given((np.array(whole, float), [1.0, 0.0, 1.0]))[1]
        for X, y in ((whole, (1, 0, 1)), (np.array(whole, np.int8), np.array([True, False, True])),
                     (np.array(whole, np.float32), np.array([[1], [0], [1]])), (np.asfortranarray(whole), [1, 0, 1]),
                     (np.array(whole, object), np.array([1, 0, 1], np.uint64)),
                     (np.repeat(whole, 2, axis=0)[::2], np.array([1, 9, 0, 9, 1])[::2])):
            self.assertEqual(self.given((X, y))[1], expected)

    def test_columns_of_a_frame_name_the_coefficients(self):
        frame = pandas.DataFrame({"age": [1.0, 2, 3], 'a "b", c': [4, 5, 6], "label": [0.1, 0.2, 0.3]})
        result, _ = self.given((frame, pandas.Series([1, 2, 3.0], index=[7, 8, 9])))
        self.assertEqual(result.model["feature"].tolist(), ["age", 'a "b", c', "label"])
        self.assertEqual(result.summary["data"]["features"], 3)

    def test_samples_for_tests_are_apart(self):
        X, y = RNG.normal(size=(20, 3)), np.sign(RNG.normal(size=20))
        for make in (np.array, scipy.sparse.csr_matrix):
            result = lagnet.run(scenario(problem={"loss": {"kind": "logistic"}}), data=(make(X[:12]), y[:12]),
                                test=(make(X[12:]), y[12:]), set={"record.metrics": ["test_accuracy"]})
            self.assertEqual(result.summary["data"]["samples"], 12)
            # 8 samples for tests: the share of those that are right is a multiple of 1/8
            self.assertTrue(all((8 * value) % 1 == 0 for value in result.frame["test_accuracy"]))
        with self.assertRaisesRegex(lagnet.ScenarioError, "sparse beside sparse"):
            lagnet.run(scenario(), data=(X, y), test=(scipy.sparse.csr_matrix(X), y))

    def test_the_same_arrays_are_one_file_beside_results(self):
        X, y = RNG.normal(size=(9, 3)), RNG.normal(size=9)
        for out in ("r/a", "r/b"):
            self.given((X, y), out)
        self.given((2 * X, y), "r/c")
        self.assertEqual(len(list(pathlib.Path("r/lagnet-inputs").iterdir())), 2)
        self.assertTrue(lagnet.replay("r/b"))

    def test_replacing_the_data_keeps_the_rest_of_a_file(self):
        X = RNG.normal(size=(50, 4))
        result = lagnet.run(lagnet.example("gossip"), data=(X, X @ [1, 0, 0, 2]), set={"stop.rounds": 2})
        self.assertEqual(result.summary["data"]["samples"], 50)
        self.assertEqual(result.scenario["algorithm"]["kind"], "accel_tracking")

    def test_invalid_data_are_refused_with_their_place(self):
        X, y = np.ones((4, 3)), np.ones(4)
        holes, labels = X.copy(), y.copy()
        holes[2, 1], labels[3] = np.nan, -np.inf
        for data, place, expected, found in (
                ((holes, y), "/data: data: X", "finite numbers", "nan at [2, 1]"),
                ((X, labels), "/data: data: y", "finite numbers", "-inf at [3]"),
                ((scipy.sparse.csr_matrix(holes), y), "/data: data: X", "finite numbers", "nan at [7]"),
                ((X, y[:3]), "/data: data", "a label for each of 4 samples", "3"),
                ((X[0], y), "/data: data: X", "an array of 2 dimensions", "the shape (3,)"),
                ((X, X), "/data: data: y", "an array of 1 dimension", "the shape (4, 3)"),
                ((X + 1j, y), "/data: data: X", "real numbers", "an array of complex128"),
                (([["a", "b"]], [1]), "/data: data: X", "real numbers", "an array of <U1"),
                ((np.array([["a", 1]], object), [1]), "/data: data: X", "numbers", "'a' at [0, 0]"),
                (([[1.0, 2], [3, 1j]], [1, 2]), "/data: data: X", "real numbers", "an array of complex128"),
                ((X, y + 1j), "/data: data: y", "real numbers", "an array of complex128"),
                ((np.ma.masked_equal([[1.0, 2], [3, 4]], 4), [1, 2]), "/data: data: X",
                 "no masked entries, which have no number (leave them out, or .filled(value))", "one at [1, 1]"),
                ((np.array([[0.0, 1], [2, "x"]], object), [1, 2]), "/data: data: X", "numbers", "'x' at [1, 1]"),
                ((np.full((4, 3), 2**53 + 1), y), "/data: data: X", "integers that a double holds",
                 "an array of int64 with larger ones"),
                ((np.full((4, 3), np.longdouble(1) / 3), y), "/data: data: X", "numbers that a double holds",
                 "an array of float128 with others")):
            with self.subTest(found), self.assertRaises(lagnet.ScenarioError) as refused:
                self.given(data)
            problem, = refused.exception.problems
            self.assertEqual((problem.pointer, problem.place, problem.expected, problem.found),
                             ("/data", place, expected, found))
        self.assertEqual(list(self.folder.glob("*")), [])
        for wrong in (X, (X,), (X, y, y)):
            self.assertRaises(TypeError, self.given, wrong)
        self.assertRaisesRegex(lagnet.InputError, "expected data beside it", lagnet.run, scenario(), test=(X, y))

    def test_columns_of_a_frame_that_are_not_numeric_are_refused_together_with_recipes(self):
        frame = pandas.DataFrame({"size": [0.0, 1, 2], "city": ["Ulm", "Bonn", "Trier"], "garden": ["no", "yes", "no"],
                                  "opened": pandas.to_datetime(["2024-01-01"] * 3), "rooms": [1, None, 3],
                                  "is_new": [True, False, True], "kind": pandas.Categorical(["a", "b", "c"])})
        with self.assertRaises(lagnet.ScenarioError) as refused:
            self.given((frame, [1, 2, 3]))
        self.assertEqual([(problem.place, problem.found) for problem in refused.exception.problems],
                         [("/data: data: X: column 'city'", "'Ulm' in row 0"),
                          ("/data: data: X: column 'garden'", "'no' in row 0"),
                          ("/data: data: X: column 'opened'", "'2024-01-01 00:00:00' in row 0"),
                          ("/data: data: X: column 'rooms'", "nan in row 1"),
                          ("/data: data: X: column 'kind'", "'a' in row 0")])
        recipes = [problem.expected for problem in refused.exception.problems]
        for words, recipe in zip(("get_dummies(frame, columns=['city']", "map({'no': 0, 'yes': 1})",
                                  "Timedelta(days=1)", "fillna(frame['rooms'].mean())",
                                  "get_dummies(frame, columns=['kind']"), recipes,
                                 strict=True):
            self.assertIn(words, recipe)

    def test_tests_are_read_by_the_names_of_their_columns(self):
        X, y = pandas.DataFrame(RNG.normal(size=(20, 3)), columns=["a", "b", "c"]), RNG.normal(size=20)
        losses = [lagnet.run(scenario(), data=(X, y), test=(test, y),
                             set={"record.metrics": ["test_loss"]}).frame["test_loss"]
                  for test in (X, X[["c", "a", "b"]])]
        self.assertEqual(losses[0].tolist(), losses[1].tolist())

    def test_lists_need_no_numpy(self):
        code = """if True:
            import sys
            sys.modules["numpy"] = None
            import lagnet
            path = lagnet.arrays.data_section(([[1, 0.1], [2, 3]], (0, 1)), lagnet.arrays.pathlib.Path("."))["path"]
            print(open(path).read(), end="")
        """
        self.assertEqual(self.python(code), "1.0,0.1,0.0\n2.0,3.0,1.0\n")


if __name__ == "__main__":
    import unittest
    unittest.main()
