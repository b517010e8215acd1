"""Runs with lost messages and agents that are down: the promises about their ends, accounts and iterates."""

import json

from support import ROOT, Case, changed

ITERATES = ["round", "objective", "relative_error", "objective_last", "relative_error_last"]

# Nine agents on a lattice: every fifth message lost, bursts on top of that, agents that come and go, a partition in
# the middle, copies, and messages that are overtaken.
FREE = {
    "lagnet": 1,
    "data": {"source": "libsvm", "path": str(ROOT / "scenarios/data/sets/housing_scale.libsvm"), "intercept": True},
    "topology": {"kind": "lattice", "agents": 9, "neighbors": 4},
    "network": {"latency_ms": 5},
    "algorithm": {"kind": "fd_primal_dual"},
    "stop": {"rounds": 400},
    "record": {"every": 50},
}
FAULTS = {
    "/network/jitter_ms": {"kind": "uniform", "low": 0, "high": 2},
    "/network/loss_probability": 0.2,
    "/network/burst_loss": {"enter": 0.02, "leave": 0.3},
    "/network/partitions": [{"from_s": 3, "until_s": 5, "groups": [[0, 1, 2]]}],
    "/network/duplicate_probability": 0.01,
    "/network/reordering": {"probability": 0.01, "delay_ms": 30},
    "/participation/availability": [{"kind": "on_off", "mean_up_s": 10, "mean_down_s": 1}],
}
EXCHANGES = 24 * 2 * 400  # messages without faults: 12 edges in both directions, two exchanges a round


