"""lagnet.testing.hunt: planted failures are found and shrunk, and a hunt depends on its seed alone. Budgets are in
runs, since no test may depend on how busy the machine is. LAGNET_LONG=1 hunts all planted failures, not only some."""

import contextlib
import io
import json
import os
import pathlib
import sys
import time
import unittest
import warnings
from unittest import mock

import lagnet
import planted_worlds
from lagnet.testing import hunt
from lagnet.testing.__main__ import main
from lagnet.testing.hunting import changes, invariants
from lagnet.testing.hunting.base import plain_scenario
from lagnet.testing.hunting.children import children
from lagnet.testing.hunting.corpus import State
from lagnet.testing.hunting.draw import Draw
from lagnet.testing.hunting.facts import Ran, facts_of
from lagnet.testing.hunting.ranges import ranges_of
from lagnet.testing.hunting.search import Search
from lagnet.testing.hunting.trial import Trial
from lagnet.testing.hunting.world import World
from support import SMALL, Case, changed, files

# Those that take the fewest runs.
SOME = ("a straggler 8 times slower", "an odd ring of 7 or more", "a deadline before any answer", "staleness above 5",
        "a latency that is too long")
LONG = bool(os.environ.get("LAGNET_LONG"))


class Crashes(lagnet.Peers):
    """Ends its process where latencies are long."""

    regularizers = "all"

    async def run(self, me):
        me.report(0, me.zeros())
        x = await me.mix(me.zeros())
        if me.now > 0.5:
            os.abort()
        me.report(1, x)


class Hangs(lagnet.Peers):
    """Comes to no end, unless its way is another one."""

    regularizers = "all"
    way: str = ""

    async def run(self, me):
        me.report(0, me.zeros())
        while self.way in ("computes", "sleeps"):
            if self.way == "sleeps":
                time.sleep(3600)
        me.report(1, await me.mix(me.zeros()))


class Waits(lagnet.Peers):
    """Does without rounds, and waits for a message from everybody; so one lost message is enough."""

    asynchronous = True
    regularizers = "all"

    async def run(self, me):
        me.report(0, me.zeros())
        for t in range(1, 6):
            me.broadcast(t, me.zeros())
            for _ in me.neighbors:
                await me.receive()
            me.report(t, me.zeros())


