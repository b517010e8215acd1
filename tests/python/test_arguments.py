"""An argument takes effect or is refused with the reason."""

import json

import lagnet
import methods
import objectives
from support import SMALL, Case

SWEPT = {**SMALL, "sweep": {"/algorithm/kind": ["fd_primal_dual"], "/network/latency_ms": [1, 2]}}


class Arguments(Case):
    def refused(self, kind, text, call):
        with self.assertRaises(kind) as caught:
            call()
        self.assertIn(text, str(caught.exception))

    def test_a_value_that_the_scenarios_sweep_replaces_is_refused(self):
        self.refused(lagnet.InputError, "algorithm: expected a value that the scenario's sweep leaves alone",
                     lambda: lagnet.run(SWEPT, algorithm="extra"))
        self.refused(lagnet.InputError, "set: expected a value that the sweep leaves alone",
                     lambda: lagnet.run(SWEPT, seeds=[1], set={"network.latency_ms": 5}))
        self.refused(lagnet.InputError, "/network/latency_ms",
                     lambda: lagnet.run(SWEPT, set={"network.latency_ms": 5}))

    def test_two_arguments_for_one_value_are_refused(self):
        self.refused(lagnet.InputError, "topology: expected a value that set leaves alone, found /topology/agents",
                     lambda: lagnet.run(SMALL, topology={"kind": "ring", "agents": 4}, set={"topology.agents": 5}))
        self.refused(lagnet.InputError, "seeds: expected none where over has /seed",
                     lambda: lagnet.sweep(SMALL, {"seed": [1]}, seeds=[2]))
        self.refused(lagnet.InputError, "algorithm: expected no list of it where over has /algorithm",
                     lambda: lagnet.sweep(SMALL, {"algorithm": ["extra"]}, algorithm=["dgd"]))
        self.refused(lagnet.InputError, "regularizer: expected a value that set leaves alone",
                     lambda: lagnet.run(SMALL, regularizer=objectives.L1(l1=0.5),
                                        set={"problem.regularizer.options.l1": 1}))

    def test_numbers_that_would_lose_a_fraction_are_refused(self):
        self.refused(TypeError, "seeds: expected an integer, found 1.5", lambda: lagnet.run(SMALL, seeds=[1.5]))
        self.refused(TypeError, "jobs: expected an integer, found 2.5",
                     lambda: lagnet.run(SMALL, seeds=[1, 2], jobs=2.5))

    def test_arguments_without_effect_are_refused(self):
        self.refused(lagnet.InputError, "jobs: has no effect on a single run", lambda: lagnet.run(SMALL, jobs=2))
        self.refused(lagnet.InputError, "jobs: has no effect on a single run",
                     lambda: lagnet.run(SMALL, algorithm=methods.MyDGD, jobs=2))
        self.refused(TypeError, "check", lambda: lagnet.sweep(SMALL, seeds=[1], check=False))
        result = lagnet.run(SMALL)
        self.refused(TypeError, "threads", lambda: lagnet.retime(result, threads=2))
        self.refused(lagnet.InputError, "test: expected data beside it", lambda: lagnet.replay(result, test=1))
        self.refused(lagnet.InputError, "--points has no effect", lambda: result.compare(by="seed", points=3))

    def test_a_figure_is_saved_under_a_name_of_its_format(self):
        figure = lagnet.Figure(b"<svg/>", "svg")
        self.refused(lagnet.InputError, "expected a name that ends in .svg", lambda: figure.save(self.folder / "x.png"))
        self.assertEqual(figure.save(self.folder / "x.SVG").read_bytes(), b"<svg/>")
        self.assertEqual(figure.save(self.folder / "x").read_bytes(), b"<svg/>")
        (self.folder / "x").write_bytes(b"of another")
        self.refused(lagnet.InputError, "expected no file with other content", lambda: figure.save(self.folder / "x"))
        self.assertEqual((self.folder / "x").read_bytes(), b"of another")
        self.assertEqual(figure.save(self.folder / "x", replace=True).read_bytes(), b"<svg/>")

    def test_a_file_with_comments_of_both_kinds_takes_changes(self):
        path = self.folder / "s.json"
        path.write_text(json.dumps(SMALL).replace("{", "{ /* one\nor two */ // lines\n", 1), encoding="utf-8")
        self.assertEqual(len(lagnet.run(path, seeds=[1, 2])), 2)
