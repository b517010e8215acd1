"""What agents in Python see of the objective, and what the examples of all pages minimize: on unequal shards with l2,
held against lagnet's own methods and loops in NumPy."""

import json
import pathlib
import re

import numpy as np

import lagnet
import methods
import objectives
from support import ROOT, Case

AGENTS, STEP, WEIGHT, ROUNDS = 5, 0.05, 0.3, 40
UNEQUAL = {
    "data": {"source": "gaussian_regression", "samples": 60, "features": 4, "noise": 0.5},
    "problem": {"regularizer": {"kind": "l2", "weight": WEIGHT}},
    "partition": {"kind": "quantity_skew", "concentration": 0.5},
    "topology": {"kind": "ring", "agents": AGENTS},
    "stop": {"rounds": ROUNDS},
}
STAR = {"topology.kind": "star", "topology.agents": AGENTS + 1}
# Sums of 4 to 60 numbers of size 1 in another order leave 1e-14; steps contract what rounding leaves.
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


class Looks(methods.Toy):
    """What agents see, by their numbers."""

    seen = {}

    async def run(self, me):
        x = np.linspace(-1, 1, me.d)
        self.seen[me.id] = {"X": me.X, "y": me.y, "weight": me.weight, "weights": me.weights, "whole": me.gradient(x),
                            "loss": me.gradient(x, regularizer=False), "prox": me.prox(x, 0.5), "x": x,
                            "flops": me.gradient_flops,
                            "told": [one.weight for one in await me.exchange(x)]}
        me.report(0, me.zeros())
        for t in me.rounds():
            await me.compute(1)
            me.report(t, me.zeros())


class LooksByProx(Looks):
    smooth_by = "prox"


class Keeps(Looks):
    keeps_constraint = True


class LooksAtAStar(lagnet.ServerAndClients):
    regularizers = "all"
    seen = {}

    async def serve(self, me):
        self.seen[me.id] = {"weights": me.weights, "weight": me.weight}
        w = me.zeros()
        me.report(0, w)
        for t in me.rounds():
            self.seen[me.id]["told"] = {one.sender: one.weight for one in await me.ask(t, w)}
            me.report(t, w)

    async def train(self, me):
        x = np.linspace(-1, 1, me.d)
        self.seen[me.id] = {"X": me.X, "y": me.y, "weight": me.weight, "weights": me.weights, "whole": me.gradient(x),
                            "loss": me.gradient(x, regularizer=False), "x": x}
        while True:
            request = await me.next_request()
            await me.compute(1)
            me.answer(request, request.body)


def looked(algorithm=Looks, **set):
    algorithm.seen.clear()
    lagnet.run(UNEQUAL, algorithm=algorithm, set={"stop.rounds": 1, **set})
    return dict(algorithm.seen)


def mean_gradient(one):
    return one["X"].T @ (one["X"] @ one["x"] - one["y"]) / len(one["y"])


