"""lagnet.testing: planted bugs are found, correct methods have none, and what the suite and the command line say."""

import contextlib
import dataclasses
import io
import json
import os
import pathlib
import subprocess
import sys
import unittest
import warnings
import xml.etree.ElementTree
from unittest import mock

import correct_methods
import lagnet
import planted_bugs
from support import ROOT, Case, changed

from lagnet import __main__ as launcher
from lagnet.testing import __main__ as commands, method_suite, plugin, properties_compressors, prove
from lagnet.testing.claims import Claims
from lagnet.testing.proving import PROPERTIES, hold, own_document
from lagnet.testing.subjects import subject_of

HERE = pathlib.Path(__file__).resolve().parent

# The property that finds each bug; others may find it, too.
FOUND_BY = {
    "DgdStale": "alone_is_central", "DgdUnbilled": "flops_are_billed", "DgdNotAwaited": "flops_are_billed",
    "DgdFirstToArrive": "same_iterates_under_other_latencies", "DgdClock": "same_iterates_under_other_latencies",
    "DgdBlackboard": "same_iterates_under_other_latencies",
    "DgdPeeks": "nobody_knows_early", "DgdUnnormalized": "converges", "DgdTwice": "alone_is_central",
    "DgdLeader": "agents_have_no_rank", "ExtraSign": "converges", "ExtraStale": "alone_is_central",
    "ExtraOnce": "converges", "NidsNoProx": "l1_is_optimal", "NidsBehind": "converges", "TrackingStart": "converges",
    "TrackingWeight": "converges", "TrackingUnmixed": "fixed_point_is_optimal", "TrackingSum": "samples_repeat",
    "AdmmSign": "converges", "AdmmStaleNeighbors": "converges", "AdmmDegree": "converges",
    "AveragingPlain": "converges", "AveragingSum": "copies_act_as_one", "AveragingLast": "alone_is_central",
    "AveragingHalfBill": "flops_are_billed", "AveragingFat": "sizes_are_declared", "CompressedMemory": "converges",
    "SamplingShared": "copies_act_as_one", "SamplingForeign": "draws_are_its_own",
    "TrackingWhole": "converges", "TrackingSquare": "converges", "DgdBehind": "alone_is_central",
    "DgdOneLess": "agents_have_no_rank", "ExtraClipped": "labels_double", "NidsTwice": "converges",
    "AdmmCache": "same_bits_again", "AveragingSkips": "flops_are_billed", "AveragingMomentum": "alone_is_central",
    "AveragingTired": "same_iterates_under_other_latencies", "AveragingShort": "features_turn",
    "AveragingTrims": "converges", "AcceleratedNot": "accelerated", "CompressedTwin": "compressors_draw_apart"}

ONE = {"names": ["extra"], "seed": 1, "examples": 1, "json": False, "badge": None, "quiet": True, "jobs": 1,
       "table": None}


