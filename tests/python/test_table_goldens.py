"""lagnet.testing.golden: goldens of anything that has columns."""

import json
import os
import pathlib
from unittest import mock

import lagnet
import numpy
import pandas
from support import Case, changed
from lagnet.testing.golden import VARIABLE, GoldenDiffers, golden

TABLE = {"round": [0, 1, 2], "value": [1.0, 0.5, 0.25], "name": ["a", "b", "c"]}


class TableGoldens(Case):
    def differs(self, what, path="t.golden.json", **options):
        with self.assertRaises(GoldenDiffers) as caught:
            golden(what, path, **options)
        return str(caught.exception).split("\n")

    def test_a_mismatch_names_column_count_row_both_numbers_and_the_renewal(self):
        golden(TABLE, "t.golden.json", update=True)
        golden(TABLE, "t.golden.json")
        self.assertEqual(self.differs({**TABLE, "value": [1.0, 0.6, 0.3]}), [
            "DIFFERS  t.golden.json",
            "      value: 2 of 3 rows differ, first row 2 (round 1): expected 0.5, found 0.6",
            f"      if this is intended: run this again with {VARIABLE}=1 in the environment"])
        self.assertEqual(self.differs({"round": [0], "value": [1.0]}, renew="pytest --again"), [
            "DIFFERS  t.golden.json", "      rows: expected 3, found 1", "      name: gone",
            "      if this is intended: pytest --again"])

    def test_results_frames_and_files_are_compared_alike(self):
        result = lagnet.run(changed({}), out="runs/one")
        golden(result, "r.golden.json", columns=["round", "objective", "messages"], update=True)
        for same in (result, "runs/one", "runs/one/progress.csv", result.frame, result.rows(),
                     {name: result.frame[name] for name in ("round", "objective", "messages")}):
            golden(same, "r.golden.json")
        other = lagnet.run(changed({"/algorithm/step": 0.01}))
        lines = self.differs(other, "r.golden.json")
        self.assertRegex(lines[1], r"^      objective: 12 of 13 rows differ, first row 2 \(round 1\): expected [\d.]+, "
                                   r"found [\d.]+$")
        self.assertEqual(len(lines), 3)
        sweep = lagnet.sweep(changed({}), seeds=[1, 2])
        golden(sweep, "s.golden.json", columns=["point", "objective"], update=True)
        golden(sweep, "s.golden.json")

    def test_tolerances_are_those_of_the_golden_by_column(self):
        golden(TABLE, "t.golden.json", rtol=1e-3, tolerances={"round": {"absolute": 1, "relative": 0}}, update=True)
        golden({**TABLE, "value": [1.0009, 0.5, 0.25]}, "t.golden.json")
        golden({**TABLE, "round": [1, 2, 1]}, "t.golden.json")
        self.assertEqual(len(self.differs({**TABLE, "value": [1.0011, 0.5, 0.25]})), 3)
        self.assertIn("round: 1 of 3 rows differ, first row 3", self.differs({**TABLE, "round": [0, 1, 4]})[1])
        document = json.loads(pathlib.Path("t.golden.json").read_text())
        self.assertEqual((document["relative_tolerance"], document["tolerances"]),
                         (1e-3, {"round": {"absolute": 1, "relative": 0}}))
        # What the call states must be what the golden states; an update without words keeps it.
        self.assertEqual(self.differs(TABLE, rtol=1e-6)[1], "      relative_tolerance: expected 0.001, found 1e-06")
        self.assertEqual(self.differs(TABLE, columns=["value"])[1],
                         "      columns: expected ['round', 'value', 'name'], found ['value']")
        golden({**TABLE, "value": [2.0, 2.0, 2.0]}, "t.golden.json", update=True)
        self.assertEqual(json.loads(pathlib.Path("t.golden.json").read_text())["relative_tolerance"], 1e-3)

    def test_integers_and_texts_are_exact_and_nothing_equals_nothing(self):
        golden({"n": [10**9], "t": ["x"], "none": [float("nan")]}, "t.golden.json", rtol=0.5, update=True)
        golden(pandas.DataFrame({"n": [10**9], "t": ["x"], "none": [numpy.nan]}), "t.golden.json")
        lines = self.differs({"n": [10**9 + 1], "t": ["y"], "none": [0.0]})
        self.assertEqual([line.split(":")[0].strip() for line in lines[1:-1]], ["n", "t", "none"])
        self.assertIn("expected nothing, found 0.0", lines[3])

    def test_the_variable_renews_and_a_missing_golden_fails(self):
        self.assertEqual(self.differs(TABLE)[1], "      t.golden.json: missing")
        self.assertFalse(pathlib.Path("t.golden.json").exists())
        with mock.patch.dict(os.environ, {VARIABLE: "1"}):
            golden(TABLE, "t.golden.json")
        golden(TABLE, "t.golden.json")
        self.assertEqual(os.listdir(), ["t.golden.json"])

    def test_wrong_words_and_files_are_refused(self):
        for text, options in [("columns: expected some of round, value, name, found other", {"columns": ["other"]}),
                              ("tolerances: expected some of the columns", {"tolerances": {"other": 1}}),
                              ("tolerances: value: relative: expected a tolerance of at least 0, found -1",
                               {"tolerances": {"value": -1}}),
                              ("tolerances: value: expected relative and absolute, found rel",
                               {"tolerances": {"value": {"rel": 1}}})]:
            with self.subTest(text), self.assertRaisesRegex(lagnet.InputError, text):
                golden(TABLE, "t.golden.json", update=True, **options)
        self.assertEqual(os.listdir(), [])
        for text, content in [("found no JSON", "{"), ("found no columns and rows", "{}"),
                              ("found the key more", '{"columns": [], "rows": [], "more": 1}'),
                              ("a cell for each column", '{"columns": ["a"], "rows": [[]]}')]:
            pathlib.Path("t.golden.json").write_text(content)
            with self.subTest(text), self.assertRaisesRegex(lagnet.InputError, text):
                golden(TABLE, "t.golden.json")
        with self.assertRaisesRegex(lagnet.InputError, "expected columns of one length, found a with 1, b with 2"):
            golden({"a": [1], "b": [1, 2]}, "t.golden.json")


if __name__ == "__main__":
    import unittest
    unittest.main()
