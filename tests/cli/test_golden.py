"""`lagnet check`: golden scenarios give their recorded results, and a difference is named."""

import json
import os
import shutil

from support import ROOT, Case

GOLDEN = ROOT / "scenarios" / "golden"
RENEW = "if this is intended, renew the goldens: lagnet check golden --update"


class Golden(Case):
    def copy_one(self, name):
        (self.folder / "golden").mkdir()
        for ending in (".json", ".golden.json"):
            shutil.copy(GOLDEN / (name + ending), self.folder / "golden")
        return self.folder / "golden" / f"{name}.golden.json"

    def test_every_golden_is_the_same_and_none_is_missing(self):
        names = sorted(name[:-12] for name in os.listdir(GOLDEN) if name.endswith(".golden.json"))
        scenarios = [name[:-5] for name in os.listdir(GOLDEN) if name.endswith(".json") and ".golden." not in name]
        self.assertEqual(sorted(scenarios), names)
        self.assertEqual(self.succeeds("check", GOLDEN), "".join(f"same  {name}\n" for name in names))

    def test_a_changed_number_is_named_with_both_values(self):
        golden = self.copy_one("ring_huber_l1_gaussian")
        document = json.loads(golden.read_text())
        self.assertEqual(self.succeeds("check", "golden"), "same  ring_huber_l1_gaussian\n")

        column = document["runs"][0]["columns"].index("objective")
        right = document["runs"][0]["rows"][2][column]
        document["runs"][0]["rows"][2][column] = right * (1 + 1e-8)
        document["runs"][0]["totals"]["messages_sent"] += 1
        golden.write_text(json.dumps(document))
        status, out, err = self.lagnet("check", "golden")
        self.assertEqual((status, err), (1, ""))
        lines = out.splitlines()
        sent = document["runs"][0]["totals"]["messages_sent"]
        self.assertEqual(lines[0], "DIFFERS  ring_huber_l1_gaussian")
        self.assertEqual(lines[1], f"      /totals/messages_sent: expected {sent}, found {sent - 1}")
        rows, round_ = len(document["runs"][0]["rows"]), document["runs"][0]["rows"][2][0]
        self.assertTrue(lines[2].startswith(f"      objective: 1 of {rows} rows differ, first row 3 (round {round_}): "
                                            "expected "), lines[2])
        self.assertTrue(lines[2].endswith(f"found {right!r}"), lines[2])
        self.assertEqual(lines[3:], [RENEW])

        status, out, err = self.lagnet("check", "golden", "--json")
        self.assertEqual((status, err), (1, ""))
        self.assertEqual([(entry["name"], entry["same"], len(entry["differences"])) for entry in json.loads(out)],
                         [("ring_huber_l1_gaussian", False, 2)])
        total, column = json.loads(out)[0]["parts"]
        self.assertEqual(total, {"code": "value", "where": "/totals/messages_sent", "expected": str(sent),
                                 "found": str(sent - 1)})
        self.assertEqual([column[name] for name in ("code", "where", "rows", "differing", "row", "round")],
                         ["column", "objective", rows, 1, 3, round_])

    def test_a_difference_below_the_tolerance_is_not_reported(self):
        golden = self.copy_one("ring_huber_l1_gaussian")
        document = json.loads(golden.read_text())
        document["runs"][0]["rows"][2][document["runs"][0]["columns"].index("objective")] *= 1 + 1e-10
        golden.write_text(json.dumps(document))
        self.succeeds("check", "golden")
        document["relative_tolerance"] = 1e-12
        golden.write_text(json.dumps(document))
        self.assertEqual(self.lagnet("check", "golden")[0], 1)

    def with_terms(self, **terms):
        """A golden of a few columns with terms of its own."""
        golden = self.copy_one("ring_huber_l1_gaussian")
        golden.write_text(json.dumps(terms))
        self.assertEqual(self.succeeds("check", "golden", "--update"), "made  ring_huber_l1_gaussian\n")
        return golden, json.loads(golden.read_text())

    def test_a_golden_states_its_columns_and_these_alone_are_compared(self):
        terms = {"columns": ["bytes", "/totals/flops", "objective"], "tolerances": {"bytes": 0.5}}
        golden, document = self.with_terms(**terms)
        self.assertEqual({key: document[key] for key in terms}, terms)
        self.assertEqual(list(document["runs"][0]), ["totals", "columns", "rows"])
        self.assertEqual(document["runs"][0]["columns"], ["round", "bytes", "objective"])
        self.assertEqual(list(document["runs"][0]["totals"]), ["flops"])
        self.assertEqual(self.succeeds("check", "golden"), "same  ring_huber_l1_gaussian\n")
        scenario = golden.with_name("ring_huber_l1_gaussian.json")
        scenario.write_text(scenario.read_text().replace('"seed"', '"label": "another", "seed"', 1))
        self.assertEqual(self.succeeds("check", "golden"), "same  ring_huber_l1_gaussian\n")
        before = golden.read_bytes()
        self.succeeds("check", "golden", "--update")
        self.assertEqual(golden.read_bytes(), before)

    def test_tolerances_of_a_column_are_its_own_relative_and_absolute(self):
        golden, document = self.with_terms(
            columns=["bytes", "objective", "/totals/flops"],
            tolerances={"bytes": 0.01, "objective": {"relative": 0, "absolute": 0.5}, "/totals/flops": {"absolute": 9}})
        run = document["runs"][0]
        for row in run["rows"]:
            row[1] = int(row[1] * 1.009)  # an integer, within its tolerance
            row[2] += 0.49
        run["totals"]["flops"] += 9
        golden.write_text(json.dumps(document))
        self.assertEqual(self.succeeds("check", "golden"), "same  ring_huber_l1_gaussian\n")
        run["rows"][4][1] = int(run["rows"][4][1] * 1.1)
        run["rows"][3][2] += 0.02
        run["totals"]["flops"] += 1_000_000
        golden.write_text(json.dumps(document))
        status, out, _ = self.lagnet("check", "golden")
        self.assertEqual(status, 1)
        lines = out.splitlines()
        self.assertEqual([line.split(":")[0].strip() for line in lines[1:-1]], ["/totals/flops", "bytes", "objective"])
        self.assertIn("1 of ", lines[2])
        self.assertIn("first row 4 ", lines[3])
        self.assertEqual(lines[-1], RENEW)

    def test_wrong_terms_are_reported_all_at_once(self):
        golden = self.copy_one("ring_huber_l1_gaussian")
        document = json.loads(golden.read_text())
        golden.write_text(json.dumps({**document, "columns": "objective", "relative_tolerance": {"relative": 1},
                                      "absolute_tolerance": -1, "tolerances": {
            "objective": "small", "bytes": {"rel": 1}}}))
        name = "golden/ring_huber_l1_gaussian.golden.json"
        self.assertEqual(self.lagnet("check", "golden"), (2, "", (
            f'{name}: /relative_tolerance: expected a tolerance of at least 0, found {{"relative":1}}\n'
            f"{name}: /absolute_tolerance: expected a tolerance of at least 0, found -1\n"
            f'{name}: /tolerances/objective: expected a tolerance of at least 0, found "small"\n'
            f"{name}: /tolerances/bytes/rel: expected relative or absolute, found rel\n"
            f'{name}: /columns: expected a list of names, found "objective"\n')))
        golden.write_text(json.dumps({**document, "columns": ["objektive"], "tolerances": {"/totals/flop": 1}}))
        before = golden.read_bytes()
        what = "expected a column of progress.csv or a pointer into the summary of a run, found"
        for words in ([], ["--update"]):
            self.assertEqual(self.lagnet("check", "golden", *words), (2, "", (
                f"{name}: /tolerances: {what} /totals/flop\n{name}: /columns: {what} objektive\n")))
        self.assertEqual(golden.read_bytes(), before)

    def test_a_changed_trace_hash_is_named(self):
        golden = self.copy_one("sweep_rotated")
        document = json.loads(golden.read_text())
        right = document["runs"][5]["trace_hash"]
        document["runs"][5]["trace_hash"] = "0" * 16
        golden.write_text(json.dumps(document))
        line = f'point 005: /trace_hash: expected "{"0" * 16}", found "{right}"'
        self.assertEqual(self.lagnet("check", "golden"), (1, f"DIFFERS  sweep_rotated\n      {line}\n{RENEW}\n", ""))

    def test_a_missing_golden_is_a_difference_until_it_is_made(self):
        golden = self.copy_one("ring_huber_l1_gaussian")
        whole = golden.read_bytes()
        golden.unlink()
        line = "ring_huber_l1_gaussian.golden.json is missing: `lagnet check golden --update` writes it"
        self.assertEqual(self.lagnet("check", "golden"), (1, f"DIFFERS  ring_huber_l1_gaussian\n      {line}\n", ""))
        self.assertEqual(self.succeeds("check", "golden", "--update"), "made  ring_huber_l1_gaussian\n")
        self.assertEqual(golden.read_bytes(), whole)

    def test_results_of_a_run_get_no_golden(self):
        self.succeeds("run", GOLDEN / "ring_huber_l1_gaussian.json", "--out", "results", "--quiet")
        files = sorted(os.listdir(self.folder / "results"))
        self.assertEqual(self.lagnet("check", "results", "--update"),
                         (2, "", "check: --update has no effect on results: only golden scenarios have goldens\n"))
        self.assertEqual(sorted(os.listdir(self.folder / "results")), files)

    def test_a_golden_without_its_scenario_is_reported(self):
        golden = self.copy_one("ring_huber_l1_gaussian")
        golden.with_name("old.golden.json").write_bytes(golden.read_bytes())
        self.assertEqual(self.lagnet("check", "golden"), (1, (
            "same  ring_huber_l1_gaussian\nDIFFERS  old\n"
            "      expected the scenario old.json of its golden, found none\n"), ""))

    def test_invalid_goldens_are_wrong_input(self):
        golden = self.copy_one("ring_huber_l1_gaussian")
        golden.write_text("{")
        line = ("golden/ring_huber_l1_gaussian.golden.json: expected a golden as `lagnet check golden --update` "
                "writes it, found no JSON: line 1, column 2: expected string literal, found end of input")
        self.assertEqual(self.lagnet("check", "golden"), (2, "", line + "\n"))
        (self.folder / "empty").mkdir()
        self.assertEqual(self.lagnet("check", "empty"),
                         (2, "", "empty: expected golden scenarios (NAME.json), found none\n"))
        self.assertEqual(self.lagnet("check", "absent"),
                         (2, "", "absent: expected a folder of golden scenarios, found none\n"))
