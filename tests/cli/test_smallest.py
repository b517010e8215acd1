"""Every method of the catalogue with one agent, sample and feature: `validate` and `run` agree, and nothing ends in
an internal error or a signal."""

import re
import unittest

from support import Case

SIZES = [(1, 1, 1), (2, 2, 1)]  # agents, samples, features


class Smallest(Case):
    def accepted(self, kind, agents, samples, features, topology):
        """The scenario with the required options of the method, as the refusals name them; None if it is refused."""
        scenario = {
            "lagnet": 1,
            "data": {"source": "gaussian_regression", "samples": samples, "features": features},
            "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.1}},
            "topology": {"kind": topology, "agents": agents},
            "network": {"latency_ms": 1},
            "algorithm": {"kind": kind},
            "stop": {"rounds": 3},
        }
        for _ in range(6):
            self.write("small.json", scenario)
            status, said, problems = self.lagnet("validate", "small.json")
            self.assertIn(status, (0, 2), problems)
            missing = set(re.findall(r'/algorithm: expected key "(\w+)"', said + problems))
            if not missing - scenario["algorithm"].keys():
                break
            scenario["algorithm"].update(dict.fromkeys(missing, 0.1))
        return status == 0

    def test_validate_and_run_agree_on_the_smallest_problems(self):
        listed = self.lagnet("list", "algorithms")[1].splitlines()[1:]
        for kind in (line.split()[0] for line in listed):
            if kind == "python":
                continue
            for number, (agents, samples, features) in enumerate(SIZES):
                for topology in ("path", "star", "directed_ring"):
                    with self.subTest(kind=kind, agents=agents, samples=samples, features=features, topology=topology):
                        is_valid = self.accepted(kind, agents, samples, features, topology)
                        out = f"{kind}-{number}-{topology}"
                        status, _, problems = self.lagnet("run", "small.json", "--out", out, "--quiet")
                        self.assertIn(status, (0, 1) if is_valid else (2,), problems)


if __name__ == "__main__":
    unittest.main()
