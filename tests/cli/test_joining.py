"""`lagnet sweep --join`: any number of processes run one sweep, whatever becomes of each of them."""

import json
import os
import signal
import subprocess
import time

from support import PROGRAM, SMALL, Case, changed

POINTS = 12
SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 20000, "/record/every": 1}
ENDLESS = {"/sweep": {"/seed": [1, 2]}, "/stop/rounds": 10**12, "/record/every": 100}


class Joining(Case):
    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def whole(self, command="sweep"):
        """The files that one process writes."""
        self.succeeds(command, "s.json", "--out", "r", "--quiet", "--jobs", "1")
        files = self.files("r")
        subprocess.run(["rm", "-r", "r"], cwd=self.folder, check=True)
        return files

    def start(self, *arguments, command="sweep"):
        """A joined process with one job."""
        process = subprocess.Popen([PROGRAM, command, "s.json", "--out", "r", "--join", "--jobs", "1", *arguments],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def partial(self, pattern):
        return list((self.folder / "r.partial").glob(pattern))

    def wait_for(self, condition, *processes):
        """Until it holds, while the processes are at work."""
        deadline = time.monotonic() + 200
        while not condition():
            for process in processes:
                self.assertIsNone(process.poll(), "the process has ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)

    def running(self, process):
        """The folders of the points that a process runs."""
        return self.partial(f"point-*-{process.pid}-*.running")

    def ends_with_results(self, process):
        """Its messages but for those about points of others, and about how far runs are that take seconds."""
        out, err = process.communicate(timeout=200)
        self.assertEqual((process.returncode, out.splitlines()[-1]), (0, "results in r"), err)
        self.assertEqual(len(out.splitlines()), POINTS + 2)
        return [line for line in err.splitlines()
                if "other processes" not in line and "finished before" not in line and " rounds/s" not in line]

    def test_three_processes_of_which_one_is_killed_write_the_bytes_of_one(self):
        self.write("s.json", changed(SMALL, SWEEP))
        whole = self.whole()
        first, second, third = (self.start() for _ in range(3))
        self.wait_for(lambda: self.running(second), first, second, third)
        second.kill()
        second.communicate()
        self.assertEqual([self.ends_with_results(one) for one in (first, third)], [[], []])
        self.assertEqual(self.files("r"), whole)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r", "s.json"])

    def test_an_interrupted_process_gives_back_what_it_had(self):
        self.write("s.json", changed(SMALL, SWEEP))
        whole = self.whole()
        for number in (signal.SIGINT, signal.SIGTERM):
            first, second = self.start(), self.start()
            self.wait_for(lambda: self.running(second), first, second)
            second.send_signal(number)
            _, err = second.communicate(timeout=200)
            self.assertEqual((second.returncode, err),
                             (128 + number, f"lagnet: interrupted, finished points are in {self.folder}/r.partial, and "
                                            "the same command goes on from there\n"))
            self.assertEqual((self.running(second), self.partial(f"*-{second.pid}-*.member")), ([], []))
            self.assertEqual(self.ends_with_results(first), [])
            self.assertEqual(self.files("r"), whole)
            subprocess.run(["rm", "-r", "r"], cwd=self.folder, check=True)

    def test_the_points_of_a_process_that_is_not_heard_are_taken_over_and_it_may_go_on(self):
        self.write("s.json", changed(SMALL, SWEEP))
        whole = self.whole()
        silent = self.start()
        self.wait_for(lambda: self.running(silent), silent)
        silent.send_signal(signal.SIGSTOP)
        other = self.start()
        self.wait_for(lambda: len(self.partial("*.finished")) >= POINTS - 1, other)
        for member in self.partial(f"*-{silent.pid}-*.member"):
            os.utime(member, (time.time() - 301, time.time() - 301))
        self.assertEqual(self.ends_with_results(other), [])
        silent.send_signal(signal.SIGCONT)
        self.assertEqual(self.ends_with_results(silent), [])
        self.assertEqual(self.files("r"), whole)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r", "s.json"])

    def test_a_sweep_that_is_not_joined_goes_on_from_what_killed_processes_have_left(self):
        self.write("s.json", changed(SMALL, SWEEP))
        whole = self.whole()
        both = [self.start() for _ in range(2)]
        self.wait_for(lambda: len(self.partial("*.finished")) >= 2, *both)
        for one in both:
            one.kill()
            one.communicate()
        kept = len(self.partial("*.finished"))
        status, _, err = self.lagnet("sweep", "s.json", "--out", "r")
        self.assertEqual((status, err), (0, f"{kept} of {POINTS} points were finished before\n"))
        self.assertEqual(self.files("r"), whole)

    def test_who_comes_late_finds_the_results(self):
        self.write("s.json", changed(SMALL, SWEEP))
        self.succeeds("sweep", "s.json", "--out", "r", "--join", "--quiet")
        before = self.tree()
        status, out, err = self.lagnet("sweep", "s.json", "--out", "r", "--join")
        self.assertEqual((status, out.splitlines()[-1], err.splitlines()),
                         (0, "results in r", [f"{POINTS} of {POINTS} points were finished before",
                                              "done before: these results are of the same scenario, files and build, "
                                              "and nothing ran; --replace runs it again"]))
        self.assertEqual(self.tree(), before)

    def test_parts_are_run_apart_and_published_by_a_sweep(self):
        self.write("s.json", changed(SMALL, SWEEP))
        whole = self.whole()
        both = [subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--part", f"{k}/2"], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for k in (1, 2)]
        for k, part in enumerate(both, 1):
            out, err = part.communicate(timeout=200)
            self.assertEqual((part.returncode, err), (0, ""))
            self.assertRegex(out, f"\npart {k}/2 is finished beside r; "
                                  "((1 point of other parts is|[2-6] points of other parts are) left, and then "
                                  "the same command without --part publishes them|the same command without --part "
                                  "publishes all points)\n$")
        self.assertFalse((self.folder / "r").exists())
        status, _, err = self.lagnet("sweep", "s.json", "--out", "r")
        self.assertEqual((status, err), (0, f"{POINTS} of {POINTS} points were finished before\n"))
        self.assertEqual(self.files("r"), whole)

    def test_points_of_a_part_do_not_wait_for_values_of_another(self):
        self.write("s.json", changed(SMALL, SWEEP))
        status, _, err = self.lagnet("sweep", "s.json", "--out", "r", "--part", "1/2", "--retime")
        self.assertEqual(status, 2)
        self.assertIn("--part: expected it without --retime", err)

    def test_parts_that_cannot_be_are_refused(self):
        self.write("s.json", changed(SMALL, SWEEP))
        for part in ("3/2", "0/2", "1", "1/0", "a/b", "-1/2", ""):
            status, _, err = self.lagnet("sweep", "s.json", "--out", "r", "--part", part)
            self.assertEqual((status, "K/N, the K-th of N parts, as in 2/5" in err), (2, True), err)
        self.assertEqual(self.lagnet("sweep", "s.json", "--out", "r", "--part", "1/2", "--join"),
                         (2, "", "--part: expected it without --join, which takes any points that are left, found "
                                 "both\n"))
        self.assertEqual(os.listdir(self.folder), ["s.json"])

    def test_who_does_not_join_is_refused_and_who_does_something_else_as_well(self):
        self.write("s.json", changed(SMALL, ENDLESS))
        joined = self.start()
        self.wait_for(lambda: self.running(joined), joined)
        for command in ("sweep", "run"):
            status, out, err = self.lagnet(command, "s.json", "--out", "r")
            self.assertEqual((status, out), (2, ""))
            self.assertRegex(err, f"^{self.folder}/r: expected no other run or sweep that writes there, found a sweep "
                                  fr"that processes have joined \(process {joined.pid} on .*\): wait for its end, or "
                                  "join it with --join\n$")
        self.write("other.json", changed(SMALL, {**ENDLESS, "/stop/rounds": 3}))
        status, out, err = self.lagnet("sweep", "other.json", "--out", "r", "--join")
        self.assertEqual(status, 2)
        self.assertRegex(err, f"{self.folder}/r: expected processes that run the same points with the same build of "
                              f"lagnet, found process {joined.pid} on .*, which has joined with other ones\n$")
        self.assertIsNone(joined.poll())
        joined.send_signal(signal.SIGTERM)
        joined.communicate()

    def test_nobody_joins_a_sweep_that_is_not_shared(self):
        self.write("s.json", changed(SMALL, ENDLESS))
        with subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--quiet"], cwd=self.folder) as alone:
            self.addCleanup(alone.kill)
            self.wait_for(lambda: self.partial("*.running"), alone)
            self.assertEqual(self.lagnet("sweep", "s.json", "--out", "r", "--join", "--quiet"),
                             (2, "", f"{self.folder}/r: expected no run or sweep that writes there and is not joined, "
                                     "found one\n"))
            alone.kill()

    def test_a_tuning_is_shared_too(self):
        self.write("s.json", changed(SMALL, {"/stop/rounds": 3000, "/record/every": 1,
                                             "/tune": {"candidates": 8, "ranges": {
                                                 "/algorithm/tau": {"low": 0.1, "high": 1},
                                                 "/algorithm/sigma": {"low": 0.1, "high": 1}}}}))
        whole = self.whole("tune")
        both = [self.start("--json", command="tune") for _ in range(2)]
        told = [json.loads(one.communicate(timeout=200)[0]) for one in both]
        self.assertEqual(told[0], told[1])
        self.assertEqual(self.files("r"), whole)

    def test_step_sizes_that_are_tuned_before_are_tuned_together(self):
        self.write("s.json", changed(SMALL, {"/algorithm": {"kind": "extra", "step": "tune"}, "/stop/rounds": 200,
                                             "/record/every": 1, "/sweep": {"/seed": [1, 2, 3, 4]}}))
        whole = self.whole()
        both = [self.start("--quiet") for _ in range(2)]
        self.assertEqual([one.communicate(timeout=200) for one in both], [("", "")] * 2)
        self.assertEqual(self.files("r"), whole)

    def test_a_figure_is_reproduced_together(self):
        both = [subprocess.Popen([PROGRAM, "reproduce", "yu2017/theorem", "--jobs", "1", "--join"], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        for one in both:
            out, err = one.communicate(timeout=200)
            self.assertEqual(one.returncode, 0, err)
            self.assertIn("1 of 1 statements hold in one draw, that of seed 1", out)
            self.assertIn("results in runs/yu2017/theorem", out)
        joined = self.files("runs/yu2017/theorem")
        subprocess.run(["rm", "-r", "runs"], cwd=self.folder, check=True)
        self.succeeds("reproduce", "yu2017/theorem", "--jobs", "1", "--quiet")
        alone = self.files("runs/yu2017/theorem")
        self.assertEqual(joined, alone)