class Meaning(Case):
    def test_the_mean_of_peers_gradients_is_that_of_the_smooth_part(self):
        seen = looked()
        X, y = (np.concatenate([seen[i][key] for i in range(AGENTS)]) for key in ("X", "y"))
        x, shares = seen[0]["x"], np.array([len(seen[i]["y"]) for i in range(AGENTS)]) / len(y)
        self.assertGreater(max(shares), 3 * min(shares))
        of_loss = X.T @ (X @ x - y) / len(y)
        np.testing.assert_allclose(np.mean([one["whole"] for one in seen.values()], axis=0), of_loss + WEIGHT * x,
                                   **CLOSE)
        np.testing.assert_allclose(np.mean([one["loss"] for one in seen.values()], axis=0), of_loss, **CLOSE)
        for i, one in seen.items():
            np.testing.assert_allclose(one["weight"], AGENTS * shares[i], rtol=1e-15)
            np.testing.assert_allclose(one["weights"], shares, rtol=1e-15)
            np.testing.assert_allclose(one["whole"], one["weight"] * mean_gradient(one) + WEIGHT * x, **CLOSE)
            neighbors = sorted([(i - 1) % AGENTS, (i + 1) % AGENTS])
            np.testing.assert_allclose(one["told"], shares[neighbors], rtol=1e-15)
            np.testing.assert_array_equal(one["prox"], x)  # nothing is left of l2
            self.assertEqual(one["flops"], 4 * one["X"].size + 2 * 4)

    def test_the_mean_of_clients_gradients_by_their_weights_is_that_of_the_smooth_part(self):
        seen = looked(LooksAtAStar, **STAR)
        clients = [seen[k] for k in range(1, AGENTS + 1)]
        X, y = (np.concatenate([one[key] for one in clients]) for key in ("X", "y"))
        x, shares = clients[0]["x"], seen[0]["weights"]
        np.testing.assert_allclose(shares, [0, *(len(one["y"]) / len(y) for one in clients)], rtol=1e-15)
        self.assertEqual(seen[0]["told"], {k: shares[k] for k in range(1, AGENTS + 1)})
        self.assertEqual({one["weight"] for one in seen.values()}, {1.0})
        of_loss = X.T @ (X @ x - y) / len(y)
        np.testing.assert_allclose(sum(s * one["whole"] for s, one in zip(shares[1:], clients)), of_loss + WEIGHT * x,
                                   **CLOSE)
        for one in clients:
            np.testing.assert_allclose(one["loss"], mean_gradient(one), **CLOSE)

    def test_peers_that_weigh_alike_have_even_weights(self):
        seen = looked(**{"problem.agent_weights": "even"})
        for one in seen.values():
            np.testing.assert_allclose([one["weight"], *one["weights"]], [1, *[1 / AGENTS] * AGENTS], rtol=1e-15)
            np.testing.assert_allclose(one["whole"], mean_gradient(one) + WEIGHT * one["x"], **CLOSE)

    def test_a_regularizer_is_in_the_gradient_or_in_the_prox_and_never_in_both(self):
        """By gradient b x; by prox of step 0.5 soft thresholding at 0.5 a, and a factor 1 / (1 + 0.5 b)."""
        def soft(x, a):
            return np.sign(x) * np.maximum(np.abs(x) - a, 0)

        for algorithm, kind, of_gradient, of_prox in (
                (Looks, {"kind": "l2", "weight": 0.4}, lambda x: 0.4 * x, lambda x: x),
                (LooksByProx, {"kind": "l2", "weight": 0.4}, lambda x: 0 * x, lambda x: x / 1.2),
                (Looks, {"kind": "l1", "weight": 0.4}, lambda x: 0 * x, lambda x: soft(x, 0.2)),
                (Looks, {"kind": "elastic_net", "l1_weight": 0.2, "l2_weight": 0.4}, lambda x: 0.4 * x,
                 lambda x: soft(x, 0.1)),
                (LooksByProx, {"kind": "elastic_net", "l1_weight": 0.2, "l2_weight": 0.4}, lambda x: 0 * x,
                 lambda x: soft(x, 0.1) / 1.2)):
            with self.subTest(algorithm=algorithm.__name__, kind=kind):
                one = looked(algorithm, **{"problem.regularizer": kind})[0]
                np.testing.assert_allclose(one["whole"] - one["loss"], of_gradient(one["x"]), **CLOSE)
                np.testing.assert_allclose(one["prox"], of_prox(one["x"]), **CLOSE)

    def test_a_smooth_class_in_python_is_in_the_gradient_and_a_set_in_the_prox(self):
        one = looked(**{"problem.regularizer": objectives.Ridge(weight=0.4)})[0]
        np.testing.assert_allclose(one["whole"] - one["loss"], 0.4 * one["x"], **CLOSE)
        np.testing.assert_array_equal(one["prox"], one["x"])
        one = looked(Keeps, **{"problem.constraint": {"kind": "l2_ball", "radius": 0.5}})[0]
        np.testing.assert_allclose(one["whole"] - one["loss"], WEIGHT * one["x"], **CLOSE)
        np.testing.assert_allclose(one["prox"], 0.5 * one["x"] / np.linalg.norm(one["x"]), **CLOSE)

    def test_a_class_that_leaves_a_regularizer_out_is_refused_with_the_way_out(self):
        l1 = {"problem.regularizer": {"kind": "l1", "weight": 0.1}}
        calls_prox = "a class that calls me.prox(u, step), or that says regularizers = \"all\""
        calls_either = ("a class that calls me.gradient(x) and not with regularizer=False, or me.prox(u, step) with "
                        "smooth_by = \"prox\"")
        for method, set, told in ((methods.Descends, l1, calls_prox), (methods.OwnSums, {}, calls_either),
                                  (methods.OwnSumsAndProx, {}, calls_either), (methods.OwnSums, l1, calls_prox),
                                  (methods.Overrides, {}, calls_either),
                                  (methods.LeavesOut, {}, calls_either)):
            with self.subTest(method=method.__name__, set=set):
                for call in (lagnet.run, self.validated):
                    with self.assertRaises(lagnet.ScenarioError) as caught:
                        call(UNEQUAL, algorithm=method, set=set)
                    problem, = caught.exception.problems
                    self.assertEqual(problem.pointer, "/algorithm/class")
                    self.assertIn(told, problem.expected)
                    self.assertIn(f"{method.__name__}, which leaves out", problem.found)
        for method, set in ((methods.Descends, {}), (methods.MyDGD, l1), (methods.OwnSumsAndProx, l1),
                            (methods.ProxInAHelper, l1), (Looks, l1), (methods.CallsSuper, {}),
                            (methods.OwnSums, {"problem.regularizer": {"kind": "none"}})):
            self.assertEqual(lagnet.validate(UNEQUAL, algorithm=method, set=set), [])

    def validated(self, *arguments, **values):
        if problems := lagnet.validate(*arguments, **values):
            raise lagnet.ScenarioError(problems)

    def test_a_section_that_contradicts_its_class_is_refused(self):
        section = methods.MyDGD().section()
        for key, value, told in (("roles", "server_and_clients", "peers, as MyDGD has it"),
                                 ("smooth_by", "gradient", "prox, as MyDGD has it")):
            topology = {"kind": "star", "agents": 5} if key == "roles" else UNEQUAL["topology"]
            with self.assertRaises(lagnet.ScenarioError) as caught:
                lagnet.run({**UNEQUAL, "topology": topology, "algorithm": {**section, key: value}})
            self.assertEqual([(one.pointer, one.expected) for one in caught.exception.problems],
                             [(f"/algorithm/{key}", told)])


