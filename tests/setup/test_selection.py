"""What tools/test builds and runs in each of its modes, with stand-ins for the compiler's and the tests' programs; and
that a change anywhere in the tree selects tests."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/tidy")]
from changed import MAP, selected  # noqa: E402
from rooms import ROOMS  # noqa: E402


class Modes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "calls")
        self.bin = os.path.join(folder.name, "bin")
        os.mkdir(self.bin)
        # No dpkg-query: nothing is installed.
        for name in ("bash", "sed", "grep", "nproc", "dirname", "env", "cat"):
            found = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True)
            os.symlink(found.stdout.strip(), os.path.join(self.bin, name))
        os.symlink(sys.executable, os.path.join(self.bin, "python3"))
        self.stand_in("cmake")
        self.stand_in("ctest", 'echo "100% tests passed, 0 tests failed out of 7"')

    def stand_in(self, name, body=""):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho {name} \"$@\" >> {self.log}\n{body}\n")
        os.chmod(path, 0o755)

    def called(self, *arguments, status=0):
        """The output of tools/test, and its calls: presets that were configured, targets, arguments of ctest."""
        run = subprocess.run([ROOT / "tools/test", *arguments], capture_output=True, text=True, env={"PATH": self.bin})
        self.assertEqual(run.returncode, status, run.stderr)
        with open(self.log, encoding="utf-8") as file:
            calls = file.read()
        os.remove(self.log)
        (tests,) = re.findall(r"^ctest --preset release --parallel \d+ ?(.*)$", calls, re.M)
        self.compared = re.findall(r"^git diff --name-only --no-renames (.*) --$", calls, re.M)
        return (run.stdout, re.findall(r"^cmake --preset (\w+)", calls, re.M),
                re.findall(r"^cmake --build .* --target (.*)$", calls, re.M), tests)

    def test_by_default_one_build_and_the_quick_tests_run_and_the_rest_is_listed(self):
        out, presets, targets, tests = self.called("--verbose")
        self.assertEqual((presets, targets, tests),
                         (["release"], ["quick_programs"], "--label-regex ^quick$ --verbose"))
        left_out = out.split("Left out, and run by tools/test --all:\n")[1]
        self.assertEqual(set(re.findall(r"^  (\w+): ", left_out, re.M)) & {"cli", "sanitizer", "slow", "unit", "quick"},
                         {"cli", "sanitizer", "slow"})

    def test_a_failure_of_tests_is_the_status(self):
        self.stand_in("ctest", "exit 8")
        out = self.called(status=8)[0]
        self.assertIn("Left out", out)

    def test_all_builds_the_sanitizers_trees_and_ends_with_the_summary(self):
        out, presets, targets, tests = self.called("--all", "-R", "unit")
        self.assertEqual((presets, targets, tests), (["asan", "tsan", "release"], [], "-R unit"))
        self.assertEqual(out.splitlines()[-1], "100% tests passed, 0 tests failed out of 7")

    def test_weekly_builds_the_program_and_has_its_status_for_the_tables_of_the_small_league(self):
        tree = pathlib.Path(self.bin).parent / "tree"
        for name in (".ci/weekly", "tools/setup"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
        (tree / "build/release/bin").mkdir(parents=True)
        self.stand_in("lagnet", "exit 1")
        os.rename(os.path.join(self.bin, "lagnet"), tree / "build/release/bin/lagnet")
        run = subprocess.run([tree / ".ci/weekly", "--json"], capture_output=True, text=True, env={"PATH": self.bin})
        self.assertEqual(run.returncode, 1, run.stderr)
        with open(self.log, encoding="utf-8") as file:
            calls = file.read().splitlines()
        self.assertRegex(calls[-2], "^cmake --build .* --target lagnet$")
        self.assertEqual(calls[-1], "lagnet league verify scenarios/league/small --share 1 --json")
        self.assertTrue((ROOT / "scenarios/league/small/runs.csv.xz").is_file())

    def change(self, files, *arguments):
        self.stand_in("git", f'case $1 in merge-base) echo left;; diff) printf "{files}";; '
                             "ls-files) echo tests/cli/test_sweep.py;; esac")
        return self.called("--changed", *arguments)

    def test_changed_builds_and_runs_the_tests_of_changed_files(self):
        files = r"sim/agents/agent.cpp\nscenarios/compare/replay.cpp\n"
        _, presets, targets, tests = self.change(files, "--verbose")
        self.assertEqual((presets, targets),
                         (["release"], ["lagnet property_sim random_scenarios unit_scenarios unit_sim"]))
        self.assertRegex(tests, r"^--tests-regex \^\(.*\) --verbose$")
        pattern = re.compile(tests[len("--tests-regex "):-len(" --verbose")])
        for name in ("unit/sim/agents", "property/sim", "unit/scenarios/compare", "unit/scenarios/compare/tables",
                     "cli: Replay", "cli: Sweep", "cli: Compare", "golden: they", "tidy: the tree"):
            self.assertRegex(name, pattern)
        for name in ("unit/sim/engine", "unit/sim: slow cases", "unit/algorithms/dual", "cli: Tables", "python: Words"):
            self.assertNotRegex(name, pattern)

    def test_the_base_is_the_start_of_the_branch_or_the_named_commit(self):
        self.change("")
        self.assertEqual(self.compared, ["left"])
        self.change("", "HEAD~3", "--verbose")
        self.assertEqual(self.compared, ["HEAD~3"])


class Map(unittest.TestCase):
    def test_every_room_and_every_folder_of_tests_selects_some(self):
        places = [f"{room}/one.cpp" for room in ROOMS]
        places += [str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.*")
                   if path.suffix in (".cpp", ".py", ".js")]
        for place in places:
            with self.subTest(place=place):
                self.assertNotEqual(selected(place)[1] or "/tidy/" in place, [])

    def test_every_program_of_the_map_is_built_somewhere(self):
        files = ("tests/CMakeLists.txt", "tools/CMakeLists.txt", "tools/python/module/CMakeLists.txt")
        lists = "".join((ROOT / path).read_text(encoding="utf-8") for path in files)
        for _, programs, _ in MAP:
            for program in programs.replace("{layer}", "sim").split():
                if program != "all":  # ninja's own
                    self.assertRegex(lists, rf"(lagnet_test|add_\w+)\({program}\b")


if __name__ == "__main__":
    unittest.main()
