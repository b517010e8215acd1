"""Help texts and messages are those in snapshots/, which LAGNET_RENEW=1 writes again."""

import re
import shlex
from unittest import mock

from support import Case

MISTYPED = (  # command lines that end with status 2
    "", "rnu s.json", "run", "run s.json t.json", "run s.json --trheads 2", "run s.json --threads",
    "run s.json --threads 0", "run s.json --threads two", "run s.json --threads 1 --threads 2", "run s.json --set",
    "run s.json --set seed", "run s.json --set seed 2", "run s.json --sweep seed", "run s.json --jobs 2",
    "run s.json --verbose", "run no.json", "validate", "describe latice", "list topology", "list --quiet", "compare",
    "compare no", "compare no --to x", "compare no --format yaml", "compare no --json --format csv", "replay no",
    "diff no no", "report no", "predict no no.csv", "retime no", "explain no", "tune s.json",
    "design s.json --latency-from distance",
    "deploy", "deploy local", "calibrate plan.json", "topology s.json -o",
)


class Snapshots(Case):
    def commands(self, *words):
        """The help of a command and of all below it, by what is typed."""
        text = self.succeeds(*words, "--help")
        found = {" ".join(("lagnet", *words, "--help")): text}
        for name in re.findall(r"^  ([a-z]+)  +\S", text, re.MULTILINE):
            found |= self.commands(*words, name)
        return found

    def test_help_of_every_command(self):
        helps = self.commands()
        self.assertGreater(len(helps), 25)
        self.check_snapshot("help", helps)

    def test_messages_for_mistyped_commands(self):
        self.write_small()
        messages = {}
        for line in MISTYPED:
            status, out, err = self.lagnet(*shlex.split(line))
            self.assertEqual((status, out), (2, ""), line)
            messages[f"lagnet {line}".strip()] = err.replace(str(self.folder), "{d}")
        self.check_snapshot("mistyped", messages)


class Renewal(Case):
    def setUp(self):
        super().setUp()
        self.enterContext(mock.patch("support.SNAPSHOTS", self.folder))
        self.enterContext(mock.patch("support.RENEWS", False))
        self.write("a.txt", "== one\nfirst\n== two\nsecond\n")

    def test_another_text_and_another_title_fail(self):
        same = {"one": "first\n", "two": "second\n"}
        self.check_snapshot("a", same)
        for change in ({"two": "other\n"}, {"three": ""}):
            with self.assertRaises(AssertionError):
                self.check_snapshot("a", same | change)

    def test_the_switch_writes_the_file_again(self):
        with mock.patch("support.RENEWS", True):
            self.check_snapshot("a", {"one": "changed\n"})
        self.assertEqual((self.folder / "a.txt").read_text(), "== one\nchanged\n")
