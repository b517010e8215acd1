"""Texts for people on a terminal: lines that fit, headings, and a pager for what is longer than the screen."""

import os
import re
import shutil
import signal
import subprocess

from support import PROGRAM
from terminals import INK, TerminalCase

LONG = ("describe", "network")  # longer than the 24 rows of these terminals
SHORT = ("describe", "squared")


class Layout(TerminalCase):
    def test_lines_of_describe_and_list_fit_and_say_the_same(self):
        for words in (LONG, ("list",), ("list", "papers"), ("describe", "regularizer"), ("describe", "dropout")):
            for columns in (60, 80, 120):
                with self.subTest(words=words, columns=columns):
                    shown = self.shown(columns, *words, "--no-pager")
                    for row in self.rows(shown):
                        self.assertLess(len(row), columns, row)
                    self.assertEqual(" ".join(INK.sub("", shown).split()), " ".join(self.succeeds(*words).split()))

    def test_headings_are_bold_where_a_terminal_takes_it(self):
        self.run_small("r", {"/sweep": {"/topology/kind": ["ring", "complete"]}})
        for words, heading in ((LONG, "network"), (("list", "losses"), "losses"),
                               (("compare", "r"), "2 series, 2 runs"),
                               (("compare", "r", "--table", "series"), "series")):
            with self.subTest(words):
                paged = ("--no-pager",) if words[0] != "compare" else ()
                bold = re.compile(rf"\x1b\[1m{heading}[^\x1b]*\x1b\[0m")
                self.assertRegex(self.shown(80, *words, *paged), bold)
                for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
                    self.assertNotIn("\x1b", self.shown(80, *words, *paged, **plain))
                self.assertNotIn("\x1b", self.succeeds(*words))
        self.assertNotIn("\x1b", self.shown(80, "compare", "r", "--out", "file"))
        self.assertNotIn("\x1b", (self.folder / "file").read_text())

    def test_help_is_as_wide_as_the_terminal(self):
        for columns in (60, 80, 110):
            rows = self.rows(self.shown(columns, "run", "--help"))
            self.assertLessEqual(max(map(len, rows)), columns)
            self.assertGreater(max(map(len, rows)), columns - 15)


class Pager(TerminalCase):
    def pager(self, script, name="pager"):
        path = self.write(name, f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    def test_what_is_higher_than_the_terminal_goes_through_it(self):
        pager = {"PAGER": self.pager("echo BEGIN; cat; echo END")}
        for words in (LONG, ("list",), ("list", "papers")):
            with self.subTest(words):
                self.assertRegex(self.shown(80, *words, **pager), r"(?s)^BEGIN\r\n.*\x1b\[.*\r\nEND\r\n$")
        for words in (SHORT, (*LONG, "--no-pager"), (*LONG, "--json")):
            with self.subTest(words):
                self.assertNotIn("BEGIN", self.shown(80, *words, **pager))
        # A pipe has none.
        run = subprocess.run([PROGRAM, *LONG], capture_output=True, text=True, check=True, env={**os.environ, **pager})
        self.assertNotIn("BEGIN", run.stdout)

    def test_variables_choose_it_and_an_empty_one_is_none(self):
        first, second = self.pager("echo FIRST", "first"), self.pager('echo "SECOND $1"', "second")
        self.assertEqual(self.shown(80, *LONG, LAGNET_PAGER=first, PAGER=second), "FIRST\r\n")
        self.assertEqual(self.shown(80, *LONG, PAGER=f"{second} word"), "SECOND word\r\n")
        plain = self.shown(80, *LONG, "--no-pager")
        for none in ({"LAGNET_PAGER": "", "PAGER": first}, {"PAGER": ""}, {"PAGER": " "}):
            with self.subTest(none):
                self.assertEqual(self.shown(80, *LONG, **none), plain)

    def test_one_that_does_not_exist_is_left_out(self):
        plain = self.shown(80, *LONG, "--no-pager")
        unusable = self.write("unusable", "no program")
        for pager in ("no-such-pager -R", "/no/such/pager", str(unusable)):
            with self.subTest(pager):
                self.assertEqual(self.ended(80, *LONG, PAGER=pager)[0], 0)
                shown = self.shown(80, *LONG, PAGER=pager)
                self.assertIn(plain, shown)
        self.assertEqual(self.shown(80, *LONG, PAGER="no-such-pager"), plain)

    def test_leaving_it_early_is_no_error(self):
        status, text = self.ended(80, "list", PAGER=self.pager("head -n 2"))
        self.assertEqual((status, text.count("\n")), (0, 2), text)
        self.assertEqual(self.ended(80, "list", PAGER=self.pager("exit 3")), (0, ""))

    def test_less_gets_what_it_needs_unless_it_is_set(self):
        pager = self.pager('echo "LESS=$LESS"')
        self.assertEqual(self.shown(80, *LONG, PAGER=pager), "LESS=FRX\r\n")
        self.assertEqual(self.shown(80, *LONG, PAGER=pager, LESS="S"), "LESS=S\r\n")

    def test_ctrl_c_is_for_the_pager(self):
        waits = self.pager("cat; echo UP; while [ ! -e go ]; do sleep 0.02; done; echo END")
        run, ours = self.start(80, *LONG, PAGER=waits)
        text = ""
        while "UP" not in text:
            part = self.read(ours)
            self.assertTrue(part, text)
            text += part
        run.send_signal(signal.SIGINT)
        self.write("go", "")
        while part := self.read(ours):
            text += part
        self.assertEqual(run.wait(), 0, text)
        self.assertRegex(text, r"UP\r\nEND\r\n$")

    def test_less_shows_a_screen_until_it_is_left(self):
        if not shutil.which("less"):
            self.skipTest("the usual pager is tried where less is installed, and it is not")
        run, ours = self.start(80, *LONG)
        text = ""
        while not re.search(r"\n[^\n]*:[^\n]*$", INK.sub("", text)) or text.count("\n") < 22:
            part = self.read(ours)
            self.assertTrue(part, text)
            text += part
        os.write(ours, b"q")
        while part := self.read(ours):
            text += part
        self.assertEqual(run.wait(), 0)
        self.assertLess(text.count("\n"), 30, "the rest is not shown")
