"""The build backend, and pip in an environment of its own without an index. The program comes from a tree in which it
is built already."""

import base64
import csv
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

import lagnet
from support import ROOT, TREE, Case

BACKEND = ROOT / "tools/python/backend"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
QUIET = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1"}


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*"))


class Backend(Case):
    def hook(self, code, source=ROOT, **environment):
        """Calls the backend as pip does, in a process of its own: exit status, stdout, stderr."""
        run = subprocess.run([sys.executable, "-B", "-c", f"import lagnet_backend as backend\n{code}"], cwd=self.folder,
                             env={**os.environ, "PYTHONPATH": str(source / "tools/python/backend"), **environment},
                             capture_output=True, text=True, timeout=300)
        return run.returncode, run.stdout, run.stderr

    def wheel(self, code=f'backend.build_wheel(".", {{"tree": {TREE!r}}})', **environment):
        status, _, err = self.hook(code, **environment)
        self.assertEqual((status, err), (0, ""))
        path, = self.folder.glob("*.whl")
        return path

    def test_nothing_else_is_needed(self):
        for kind in ("wheel", "sdist", "editable"):
            self.assertEqual(self.hook(f"print(backend.get_requires_for_build_{kind}())"), (0, "[]\n", ""))
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        self.assertIn("\nrequires = []\n", text)

    def test_a_wheel_has_its_parts_and_their_digests(self):
        path = self.wheel()
        self.assertRegex(path.name, r"^lagnet-[0-9.]+-cp3\d+-cp3\d+-linux_\w+\.whl$")
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            info = path.name.split("-cp3")[0] + ".dist-info"
            record = list(csv.reader(io.StringIO(archive.read(f"{info}/RECORD").decode())))
            self.assertEqual([row[0] for row in record], names)
            for name, digest, size in record[:-1]:
                content = archive.read(name)
                found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, size), (f"sha256={found}", str(len(content))), name)
            self.assertEqual(record[-1], [f"{info}/RECORD", "", ""])
            package = ROOT / "tools/python"
            kept = (".py", ".js", ".css")
            modules = sorted(str(one.relative_to(package)) for one in (package / "lagnet").rglob("*")
                             if one.suffix in kept)
            self.assertEqual(sorted(name for name in names if name.startswith("lagnet/") and name.endswith(kept)
                                    and "/share/" not in name), modules)
            for name in ("lagnet/py.typed", "lagnet/kinds.pyi", f"lagnet/_core{SUFFIX}", f"{info}/LICENSE",
                         "lagnet/share/scenarios/examples/gossip.json",
                         "lagnet/share/scenarios/papers/maros2022/figure1.json"):
                self.assertIn(name, names)
            self.assertEqual([name for name in names if name.endswith((".cpp", ".hpp", ".pyc"))], [])
            mode = archive.getinfo("lagnet/bin/lagnet").external_attr >> 16
            self.assertEqual(mode & 0o111, 0o111)
            metadata = archive.read(f"{info}/METADATA").decode()
            self.assertIn(f"\nVersion: {lagnet.version()}\n", metadata)
            self.assertIn("\nRequires-Python: >=3.11\n", metadata)
            self.assertNotIn("\nRequires-Dist: numpy\n", metadata)
            wheel = archive.read(f"{info}/WHEEL").decode()
            self.assertIn("\nRoot-Is-Purelib: false\nTag: " + path.stem.split("-", 2)[2], wheel)

    def test_metadata_are_those_of_the_wheel(self):
        status, out, err = self.hook('print(backend.prepare_metadata_for_build_wheel("."))')
        self.assertEqual((status, err), (0, ""))
        with zipfile.ZipFile(self.wheel()) as archive:
            for path in pathlib.Path(out.strip()).iterdir():
                self.assertEqual(archive.read(str(path)), path.read_bytes())

    def test_the_same_sources_give_the_same_bytes(self):
        first = self.wheel().read_bytes()
        second = self.wheel('backend.build_wheel(".")', LAGNET_BUILD_TREE=TREE).read_bytes()
        self.assertEqual(hashlib.sha256(first).digest(), hashlib.sha256(second).digest())

    def test_a_source_archive_has_the_files_of_git(self):
        self.assertEqual(self.hook('backend.build_sdist(".")')[0], 0)
        path, = self.folder.glob("*.tar.gz")
        with tarfile.open(path) as archive:
            archive.extractall(self.folder)
        source = self.folder / path.name.removesuffix(".tar.gz")
        kept = [name for name in listing(source) if (source / name).is_file()]
        listed = self.hook("print(*backend.own_files(), sep='\\n')")[1].split("\n")[:-1]
        self.assertEqual(kept, sorted([*listed, "PKG-INFO"]))
        self.assertIn("tools/python/backend/lagnet_backend.py", kept)
        self.assertTrue(os.access(source / "tools/test", os.X_OK))
        # Unpacked, it is a source of its own: without git it lists the same files, and gives the same metadata.
        unpacked = self.hook("print(*backend.own_files(), sep='\\n')", source)[1].split("\n")[:-1]
        self.assertEqual(unpacked, sorted(listed))
        status, out, _ = self.hook('print(backend.prepare_metadata_for_build_wheel("."))', source)
        self.assertEqual((source / "PKG-INFO").read_bytes(), pathlib.Path(out.strip(), "METADATA").read_bytes())

    def stand_ins(self, *names, **bodies):
        """A folder with these programs of the system alone, and others in place of theirs."""
        folder = self.folder / "bin"
        folder.mkdir()
        for name in names:
            (folder / name).symlink_to(shutil.which(name))
        for name, body in bodies.items():
            (folder / name.replace("_", "-")).write_text(f"#!{shutil.which('sh')}\n{body}\n")
            (folder / name.replace("_", "-")).chmod(0o755)
        return {"PATH": str(folder), "LAGNET_BUILD_TREE": "", "LAGNET_BUILD": str(self.folder / "build")}

    def test_a_tree_without_the_module_names_the_remedy(self):
        tree = self.folder / "tree"  # as tools/quickstart leaves it
        for folder in ("bin", "tools/python/module"):
            (tree / folder).mkdir(parents=True)
        (tree / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n")
        (tree / "bin/lagnet").touch()
        status, _, err = self.hook('backend.build_wheel(".")', LAGNET_BUILD_TREE=str(tree))
        self.assertEqual((status, err), (1, (
            f"lagnet: {tree}: expected the module for this Python to be built there, found no "
            f"python/lagnet/_core{SUFFIX}; run: cmake --build {tree} --target lagnet lagnet_core\n")))

    def test_missing_packages_are_named_in_one_line(self):
        installed = "".join(f"echo installed {name}; " for name in ("g++", "libboost-dev", "python3"))
        environment = self.stand_ins(dpkg_query=f"{installed} echo 'config-files cmake'")
        (self.folder / "bin/g++").symlink_to("/bin/true")
        status, _, err = self.hook('backend.build_wheel(".")', **environment)
        self.assertEqual((status, err.count("\n")), (1, 1), err)
        self.assertTrue(err.startswith("lagnet: Debian packages are missing"))
        packages = err.split("--no-install-recommends ")[1].split()
        self.assertIn("cmake", packages)
        self.assertIn("ninja-build", packages)
        self.assertIn("libeigen3-dev", packages)
        self.assertEqual({"g++", "libboost-dev", "ccache", "chromium", "python3-numpy"} & set(packages), set())

    def test_a_missing_library_is_named_in_one_line_too(self):
        environment = self.stand_ins(dpkg_query="echo installed cmake; echo installed g++",
                                     cmake="echo CMake Error: Eigen3 not found; exit 1", ninja="")
        (self.folder / "bin/g++").symlink_to("/bin/true")
        status, _, err = self.hook('backend.build_wheel(".")', **environment)
        self.assertEqual((status, err.count("\n")), (1, 1), err)
        self.assertIn(" libeigen3-dev ", err)

    def test_with_all_packages_cmakes_own_error_is_shown(self):
        environment = self.stand_ins(cmake="echo CMake Error: no room; exit 1", ninja="", dpkg_query="exit 1")
        (self.folder / "bin/g++").symlink_to("/bin/true")
        status, _, err = self.hook('backend.build_wheel(".")', **environment)
        self.assertEqual(status, 1)
        self.assertIn("CMake Error: no room", err)
        self.assertNotIn("Traceback", err)

    def test_packages_of_tests_and_benchmarks_are_not_needed(self):
        """The real cmake configures without them; nothing is built."""
        hidden = " ".join(f"-D CMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("benchmark", "Catch2"))
        environment = self.stand_ins(cmake=f'[ "$1" = --preset ] && exec {shutil.which("cmake")} "$@" {hidden}\n'
                                           'echo configured; exit 1', npm="exit 1")
        environment["PATH"] += os.pathsep + os.environ["PATH"]
        status, _, err = self.hook('backend.build_wheel(".")', **environment)
        self.assertEqual((status, err), (1, "lagnet: cmake --build ended with status 1:\nconfigured\n"))

    def test_an_invalid_build_tree_is_refused(self):
        (self.folder / "other").mkdir()
        (self.folder / "other/CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.folder}\n")
        for tree, told in (("nowhere", "found no CMakeCache.txt"), ("other", f"found one of {self.folder}")):
            status, _, err = self.hook(f'backend.build_wheel(".", {{"tree": "{tree}"}})')
            self.assertEqual((status, err.count("\n")), (1, 1), err)
            self.assertIn(told, err)
        self.assertEqual(list(self.folder.glob("*.whl")), [])

    def test_an_editable_wheel_names_the_sources(self):
        path = self.wheel('backend.build_editable(".")')
        with zipfile.ZipFile(path) as archive:
            self.assertEqual(archive.read("lagnet.pth").decode(), f"{ROOT / 'tools/python'}\n")


class Pip(Case):
    def run_in(self, program, *arguments, **environment):
        given = {**os.environ, **QUIET, **environment}
        given = {key: value for key, value in given.items() if key not in ("LAGNET", "LAGNET_BUILD_TREE")}
        run = subprocess.run([self.folder / "venv/bin" / program, *arguments], cwd=self.folder, capture_output=True,
                             text=True, timeout=280, env=given)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def changes(self):
        """The differences between the sources and git."""
        return subprocess.run(["git", "-C", ROOT, "status", "--porcelain"], capture_output=True, text=True).stdout

    def test_it_installs_without_an_index_and_runs_outside_the_checkout_and_goes(self):
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "venv"], cwd=self.folder, check=True,
                       env={**os.environ, "PYTHONPATH": ""})
        before, sources = listing("venv"), self.changes()
        for isolation in ([], ["--no-build-isolation"]):
            self.run_in("pip", "install", str(ROOT), f"--config-settings=tree={TREE}", *isolation)
            code = ("import lagnet; result = lagnet.run(lagnet.example('gossip'), set={'stop.rounds': 3}); "
                    "print(result.status, lagnet.program(), lagnet.reproduce('nguyen2022/straggler').claims.hold)")
            site = self.folder / f"venv/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
            self.assertEqual(self.run_in("python", "-c", code), f"done {site}/lagnet/bin/lagnet True\n")
            self.assertTrue(self.run_in("lagnet", "--version").startswith(f"lagnet {lagnet.version()}\n"))
            self.assertIn(f"Version: {lagnet.version()}\n", self.run_in("pip", "show", "lagnet"))
            self.run_in("pip", "uninstall", "--yes", "lagnet")
            self.assertEqual(listing("venv"), before)
        self.assertEqual(self.changes(), sources)


if __name__ == "__main__":
    import unittest
    unittest.main()
