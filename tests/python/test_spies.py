"""What the tests of a method see of its agents: flops and messages."""

import unittest

import lagnet
import numpy as np
from support import Case, changed

from lagnet.testing import spies

ones = np.ones
# What an agent computes of its samples X (6, 3), and how many multiplications these are.
PRODUCTS = {
    "v X": (lambda X: ones(6) @ X, 18), "A X": (lambda X: ones((5, 6)) @ X, 90), "X w": (lambda X: X @ ones(3), 18),
    "X B": (lambda X: X @ ones((3, 5)), 90), "X' v": (lambda X: X.T.dot(ones(6)), 18), "X' X": (lambda X: X.T @ X, 54),
    "dot": (lambda X: np.dot(ones((5, 6)), X), 90), "inner, right": (lambda X: np.inner(ones((5, 3)), X), 90),
    "inner": (lambda X: np.inner(X, ones(3)), 18), "vdot": (lambda X: np.vdot(X, X), 18),
    "tensordot": (lambda X: np.tensordot(ones((5, 6)), X, axes=1), 90),
    "tensordot of columns": (lambda X: np.tensordot(ones((5, 3)), X, axes=(1, 1)), 90)}


class Multiplies(lagnet.Peers):
    """Computes one product with its samples."""

    regularizers = "all"
    product: str = ""

    async def run(self, me):
        me.report(0, me.zeros())
        PRODUCTS[self.product][0](me.X)
        me.report(1, await me.mix(me.zeros()))


class Spies(Case):
    def test_products_with_samples_on_either_side_are_counted(self):
        document = changed({"/data/samples": 24, "/data/features": 3, "/topology/agents": 4, "/stop/rounds": 1})
        for product, (_, multiplications) in PRODUCTS.items():
            with self.subTest(product), spies.watching() as seen:
                lagnet.run(document, algorithm=Multiplies(product=product))
                mixing = 3 * (2 * 2 + 1)
                self.assertEqual(list(seen.flops.values()), [2 * multiplications + mixing] * 4)

    def test_messages_of_all_forms_are_seen(self):
        for form in ("array", "list", "packed", "list of packed"):
            said = []
            for value in (1.0, 2.0):
                with spies.watching() as seen:
                    lagnet.run(changed({"/stop/rounds": 1}), algorithm=SendsOnce(form=form, value=value))
                said.append([one.what for one in seen.said[0] if not one.is_report])
            with self.subTest(form):
                self.assertEqual([len(one) for one in said], [1, 1])
                self.assertNotEqual(said[0], said[1])


class SendsOnce(lagnet.Peers):
    """Sends vectors of one value, in one of the forms that messages have."""

    regularizers = "all"
    form: str = ""
    value: float = 0

    async def run(self, me):
        me.report(0, me.zeros())
        x = np.full(me.d, self.value)
        packed = me.compress({"kind": "top_k", "k": 1}, x, 1)
        await me.exchange({"array": x, "list": x.tolist(), "packed": packed, "list of packed": [packed]}[self.form])
        me.report(1, me.zeros())


if __name__ == "__main__":
    unittest.main()
