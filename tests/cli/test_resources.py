"""What the system lacks or refuses: the table of exit statuses holds, the reason is named, and nothing is left."""

import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import threading
import unittest

from support import PROGRAM, SMALL, Case, changed

SWEEP = {"/sweep": {"/seed": [1, 2, 3]}}
UNPRIVILEGED = 65534  # Debian's user and group without rights


def limited(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


class Resources(Case):
    def words(self, *arguments, cwd=None, **options):
        run = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd or self.folder, capture_output=True, text=True,
                             timeout=60, check=False, **options)
        return run.returncode, run.stdout, " ".join(run.stderr.split())

    def small_disk(self):
        """A folder on a disk of 256 kB."""
        place = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, place, True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("no small disk can be mounted here: that takes root")
        self.addCleanup(subprocess.run, ["umount", "-l", place], check=True)
        return place

    def test_a_full_disk_ends_every_command_with_3_and_the_reason_and_leaves_nothing(self):
        disk = self.small_disk()
        self.write_small({"/topology/agents": 6, "/stop/rounds": 20000, "/record": {"every": 1, "trace": False}})
        self.write_small({**SWEEP, "/stop/rounds": 9000, "/record/every": 1}, "sweep.json")
        self.write_small({"/stop/rounds": 3000, "/record/every": 1}, "done.json")
        self.write_small({"/stop/rounds": 900, "/record": {"every": 900, "trace": True}}, "trace.json")
        self.succeeds("run", "done.json", "--out", "r", "--quiet")
        self.write_small({**SWEEP, "/stop/rounds": 3000, "/record/every": 1}, "many.json")
        self.succeeds("sweep", "many.json", "--out", "many", "--quiet")
        commands = [["run", "s.json", "--out", disk / "x"],
                    ["sweep", "sweep.json", "--out", disk / "x", "--jobs", "2", "--quiet"],
                    ["run", "trace.json", "--out", disk / "x"],
                    ["export", "many", "--sqlite", disk / "x.db"],
                    ["report", "r", "-o", disk / "x.html"],
                    ["compare", "many", "--format", "json", "--out", disk / "x.json"]]
        for command in commands:
            with self.subTest(command[0]):
                filler = 0 if command[0] in ("run", "sweep", "export") else 262144 - 4096
                (disk / "filler").write_bytes(b" " * filler)
                status, out, err = self.words(*command)
                if command[0] == "compare" and status == 0:
                    continue  # it fits
                self.assertEqual((status, out), (3, ""), err)
                self.assertRegex(err, "No space left on device|disk is full")
                left = {path.name for path in disk.iterdir()} - {"filler"}
                # Finished points of a sweep are kept, as after any other end.
                self.assertLessEqual(left, {"x.partial"} if command[0] == "sweep" else set())
                shutil.rmtree(disk / "x.partial", ignore_errors=True)

    def test_names_that_are_too_long_are_wrong_input(self):
        self.write_small()
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        before = self.tree()
        for name in ("n" * 300, "n" * 252, "d/" * 2500 + "n"):
            for command in (["run", "s.json", "--out", name], ["sweep", "s.json", "--out", name],
                            ["retime", "r", "--out", name], ["replay", name], ["compare", name], ["run", name],
                            ["report", "r", "-o", name + ".html"], ["export", "r", "--sqlite", name],
                            ["run", "s.json", "--set", f"topology.kind=edge_list", "--set", f"topology.path={name}"],
                            ["topology", "s.json", "-o", name + ".svg"], ["diff", "r", name], ["check", name]):
                with self.subTest(command=command[0], length=len(name)):
                    status, out, err = self.words(*command)
                    self.assertEqual((status, out), (2, ""), err)
                    self.assertNotRegex(err, "filesystem error|internal error|cannot make|terminate|basic_")
                    self.assertEqual(self.tree(), before)

    def test_a_working_folder_that_is_gone_is_wrong_input(self):
        self.write_small()
        gone = self.folder / "gone"
        for command in (["run", self.folder / "s.json"], ["run", self.folder / "s.json", "--out", "r"],
                        ["compare", "r"], ["run", "s.json"], ["sweep", self.folder / "s.json", "--out", "x/y"],
                        ["ask", "--dry-run"], ["design", self.folder / "s.json"]):
            gone.mkdir()
            with self.subTest(command):
                status, out, err = self.words(*command, cwd=gone, preexec_fn=lambda: os.rmdir(gone))
                self.assertEqual((status, out), (2, ""), err)
                self.assertNotRegex(err, "filesystem error|internal error|cannot get")
            self.assertFalse(gone.exists())

    def test_few_open_files_end_runs_with_3_and_leave_nothing(self):
        self.write_small({"/stop/rounds": 3})
        self.write_small({**SWEEP, "/stop/rounds": 3}, "sweep.json")
        before = self.tree()
        ends = set()
        for most in range(3, 24):
            for command in (["run", "s.json"], ["sweep", "sweep.json", "--jobs", "2"]):
                with self.subTest(command=command, most=most):
                    status, out, err = self.words(*command, "--out", "r", "--quiet",
                                                  preexec_fn=limited(resource.RLIMIT_NOFILE, most))
                    ends.add(status)
                    if status == 127:  # not even the program's libraries could be read
                        continue
                    if status != 0:
                        self.assertEqual((status, out), (3, ""), err)
                        self.assertIn("Too many open files", err)
                        left = {name for name in self.tree() if name not in before and ".finished" not in name}
                        self.assertEqual({name for name in left if not name.startswith("r.partial")}, set())
                        if command[0] == "run":
                            self.assertEqual(left, set())
                    for name in ("r", "r.partial"):
                        shutil.rmtree(self.folder / name, ignore_errors=True)
        self.assertLessEqual({0, 3}, ends)

    def test_a_limit_of_processes_names_the_failed_start(self):
        self.write_small()
        is_root = os.getuid() == 0  # which has no limit of processes

        def begin(most):
            def act():
                limited(resource.RLIMIT_NPROC, most)()
                if is_root:
                    os.setgroups([])
                    os.setgid(UNPRIVILEGED)
                    os.setuid(UNPRIVILEGED)
            return act
        if is_root:
            self.folder.chmod(0o777)
            try:
                self.words("--version", preexec_fn=begin(99))
            except PermissionError:
                self.skipTest("the program is in a folder that others than root cannot enter")
        for most in (1, 2, 3, 5) if is_root else (1,):
            with self.subTest(most):
                status, _, err = self.words("run", "s.json", "--threads", "8", preexec_fn=begin(most))
                self.assertEqual(status, 3)
                self.assertIn("a thread or process cannot be started", err)

    def test_a_pipe_without_a_reader_is_refused_for_any_output(self):
        self.write_small()
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        os.mkfifo(self.folder / "p")
        before = set(self.tree_names())
        for command in (["run", "s.json", "--out", "p"], ["sweep", "s.json", "--out", "p"],
                        ["tune", "s.json", "--out", "p"], ["report", "r", "-o", "p"],
                        ["report", "r", "--figure", "convergence", "--format", "svg", "-o", "p"],
                        ["export", "r", "--sqlite", "p"], ["topology", "s.json", "-o", "p"],
                        ["compare", "r", "--out", "p"], ["design", "s.json", "-o", "p"]):
            with self.subTest(command):
                status, out, err = self.words(*command)
                self.assertEqual((status, out), (2, ""), err)
                self.assertEqual(set(self.tree_names()), before)
        # A pipe that has a reader is written to.
        read = []
        reader = threading.Thread(target=lambda: read.append((self.folder / "p").read_bytes()))
        reader.start()
        for _ in range(200):  # until it waits there
            if self.words("compare", "r", "--table", "runs", "--format", "csv", "--out", "p")[0] == 0:
                break
        reader.join(timeout=20)
        self.assertTrue(read and read[0])

    def tree_names(self):
        return [str(path.relative_to(self.folder)) for path in self.folder.rglob("*")]

    def test_a_folder_that_may_not_be_written_to_is_wrong_input(self):
        if os.getuid() == 0:
            self.skipTest("root may write everywhere")
        self.write_small()
        (self.folder / "closed").mkdir()
        (self.folder / "closed").chmod(0o555)
        for command in (["run", "s.json", "--out", "closed/r"], ["sweep", "s.json", "--out", "closed/r"]):
            status, out, err = self.words(*command)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("Permission denied", err)


