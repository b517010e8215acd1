"""Processes that join a sweep by two mounts of one folder, each of which shows changes of the other seconds later, as
the clients of a network file system do, and whose processes cannot see each other."""

import os
import shutil
import signal
import subprocess
import time
import unittest

from support import PROGRAM, SMALL, Case, changed

SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 15000, "/record/every": 10}
CACHES = "attr_timeout=1,entry_timeout=1,negative_timeout=1"  # seconds for which names and times are not asked again
SFTP_SERVER = "/usr/lib/openssh/sftp-server"
HOST = ["unshare", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc"]


def why_not():
    for program in ("bindfs", "sshfs", SFTP_SERVER, "unshare", "hostname", "umount"):
        if not shutil.which(program):
            return f"{program} is not installed: that processes join by mounts with caches is not tested"
    if os.geteuid() != 0 or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "this may not mount anything: that processes join by mounts with caches is not tested"
    if subprocess.run([*HOST, "true"], capture_output=True, check=False).returncode != 0:
        return "no space for processes can be made here: that processes join by mounts with caches is not tested"
    return ""


@unittest.skipIf(why_not(), why_not())
class Caches(Case):
    def setUp(self):
        super().setUp()
        self.base = self.folder / "base"
        self.base.mkdir()

    def mounted(self, name, command):
        place = self.folder / name
        place.mkdir()
        made = subprocess.run([*command, place], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            self.skipTest(f"{made.stderr.strip()}: that processes join by mounts with caches is not tested")
        self.addCleanup(subprocess.run, ["umount", "--lazy", place], check=True)
        return place

    def start(self, mount, host):
        """A joined process, as if on a machine of its own."""
        process = subprocess.Popen([*HOST, "sh", "-c", f"hostname {host}; exec '{PROGRAM}' sweep s.json --out r --join "
                                    "--jobs 1"], cwd=mount, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(self.end_process, process)
        return process

    def files(self, name):
        root = self.base / name
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def test_a_machine_is_lost_and_the_bytes_are_those_of_one_process(self):
        command = ["bindfs", "--multithreaded", "-o", CACHES, self.base]
        self.check_that_a_machine_is_lost([self.mounted(name, command) for name in ("first", "second")])

    def test_the_same_holds_where_a_rename_that_meets_a_folder_is_not_permitted(self):
        server = self.folder / "server"  # in place of a connection to one
        server.write_text(f"#!/bin/sh\nexec {SFTP_SERVER}\n", encoding="utf-8")
        server.chmod(0o755)
        command = ["sshfs", "-o", f"ssh_command={server}", f"here:{self.base}"]
        mounts = [self.mounted(name, command) for name in ("first", "second")]
        for name in ("taken", "taken/file", "new"):
            (self.base / name).mkdir()
        with self.assertRaises(PermissionError):
            os.rename(mounts[0] / "new", mounts[0] / "taken")
        shutil.rmtree(self.base / "taken")
        (self.base / "new").rmdir()
        self.check_that_a_machine_is_lost(mounts)

    def check_that_a_machine_is_lost(self, mounts):
        self.write("base/s.json", changed(SMALL, SWEEP))
        subprocess.run([PROGRAM, "sweep", "s.json", "--out", "alone", "--jobs", "1", "--quiet"], cwd=self.base,
                       check=True)
        first, second = mounts
        lost, *others = [self.start(mount, host) for mount, host in ((second, "lost"), (first, "a"), (first, "b"),
                                                                     (second, "c"))]
        deadline = time.monotonic() + 200
        while not list(self.base.glob("r.partial/point-*.lost-*.running")):
            self.assertIsNone(lost.poll(), "the process has ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)
        lost.send_signal(signal.SIGKILL)
        lost.wait()
        for member in self.base.glob("r.partial/lost-*.member"):  # five minutes later
            os.utime(member, (time.time() - 301, time.time() - 301))
        for process in others:
            _, err = process.communicate(timeout=200)
            self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.files("r"), self.files("alone"))
        self.assertEqual(sorted(os.listdir(self.base)), ["alone", "r", "s.json"])
