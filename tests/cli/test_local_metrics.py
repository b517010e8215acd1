"""Metrics over agents, who holds which sample, and runs that end by a metric, held against NumPy."""

import json
import unittest

import numpy

from support import Case

AGENTS, STEP = 5, 0.3
PARTS = ["least", *(f"decile_{k}" for k in range(1, 10)), "largest"]
SCENARIO = {
    "lagnet": 1,
    "data": {"source": "csv", "path": "data.csv"},
    "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "none"}},
    "partition": {"kind": "dirichlet", "concentration": 0.7},
    "topology": {"kind": "ring", "agents": AGENTS},
    "algorithm": {"kind": "dgd", "step": STEP},
    "stop": {"rounds": 1},
    "record": {"holders": True, "optimum": False, "metrics": ["local_loss", "local_accuracy"]},
}


class Measured(Case):
    def setUp(self):
        super().setUp()
        draws = numpy.random.default_rng(7)
        self.X = draws.normal(size=(150, 4))
        self.y = numpy.where(self.X @ [1, -2, 0.5, 0] + 0.8 * draws.normal(size=150) > 0, 1.0, -1.0)
        lines = [",".join(map(repr, map(float, (*x, y)))) for x, y in zip(self.X, self.y)]
        (self.folder / "data.csv").write_text("a,b,c,d,label\n" + "\n".join(lines) + "\n", encoding="utf-8")

    def run_of(self, changes):
        self.write("s.json", {**SCENARIO, **changes})
        self.succeeds("run", "s.json", "--out", "run", "--replace", "--quiet")
        return self.table("run/progress.csv")

    def shards(self):
        rows = {}
        for line in self.table("run/samples.csv"):
            rows.setdefault(int(line["agent"]), []).append(int(line["sample"]))
        return rows

    def model(self):
        return numpy.array([float(row["coefficient"]) for row in self.table("run/model.csv")])

    def gradient(self, rows, theta):
        """Of the mean logistic loss of these samples."""
        X, y = self.X[rows], self.y[rows]
        return -(y / (1 + numpy.exp(y * (X @ theta)))) @ X / len(rows)

    def check_metrics(self, row, shards, iterate_of):
        losses, shares = [], []
        for agent, rows in shards.items():
            scores = self.X[rows] @ iterate_of(agent)
            losses.append(numpy.mean(numpy.log1p(numpy.exp(-self.y[rows] * scores))))
            shares.append(numpy.mean(numpy.where(scores >= 0, 1, -1) == self.y[rows]))
        for name, values in ("local_loss", losses), ("local_accuracy", shares):
            expected = numpy.quantile(values, numpy.linspace(0, 1, 11))
            found = [float(row[f"{name}_{part}"]) for part in PARTS]
            # Sums of at most 150 logarithms, in another order.
            numpy.testing.assert_allclose(found, expected, rtol=1e-13)


class LocalMetrics(Measured):
    def test_peers_are_measured_by_their_own_iterates_on_their_own_samples(self):
        row = self.run_of({})[-1]
        shards = self.shards()
        self.assertEqual(sorted(sum(shards.values(), [])), list(range(150)))
        weight = {agent: AGENTS * len(rows) / 150 for agent, rows in shards.items()}
        zero = numpy.zeros(4)
        # From 0 the first step of dgd is that of the agent's own gradient, w_i = m n_i / n times that of its mean loss.
        self.check_metrics(row, shards, lambda agent: -STEP * weight[agent] * self.gradient(shards[agent], zero))

    def test_clients_are_measured_by_the_common_iterate(self):
        algorithm = {"kind": "fed_avg", "client_step": STEP, "local_steps": 3}
        row = self.run_of({"topology": {"kind": "star", "agents": AGENTS + 1}, "algorithm": algorithm,
                           "stop": {"rounds": 9}})[-1]
        shards = self.shards()
        self.assertNotIn(0, shards)
        theta = self.model()
        self.check_metrics(row, shards, lambda agent: theta)

    def test_samples_are_named_by_their_rows_in_the_file_also_beside_a_test_set(self):
        self.run_of({"data": {**SCENARIO["data"], "test_samples": 30, "max_samples": 120, "choose_samples": "random"}})
        held = sorted(sum(self.shards().values(), []))
        self.assertEqual(len(set(held)), 90)
        self.assertLess(max(held), 150)
        self.assertNotEqual(held, list(range(90)))

    def test_agents_without_samples_of_their_own_are_refused(self):
        self.write("s.json", {**SCENARIO, "problem": {"loss": {"kind": "squared"}}, "partition": {"kind": "features"},
                              "algorithm": {"kind": "fd_primal_dual"}})
        _, _, err = self.lagnet("validate", "s.json")
        self.assertIn("/record/holders: expected false, since no agent holds samples of its own", err)