class Bugs(Case):
    def test_every_planted_bug_is_found_by_the_property_that_is_about_it(self):
        self.assertEqual({bug.__name__ for bug in planted_bugs.BUGS}, set(FOUND_BY))
        table = {}
        for bug in planted_bugs.BUGS:
            verdict = hold(subject_of(bug), FOUND_BY[bug.__name__])
            table[bug.__name__] = f"{verdict.verdict}: {verdict.reason}"
        missed = {name: said for name, said in table.items() if not said.startswith("failed")}
        self.assertEqual(missed, {})

    def test_correct_methods_have_no_failures(self):
        for method in correct_methods.METHODS:
            with self.subTest(method.__name__):
                subject = subject_of(method)
                verdicts = [hold(subject, name, examples=6) for name in PROPERTIES]
                self.assertEqual([one for one in verdicts if one.verdict == "failed"], [])
                self.assertGreater(sum(one.verdict == "held" for one in verdicts), len(PROPERTIES) // 2)

    def test_the_scenario_of_a_failure_is_the_same_each_time_and_shows_it(self):
        found = [hold(subject_of(planted_bugs.AveragingPlain), "converges") for _ in range(2)]
        self.assertEqual(found[0].scenario, found[1].scenario)
        sizes = found[0].scenario["partition"]["sizes"]
        self.assertEqual((len(sizes), len(set(sizes)) > 1), (3, True))  # as few as may be, and unequal as they must be
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lagnet.RunWarning)  # of the error that was not reached
            result = lagnet.run(found[0].scenario)
        self.assertGreater(result.rows()[-1]["relative_error"], Claims().error)

    def test_a_method_that_raises_or_never_ends_has_a_failure(self):
        class Raises(lagnet.Peers):
            async def run(self, me):
                me.report(0, me.zeros())
                raise ZeroDivisionError("by nothing")

        class Waits(lagnet.Peers):
            async def run(self, me):
                me.report(0, me.zeros())
                await me.receive()

        said = hold(subject_of(Raises), "same_bits_again")
        self.assertEqual((said.verdict, said.reason), ("failed", "an agent raised ZeroDivisionError: by nothing"))
        said = hold(subject_of(Waits), "everything_is_counted")
        self.assertEqual(said.verdict, "failed")
        self.assertIn("deadlock", said.reason)


class Reasons(Case):
    def test_what_retiming_refuses_is_left_out_and_no_other_error_is(self):
        said = hold(subject_of(correct_methods.Dgd), "retiming_is_running", examples=5)
        self.assertEqual(said.verdict, "refused")
        with mock.patch("lagnet.proofs.retime", side_effect=lagnet.InputError("the folder: expected files")):
            said = hold(subject_of("extra"), "retiming_is_running", examples=5)
        self.assertEqual((said.verdict, said.reason), ("failed", "the folder: expected files"))

    def test_a_bill_of_nothing_and_messages_of_another_size_are_found_in_methods_of_lagnet(self):
        rows = lagnet.Result.rows

        def free(result, *names):
            return [{**row, "flops": 0} for row in rows(result, *names)]

        self.assertEqual(hold(subject_of("extra"), "new_numbers_cost_flops").verdict, "held")
        with mock.patch.object(lagnet.Result, "rows", free):
            said = hold(subject_of("extra"), "new_numbers_cost_flops")
        self.assertEqual(said.verdict, "failed")
        self.assertRegex(said.reason, "^agent 0 sends .* numbers to each neighbor in .* is billed 0 flops for them$")
        twice = dataclasses.replace(subject_of("extra"), claims=Claims(scalars=2))
        self.assertIn("claimed 2 times 2 numbers in each", hold(twice, "sizes_are_declared").reason)

    def test_vectors_billed_as_sparse_and_draws_that_are_shared_are_found_in_methods_of_lagnet(self):
        rows = lagnet.Result.rows

        def sparse(result, *names):
            found = rows(result, *names)
            return [{**row, "bytes_sent": 7} for row in found] if names == ("agents",) else found

        self.assertEqual(hold(subject_of("ef21"), "numbers_cost_bytes").verdict, "held")
        with mock.patch.object(lagnet.Result, "rows", sparse):
            said = hold(subject_of("ef21"), "numbers_cost_bytes")
        self.assertEqual(said.verdict, "failed")
        self.assertRegex(said.reason, "^in its first round 7 bytes come to the server, and 1 of 5 entries of the ")
        same = properties_compressors.copies_of
        for name in ("diana", "lead"):  # without draws, agents with the same samples do the same
            self.assertEqual(hold(subject_of(name), "compressors_draw_apart").verdict, "held")
            with mock.patch.object(properties_compressors, "copies_of", lambda *given: same(*given[:-1])):
                self.assertEqual(hold(subject_of(name), "compressors_draw_apart").verdict, "failed")

    def test_a_method_that_ends_sooner_where_more_rounds_follow_fails(self):
        class Sooner(lagnet.Peers):
            """Becomes too large, so that a run ends, where many rounds are to follow."""

            async def run(self, me):
                x = me.zeros()
                me.report(0, x)
                for t in me.rounds():
                    gradient = me.gradient(x)
                    await me.compute(me.gradient_flops)
                    x = await me.mix(x) - (1e9 if me._handle.rounds > 6 and t > 2 else 0.1) * gradient
                    me.report(t, x)

        said = hold(subject_of(Sooner), "same_beginning", examples=1)
        self.assertEqual(said.verdict, "failed", said)
        self.assertRegex(said.reason, r"where twice as many rounds follow, values are others: \d+ rows against \d+")

    def test_a_failure_leaves_the_method_as_it_was(self):
        subject = subject_of(planted_bugs.DgdUnbilled)
        before = json.dumps(subject.algorithm)
        verdict = hold(subject, "flops_are_billed", examples=1)
        self.assertNotIn("source_sha256", verdict.scenario["algorithm"])
        self.assertEqual(json.dumps(subject.algorithm), before)


