"""Work that would not end within anybody's patience ends with a sentence."""

from support import Case


class Limits(Case):
    def test_a_local_minimizer_that_takes_more_than_a_million_gradients_is_refused(self):
        self.write_small({"/topology": {"kind": "star", "agents": 3}, "/partition": {"kind": "samples"},
                          "/algorithm": {"kind": "consensus_admm", "local_minimizer": "gradient", "penalty": 1e-15}})
        status, _, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual(status, 2, err)
        self.assertIn("not found in a million gradients", " ".join(err.split()))
        self.assertIn("/algorithm/penalty", err)
        self.assertEqual(set(self.tree()), {"s.json"})
