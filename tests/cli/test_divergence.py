"""Runs that grow without bound: an outcome with its round, status 1, and a folder complete up to that round."""

import json
import math
import re

from support import Case, changed

FACTOR = 1e6  # the default of stop.divergence_factor
SERVER = {"/topology": {"kind": "star", "agents": 5}, "/record": {"every": 1, "trace": True}, "/stop/rounds": 3000}
PEERS = {**SERVER, "/topology": {"kind": "ring", "agents": 5}, "/problem/regularizer": {"kind": "none"}}

# Steps that are far too long, for every method of the two families.
DIVERGING = [
    (SERVER, {"kind": "fed_avg", "client_step": 3}),
    (SERVER, {"kind": "scaffold", "client_step": 3}),
    (SERVER, {"kind": "scaffold", "client_step": 3, "control": "fresh_gradient"}),
    (SERVER, {"kind": "fed_prox", "client_step": 3, "mu": 0.1, "local_steps": 2}),
    (SERVER, {"kind": "distributed_proximal_gradient", "step": 3}),
    (SERVER, {"kind": "distributed_fista", "step": 3}),
    (SERVER, {"kind": "fed_mid", "client_step": 3, "server_prox": "single"}),
    (SERVER, {"kind": "fed_dual_avg", "client_step": 3}),
    (SERVER, {"kind": "fast_fed_da", "mu": 1e-9, "gamma": 1e-3, "local_steps": 3}),
    (SERVER, {"kind": "fast_fed_da", "mu": 1e-9, "gamma": 1e-3, "local_steps": 3, "messages": "lean"}),
    (SERVER, {"kind": "c_fed_da", "mu": 1e-9, "gamma": 1e-3, "local_steps": 3}),
    (SERVER, {"kind": "mc_fed_da", "mu": 1e-9, "gamma": 1e-3,
              "stages": [{"lambda": 0.02, "rounds": 1}, {"lambda": 0.01, "rounds": 2999, "local_steps": 3}]}),
    (SERVER, {"kind": "prox_skip", "step": 3, "p": 0.5}),
    (SERVER, {"kind": "diana", "step": 3}),
    (SERVER, {"kind": "ef21", "step": 3, "compressor": {"kind": "top_k", "k": 1}}),
    ({**SERVER, "/problem/regularizer": {"kind": "none"}},
     {"kind": "ef_sgd", "step": 3, "compressor": {"kind": "scaled_sign"}, "compress_down": True}),
    (PEERS, {"kind": "accel_tracking", "alpha": 0.01, "beta": 1, "gossip_rounds": 2}),
    (PEERS, {"kind": "netlasso", "step": 3}),
    (PEERS, {"kind": "dpag", "step": 3, "beta": 0.3}),
]


class Divergence(Case):
    def run_diverging(self, out, changes):
        self.write_small(changes, f"{out}.json")
        status, told, err = self.lagnet("run", f"{out}.json", "--out", out)
        self.assertEqual(status, 1, told + err)
        summary = json.loads((self.folder / out / "summary.json").read_text())
        self.assertEqual((summary["status"], summary["stop"]["reason"]), ("diverged", "diverged"))
        last = summary["stop"]["round"]
        self.assertRegex(told, rf"^run: diverged after {last} rounds, ")
        said = re.search(rf"diverged in round {last}: .*", err)
        self.assertIsNotNone(said, err)
        warning = {one["text"]: one for one in summary["warnings"]}[said[0]]
        self.assertEqual((warning["code"], warning["numbers"]["round"]), ("diverged", last))
        return last, summary, said[0]

    def check_folder(self, out, last, summary):
        """Every round up to the last has its row, tables add up, and the trace goes to the end."""
        rows = self.table(f"{out}/progress.csv")
        self.assertEqual([int(row["round"]) for row in rows], list(range(last + 1)))
        sent = [int(row["messages"]) for row in rows]
        self.assertEqual(sent, sorted(sent))
        agents, links = self.table(f"{out}/agents.csv"), self.table(f"{out}/links.csv")
        for table in (agents, links):
            self.assertEqual(sum(int(row["messages_sent"]) for row in table), summary["totals"]["messages_sent"])
        self.assertEqual(json.loads((self.folder / out / "scenario.json").read_text())["lagnet"], 1)
        events = [json.loads(line) for line in (self.folder / out / "trace.jsonl").read_text().splitlines()]
        self.assertEqual(len(events), summary["trace_events"])
        reported = [event for event in events if event["event"] == "reported" and event["round"] == last]
        self.assertGreater(len(reported), 0)
        self.assertEqual(self.lagnet("replay", out, "--quiet"), (0, "", ""))
        return rows

    def test_growing_beyond_the_factor_ends_the_run_with_its_round(self):
        for number, (base, algorithm) in enumerate(DIVERGING):
            with self.subTest(algorithm=algorithm):
                out = f"grows{number}"
                last, summary, said = self.run_diverging(out, {**base, "/algorithm": algorithm})
                rows = self.check_folder(out, last, summary)
                limit = FACTOR * float(rows[0]["objective"])
                self.assertLess(last, 100)
                # Only the last row is beyond.
                self.assertTrue(all(float(row["objective"]) <= limit for row in rows[:-1]))
                self.assertGreater(float(rows[-1]["objective"]), limit)
                self.assertRegex(said, r"is above [0-9.e+]+, stop\.divergence_factor times that of the start$")

    def test_numbers_that_are_no_longer_finite_end_the_run_with_its_round(self):
        for number, (base, algorithm) in enumerate(DIVERGING):
            with self.subTest(algorithm=algorithm):
                out = f"overflows{number}"
                last, summary, said = self.run_diverging(
                    out, {**base, "/algorithm": algorithm, "/stop/divergence_factor": None})
                rows = self.check_folder(out, last, summary)
                self.assertTrue(all(math.isfinite(float(row["objective"])) for row in rows[:-1]))
                self.assertFalse(math.isfinite(float(rows[-1]["objective"])))
                self.assertTrue(said.endswith(": objective, iterate or metric is not finite"), said)

    def test_nan_has_no_sign(self):
        self.write_small({**PEERS, "/algorithm": {"kind": "dgd", "step": 100}, "/stop/divergence_factor": None})
        _, told, _ = self.lagnet("run", "s.json", "--out", "r")
        self.assertIn("run: diverged after 55 rounds, simulated ", told)
        self.assertNotRegex(told, "nan|inf|objective")
        last = self.table("r/progress.csv")[-1]
        self.assertEqual((last["objective"], last["relative_error"]), ("nan", "nan"))

    def test_the_factor_is_the_scenarios_and_the_run_goes_on_below_it(self):
        base, algorithm = DIVERGING[0]
        changes = {**base, "/algorithm": algorithm}
        rounds = [self.run_diverging(f"r{power}", {**changes, "/stop/divergence_factor": 10.0**power})[0]
                  for power in (1, 3, 9)]
        self.assertEqual(rounds, sorted(set(rounds)))
        self.write_small({**changes, "/stop": {"rounds": rounds[1] - 1, "divergence_factor": 1000}})
        self.succeeds("run", "s.json", "--out", "below", "--quiet")

    def test_an_invalid_factor_is_refused(self):
        self.write("s.json", changed(json.loads(self.write_small().read_text()), {"/stop/divergence_factor": 1}))
        status, _, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual((status, err), (2, "s.json: /stop/divergence_factor: expected a number above 1, found 1\n"))
