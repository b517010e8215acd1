"""An option takes effect or is refused with the reason: none is passed over."""

import json
import re
import time
import unittest

from support import ROOT, SMALL, Case, changed

SWEPT = changed(SMALL, {"/sweep": {"/algorithm/kind": ["extra", "dgd"]}, "/algorithm": {"kind": "extra"},
                        "/problem/regularizer": {"kind": "l2", "weight": 0.1}})
TUNED = changed(SMALL, {"/tune": {"candidates": 2, "ranges": {"/algorithm/edge_scale": {"low": 0.5, "high": 1}}}})
OFF = changed(SMALL, {"/numerics": "off", "/algorithm": {"kind": "dgd", "step": 1},
                      "/problem/regularizer": {"kind": "none"}})
HEART = str(ROOT / "scenarios/data/sets/heart_scale.libsvm")

# What is typed, and a part of what the program says. "s.json" has one run, "w.json" a sweep, "r" and "w" their results.
IDLE = [
    # Settings of what a sweep, a search or another setting replaces.
    ("run w.json --set algorithm.kind=dgd", "a value that /sweep does not replace"),
    ("run w.json --algorithm nids", "a value that /sweep does not replace"),
    ("validate w.json --algorithm nids", "a value that /sweep does not replace"),
    ("run w.json --set seed=2 --sweep seed=3,4", "--set /seed: expected a value that /sweep does not replace"),
    ("run s.json --sweep seed=1,2 --sweep seed=3", "--sweep /seed: expected each key once"),
    ("run s.json --set seed=2 --set /seed=3", "--set /seed: expected each key once"),
    ("run s.json --set stop.rounds=2 --set stop={}", "--set /stop/rounds: expected each key once"),
    ("tune t.json --set algorithm.edge_scale=0.7", "a value that /tune does not replace"),
    ("retime w --set algorithm.kind=dgd", "a value that /sweep does not replace"),
    ("slurm w.json -o o --tasks 2 --time 9 --set algorithm.kind=dgd", "a value that /sweep does not replace"),
    # Flags of all commands.
    ("list --quiet", "--quiet has no effect"),
    ("describe star --quiet", "--quiet has no effect"),
    ("schema --json", "--json has no effect"),
    ("schema --quiet", "--quiet has no effect"),
    ("completion bash --json", "--json has no effect"),
    ("validate s.json --verbose", "--verbose has no effect"),
    ("compare r --verbose", "--verbose has no effect"),
    ("run w.json --verbose --quiet", "--verbose has no effect beside --quiet"),
    ("run s.json --verbose", "--verbose has no effect on a single run"),
    ("retime r --set network.latency_ms=5 --jobs 2", "--jobs has no effect on a single run"),
    ("new n.json --label y", "--label has no effect without --data"),
    ("tune t.json --set tune.zeta=0.5", "/tune/zeta: expected 1 where choose is first"),
    ("run w.json --verbose --json", "--verbose has no effect beside --json"),
    # Resources.
    ("run s.json --jobs 2", "--jobs has no effect on a single run"),
    ("estimate s.json --jobs 2", "--jobs has no effect on a single run"),
    ("replay r --jobs 2", "--jobs has no effect on a single run"),
    ("retime w --threads 2", "--threads has no effect"),
    ("run off.json --threads 2", "--threads has no effect with numerics off"),
    # Results.
    ("check r --update", "--update has no effect"),
    ("check goldens --markdown", "--markdown has no effect"),
    ("compare w --by algorithm.kind --baseline extra", "--baseline has no effect beside --by"),
    ("compare w --by algorithm.kind --points 3", "--points has no effect"),
    ("compare w --table series --points 3", "--points has no effect"),
    ("compare w --format csv --all", "--all has no effect"),
    ("compare w --format text --json", "--format: expected no --format but json beside --json"),
    ("report r --figure convergence --format svg --to-s 3", "--to-s has no effect"),
    ("report r --figure convergence --format svg --to 0.1", "--to has no effect"),
    ("deploy compare r r", "r: expected a run of real processes, found a simulated one"),
    # Commands that write scenarios.
    ("new n.json --no-questions --label y", "--label has no effect without --data"),
    ("ask --dry-run --label y", "--label has no effect without --data"),
    ("ask --dry-run --threads 2", "--threads has no effect beside --dry-run"),
    ("ask --dry-run --out o", "--out has no effect beside --dry-run"),
    ("reproduce --jobs 2", "--jobs has no effect without PAPER/FIGURE"),
    ("reproduce --markdown", "--markdown has no effect without PAPER/FIGURE"),
    ("calibrate s.json --local --listen 0.0.0.0", "--listen has no effect without --id"),
    ("calibrate p.json --collect a.calibration --patience-s 3", "--patience-s has no effect beside --collect"),
    ("calibrate p.json --id 0 --json", "--json has no effect beside --id"),
    # Names of files that contradict what is written into them.
    ("report r -o x.txt", "-o: expected a name that ends in one of .html, .htm, .svg, .png, .pdf, found x.txt"),
    ("report r -o x.html --figure convergence --format svg", "expected a name whose ending matches --format svg"),
    ("report r -o x.pdf", "--format pdf: expected --figure"),
    ("compare r -o x.xlsx", "-o: expected a name that ends in one of .txt, .csv, .json, .tex, found x.xlsx"),
    ("compare r -o x.csv --format json", "expected a name whose ending matches --format json"),
    ("compare r -o x.csv --json", "expected a name whose ending matches --json"),
    ("topology s.json -o x.png", "expected a name that ends in one of .svg, found x.png"),
    ("predict r d.csv -o x.json", "expected a name that ends in one of .csv, found x.json"),
    ("export r --sqlite x.csv", "expected a name that ends in one of .sqlite, .sqlite3, .db, .db3, found x.csv"),
    ("new x.txt --no-questions", "expected a name that ends in one of .json, .jsonc, found x.txt"),
    ("design s.json -o x.txt", "expected a name that ends in one of .json, .jsonc, found x.txt"),
    ("deploy plan s.json --agents h.txt -o x.txt", "expected a name that ends in one of .json, .jsonc, found x.txt"),
    ("reproduce yu2017/theorem --pdf x.svg", "expected a name that ends in one of .pdf, found x.svg"),
]


