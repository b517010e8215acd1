"""`lagnet report`: its errors, and the size of pages. Their content is tested in a browser (tests/report)."""

import csv
import json
import math
import os
import re
import shutil
import unittest

from support import Case

NO_ICON = '<link rel="icon" href="data:,">'  # so that a browser asks the server of a page for none
WITHOUT_NPM = "this build of lagnet has no reports"


class Report(Case):
    def setUp(self):
        super().setUp()
        self.run_small("run")
        status, _, err = self.lagnet("report", "run", "-o", "first.html")
        if WITHOUT_NPM in err:
            self.assertEqual(status, 2)
            self.skipTest(WITHOUT_NPM)

    def refuses(self, message, *arguments, **options):
        before = self.tree()
        status, out, err = self.lagnet("report", *arguments, **options)
        self.assertEqual((status, out), (2, ""), err)
        self.assertRegex(err, message)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertEqual(self.tree(), before)

    def test_a_page_is_one_file_that_names_no_other(self):
        out = self.succeeds("report", "run", "-o", "page.html")
        page = (self.folder / "page.html").read_bytes().decode()
        self.assertEqual(out, f"page.html: 1 run, {len(page.encode())} bytes\n")
        # The notices of the chart library name addresses in their text; no element does.
        before_scripts = page.split("<script", 1)[0].replace(NO_ICON, "")
        self.assertEqual(re.findall(r"<(?:link|img|iframe|script[^>]* src)[^>]*>", before_scripts), [])
        self.assertEqual(page.count("</script>"), 3)
        self.assertIn("Apache ECharts", page)
        self.assertEqual(json.loads(self.succeeds("report", "run", "--json")),
                         {"file": "report.html", "bytes": (self.folder / "report.html").stat().st_size, "runs": 1})

    def test_the_same_folders_give_the_same_page(self):
        pages = []
        for _ in range(2):
            self.succeeds("report", "run", "--quiet")
            pages.append((self.folder / "report.html").read_bytes())
        self.assertEqual(pages[0], pages[1])

    def test_runs_of_folders_of_different_depth_differ_in_their_seed_alone(self):
        data = self.write("data.csv", "".join(",".join(str(k % n) for n in range(2, 11)) + "\n" for k in range(20)))
        (self.folder / "far/away").mkdir(parents=True)
        source = {"/data": {"source": "csv", "path": str(data), "header": "absent"}}
        self.run_small("one", source)
        self.run_small("far/away/two", source, "--set", "/seed=2")
        self.succeeds("report", "one", "far/away/two", "--quiet")
        page = (self.folder / "report.html").read_text()
        model = json.loads(re.search('id="model">(.*?)</script>', page, re.S)[1])
        self.assertEqual(model["differences"], [{"pointer": "/seed", "values": ["1", "2"]}])
        self.assertEqual(model["groups"], [{"runs": [0, 1], "label": "fd_primal_dual"}])

    def test_wrong_folders_are_reported_in_one_line(self):
        self.write("empty.txt", "")
        (self.folder / "other").mkdir()
        self.refuses("^none: expected the folder of a run or a sweep, found nothing$", "none")
        self.refuses("^empty.txt: expected the folder of a run or a sweep, found a file$", "empty.txt")
        self.refuses("^other: expected the folder of a run or a sweep, found an empty folder$", "other")
        self.refuses("^run: given twice$", "run", "run")
        shutil.copytree(self.folder / "run", self.folder / "broken")
        self.write("broken/summary.json", "{}")
        self.refuses("^broken/summary.json: ", "broken")

    def test_damaged_files_are_reported_by_name(self):
        for name, content, message in [
                ("agents.csv", "agent,bytes_sent\n0,many\n", "^run/agents.csv:2: .*found \"?many"),
                ("links.csv", "from,to\n0\n", "^run/links.csv:2: "),
                ("timeline.json", '{"traceEvents":[\n{"ph":"X","ts":\n', "^run/timeline.json:2: expected an event")]:
            path = self.folder / "run" / name
            before = path.read_bytes() if path.exists() else None
            path.write_text(content)
            self.refuses(message, "run")
            if before is None:
                path.unlink()
            else:
                path.write_bytes(before)

    def test_contradicting_options_are_reported(self):
        self.refuses("--format svg: expected --figure with one of convergence, .*, found none", "run", "--format",
                     "svg")
        self.refuses("--figure: expected --format svg, png or pdf", "run", "--figure", "links")
        self.refuses("expected one of .*, found link; did you mean links", "run", "--figure", "link", "--format", "svg")
        self.refuses("--to-s: expected more than --from-s, 2, found 1", "run", "--from-s", "2", "--to-s", "1")
        for option in ("--from-s", "--to-s", "--width-mm"):
            self.assertIn(f"{option}: Value nan is not a finite number", self.lagnet("report", "run", option, "nan")[2])
        self.assertIn("--from-s: Value -1 is not a number at least 0\n",
                      self.lagnet("report", "run", "--from-s", "-1")[2])
        self.refuses("--panel: expected --format svg, png or pdf", "run", "--panel", "1")
        self.refuses("--panel: expected no --figure beside it, found costs", "run", "--panel", "1", "--figure", "costs",
                     "--format", "svg")
        self.refuses("expected KEY=VALUE, found y", "run", "--figure", "costs", "--format", "svg", "--choose", "y")
        self.refuses("--width-mm: expected --figure and --format beside it, found html", "run", "--width-mm", "60")
        self.refuses("-o: expected a file, found the folder run", "run", "-o", "run")
        self.refuses("^none/page.html: cannot be written: No such file or directory$", "run", "-o", "none/page.html")
        status, _, err = self.lagnet("report", "run", "--format", "gif")
        self.assertEqual(status, 2)
        self.assertIn("html", err)

    def test_a_missing_program_is_named_with_its_package(self):
        nowhere = {**os.environ, "PATH": str(self.folder)}
        self.refuses("needs the program node, which was not found; on Debian: apt-get install nodejs", "run",
                     "--figure", "costs", "--format", "svg", env=nowhere)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_unknown_choices_of_a_figure_are_reported(self):
        figure = ["run", "--figure", "convergence", "--format", "svg", "--choose"]
        self.refuses("^report: convergence: expected a choice of y, logY, x, logX, found z$", *figure, "z=1")
        self.refuses("^report: convergence: logY: expected one of true, false, found maybe$", *figure, "logY=maybe")
        for what in (["--panel", "1"], ["--figure", "panels"]):
            self.refuses("expected one of the 0 panels of the scenario", "run", *what, "--format", "svg")
        self.refuses("^report: timeline: run: No timeline was recorded", "run", "--figure", "timeline", "--format",
                     "svg")

    @unittest.skipUnless(shutil.which("node") and shutil.which("rsvg-convert"), "node or rsvg-convert is not installed")
    def test_figures_have_the_width_asked_for(self):
        figure = ["report", "run", "--figure", "convergence", "--quiet", "--width-mm", "100"]
        self.succeeds(*figure, "--format", "png")
        self.succeeds(*figure, "--format", "pdf")
        # 100 mm are 378 dots of 96 an inch, to a whole one; PNG has 600 dots an inch, PDF 72 points.
        png = (self.folder / "convergence.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertAlmostEqual(int.from_bytes(png[16:20], "big"), 378 / 96 * 600, delta=1)  # to a whole dot
        pdf = (self.folder / "convergence.pdf").read_bytes()
        self.assertEqual(pdf[:5], b"%PDF-")
        width = float(re.search(rb"/MediaBox \[ ?0 0 ([0-9.]+)", pdf)[1])
        self.assertAlmostEqual(width, 378 / 96 * 72, delta=0.01)  # numbers of a PDF have few decimals

    def test_ten_runs_of_ten_thousand_rounds_are_below_three_megabytes(self):
        """The runs are copies of a small one with long tables, whose numbers have as many digits as they can."""
        with open(self.folder / "run" / "progress.csv", newline="", encoding="utf-8") as file:
            header = next(csv.reader(file))
        folders = []
        for seed in range(1, 11):
            folder = self.folder / f"run{seed}"
            shutil.copytree(self.folder / "run", folder)
            with open(folder / "progress.csv", "w", newline="", encoding="utf-8") as file:
                rows = csv.writer(file, lineterminator="\n")
                rows.writerow(header)
                for round_ in range(10_001):
                    rows.writerow([round_] + [abs(math.sin(round_ * (k + 1) + seed)) * 10.0 ** (k % 7 - 3)
                                              for k in range(1, len(header))])
            summary = json.loads((folder / "summary.json").read_text())
            summary["stop"]["round"] = 10_000
            (folder / "summary.json").write_text(json.dumps(summary))
            folders.append(folder.name)
        self.succeeds("report", *folders, "--quiet")
        self.assertLess((self.folder / "report.html").stat().st_size, 3_000_000)
