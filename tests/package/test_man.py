"""The man pages, as they are made of the program's own words."""

import json
import re
import shutil
import subprocess
import unittest

from support import PROGRAM, ROOT, Case, call


class ManPages(Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("help2man"):
            self.skipTest("the man pages need help2man, which is not installed")
        call(ROOT / "tools/man/pages", "--lagnet", PROGRAM, "--out", self.folder)
        self.pages = {path.name: path for path in self.folder.glob("man?/*")}

    def shown(self, name):
        """A page in plain letters, without its line breaks."""
        text = call("groff", "-man", "-Tutf8", "-P-cbou", self.pages[name])
        return re.sub(r"\s+", " ", re.sub("\u2010\n *", "", text).replace("\u2010", "-"))

    def test_groff_has_nothing_to_say_about_any_page(self):
        for name, path in self.pages.items():
            with self.subTest(name):
                done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", path], capture_output=True, text=True,
                                      check=True)
                self.assertEqual(done.stderr, "")

    def test_every_command_has_a_page_and_every_page_a_summary(self):
        def commands_after(*words):
            return {line.split("\t")[0] for line in call(PROGRAM, "complete", "--", *words, "").splitlines()} - {"help"}

        commands = commands_after()
        self.assertIn("compare", commands)
        inner = {f"{outer}-{name}" for outer in ("deploy", "league") for name in commands_after(outer)}
        self.assertIn("deploy-plan", inner)
        expected = {f"lagnet-{name}.1" for name in commands | inner} | {"lagnet.1", "lagnet-scenario.5"}
        self.assertEqual(set(self.pages), expected)
        for name, path in self.pages.items():
            self.assertRegex(path.read_text(encoding="utf-8").replace("\\-", "-"),
                             rf"(?m)^\.SH NAME\n{name[:-2]} - \S.+$")

    def test_a_page_has_every_option_of_its_help(self):
        options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", call(PROGRAM, "run", "--help"), re.M)
        self.assertGreater(len(options), 5)
        page = self.shown("lagnet-run.1")
        self.assertEqual([option for option in options if option not in page], [])

    def test_the_page_of_scenarios_has_every_kind_and_an_example_that_is_valid(self):
        page = self.shown("lagnet-scenario.5")
        listed = json.loads(call(PROGRAM, "list", "--json"))
        self.assertEqual([kind["kind"] for kinds in listed.values() for kind in kinds if kind["kind"] not in page], [])
        scenario = self.folder / "scenario.json"
        scenario.write_text(re.search(r"EXAMPLE (\{.*?\}) KEYS", page)[1], encoding="utf-8")
        call(PROGRAM, "validate", scenario)

    def test_pages_of_one_time_are_the_same_bytes(self):
        before = {name: path.read_bytes() for name, path in self.pages.items()}
        call(ROOT / "tools/man/pages", "--lagnet", PROGRAM, "--out", self.folder / "again")
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "again").glob("man?/*")}, before)


class Completions(Case):
    def test_each_shell_has_its_script_where_it_looks_and_can_read_it(self):
        call(ROOT / "tools/man/completions", PROGRAM, self.folder / "share")
        for shell, name in (("bash", "bash-completion/completions/lagnet"), ("zsh", "zsh/site-functions/_lagnet"),
                            ("fish", "fish/vendor_completions.d/lagnet.fish")):
            with self.subTest(shell):
                path = self.folder / "share" / name
                self.assertEqual(path.read_text(encoding="utf-8"), call(PROGRAM, "completion", shell))
                if not shutil.which(shell):
                    self.skipTest(f"whether {shell} can read its script is seen where it is installed, and it is not")
                call(shell, "-n", path)


if __name__ == "__main__":
    unittest.main()