def rerun(document):
    """A run of a scenario that fails, without what it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lagnet.run(document, check=False)


def _without_words(problem, pointer, expected, found="", place=""):
    """A problem whose sentences say nothing."""
    for name, value in (("pointer", pointer), ("expected", "?"), ("found", "?"), ("place", place)):
        object.__setattr__(problem, name, value)


LOSSES = {"/network/loss_probability": [0.05, 0.3]}


class PlantedCase(Case):
    def test_each_planted_failure_is_found_and_shrinks_to_half_of_its_fields(self):
        for name, (scenario, kind, text) in planted_worlds.PLANTED.items():
            if not LONG and name not in SOME:
                continue
            with self.subTest(name):
                (found,) = hunt(scenario, runs=1000, jobs=2).findings
                self.assertEqual(found.kind, kind, found)
                self.assertIn(text, found.sentence)
                self.assertLessEqual(found.fields, found.of_fields / 2, found.document)
                # It is a scenario, which fails when it runs, for the same reason.
                if kind == "error":
                    self.assertRaisesRegex(lagnet.AgentError, text, lagnet.run, found.document)
                else:
                    run = rerun(found.document)
                    self.assertEqual(run.claims.hold and run.status, False if kind == "claim" else kind)


class DrawsCase(Case):
    def test_worlds_depend_on_the_seed_and_not_on_jobs_or_an_interruption(self):
        scenario = {"lagnet": 1, **SMALL}
        hunt(scenario, runs=49, out="one", jobs=1)
        hunt(scenario, runs=49, out="two", jobs=2)
        hunt(scenario, runs=20, out="three")  # in the middle of a batch
        hunt(scenario, runs=33, out="three", resume=True)
        hunt(scenario, runs=49, out="three", resume=True, jobs=2)
        self.assertEqual(files("one"), files("two"))
        self.assertEqual(files("one"), files("three"))
        log = pathlib.Path("one/log.jsonl").read_text(encoding="utf-8").splitlines()
        self.assertEqual([json.loads(line)["number"] for line in log], list(range(49)))
        hunt(scenario, runs=49, out="other", seed=2)
        self.assertNotEqual(files("one")["log.jsonl"], files("other")["log.jsonl"])

    def test_a_failure_shrinks_to_the_same_world_with_any_jobs(self):
        scenario = planted_worlds.PLANTED["an odd ring of 7 or more"][0]
        alone = hunt(scenario, runs=40)
        self.assertEqual(alone, hunt(scenario, runs=40, jobs=3))
        (found,) = alone.findings
        self.assertEqual([(edit.pointer, edit.value) for edit in found.changes], [("/topology/agents", 7)])

    def test_a_world_is_kept_only_if_something_in_it_is_new(self):
        hunt({"lagnet": 1, **SMALL}, runs=65, out="h")
        log = [json.loads(line) for line in pathlib.Path("h/log.jsonl").read_text(encoding="utf-8").splitlines()]
        kept = {int(path.stem) for path in pathlib.Path("h/corpus").iterdir()}
        self.assertEqual(kept, {one["number"] for one in log if one["new"]})
        self.assertLess(len(kept), 65)
        self.assertTrue(any(one["parent"] for one in log))  # kept worlds are changed further

    def test_most_worlds_of_every_draw_run(self):
        for algorithm, topology in (({"kind": "dgd"}, {"kind": "ring", "agents": 6}),
                                    ({"kind": "fed_avg", "client_step": 0.1}, {"kind": "star", "agents": 6})):
            document = {"lagnet": 1, **changed({"/algorithm": algorithm, "/topology": topology})}
            facts = facts_of(Ran(lagnet.run(document)))
            role = "server" if facts.has_server else "peers"
            for change in changes.ALL:
                if change.is_for not in ("", role):
                    continue
                worlds = [World(json.loads(json.dumps(document)), facts, Draw(1, number)) for number in range(12)]
                for world in worlds:
                    change.draw(world)
                refused = [problems for world in worlds if (problems := lagnet.validate(world.document))]
                self.assertLess(len(refused), 6, (change.name, refused))

    def test_only_the_keys_of_within_are_drawn(self):
        base = plain_scenario({"lagnet": 1, **SMALL})
        within = {"network.latency_ms": [1, 500], "/topology/kind": ["ring", "star"], "/topology/agents": [3, 9],
                  "/network/partitions": None}
        with children(1) as pool:
            search = Search(base, 1, ranges_of(within, base), pool, State(), lambda found: None)
            search.batch(1, 1)
            drawn = [search.draw(number).document for number in range(1, 60)]
        for document in drawn:
            self.assertIn(document["topology"]["kind"], ("ring", "star"))
            self.assertIn(document["topology"]["agents"], range(3, 10))
            self.assertTrue(1 <= document["network"]["latency_ms"] <= 500)
            self.assertLessEqual(set(document["network"]), {*SMALL["network"], "partitions", "retransmit"})
        self.assertEqual({document["topology"]["agents"] for document in drawn}, set(range(3, 10)))
        self.assertTrue(any("partitions" in document["network"] for document in drawn))


    def test_a_sweep_over_files_is_hunted_in_from_any_folder(self):
        pathlib.Path("deep").mkdir()
        for name in ("one", "two"):
            pathlib.Path(f"deep/{name}.csv").write_text("1,2,3\n4,5,6\n7,8,1\n3,1,4\n1,1,1\n")
        scenario = {"lagnet": 1, **changed({"/data": {"source": "csv", "path": "one.csv", "header": "absent"}}),
                    "sweep": {"/data/path": ["one.csv", "two.csv"]}}
        pathlib.Path("deep/s.json").write_text(json.dumps(scenario), encoding="utf-8")
        self.assertEqual(plain_scenario("deep/s.json")["sweep"],
                         {"/data/path": [str(self.folder / f"deep/{name}.csv") for name in ("one", "two")]})
        self.assertEqual(hunt("deep/s.json", runs=3).refused, 0)


    def test_a_range_is_of_integers_where_the_scenario_takes_no_other_numbers(self):
        base = plain_scenario({"lagnet": 1, **SMALL})
        for key, ends, expected in (("topology.agents", [3, 9], True), ("stop.rounds", [1, 5], True),
                                    ("network.latency_ms", [1, 500], False), ("seed", [0, 9], True),
                                    ("network.loss_probability", [0, 1], False), ("algorithm.step", [-2, 1], False),
                                    ("topology.agents", [1, 9], True), ("network.latency_ms", [1.5, 9], False)):
            with self.subTest(key), mock.patch("lagnet.errors.Problem.__init__", _without_words):
                (one,) = ranges_of({key: ends}, base)
                self.assertEqual((one.low, one.high, one.is_integer), (*ends, expected))


    def test_a_hunt_that_is_refused_leaves_nothing(self):
        scenario = {"lagnet": 1, **SMALL, "sweep": {"/network/latency_ms": [1, 2]}}
        with self.assertRaisesRegex(lagnet.InputError, "none that the scenario's sweep leaves"):
            hunt(scenario, within={"/network/latency_ms": None}, runs=5, out="h")
        self.assertEqual(os.listdir(), [])

    def test_a_damaged_folder_is_refused_with_what_is_wrong(self):
        scenario = {"lagnet": 1, **SMALL}
        hunt(scenario, runs=17, out="h")
        whole = files("h")
        for name, text, said in (
                ("hunt.json", "{", "h/hunt.json: expected a file of a hunt, found a damaged one"),
                ("state.json", "[]", r"h/state.json: expected a file of a hunt, found \[\]"),
                ("state.json", "{}", "h/state.json: expected the state of a hunt of this version of lagnet"),
                ("corpus/000000.json", "{", "h/corpus/000000.json: expected a file of a hunt, found a damaged one"),
                ("corpus/000000.json", '{"document": {}, "facts": {"links": [], "times": [], "more": 1}}',
                 "h/state.json: expected the state of a hunt of this version of lagnet")):
            pathlib.Path("h", name).write_text(text)
            with self.subTest(name=name, text=text), self.assertRaisesRegex(lagnet.InputError, said):
                hunt(scenario, runs=18, out="h", resume=True)
            pathlib.Path("h", name).write_bytes(whole[name])
        self.assertEqual(files("h"), whole)


class FailuresCase(Case):
    def test_a_deadlock_that_the_scenario_asks_for_is_none(self):
        self.assertFalse(hunt({"lagnet": 1, **SMALL}, within=LOSSES, runs=12).findings)
        scenario = {"lagnet": 1, **SMALL, "algorithm": Waits(), "stop": {"updates": 25}}
        (found,) = hunt(scenario, within=LOSSES, runs=12).findings
        self.assertEqual(found.kind, "deadlock")
        self.assertRegex(found.sentence, "waits for any message")

    def test_a_method_that_computes_nothing_is_hunted_in_like_others(self):
        scenario = {"lagnet": 1, **SMALL, "algorithm": Waits(), "stop": {"updates": 25}}
        self.assertEqual(facts_of(Ran(lagnet.run(scenario))).flops_of_a_round, 1)
        found = hunt(scenario, within={"/compute/speed_flops_per_s": [1e3, 1e6]}, runs=6)
        self.assertEqual((found.findings, found.runs, found.refused), ((), 6, 0))

    def test_a_run_that_ends_its_process_is_a_failure_and_others_go_on(self):
        scenario = {"lagnet": 1, **SMALL, "algorithm": Crashes(), "stop": {"rounds": 1}}
        (found,) = hunt(scenario, within={"/network/latency_ms": [1, 2000]}, runs=40, jobs=2).findings
        self.assertEqual((found.kind, found.sentence), ("crash", "the process of the run was ended by SIGABRT"))
        self.assertGreater(found.document["network"]["latency_ms"], 400)

    def test_a_run_that_does_not_end_is_a_failure_however_busy_the_machine_is(self):
        for way, said in (("computes", "within 1 s of computing"), ("sleeps", "and slept for 1 s")):
            scenario = {"lagnet": 1, **SMALL, "algorithm": Hangs(way=way), "stop": {"rounds": 1}}
            with self.subTest(way), mock.patch.multiple("lagnet.testing.hunting.children", PATIENCE_S=1.0,
                                                        BETWEEN_LOOKS_S=0.01):
                with children(1) as pool:
                    slow, quick = pool.run([Trial(scenario), Trial({**scenario, "algorithm": Hangs(way="ends")})])
                self.assertEqual([(one.kind, one.sentence) for one in slow.failures],
                                 [("hang", f"the run did not end{',' * (way == 'sleeps')} {said}")])
                self.assertEqual((quick.failures, quick.refused), ((), ""))

    def test_a_scenario_that_fails_as_it_is_is_the_finding(self):
        claim = {"kind": "bound", "statement": "it is exact", "metric": "relative_error", "at_most": 1e-30}
        (found,) = hunt({"lagnet": 1, **SMALL, "expect": [claim]}, runs=30).findings
        self.assertEqual((found.number, found.changes, found.kind), (0, (), "claim"))
        self.assertEqual(found.document["topology"], SMALL["topology"])  # a smaller one could fail for another reason

    def test_what_both_have_shrinks_only_if_the_scenario_itself_holds(self):
        """A claim about the last round fails in a run of one round, whatever the network."""
        claim = {"kind": "bound", "statement": "it converges", "metric": "relative_error", "at_most": 0.05}
        scenario = {"lagnet": 1, **SMALL, "stop": {"rounds": 40}, "expect": [claim],
                    "participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 50}}}
        (found,) = hunt(scenario, within={"/network/loss_probability": [0.5, 0.95]}, runs=20).findings
        self.assertEqual([edit.pointer for edit in found.changes], ["/network/loss_probability"])
        healthy = json.loads(json.dumps(found.document))
        del healthy["network"]["loss_probability"]
        self.assertTrue(rerun(healthy).claims.hold)
        self.assertFalse(rerun(found.document).claims.hold)

    def test_every_broken_invariant_is_named(self):
        run = Ran(lagnet.run({"lagnet": 1, **SMALL}))
        self.assertEqual(invariants.broken(run), [])
        run.summary["totals"]["lost"] += 1
        run.rows[3]["simulated_s"] = 0
        run.rows[5]["objective"] = float("inf")
        run.agents[1]["messages_sent"] -= 1
        self.assertEqual({one.what for one in invariants.broken(run)},
                         {"messages", "simulated_s falls", "objective is finite", "messages_sent of agents",
                          "lost of agents", "lost of links"})


class CommandCase(Case):
    def answer(self, **request):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch.object(sys, "path", [*sys.path]):
            status = main(["hunt", json.dumps({"scenario": "s.json", "quiet": True, **request})])
        return status, out.getvalue(), err.getvalue()

    def setUp(self):
        super().setUp()
        claim = {"kind": "bound", "statement": "in time", "metric": "simulated_s", "at_most": 1}
        pathlib.Path("s.json").write_text(json.dumps({"lagnet": 1, **SMALL, "expect": [claim]}), encoding="utf-8")
        pathlib.Path("w.json").write_text('{"/network/latency_ms": [1, 1000]}', encoding="utf-8")

    def test_a_finding_has_a_file_that_the_program_takes(self):
        status, out, _ = self.answer(within="w.json", runs=40, out="h", quiet=False)
        self.assertEqual(status, 1)
        self.assertIn("claim: in time: fails", out)
        self.assertIn("h/found/000.json", out)
        self.assertEqual(self.program("run", "h/found/000.json", "--out", "r", "--quiet")[0], 0)
        self.assertEqual(self.program("check", "r")[0], 1)
        status, out, _ = self.answer(within="w.json", runs=40, json=True)
        self.assertEqual(json.loads(out)["findings"][0]["kind"], "claim")
        self.assertEqual(self.answer(set=["/network/latency_ms=2", "/expect=[]"], within="w.json", runs=5)[0], 0)

    def test_searches_of_numbers_print_what_they_found(self):
        status, out, _ = self.answer(minimize="/network/latency_ms", within="w.json", quiet=False)
        self.assertEqual(status, 0)
        self.assertRegex(out, r"fails at /network/latency_ms = 83\.\d+, not at 83\.\d+, in \d+ runs\nin time: fails")
        status, out, _ = self.answer(maximize="first:relative_error=1e-1", within="w.json", runs=20, json=True)
        self.assertEqual(json.loads(out)["values"], {"/network/latency_ms": 1000})
        status, out, _ = self.answer(maximize="first:relative_error=1e-30", within="w.json", runs=4, json=True)
        found = json.loads(out, parse_constant=lambda name: self.fail(f"{name} is no JSON"))
        self.assertEqual((status, found["value"], found["drawn"]), (0, None, None))

    def test_wrong_input_is_refused(self):
        pathlib.Path("bad.json").write_text('{"/network/latency_ms": 5, "/seed": [3, 1]}', encoding="utf-8")
        pathlib.Path("typo.json").write_text(
            '{"/network/latncy_ms": [1, 2], "/network/outages/0/until_s": [1, 2], "/data/samples": null}',
            encoding="utf-8")
        pathlib.Path("full").mkdir()
        pathlib.Path("full/other").touch()
        for request, said in (
                ({"within": "bad.json"}, r"/network/latency_ms: expected \[low, high\].*\n.*/seed: expected a range"),
                ({"within": "typo.json"}, "/network/latncy_ms: .*\n.*/network/outages: .*\n"
                                           ".*/data/samples: expected null for a key"),
                ({"resume": True}, "resume: expected out"), ({"out": "full"}, "full: expected a new folder"),
                ({"out": "full", "resume": True}, "found no hunt.json"), ({"runs": 0}, "runs: expected an integer"),
                ({"set": ["/stop/rounds=0"]}, "/stop/rounds: expected an integer at least 1"),
                ({"scenario": "none.json"}, "none.json"), ({"within": "none.json"}, "none.json"),
                ({"maximize": "no_such", "within": "w.json", "runs": 2}, "found no_such: there are round"),
                ({"maximize": "bytes"}, "within: expected"),
                ({"turning": "/network/latency_ms", "runs": None}, "with a sweep"),
                ({"maximize": "bytes", "minimize": "bytes"}, "exclude each other"),
                ({"turning": "/network/latency_ms", "out": "h"}, "--out: has no effect beside --turning"),
                ({"maximize": "bytes", "findings": 2}, "--findings: has no effect beside --maximize"),
                ({"turning": "/network/latency_ms"}, "--runs: has no effect on a search along one key"),
                ({"minimize": "/network/latency_ms", "runs": None, "seconds": 5}, "--seconds: has no effect on")):
            with self.subTest(request):
                status, out, err = self.answer(**{"runs": 2, **request})
                self.assertEqual((status, out), (2, ""), err)
                self.assertRegex(err, said)
        self.answer(within="w.json", runs=2, out="h")
        status, _, err = self.answer(runs=2, out="h", resume=True)
        self.assertEqual(status, 2)
        self.assertIn("found another within", err)


if __name__ == "__main__":
    unittest.main()
