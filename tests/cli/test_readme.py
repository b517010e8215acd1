"""What the README shows is what its commands print, and a new user can type them as they stand there. Every block of it
is run: `lagnet` here, Python in tests/python/test_readme.py, `pip install .` in tests/python/test_install.py. Of the
scripts in tools/, which install and build for minutes, only their presence is checked."""

import json
import os
import re
import shlex
import shutil

from support import ROOT, Case, without_comments

PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in (
    "README.md", "sim/README.md", "scenarios/README.md", "algorithms/README.md", "tools/README.md",
    "tools/python/README.md")}
README = PAGES["README.md"]
WITHOUT_NPM = "npm was missing when lagnet was built: that the page is written is not tested"

COMMAND = re.compile(r"(lagnet|tools/|export|pip) ?")  # how a line of a block begins that is typed
MINE = "a,b,price\n" + "".join(f"{k % 7},{k * k % 11},{k % 7 - 2 * (k * k % 11)}\n" for k in range(200))
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def section_of(page, title):
    return PAGES[page].split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def shown(section):
    """The indented lines of a section."""
    return [line[4:] for line in section.splitlines() if line.startswith("    ")]


def typed_and_shown(text):
    """(command, lines below it) of each command in the blocks of a text."""
    found = []
    for line in shown(FENCED.sub("", text)):
        if COMMAND.match(line):
            found.append((re.sub(r"\s+# .*$", "", line), []))
        elif line.strip():
            found[-1][1].append(line)
    return found


def has(printed, lines):
    """Whether the lines are printed one after the other; "..." stands for anything."""
    parts = (re.escape(" ".join(part.split())) for part in " ".join(lines).split("..."))
    return re.search(".*".join(parts), " ".join(printed.split()), re.DOTALL) is not None