def example(page, name):
    """The class of that name in the code of a page, a docstring or a notebook."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if page.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    if ">>> class" in text:
        text = "\n".join(line.strip()[4:] for line in text.split("\n") if line.strip().startswith((">>> ", "... ")))
    found, = re.findall(rf"^class {name}\(.*?(?=^\S)", text + "\nend", re.MULTILINE | re.DOTALL)
    names = {"lagnet": lagnet, "np": np, "__name__": f"{pathlib.PurePath(page).stem}_{name}"}
    constants = "\n".join(re.findall(r"^[A-Z]+ = [\d.]+", text, re.MULTILINE))
    exec(compile(f"{constants}\n{found}", page, "exec"), names)
    return names[name]


class ExamplesOfPages(Case):
    """Each example once, on unequal shards with l2."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        seen = looked()
        cls.parts = [(seen[i]["X"], seen[i]["y"]) for i in range(AGENTS)]
        ring = np.roll(np.eye(AGENTS), 1, 0) + np.roll(np.eye(AGENTS), -1, 0)
        cls.W = 2 / 3 * np.eye(AGENTS) + ring / 6  # lazy Metropolis, of degrees 2
        cls.N = sum(len(y) for _, y in cls.parts)

    def gradients(self, x):
        """Of all peers' parts, a row each."""
        return np.array([AGENTS / self.N * X.T @ (X @ own - y) + WEIGHT * own for (X, y), own in zip(self.parts, x)])

    def objective(self, x):
        return sum(np.sum((X @ x - y)**2) for X, y in self.parts) / (2 * self.N) + WEIGHT / 2 * x @ x

    def assert_is_loop(self, method, step):
        """Rows and model are those of x <- step(x) for the matrix of all iterates."""
        result = lagnet.run(UNEQUAL, algorithm=method)
        x = np.zeros((AGENTS, 4))
        objectives = [self.objective(x.mean(axis=0))]
        for _ in range(ROUNDS):
            x = step(x)
            objectives.append(self.objective(x.mean(axis=0)))
        np.testing.assert_allclose([row["objective"] for row in result.rows()], objectives, **CLOSE)
        np.testing.assert_allclose([row["coefficient"] for row in result.rows("model")], x.mean(axis=0), **CLOSE)

    def assert_is(self, mine, own, **set):
        mine, own = (lagnet.run(UNEQUAL, algorithm=one, set=set) for one in (mine, own))
        for column in ("objective", "relative_error"):
            np.testing.assert_allclose([row[column] for row in mine.rows()], [row[column] for row in own.rows()],
                                       **CLOSE)
        np.testing.assert_allclose([row["coefficient"] for row in mine.rows("model")],
                                   [row["coefficient"] for row in own.rows("model")], **CLOSE)

    def test_local_descent_of_the_readme(self):
        LocalDescent = example("README.md", "LocalDescent")
        self.assert_is_loop(LocalDescent(step=STEP), lambda x: self.W @ (x - STEP * self.gradients(x)))

    def test_my_descent_of_the_tutorial(self):
        MyDescent = example("docs/tutorial.md", "MyDescent")
        self.assert_is_loop(MyDescent(step=STEP), lambda x: self.W @ x - STEP * self.gradients(x))

    def test_my_descent_of_the_page_on_the_league(self):
        MyDescent = example("docs/howto/league.md", "MyDescent")
        self.assert_is_loop(MyDescent(step=STEP), lambda x: self.W @ (x - STEP * self.gradients(x)))

    def test_local_descent_of_the_how_to(self):
        LocalDescent = example("docs/howto/own_method_python.md", "LocalDescent")

        def three_steps(x):
            for _ in range(3):
                x = x - STEP * self.gradients(x)
            return self.W @ x
        self.assert_is_loop(LocalDescent(step=STEP, local_steps=3), three_steps)

    def test_descent_of_the_explanation_and_of_the_page_on_tests(self):
        for Descent in (example("docs/explanations/objective.md", "Descent"),
                        example("docs/howto/regression_test.md", "Descent")):
            self.assert_is_loop(Descent(step=STEP), lambda x: self.W @ x - STEP * self.gradients(x))

    def test_my_dgd_of_the_package_is_dgd(self):
        MyDGD = example("tools/python/README.md", "MyDGD")
        self.assert_is(MyDGD(step=STEP), {"kind": "dgd", "step": STEP})

    def test_my_dgd_of_the_docstring_has_l2_in_its_gradient(self):
        MyDGD = example("tools/python/lagnet/methods.py", "MyDGD")
        self.assert_is_loop(MyDGD(step=STEP), lambda x: self.W @ x - STEP * self.gradients(x))

    def test_averaging_of_the_package_is_fed_avg(self):
        Averaging = example("tools/python/README.md", "Averaging")
        self.assert_is(Averaging(step=STEP), {"kind": "fed_avg", "client_step": STEP}, **STAR)

    def test_momentum_of_the_notebook(self):
        Momentum = example("tools/python/notebooks/own_method.ipynb", "Momentum")
        last = np.zeros((AGENTS, 4))

        def step(x):
            nonlocal last
            now, last = self.W @ x - STEP * self.gradients(x) + 0.5 * (x - last), x
            return now
        self.assert_is_loop(Momentum(step=STEP, keep=0.5), step)

    def test_every_example_of_a_method_is_tried_here(self):
        """But for those that show something else: a compressor's option, and a bug that `lagnet prove` finds."""
        tried = pathlib.Path(__file__).read_text(encoding="utf-8")
        for path in sorted(ROOT.rglob("*.md")) + sorted((ROOT / "tools/python").rglob("*.ipynb")) + sorted(
                (ROOT / "tools/python/lagnet").glob("*.py")):
            if "build" in path.parts or "node_modules" in path.parts:
                continue
            for name in re.findall(r"class (\w+)\(lagnet\.(?:Peers|ServerAndClients)\)", path.read_text("utf-8")):
                if name not in ("Halves", "Averaging"):
                    wanted = f'example("{path.relative_to(ROOT)}", "{name}")'
                    self.assertTrue(wanted in tried, wanted)


if __name__ == "__main__":
    import unittest
    unittest.main()
