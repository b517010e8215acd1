"""What validate.py does, on two small networks: the commands work there, and deployed agents compute the simulated
bits. Nothing is said of times, which are no property of a computer that does other things as well."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from validate_cell import Network, RunningNetwork
from wire_support import run_tests, skip_where_forbidden


def setUpModule():
    skip_where_forbidden()


class Validate(unittest.TestCase):
    def measure(self, network, methods):
        running = RunningNetwork(network, realtime=False)
        self.addCleanup(running.close)
        measured = running.calibrate()
        self.assertEqual(len(measured["links"]), 2 * len(network.pairs))
        for link in measured["links"]:
            self.assertGreaterEqual(link["latency_ms"], network.latency_ms)  # no packet is early
            self.assertGreater(link["bandwidth_bytes_per_s"], 0)
        for method in methods:
            with self.subTest(method):
                found = running.measure(1, method, rounds=8)
                self.assertGreater(found["rounds"], 1)
                self.assertTrue(math.isfinite(found["error_median"]), found)
                self.assertGreater(found["real_s"], 0)
                if method == "dgd":
                    self.assertTrue(found["same_values"])

    def test_peers_on_a_ring(self):
        self.measure(Network("ring", 4, 5, 100), ["dgd"])

    def test_a_server_and_clients(self):
        self.measure(Network("star", 4, 2, 100), ["dgd", "fed_avg", "fed_async"])


if __name__ == "__main__":
    run_tests()