class StopByMetric(Measured):
    METRIC = {"record": {"metrics": ["accuracy"]}, "problem": {"loss": {"kind": "logistic"},
                                                               "regularizer": {"kind": "l2", "weight": 0.01}}}

    def accuracies(self, metric, **changes):
        rows = self.run_of({**self.METRIC, "stop": {"rounds": 400, "metric": {"column": "accuracy", **metric}},
                            **changes})
        summary = json.loads((self.folder / "run/summary.json").read_text(encoding="utf-8"))
        return [float(row["accuracy"]) for row in rows], summary["stop"]["reason"]

    def test_a_run_ends_in_the_first_round_that_is_good_enough(self):
        values, reason = self.accuracies({"at_least": 0.8})
        self.assertEqual(reason, "metric")
        self.assertGreaterEqual(values[-1], 0.8)
        self.assertLess(max(values[:-1]), 0.8)

    def test_a_share_is_that_of_the_central_optimum(self):
        every, _ = self.accuracies({"at_least": 1})  # by now that of the optimum
        central = every[-1]
        values, reason = self.accuracies({"share_of_central": 0.97})
        self.assertEqual(reason, "metric")
        self.assertGreaterEqual(values[-1], 0.97 * central)
        self.assertLess(max(values[:-1]), 0.97 * central)

    def test_a_missed_goal_is_reported_with_the_last_value(self):
        def warned(metric, record):
            self.write("s.json", {**SCENARIO, **self.METRIC, "stop": {"rounds": 3, "metric": metric}, "record": record})
            self.succeeds("run", "s.json", "--out", "run", "--quiet", "--replace")
            warnings = json.loads((self.folder / "run/summary.json").read_text(encoding="utf-8"))["warnings"]
            return [one["text"] for one in warnings]

        far = warned({"column": "accuracy", "at_least": 2}, {"metrics": ["accuracy"]})
        accuracy = float(self.table("run/progress.csv")[-1]["accuracy"])
        self.assertIn(f"accuracy of 2 or more was not reached: it is {accuracy:.6g} after 3 rounds", far)
        self.assertIn("stop.metric could not end the run: no row has a value of optimum_distance",
                      warned({"column": "optimum_distance", "at_most": 0.1}, {"optimum": False}))

    def test_unrecorded_and_unknown_columns_are_refused(self):
        wrong = {"column": "acuracy", "at_least": 0.9}
        self.write("s.json", {**SCENARIO, **self.METRIC, "stop": {"metric": wrong}})
        _, _, err = self.lagnet("validate", "s.json")
        self.assertIn("/stop/metric/column: expected a metric that is recorded: normalized_error, optimum_distance, "
                      "consensus_error, accuracy, found acuracy", err)
        for column in "consensus_error", "train_loss":  # of the method's own, and one that falls
            share = {"column": column, "share_of_central": 0.9}
            record = {"metrics": ["accuracy", "train_loss"]}
            self.write("s.json", {**SCENARIO, **self.METRIC, "record": record, "stop": {"metric": share}})
            _, _, err = self.lagnet("validate", "s.json")
            self.assertIn("/stop/metric/share_of_central: expected null, since the central optimum has no such value",
                          err)


class OrderOfChoco(Measured):
    def test_both_orders_are_their_papers_iterates(self):
        gamma, rounds = 0.3, 40
        finals = {}
        for order in "compress_first", "gossip_first":
            self.run_of({"algorithm": {"kind": "choco_sgd", "step": STEP, "gamma": gamma, "order": order,
                                       "compressor": {"kind": "top_k", "k": 1}},
                         "topology": {"kind": "ring", "agents": AGENTS, "gossip": "metropolis"},
                         "stop": {"rounds": rounds}})
            shards = self.shards()
            x = numpy.zeros((AGENTS, 4))
            known = x.copy()  # what neighbors know of x
            W = sum(numpy.roll(numpy.eye(AGENTS), shift, axis=1) for shift in (-1, 0, 1)) / 3
            for _ in range(rounds):
                gradients = [AGENTS * len(shards[i]) / 150 * self.gradient(shards[i], x[i]) for i in range(AGENTS)]
                x -= STEP * numpy.array(gradients)
                if order == "gossip_first":
                    x += gamma * (W @ known - known)
                change = x - known
                places = numpy.argmax(numpy.abs(change), axis=1)
                for i, place in enumerate(places):
                    known[i, place] += change[i, place]
                if order == "compress_first":
                    x += gamma * (W @ known - known)
            finals[order] = self.model()
            numpy.testing.assert_allclose(finals[order], x.mean(axis=0), rtol=1e-12)  # roundings of 40 contractions
        difference = numpy.linalg.norm(finals["gossip_first"] - finals["compress_first"])
        self.assertGreater(difference, 1e-3 * numpy.linalg.norm(finals["gossip_first"]))


if __name__ == "__main__":
    unittest.main()
