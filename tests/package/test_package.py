"""What packages are made of: the release tarball, Debian's files, programs that do not know where they were built."""

import pathlib
import platform
import re
import shutil
import subprocess
import sysconfig
import tarfile
import unittest
import xml.etree.ElementTree

from support import DEBIAN, PROGRAM, ROOT, TREE, Case, call, field, listed, text

LIBRARIES = listed(ROOT / "tools/packages/build.txt", "libraries")


class Tarball(Case):
    def setUp(self):
        super().setUp()
        if not (ROOT / ".git").exists():
            self.skipTest("a release tarball is made of a git checkout, and this is none")
        if not shutil.which("npm") and not (ROOT / "build/release/report/fetched").exists():
            self.skipTest("a release tarball needs the chart library, which only npm can fetch")

    def test_it_is_the_same_bytes_each_time_and_brings_the_chart_library_along(self):
        files = []
        for name in ("first", "second"):
            files.append(call(ROOT / "tools/package/tarball", self.folder / name).strip())
        first, second = (pathlib.Path(name).read_bytes() for name in files)
        self.assertTrue(first == second)
        with tarfile.open(files[0]) as archive:
            names = archive.getnames()
            self.assertEqual({entry.uname for entry in archive} | {entry.uid for entry in archive}, {"", 0})
        top = names[0]
        expected = [line.split()[1] for line in text(ROOT / "tools/report/chart_library.sha256").splitlines()]
        self.assertIn("echarts/LICENSE", expected)
        self.assertEqual([name for name in expected if f"{top}/third_party/report/{name}" not in names], [])
        self.assertIn(f"{top}/CMakeLists.txt", names)
        call("sha256sum", "--check", f"{top}.tar.gz.sha256", cwd=self.folder / "first")


class ChartLibrary(Case):
    def configured(self, library):
        """Configures a tree of the program alone, chart library in `library`: exit status and output of CMake."""
        done = subprocess.run(["cmake", "-S", ROOT, "-B", self.folder / "tree", "-G", "Ninja", "-D", "LAGNET_TESTS=OFF",
                               "-D", "LAGNET_BENCHMARKS=OFF", "-D", "LAGNET_PYTHON=OFF",
                               "-D", f"LAGNET_CHART_LIBRARY={library}"], capture_output=True, text=True, check=False)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def test_it_is_taken_from_a_folder_if_it_is_the_expected_one(self):
        library = ROOT / "third_party/report"
        if not library.exists():
            library = TREE / "report/node_modules"
        if not library.exists():
            self.skipTest("no chart library is here: that a build takes it from a folder is not tested")
        status, said = self.configured(library)
        self.assertEqual(status, 0, said)
        self.assertNotIn("Fetching", said)
        self.assertIn("echarts", text(self.folder / "tree/tools/report/page.cpp"))
        status, said = self.configured(self.folder)
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"echarts\S*: expected SHA-256 .* found of a missing file")


class Built(Case):
    def test_programs_do_not_know_where_they_were_built(self):
        for path in [PROGRAM, *TREE.glob("python/lagnet/_core*.so")]:
            self.assertNotIn(str(ROOT).encode() + b"/", path.read_bytes(), path)


class Installed(Case):
    def test_every_folder_of_headers_has_one(self):
        call("cmake", "--install", TREE, "--prefix", self.folder)
        headers = self.folder / "include/lagnet"
        self.assertTrue((headers / "sim/base/draws.hpp").exists())
        folders = [path for path in headers.rglob("*") if path.is_dir()]
        self.assertEqual([path for path in folders if not any(path.rglob("*.hpp"))], [])


class Container(Case):
    def setUp(self):
        super().setUp()
        self.build, self.image = text(ROOT / "tools/deploy/Containerfile").split("FROM debian:12-slim\n")

    def test_it_is_built_with_all_libraries(self):
        self.assertEqual(LIBRARIES - set(self.build.split()), set())

    def test_it_has_the_libraries_and_programs_that_the_program_needs(self):
        if not shutil.which("objdump"):
            self.skipTest("objdump is not installed: what the program needs in a container is not tested")
        if platform.freedesktop_os_release().get("VERSION_CODENAME") != "bookworm":
            self.skipTest("the container has Debian 12, and this program is built with the libraries of another system")
        libraries = re.findall(r"NEEDED +(lib\S+)", call("objdump", "--private-headers", PROGRAM))
        folder = sysconfig.get_config_var("MULTIARCH")
        owners = call("dpkg-query", "--search", *(f"*/{folder}/{name}" for name in libraries))
        packages = set(re.findall(r"^([^:,]+)[:,]", owners, re.M))
        self.assertIn("libssl3", packages)
        there = {"libc6", "libgcc-s1", "libstdc++6"} | {name for name in packages if name.startswith("libboost-")}
        self.assertEqual(packages - there - set(self.image.split()), set())


class Debian(Case):
    def setUp(self):
        super().setUp()
        self.source, *others = text(DEBIAN / "control").split("\n\n")
        self.packages = {re.match(r"Package: (.*)", one)[1]: one for one in others}

    def test_its_version_is_that_of_the_sources(self):
        version = re.search(r"^project\(lagnet VERSION (\S+)", text(ROOT / "CMakeLists.txt"), re.M)[1]
        self.assertRegex(text(DEBIAN / "changelog"), rf"^lagnet \({re.escape(version)}-\d+\) ")

    def test_it_is_built_with_all_libraries_and_the_libraries_need_all_but_those_of_programs(self):
        self.assertEqual(LIBRARIES - field(self.source, "Build-Depends"), set())
        needed = {one for one in field(self.packages["liblagnet-dev"], "Depends") if one.endswith("-dev")}
        self.assertEqual(needed, LIBRARIES - {"libcli11-dev"})

    def test_the_documentation_is_built_with_its_packages(self):
        wanted = listed(ROOT / "tools/packages/docs.txt")
        self.assertEqual(wanted - field(self.source, "Build-Depends-Indep"), set())

    def test_every_data_set_has_its_terms(self):
        stanzas = re.findall(r"^Files:((?:.*\n)(?:[ \t].*\n)*)", text(DEBIAN / "copyright"), re.M)
        named = sorted(name for one in stanzas for name in one.split() if name.startswith("scenarios/data/sets/"))
        sets = [path for path in (ROOT / "scenarios/data/sets").iterdir() if ".libsvm" in path.name]
        self.assertEqual(named, sorted(str(path.relative_to(ROOT)) for path in sets))

    def test_every_license_that_is_named_is_there(self):
        terms = text(DEBIAN / "copyright")
        named = {word for line in re.findall(r"^License: (.*)$", terms, re.M) for word in line.split(" and ")}
        with_text = set(re.findall(r"^License: (\S+)\n ", terms, re.M))
        self.assertEqual(named, with_text)

    def test_the_type_of_scenarios_names_how_they_begin(self):
        tree = xml.etree.ElementTree.parse(ROOT / "tools/man/lagnet.xml")
        space = "{http://www.freedesktop.org/standards/shared-mime-info}"
        kind = tree.getroot().find(f"{space}mime-type")
        self.assertEqual(kind.get("type"), "application/vnd.lagnet.scenario+json")
        outer = kind.find(f"{space}magic/{space}match")
        inner = outer.find(f"{space}match")
        first, last = map(int, inner.get("offset").split(":"))
        for path in (ROOT / "scenarios/examples").glob("*.json"):
            begin = text(path)
            if begin.startswith("{"):
                self.assertIn(inner.get("value"), begin[first:last + len(inner.get("value"))], path)


if __name__ == "__main__":
    unittest.main()
