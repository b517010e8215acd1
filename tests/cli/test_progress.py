"""On a terminal: progress in one line that is drawn anew, fits into the columns and leaves nothing behind; a sweep in
lines of aligned columns; colors where they are wanted."""

import os
import re
import signal

from terminals import INK, TerminalCase

ENDLESS = {"/name": "a scenario with a name that is long enough to fill half a line", "/stop/rounds": 10**12,
           "/record/every": 100}
DRAWN = re.compile(r"\r\x1b\[K([^\r\n\x1b]+)(?=\r\x1b\[K)")  # and then drawn anew, or taken away


class Compared(TerminalCase):
    def test_the_answer_stays_in_sight_and_all_lines_fit(self):
        self.run_small("r", {"/sweep": {"/topology/kind": ["ring", "complete"], "/seed": [1, 2, 3]}})
        rows = self.rows(self.shown(80, "compare", "r"))
        self.assertLessEqual(len(rows), 24)
        self.assertLessEqual(max(map(len, rows)), 80)
        self.assertTrue(rows[0].startswith("2 series, 6 runs"))
        left_out = "curves, accuracy, paired, pareto, crossings"
        self.assertRegex(" ".join(" ".join(rows).split()), rf"more: --all, or --table with one of [a-z, ]*{left_out}")
        narrow = self.rows(self.shown(60, "compare", "r", "--where", "topology.kind=ring", "--by", "seed"))
        self.assertLessEqual(max(map(len, narrow)), 60)
        everything = self.rows(self.shown(80, "compare", "r", "--all"))
        self.assertGreater(len(everything), 40)
        self.assertLessEqual(max(map(len, everything)), 80)
        # What is written elsewhere has everything.
        self.assertIn("where mean curves", self.succeeds("compare", "r"))


class Progress(TerminalCase):
    def drawn(self, columns, *arguments, at_least=3):
        """The lines that an endless command drew one over the other, until it was interrupted, and all it wrote."""
        run, ours = self.start(columns, *arguments)
        text, interrupted = "", False
        while True:
            part = self.read(ours)
            if not part:
                break
            text += part
            if not interrupted and len(DRAWN.findall(text)) >= at_least:
                interrupted = True
                run.send_signal(signal.SIGINT)
        return DRAWN.findall(text), text

    def check(self, lines, text, columns):
        for line in lines:
            self.assertLess(len(line), columns, line)
        # What was drawn is taken away before anything else is written.
        for line in lines:
            self.assertNotIn(line + "\r\n", text)

    def test_a_run_draws_one_line_that_fits(self):
        self.write_small(ENDLESS)
        for columns in (40, 80, 200):
            with self.subTest(columns=columns):
                lines, text = self.drawn(columns, "run", "s.json", "--out", "r")
                self.check(lines, text, columns)
        self.assertIn("rounds/s", lines[-1], "at 200 columns everything has its place")

    def test_a_sweep_draws_one_line_for_all_runs(self):
        self.write_small({**ENDLESS, "/sweep": {"/seed": [1, 2, 3]}})
        lines, text = self.drawn(80, "sweep", "s.json", "--out", "r", "--jobs", "2")
        self.check(lines, text, 80)
        self.assertRegex(lines[-1], "^0 of 3 runs done")


SWEEP = {"/stop": {"rounds": 60, "relative_error": 1e-3}, "/record": {"every": 1, "timeline": False},
         "/sweep": {"/topology/kind": ["ring", "complete"], "/problem/regularizer": [{"kind": "l1", "weight": 0.01},
                                                                                      {"kind": "none"}],
                    "/topology/agents": [3, 5], "/network/latency_ms": [1, 10, 100]}}


