"""`--algorithm NAME KEY=VALUE ...` takes the place of the scenario's, or is a sweep."""

import json

from support import Case


def scenario(path):
    return json.loads(path.read_text())


class Algorithm(Case):
    def test_an_algorithm_is_named_with_its_options(self):
        self.write_small()
        method = ("--algorithm", "netlasso", "step=0.1", "gossip_rounds=2")
        self.succeeds("run", "s.json", *method, "--out", "r", "--quiet")
        algorithm = scenario(self.folder / "r/scenario.json")["algorithm"]
        self.assertEqual((algorithm["kind"], algorithm["step"], algorithm["gossip_rounds"]), ("netlasso", 0.1, 2))

    def test_the_scenario_may_stand_behind_and_settings_change_the_algorithm(self):
        self.write_small()
        method = ("--set", "algorithm.step=0.2", "--algorithm", "netlasso", "step=0.1")
        self.succeeds("run", *method, "s.json", "--out", "r", "--quiet")
        self.assertEqual(scenario(self.folder / "r/scenario.json")["algorithm"]["step"], 0.2)

    def test_several_algorithms_are_a_sweep(self):
        self.write_small()
        out = self.succeeds("sweep", "s.json", "--algorithm", "netlasso", "step=0.1", "--algorithm", "fd_primal_dual",
                            "--out", "r")
        self.assertRegex(out, r"(?m)^  1  netlasso step=0.1  ")
        self.assertRegex(out, r"(?m)^  2  fd_primal_dual     ")
        both = ("--algorithm", "netlasso", "--algorithm", "fd_primal_dual")
        self.assertEqual(self.succeeds("validate", "s.json", *both), "s.json: valid, 2 runs\n")

    def test_wrong_options_are_reported(self):
        self.write_small()
        for words, message in ((["extr"], "did you mean extra?"), (["netlasso", "stp=1"], "did you mean step?"),
                               (["netlasso", "=1"], "--algorithm: expected a name and options, as in extra step=0.5")):
            status, _, err = self.lagnet("run", "s.json", "--algorithm", *words)
            self.assertEqual(status, 2)
            self.assertIn(message, err)
