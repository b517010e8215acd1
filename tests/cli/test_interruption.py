"""An interrupted run leaves nothing that looks like a result, and no file of a user is lost."""

import os
import resource
import shutil
import signal
import subprocess
import time

from support import PROGRAM, Case

ENDLESS = {"/stop/rounds": 10**12, "/record/every": 100}


class Interruption(Case):
    def start_endless(self, *arguments):
        """A run that is under way: its folder has been made."""
        self.write_small(ENDLESS, "endless.json")
        run = subprocess.Popen([PROGRAM, "run", "endless.json", "--out", "r", "--replace", *arguments], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        deadline = time.monotonic() + 60
        while not (self.folder / "r.partial").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertIsNone(run.poll(), "the run has ended by itself")
        return run

    def test_a_killed_run_leaves_a_partial_folder_and_the_next_run_replaces_it(self):
        run = self.start_endless()
        run.kill()
        run.wait()
        self.assertFalse((self.folder / "r").exists())
        self.assertTrue((self.folder / "r.partial").is_dir())
        self.write("r.partial/links.csv", "left over")
        self.run_small("r")
        self.assertEqual(sorted(os.listdir(self.folder)), ["endless.json", "r", "r.json"])
        self.assertEqual(self.succeeds("replay", "r"), "r: the same, byte for byte\n")

    def test_earlier_results_outlive_a_killed_run(self):
        folder = self.run_small("r")
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        run = self.start_endless()
        run.kill()
        run.wait()
        self.assertEqual({path.name: path.read_bytes() for path in folder.iterdir()}, before)

    def test_an_interrupted_run_says_so_and_cleans_up(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.start_endless()
            run.send_signal(number)
            out, err = run.communicate(timeout=60)
            self.assertEqual((run.returncode, out, err),
                             (128 + number, "", "lagnet: interrupted, nothing was written\n"))
            self.assertEqual(os.listdir(self.folder), ["endless.json"])

    def test_of_two_runs_for_one_place_the_second_is_refused_and_the_first_goes_on(self):
        run = self.start_endless()
        for command in ("run", "sweep"):
            self.write_small({"/sweep": {"/seed": [1, 2]}} if command == "sweep" else {})
            self.assertEqual(self.lagnet(command, "s.json", "--out", "r"),
                             (2, "", f"{self.folder}/r: expected no other run or sweep that writes there, found one\n"))
            self.assertIsNone(run.poll())
            self.assertTrue((self.folder / "r.partial").is_dir())
        run.kill()
        run.wait()
        self.run_small("r")
        self.assertEqual(sorted(path.name for path in (self.folder / "r").iterdir()),
                         ["agents.csv", "build.txt", "links.csv", "model.csv", "progress.csv", "scenario.json",
                          "summary.json"])

    def test_a_full_disk_is_reported_and_nothing_stays(self):
        self.write_small({"/record/trace": True, "/stop/rounds": 2000})

        def at_most_20_kb_a_file():  # what a full disk is to a program: write() fails
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        status, out, err = self.lagnet("run", "s.json", "--out", "r", preexec_fn=at_most_20_kb_a_file)
        self.assertEqual((status, out, err),
                         (3, "", f"{self.folder}/r.partial/trace.jsonl: cannot be written: File too large\n"))
        self.assertEqual(os.listdir(self.folder), ["s.json"])

    def limited(self, kind, limit, *arguments):
        """A command that the system gives little; it must end with a sentence, and nothing half-written."""
        status, _, err = self.lagnet(*arguments, preexec_fn=lambda: resource.setrlimit(kind, (limit, limit)))
        self.assertEqual((status, err.count("\n")), (3, 1), err)
        self.assertEqual(os.listdir(self.folder), ["s.json"])
        return err

    def test_too_few_files_or_too_little_memory_are_reported(self):
        self.write_small({"/sweep": {"/seed": [1, 2, 3, 4]}})
        for files in (4, 5, 6):  # one for the lock, two that make way at the end, and one that is read or written
            told = self.limited(resource.RLIMIT_NOFILE, files, "run", "s.json", "--out", "r", "--jobs", "1")
            self.assertIn("Too many open files", told)
        self.write_small()  # of a sweep finished points would stay
        told = set()
        for mib in range(60, 140, 8):  # from what the loader of libraries needs to what is enough
            limit = (mib << 20, mib << 20)
            status, _, err = self.lagnet("run", "s.json", "--out", "r", "--quiet",
                                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
            self.assertIn(status, (0, 3, 127), err)
            self.assertEqual(sorted(os.listdir(self.folder)), ["r", "s.json"] if status == 0 else ["s.json"], err)
            shutil.rmtree(self.folder / "r", ignore_errors=True)
            if status == 3:
                self.assertRegex(err, r"^(lagnet: .*\n)+$")
                told.add(err)
        self.assertNotEqual(told, set())

    def test_a_closed_pipe_is_reported_and_the_results_are_complete(self):
        self.write_small({"/sweep": {"/seed": list(range(1, 9))}})
        sweep = subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r"], cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        sweep.stdout.close()
        err = sweep.stderr.read()
        sweep.stderr.close()
        self.assertEqual((sweep.wait(), err.splitlines()[-1]),
                         (3, "lagnet: cannot write standard output: Broken pipe"))
        self.assertTrue((self.folder / "r/sweep.csv").is_file())
        self.assertEqual(sorted(os.listdir(self.folder)), ["r", "s.json"])

    def test_a_folder_that_cannot_be_created_is_reported(self):
        self.write_small()
        self.write("file", "not a folder")
        status, out, err = self.lagnet("run", "s.json", "--out", "file/r")
        line = f"{self.folder}/file: cannot be written: Not a directory\n"
        self.assertEqual((status, out, err), (2, "", line))

    def refusal(self, found):
        return f"theirs: expected a new folder, an empty one, or one that contains only earlier results, " \
               f"found {found}\n"

    def test_other_peoples_files_are_left_alone(self):
        self.write_small()
        (self.folder / "theirs").mkdir()
        self.write("theirs/thesis.tex", "years of work")
        before = self.tree()
        self.assertEqual(self.lagnet("run", "s.json", "--out", "theirs"), (2, "", self.refusal("thesis.tex in it")))
        self.assertEqual(self.tree(), before)

    def test_no_results_are_written_into_others(self):
        self.run_small("theirs", {"/sweep": {"/seed": [1, 2]}})
        before = self.tree()
        for inner in ("theirs/new", "theirs/000", "theirs/000/in/deep"):
            self.assertEqual(self.lagnet("run", "theirs.json", "--out", inner)[::2],
                             (2, f"{inner}: expected a new folder, an empty one, or one that contains only earlier "
                                 f"results, found a place within the results {self.folder}/"
                                 f"{'theirs/000' if 'deep' in inner else 'theirs'}\n"))
        self.assertEqual(self.tree(), before)

    def test_a_note_among_earlier_results_is_left_alone(self):
        self.run_small("theirs")
        self.write("theirs/notes.md", "what I saw")
        before = self.tree()
        self.assertEqual(self.lagnet("run", "theirs.json", "--out", "theirs"), (2, "", self.refusal("notes.md in it")))
        self.assertEqual(self.tree(), before)

    def test_a_file_is_not_replaced_by_a_folder(self):
        self.write_small()
        self.write("theirs", "a file")
        self.assertEqual(self.lagnet("run", "s.json", "--out", "theirs"), (2, "", self.refusal("a file")))
        self.assertEqual((self.folder / "theirs").read_text(), "a file")

    def test_earlier_results_and_empty_folders_are_replaced(self):
        (self.folder / "r").mkdir()
        self.run_small("r")
        first = (self.folder / "r/progress.csv").read_bytes()
        self.write_small({"/sweep": {"/seed": [1, 2]}})
        status, _, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual((status, (self.folder / "r/progress.csv").read_bytes()), (2, first))
        self.assertRegex(err, "expected results .*, or pass --replace\n$")
        self.succeeds("run", "s.json", "--out", "r", "--quiet", "--replace")
        names = ["000", "001", "build.txt", "scenario.json", "sweep.csv", "sweep.json"]
        self.assertEqual(sorted(os.listdir(self.folder / "r")), names)
        self.write_small()
        self.succeeds("run", "s.json", "--out", "r", "--quiet", "--replace")
        self.assertEqual((self.folder / "r/progress.csv").read_bytes(), first)
