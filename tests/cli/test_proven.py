"""`lagnet list algorithms --proven`: the table of proofs in algorithms/README.md."""

import json
import unittest

from support import ROOT, Case


class Proven(Case):
    def test_list_prints_what_is_proven_of_each_algorithm_as_the_table_of_proofs_has_it(self):
        table = (ROOT / "algorithms/README.md").read_text()
        rows = {line.split("`")[1]: line.split("|")[2:-1] for line in table.splitlines() if line.startswith("| `")}
        found = {one["kind"]: one for one in json.loads(self.succeeds("list", "algorithms", "--proven", "--json"))[
            "algorithms"]}
        self.assertEqual({kind: one["held"] for kind, one in found.items()},
                         {kind: rows[kind].count(" x ") for kind in found})
        listed = [one["kind"] for one in json.loads(self.succeeds("list", "algorithms", "--json"))["algorithms"]]
        self.assertEqual(set(found), set(listed) - {"python"},
                         "lagnet prove --all --table algorithms/README.md writes the table again")
        for kind, one in found.items():
            verdicts = [each["verdict"] for each in one["properties"]]
            self.assertEqual(verdicts, [{" x ": "held", "   ": "refused"}[cell] for cell in rows[kind]])
            self.assertEqual([one[what] for what in ("held", "refused", "failed")],
                             [verdicts.count(what) for what in ("held", "refused", "failed")])
            self.assertIn(f"1. {one['properties'][0]['sentence']}\n", table)
        extra = found["extra"]
        self.assertRegex(self.succeeds("list", "algorithms", "--proven"),
                         rf"\n  extra +{extra['held']} held, {extra['refused']} refused, 0 failed\n")

    def test_proven_is_refused_without_algorithms(self):
        for what in ([], ["topologies"]):
            status, out, err = self.lagnet("list", *what, "--proven")
            self.assertEqual((status, out), (2, ""))
            self.assertIn("--proven has no effect without the list algorithms", err)


if __name__ == "__main__":
    unittest.main()
