"""What the tests of the Python package share. The package is that of the sources, on PYTHONPATH; the program is
named by the environment variable LAGNET, and the build folder that it is from by LAGNET_BUILD_TREE."""

import copy
import functools
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ["LAGNET"]
TREE = os.environ.get("LAGNET_BUILD_TREE") or str(pathlib.Path(PROGRAM).resolve().parent.parent)

# Runs in a few milliseconds; draws nothing but its data.
SMALL = {
    "data": {"source": "gaussian_regression", "samples": 24, "features": 4},
    "problem": {"regularizer": {"kind": "l2", "weight": 0.1}},
    "topology": {"kind": "ring", "agents": 5},
    "network": {"latency_ms": 2, "up_bytes_per_s": 125e6, "down_bytes_per_s": 125e6},
    "algorithm": {"kind": "extra"},
    "stop": {"rounds": 12},
}


def changed(changes):
    """The small scenario with the values at some JSON pointers replaced."""
    document = copy.deepcopy(SMALL)
    for pointer, value in changes.items():
        *path, last = pointer.split("/")[1:]
        at = document
        for key in path:
            at = at.setdefault(key, {})
        at[last] = value
    return document


ENDLESS = changed({"/stop/rounds": 10**12, "/record": {"every": 1000}})


class Case(unittest.TestCase):
    """Each test has a folder of its own, self.folder, which it works in. Warnings of runs are errors."""

    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        catching = warnings.catch_warnings()
        catching.__enter__()
        self.addCleanup(catching.__exit__, None, None, None)
        import lagnet
        warnings.simplefilter("error", lagnet.RunWarning)

    def program(self, *arguments, **options):
        """The program itself: exit status, stdout and stderr."""
        run = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False,
                             **options)
        return run.returncode, run.stdout, run.stderr

    def python(self, code, *arguments, **options):
        """What a Python of its own prints."""
        run = subprocess.run([sys.executable, "-B", "-c", code, *map(str, arguments)], capture_output=True, text=True,
                             timeout=120, check=False, **options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def interrupted(self, call, begun, number=signal.SIGINT):
        """Sends this process a signal once `begun` is true; how long the call took from there to its exception, in s,
        and the exception."""
        sent = []

        def send():
            deadline = time.monotonic() + 60
            while not begun() and time.monotonic() < deadline:
                time.sleep(0.005)
            sent.append(time.monotonic())
            os.kill(os.getpid(), number)

        sender = threading.Thread(target=send)
        sender.start()
        try:
            call()
        except BaseException as error:
            ended = time.monotonic()
            sender.join()
            return ended - sent[0], error
        sender.join()
        self.fail("nothing was raised")

    def assert_no_children(self):
        """The program is not there any more, not even as a zombie."""
        self.assertRaises(ChildProcessError, os.waitpid, -1, os.WNOHANG)


WITHOUT_NPM = "npm was missing when lagnet was built: pages and figures are not tested"


@functools.cache
def has_reports():
    """Whether the program can draw."""
    run = subprocess.run([PROGRAM, "report", ROOT / "no_results"], capture_output=True, text=True)
    return "has no reports" not in run.stderr


def files(folder):
    """The bytes of every file below a folder, by name."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}