class PlantedLinks(Case):
    """Links in every place that is written or removed, to a folder and files of another user."""

    def setUp(self):
        super().setUp()
        self.victim = self.folder / "victim"
        self.victim.mkdir()
        self.write("victim/data.csv", "mine")
        self.write("victim/progress.csv", "mine")
        self.write_small()
        self.write("sweep.json", changed(SMALL, SWEEP))

    def check(self, *command):
        before = {path: path.read_bytes() for path in self.victim.rglob("*")}
        status, _, err = self.lagnet(*command)
        self.assertEqual({path: path.read_bytes() for path in self.victim.rglob("*")}, before, command)
        self.assertIn(status, (0, 2), err)

    def test_nothing_that_a_link_names_is_written_or_removed(self):
        part = ["sweep", "sweep.json", "--out", "r", "--part", "1/3"]
        sweep = ["sweep", "sweep.json", "--out", "r"]
        run = ["run", "s.json", "--out", "r"]
        names = ["lagnet.lock", "scenario.json", "scenario.json.partial", "points.json",
                 "points.json.partial", "000", "point-00000000-0", "point-00000000-0.running",
                 "point-00000000-0.finished", "progress.csv", "summary.json", "sweep.csv", "build.txt", "trace.jsonl"]
        # Of the points of this sweep, too.
        self.succeeds(*part, "--quiet")
        for entry in (self.folder / "r.partial").glob("*.finished"):
            names += [entry.name, entry.stem, entry.stem + ".running", entry.name + ".partial"]
        for entry in (self.folder / "r.partial").glob("part-*.lock"):
            names += [entry.name, entry.name + ".partial"]
        subprocess.run(["rm", "-r", self.folder / "r.partial"], check=True)
        for place, commands in (("r.partial", (run, sweep, part)), ("r", (sweep,)), ("r.replaced", (run,))):
            for target in (self.victim, self.victim / "progress.csv"):
                for command in commands:
                    for name in [None, *names]:
                        link = self.folder / place / name if name else self.folder / place
                        with self.subTest(place=place, name=name, command=command[0], part=command is part):
                            for left in ("r", "r.partial", "r.replaced"):
                                subprocess.run(["rm", "-rf", self.folder / left], check=True)
                            link.parent.mkdir(exist_ok=True)
                            link.symlink_to(target)
                            self.check(*command, "--quiet", "--replace")

    def test_a_database_that_is_a_link_in_the_place_of_the_unfinished_one_is_not_followed(self):
        self.succeeds(*["run", "s.json", "--out", "r", "--quiet"])
        (self.folder / "x.db.partial").symlink_to(self.victim / "progress.csv")
        self.check("export", "r", "--sqlite", "x.db")
        (self.folder / "page.html.partial").symlink_to(self.victim / "progress.csv")
        self.check("report", "r", "-o", "page.html")


if __name__ == "__main__":
    unittest.main()
