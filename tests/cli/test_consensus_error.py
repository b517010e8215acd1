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

    def columns(self, algorithm, labels, topology="ring", stop="rounds"):
        self.write("data.csv", "one,y\n" + "".join(f"1,{label!r}\n" for label in labels))
        name = f"r{len(os.listdir(self.folder))}"
        self.run_small(name, {"/data": {"source": "csv", "path": "data.csv"},
                              "/problem": {"loss": {"kind": "squared"}}, "/algorithm": algorithm,
                              "/topology": {"kind": topology, "agents": len(labels)}, "/stop": {stop: self.ROUNDS},
                              "/record": {"every": 1} if stop == "rounds" else {"every_updates": 1}})
        rows = self.table(f"{name}/progress.csv")
        return {column: np.array([float(row[column] or "nan") for row in rows]) for column in rows[0]}

    @staticmethod
    def error(models):
        return np.sqrt(np.mean((models - np.mean(models)) ** 2))

    def check(self, column, expected):
        # Some ten operations a round with numbers of size 10, squared.
        np.testing.assert_allclose(column, expected, rtol=0, atol=1e-11)

    def test_it_and_its_kin_are_those_of_the_agents_models(self):
        y, m = np.array(self.LABELS), len(self.LABELS)
        W = (4 * np.eye(m) + np.roll(np.eye(m), 1, 0) + np.roll(np.eye(m), -1, 0)) / 6  # lazy Metropolis on a ring
        models = [np.zeros(m)]
        for _ in range(self.ROUNDS):
            models.append(W @ models[-1] - 0.1 * (models[-1] - y))
        columns = self.columns({"kind": "dgd", "step": 0.1}, self.LABELS)
        self.check(columns["consensus_error"], [self.error(one) for one in models])
        self.check(columns["optimum_distance"], [np.mean((one - y.mean()) ** 2) for one in models])  # no root
        self.check(columns["objective"], [np.mean((one.mean() - y) ** 2) / 2 for one in models])

        models = [y]
        for _ in range(self.ROUNDS):
            models.append(W @ models[-1])
        columns = self.columns({"kind": "gossip_averaging"}, self.LABELS)
        self.check(columns["consensus_error"], [self.error(one) for one in models])
        columns = self.columns({"kind": "choco_gossip", "gamma": 1}, self.LABELS)  # uncompressed: the same
        self.check(columns["relative_consensus_error"], [self.error(one) / self.error(y) for one in models])

        P = (np.eye(m) + np.roll(np.eye(m), 1, 0)) / 2  # a directed ring: half is kept, half goes on
        S, w, models = y, np.ones(m), [y]
        for _ in range(self.ROUNDS):
            S, w = P @ S, P @ w
            models.append(S / w)
        columns = self.columns({"kind": "push_sum"}, self.LABELS, "directed_ring")
        self.check(columns["consensus_error"], [self.error(one) for one in models])
        self.check(columns["average_error"], [np.sqrt(np.mean((one - y.mean()) ** 2)) for one in models])

        columns = self.columns({"kind": "pairwise_gossip"}, self.LABELS, stop="updates")
        self.check(columns["consensus_error"][:1], [self.error(y)])

    def test_labels_times_ten_are_errors_times_ten_in_every_method(self):
        for algorithm, topology, stop in (({"kind": "dgd", "step": 0.1}, "ring", "rounds"),
                                          ({"kind": "choco_sgd", "step": 0.1, "gamma": 0.5}, "ring", "rounds"),
                                          ({"kind": "gossip_averaging"}, "ring", "rounds"),
                                          ({"kind": "push_sum"}, "directed_ring", "rounds"),
                                          ({"kind": "pairwise_gossip"}, "ring", "updates")):
            with self.subTest(algorithm["kind"]):
                once = self.columns(algorithm, self.LABELS, topology, stop)["consensus_error"]
                tenfold = [10 * label for label in self.LABELS]
                ten = self.columns(algorithm, tenfold, topology, stop)["consensus_error"]
                self.assertGreater(max(once), 0.1)
                np.testing.assert_allclose(ten, 10 * once, rtol=1e-12, atol=1e-12)
