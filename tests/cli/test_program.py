"""The program file: how it is linked, and how it ends when memory is overrun."""

import subprocess
import unittest

from support import PROGRAM


class Hardening(unittest.TestCase):
    def read(self, *options):
        command = ["readelf", "--wide", *options, PROGRAM]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def test_its_place_is_drawn_and_the_linkers_tables_are_sealed_before_it_starts(self):
        flags = [line for line in self.read("--dynamic").splitlines() if "(FLAGS_1)" in line]
        self.assertEqual(len(flags), 1)
        self.assertIn("NOW", flags[0].split())
        self.assertIn("PIE", flags[0].split())
        self.assertIn("GNU_RELRO", self.read("--program-headers"))

    def test_overrun_frames_and_buffers_end_it(self):
        symbols = self.read("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__\w+_chk@")


if __name__ == "__main__":
    unittest.main()
