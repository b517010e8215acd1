"""`lagnet slurm`: the job script of a sweep, also run by a real Slurm."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from slurm_node import SlurmNode, why_not
from support import Case

POINTS = 12
SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 40000, "/record/every": 1}


class Slurm(Case):
    def script(self, *arguments):
        return self.succeeds("slurm", "s.json", "--out", "r", "--tasks", "4", "--time", "2:00:00", *arguments)

    def test_the_script_says_what_the_tasks_may_use_and_does(self):
        self.write_small(SWEEP)
        script = self.script("--cpus", "2", "--sbatch=--partition=long", "--set", "name=it's")
        for line in ("--job-name=lagnet-s", "--time=2:00:00", "--signal=B:TERM@120", "--requeue",
                     "--open-mode=append", "--cpus-per-task=2", "--output=lagnet-s-%A_%a.log", "--partition=long"):
            self.assertIn(f"\n#SBATCH {line}\n", script)
        self.assertTrue(script.startswith("#!/bin/bash\n"))
        self.assertIn(f"'sweep' '{self.folder}/s.json' '--set' 'name=it'\\''s' '--out' '{self.folder}/r' '--quiet')",
                      script)
        self.assertIn('parts=$(sbatch --parsable --array=1-4 "$0")', script)
        self.assertIn('--part "$task/4"', script)
        self.assertEqual(subprocess.run(["bash", "-n"], input=script, text=True).returncode, 0)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["s.json"])  # nothing is written

    def test_memory_is_what_points_are_estimated_to_take_and_a_third_more(self):
        """X of 32 MiB, in a run of its own and beside another one."""
        self.write_small({"/data": {"source": "gaussian_regression", "samples": 1024, "features": 4096},
                          "/algorithm": {"kind": "dgd", "step": 1e-6}, "/sweep": {"/seed": [1, 2]},
                          "/stop/rounds": 3, "/record": {"optimum": False}})
        scripts = [self.succeeds("slurm", "s.json", "--out", "r", "--tasks", "1", "--time", "5", "--cpus", cpus)
                   for cpus in (1, 2)]
        memory = [int(re.search(r"--mem=(\d+)M", script)[1]) for script in scripts]
        estimate = json.loads(self.succeeds("estimate", "s.json", "--json"))["memory_bytes"] / 2**20
        self.assertGreater(estimate, 32)
        for cpus, found in zip((1, 2), memory):
            self.assertLessEqual(abs(found - (estimate * cpus * 4 / 3 + 256)), 1)
        told = json.loads(self.succeeds("slurm", "s.json", "--out", "r", "--tasks", "1", "--time", "5", "--mem-mib", 77,
                                        "--json"))
        self.assertEqual((told["memory_mib"], told["tasks"], told["points"]), (77, 1, 2))
        self.assertIn("\n#SBATCH --mem=77M\n", told["script"])

    def test_a_search_of_parameters_is_shared_as_well(self):
        ranges = {"/algorithm/tau": {"low": 0.1, "high": 1, "scale": "log"}}
        self.write_small({"/tune": {"candidates": 2, "ranges": ranges},
                          "/algorithm": {"kind": "fd_primal_dual", "tau": 1, "sigma": 1}})
        self.assertIn(f"'tune' '{self.folder}/s.json' '--out'", self.script())

    def test_more_tasks_than_points_are_cut_down_with_a_sentence(self):
        self.write_small({"/sweep": {"/seed": [1, 2, 3]}})
        status, out, err = self.lagnet("slurm", "s.json", "--out", "r", "--tasks", "9", "--time", "5", "--cpus", "2")
        self.assertEqual(status, 0)
        self.assertIn("--array=1-2 ", out)
        self.assertEqual(err, "slurm: 2 tasks of 2 cpus are enough for 3 points: the script has no more\n")

    def test_what_cannot_be_a_job_is_refused(self):
        self.write_small()
        for arguments, why in ((("--tasks", "0", "--time", "5"), "--tasks"), (("--tasks", "2"), "--time"),
                               (("--tasks", "2", "--time", "1h"), "expected a time such as 90 (minutes), 2:00:00"),
                               (("--tasks", "2", "--time", "5", "--sbatch", "long"), "expected an option such as"),
                               (("--tasks", "2", "--time", "5", "--set", "stop.rounds=0"), "/stop/rounds")):
            status, out, err = self.lagnet("slurm", "s.json", "--out", "r", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(why, err)
        self.write_small({"/algorithm": {"kind": "extra", "step": "tune"}}, "tuned.json")
        status, out, err = self.lagnet("slurm", "tuned.json", "--out", "r", "--tasks", "2", "--time", "5")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("slurm: expected numbers for all options, found tune", err)
        status, out, err = self.lagnet("slurm", "-", "--out", "r", "--tasks", "2", "--time", "5")
        self.assertEqual((status, out, err), (2, "", "slurm: expected a file that every task can read, found -\n"))


class SlurmArray(Case):
    """An array of four tasks, and the job after it, on a node of its own."""

    def setUp(self):
        super().setUp()
        if reason := why_not():
            self.skipTest(reason)
        place = tempfile.TemporaryDirectory(prefix="slurm-")  # its sockets have short names
        self.addCleanup(place.cleanup)
        self.node = SlurmNode(pathlib.Path(place.name))
        self.addCleanup(self.node.stop)
        if reason := self.node.start():
            self.skipTest(f"no Slurm can be started here: {reason}")
        self.write_small(SWEEP)
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet", "--jobs", "1")
        self.wanted = self.files()
        subprocess.run(["rm", "-r", "r"], cwd=self.folder, check=True)

    def files(self):
        root = self.folder / "r"
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def wait_for(self, condition, what):
        end = time.monotonic() + 200
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.1)

    def submit(self):
        """The numbers of the array and of the job after it."""
        script = self.succeeds("slurm", "s.json", "--out", "r", "--tasks", "4", "--time", "10", "--mem-mib", "500")
        self.write("job.sh", script)
        said = self.node.ask("bash", "job.sh", cwd=self.folder)
        return re.fullmatch(r"array (\d+) runs the points, and job (\d+) writes the results after it", said).groups()

    def states(self, job):
        """The state of each task that Slurm still knows to be under way."""
        lines = self.node.ask("squeue", "--noheader", "--array", "--jobs", job, "--format=%K %T").splitlines()
        return dict(line.split() for line in lines)

    def finished(self):
        return len(list((self.folder / "r.partial").glob("*.finished")))

    def log(self, job, task=None):
        path = self.folder / (f"lagnet-s-{job}_{task}.log" if task else f"lagnet-s-{job}.log")
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def worker(self, job, task):
        """The number of the task's lagnet; none if it has ended."""
        marks = {f"SLURM_ARRAY_JOB_ID={job}".encode(), f"SLURM_ARRAY_TASK_ID={task}".encode()}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                if b"--part" in words and marks <= set((process / "environ").read_bytes().split(b"\0")):
                    return int(process.name)
            except OSError:
                pass
        return None

    def test_tasks_that_are_killed_requeued_and_out_of_time_leave_the_bytes_of_one_process(self):
        job, last = self.submit()
        held = {}  # so that no task ends before something happens to it, however fast the machine is

        def hold():
            for task in {2, 3, 4} - set(held):
                if worker := self.worker(job, task):
                    os.kill(worker, signal.SIGSTOP)
                    held[task] = worker
            return len(held) == 3 and self.finished() >= 1

        self.wait_for(hold, "the tasks do not run")
        self.node.ask("scontrol", "requeue", f"{job}_2")  # killed, and queued again
        self.node.ask("scancel", "--batch", "--signal=TERM", f"{job}_3")  # as when its time is up
        os.kill(held[4], signal.SIGKILL)
        os.kill(held[3], signal.SIGCONT)
        # A task that queues again would begin after two minutes, and cannot within the second of its end.
        for task in "23":
            self.wait_for(lambda: self.states(job).get(task) == "PENDING", f"task {task} does not queue again")
            self.assertEqual(self.states(last), {"N/A": "PENDING"})
            self.node.ask("scontrol", "update", f"JobId={job}_{task}", "StartTime=now+3")
        self.wait_for(lambda: not self.states(job) and not self.states(last), "the jobs do not end")
        self.assertEqual(self.files(), self.wanted)
        self.assertEqual([path.name for path in self.folder.glob("r*")], ["r"])
        self.assertIn("task 1: ended with status 0\n", self.log(job, 1))
        # The log of a task that ran again goes on where it was.
        self.assertRegex(self.log(job, 2), r"task 2: ended with status 0\n\Z")
        self.assertRegex(self.log(job, 3), r"task 3: its time is up, and it queues again\n(.*\n)*task 3: ended with "
                                           r"status 0\n\Z")
        self.assertIn("task 4: ended with status 137\n", self.log(job, 4))
        self.assertIn("task finish: ended with status 0\n", self.log(last))

    def test_canceled_jobs_do_not_come_back(self):
        job, last = self.submit()
        self.wait_for(lambda: self.finished() >= 1 and len(self.states(job)) == 4, "the tasks do not run")
        self.node.ask("scancel", "--name=lagnet-s")
        self.wait_for(lambda: not self.states(job) and not self.states(last), "the jobs do not end")
        time.sleep(3)  # longer than a task waits that queues again
        self.assertEqual((self.states(job), self.states(last)), ({}, {}))
        for task in range(1, 5):
            self.assertNotIn("queues again", self.log(job, task))
        self.assertIsNone(self.worker(job, 1))
        self.assertFalse((self.folder / "r").exists())
