"""Runs in Python's process beside those of the program."""

import dataclasses
import gc
import json
import pathlib
import threading

import lagnet
import methods
from lagnet import inside
from support import ROOT, SMALL, Case, files

GOLDENS = sorted(path for path in (ROOT / "scenarios/golden").glob("*.json") if not path.name.endswith(".golden.json"))


def run(path, out):
    source = inside.core().Source(path.read_text(), str(path), str(path.parent), [])
    return inside.core().execute("run", source, str(out), {**dataclasses.asdict(inside.Asked()), "has_python": True})


def resident_kib():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


class Inside(Case):
    def test_goldens_have_the_bytes_of_the_program(self):
        """But for build.txt, which says which of both it was."""
        self.assertGreater(len(GOLDENS), 60)
        for path in GOLDENS:
            with self.subTest(path.stem):
                self.assertIsNone(run(path, f"in/{path.stem}"))
                self.assertIn(self.program("run", path, "--out", f"out/{path.stem}", "--quiet")[0], (0, 1))
                inner, outer = files(f"in/{path.stem}"), files(f"out/{path.stem}")
                self.assertNotEqual(inner.pop("build.txt"), outer.pop("build.txt"))
                self.assertEqual(inner, outer)

    def test_a_sub_interpreter_is_refused_with_an_import_error(self):
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            self.skipTest("this Python has no sub-interpreters to import into")
        other = interpreters.create()
        path = [str(ROOT / "tools/python")]
        with self.assertRaisesRegex(Exception, "cannot be imported in a sub-interpreter"):
            interpreters.run_string(other, f"import sys; sys.path[:0] = {path!r}; import lagnet")
        interpreters.destroy(other)

    def test_problems_are_those_of_the_program(self):
        pathlib.Path("wrong.json").write_text(json.dumps({"lagnet": 1, **SMALL, "seed": -1, "stop": {"rounds": 0}}))
        how, problems = run(pathlib.Path("wrong.json"), "r")
        self.assertEqual((how, [pointer for pointer, *_ in problems]), ("problems", ["/seed", "/stop/rounds"]))
        self.assertFalse(pathlib.Path("r").exists())

    def test_a_folder_that_holds_something_else_is_kept(self):
        pathlib.Path("mine").mkdir()
        pathlib.Path("mine/notes").write_text("mine")
        with self.assertRaisesRegex(lagnet.InputError, "mine"):
            lagnet.run(SMALL, algorithm=methods.MyDGD, out="mine")
        self.assertEqual(files("mine"), {"notes": b"mine"})

    def test_runs_in_two_threads_are_those_of_one(self):
        path = ROOT / "scenarios/golden" / GOLDENS[0].name
        self.assertIsNone(run(path, "alone"))
        threads = [threading.Thread(target=run, args=(path, pathlib.Path(f"thread{k}").absolute())) for k in range(2)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        for k in range(2):
            self.assertEqual(files(f"thread{k}"), files("alone"))

    def test_many_runs_leave_nothing_behind(self):
        """Neither an object nor a page of memory, 4 KiB, for each of 300 runs."""
        def once():
            lagnet.run(SMALL, algorithm=methods.MyDGD(step=0.05))

        for _ in range(50):
            once()
        gc.collect()
        before, objects = resident_kib(), len(gc.get_objects())
        for _ in range(300):
            once()
        gc.collect()
        self.assertLess(len(gc.get_objects()) - objects, 300)
        self.assertLess(resident_kib() - before, 4 * 300)

    def test_an_agent_that_crashes_leaves_its_coroutine(self):
        class Counts(lagnet.Peers):
            regularizers = "all"
            begun, ended = [], []

            async def run(self, me):
                self.begun.append(me.id)
                try:
                    me.report(0, me.zeros())
                    for t in me.rounds():
                        await me.compute(1000)
                        await me.mix(me.zeros())
                        me.report(t, me.zeros())
                finally:
                    self.ended.append(me.id)

        lagnet.run(SMALL, algorithm=Counts,
                   set={"participation": {
                       "availability": [{"kind": "crash", "agent": 2, "at_s": 0.005, "recovers_after_s": 0.004,
                                         "state": "lost"}],
                       "missing_neighbor": {"kind": "skip", "deadline_ms": 10}}})
        self.assertEqual(Counts.begun, [0, 1, 2, 3, 4, 2])
        self.assertEqual(sorted(Counts.ended), sorted(Counts.begun))


if __name__ == "__main__":
    import unittest
    unittest.main()
