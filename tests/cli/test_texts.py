"""Texts for people on a terminal: lines that fit, and headings."""

import re

from terminals import INK, TerminalCase

LONG = ("describe", "network")


class Layout(TerminalCase):
    def test_lines_of_describe_and_list_fit_and_say_the_same(self):
        for words in (LONG, ("list",), ("list", "papers"), ("describe", "regularizer"), ("describe", "dropout")):
            for columns in (60, 80, 120):
                with self.subTest(words=words, columns=columns):
                    shown = self.shown(columns, *words)
                    for row in self.rows(shown):
                        self.assertLess(len(row), columns, row)
                    self.assertEqual(" ".join(INK.sub("", shown).split()), " ".join(self.succeeds(*words).split()))

    def test_headings_are_bold_where_a_terminal_takes_it(self):
        self.run_small("r", {"/sweep": {"/topology/kind": ["ring", "complete"]}})
        for words, heading in ((LONG, "network"), (("list", "losses"), "losses"),
                               (("compare", "r"), "2 series, 2 runs"),
                               (("compare", "r", "--table", "series"), "series")):
            with self.subTest(words):
                bold = re.compile(rf"\x1b\[1m{heading}[^\x1b]*\x1b\[0m")
                self.assertRegex(self.shown(80, *words), bold)
                for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
                    self.assertNotIn("\x1b", self.shown(80, *words, **plain))
                self.assertNotIn("\x1b", self.succeeds(*words))
        self.assertNotIn("\x1b", self.shown(80, "compare", "r", "--out", "file"))
        self.assertNotIn("\x1b", (self.folder / "file").read_text())

    def test_help_is_as_wide_as_the_terminal(self):
        for columns in (60, 80, 110):
            rows = self.rows(self.shown(columns, "run", "--help"))
            self.assertLessEqual(max(map(len, rows)), columns)
            self.assertGreater(max(map(len, rows)), columns - 15)