class Suite(Case):
    def test_each_property_is_a_test_with_its_sentence_and_leaves_out_with_a_reason(self):
        suite = method_suite("extra", claims={"rate": "linear", "topologies": ["ring"]}, examples=1)
        self.assertEqual({name for name in vars(suite) if name.startswith("test_")},
                         {f"test_{name}" for name in PROPERTIES})
        self.assertEqual(suite.test_converges.__doc__, PROPERTIES["converges"].sentence)
        result = unittest.TestResult()
        suite("test_same_bits_again").run(result)
        suite("test_flops_are_billed").run(result)
        self.assertTrue(result.wasSuccessful())
        self.assertEqual([reason for _, reason in result.skipped],
                         ["its kernels count flops themselves; see tests/costs"])

    def test_unknown_claims_are_refused_with_what_was_expected_all_at_once(self):
        with self.assertRaises(lagnet.InputError) as caught:
            method_suite("extra", claims={"rate": "fast", "speed": 3, "topologies": ["rnig"], "error": 2})
        lines = str(caught.exception).splitlines()
        self.assertEqual(len(lines), 4)
        self.assertIn("claims/rate: expected one of linear, sublinear, neighborhood, none, found 'fast'", lines)
        self.assertIn("claims/topologies: expected a list of ring", lines[2])

    def test_a_claim_of_another_type_is_refused(self):
        wrong = {"rate": None, "losses": 3, "rounds": None, "gradients": -1, "exchanges": 1.5, "scalars": "two",
                 "alone": {"step": 1}, "neighborhood": True, "topologies": "ring", "shards": [], "copies": 1}
        with self.assertRaises(lagnet.InputError) as caught:
            Claims.of(wrong)
        self.assertEqual([line.partition(":")[0] for line in str(caught.exception).splitlines()],
                         [f"claims/{key}" for key in wrong])
        self.assertRaisesRegex(lagnet.InputError, "claims: expected keys with values, found 'linear'", Claims.of,
                               "linear")
        self.assertEqual(Claims.of({"alone": "fed_avg", "scalars": None, "rounds": 1, "shards": ["one"]}),
                         Claims(alone={"kind": "fed_avg"}, rounds=1, shards=("one",)))

    def test_pytest_runs_a_suite_and_the_fixtures_of_the_plugin(self):
        pathlib.Path("test_own.py").write_text(f"import sys\nsys.path.insert(0, {str(HERE)!r})\n" + """
import planted_bugs
from lagnet.testing import method_suite
TestMine = method_suite(planted_bugs.AveragingHalfBill, examples=1)

def test_golden(lagnet_run, lagnet_world, lagnet_golden):
    lagnet_golden(lagnet_run(lagnet_world(3), set={"network.header_bytes": HEADER}), "three")
""".replace("HEADER", "__import__('json').load(open('header'))"))
        pathlib.Path("header").write_text("0")

        def pytest(*words, **variables):
            ended = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "lagnet.testing.plugin", "-p",
                                    "no:cacheprovider", "--rootdir", ".", "test_own.py", *words], check=False,
                                   capture_output=True, text=True, timeout=300, env={**os.environ, **variables})
            return ended.returncode, ended.stdout

        status, said = pytest("-k", "flops_are_billed or same_bits_again")
        self.assertEqual(status, 1, said)
        self.assertIn("1 failed, 1 passed", said)
        self.assertIn("The flops that it is billed are those that it computes", said)
        self.assertEqual(pytest("-k", "golden")[0], 1)  # there is none yet
        self.assertEqual(pytest("-k", "golden", "--lagnet-update-goldens")[0], 0)
        self.assertEqual(pytest("-k", "golden")[0], 0)
        pathlib.Path("header").write_text("8")
        status, said = pytest("-k", "golden")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"bytes: 12 of 13 rows differ, first row 2 \(round 1\): expected \d+, found \d+")
        self.assertIn("if this is intended: pytest --lagnet-update-goldens", said)
        self.assertEqual(pytest("-k", "golden", LAGNET_UPDATE_GOLDENS="1")[0], 0)
        self.assertEqual(pytest("-k", "golden")[0], 0)
        document = json.loads(pathlib.Path("goldens/three.json").read_text())
        self.assertEqual((document["relative_tolerance"], document["absolute_tolerance"]), (1e-9, 0))

    def test_the_plugin_imports_nothing_large(self):
        said = self.python("import sys, lagnet.testing.plugin\nprint({'numpy', 'hypothesis'} & set(sys.modules))")
        self.assertEqual(said, "set()\n")

    def test_drawn_worlds_are_the_same_with_every_python(self):
        world = plugin.drawn_world(3)
        self.assertEqual((world["topology"], world["partition"]["sizes"], world["data"]["features"]),
                         ({"kind": "complete", "agents": 5}, [1, 7, 7, 7, 7], 5))

    def test_drawn_worlds_run(self):
        for seed in range(1, 6):
            self.assertEqual(lagnet.run(plugin.drawn_world(seed)).status, "done")
        self.assertEqual(lagnet.run(plugin.drawn_world(1, "fed_avg", server=True)).status, "done")


