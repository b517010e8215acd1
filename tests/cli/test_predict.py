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
    def test_a_prediction_is_what_the_run_recorded_and_can_be_computed_from_the_model_by_hand(self):
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

    def test_what_cannot_be_predicted_is_told(self):
        self.run_small("a")
        for arguments, told in ((("a", HEART), "expected a file of samples with their labels (libsvm, csv), found "
                                 "gaussian_regression"),
                                (("nowhere", HEART), "nowhere: expected the folder of a run, found nothing"),
                                (("a", "none.txt"), "none.txt: expected a file of samples, found nothing")):
            status, out, err = self.lagnet("predict", *arguments)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(told, err)

    def test_a_damaged_model_is_told_line_by_line(self):
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