class Points(TerminalCase):
    def test_a_sweep_has_one_line_for_each_point_that_fits_into_the_columns(self):
        self.write_small(SWEEP)
        for columns in (60, 80, 200):
            with self.subTest(columns=columns):
                rows = self.rows(self.shown(columns, "sweep", "s.json", "--out", f"r{columns}", "--jobs", "2"))
                for row in rows:
                    self.assertLess(len(row), columns, row)
                lines = [row for row in rows if re.match(r" *[0-9]+  ", row)]
                self.assertEqual([int(line.split()[0]) for line in lines], list(range(1, 25)))
                if columns == 60:
                    continue  # four keys and their results do not fit, and are cut
                self.assertRegex(lines[0], r"^  1 .*  (not )?reached +[0-9]+ +[0-9.e+-]+ +[0-9.]+e[+-][0-9]+$")
                self.assertEqual({len(line) for line in lines}, {len(lines[0])}, "all end in the same column")
                self.assertEqual(len(rows[0].rstrip()), len(lines[0]), "so does the line with their names")
                self.assertFalse([row for row in rows if "runs done" in row])

    def test_values_are_printed_in_short_form(self):
        self.write_small(SWEEP)
        header, first, *_ = self.succeeds_with("sweep", "s.json", "--out", "r").splitlines()
        self.assertEqual(header.split(), "run kind regularizer agents latency_ms outcome rounds time (s) error".split())
        self.assertIn("ring      l1 weight=0.01  3       1 ", first)

    def test_labels_replace_the_values_they_decide(self):
        points = [{"label": "triangle", "/topology": {"kind": "edges", "agents": 3, "edges": [[0, 1], [1, 2], [0, 2]]}},
                  {"label": "way", "/topology": {"kind": "edges", "agents": 3, "edges": [[0, 1], [1, 2]]}}]
        self.write_small({"/sweep": {"points": points, "/network/latency_ms": [1, 5]}})
        rows = [line.split() for line in self.succeeds_with("sweep", "s.json", "--out", "r").splitlines()]
        self.assertEqual(rows[0][:4], ["run", "label", "latency_ms", "outcome"])
        self.assertEqual([row[:3] for row in rows[1:5]], [["1", "triangle", "1"], ["2", "triangle", "5"],
                                                          ["3", "way", "1"], ["4", "way", "5"]])
        sentences = self.succeeds_with("sweep", "s.json", "--out", "v", "--verbose")
        self.assertIn("2/4 triangle /network/latency_ms=5: ended by rounds", sentences)

    def succeeds_with(self, *arguments):
        status, out, _ = self.lagnet(*arguments)
        self.assertEqual(status, 0)
        return out

    def test_stdout_is_the_same_after_an_interruption(self):
        self.write_small({**SWEEP, "/stop/rounds": 20000, "/stop/relative_error": 1e-12})
        whole = self.succeeds_with("sweep", "s.json", "--out", "whole")
        run, ours = self.start(80, "run", "s.json", "--out", "r", "--jobs", "1")
        text = ""
        while not re.search(r"\x1b\[K  5  ", text):
            part = self.read(ours)
            self.assertTrue(part, text)
            text += part
        run.send_signal(signal.SIGINT)
        while part := self.read(ours):
            text += part
        self.assertEqual(run.wait(), 130)
        last = " ".join(self.rows(text)[-3:])
        self.assertIn("lagnet: interrupted, finished points are in ", last)
        for row in self.rows(text):
            if str(self.folder) not in row:
                self.assertLess(len(row), 80)
        status, out, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual((status, out), (0, whole.replace("in whole", "in r")))
        self.assertRegex(err, r"(?m)^[0-9]+ of 24 points were finished before$")

    def test_outcomes_have_colors_only_where_a_terminal_takes_them(self):
        self.write_small({**SWEEP, "/stop/relative_error": 0.9})
        command = ("sweep", "s.json", "--out", "r", "--jobs", "1")
        self.assertRegex(self.shown(80, *command), "\x1b\\[32mreached\x1b\\[0m")
        for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
            with self.subTest(plain=plain):
                self.assertNotRegex(self.shown(80, *command, **plain), INK)
        self.assertNotIn("\x1b", self.succeeds_with(*command))

    def test_messages_are_broken_between_words(self):
        self.write_small({"/algoritm": 1})
        rows = self.rows(self.shown(80, "run", "s.json"))
        self.assertGreater(len(rows), 2)
        for row in rows:
            self.assertLess(len(row), 80)
        self.assertIn("did you mean algorithm?", " ".join(" ".join(rows).split()))

    def test_differences_of_goldens_are_broken_between_words(self):
        (self.folder / "golden").mkdir()
        self.write_small(name="golden/s.json")
        self.succeeds("check", "golden", "--update")
        golden = self.folder / "golden/s.golden.json"
        golden.write_text(golden.read_text().replace('"relative_error"', '"relative_distance"', 1))
        rows = self.rows(self.shown(40, "check", "golden"))
        for row in rows:
            self.assertLess(len(row), 40, row)
        self.assertIn("relative_distance: gone", " ".join(" ".join(rows).split()))

    def test_questions_are_broken_between_words(self):
        run, ours = self.start(40, "new", "my.json")
        os.write(ours, b"made up\nextra\nring\n5\n3ms\n")
        text = "".join(iter(lambda: self.read(ours), ""))
        self.assertEqual(run.wait(), 0, text)
        for row in self.rows(text.replace("]: ", "]:\r\n")):  # the answers were there before the questions
            self.assertLess(len(row), 40, row)
        self.assertIn("algorithm, as extra, gradient_tracking, fed_avg or scaffold (`lagnet list algorithms`) [extra]:",
                      " ".join(" ".join(self.rows(text)).split()))
