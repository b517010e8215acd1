"""What goes wrong is an exception that says it: by exit status, with every problem of a scenario; and Ctrl-C."""

import json
import os
import pathlib
import pickle
import threading
import warnings
from unittest import mock

import lagnet
from support import ENDLESS, PROGRAM, SMALL, Case, changed

LOSSY = changed({"/network/loss_probability": 0.3})
WILD = changed({"/algorithm/step": 1000, "/stop/rounds": 200})


class Errors(Case):
    def problems(self, *arguments, **options):
        with self.assertRaises(lagnet.ScenarioError) as refused:
            lagnet.run(*arguments, **options)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name not in ("s.json", "bad.csv")], [])
        return refused.exception

    def test_all_problems_of_a_scenario_are_reported_at_once(self):
        error = self.problems(changed({"/seed": "x", "/topology/kind": "rnig", "/stop/rouns": 3}), out="r")
        self.assertEqual([(one.pointer, one.expected.split(",")[0], one.found) for one in error.problems],
                         [("/seed", "an integer at least 0", '"x"'),
                          ("/topology/kind", "one of complete", '"rnig"; did you mean ring?'),
                          ("/stop/rouns", "one of the keys rounds", '"rouns"; did you mean rounds?')])
        self.assertEqual(str(error).splitlines()[0], 'scenario: /seed: expected an integer at least 0, found "x"')
        self.assertIsInstance(error, ValueError)

    def test_problems_equal_those_of_validate(self):
        scenario = changed({"/topology/agents": 0})
        self.assertEqual(list(self.problems(scenario).problems), lagnet.validate(scenario))
        self.assertEqual(lagnet.validate(SMALL), [])

    def test_a_file_is_called_by_its_name(self):
        pathlib.Path("s.json").write_text(json.dumps({"lagnet": 1, **SMALL}))
        for options in ({}, {"algorithm": "extra"}):
            error = self.problems("s.json", set={"seed": -1}, **options)
            self.assertEqual(str(error), "s.json: /seed: expected an integer at least 0, found -1")

    def test_places_within_files_are_kept(self):
        pathlib.Path("bad.csv").write_text("1,2,x\n3,4,5\n6,7,8\n")
        problem, = self.problems(changed({"/data": {"source": "csv", "path": "bad.csv"}})).problems
        self.assertEqual((problem.pointer, problem.place), ("/data", f"/data: {self.folder}/bad.csv:1"))
        pathlib.Path("s.json").write_text('{"lagnet": 1,\n "seed": 1 2}')
        for options in ({}, {"algorithm": "extra"}):
            problem, = self.problems("s.json", **options).problems
            self.assertEqual((problem.pointer, problem.place), ("", "line 2, column 12"))

    def test_pointers_keep_blanks_and_colons_of_keys(self):
        scenario = changed({"/algorithm": {"kind": "dgd", "a key: of": 1}})
        self.assertEqual({problem.pointer for problem in self.problems(scenario).problems}, {"/algorithm/a key: of"})

    def test_a_place_of_a_setting_is_no_pointer(self):
        pathlib.Path("s.json").write_text(json.dumps({"lagnet": 1, **SMALL}))
        problem, = self.problems("s.json", set={"/stop/rounds/x": 1}).problems
        self.assertEqual((problem.pointer, problem.place), ("", "--set /stop/rounds/x"))

    def test_duplicate_keys_and_invalid_numbers_in_a_file_are_refused(self):
        for text, told in (('{"lagnet": 1, "lagnet": 1}', "each key once"), ('{"seed": NaN}', "a finite number"),
                           ("[1]", "a JSON object"), ("", "a JSON object")):
            pathlib.Path("s.json").write_text(text)
            for options in ({}, {"seeds": [1]}):
                self.assertIn(told, str(self.problems("s.json", **options)))
        self.assertIn("a JSON object", str(self.problems('{"seed": ')))
        pathlib.Path("s.json").unlink()
        self.assertIn("no such file", str(self.problems("s.json", seeds=[1])))

    def test_values_that_json_has_not_are_refused_with_their_pointer(self):
        for value, expected in ((float("nan"), "a finite number"), (object(), "a value that JSON has"),
                                (b"x", "a value that JSON has")):
            problem, = self.problems(changed({"/network/latency_ms": value})).problems
            self.assertEqual((problem.pointer, problem.expected), ("/network/latency_ms", expected))
            problem, = self.problems(SMALL, set={"network.latency_ms": value}).problems
            self.assertEqual((problem.pointer, problem.expected), ("/network/latency_ms", expected))
        with self.assertRaisesRegex(lagnet.ScenarioError, "values to sweep over, in a list"):
            lagnet.sweep(SMALL, {"network.latency_ms": 5})

    def test_other_wrong_input_has_its_error(self):
        pathlib.Path("theirs").mkdir()
        pathlib.Path("theirs/thesis.tex").write_text("years of work")
        for call, told in ((lambda: lagnet.run(SMALL, out="theirs"), "found thesis.tex in it"),
                           (lambda: lagnet.read("theirs"), "expected the folder of a run or of a sweep, found neither"),
                           (lambda: lagnet.read("nowhere"), "found nothing there"),
                           (lambda: lagnet.describe("nope"), "found nope"),
                           (lambda: lagnet.list("nope"), "nope"),
                           (lambda: lagnet.compare("theirs"), "theirs"),
                           (lambda: lagnet.compare(), "expected results"),
                           (lambda: lagnet.replay("theirs"), "theirs"),
                           (lambda: lagnet.example("nope"), "expected one of the examples"),
                           (lambda: lagnet.reproduce("nope"), "expected one of the papers"),
                           (lambda: lagnet.run(SMALL, threads=0), "threads")):
            with self.assertRaises(lagnet.InputError) as refused:
                call()
            self.assertIn(told, str(refused.exception))
            self.assertNotIsInstance(refused.exception, lagnet.ScenarioError)
        self.assertEqual(pathlib.Path("theirs/thesis.tex").read_text(), "years of work")

    def test_arguments_of_a_wrong_type_are_reported(self):
        for call, told in ((lambda: lagnet.run(5), "a path, a mapping, JSON or a Scenario, found int"),
                           (lambda: lagnet.run(SMALL, seeds=3), r"seeds: expected numbers, as in range\(5\), found 3"),
                           (lambda: lagnet.tune(SMALL, {"algorithm.step": (1,)}), "the two ends of algorithm.step")):
            self.assertRaisesRegex(TypeError, told, call)

    def test_a_run_that_diverges_or_is_stuck_raises_with_its_result(self):
        for scenario, kind, told in ((WILD, lagnet.Diverged, "diverged"), (LOSSY, lagnet.Deadlock, "waits for")):
            with self.assertRaises(kind) as failed:
                lagnet.run(scenario, out=kind.__name__)
            self.assertIn(told, str(failed.exception))
            self.assertEqual(failed.exception.result.folder, self.folder / kind.__name__)
            self.assertEqual(failed.exception.result.status, kind.__name__.lower())
            warnings.simplefilter("ignore", lagnet.RunWarning)
            self.assertEqual(lagnet.run(scenario, check=False).status, kind.__name__.lower())
            warnings.simplefilter("error", lagnet.RunWarning)

    def test_of_a_sweep_such_runs_are_results_and_warned_of(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            runs = lagnet.sweep(WILD, {"algorithm.step": [1000, 2000, 0.05]})
        self.assertEqual([run.status for run in runs], ["diverged", "diverged", "done"])
        self.assertEqual([run.point for run in runs.failed], ["000", "001"])
        texts = [str(one.message) for one in told if one.category is lagnet.RunWarning]
        self.assertEqual([one.filename for one in told if one.category is lagnet.RunWarning], [__file__] * len(texts))
        self.assertTrue(any("step=1000" in text and text.endswith("(and 1 more runs)") for text in texts), texts)

    def test_exceptions_pass_between_processes(self):
        error = self.problems(changed({"/seed": "x"}))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.problems, str(again)), (error.problems, str(error)))
        with self.assertRaises(lagnet.Diverged) as failed:
            lagnet.run(WILD, out="r")
        again = pickle.loads(pickle.dumps(failed.exception))
        self.assertEqual((str(again), again.result.status), (str(failed.exception), "diverged"))

    def test_a_missing_program_is_reported(self):
        given = os.environ.pop("LAGNET")
        self.addCleanup(os.environ.__setitem__, "LAGNET", given)
        os.environ["LAGNET"] = "/nowhere/lagnet"
        self.assertRaisesRegex(lagnet.ProgramMissing, "found nothing at /nowhere/lagnet", lagnet.version)

    def stand_in(self, body):
        """A program in place of lagnet."""
        path = self.folder / "stand_in"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        os.environ["LAGNET"] = str(path)
        self.addCleanup(os.environ.__setitem__, "LAGNET", PROGRAM)

    def test_each_other_exit_status_is_an_exception(self):
        for body, kind, told in (("echo not enough memory >&2; exit 3", lagnet.SystemFailure, "not enough memory"),
                                 ("kill -KILL $$", lagnet.SystemFailure, "SIGKILL"),
                                 ("exit 77", lagnet.SystemFailure, "status 77"),
                                 ("exit 143", lagnet.Interrupted, "143"), ("kill -TERM $$", lagnet.Interrupted, "")):
            self.stand_in(body)
            with self.assertRaises(kind) as failed:
                lagnet.version()
            self.assertIn(told, str(failed.exception))


