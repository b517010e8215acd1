"""The README's three commands that compare topologies, as a new user types them, with a file of one's own."""

import os
import re
import shutil

from support import ROOT, Case

README = (ROOT / "README.md").read_text(encoding="utf-8")


class Readme(Case):
    def test_commands_write_below_runs_which_git_does_not_see(self):
        """Files at the top of the repository would fail the check of the tree that comes with the tests."""
        self.assertIn("/runs/", (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
        written = re.findall(r"^    .*lagnet .* (?:-o|--out) (\S+)", README, re.MULTILINE)
        self.assertGreater(len(written), 7)
        for place in written:
            self.assertTrue(place.startswith("runs/"), place)

    def test_three_commands_compare_topologies_for_a_file_of_ones_own(self):
        section = README.split("## Which topology?\n", 1)[1].split("\n## ", 1)[0]
        commands = [line[4:] for line in section.splitlines() if line.startswith("    lagnet ")]
        self.assertEqual(len(commands), 3)
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")
        shutil.copy(ROOT / "scenarios/data/sets/breast_cancer_scale.libsvm", self.folder / "mine.libsvm")
        printed = [self.typed(command) for command in commands[:2]]
        ends = self.table("runs/which/sweep.csv")
        self.assertEqual([row["/topology/kind"] for row in ends], ["star", "ring", "lattice"])
        # A round has two exchanges, each of which takes 50 ms or more.
        for row in ends:
            self.assertGreaterEqual(float(row["simulated_s"]), 0.1 * int(row["round"]))
        for text in ("cost of relative_error", "star", "ring", "lattice"):
            self.assertIn(text, printed[1])
        with self.subTest("the page"):
            status, out, err = self.lagnet(*self.words(commands[2]))
            if "this build of lagnet has no reports" in err:
                self.skipTest("npm was missing when lagnet was built: that the page is written is not tested")
            self.assertEqual((status, err), (0, ""))
            self.assertIn("which.html", out)
            self.assertIn("which_topology", (self.folder / "runs/which.html").read_text(encoding="utf-8"))

    def words(self, command):
        return command.replace("$PWD", os.fspath(self.folder)).split()[1:]

    def typed(self, command):
        """What a shell prints for it, the program being the one under test."""
        status, out, err = self.lagnet(*self.words(command))
        self.assertEqual(status, 0, err)
        return out
