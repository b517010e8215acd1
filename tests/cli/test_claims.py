"""What scenarios expect of their results: `lagnet check` on result folders, and `lagnet reproduce`."""

import json
import re
import shutil
import subprocess
import sys
import unittest

from support import PROGRAM, ROOT, SMALL, Case, changed

EXPECT = [
    {"kind": "order", "statement": "more agents are slower", "metric": "relative_error", "over": "/topology/agents"},
    {"kind": "bound", "statement": "the last round is 12", "metric": "round", "combine": "mean", "at_least": 12,
     "at_most": 12},
]
SWEPT = changed(SMALL, {"/sweep": {"/topology/agents": [3, 7]}, "/expect": EXPECT})


class Claims(Case):
    def test_a_sweep_is_checked_against_its_claims(self):
        """The verdicts are those of the numbers in sweep.csv."""
        self.write("s.json", SWEPT)
        self.lagnet("run", "s.json", "--out", "out")
        errors = [float(row["relative_error"]) for row in self.table("out/sweep.csv")]
        status, out, _ = self.lagnet("check", "out", "--json")
        self.assertEqual(status, 0 if errors[0] < errors[1] else 1)
        claims = json.loads(out)["claims"]
        self.assertEqual([claim["holds"] for claim in claims], [errors[0] < errors[1], True])
        self.assertEqual(claims[0]["measured"], f"3: {errors[0]:.4g}, 7: {errors[1]:.4g}")

    def test_statements_that_others_wrote_are_shown_and_do_nothing_else(self):
        for control in ("wiped \x1b[2J\x1b]0;title\x07", "\x9b"):
            self.write("s.json", changed(SWEPT, {"/expect": [{**EXPECT[1], "statement": control, "source": control}]}))
            status, out, err = self.lagnet("run", "s.json", "--out", "out")
            self.assertEqual((status, out), (2, ""))
            for key in ("statement", "source"):
                self.assertIn(f"s.json: /expect/0/{key}: expected a text without control characters", err)
            self.assertNotRegex(err, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        hostile = "<script>alert(1)</script> [a](b) | & "
        self.write("s.json", changed(SWEPT, {"/expect": [{**EXPECT[1], "statement": hostile, "source": hostile}]}))
        self.lagnet("run", "s.json", "--out", "out", "--quiet")
        plain = self.lagnet("check", "out")[1]
        self.assertIn("<script>", plain)
        for line in (plain, self.lagnet("check", "out", "--markdown")[1]):
            self.assertNotRegex(line, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        row = self.lagnet("check", "out", "--markdown")[1].splitlines()[-1]
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt; \\[a\\](b) \\| &amp; ", row)
        self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), 5)

    def test_nothing_is_expected_of_other_data_than_those_of_the_scenario(self):
        self.write("s.json", changed(SWEPT, {"/description": "two sizes"}))
        for setting, is_other in (("stop.rounds=12", False), ("data.samples=20", False), ("data.samples=21", True),
                                  ("problem.regularizer.weight=0.02", True)):
            self.succeeds("run", "s.json", "--out", "out", "--replace", "--quiet", "--set", setting)
            scenario = json.loads((self.folder / "out/scenario.json").read_text())
            self.assertEqual("expect" not in scenario, is_other, setting)
            self.assertEqual(scenario["description"], "two sizes" + (
                "; what the scenario expects is said of other data and left out" if is_other else ""))

    def test_a_statement_that_fails_is_a_failed_comparison(self):
        self.write("s.json", changed(SWEPT, {"/expect": [dict(EXPECT[1], at_least=13, at_most=14)]}))
        self.lagnet("run", "s.json", "--out", "out")
        status, out, _ = self.lagnet("check", "out")
        self.assertEqual(status, 1)
        self.assertIn("FAILS  the last round is 12", out)

    def test_a_statement_known_to_fail_fails_nothing_and_is_marked_when_it_holds(self):
        wrong = dict(EXPECT[1], at_least=13, at_most=14, known_to_fail="there are 12 rounds")
        self.write("s.json", changed(SWEPT, {"/expect": [wrong, dict(EXPECT[1], known_to_fail="it was so")]}))
        self.lagnet("run", "s.json", "--out", "out")
        status, out, _ = self.lagnet("check", "out")
        self.assertEqual(status, 0)
        self.assertIn("known  the last round is 12", out)
        self.assertIn("known to fail: there are 12 rounds", out)
        self.assertIn("HOLDS  the last round is 12", out)
        self.assertIn("1 of 2 statements hold", out)
        status, out, _ = self.lagnet("check", "out", "--markdown")
        self.assertEqual(status, 0)
        self.assertIn("| the last round is 12 |  | 12 | no, as known: there are 12 rounds |", out)

    def test_a_papers_figure_is_run_and_compared_with_its_statements(self):
        status, out, err = self.lagnet("reproduce", "yu2017/digits", "--jobs", "1")
        self.assertEqual(status, 0, err)
        self.assertIn("1 of 1 statements hold in one draw, that of seed 1", out)
        self.assertIn("results in runs/yu2017/digits", out)
        self.assertEqual(len(self.table("runs/yu2017/digits/sweep.csv")), 18)

    def test_runs_that_diverge_or_stand_still_are_no_failure_where_that_is_stated(self):
        for what, seen in (("mishchenko2020/delays", "aggregated gradients diverge"),
                           ("xie2019/losses", "without repair all clients are silent")):
            status, out, err = self.lagnet("reproduce", what, "--jobs", "1")
            self.assertEqual(status, 0, err)
            self.assertIn(seen, out)
            self.assertIn("hold, over 3 draws", out)
        facts = json.loads((self.folder / "runs/xie2019/losses/sweep.json").read_text())
        self.assertGreater(facts["failed"], 0)

    def test_statements_are_decided_over_draws(self):
        """A share of seeds with its interval, and the median of the deciding number with its range."""
        status, out, err = self.lagnet("reproduce", "yu2017/digits", "--jobs", "1", "--seeds", "3", "--set",
                                       "seed=7", "--set", "stop.rounds=200")
        self.assertEqual(status, 0, err)
        self.assertIn("holds in: 3 of 3 draws (95 %: 29 % .. 100 %)", out)
        self.assertRegex(out, r"measured: ratio [0-9.]+ \([0-9.]+ \.\. [0-9.]+\)")
        self.assertIn("1 of 1 statements hold, over 3 draws", out)
        rows = self.table("runs/yu2017/digits-seeds-3/sweep.csv")
        self.assertEqual({row["seed"] for row in rows}, {"7", "8", "9"})
        claim = json.loads(self.succeeds("check", "runs/yu2017/digits-seeds-3", "--json"))["claims"][0]
        self.assertEqual([draw["seeds"] for draw in claim["draws"]], [[7], [8], [9]])
        self.assertEqual((claim["verdict"], claim["holding"], claim["decided_by"]), ("holds", 3, "ratio"))
        self.assertIn("| holds, 3 of 3 draws (95 %: 29 % .. 100 %) |",
                      self.succeeds("check", "runs/yu2017/digits-seeds-3", "--markdown"))
        self.succeeds("reproduce", "yu2017/digits", "--jobs", "1", "--seeds", "11..12", "--out", "other", "--quiet")
        self.assertEqual({row["seed"] for row in self.table("other/sweep.csv")}, {"11", "12"})
        for wrong in ("0", "9..3", "a", "1..", "10001"):
            status, _, err = self.lagnet("reproduce", "yu2017/digits", "--seeds", wrong)
            self.assertEqual(status, 2)
            self.assertIn(f"--seeds: expected a number from 1 to 10000, or a range as 11..20, found {wrong}", err)

    def tools_papers(self, *words):
        command = [sys.executable, ROOT / "tools/papers", "--lagnet", PROGRAM, *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_figures_of_the_reference_study_stand_in_a_table_of_their_own(self):
        out, table = str(self.folder / "out"), str(self.folder / "table.md")
        status, text = self.tools_papers("aytekin2016/support", "--seeds", "2", "--out", out, "--table", table)
        self.assertEqual(status, 0, text)
        first, second = (self.folder / "table.md").read_text().split("## Asynchronous methods beside")
        self.assertEqual(first.count("| [aytekin2016]"), 1)  # the row for a sentence of the paper
        self.assertIn("| paper and figure | reference figure | statement | allowed | figure seen | verdict |", second)
        rows = [line for line in second.splitlines() if line.startswith("| [aytekin2016]")]
        self.assertEqual(len(rows), 3)
        self.assertIn("| 1e-12 or less | each of the three ends within 1e-12 of the first gap |", rows[0])
        status, text = self.tools_papers("aytekin2016/support", "--out", out, "--check", table)
        self.assertEqual(status, 0, text)
        self.assertIn("4 of 4 verdicts are those of", text)

    def test_the_table_of_the_papers_is_made_of_results_and_held_against_others(self):
        def papers(*words):
            return self.tools_papers("yu2017/digits", *words)
        out, table = str(self.folder / "out"), str(self.folder / "table.md")
        status, text = papers("--seeds", "2", "--out", out, "--table", table)
        self.assertEqual(status, 0, text)
        self.assertIn("yu2017/digits: ", text)
        written = (self.folder / "table.md").read_text()
        rows = [line for line in written.splitlines() if line.startswith("| [yu2017]")]
        self.assertEqual(len(rows), 1)
        self.assertIn("| holds, 2 of 2 (16 % .. 100 %) |", rows[0])
        status, text = papers("--seeds", "11..12", "--out", out + "2", "--check", table)
        self.assertEqual(status, 0, text)
        self.assertIn("1 of 1 verdicts are those of", text)
        (self.folder / "table.md").write_text(written.replace("| holds,", "| fails,"))
        status, text = papers("--out", out + "2", "--check", table)  # is there, and not run again
        self.assertEqual(status, 1, text)
        self.assertNotIn("yu2017/digits: ", text)
        self.assertIn("0 of 1 verdicts are those of", text)

    def test_a_figure_that_ends_badly_leaves_the_others_to_run(self):
        out, table = self.folder / "out", self.folder / "table.md"
        (out / "aytekin2016").mkdir(parents=True)
        (out / "aytekin2016/support").write_text("a file where results are to go")
        status, text = self.tools_papers("aytekin2016/support", "yu2017/digits", "--seeds", "1", "--out", str(out),
                                         "--table", str(table))
        self.assertEqual(status, 1, text)
        self.assertRegex(text, "papers: .* reproduce aytekin2016/support .*: ended with 2\n")
        self.assertTrue((out / "yu2017/digits/sweep.json").is_file(), text)
        self.assertTrue(text.endswith("papers: no table without aytekin2016/support\n"), text)
        self.assertFalse(table.exists())

    @unittest.skipUnless(shutil.which("node") and shutil.which("rsvg-convert"), "node or rsvg-convert is not installed")
    def test_a_papers_figure_is_drawn_for_print(self):
        _, _, err = self.lagnet("reproduce", "yu2017", "--pdf", "figure.pdf")
        if "has no reports" in err:
            self.skipTest(err)
        self.assertRegex(err, "^reproduce: --pdf: expected one PAPER/FIGURE, found [0-9]+ figures\n$")
        (self.folder / "place").mkdir()
        _, _, err = self.lagnet("reproduce", "yu2017/digits", "--pdf", "place")
        self.assertEqual(err, "reproduce: --pdf: expected a file, found the folder place\n")
        self.assertFalse((self.folder / "runs").exists())
        status, out, err = self.lagnet("reproduce", "yu2017/digits", "--jobs", "1", "--pdf", "figure.pdf")
        self.assertEqual(status, 0, err)
        self.assertIn("figure.pdf: 18 runs, ", out)
        self.assertTrue((self.folder / "figure.pdf").read_bytes().startswith(b"%PDF"))

    def test_the_papers_and_their_figures_are_listed(self):
        for command in (["reproduce"], ["list", "papers"]):
            out = self.succeeds(*command)
            self.assertIn("ancelin2021/figure1", out)
            self.assertIn("relative error of the averaged iterate", out)
        papers = json.loads(self.succeeds("reproduce", "--json"))["papers"]
        with_statements = [path for path in (ROOT / "scenarios/papers").glob("*/*.json")
                           if '"expect": [' in path.read_text(encoding="utf-8")]
        self.assertEqual({paper["name"] for paper in papers},
                         {f"{path.parent.name}/{path.stem}" for path in with_statements})

    def test_claims_are_not_part_of_a_point(self):
        """A finished point stays finished when the statements change, and the sweep replays."""
        self.write("s.json", SWEPT)
        self.lagnet("sweep", "s.json", "--out", "out")
        self.assertNotIn("more agents", (self.folder / "out/000/scenario.json").read_text())
        self.assertIn("more agents", (self.folder / "out/scenario.json").read_text())
        status, _, err = self.lagnet("replay", "out")
        self.assertEqual(status, 0, err)

    def test_results_without_statements_and_mistakes_in_them_are_wrong_input(self):
        self.write_small()
        self.lagnet("run", "s.json", "--out", "out")
        status, _, err = self.lagnet("check", "out")
        self.assertEqual(status, 2)
        self.assertIn("expected statements under the key expect", err)
        self.write("wrong.json", changed(SWEPT, {"/expect": [{"kind": "best", "statement": "s", "over": "/seed"}]}))
        status, _, err = self.lagnet("validate", "wrong.json")
        self.assertEqual(status, 2)
        self.assertIn("/expect/0", err)

    def test_an_unknown_paper_or_figure_is_named_with_the_known_ones(self):
        for what, named in (("ancelin", "ancelin2021"), ("ancelin2021/figure9", "figure1")):
            status, _, err = self.lagnet("reproduce", what)
            self.assertEqual(status, 2)
            self.assertIn(named, err)

    def test_columns_that_no_run_will_have_are_refused_before_any_run(self):
        self.write_small({"/sweep": {"/topology/kind": ["ring", "path"]}, "/expect": [
            {"kind": "bound", "statement": "small", "metric": "objektive", "at_most": 1},
            {"kind": "bound", "statement": "a", "metric": "simulated_s", "first": {"relativ_error": 0.5}, "at_most": 1},
            {"kind": "bound", "statement": "fine", "metric": "excess", "at": {"bytes": 100}, "at_most": 1},
            {"kind": "bound", "statement": "of the summary", "metric": "/stop/round", "at_most": 99}],
            "/figure": [{"x": "bites"}]})
        for command in ("validate", "run"):
            status, out, err = self.lagnet(command, "s.json")
            self.assertEqual((status, out), (2, ""))
            columns = "expected one of the columns round, simulated_s, objective, .*, participants, .*, found "
            self.assertRegex(err, f"^s.json: /expect/0/metric: {columns}objektive; did you mean objective\\?\n"
                                  f"s.json: /expect/1/first: {columns}relativ_error; did you mean relative_error\\?\n"
                                  f"s.json: /figure/0/x: {columns}bites; did you mean bytes\\?\n$")
        self.assertFalse((self.folder / "runs").exists())

    def test_options_of_a_figure_are_refused_without_one(self):
        for option in (["--out", "r"], ["--full"], ["--pdf", "f.pdf"], ["--seeds", "5"], ["--set", "seed=2"]):
            self.assertEqual(self.lagnet("reproduce", *option),
                             (2, "", f"reproduce: {option[0]} has no effect without PAPER/FIGURE, which lists "
                                     "papers and figures\n"))


if __name__ == "__main__":
    unittest.main()
