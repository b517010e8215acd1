"""The page of a league and its picture, as files; tests/report has the page in a browser."""

import base64
import hashlib
import importlib
import json
import pathlib
import re
import shutil
import unittest
import xml.etree.ElementTree

import lagnet
from lagnet.league import drawn, page, page_model, picture
from league_case import ASKED, LeagueCase
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
        self.assertEqual(json.loads(model), json.loads(json.dumps(page_model.model(
            league.read("out"), "out", pathlib.Path("out/league.html")))))
        self.assertEqual(json.loads(model)["cells"][0]["reason"], "</script><!-- no")

    def test_a_report_of_another_form_is_refused(self):
        with self.assertRaisesRegex(lagnet.SystemFailure, "of different versions$"):
            page.filled("<html></html>", {})


class PagesOfRuns(LeagueCase):
    """Of three cells that ran: `out` has their records."""

    def setUp(self):
        super().setUp()
        if not has_reports():
            self.skipTest(WITHOUT_NPM)
        self.assertEqual(self.league(command="run", **ASKED), 0)

    def page(self, **options):
        """The status of the command."""
        return self.league(command="page", **{"out": "out/league.html", "replace": True, "quiet": True, **options})

    def cells(self, path="out/league.html"):
        """The cells that a page has, by their entry and variant, and its model."""
        [model] = re.findall(r'<script type="application/json" id="model">(.*?)</script>',
                             pathlib.Path(path).read_text(encoding="utf-8"))
        model = json.loads(model)
        return {f"{model['entries'][one['entry']]['name']}.{one['variant']}": one for one in model["cells"]}, model

    def test_chosen_cells_have_a_page_of_their_runs_which_replay(self):
        self.assertEqual(self.page(runs=["ridge/*/nids.*"], quiet=False), 0)
        self.assertEqual(self.printed.splitlines(), ["out/league.html", *(
            f"out/runs/ridge/data_center/nids.{variant}.html" for variant in ("tuned", "default"))])
        cells, model = self.cells()
        self.assertEqual({name: cell.get("page") for name, cell in cells.items()},
                         {"giant.default": None, "nids.tuned": "runs/ridge/data_center/nids.tuned.html",
                          "nids.default": "runs/ridge/data_center/nids.default.html"})
        self.assertIn("lagnet report", pathlib.Path("out", cells["nids.tuned"]["page"]).read_text(encoding="utf-8"))
        status, said, _ = self.program("replay", f"{model['runs']}/ridge/data_center/nids.tuned")
        self.assertEqual((status, said), (0, "out/runs/ridge/data_center/nids.tuned: the same, byte for byte\n"))
        # Pages that are there keep their links when the page of the league is written again.
        self.assertEqual(self.page(), 0)
        self.assertEqual(self.cells()[0], cells)
        self.assertEqual(model["command"], "lagnet league page out")

    def test_a_page_elsewhere_has_the_pages_of_runs_beside_it_and_its_command_says_where(self):
        self.assertEqual(self.page(out="my pages/all.html", runs=["*/giant.default"]), 0)
        cells, model = self.cells("my pages/all.html")
        self.assertEqual(cells["giant.default"]["page"], "runs/ridge/data_center/giant.default.html")
        self.assertTrue(pathlib.Path("my pages/runs/ridge/data_center/giant.default.html").is_file())
        self.assertEqual((model["command"], model["runs"]),
                         ("lagnet league page out -o 'my pages/all.html' --replace", "my pages/runs"))

    def test_tables_alone_have_the_same_page_and_give_the_same_runs(self):
        self.assertEqual(self.league(command="table", quiet=True), 0)
        pathlib.Path("tables").mkdir()
        for name in ("runs.csv", "levels.csv"):
            shutil.copy(f"out/{name}", "tables")
        self.assertEqual(self.page(), 0)
        self.assertEqual(self.page(folder="tables", out="tables/league.html"), 0)
        (cells, model), (others, other) = self.cells(), self.cells("tables/league.html")
        for cell in cells.values():
            cell.pop("tuning", None)  # which tables do not have
        self.assertEqual(others, cells)
        for key in ("rankings", "findings", "units", "entries", "problems", "profiles", "levels", "suite", "seeds"):
            self.assertEqual(other[key], model[key], key)
        self.assertEqual(other["command"], "lagnet league page tables")
        for folder in ("out", "tables"):
            self.assertEqual(self.page(folder=folder, out=f"{folder}/league.html", runs=["*/nids.tuned"]), 0)
        found = [pathlib.Path(folder, "runs/ridge/data_center/nids.tuned/sweep.csv").read_bytes()
                 for folder in ("out", "tables")]
        self.assertEqual(*found)

    def test_runs_that_are_not_those_of_the_record_are_refused_and_so_are_patterns_without_cells(self):
        self.assertEqual(self.page(runs=["lasso/*", "*/giant.tuned"]), 2)
        self.assertEqual(self.complained.splitlines(), [
            f"{start}--runs: expected cells that ran, such as ridge/data_center/giant.default, found none that match "
            f"{pattern}" for start, pattern in (("league: ", "lasso/*"), ("", "*/giant.tuned"))])
        self.change(self.record(), lambda document: document["runs"][1].update(trace_hash="0" * 16))
        self.assertEqual(self.page(runs=["*/nids.tuned"]), 2)
        self.assertRegex(self.complained, "ridge/data_center/nids.tuned: seed 2: expected the trace 0{16} of the "
                                          "record, found [0-9a-f]{16}; `lagnet league verify` compares")
        self.assertFalse(pathlib.Path("out/league.html").exists())


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