class Failures(Case):
    def run_faulty(self, out, changes, *arguments):
        self.write(f"{out}.json", changed(FREE, {**FAULTS, **changes}))
        return self.lagnet("run", f"{out}.json", "--out", out, *arguments)

    def totals(self, out):
        return json.loads((self.folder / out / "summary.json").read_text())["totals"]

    def check_accounts(self, out):
        """Each message is in the accounts of agents, links and trace, and they agree."""
        agents, links, totals = self.table(f"{out}/agents.csv"), self.table(f"{out}/links.csv"), self.totals(out)
        events = [json.loads(line) for line in (self.folder / out / "trace.jsonl").read_text().splitlines()]
        count = {}
        for event in events:
            count[event["event"]] = count.get(event["event"], 0) + 1
        pairs = {"messages_sent": "sent", "messages_delivered": "delivered", "lost": "lost", "dropped": "dropped",
                 "late": "late", "superseded": "superseded", "duplicates": "duplicate", "stale": "stale"}
        for key, event in pairs.items():
            self.assertEqual(totals[key], sum(int(row[key]) for row in agents), key)
            self.assertEqual(totals[key], count.get(event, 0), key)
        for key in ("messages_sent", "messages_delivered", "lost", "retransmitted"):
            self.assertEqual(totals[key], sum(int(row[key]) for row in links), key)
        self.assertEqual(totals["messages_sent"],
                         totals["messages_delivered"] + totals["lost"] + totals["messages_in_flight"])
        # Every sent message has one fate, and the serial says which.
        sent = [event["message"] for event in events if event["event"] == "sent"]
        ended = [event["message"] for event in events if event["event"] in ("delivered", "lost")]
        self.assertEqual(len(set(sent)), len(sent))
        self.assertEqual(len(set(ended)), len(ended))
        self.assertLessEqual(set(ended), set(sent))
        causes = {event["cause"] for event in events if event["event"] == "lost"}
        self.assertEqual(causes, {"loss", "burst", "partition", "receiver_down"})
        return events

    def test_skipping_and_reusing_survive_all_faults_and_count_missing_messages(self):
        for kind in ("skip", "reuse_last"):
            status, out, err = self.run_faulty(
                kind, {"/participation/missing_neighbor": {"kind": kind, "deadline_ms": 40}, "/record/trace": True})
            self.assertEqual(status, 0, err)
            events = self.check_accounts(kind)
            totals = self.totals(kind)
            dropped = totals["dropped"]
            self.assertGreater(dropped, EXCHANGES / 10)  # every fifth message is lost, and more
            if kind == "reuse_last":
                self.assertEqual(sum(totals["staleness"].values()), totals["stale"])
                self.assertGreater(totals["stale"], EXCHANGES / 10)
            # What the lost messages did to the method is measured, and said in so many words.
            last = self.table(f"{kind}/progress.csv")[-1]
            self.assertEqual(int(last["round"]), 400)
            self.assertGreater(float(last["multiplier_drift"]), 1e-6)
            said = f"{dropped} messages of neighbors were missing"
            self.assertIn(said, out + err)
            self.assertIn(said, (self.folder / kind / "summary.json").read_text())
            self.assertEqual({event["cause"] for event in events if event["event"] == "dropped"},
                             {"deadline", "moved_on"})
            self.succeeds("replay", kind, "--quiet")

    def test_retransmission_repairs_everything_to_the_last_bit(self):
        self.write("free.json", FREE)
        self.succeeds("run", "free.json", "--out", "free", "--quiet")
        status, _, err = self.run_faulty("repaired", {"/network/retransmit": {"timeout_ms": 50}, "/record/trace": True})
        self.assertEqual(status, 0, err)
        self.check_accounts("repaired")
        free, repaired = self.table("free/progress.csv"), self.table("repaired/progress.csv")
        self.assertEqual(len(free), 9)
        self.assertEqual([[row[key] for key in ITERATES] for row in repaired],
                         [[row[key] for key in ITERATES] for row in free])
        totals = self.totals("repaired")
        # At the end some agents may still wait for the last answers, so not every loss has been repaired by then.
        self.assertGreater(totals["retransmitted"], 0.2 * EXCHANGES)
        self.assertEqual(totals["dropped"], 0)
        self.assertGreater(float(repaired[-1]["bytes"]), 1.2 * float(free[-1]["bytes"]))  # what is sent again is billed
        self.assertLess(float(repaired[-1]["multiplier_drift"]), 1e-12)  # rounding alone

    def test_waiting_for_lost_messages_is_a_deadlock_with_reasons_and_complete_files(self):
        status, out, err = self.run_faulty("stuck", {"/record/trace": True})
        self.assertEqual(status, 1)
        self.assertIn("deadlock", out + err)
        self.assertRegex(out + err, r"agent \d waits for exchange \d+ with agents \d")
        self.assertRegex(err, r"; \d+ messages? w\w+ lost: network.retransmit sends them again, "
                              r"participation.missing_neighbor goes on without them\n$")
        summary = json.loads((self.folder / "stuck/summary.json").read_text())
        self.assertEqual((summary["status"], summary["stop"]["reason"]), ("deadlock", "deadlock"))
        lost = [json.loads(line) for line in (self.folder / "stuck/trace.jsonl").read_text().splitlines()
                if '"lost"' in line]
        self.assertEqual(len(lost), summary["totals"]["lost"])
        self.assertGreater(len(lost), 0)
        self.succeeds("replay", "stuck", "--quiet")

    def test_the_line_of_a_run_that_ends_within_a_round_has_the_totals_of_its_summary(self):
        for out, changes, expected in (("lost", {"/network/loss_probability": 0.05}, 1),
                                       ("bytes", {"/stop": {"bytes": 100000}}, 0)):
            self.write(f"{out}.json", changed(FREE, {"/record/every": 100, **changes}))
            status, told, err = self.lagnet("run", f"{out}.json", "--out", out)
            self.assertEqual(status, expected, err)
            totals, last = self.totals(out), self.table(f"{out}/progress.csv")[-1]
            self.assertGreater(totals["messages_sent"], int(last["messages"]))
            self.assertIn(f", {totals['messages_sent']} messages, {totals['bytes_sent']} bytes, "
                          f"{totals['flops']} flops, ", told)
            ended = json.loads((self.folder / out / "summary.json").read_text())["stop"]
            self.assertIn(f"ended by {ended['reason']} after {ended['round']} rounds, "
                          f"simulated {ended['simulated_s']:.6g} s: ", told)
