"""Progress on a terminal: one line that is drawn anew, fits into the columns and leaves nothing behind."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios

from support import PROGRAM, Case

ENDLESS = {"/name": "a scenario with a name that is long enough to fill half a line", "/stop/rounds": 10**12,
           "/record/every": 100}
DRAWN = re.compile(r"\r\x1b\[K([^\r\n\x1b]+)(?=\r\x1b\[K)")  # and then drawn anew, or taken away


class Progress(Case):
    def drawn(self, columns, *arguments, at_least=3):
        """The lines that an endless command drew one over the other, until it was interrupted, and all it wrote."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        run = subprocess.Popen([PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.folder)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        text, interrupted = "", False
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux: the other end is closed
                part = b""
            if not part:
                break
            text += part.decode()
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
