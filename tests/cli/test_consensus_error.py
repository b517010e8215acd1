"""consensus_error is the root of the mean square distance of the agents' models to their mean, in every method."""

import os
import unittest

from support import Case

try:
    import numpy as np
except ImportError:
    np = None


@unittest.skipUnless(np, "NumPy is not installed")
class ConsensusError(Case):
    # One sample and one feature of value 1 for each agent: f_i(theta) = (theta - y_i)^2 / 2, with y_i as its minimizer.
    LABELS = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
    ROUNDS = 12

    def column(self, algorithm, labels, topology="ring", stop="rounds"):
        self.write("data.csv", "one,y\n" + "".join(f"1,{label!r}\n" for label in labels))
        name = f"r{len(os.listdir(self.folder))}"
        self.run_small(name, {"/data": {"source": "csv", "path": "data.csv"},
                              "/problem": {"loss": {"kind": "squared"}}, "/algorithm": algorithm,
                              "/topology": {"kind": topology, "agents": len(labels)}, "/stop": {stop: self.ROUNDS},
                              "/record": {"every": 1} if stop == "rounds" else {"every_updates": 1}})
        return np.array([float(row["consensus_error"]) for row in self.table(f"{name}/progress.csv")])

    @staticmethod
    def error(models):
        return np.sqrt(np.mean((models - np.mean(models)) ** 2))

    def check(self, column, models):
        # Some ten operations a round with numbers of size 10.
        np.testing.assert_allclose(column, [self.error(one) for one in models], rtol=0, atol=1e-12)

    def test_it_is_that_of_the_agents_models(self):
        y, m = np.array(self.LABELS), len(self.LABELS)
        W = (4 * np.eye(m) + np.roll(np.eye(m), 1, 0) + np.roll(np.eye(m), -1, 0)) / 6  # lazy Metropolis on a ring
        models = [np.zeros(m)]
        for _ in range(self.ROUNDS):
            models.append(W @ models[-1] - 0.1 * (models[-1] - y))
        self.check(self.column({"kind": "dgd", "step": 0.1}, self.LABELS), models)

        models = [y]
        for _ in range(self.ROUNDS):
            models.append(W @ models[-1])
        self.check(self.column({"kind": "gossip_averaging"}, self.LABELS), models)

        P = (np.eye(m) + np.roll(np.eye(m), 1, 0)) / 2  # a directed ring: half is kept, half goes on
        S, w, models = y, np.ones(m), [y]
        for _ in range(self.ROUNDS):
            S, w = P @ S, P @ w
            models.append(S / w)
        self.check(self.column({"kind": "push_sum"}, self.LABELS, "directed_ring"), models)

        self.check(self.column({"kind": "pairwise_gossip"}, self.LABELS, stop="updates")[:1], [y])

    def test_labels_times_ten_are_errors_times_ten_in_every_method(self):
        for algorithm, topology, stop in (({"kind": "dgd", "step": 0.1}, "ring", "rounds"),
                                          ({"kind": "choco_sgd", "step": 0.1, "gamma": 0.5}, "ring", "rounds"),
                                          ({"kind": "gossip_averaging"}, "ring", "rounds"),
                                          ({"kind": "push_sum"}, "directed_ring", "rounds"),
                                          ({"kind": "pairwise_gossip"}, "ring", "updates")):
            with self.subTest(algorithm["kind"]):
                once = self.column(algorithm, self.LABELS, topology, stop)
                ten = self.column(algorithm, [10 * label for label in self.LABELS], topology, stop)
                self.assertGreater(max(once), 0.1)
                np.testing.assert_allclose(ten, 10 * once, rtol=1e-12, atol=1e-12)
