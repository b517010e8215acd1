"""Compressors of agents in Python, beside those of lagnet's own methods."""

import lagnet
import methods
from support import SMALL, Case, changed

RING = changed({"/problem": {}, "/network/latency_ms": 3})
KINDS = [{"kind": "identity"}, {"kind": "top_k", "k": 2}, {"kind": "top_k", "fraction": 0.5, "value_bits": 16},
         {"kind": "rand_k", "k": 2, "scaled": False}, {"kind": "dithering", "levels": 4, "contractive": True},
         {"kind": "natural", "contractive": True}, {"kind": "scaled_sign"}, {"kind": "rounding", "format": "float16"}]


class Compressors(Case):
    def test_every_kind_is_tried(self):
        self.assertEqual({one["kind"] for one in KINDS}, set(lagnet.list("compressors")))

    def test_choco_in_python_is_choco_sgd_with_the_same_bits_bytes_and_events(self):
        """An agent that computes the same as choco_sgd, in its order, with the draws of the same round."""
        for compressor in KINDS:
            with self.subTest(compressor["kind"]):
                mine = lagnet.run(RING, algorithm=methods.MyChoco(step=0.05, gamma=0.2, compressor=compressor))
                own = lagnet.run(RING, algorithm={"kind": "choco_sgd", "step": 0.05, "gamma": 0.2,
                                                  "compressor": compressor}, check=False)
                for table in ("progress", "agents", "links", "model"):
                    self.assertEqual(mine.rows(table), own.rows(table))
                self.assertEqual(mine.summary["trace_hash"], own.summary["trace_hash"])
                self.assertEqual(lagnet.replay(mine), lagnet.Replay(True))

    def test_a_compressor_is_an_option_that_is_swept(self):
        runs = lagnet.sweep(RING, {"algorithm.options.compressor": [lagnet.compressor("top_k", k=1),
                                                                    lagnet.compressor("natural")]},
                            algorithm=methods.MyChoco(step=0.05))
        self.assertEqual(len({run.summary["totals"]["bytes_sent"] for run in runs}), 2)
        self.assertEqual(methods.MyChoco().section()["options"]["compressor"], {"kind": "identity"})
        self.assertEqual(repr(lagnet.compressor("top_k", k=3)), "lagnet.compressor('top_k', k=3)")

    def test_all_ways_to_send_take_compressed_vectors(self):
        """Of 4 entries one is kept: its index in 2 bits and its value in 64."""
        methods.Exchanges.seen.clear()
        result = lagnet.run(SMALL, algorithm=methods.Exchanges, set={"network.header_bytes": 0})
        seen = methods.Exchanges.seen[0]
        kept = [0.0, 0.0, 0.0, 4.0]
        self.assertEqual(seen["packed"], (kept, 66, 9))
        self.assertEqual(seen["exchange"], [kept + kept] * 2)
        self.assertEqual(seen["sum"], [0.0, 0.0, 0.0, 8.0])
        self.assertEqual(seen["collected"], [kept] * 2)
        self.assertEqual(result.summary["totals"]["bytes_sent"], 5 * 2 * (17 + 9 + 9))
        self.assertGreater(len({str(one["draws"][k]) for one in methods.Exchanges.seen.values() for k in (0, 1)}), 1)

    def test_every_mistake_is_reported_in_a_sentence(self):
        for what, told in (("short", "compress: expected a vector of 4 numbers, found 3"),
                           ("options", "compressor/k: expected "), ("options", "compressor/fractoin: "),
                           ("name", "did you mean top_k")):
            with self.assertRaises(lagnet.AgentError) as caught:
                lagnet.run(SMALL, algorithm=methods.Compresses(what=what))
            self.assertIn(told, str(caught.exception))
            self.assertIsInstance(caught.exception.__cause__, ValueError)

    def test_numbers_that_are_not_finite_end_a_run_as_they_do_in_other_methods(self):
        with self.assertRaisesRegex(lagnet.Diverged, "entry 0 of what is compressed is not finite"):
            lagnet.run(SMALL, algorithm=methods.Compresses(what="nan"))


if __name__ == "__main__":
    import unittest
    unittest.main()
