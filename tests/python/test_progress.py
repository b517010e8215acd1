"""Progress by tqdm, where it is installed and wanted."""

import sys
import types

import lagnet
import methods
from lagnet import progress
from support import SMALL, Case, changed


def stand_in_tqdm(case):
    """A module in place of tqdm; the bars that are made of it."""
    bars = []

    class Bar:
        def __init__(self, **options):
            self.options, self.n, self.closed, self.postfix = options, 0, False, ""
            bars.append(self)

        def update(self, more):
            self.n += more

        def set_postfix_str(self, text, refresh=True):
            self.postfix = text

        def close(self):
            self.closed = True

    module = types.ModuleType("tqdm.auto")
    module.tqdm = Bar
    for name, made in (("tqdm", types.ModuleType("tqdm")), ("tqdm.auto", module)):
        before = sys.modules.get(name)
        case.addCleanup(sys.modules.pop if before is None else sys.modules.__setitem__, name, before)
        sys.modules[name] = made
    quick = progress.Progress.QUICK_S
    case.addCleanup(setattr, progress.Progress, "QUICK_S", quick)
    progress.Progress.QUICK_S = 0
    return bars


class Progress(Case):
    def setUp(self):
        super().setUp()
        self.bars = stand_in_tqdm(self)

    def test_a_run_shows_its_rounds(self):
        scenario = changed({"/stop/rounds": 60000, "/record": {"every": 100}})
        result = lagnet.run(scenario, progress=True)
        bar, = self.bars
        self.assertEqual((bar.options["total"], bar.options["unit"], bar.closed), (60000, "round", True))
        self.assertTrue(0 < bar.n <= 60000)
        self.assertRegex(bar.postfix, r"^error [0-9.e+-]+$")
        self.assertEqual(result.status, "done")

    def test_a_sweep_shows_its_runs(self):
        scenario = changed({"/stop/rounds": 6000, "/record": {"every": 100}})
        runs = lagnet.sweep(scenario, seeds=range(9), jobs=1, progress=True)
        bar, = self.bars
        self.assertEqual((bar.options["total"], bar.options["unit"], bar.closed), (9, "run", True))
        self.assertTrue(0 < bar.n <= 9)
        self.assertEqual(len(runs), 9)

    def test_runs_of_methods_in_python_show_the_same(self):
        scenario = changed({"/stop/rounds": 500, "/record": {"every": 1}})
        lagnet.run(scenario, algorithm=methods.MyDGD, progress=True)
        for jobs in (1, 2):
            lagnet.sweep(scenario, seeds=range(4), algorithm=methods.MyDGD, jobs=jobs, progress=True)
        lagnet.tune(scenario, {"algorithm.options.step": (0.01, 0.1)}, candidates=4, algorithm=methods.MyDGD(step=0.1),
                    progress=True)
        self.assertEqual([(bar.options["total"], bar.options["unit"]) for bar in self.bars],
                         [(500, "round"), (4, "run"), (4, "run"), (4, "run")])
        self.assertTrue(all(bar.closed and 0 <= bar.n <= bar.options["total"] for bar in self.bars))
        self.assertRegex(self.bars[0].postfix, r"^error [0-9.e+-]+$")
        del self.bars[:]
        lagnet.run(scenario, algorithm=methods.MyDGD)
        self.assertEqual(self.bars, [])

    def test_a_bar_that_cannot_be_made_ends_a_run_of_a_method_in_python(self):
        class Broken:
            def __init__(self, **options):
                raise RuntimeError("no room for a bar")

        sys.modules["tqdm.auto"].tqdm = Broken
        for call in (lambda: lagnet.run(SMALL, algorithm=methods.MyDGD, progress=True, out="r"),
                     lambda: lagnet.sweep(SMALL, algorithm=methods.MyDGD, seeds=[1, 2], progress=True, out="r")):
            self.assertRaisesRegex(RuntimeError, "no room", call)

    def test_results_do_not_depend_on_it(self):
        scenario = changed({"/stop/rounds": 6000, "/record": {"every": 100}})
        shown, quiet = lagnet.run(scenario, progress=True), lagnet.run(scenario, progress=False)
        self.assertEqual((shown.folder / "progress.csv").read_bytes(), (quiet.folder / "progress.csv").read_bytes())

    def test_a_short_run_shows_no_progress(self):
        progress.Progress.QUICK_S = 60
        lagnet.run(SMALL, progress=True)
        self.assertEqual(self.bars, [])

    def test_it_shows_only_in_a_terminal_unless_requested(self):
        lagnet.run(changed({"/stop/rounds": 6000, "/record": {"every": 100}}))
        self.assertEqual(self.bars, [])

    def test_without_tqdm_a_run_shows_no_progress_and_no_error(self):
        sys.modules["tqdm.auto"] = None
        self.assertIsNone(progress.watcher(None))
        self.assertIsNone(progress.watcher(False))
        self.assertRaises(ImportError, progress.watcher, True)

    def test_errors_are_the_same_while_it_is_shown(self):
        with self.assertRaises(lagnet.ScenarioError) as refused:
            lagnet.run(changed({"/stop/rounds": 0}), progress=True)
        self.assertEqual([one.pointer for one in refused.exception.problems], ["/stop/rounds"])
        with self.assertRaises(lagnet.Deadlock) as stuck:
            lagnet.run(changed({"/network/loss_probability": 0.3}), progress=True)
        self.assertRegex(str(stuck.exception), r"^deadlock at \d+ ns: .*\n  agent 0 waits")


if __name__ == "__main__":
    import unittest
    unittest.main()
