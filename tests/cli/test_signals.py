"""After a signal at any moment, each file is complete or absent, and the program's messages about it are true.

LAGNET_SIGNALS is how many signals each command gets; the default keeps the test short."""

import os
import random
import re
import shutil
import signal
import subprocess
import time

from support import PROGRAM, Case

SIGNALS = int(os.environ.get("LAGNET_SIGNALS", "12"))
SWEEP = {"/sweep": {"/seed": list(range(1, 9))}, "/record/trace": True, "/record/timeline": True, "/stop/rounds": 40}
TUNE = {"/tune": {"candidates": 8, "ranges": {"/algorithm/tau": {"low": 0.1, "high": 1}}},
        "/algorithm": {"kind": "fd_primal_dual", "tau": 1, "sigma": 1}, "/stop/rounds": 40}


def contents(place):
    """{name: bytes} of a file or of all files below a folder; None where there is neither."""
    if place.is_file():
        return {"": place.read_bytes()}
    if not place.is_dir():
        return None
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


class Signals(Case):
    def check_signals(self, arguments, target, earlier=None):
        """Runs a command with signals at moments all over its time. `target`: the path that it writes;
        `earlier` makes the files that are in its place before."""
        target = self.folder / target
        command = [PROGRAM, *arguments]

        def begin():
            for path in (target, target.with_name(target.name + ".partial")):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            if earlier:
                earlier()

        begin()
        before, others = contents(target), set(os.listdir(target.parent)) - {target.name}
        start = time.monotonic()
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        usual = time.monotonic() - start
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = contents(target)
        moments = random.Random(7)
        for k in range(SIGNALS):
            begin()
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[k % 3]
            run = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(moments.uniform(0, 1.1 * usual))
            run.send_signal(number)
            out, err = run.communicate(timeout=120)
            found, rest = contents(target), set(os.listdir(target.parent)) - {target.name} - others
            there = "whole" if found == whole else "as before" if found == before else "damaged"
            said = (run.returncode, there, sorted(rest), err)
            partial = target.with_name(target.name + ".partial").name
            told = err.splitlines()[-1] if err else ""
            written = re.fullmatch("lagnet: interrupted, after (.*) was written", told)
            if run.returncode == 0:
                expected = (0, "whole", [], err)
            elif run.returncode == -number:  # before it watched for signals
                expected = (-number, "as before", [], "")
            elif told == "lagnet: interrupted, nothing was written":
                expected = (128 + number, "as before", [], err)
            elif written and self.folder / written[1] == target:
                expected = (128 + number, "whole", [], err)
            else:
                expected = (128 + number, "as before", [partial],
                            f"lagnet: interrupted, finished points are in {target}.partial, and the same command goes "
                            "on from there\n")
                self.assertTrue(list((self.folder / partial).glob("point-*.finished")), said)
            self.assertEqual(said, expected)

    def test_of_a_run(self):
        self.write_small({"/record/trace": True, "/record/timeline": True, "/stop/rounds": 400})
        self.check_signals(["run", "s.json", "--out", "r"], "r")

    def test_of_a_run_in_place_of_earlier_results(self):
        self.run_small("r")
        saved = self.folder / "saved"
        shutil.copytree(self.folder / "r", saved)
        self.write_small({"/record/trace": True, "/stop/rounds": 400})
        self.check_signals(["run", "s.json", "--out", "r", "--replace"], "r",
                           lambda: shutil.copytree(saved, self.folder / "r"))

    def test_of_a_sweep_under_run(self):
        self.write_small(SWEEP)
        self.check_signals(["run", "s.json", "--out", "r"], "r")

    def test_of_a_sweep(self):
        self.write_small(SWEEP)
        self.check_signals(["sweep", "s.json", "--out", "r"], "r")

    def test_of_a_tuning(self):
        self.write_small(TUNE)
        self.check_signals(["tune", "s.json", "--out", "r"], "r")

    def test_of_a_report(self):
        self.run_small("r")
        self.check_signals(["report", "r", "-o", "page.html"], "page.html")

    def test_of_tables(self):
        self.run_small("r", SWEEP)
        self.check_signals(["compare", "r", "--format", "csv", "--table", "curves", "--out", "t.csv"], "t.csv")

    def test_a_hangup_that_is_ignored_stays_so(self):
        self.write_small({"/stop/rounds": 2000})
        run = subprocess.Popen([PROGRAM, "run", "s.json", "--out", "r"], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while not any(path.name != "s.json" for path in self.folder.iterdir()) and run.poll() is None:
            time.sleep(0.001)  # until it writes: it watches for signals by then
        run.send_signal(signal.SIGHUP)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 0, err)
        self.assertTrue((self.folder / "r/summary.json").exists())

    def test_of_a_golden(self):
        (self.folder / "golden").mkdir()
        self.write_small({"/stop/rounds": 400}, "golden/s.json")
        self.check_signals(["check", "golden", "--update"], "golden/s.golden.json")
