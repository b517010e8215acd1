"""The page of a league and its picture, as files; tests/report has the page in a browser."""

import base64
import hashlib
import importlib
import json
import pathlib
import re
import unittest
import xml.etree.ElementTree

import lagnet
from lagnet.league import drawn, page, page_model, picture
from support import WITHOUT_NPM, Case, has_reports

league = importlib.import_module("lagnet.league")
SVG = "{http://www.w3.org/2000/svg}"


def scripts_of(text):
    return re.findall(r"<script>(.*?)</script>", text, re.DOTALL)


class Page(Case):
    def setUp(self):
        super().setUp()
        if not has_reports():
            self.skipTest(WITHOUT_NPM)

    def test_two_writings_give_the_same_bytes_beside_the_records(self):
        drawn.write("out")
        [path] = page.write("out")
        first = path.read_bytes()
        self.assertEqual(path, pathlib.Path("out/league.html"))
        self.assertEqual(page.write("out"), [path])
        self.assertEqual(path.read_bytes(), first)

    def test_a_file_with_other_content_is_kept_unless_it_is_to_be_replaced(self):
        drawn.write("out", problems=1, profiles=1, entries=1)
        for name in ("mine.html", "mine.svg"):
            pathlib.Path(name).write_text("mine")
        with self.assertRaisesRegex(lagnet.InputError, "^mine.html: expected no file with other content, found one; "
                                                       "--replace replaces it$"):
            page.write("out", "mine.html")
        with self.assertRaisesRegex(lagnet.InputError, "^mine.svg: expected no file with other content"):
            page.write("out", "other.html", svg="mine.svg")
        self.assertEqual(sorted(path.name for path in pathlib.Path().iterdir() if path.is_file()),
                         ["mine.html", "mine.svg"])
        page.write("out", "mine.html", replace=True, svg="mine.svg")
        self.assertIn("lagnet league", pathlib.Path("mine.html").read_text(encoding="utf-8"))
        self.assertTrue(pathlib.Path("mine.svg").read_text(encoding="utf-8").startswith("<svg "))

    def test_the_policy_lets_run_the_scripts_of_the_page_and_no_others(self):
        drawn.write("out", problems=1, profiles=1, entries=1)
        text = page.write("out")[0].read_text(encoding="utf-8")
        hashes = re.search(r"script-src ([^;]*);", text)[1].split()
        found = [f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'"
                 for one in scripts_of(text)]
        self.assertEqual(len(found), 2)
        self.assertEqual(hashes, found)
        self.assertNotIn("lagnet report<", text)

    def test_the_model_on_the_page_is_the_model_and_ends_no_script(self):
        documents = dict(drawn.documents(1, 1, 1, 1))
        document = documents["records/problem_1/network_1/entry_1.tuned.json"]
        document.update(status="refused", reason="</script><!-- no", runs=[], tuning=None)
        drawn.write("out", problems=1, profiles=1, entries=1, seeds=1)
        pathlib.Path("out/records/problem_1/network_1/entry_1.tuned.json").write_text(json.dumps(document))
        text = page.write("out")[0].read_text(encoding="utf-8")
        [model] = re.findall(r'<script type="application/json" id="model">(.*?)</script>', text)
        self.assertEqual(json.loads(model), json.loads(json.dumps(page_model.model(league.read("out"), "out"))))
        self.assertEqual(json.loads(model)["cells"][0]["reason"], "</script><!-- no")

    def test_a_report_of_another_form_is_refused(self):
        with self.assertRaisesRegex(lagnet.SystemFailure, "of different versions$"):
            page.filled("<html></html>", {})


class Picture(unittest.TestCase):
    def test_the_picture_has_a_curve_for_each_entry_that_ends_at_its_share(self):
        made = drawn.league(problems=4, profiles=3, entries=9, seeds=3)
        profile = league.performance_profile(made)
        text = picture.performance_profiles(made)
        self.assertEqual(text, picture.performance_profiles(made))
        drawing = xml.etree.ElementTree.fromstring(text)
        self.assertRegex(drawing.get("aria-label"), rf"^Performance profiles of {len(profile.curves)} methods over "
                                                    rf"{len(profile.instances)} pairs of problem and network, ")
        names = picture.named(profile)
        words = [one.text for one in drawing.iter(f"{SVG}text")]
        self.assertEqual(words[:len(names)], names)
        lines = [one for one in drawing.iter(f"{SVG}path") if "V" in one.get("d") and "H" in one.get("d")
                 and float(one.get("stroke-width")) > 1]
        top = min(float(y) for one in drawing.iter(f"{SVG}path")
                  for y in re.findall(r"^M64 ([\d.]+)H631$", one.get("d")))
        ends = sorted(round((picture.BOTTOM - self.height(one)) / (picture.BOTTOM - top), 2) for one in lines)
        self.assertEqual(ends, sorted(round(profile.share(name, 99.99), 2) for name in names
                                      if 1 < max(place for place, _ in profile.curves[name])))

    @staticmethod
    def height(line):
        """Where a curve ends."""
        return float(re.findall(r"(?:V|^M[\d.]+ )([\d.]+)", line.get("d"))[-1])

    def test_a_league_that_nobody_solves_has_a_picture_without_curves(self):
        made = drawn.league(problems=1, profiles=1, entries=1, seeds=1)
        text = picture.performance_profiles(made)
        self.assertEqual(league.performance_profile(made).instances, ())
        self.assertIn("over 0 pairs of problem and network", xml.etree.ElementTree.fromstring(text).get("aria-label"))


if __name__ == "__main__":
    unittest.main()
