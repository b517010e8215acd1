"""What the README shows is what its commands print, and a new user can type them as they stand there."""

import os
import re
import shlex
import shutil

from support import ROOT, Case

PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in (
    "README.md", "sim/README.md", "scenarios/README.md", "algorithms/README.md", "tools/README.md",
    "tools/python/README.md")}
README = PAGES["README.md"]
WITHOUT_NPM = "npm was missing when lagnet was built: that the page is written is not tested"


def section_of(page, title):
    return PAGES[page].split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def shown(section):
    """The indented lines of a section."""
    return [line[4:] for line in section.splitlines() if line.startswith("    ")]


class Readme(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")

    def test_it_is_short(self):
        lines = README.splitlines()
        self.assertLessEqual(len(lines), 130)
        self.assertEqual([line for line in lines if len(line) > 100], [])

    def test_it_names_the_commands_that_set_up_and_that_test(self):
        """Both stand at the beginning of a line that can be typed, and exist."""
        for section, command in (("Start", "tools/quickstart"), ("Test", "tools/test")):
            with self.subTest(command=command):
                self.assertIn(f"## {section}\n", README)
                typed = [line.split("#")[0].strip() for line in shown(section_of("README.md", section))]
                self.assertIn(command, typed)
                self.assertTrue(os.access(ROOT / command.split()[0], os.X_OK))

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

    def test_the_one_run_prints_what_is_shown(self):
        command, *lines = [line for line in shown(section_of("README.md", "One run")) if line]
        self.assertEqual(self.typed(command).split(), " ".join(lines).split())
        self.assertEqual(self.typed("lagnet replay runs/quickstart"), "runs/quickstart: the same, byte for byte\n")
        rows = [line.split() for line in shown(section_of("tools/README.md", "A run's folder"))[1:] if line != "..."]
        columns = rows.pop(0)
        self.assertGreater(len(rows), 4)
        progress = self.table("runs/quickstart/progress.csv")
        for number, *cells in rows:
            for column, cell in zip(columns, cells, strict=True):
                value = float(progress[int(number)][column])
                self.assertAlmostEqual(value, float(cell), delta=1e-6 * abs(value))

    def test_topologies_are_compared_as_shown(self):
        sweep, compare, *_ = self.topology_commands()
        self.typed(sweep)
        printed = self.typed(compare).splitlines()
        answer = [line for line in shown(section_of("README.md", "Which topology?")) if not line.startswith("lagnet ")]
        self.assertEqual(len(answer), 2)
        for line in answer:  # " ..." stands for the rest of a line
            begin = line.removesuffix(" ...")
            self.assertTrue(any(told == line or begin != line and told.startswith(begin) for told in printed), line)
        # The times to 1e-3 stand beside the picture, too.
        front = printed[next(i for i, line in enumerate(printed) if line.startswith("time and bytes")):]
        last = [line.split() for line in front if line.split()[:1] == ["0.001"]]
        self.assertEqual({row[1] for row in last}, {"star", "ring", "lattice"})
        for kind, seconds in (row[1:3] for row in last):
            self.assertRegex(README, rf"(?s)the {kind} (takes )?{float(seconds):.0f} s\b")

    def test_topologies_are_compared_for_a_file_of_ones_own(self):
        sweep, compare, page, _ = self.topology_commands()
        (own,) = re.findall(r"`(--set /data/path=\S+)`", section_of("README.md", "Which topology?"))
        shutil.copy(ROOT / "scenarios/data/sets/breast_cancer_scale.libsvm", self.folder / "mine.libsvm")
        self.typed(f"{sweep} {own}")
        printed = self.typed(compare)
        ends = self.table("runs/which/sweep.csv")
        self.assertEqual([row["topology"] for row in ends], ["star", "ring", "lattice"])
        # A round has two exchanges, each of which takes 50 ms or more.
        for row in ends:
            self.assertGreaterEqual(float(row["simulated_s"]), 0.1 * int(row["round"]))
        for text in ("cost of reaching each level", "star", "ring", "lattice"):
            self.assertIn(text, printed)
        with self.subTest("the page"):
            status, out, err = self.lagnet(*self.words(page))
            if "this build of lagnet has no reports" in err:
                self.skipTest(WITHOUT_NPM)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("which.html", out)
            self.assertIn("which_topology", (self.folder / "runs/which.html").read_text(encoding="utf-8"))

    def test_asynchrony_pays_as_it_says_for_a_file_of_ones_own(self):
        section = section_of("README.md", "Does asynchrony pay for my stragglers?")
        run, compare, page = (line for line in shown(section) if line.startswith("lagnet "))
        shutil.copy(ROOT / "scenarios/data/sets/breast_cancer_scale.libsvm", self.folder / "mine.libsvm")
        self.assertEqual(self.lagnet(*self.words(run))[0], 0)
        rows = self.table("runs/pay/sweep.csv")
        self.assertEqual({row["seed"] for row in rows}, {"1", "2", "3"})
        seconds = {label: sorted(float(row["to_1e-3_s"]) for row in rows if row["label"] == label)[1]
                   for label in ("async_admm", "consensus_admm")}
        self.assertRegex(section, rf"(?s)at 1e-3\s+after {seconds['async_admm']:.0f} s, in rounds of all clients after "
                                  rf"{seconds['consensus_admm']:.0f} s\.")
        self.assertIn("async_admm is first to 1e-1 .. 1e-3.", self.typed(compare))
        own = re.search(r"`--set '(/compute/update_ms=)\[\.\.\]'`", section).group(1)
        of_ones_own = [*self.words(run), "--set", own + str([100] * 9 + [300]), "--set", "/stop/simulated_s=2"]
        status, _, err = self.lagnet(*of_ones_own)
        self.assertEqual(status, 2)
        self.assertIn("--replace", err)
        self.assertEqual(self.lagnet(*of_ones_own, "--replace")[0], 0)
        with self.subTest("the page"):
            status, out, err = self.lagnet(*self.words(page))
            if "this build of lagnet has no reports" in err:
                self.skipTest(WITHOUT_NPM)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("pay.html", out)

    def test_what_else_the_section_sets_is_valid(self):
        sweep, *_ = self.topology_commands()
        for option in re.findall(r"`--set ([^`]+)`", section_of("README.md", "Which topology?")):
            if "mine.libsvm" not in option:
                self.typed(f"{sweep} --set {option} --set /stop/rounds=20")

    def topology_commands(self):
        commands = [line for line in shown(section_of("README.md", "Which topology?")) if line.startswith("lagnet ")]
        self.assertEqual(len(commands), 4)
        return commands

    def words(self, command):
        return shlex.split(command.replace("$PWD", os.fspath(self.folder)))[1:]

    def typed(self, command):
        """What a shell prints for it, the program being the one under test."""
        status, out, err = self.lagnet(*self.words(command))
        self.assertEqual(status, 0, err)
        return out
