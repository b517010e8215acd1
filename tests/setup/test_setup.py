"""tools/setup against stand-ins for the programs of the system: when it calls the package manager, and how; and which
lists of packages the scripts install."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LISTS = {
    "some": "# a comment\ng++\n\ncmake   # and another\nlibfmt-dev\n",
    "more": "fish\n",
    "named": "clang-16 | clang-19\n",
}


def listed(part):
    """The packages of a list, by the first name of each."""
    with open(os.path.join(ROOT, "tools/packages", f"{part}.txt"), encoding="utf-8") as file:
        lines = [line.split("#")[0].split("|")[0].strip() for line in file]
    return {line for line in lines if line}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = os.path.join(self.folder.name, "calls")
        self.bin = os.path.join(self.folder.name, "bin")
        os.mkdir(self.bin)
        for part, text in LISTS.items():
            with open(os.path.join(self.folder.name, f"{part}.txt"), "w", encoding="utf-8") as file:
                file.write(text)
        self.stand_in("apt-get", f'echo "apt-get $*" >> {self.log}')
        # The shell's own tools, and no sudo unless a test adds one.
        for name in ("bash", "sed", "grep", "xargs", "nproc", "dirname", "env", "tr"):
            found = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True)
            os.symlink(found.stdout.strip(), os.path.join(self.bin, name))

    def stand_in(self, name, body):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{body}\n")
        os.chmod(path, 0o755)

    def run_with(self, command, installed, user=0, provides={}, lists=None, cwd=ROOT):
        """Runs the command as that user on a system with those packages, some of which provide others; gives the run
        and the calls made."""
        lines = "".join(f"echo 'installed {name}, {provides.get(name, '')}'\n" for name in installed)
        self.stand_in("dpkg-query", f"echo 'config-files cmake, '\n{lines}")
        self.stand_in("id", f"echo {user}")
        environment = {"PATH": self.bin} | ({"LAGNET_PACKAGES": lists} if lists else {})
        run = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment)
        calls = []
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                calls = file.read().splitlines()
        return run, calls


class Setup(Case):
    def install(self, installed, parts="some", **options):
        """Runs install_missing with lists of the test's own."""
        script = f"set -euo pipefail; source {ROOT}/tools/setup; install_missing {parts}; echo went on"
        return self.run_with(["bash", "-c", script], installed, lists=self.folder.name, cwd=self.folder.name, **options)

    def test_nothing_is_called_when_nothing_is_missing(self):
        run, calls = self.install(["g++", "cmake", "libfmt-dev"])
        self.assertEqual((run.returncode, run.stdout, run.stderr, calls), (0, "went on\n", "", []))

    def test_root_installs_exactly_the_missing_packages(self):
        run, calls = self.install(["cmake"])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(calls, ["apt-get update", "apt-get install --yes --no-install-recommends g++ libfmt-dev"])

    def test_a_provided_package_is_not_missing(self):
        run, calls = self.install(["g++", "libfmt-dev"], provides={"g++": "c++-compiler, cmake (= 3.25)"})
        self.assertEqual((run.returncode, run.stdout, calls), (0, "went on\n", []))

    def test_everything_is_installed_on_a_bare_system(self):
        _, calls = self.install([])
        self.assertEqual(calls[-1], "apt-get install --yes --no-install-recommends g++ cmake libfmt-dev")

    def test_a_name_that_begins_like_an_installed_one_is_still_missing(self):
        _, calls = self.install(["g++", "cmake-data", "libfmt-dev"])
        self.assertEqual(calls[-1], "apt-get install --yes --no-install-recommends cmake")

    def test_only_the_lists_that_are_named_are_installed(self):
        _, calls = self.install(["g++", "cmake"], parts="some more")
        self.assertEqual(calls[-1], "apt-get install --yes --no-install-recommends libfmt-dev fish")

    def test_of_several_names_the_first_that_is_known_is_installed(self):
        self.stand_in("apt-cache", '[ "$2" = clang-19 ]')
        _, calls = self.install([], parts="named")
        self.assertEqual(calls[-1], "apt-get install --yes --no-install-recommends clang-19")
        self.stand_in("apt-cache", "true")
        _, calls = self.install([], parts="named")
        self.assertEqual(calls[-1], "apt-get install --yes --no-install-recommends clang-16")

    def test_a_package_that_is_installed_by_any_of_its_names_is_not_missing(self):
        run, calls = self.install(["clang-19"], parts="named")
        self.assertEqual((run.returncode, run.stdout, calls), (0, "went on\n", []))

    def test_others_go_through_sudo(self):
        self.stand_in("sudo", f'echo sudo >> {self.log}; exec "$@"')
        run, calls = self.install(["g++", "cmake"], user=1000)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(calls, ["sudo", "apt-get update", "sudo",
                                 "apt-get install --yes --no-install-recommends libfmt-dev"])

    def test_without_root_and_sudo_it_lists_the_missing_packages(self):
        run, calls = self.install(["g++"], user=1000)
        self.assertEqual((run.returncode, run.stdout, calls), (2, "", []))
        self.assertIn("apt-get install cmake libfmt-dev", run.stderr)

    def test_a_failed_installation_stops_the_script(self):
        self.stand_in("apt-get", "exit 100")
        run, _ = self.install([])
        self.assertEqual(run.returncode, 100)
        self.assertNotIn("went on", run.stdout)

    def test_outside_debian_it_says_so_and_goes_on(self):
        self.install([])  # makes the stand-ins
        os.remove(os.path.join(self.bin, "dpkg-query"))
        script = f"set -euo pipefail; source {ROOT}/tools/setup; install_missing some; echo went on"
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env={"PATH": self.bin})
        self.assertEqual((run.returncode, run.stdout), (0, "went on\n"))
        self.assertIn("not Debian", run.stderr)
        self.assertIn("some.txt", run.stderr)


class Scripts(Case):
    def installed_by(self, *command):
        """What a script installs on a bare system; the stand-in for the package manager then stops it."""
        self.stand_in("apt-get", f'echo "apt-get $*" >> {self.log}; [ "$1" = update ]')
        self.stand_in("apt-cache", "true")
        _, calls = self.run_with([os.path.join(ROOT, command[0]), *command[1:]], [])
        self.assertEqual(len(calls), 2, calls)
        words = calls[1].split()
        self.assertEqual(words[:4], ["apt-get", "install", "--yes", "--no-install-recommends"])
        return set(words[4:])

    def test_quickstart_installs_only_the_builds_packages(self):
        packages = self.installed_by("tools/quickstart")
        self.assertEqual(packages, listed("build"))
        for path in pathlib.Path(ROOT, "tools/packages").glob("*.txt"):
            if path.stem != "build":
                self.assertEqual(packages & listed(path.stem), set(), path.name)

    def test_the_tests_install_the_builds_packages_and_their_own(self):
        self.assertLessEqual(listed("build") | listed("tests"), self.installed_by("tools/test"))

    def test_each_package_is_in_one_list(self):
        names = [name for path in pathlib.Path(ROOT, "tools/packages").glob("*.txt") for name in listed(path.stem)]
        self.assertEqual(sorted(names), sorted(set(names)))


if __name__ == "__main__":
    unittest.main()