class Readme(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")
        shutil.copy(ROOT / "scenarios/data/sets/breast_cancer_scale.libsvm", self.folder / "mine.libsvm")

    def test_it_is_short(self):
        lines = README.splitlines()
        self.assertLessEqual(len(lines), 145)
        self.assertEqual([line for line in lines if len(line) > 100], [])

    def test_it_names_the_commands_that_install_and_run_and_that_test(self):
        for section, commands in (("Install", ["tools/quickstart", "pip install ."]),
                                  ("Test", ["tools/test", "tools/test --all"])):
            lines = [re.sub(r"\s+# .*$", "", line) for line in shown(section_of("README.md", section))]
            for command in commands:
                self.assertIn(command, lines, section)

    def test_every_block_runs_and_prints_its_output(self):
        self.write("mine.csv", MINE)
        commands = typed_and_shown(README)
        self.assertGreater(len(commands), 15)
        not_drawn = []
        for command, lines in commands:
            with self.subTest(command=command):
                if command.startswith("tools/"):
                    self.assertTrue(os.access(ROOT / command.split()[0], os.X_OK))
                elif command.startswith("lagnet "):
                    status, out, err = self.lagnet(*self.words(command))
                    if "this build of lagnet has no reports" in err:
                        not_drawn.append(command)
                        continue
                    self.assertEqual(status, 0, err)
                    self.assertTrue(has(out, lines), out)
                else:  # tests/python/test_install.py does the second
                    self.assertIn(command, ("export PATH=$PWD/build/release/bin:$PATH", "pip install ."))
        if not_drawn:
            self.skipTest(WITHOUT_NPM)

    def test_blocks_are_commands_or_python(self):
        self.assertEqual({language for language, _ in FENCED.findall(README)}, {"python"})
        self.assertEqual(README.count("```"), 2 * len(FENCED.findall(README)))
        for block in re.findall(r"(?:^    .*\n)+", FENCED.sub("", README), re.MULTILINE):
            self.assertRegex(block.strip(), COMMAND)

    def test_commands_within_sentences_exist(self):
        commands = re.findall(r"^  ([a-z]+)\s{2,}\S", self.typed("lagnet --help"), re.MULTILINE)
        named = re.findall(r"`lagnet ([a-z]+)[^`]*`", README)
        self.assertGreater(len(named), 3)
        self.assertLessEqual(set(named), set(commands))

    def test_it_counts_right(self):
        listed = json.loads(self.typed("lagnet list --json"))
        methods = [number for line in section_of("README.md", "Methods").splitlines() if line.startswith("* ")
                   for number in re.findall(r"\b\d+\b", line)]
        self.assertEqual(sum(map(int, methods)), len([one for one in listed["algorithms"] if one["kind"] != "python"]))
        made = {one["kind"] for one in listed["topologies"]} - {"edges", "edge_list", "graphml", "orient", "sequence"}
        self.assertIn(f"{len(made)} families", README)
        compressors = {one["kind"] for one in listed["compressors"]} - {"identity"}
        self.assertEqual(len(compressors), 6)
        self.assertIn("six compressors", README)
        table = (ROOT / "scenarios/papers/README.md").read_text(encoding="utf-8").split("\n## ")[0]
        verdicts = [line.rsplit("|", 2)[1].split(",")[0].strip() for line in table.splitlines()
                    if line.startswith("| [")]
        self.assertIn(f"{verdicts.count('holds')} of {len(verdicts)} statements hold", README)
        papers = {one["name"].split("/")[0] for one in json.loads(self.typed("lagnet list papers --json"))["papers"]}
        self.assertEqual(len(papers), 51)
        self.assertIn("[51 papers]", README)

    def test_speeds_beside_others_are_those_of_the_benchmarks(self):
        table = (ROOT / "tools/bench/README.md").read_text(encoding="utf-8")

        def ratios(workload, contestant):
            rows = re.findall(rf"^    {workload}.* {contestant}  .*\) (?:ms|/s) +([\d.]+) \(", table, re.M)
            self.assertGreater(len(rows), 3, workload)
            return [float(ratio) for ratio in rows]
        simgrid, numpy = ratios("star/", "SimGrid"), ratios("flagship/", "NumPy")
        text = " ".join(section_of("README.md", "Why lagnet").split())
        self.assertIn(f"on a star, {min(simgrid):.0f} to {max(simgrid):.0f} times as many messages a second", text)
        self.assertIn(f"per iteration, {min(numpy):.1f} to {max(numpy):.1f} times as fast as a tuned NumPy loop", text)

    def test_links_lead_somewhere(self):
        for page, text in PAGES.items():
            links = re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text)
            self.assertGreater(len(links), 0, page)
            for target, title in links:
                with self.subTest(page=page, target=target, title=title):
                    path = (ROOT / page).parent / target if target else ROOT / page
                    self.assertTrue(path.is_file())
                    if title:
                        titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
                        self.assertIn(title, [re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in titles])

    def test_commands_write_below_runs_which_git_does_not_see(self):
        """Files at the top of the repository would fail the check of the tree that comes with the tests."""
        self.assertIn("/runs/", (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
        written = [place for text in PAGES.values()
                   for place in re.findall(r"^    .*lagnet .* (?:-o|--out) (\S+)", text, re.MULTILINE)]
        self.assertGreater(len(written), 9)
        for place in written:
            self.assertTrue(place.startswith("runs/"), place)

    def test_the_first_run_prints_exactly_the_shown_output(self):
        (command, lines), (replay, same) = typed_and_shown(section_of("README.md", "Run"))
        self.assertEqual(self.typed(command).split(), " ".join(lines).split())
        self.assertEqual(self.typed(replay), same[0] + "\n")
        files = set(re.findall(r"`([a-z]+\.(?:csv|json|txt))`", section_of("README.md", "Run")))
        self.assertEqual(files, {path.name for path in (self.folder / "runs/quickstart").iterdir()})
        rows = [line.split() for line in shown(section_of("tools/README.md", "A run's folder"))[1:] if line != "..."]
        columns = rows.pop(0)
        self.assertGreater(len(rows), 4)
        progress = self.table("runs/quickstart/progress.csv")
        for number, *cells in rows:
            for column, cell in zip(columns, cells, strict=True):
                value = float(progress[int(number)][column])
                self.assertAlmostEqual(value, float(cell), delta=1e-6 * abs(value))

    def test_the_times_beside_the_picture_are_those_of_its_commands(self):
        sweep, compare, *_ = self.asked("which_topology", "runs/which")
        self.typed(sweep)
        printed = self.typed(compare).splitlines()
        front = printed[next(i for i, line in enumerate(printed) if line.startswith("time and bytes")):]
        last = [line.split() for line in front if line.split()[:1] == ["0.001"]]
        self.assertEqual({row[1] for row in last}, {"star", "ring", "lattice"})
        for kind, seconds in (row[1:3] for row in last):
            reaches = "(reaches a relative error of 1e-3 )?"
            self.assertRegex(README, rf"[Tt]he {kind} {reaches}in\s+{float(seconds):.0f} s\b")
        (method,) = re.findall(r"Nine peers run `(\w+)`", README)
        scenario = json.loads((self.folder / "runs/which/000/scenario.json").read_text())
        self.assertEqual(scenario["algorithm"]["kind"], method)

    def test_topologies_are_compared_for_a_file_of_ones_own(self):
        sweep, compare, page = self.asked("which_topology", "runs/which")
        self.typed(f"{sweep} {self.own_file()}")
        printed = self.typed(compare)
        ends = self.table("runs/which/sweep.csv")
        self.assertEqual([row["topology"] for row in ends], ["star", "ring", "lattice"])
        # A round has two exchanges, each of which takes 50 ms or more.
        for row in ends:
            self.assertGreaterEqual(float(row["simulated_s"]), 0.1 * int(row["round"]))
        for text in ("cost of reaching each level", "star", "ring", "lattice"):
            self.assertIn(text, printed)
        for option in ("--set /problem/loss/kind=squared", "--sweep topology.agents=4,9,16"):
            self.typed(f"{sweep} {option} --set /stop/rounds=20 --replace")
        self.typed(f"{sweep} --replace")
        with self.subTest("the page"):
            status, out, err = self.lagnet(*self.words(page))
            if "this build of lagnet has no reports" in err:
                self.skipTest(WITHOUT_NPM)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("which.html", out)
            self.assertIn("which_topology", (self.folder / "runs/which.html").read_text(encoding="utf-8"))

    def test_asynchrony_pays_for_a_file_of_ones_own(self):
        run, compare = self.asked("asynchrony", "runs/pay")
        run += " " + self.own_file()
        self.assertEqual(self.lagnet(*self.words(run))[0], 0)
        rows = self.table("runs/pay/sweep.csv")
        self.assertEqual({row["seed"] for row in rows}, {"1", "2", "3"})
        seconds = {label: sorted(float(row["to_1e-3_s"]) for row in rows if row["label"] == label)[1]
                   for label in ("async_admm", "consensus_admm")}
        self.assertGreater(seconds["consensus_admm"], 3 * seconds["async_admm"])
        self.assertIn("async_admm is first to 1e-1 .. 1e-3.", self.typed(compare))
        measured = [*self.words(run), "--set", f"/compute/update_ms={[100] * 9 + [300]}",
                    "--set", "/stop/simulated_s=2"]
        status, _, err = self.lagnet(*measured)
        self.assertEqual(status, 2)
        self.assertIn("--replace", err)
        self.assertEqual(self.lagnet(*measured, "--replace")[0], 0)
        with self.subTest("the page"):
            status, out, err = self.lagnet("report", "runs/pay", "-o", "runs/pay.html")
            if "this build of lagnet has no reports" in err:
                self.skipTest(WITHOUT_NPM)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("pay.html", out)

    def test_ask_compares_fourteen_combinations(self):
        self.write("mine.csv", MINE)
        (command,) = (command for command, _ in typed_and_shown(README) if command.startswith("lagnet ask "))
        self.typed(command + " --dry-run")
        scenario = json.loads(without_comments((self.folder / "ask-mine.json").read_text()))
        (axis,) = (values for key, values in scenario["sweep"].items() if key != "/seed")
        self.assertEqual(len(axis), 14)
        self.assertIn("fourteen combinations", README)

    def asked(self, scenario, folder):
        """What the README types to answer a question."""
        found = [command for command, _ in typed_and_shown(README)
                 if f"/{scenario}.json" in command or f" {folder} " in command]
        self.assertGreater(len(found), 1)
        return found

    def own_file(self):
        (own,) = re.findall(r"`(--set /data/path=\S+)`", section_of("README.md", "Ask a question"))
        return own

    def words(self, command):
        return shlex.split(command.replace("$PWD", os.fspath(self.folder)))[1:]

    def typed(self, command):
        """What a shell prints for it, the program being the one under test."""
        status, out, err = self.lagnet(*self.words(command))
        self.assertEqual(status, 0, err)
        return out
