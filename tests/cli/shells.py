"""What tests of the completion in shells share."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import termios
import time

from support import PROGRAM, Case

LIMIT_S = 60  # for what takes some milliseconds: a machine may be busy
FOLDER = str(pathlib.Path(PROGRAM).resolve().parent)
INK = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>(][A-Z0-9]?")
ENVIRONMENT = {"PATH": FOLDER + os.pathsep + os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "120",
               "HISTFILE": "/dev/null"}


class ShellCase(Case):
    """A shell in a pseudo terminal, which is sent the key TAB, and the tests that are those of every shell."""

    COMMAND = ()  # "{home}" is the folder with the file
    RULES = ""  # in the file: the prompt is "READY> ", and Ctrl-T prints the line as the shell has it, and empties it
    FILE = "rc"

    def setUp(self):
        super().setUp()
        if not shutil.which(self.COMMAND[0]):
            self.skipTest(f"completion in {self.COMMAND[0]} is tested where it is installed, and it is not")
        (self.folder / "home").mkdir()
        (self.folder / "here").mkdir()
        self.write(f"home/{self.FILE}", self.RULES)
        self.write("here/first.json", json.dumps({"algorithm": {"kind": "extra"}}))
        self.write("here/notes.txt", "")
        (self.folder / "here/results").mkdir()
        home = str(self.folder / "home")
        self.text = ""
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(self.folder / "here")
            words = [word.format(home=home) for word in self.COMMAND]
            os.execvpe(words[0], words, {**ENVIRONMENT, "HOME": home, "ZDOTDIR": home})
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 100, 120, 0, 0))
        self.addCleanup(self.end)
        self.await_text("READY> ")

    def end(self):
        os.kill(self.child, signal.SIGKILL)
        os.close(self.terminal)
        os.waitpid(self.child, 0)

    def await_text(self, pattern):
        """The match in the next output of the shell."""
        last = time.monotonic() + LIMIT_S
        while not (found := re.search(pattern, self.text)):
            readable, _, _ = select.select([self.terminal], [], [], max(0.0, last - time.monotonic()))
            if not readable:
                self.fail(f"no {pattern} within {LIMIT_S} s in {self.text!r}")
            self.text += INK.sub("", os.read(self.terminal, 65536).decode(errors="replace"))
        self.seen, self.text = self.text[:found.end()], self.text[found.end():]
        return found

    def completed(self, typed):
        """The line after TAB; self.seen has the output meanwhile."""
        os.write(self.terminal, typed.encode() + b"\t\x14")
        return self.await_text(r"<<([^\n]*)>>")[1]

    def test_words_become_commands_options_and_values(self):
        for typed, line in (("lagnet ru", "lagnet run "), ("lagnet deploy k", "lagnet deploy keys "),
                            ("lagnet help deploy col", "lagnet help deploy collect "),
                            ("lagnet run --memo", "lagnet run --memory-budget-mib "),
                            ("lagnet run --qui", "lagnet run --quiet "),
                            ("lagnet report --format pd", "lagnet report --format pdf "),
                            ("lagnet report --format=pd", "lagnet report --format=pdf "),
                            ("lagnet describe gradient_tr", "lagnet describe gradient_tracking "),
                            ("lagnet list compr", "lagnet list compressors "),
                            ("lagnet new my.json --loss hu", "lagnet new my.json --loss huber "),
                            ("lagnet completion fi", "lagnet completion fish ")):
            with self.subTest(typed):
                self.assertEqual(self.completed(typed), line)

    def test_keys_of_scenarios_go_on_until_their_value(self):
        for typed, line in (("/topolo", "/topology/"), ("/topology/ag", "/topology/agents="), ("topolo", "topology."),
                            ("network.latency_m", "network.latency_ms=")):
            with self.subTest(typed):
                self.assertEqual(self.completed(f"lagnet run first.json --set {typed}"),
                                 f"lagnet run first.json --set {line}")
        self.assertEqual(self.completed("lagnet run first.json --sweep topology.ag"),
                         "lagnet run first.json --sweep topology.agents=")

    def test_files_and_folders_are_completed_elsewhere(self):
        for typed, line in (("lagnet run fi", "lagnet run first.json "),
                            ("lagnet compare res", "lagnet compare results/"),
                            ("lagnet run first.json --out res", "lagnet run first.json --out results/"),
                            ("lagnet run first.json --out=res", "lagnet run first.json --out=results/"),
                            ("lagnet new my.json --data no", "lagnet new my.json --data notes.txt ")):
            with self.subTest(typed):
                self.assertEqual(self.completed(typed), line)

    def test_columns_are_completed(self):
        self.assertEqual(self.completed("lagnet compare results --against simulated"),
                         "lagnet compare results --against simulated_s ")

    def test_several_candidates_are_shown_and_none_are_no_error(self):
        self.assertEqual(self.completed("lagnet re"), "lagnet re")
        for command in ("replay", "report", "reproduce", "retime"):
            self.assertIn(command, self.seen)
        for typed in ("lagnet nothing_like_this ", "lagnet run --set /none/", "lagnet run --seed 'a",
                      "lagnet run --set ["):
            with self.subTest(typed):
                self.assertEqual(self.completed(typed), typed)
                self.assertNotRegex(self.seen, "lagnet:|error|expected")