class Effects(Case):
    def setUp(self):
        super().setUp()
        for name, document in (("s.json", SMALL), ("w.json", SWEPT), ("t.json", TUNED), ("off.json", OFF)):
            (self.folder / name).write_text(json.dumps(document), encoding="utf-8")
        (self.folder / "goldens").mkdir()
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        self.succeeds("run", "w.json", "--out", "w", "--quiet")

    def files(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def test_options_without_effect_are_refused_with_the_reason(self):
        before = self.files()
        for typed, reason in IDLE:
            with self.subTest(typed=typed):
                status, out, err = self.lagnet(*typed.split())
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(reason, re.sub(r"\s+", " ", err))
                self.assertEqual(self.files(), before)

    def test_the_ending_of_a_name_decides_the_format(self):
        for name, begin in (("x.csv", "simulated_s,series"), ("x.json", "{"), ("x.tex", "% "), ("x.txt", "2 series"),
                            ("x", "2 series")):
            with self.subTest(name=name):
                self.succeeds("compare", "w", "-o", name)
                self.assertTrue((self.folder / name).read_text(encoding="utf-8").startswith(begin))
        status, _, err = self.lagnet("report", "r", "--figure", "convergence", "-o", "x.png", "--quiet")
        if "has no reports" not in err and "needs the program" not in err:
            self.assertEqual((status, err), (0, ""))
            self.assertEqual((self.folder / "x.png").read_bytes()[:4], b"\x89PNG")

    def test_a_file_that_says_something_else_is_replaced_only_where_that_is_asked_for(self):
        self.run_small("d", {"/data": {"source": "libsvm", "path": HEART}})
        self.write("hosts.txt", "127.0.0.1:4000\n")
        for command in (["compare", "w", "--format", "csv"], ["topology", "s.json"], ["predict", "d", HEART],
                        ["deploy", "plan", "s.json", "--agents", "hosts.txt"], ["report", "r"],
                        ["report", "r", "--figure", "convergence", "--format", "pdf"]):
            with self.subTest(command=command):
                out = self.folder / ("p.json" if "plan" in command else "p")
                status, _, err = self.lagnet(*command, "-o", out)
                if "has no reports" in err or "needs the program" in err:
                    continue
                self.assertEqual((status, err), (0, ""))
                whole = out.read_bytes()
                time.sleep(1 if "pdf" in command else 0)  # whose dates would be whole seconds
                self.succeeds(*command, "-o", out)
                self.assertEqual(out.read_bytes(), whole)
                out.write_text("mine", encoding="utf-8")
                before = self.tree()
                status, _, err = self.lagnet(*command, "-o", out)
                self.assertEqual(status, 2)
                self.assertIn("the file exists with other content; choose another name, or pass --replace to replace "
                              "it",
                              " ".join(err.split()))
                self.assertEqual(self.tree(), before)
                self.succeeds(*command, "-o", out, "--replace")
                self.assertEqual(out.read_bytes(), whole)
                out.write_bytes(b"")
                self.succeeds("--quiet", *command, f"--out={out}")
                self.assertEqual(out.read_bytes(), whole)
                out.unlink()

    def test_a_paper_without_a_full_size_has_no_full(self):
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")
        status, _, err = self.lagnet("reproduce", "yu2017/theorem", "--full")
        self.assertEqual(status, 2)
        self.assertIn("--full has no effect", err)

    def test_quiet_leaves_results_out_where_they_are_not_all_there_is(self):
        self.assertEqual(self.succeeds("topology", "s.json", "--quiet", "-o", "t.svg"), "")
        self.assertTrue((self.folder / "t.svg").is_file())

    def test_additions_to_set_values_take_effect(self):
        self.succeeds("run", "w.json", "--set", "sweep={}", "--set", "algorithm.kind=dgd", "--out", "o", "--quiet")
        self.assertEqual(json.loads((self.folder / "o/scenario.json").read_text())["algorithm"]["kind"], "dgd")
        self.succeeds("run", "w.json", "--sweep", "algorithm.kind=dgd", "--out", "p", "--quiet")
        self.assertEqual([row["algorithm"] for row in self.table("p/sweep.csv")], ["dgd"])

    def test_describe_takes_several_names(self):
        both = self.succeeds("describe", "star", "ring")
        self.assertEqual(both, self.succeeds("describe", "star") + "\n" + self.succeeds("describe", "ring"))

    def test_help_of_a_command_with_commands_is_found_by_either_word(self):
        self.assertEqual(self.succeeds("deploy", "help"), self.succeeds("deploy", "--help"))
        self.assertEqual(self.succeeds("help", "deploy"), self.succeeds("deploy", "--help"))

    def test_goldens_are_left_out_of_a_list_of_scenarios_and_explained_alone(self):
        (self.folder / "s.golden.json").write_text('{"runs": []}', encoding="utf-8")
        status, out, err = self.lagnet("validate", "s.json", "s.golden.json")
        self.assertEqual((status, out), (0, "s.json: valid, 1 run\n"))
        self.assertIn("s.golden.json: left out, since it is not a scenario", err)
        status, _, err = self.lagnet("validate", "s.golden.json")
        self.assertEqual(status, 2)
        self.assertIn("which `lagnet check FOLDER` compares", re.sub(r"\s+", " ", err))

    def test_a_check_without_goldens_names_the_command_that_writes_them(self):
        (self.folder / "goldens/g.json").write_text(json.dumps(SMALL), encoding="utf-8")
        self.assertIn("g.golden.json is missing: `lagnet check goldens --update` writes it",
                      self.lagnet("check", "goldens")[1])

    def test_a_wrong_command_line_is_refused_by_the_name_of_the_option(self):
        for typed, name in (("calibrate s.json -n 2", "--local"), ("agent p.json --id 0 --keys k --insecure", "--keys"),
                            ("run s.json --out", "--out"), ("run s.json -o a -o b", "--out"),
                            ("run s.json other.json", "other.json")):
            with self.subTest(typed=typed):
                status, out, err = self.lagnet(*typed.split())
                self.assertEqual((status, out), (2, ""))
                self.assertIn(name, err)


if __name__ == "__main__":
    unittest.main()