class Command(Case):
    def prove(self, **options):
        """Status and what is printed."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = prove.main({**ONE, **options})
        return status, out.getvalue()

    def test_a_method_of_lagnet_holds_and_says_why_it_leaves_out_what(self):
        status, said = self.prove()
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"^extra: \d+ held, \d+ refused, 0 failed\n")
        self.assertIn("refused  flops_are_billed", said)
        self.assertEqual(self.prove(), (status, said))

    def test_a_class_of_a_file_fails_with_a_scenario_a_badge_and_status_1(self):
        text = (HERE / "planted_bugs.py").read_text()
        pathlib.Path("mine.py").write_text(f"import sys\nsys.path.insert(0, {str(HERE)!r})\n{text}")
        status, said = self.prove(names=["mine.py:AveragingHalfBill"], json=True, badge="badge.svg")
        self.assertEqual(status, 1)
        (method,) = json.loads(said)["methods"]
        failed = {one["property"]: one for one in method["properties"] if one["verdict"] == "failed"}
        self.assertIn("flops_are_billed", failed)
        self.assertEqual(failed["flops_are_billed"]["scenario"]["algorithm"]["class"], "mine:AveragingHalfBill")
        picture = xml.etree.ElementTree.parse("badge.svg").getroot()
        self.assertIn("failed", picture.find("{http://www.w3.org/2000/svg}title").text)

    def test_a_scenario_is_the_first_world_of_its_method(self):
        document = {
            "lagnet": 1, "data": {"source": "gaussian_regression", "samples": 24, "features": 3},
            "topology": {"kind": "ring", "agents": 4}, "algorithm": {"kind": "extra", "step": 0.3}}
        pathlib.Path("own.json").write_text(json.dumps(document))
        status, said = self.prove(names=["own.json"])
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"^own.json: \d+ held")

    def test_files_of_a_scenario_are_named_from_its_folder(self):
        pathlib.Path("deep").mkdir()
        pathlib.Path("deep/one.csv").write_text("1,2,3\n4,5,6\n7,8,1\n3,1,4\n1,1,1\n")
        document = {"lagnet": 1, "data": {"source": "csv", "path": "one.csv", "header": "absent"},
                    "topology": {"kind": "ring", "agents": 4}, "algorithm": {"kind": "extra", "step": 0.01}}
        pathlib.Path("deep/own.json").write_text(json.dumps(document))
        own = own_document(subject_of("deep/own.json"))
        self.assertEqual(own["data"]["path"], str(self.folder / "deep/one.csv"))
        self.assertEqual(lagnet.validate(own), [])

    def test_a_network_that_duplicates_messages_breaks_no_account(self):
        pathlib.Path("own.json").write_text(json.dumps({
            "lagnet": 1, **changed({"/network/duplicate_probability": 0.3, "/topology/agents": 4})}))
        verdict = hold(subject_of("own.json"), "everything_is_counted", examples=1)
        self.assertEqual((verdict.verdict, verdict.reason), ("held", ""))

    def test_two_jobs_say_the_same(self):
        self.assertEqual(self.prove(jobs=2), self.prove())

    def test_a_table_goes_between_its_marks_and_nothing_else_is_replaced(self):
        page = pathlib.Path("page.md")
        page.write_text(f"before\n{prove.BEGIN}\nold\n{prove.END}\nafter\n")
        self.assertEqual(self.prove(table="page.md")[0], 0)
        text = page.read_text()
        self.assertTrue(text.startswith(f"before\n{prove.BEGIN}\n1. A second run gives the same bits.\n"))
        self.assertTrue(text.endswith(f"\n{prove.END}\nafter\n"))
        self.assertIn("| `extra` | x | x | x |", text)
        page.write_text("of somebody else\n")
        with self.assertRaisesRegex(lagnet.InputError, "expected a new file, or one with the lines"):
            self.prove(table="page.md")
        self.assertEqual(page.read_text(), "of somebody else\n")

    def test_wrong_names_are_refused_with_status_2(self):
        pathlib.Path("empty.py").write_text("")
        for name, said in [("extrra", "did you mean extra"), ("nowhere.py:X", "nowhere.py"),
                           ("json:dumps", "json:dumps"), ("empty.py:Mine", "found none"),
                           ("no.module:X", "no.module")]:
            ended = subprocess.run([sys.executable, "-B", "-m", "lagnet.testing", "prove",
                                    json.dumps({**ONE, "names": [name]})], check=False, capture_output=True, text=True)
            with self.subTest(name):
                self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended.stderr)
                self.assertIn(said, ended.stderr)

    def test_without_a_package_a_message_says_what_to_install(self):
        for name in ("hypothesis", "numpy"):
            pathlib.Path(name).mkdir()
            pathlib.Path(name, f"{name}.py").write_text("raise ImportError\n")
            environment = {**os.environ, "PYTHONPATH": f"{self.folder / name}:{os.environ['PYTHONPATH']}"}
            for command in (["-m", "lagnet.testing", "prove", json.dumps(ONE)],
                            ["-c", "from lagnet.testing import method_suite"]):
                ended = subprocess.run([sys.executable, "-B", *command], check=False, capture_output=True, text=True,
                                       env=environment)
                self.assertEqual(ended.returncode, 2 if "prove" in command else 1)
                self.assertRegex(ended.stderr, f"found no {name}: pip install 'lagnet\\[testing]'")


class Statuses(Case):
    """What a command ends with, whatever it raises."""

    def ended(self, error):
        err = io.StringIO()
        with mock.patch("lagnet.testing.artifact.main", side_effect=error), contextlib.redirect_stderr(err), \
                mock.patch.object(sys, "path", [*sys.path]):
            return commands.main(["artifact", "{}"]), err.getvalue()

    def test_wrong_input_and_what_is_not_installed_are_2(self):
        for error in (lagnet.InputError("input"), lagnet.ScenarioError([]), lagnet.ProgramMissing("program")):
            self.assertEqual(self.ended(error), (2, f"artifact: {error}\n"))

    def test_what_the_system_lacks_is_3(self):
        self.assertEqual(self.ended(lagnet.SystemFailure("no memory")), (3, "artifact: no memory\n"))

    def test_an_internal_error_is_3_and_shows_where(self):
        status, err = self.ended(KeyError("nowhere"))
        self.assertEqual(status, 3)
        self.assertRegex(err, r"(?s)^Traceback .*artifact: internal error: KeyError: 'nowhere'\n$")

    def test_an_error_of_an_import_is_one_like_others(self):
        with mock.patch("importlib.import_module", side_effect=lagnet.InputError("while it is imported")), \
                contextlib.redirect_stderr(io.StringIO()), mock.patch.object(sys, "path", [*sys.path]):
            self.assertEqual(commands.main(["artifact", "{}"]), 2)

    def test_the_launcher_ends_with_the_same(self):
        pathlib.Path("golden").mkdir()
        for error, status in ((lagnet.SystemFailure("no disk"), 3), (lagnet.InputError("wrong"), 2)):
            err = io.StringIO()
            with mock.patch("lagnet.proofs.scenarios_with_classes", return_value={"one": {}}), \
                    mock.patch("lagnet.proofs.check", side_effect=error), contextlib.redirect_stderr(err), \
                    mock.patch.object(sys, "path", [*sys.path]):
                self.assertEqual(launcher._checked(["check", "golden"]), status)
            self.assertEqual(err.getvalue(), f"check: {error}\n")
        ended = subprocess.run([sys.executable, "-B", "-m", "lagnet", "list"], check=False, capture_output=True,
                               text=True, env={**os.environ, "LAGNET": "/nowhere/lagnet"})
        self.assertEqual((ended.returncode, ended.stdout), (2, ""))
        self.assertRegex(ended.stderr, "^lagnet: LAGNET: expected the program lagnet, found nothing at")

    def test_an_interruption_is_130(self):
        self.assertEqual(self.ended(KeyboardInterrupt()), (130, ""))

    def test_a_module_of_the_user_that_raises_is_wrong_input(self):
        pathlib.Path("wrong_module.py").write_text("1 / 0\n")
        with self.assertRaisesRegex(lagnet.InputError, "can be imported, found ZeroDivisionError: division by zero"):
            subject_of("wrong_module.py:Mine")


class Table(Case):
    def test_the_readme_has_a_row_without_a_failure_for_each_method(self):
        text = (ROOT / "algorithms/README.md").read_text().partition(prove.BEGIN)[2].partition(prove.END)[0]
        rows = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}
        self.assertEqual(set(rows), set(lagnet.list("algorithms")) - {"python"},
                         "lagnet prove --all --table algorithms/README.md writes the table again")
        self.assertEqual([name for name, row in rows.items() if "!" in row or row.count(" x ") < 4], [])
        sentences = [line.partition(". ")[2] for line in text.splitlines() if line[:1].isdigit()]
        self.assertEqual(sentences, [one.sentence for one in PROPERTIES.values() if one.sentence in sentences])
        self.assertGreater(len(sentences), 20)

    def test_some_methods_are_as_the_readme_says(self):
        """Those of every family; `lagnet prove --table` has all."""
        for kind in ("nids", "push_pull", "scaffold", "cocoa", "hyfdca", "piag"):
            with self.subTest(kind):
                subject = subject_of(kind)
                found = [hold(subject, name, examples=1) for name in PROPERTIES]
                self.assertEqual([one for one in found if one.verdict == "failed"], [])


class Wheel(Case):
    def test_it_has_the_plugin_of_pytest(self):
        said = self.python(f"import sys; sys.path.insert(0, {str(ROOT / 'tools/python/backend')!r})\n"
                           "import lagnet_archives, lagnet_project\n"
                           "made = lagnet_archives.metadata(lagnet_project.Project.read())\n"
                           "print(made['entry_points.txt'].decode())")
        self.assertIn("[pytest11]\nlagnet = lagnet.testing.plugin\n", said)


if __name__ == "__main__":
    unittest.main()
