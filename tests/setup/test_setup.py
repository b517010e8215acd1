"""tools/setup against stand-ins for the programs of the system: when it calls the package manager, and how."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = "# a comment\ng++\n\ncmake   # and another\nlibfmt-dev\n"


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = os.path.join(self.folder.name, "calls")
        self.bin = os.path.join(self.folder.name, "bin")
        os.mkdir(self.bin)
        with open(os.path.join(self.folder.name, "packages.txt"), "w", encoding="utf-8") as file:
            file.write(PACKAGES)
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

    def install(self, installed, user=0, provides={}):
        """Runs install_missing as that user on a system with those packages, some of which provide others; gives the
        run and the calls made."""
        lines = "".join(f"echo 'installed {name}, {provides.get(name, '')}'\n" for name in installed)
        self.stand_in("dpkg-query", f"echo 'config-files cmake, '\n{lines}")
        self.stand_in("id", f"echo {user}")
        run = subprocess.run(
            ["bash", "-c", f"set -euo pipefail; source {ROOT}/tools/setup; install_missing; echo went on"],
            capture_output=True, text=True, cwd=self.folder.name,
            env={"PATH": self.bin, "LAGNET_PACKAGES": os.path.join(self.folder.name, "packages.txt")})
        calls = []
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                calls = file.read().splitlines()
        return run, calls

    def test_nothing_is_called_when_nothing_is_missing(self):
        run, calls = self.install(["g++", "cmake", "libfmt-dev"])
        self.assertEqual((run.returncode, run.stdout, run.stderr, calls), (0, "went on\n", "", []))

    def test_root_installs_exactly_what_is_missing(self):
        run, calls = self.install(["cmake"])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(calls, ["apt-get update", "apt-get install --yes --no-install-recommends g++ libfmt-dev"])

    def test_what_an_installed_package_provides_is_not_missing(self):
        run, calls = self.install(["g++", "libfmt-dev"], provides={"g++": "c++-compiler, cmake (= 3.25)"})
        self.assertEqual((run.returncode, run.stdout, calls), (0, "went on\n", []))

    def test_everything_is_installed_on_a_bare_system(self):
        _, calls = self.install([])
        self.assertEqual(calls[-1], "apt-get install --yes --no-install-recommends g++ cmake libfmt-dev")

    def test_a_name_that_begins_like_an_installed_one_is_still_missing(self):
        _, calls = self.install(["g++", "cmake-data", "libfmt-dev"])
        self.assertEqual(calls[-1], "apt-get install --yes --no-install-recommends cmake")

    def test_others_go_through_sudo(self):
        self.stand_in("sudo", f'echo sudo >> {self.log}; exec "$@"')
        run, calls = self.install(["g++", "cmake"], user=1000)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(calls, ["sudo", "apt-get update", "sudo",
                                 "apt-get install --yes --no-install-recommends libfmt-dev"])

    def test_without_root_and_sudo_it_says_what_to_install(self):
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
        script = f"set -euo pipefail; source {ROOT}/tools/setup; install_missing; echo went on"
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env={"PATH": self.bin})
        self.assertEqual((run.returncode, run.stdout), (0, "went on\n"))
        self.assertIn("not Debian", run.stderr)


if __name__ == "__main__":
    unittest.main()