class Interruptions(Case):
    def check_ends_within_a_tenth(self, call, begun, again):
        """The least of some times: the machine may be busy with others."""
        took = []
        for _ in range(5):
            duration, error = self.interrupted(call, begun)
            self.assertIsInstance(error, KeyboardInterrupt)
            self.assert_no_children()
            took.append(duration)
            if duration < 0.1:
                return
            again()
        self.fail(f"Ctrl-C took {took} s")

    def test_ctrl_c_ends_a_run_within_a_tenth_of_a_second_and_leaves_nothing(self):
        for progress in (False, True):
            self.check_ends_within_a_tenth(lambda: lagnet.run(ENDLESS, out="r", progress=progress),
                                           pathlib.Path("r.partial").exists, lambda: None)
            self.assertEqual(os.listdir(), [])

    def test_ctrl_c_while_a_run_begins_ends_it_too(self):
        start = threading.Thread.start

        def start_and_interrupt(thread):
            start(thread)
            raise KeyboardInterrupt
        with mock.patch.object(threading.Thread, "start", start_and_interrupt), self.assertRaises(KeyboardInterrupt):
            lagnet.run(ENDLESS, out="r")
        self.assertEqual((os.listdir(), threading.active_count()), ([], 1))

    def setUp(self):
        super().setUp()
        from test_progress import stand_in_tqdm
        stand_in_tqdm(self)

    def test_an_interrupted_sweep_goes_on_from_its_finished_points(self):
        scenario = {**ENDLESS, "sweep": {"/stop/rounds": [1, 2, 10**12]}}
        finished = pathlib.Path("r.partial")
        duration, error = self.interrupted(lambda: lagnet.sweep(scenario, out="r", jobs=1),
                                           lambda: len(list(finished.glob("*.finished"))) == 2)
        self.assertIsInstance(error, KeyboardInterrupt)
        before = sorted(path.stat().st_mtime_ns for path in finished.glob("*/summary.json"))
        self.assertEqual(len(before), 2)
        scenario["sweep"]["/stop/rounds"][2] = 3
        runs = lagnet.sweep(scenario, out="r")
        self.assertEqual([run.summary["stop"]["round"] for run in runs], [1, 2, 3])
        self.assertEqual(before, sorted(pathlib.Path("r", name, "summary.json").stat().st_mtime_ns
                                        for name in ("000", "001")))

    def test_of_a_program_that_does_not_listen_nothing_stays(self):
        script = self.folder / "deaf"
        script.write_text("#!/bin/sh\ntrap '' INT\ntouch begun\nwhile :; do sleep 0.05; done\n")
        script.chmod(0o755)
        os.environ["LAGNET"] = str(script)
        self.addCleanup(os.environ.__setitem__, "LAGNET", PROGRAM)
        patience = lagnet.process.PATIENCE_S
        self.addCleanup(setattr, lagnet.process, "PATIENCE_S", patience)
        lagnet.process.PATIENCE_S = 0.2
        _, error = self.interrupted(lagnet.version, (self.folder / "begun").exists)
        self.assertIsInstance(error, KeyboardInterrupt)
        self.assert_no_children()

    def test_an_exception_in_what_shows_progress_ends_the_run(self):
        class Broken:
            def __init__(self, **options):
                raise RuntimeError("no room for a bar")

        import sys
        sys.modules["tqdm.auto"].tqdm = Broken
        lagnet.progress.Progress.QUICK_S = 0
        self.assertRaisesRegex(RuntimeError, "no room", lagnet.run, ENDLESS, out="r", progress=True)
        self.assert_no_children()
        self.assertEqual(os.listdir(), [])


if __name__ == "__main__":
    import unittest
    unittest.main()
