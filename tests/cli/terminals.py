"""What tests in pseudo terminals share."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from support import PROGRAM, Case

INK = re.compile(r"\x1b\[[0-9;]*m")


class TerminalCase(Case):
    """Each command runs in a pseudo terminal of its own."""

    def start(self, columns, *arguments, **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        run = subprocess.Popen([PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.folder,
                               env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment})
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run, ours

    @staticmethod
    def read(ours):
        """What was written next; "" at the end."""
        try:
            return os.read(ours, 65536).decode()
        except OSError:  # Linux: the other end is closed
            return ""

    def ended(self, columns, *arguments, **environment):
        """A command's exit status and all that it wrote."""
        run, ours = self.start(columns, *arguments, **environment)
        parts = [self.read(ours)]
        while parts[-1]:
            parts.append(self.read(ours))
        return run.wait(), "".join(parts)

    def shown(self, columns, *arguments, **environment):
        return self.ended(columns, *arguments, **environment)[1]

    @staticmethod
    def rows(text):
        """The rows that stay on the screen, without their ink."""
        rows = []
        for line in text.split("\r\n"):
            rows.append(INK.sub("", line.split("\r\x1b[K")[-1]))
        return rows
