"""A share of tests/fuzz/command_line.py: odd values, wrong files and damaged results end with a sentence and status
2."""

import os
import random
import sys
import unittest

from support import PROGRAM, ROOT, Case

sys.path.insert(0, str(ROOT / "tests/fuzz"))
import command_line  # noqa: E402


class OddInput(Case):
    def setUp(self):
        super().setUp()
        command_line.PROGRAM = os.environ.get("LAGNET", PROGRAM)
        self.finder = command_line.Finder(self.folder)
        self.draws = random.Random(20)

    def check(self, calls):
        self.assertEqual(self.finder.found, [])
        self.assertGreater(self.finder.calls, calls)

    def test_scenarios_with_odd_values(self):
        scenarios = command_line.shipped()
        for _ in range(60):
            command_line.try_scenario(self.finder, self.draws.choice(scenarios), self.draws)
        self.check(60)

    def test_files_of_the_wrong_kind(self):
        command_line.try_files(self.finder, self.draws, share=0.1)
        self.check(50)

    def test_results_with_a_damaged_file(self):
        command_line.try_files(self.finder, self.draws, share=0)
        command_line.try_results(self.finder, self.draws, 60)
        self.check(60)


if __name__ == "__main__":
    unittest.main()
