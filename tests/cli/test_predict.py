"""`lagnet predict`: the model of a run on the samples of a file."""

import csv
import json
import pathlib
import struct

from support import Case, ROOT

HEART = str(ROOT / "scenarios/data/sets/heart_scale.libsvm")
LEARNED = {"/data": {"source": "libsvm", "path": HEART, "scaling": "minmax", "intercept": True, "test_path": HEART},
           "/problem/loss/kind": "logistic", "/record/metrics": ["test_loss", "test_accuracy"],
           "/record/model_every": 4}


class Predict(Case):
    def test_a_prediction_equals_the_recorded_one_and_the_model_by_hand(self):
        self.run_small("a", LEARNED)
        row = json.loads((self.folder / "a/summary.json").read_text())["last_row"]
        told = json.loads(self.succeeds("predict", "a", HEART, "--out", "p.csv", "--json"))
        self.assertAlmostEqual(told["loss"], row["test_loss"], delta=1e-12 * row["test_loss"])
        self.assertEqual((told["samples"], told["accuracy"]), (270, row["test_accuracy"]))
        with open(self.folder / "a/model.csv", newline="") as file:
            model = {row["feature"]: float(row["coefficient"]) for row in csv.DictReader(file)}
        self.assertEqual(len(model), 14)
        with open(self.folder / "p.csv", newline="") as file:
            predictions = list(csv.DictReader(file))
        lines = pathlib.Path(HEART).read_text().splitlines()
        self.assertEqual(len(predictions), len(lines))
        for line, said in zip(lines, predictions):
            label, *entries = line.split()
            score = model["intercept"] + sum(
                model[index] * float(value) for index, value in (entry.split(":") for entry in entries))
            self.assertAlmostEqual(score, float(said["score"]), delta=1e-12)  # a sum of 14 numbers of about 1
            self.assertEqual(float(label), float(said["label"]))
            self.assertEqual(float(said["predicted"]), 1 if score >= 0 else -1)

    def test_the_history_is_a_matrix_for_numpy_and_a_replay_compares_it(self):
        self.run_small("a", LEARNED)
        content = (self.folder / "a/model_history.npy").read_bytes()
        self.assertEqual(content[:8], b"\x93NUMPY\x01\x00")
        (length,) = struct.unpack("<H", content[8:10])
        header = content[10:10 + length].decode()
        self.assertIn("'descr': '<f8', 'fortran_order': False, 'shape': (4, 14)", header)
        self.assertEqual(len(content), 10 + length + 8 * 4 * 14)
        self.succeeds("replay", "a")
        changed = (self.folder / "a/model.csv").read_text().replace("\n1,", "\n1,9", 1)
        (self.folder / "a/model.csv").write_text(changed)
        status, out, err = self.lagnet("replay", "a")
        self.assertEqual(status, 1)
        self.assertIn("model.csv", out + err)

    def test_impossible_predictions_are_reported(self):
        self.run_small("a")
        for arguments, told in ((("a", HEART), "expected a file of samples with their labels (libsvm, csv), found "
                                 "gaussian_regression"),
                                (("nowhere", HEART), "nowhere: expected the folder of a run, found nothing"),
                                (("a", "none.txt"), "none.txt: expected a file of samples, found nothing")):
            status, out, err = self.lagnet("predict", *arguments)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(told, err)

    def test_a_damaged_model_is_reported_line_by_line(self):
        self.run_small("a", LEARNED)
        path = self.folder / "a/model.csv"
        lines = path.read_text().splitlines()
        lines[2], lines[4] = "2,x", "4"
        path.write_text("\n".join(lines))
        status, _, err = self.lagnet("predict", "a", HEART)
        self.assertEqual(status, 2, err)
        self.assertIn('model.csv:3: expected a number, found "x"', err)
        self.assertIn("model.csv:5: expected 2 fields, found 1", err)
        summary = self.folder / "a/summary.json"
        facts = json.loads(summary.read_text())
        for features in (-1, 0, 10**17):
            facts["model"]["features"] = features
            summary.write_text(json.dumps(facts))
            status, _, err = self.lagnet("predict", "a", HEART)
            self.assertEqual(status, 2, err)
            self.assertIn(f"expected the size of a model, found {features} features and 1 outputs", err)

    def train(self):
        """A model of a CSV file with a category, under the folder m."""
        rows = [f"{k},{'AB'[k % 2]},{k * k % 7},{2 * k + k % 3}\n" for k in range(20)]
        self.write("t.csv", "x,city,z,y\n" + "".join(rows))
        self.run_small("m", {"/data": {"source": "csv", "path": "t.csv", "columns": {"city": "one_hot"}},
                             "/topology/agents": 2, "/problem/regularizer": {"kind": "l2", "weight": 0.1},
                             "/algorithm/kind": "extra"})

    def test_columns_are_taken_by_their_names(self):
        self.train()
        self.write("a.csv", "x,city,z,y\n1,A,2,3\n5,B,6,7\n")
        self.write("b.csv", "y,z,city,x\n3,2,A,1\n7,6,B,5\n")
        scores = []
        for name in ("a", "b"):
            self.succeeds("predict", "m", f"{name}.csv", "--out", f"{name}-out.csv", "--quiet")
            scores.append(self.table(f"{name}-out.csv"))
        self.assertEqual(*scores)

    def test_a_wrong_file_is_wrong_input_with_its_error(self):
        self.train()
        self.run_small("other", {**LEARNED, "/stop/rounds": 4})
        good = "x,city,z,y\n1,A,2,3\n"
        files = {"missing.csv": ("x,city,y\n1,A,3\n", "expected the columns of the training samples, z"),
                 "extra.csv": ("x,city,z,w,y\n1,A,2,9,3\n",
                               "expected only columns of the training samples"),
                 "headless.csv": ("1,A,2,3\n4,B,5,6\n", "found no header"),
                 "text.csv": (good + "4,A,many,5\n", 'text.csv:3: expected a number in column 3 (z), found "many"'),
                 "category.csv": (good + "4,C,1,5\n", 'that occurs in the training samples, found "C"'),
                 "empty.csv": ("", "expected at least one sample, found none"),
                 "header.csv": ("x,city,z,y\n", "expected at least one sample, found none"),
                 "short.csv": (good + "4,A\n", "short.csv:3: expected 4 fields, found 2"),
                 "truncated.csv.gz": (b"\x1f\x8b\x08\x00\x00", "expected whole gzip data"),
                 "binary.csv": (b"x,\0\0\1\n", "found other data: byte 3 is zero"),
                 "utf16.csv": ("\ufeffx,y\n".encode("utf-16-le"), "found UTF-16"),
                 "samples.libsvm": ("1 1:2 2:3\n", "at least two columns")}
        for name, (content, told) in files.items():
            with self.subTest(name):
                self.write(name, content)
                status, out, err = self.lagnet("predict", "m", name)
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(told, " ".join(err.split()))
        (self.folder / "folder").mkdir()
        self.write("good.csv", good)
        for run, name, told in (("m", "folder", "expected a file of samples, found something else"),
                                ("m", "none.csv", "expected a file of samples, found nothing"),
                                ("other", "good.csv", "good.csv:1: expected a number as the label"),
                                ("m.json", "good.csv", "expected the folder of a run")):
            with self.subTest(run=run, name=name):
                status, out, err = self.lagnet("predict", run, name)
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(told, " ".join(err.split()))

    def test_a_file_counted_from_0_is_counted_so_though_its_first_column_is_empty(self):
        self.write("t.libsvm", "".join(f"{k % 3} 0:{k % 5 + 1} 1:{k % 7 + 1} 2:{k + 1}\n" for k in range(15)))
        self.run_small("m", {"/data": {"source": "libsvm", "path": "t.libsvm"}, "/topology/agents": 3})
        self.write("a.libsvm", "1 0:0 1:4 2:5\n")
        self.write("b.libsvm", "1 1:4 2:5\n")
        told = [json.loads(self.succeeds("predict", "m", name, "--json"))["loss"] for name in ("a.libsvm", "b.libsvm")]
        self.assertEqual(*told)
