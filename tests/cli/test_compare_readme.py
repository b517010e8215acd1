"""The commands of tools/README.md for comparing and reporting runs print what the page shows."""

import pathlib
import shlex
import shutil
import subprocess

from support import ROOT, Case

PAGE = (ROOT / "tools/README.md").read_text(encoding="utf-8")


class CompareReadme(Case):
    """The commands of the section on comparing, in a folder from which the scenarios are seen."""

    def setUp(self):
        super().setUp()
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")
        self.lines = self.lines_of("Comparing")

    def lines_of(self, title):
        section = PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
        return [line[4:] for line in section.splitlines() if line.startswith("    ")]

    def commands(self):
        return [shlex.split(line)[1:] for line in self.lines if line.startswith("lagnet ")]

    def line_with(self, text):
        """The code of the one line that has the text, without its comment."""
        (line,) = [line for line in self.lines if text in line]
        return line.split("  #")[0].strip()

    def test_compare_prints_the_shown_output(self):
        *runs, compare = self.commands()
        self.assertEqual(len(runs), 2)
        for arguments in runs:
            self.succeeds(*arguments, "--quiet")
        printed = self.succeeds(*compare).splitlines()
        shown = [line for line in self.lines if not line.startswith(("lagnet ", "pandas", "read.csv", "CSV.read"))]
        self.assertGreater(len(shown), 10)
        for line in shown:
            if line.strip() != "...":
                self.assertIn(line, printed)

        progress = self.table("runs/plain/000/progress.csv")
        rounds = [int(row["round"]) for row in progress]
        self.check_pandas(rounds, [float(row["relative_error"]) for row in progress])
        self.check_other("Rscript", ["-e", f'cat(nrow({self.line_with("read.csv(")}))'], rounds, "R")
        self.check_other("julia", ["-e", f'using CSV, DataFrames; print(nrow({self.line_with("CSV.read(")}))'], rounds,
                         "Julia")

        reports = [shlex.split(line)[1:] for line in self.lines_of("A report")]
        self.assertEqual([words[0] for words in reports], ["report", "report", "reproduce", "report"])
        for words in reports[:2]:  # a paper's figure takes minutes; tests/report draws panels
            self.check_report(words)

    def check_report(self, words):
        with self.subTest(words=words):
            status, out, err = self.lagnet(*words)
            for missing in ("this build of lagnet has no reports", "is not installed"):
                if missing in err:
                    self.skipTest(f"that a report is written is not tested: {err}")
            self.assertEqual((status, err), (0, ""))
            self.assertTrue((self.folder / words[-1]).stat().st_size > 1000, out)

    def check_pandas(self, rounds, errors):
        with self.subTest("pandas"):
            try:
                import pandas
            except ImportError:
                self.skipTest("pandas is not installed: that its lines work is not tested")
            names = {"pandas": pandas, "pathlib": pathlib}

            def value_of(line):
                return eval(line.replace('"runs/', f'"{self.folder}/runs/'), names)  # the page's own line

            one = value_of(self.line_with('set_index("round")'))
            self.assertEqual(list(one.index), rounds)
            for value, error in zip(one, errors, strict=True):
                self.assertAlmostEqual(value, error, delta=1e-12 * abs(error))  # pandas reads about 13 digits
            sweep = value_of(self.line_with("pandas.concat"))
            self.assertEqual(sorted(set(sweep.index.get_level_values("point"))), [f"00{k}" for k in range(5)])
            self.assertEqual(list(sweep.loc["000"]["round"]), rounds)

    def check_other(self, program, arguments, rounds, language):
        with self.subTest(language):
            found = shutil.which(program)
            if found is None:
                self.skipTest(f"{program} is not installed: that the line in {language} works is not tested")
            run = subprocess.run([found, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120,
                                 check=False)
            if "CSV not found" in run.stderr or "DataFrames not found" in run.stderr:
                self.skipTest("Julia has no CSV and DataFrames: that the line in Julia works is not tested")
            self.assertEqual((run.returncode, run.stdout), (0, str(len(rounds))), run.stderr)
