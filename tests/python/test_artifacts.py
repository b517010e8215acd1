"""Archives of results: they run elsewhere, have the same bytes again, and are refused where they are not what they
say."""

import hashlib
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import zipfile
from unittest import mock

import lagnet
from lagnet import archives, artifacts, manifests
from methods import DESCENT
from support import PROGRAM, ROOT, TREE, Case, changed, files

sys.path.insert(0, str(ROOT / "docs/_ext"))
import pages  # noqa: E402
import programs  # noqa: E402

SMALL = changed({"/stop/rounds": 6})
OWN = DESCENT.replace("import lagnet\n", "import lagnet\nimport halves\n").replace(
    "self.step *", "halves.of(self.step) *")
HALVES = "def of(number):\n    return 0.5 * number\n"
DATA = "a,b,label\n" + "".join(f"{(7 * k) % 11},{(5 * k) % 13},{k % 3}\n" for k in range(24))


def rewritten(source, target, change, listing=True):
    """A copy of an archive whose members, a dictionary of bytes, `change` has changed; with `listing` also what the
    list says of them."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    if listing:
        document = json.loads(members[manifests.LIST])
        document["members"] = {name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                               for name, content in members.items() if name != manifests.LIST}
        members[manifests.LIST] = json.dumps(document).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


class ArtifactsCase(Case):
    def setUp(self):
        super().setUp()
        pathlib.Path("points.csv").write_text(DATA)
        self.run_result = lagnet.run(changed({"/data": {"source": "csv", "path": "points.csv"}, "/stop/rounds": 6}),
                                     out="runs/one")

    def edited(self, change, listing=True):
        made = lagnet.artifact(self.run_result, "a.zip", replace=True)
        return rewritten(made, self.folder / "b.zip", change, listing)

    def refused(self, path, *texts):
        """The archive is refused with these texts, and nothing is left."""
        before = sorted(os.listdir())
        with self.assertRaises(lagnet.InputError) as caught:
            lagnet.reproduce(path, out="out")
        self.assertEqual(sorted(os.listdir()), before)
        for text in texts:
            self.assertIn(text, str(caught.exception))
        return str(caught.exception)


class Artifacts(ArtifactsCase):
    def test_results_are_the_same_elsewhere(self):
        sweep = lagnet.sweep({**SMALL, "expect": [{"kind": "bound", "statement": "it is small", "metric": "objective",
                                                   "at_most": 1e9}]}, seeds=[1, 2], out="runs/two")
        made = lagnet.artifact([self.run_result, sweep], "paper.zip", title="A paper", authors=["A. Author"])
        (self.folder / "elsewhere").mkdir()
        moved = shutil.move(made, self.folder / "elsewhere")
        shutil.rmtree("runs")
        pathlib.Path("points.csv").unlink()
        done = lagnet.reproduce(moved, out="out", jobs=2)
        self.assertTrue(done)
        self.assertEqual([(run["name"], run["verdict"], run["differences"]) for run in done.runs],
                         [("one", "same", []), ("two", "same", [])])
        self.assertEqual([(claim["statement"], claim["verdict"], claim["recorded"]) for claim in done.claims],
                         [("it is small", "holds", "holds")])
        self.assertEqual(len(lagnet.read("out/reproduced/two")), 2)
        with zipfile.ZipFile(moved) as archive:
            self.assertEqual(archive.read("data/points.csv").decode(), DATA)
            self.assertIn("lagnet reproduce FILE.zip", archive.read("README.md").decode())
            self.assertIn('- name: "A. Author"', archive.read("CITATION.cff").decode())
            self.assertIn("it is small", archive.read("claims.md").decode())
            self.assertIn("FROM debian:", archive.read("Containerfile").decode())

    def test_the_same_results_have_the_same_bytes(self):
        first = lagnet.artifact(self.run_result, "first.zip").read_bytes()
        os.utime("runs/one/progress.csv", (1, 1))
        os.rename("runs", "other")  # which scenarios do not mention: names of files are relative
        self.assertEqual(lagnet.artifact("other/one", "second.zip").read_bytes(), first)
        with zipfile.ZipFile("first.zip") as archive:
            self.assertEqual(archive.namelist(), sorted(archive.namelist()))
            self.assertEqual({info.date_time for info in archive.infolist()}, {(1980, 1, 1, 0, 0, 0)})
            for name in archive.namelist():
                self.assertNotIn(str(self.folder).encode(), archive.read(name), name)

    def test_an_archive_replaces_no_other_file_unasked(self):
        pathlib.Path("a.zip").write_text("mine")
        with self.assertRaisesRegex(lagnet.InputError, "a.zip: expected a new file, found another one"):
            lagnet.artifact(self.run_result, "a.zip")
        self.assertEqual(pathlib.Path("a.zip").read_text(), "mine")
        lagnet.artifact(self.run_result, "a.zip", replace=True)
        lagnet.artifact(self.run_result, "a.zip")  # the same bytes
        self.assertEqual(sorted(os.listdir()), ["a.zip", "points.csv", "runs"])

    def test_a_swept_file_is_in_the_archive(self):
        pathlib.Path("others").mkdir()
        pathlib.Path("others/points.csv").write_text(DATA + "1,2,3\n")
        lagnet.sweep(SMALL | {"data": {"source": "csv", "path": "points.csv"}},
                     {"/data/path": ["points.csv", "others/points.csv"]}, out="runs/files")
        done = lagnet.reproduce(lagnet.artifact("runs/files", "a.zip"), out="out")
        self.assertEqual([run["verdict"] for run in done.runs], ["same"])
        self.assertEqual(sum(name.endswith("points.csv") for name in files("out/data")), 2)

    def test_files_of_the_points_of_a_sweep_are_in_the_archive(self):
        pathlib.Path("two.csv").write_text(DATA + "1,2,3\n")
        lagnet.sweep(SMALL | {"data": {"source": "csv", "path": "points.csv"}}, {"points": [
            {"/data/path": "points.csv", "/seed": 1}, {"/data/path": "two.csv", "/seed": 2}]}, out="runs/files")
        done = lagnet.reproduce(lagnet.artifact("runs/files", "a.zip"), out="out")
        self.assertEqual([(run["verdict"], run["differences"]) for run in done.runs], [("same", [])])
        self.assertEqual(sorted(files("out/data")), ["points.csv", "two.csv"])

    def test_retimed_results_are_the_same_as_a_run_of_their_own(self):
        lagnet.retime(self.run_result, set={"network.latency_ms": 7}, out="runs/retimed")
        self.assertEqual(lagnet.reproduce(lagnet.artifact("runs/retimed", "a.zip")).runs[0]["verdict"], "same")

    def test_a_class_is_in_the_archive_with_what_it_imports(self):
        pathlib.Path("own.py").write_text(OWN)
        pathlib.Path("halves.py").write_text(HALVES)
        scenario = changed({"/algorithm": {"kind": "python", "class": "own:Descent", "options": {"step": 0.2}}})
        pathlib.Path("own.json").write_text(json.dumps({"lagnet": 1, **scenario}))
        self.python("import lagnet; lagnet.run('own.json', out='runs/own');"
                    "lagnet.artifact('runs/own', 'a.zip')", env={**os.environ, "PYTHONPATH": os.pathsep.join(
                        [os.environ["PYTHONPATH"], str(self.folder)])})
        pathlib.Path("own.py").unlink()
        pathlib.Path("halves.py").unlink()
        done = lagnet.reproduce("a.zip", out="out")
        self.assertEqual([run["verdict"] for run in done.runs], ["same"])
        self.assertEqual(sorted(files("out/sources")), ["halves.py", "own.py"])
        self.assertEqual(sorted(done.versions["recorded"]), ["lagnet", "machine", "numpy", "python"])
        other = rewritten("a.zip", self.folder / "b.zip", lambda members: members.update(
            {"sources/halves.py": HALVES.replace("0.5", "0.25").encode()}))
        run, = lagnet.reproduce(other).runs
        self.assertEqual(run["verdict"], "differs")
        self.assertRegex(run["differences"][0], r"^progress.csv: \w+: \d+ of 13 rows differ, first row 2 \(round 1\): "
                                                r"expected [\d.e-]+, found [\d.e-]+$")

    def test_only_a_refused_scenario_is_a_difference(self):
        """What the system lacks says nothing about the results."""
        made = lagnet.artifact(self.run_result, "a.zip")
        name = "results/one/scenario.json"
        run, = lagnet.reproduce(self.edited(lambda members: members.update(
            {name: members[name].replace(b'"rounds": 6', b'"rounds": 0')}))).runs
        self.assertIn("/stop/rounds: expected an integer at least 1, found 0", run["differences"][0])
        with mock.patch("lagnet.process.succeed", side_effect=lagnet.SystemFailure("no disk")):
            self.assertRaisesRegex(lagnet.SystemFailure, "no disk", lagnet.reproduce, made)
        pathlib.Path("own.py").write_text(OWN)
        pathlib.Path("halves.py").write_text(HALVES)
        self.python("import sys; sys.path.insert(0, '.'); import lagnet, own; from support import changed;"
                    "lagnet.artifact(lagnet.run(changed({'/algorithm': own.Descent()}), out='runs/own'), 'own.zip')",
                    env={**os.environ, "PYTHONPATH": f"{os.environ['PYTHONPATH']}:{ROOT / 'tests/python'}"})
        for text, error, said in (
                ("raise OSError('no such lake')", None, "found OSError: no such lake"),
                ("import lagnet\nraise lagnet.SystemFailure('no disk')", lagnet.SystemFailure, "^no disk$"),
                ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", lagnet.SystemFailure, "SIGKILL")):
            other = rewritten("own.zip", self.folder / "b.zip", lambda members, text=text: members.update(
                {"sources/halves.py": text.encode()}))
            with self.subTest(text):
                if error is None:
                    self.assertRegex(lagnet.reproduce(other).runs[0]["differences"][0], said)
                else:
                    self.assertRaisesRegex(error, said, lagnet.reproduce, other)

    def test_what_cannot_run_elsewhere_is_refused_all_at_once(self):
        (self.folder / "empty").mkdir()
        pathlib.Path("points.csv").write_text(DATA.replace("7,", "8,"))
        with self.assertRaises(lagnet.InputError) as caught:
            lagnet.artifact(["runs/one", "empty", "nowhere"], "a.zip")
        first, second, third = str(caught.exception).split("\n")
        self.assertIn("empty: expected the folder of a run or of a sweep, found neither", first)
        self.assertIn("nowhere: expected the folder of a run or of a sweep, found nothing there", second)
        self.assertIn("points.csv: expected the data of the run, with the SHA-256 ", third)
        self.assertFalse(pathlib.Path("a.zip").exists())


class Comparisons(ArtifactsCase):
    def test_rounding_is_within_the_tolerance_and_a_digit_is_not(self):
        def scaled(factor):
            def change(members):
                name = "results/one/progress.csv"
                lines = [line.split(",") for line in members[name].decode().splitlines()]
                place = lines[0].index("objective")
                for line in lines[3:]:
                    line[place] = repr(float(line[place]) * factor)
                members[name] = "".join(",".join(line) + "\n" for line in lines).encode()
            return change

        done = lagnet.reproduce(self.edited(scaled(1 + 1e-12)))
        self.assertEqual((bool(done), done.runs[0]["verdict"], done.runs[0]["differences"]),
                         (True, "within_tolerance", []))
        done = lagnet.reproduce(self.edited(scaled(1 + 1e-6)))
        self.assertEqual((bool(done), done.runs[0]["verdict"]), (False, "differs"))
        self.assertRegex(done.runs[0]["differences"][0], r"^progress.csv: objective: 5 of 7 rows differ, first row 3 "
                                                         r"\(round 2\): expected [\d.]+, found [\d.]+$")
        part = done.runs[0]["parts"][0]
        self.assertEqual((part["code"], part["where"], part["differing"], part["row"]), ("column", "objective", 5, 3))

    def test_what_a_later_version_adds_is_no_difference(self):
        def without(members):
            name = "results/one/summary.json"
            document = json.loads(members[name])
            del document["warnings"], document["totals"]["late"]
            members[name] = json.dumps(document).encode()
            name = "results/one/agents.csv"
            members[name] = "".join(",".join(line.split(",")[:-1]) + "\n"
                                    for line in members[name].decode().splitlines()).encode()

        done = lagnet.reproduce(self.edited(without))
        self.assertEqual((done.runs[0]["verdict"], done.runs[0]["differences"]), ("within_tolerance", []))

    def test_a_claim_that_fails_is_reported(self):
        lagnet.run(SMALL | {"expect": [{"kind": "bound", "statement": "it is tiny", "metric": "objective",
                                        "at_most": 1e-9}]}, out="runs/claim")
        done = lagnet.reproduce(lagnet.artifact("runs/claim", "a.zip"))
        self.assertEqual((bool(done), done.runs[0]["verdict"]), (False, "same"))
        self.assertEqual([(claim["statement"], claim["good"]) for claim in done.claims], [("it is tiny", False)])

    def test_the_command_says_it_and_ends_with_its_status(self):
        def command(name, **request):
            run = subprocess.run([sys.executable, "-B", "-m", "lagnet.testing", name, json.dumps(request)],
                                 capture_output=True, text=True, timeout=120, check=False)
            return run.returncode, run.stdout, run.stderr

        status, out, _ = command("artifact", runs=["runs/one"], out="a.zip", title=None, authors=[], replace=False,
                                 json=False, quiet=False)
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^a.zip: \d+ bytes; lagnet reproduce a.zip runs it again\n$")
        asked = {"artifact": "a.zip", "out": None, "jobs": 1, "json": False, "quiet": False}
        self.assertEqual(command("reproduce", **asked),
                         (0, "same  one\n1 of 1 results reproduced, 1 of them byte for byte; 0 of 0 claims hold\n",
                          "one\n"))
        self.assertEqual(command("reproduce", **asked | {"quiet": True}), (0, "", ""))
        name = "results/one/progress.csv"
        rewritten("a.zip", self.folder / "b.zip",
                  lambda members: members.update({name: members[name].replace(b",rounds", b",other")[:-20] + b"\n"}))
        status, out, err = command("reproduce", **asked | {"artifact": "b.zip", "json": True, "quiet": True})
        self.assertEqual((status, err, json.loads(out)["reproduced"]), (1, "", False))
        status, out, err = command("reproduce", **asked | {"artifact": "points.csv"})
        self.assertEqual((status, out), (2, ""))
        self.assertIn("points.csv: expected an archive (zip), found another file", err)
        self.assertEqual(sorted(os.listdir()), ["a.zip", "b.zip", "points.csv", "runs"])


class ArtifactPage(Case):
    def test_it_runs_as_written(self):
        made = programs.Programs(PROGRAM, TREE, self.folder)
        page = pages.Page(ROOT / "docs/howto/artifact.md", self.folder, made).run()
        self.assertEqual(page.problems, [])


class LargeData(ArtifactsCase):
    def test_large_data_are_named_by_their_digest_and_taken_from_beside_the_archive(self):
        pathlib.Path("points.csv.source").write_text("Download it from the page of the authors.\n")
        limit, artifacts.LARGEST_DATA = artifacts.LARGEST_DATA, 10
        self.addCleanup(setattr, artifacts, "LARGEST_DATA", limit)
        made = lagnet.artifact(self.run_result, "a.zip")
        with zipfile.ZipFile(made) as archive:
            self.assertNotIn("data/points.csv", archive.namelist())
            self.assertIn("not in this archive; Download it", archive.read("README.md").decode())
        digest = hashlib.sha256(DATA.encode()).hexdigest()
        self.refused(made, f"data/points.csv: expected the data of the archive, {len(DATA)} bytes with the SHA-256 "
                           f"{digest}, found none; Download it from the page of the authors.")
        pathlib.Path("data").mkdir()
        pathlib.Path("data/points.csv").write_text(DATA + " ")
        self.refused(made, f"with the SHA-256 {digest}, found ")
        pathlib.Path("data/points.csv").write_text(DATA)
        self.assertEqual(lagnet.reproduce(made).runs[0]["verdict"], "same")


class Hostile(ArtifactsCase):
    """What is refused with where, what was expected and what was found; nothing is left of it."""

    def hostile(self, name, content=b"x", mode=stat.S_IFREG | 0o644):
        made = lagnet.artifact(self.run_result, "a.zip", replace=True)
        shutil.copy(made, "b.zip")
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        info.create_system = 3
        with zipfile.ZipFile("b.zip", "a") as archive:
            archive.writestr(info, content)
        return self.folder / "b.zip"

    def test_names_that_leave_the_folder(self):
        for name in ("../outside", "a/../../outside", "/outside", "..\\outside", "C:/outside", "a//b", "./a", "a\nb"):
            with self.subTest(name):
                self.refused(self.hostile(name), "expected a name ", "found another one")
        self.assertFalse(os.path.lexists(self.folder.parent / "outside"))

    def test_links_and_folders(self):
        self.refused(self.hostile("data/link", b"/etc/passwd", stat.S_IFLNK | 0o777),
                     "'data/link': expected a file, found a symbolic link")
        self.refused(self.hostile("data/pipe", b"", stat.S_IFIFO | 0o644),
                     "'data/pipe': expected a file, found something else")
        self.refused(self.hostile("README.md/inner"), "'README.md': expected a file or a folder, found both")

    def test_members_that_are_missing_changed_or_new(self):
        self.refused(self.edited(lambda members: members.pop("results/one/progress.csv"), listing=False),
                     "'results/one/progress.csv': expected it in the archive, found none")
        self.refused(self.edited(lambda members: members.update({"data/points.csv": DATA[:-2].encode() + b"9\n"}),
                                 listing=False),
                     "'data/points.csv': expected ", "bytes with the SHA-256 ", "found ")
        self.refused(self.hostile("results/one/more.csv"),
                     "'results/one/more.csv': expected no member that manifest.json does not list, found one")
        self.refused(self.edited(lambda members: members.pop("manifest.json"), listing=False),
                     "manifest.json: expected it in an archive that `lagnet artifact` made, found none")

    def test_bombs(self):
        def bomb(members):
            members["data/points.csv"] = b"0" * 10_000_000

        self.refused(self.edited(bomb, listing=False),
                     f"'data/points.csv': expected at most {len(DATA)} bytes, found more")
        limit, archives.LARGEST_IN_ALL = archives.LARGEST_IN_ALL, 1_000_000
        self.addCleanup(setattr, archives, "LARGEST_IN_ALL", limit)
        self.refused(self.edited(bomb), "expected at most 1000000 bytes of members, found 1")

    def test_damaged_archives(self):
        whole = lagnet.artifact(self.run_result, "a.zip").read_bytes()
        for length in (0, 100, len(whole) // 2, len(whole) - 10):
            pathlib.Path("b.zip").write_bytes(whole[:length])
            self.refused(self.folder / "b.zip", "b.zip: expected an archive (zip), found another file")
        for place in range(40, len(whole) - 100, len(whole) // 29):
            damaged = bytearray(whole)
            damaged[place] ^= 0x55
            pathlib.Path("b.zip").write_bytes(damaged)
            with self.subTest(place):
                try:  # a byte that no reader needs, such as the version that made a member
                    self.assertEqual(lagnet.reproduce(self.folder / "b.zip").runs[0]["verdict"], "same")
                except lagnet.InputError:
                    self.refused(self.folder / "b.zip", "b.zip: ", "expected ", "found ")

    def test_scenarios_that_name_other_files(self):
        for path in ("/etc/passwd", "../../../secret.csv", "../../README.md"):
            def change(members, path=path):
                name = "results/one/scenario.json"
                members[name] = members[name].replace(b'"../../data/points.csv"', json.dumps(path).encode())

            with self.subTest(path):
                self.refused(self.edited(change),
                             f"results/one/scenario.json: expected data of the archive, found the file '{path}'")

    def test_lists_that_are_not_what_they_should_be(self):
        made = lagnet.artifact(self.run_result, "a.zip")
        with zipfile.ZipFile(made) as archive:
            document = json.loads(archive.read("manifest.json"))
        run = document["runs"][0]
        for key, value, text in [("lagnet_artifact", 2, "/lagnet_artifact: expected 1, found 2"),
                                 ("relative_tolerance", 1e9, "/relative_tolerance: expected a number"),
                                 ("runs", [{**run, "name": "../../x"}], "/runs/0: expected a distinct name"),
                                 ("runs", [run, run], "/runs/1: expected a distinct name"),
                                 ("runs", [{**run, "kind": "retime"}], "/runs/0: expected a distinct name"),
                                 ("runs", 5, "/runs: expected a value of type list, found 5"),
                                 ("data", [{"name": "../x"}], "/data/0: expected a name in data"),
                                 ("members", {"a": 1}, "/members: expected names with bytes and sha256")]:
            def change(members, key=key, value=value):
                members["manifest.json"] = json.dumps({**document, key: value}).encode()

            with self.subTest(text):
                self.refused(self.edited(change, listing=False), text)

    def test_lists_and_scenarios_that_are_too_deep(self):
        for levels in (65, 500, 100_000):
            deep = b'{"a": ' + b"[" * levels + b"]" * levels + b"}"
            with self.subTest(levels):
                self.refused(self.edited(lambda members: members.update({"manifest.json": deep}), listing=False),
                             "manifest.json: expected ")
                self.refused(self.edited(lambda members: members.update({"results/one/scenario.json": deep})),
                             "results/one/scenario.json: expected a scenario, found no JSON")
                run, = lagnet.reproduce(self.edited(lambda members: members.update(
                    {"results/one/summary.json": deep}))).runs
                self.assertRegex(run["differences"][0], "^summary.json: line 1: expected ")

    def test_an_output_folder_with_files_is_left_alone(self):
        made = lagnet.artifact(self.run_result, "a.zip")
        (self.folder / "out").mkdir()
        (self.folder / "out/mine").write_text("mine")
        self.refused(made, "out: expected a new folder, or an empty one")
        self.assertEqual(files("out"), {"mine": b"mine"})


if __name__ == "__main__":
    import unittest
    unittest.main()
