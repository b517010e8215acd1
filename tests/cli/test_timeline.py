"""`record.timeline`: the timeline of a real run agrees with its trace, in the format of the viewers."""

import json
from collections import Counter
from decimal import Decimal

from support import Case

SLICES = {"computed": "compute", "encrypted": "encrypt", "waited": "wait", "slept": "sleep", "away": "away"}
MESSAGES = ("sent", "delivered", "lost")
RECORDED = {"/record/trace": True, "/record/timeline": True}


class Timeline(Case):
    def recorded(self, changes):
        """The events of the timeline and those of the trace, times as whole nanoseconds."""
        folder = self.run_small("r", {**RECORDED, **changes})
        document = json.loads((folder / "timeline.json").read_text(), parse_float=Decimal)
        self.assertEqual(document["displayTimeUnit"], "ns")
        for event in document["traceEvents"]:
            for key in ("ts", "dur"):
                if key in event:
                    ns = Decimal(event[key]) * 1000
                    self.assertEqual(ns, int(ns))
                    event[key] = int(ns)
        trace = [json.loads(line) for line in (folder / "trace.jsonl").read_text().splitlines()]
        return document["traceEvents"], trace

    def check(self, events, trace, agents):
        rows = {event["tid"]: event["args"]["name"] for event in events
                if event["name"] == "thread_name" and event["pid"] == 1}
        self.assertEqual(rows, {agent + 1: f"agent {agent}" for agent in range(agents)})

        # What agents do: the trace has a wait at its end, all else at its start.
        drawn = sorted((event["tid"] - 1, event["name"], event["ts"], event["dur"]) for event in events
                       if event["ph"] == "X" and event["name"] in SLICES.values())
        done = sorted((event["agent"], SLICES[event["event"]],
                       event["time_ns"] - (event["duration_ns"] if event["event"] == "waited" else 0),
                       event.get("duration_ns", 0)) for event in trace
                      if event["event"] in SLICES and ("duration_ns" in event or event["event"] != "waited"))
        # The trace has no wait that the end of the run has cut off: at most one of each agent.
        cut_off = list((Counter(drawn) - Counter(done)).elements())
        self.assertEqual(sorted(done + cut_off), drawn)
        ends = {(name, start + length) for _, name, start, length in cut_off}
        self.assertLessEqual(len(ends), 1)
        for name, end in ends:
            self.assertEqual(name, "wait")
            self.assertGreaterEqual(end, trace[-1]["time_ns"])
        self.assertEqual(len({agent for agent, *_ in cut_off}), len(cut_off))
        self.assertGreater(len(drawn), 0)

        # Every agent's slices follow each other or lie in each other.
        for row in rows:
            open_until = []
            for start, end in sorted(((event["ts"], event["ts"] + event["dur"]) for event in events
                                      if event["ph"] == "X" and event["pid"] == 1 and event["tid"] == row),
                                     key=lambda slice: (slice[0], -slice[1])):
                while open_until and open_until[-1] <= start:
                    open_until.pop()
                self.assertTrue(not open_until or end <= open_until[-1], (row, start, end))
                open_until.append(end)

        instants = sorted((event["tid"] - 1, event["name"], event["ts"]) for event in events if event["ph"] == "i")
        self.assertEqual(instants, sorted((event["agent"], event["event"], event["time_ns"]) for event in trace
                                          if event["event"] not in SLICES and event["event"] not in MESSAGES))

        # Sends and receives: one slice for all of an agent's at one instant, or more.
        for name, kind in (("send", "sent"), ("receive", "delivered")):
            self.assertEqual({(event["tid"] - 1, event["ts"]) for event in events if event["name"] == name},
                             {(event["agent"], event["time_ns"]) for event in trace if event["event"] == kind})
        self.check_messages(events, [event for event in trace if "message" in event])

    def check_messages(self, events, trace):
        def places(phase, row):
            found = [(event["id"], event["ts"], *row(event)) for event in events if event["ph"] == phase]
            self.assertEqual(len(found), len({place[0] for place in found}), phase)
            return set(found)

        def of_trace(*kinds):
            return {(event["message"], event["time_ns"], event["agent"]) for event in trace if event["event"] in kinds}

        ended = {event["message"] for event in trace if event["event"] != "sent"}
        self.assertEqual(places("s", lambda event: [event["tid"] - 1]), of_trace("sent"))
        self.assertEqual(places("f", lambda event: [event["tid"] - 1]), of_trace("delivered"))
        begins, ends = places("b", lambda event: [event["name"]]), places("e", lambda event: [event["name"]])
        self.assertEqual(begins, {(event["message"], event["time_ns"],
                                   f"{event['agent']} → {event['peer']}, round {event['round']}")
                                  for event in trace if event["event"] == "sent"})
        self.assertEqual({(serial, name) for serial, _, name in ends}, {(serial, name) for serial, _, name in begins})
        self.assertEqual({(serial, ns) for serial, ns, _ in ends if serial in ended},
                         {(event["message"], event["time_ns"]) for event in trace if event["event"] != "sent"})

    def test_the_timeline_agrees_with_the_trace(self):
        events, trace = self.recorded({})
        self.check(events, trace, 5)

    def test_a_run_that_is_stopped_with_messages_on_their_way_is_drawn_whole(self):
        changes = {"/topology": {"kind": "erdos_renyi", "agents": 6, "probability": 0.5},
                   "/network/latency_ms": {"kind": "uniform", "low": 1, "high": 9}, "/stop": {"simulated_s": 0.0314159}}
        events, trace = self.recorded(changes)
        count = {kind: sum(event["event"] == kind for event in trace) for kind in MESSAGES}
        self.assertGreater(count["sent"], count["delivered"] + count["lost"])
        self.check(events, trace, 6)

    def test_losses_retransmissions_and_copies_are_drawn_as_the_trace_has_them(self):
        changes = {"/network": {"latency_ms": 2, "bandwidth_bytes_per_s": 1e5, "sharing": "fifo",
                                "loss_probability": 0.2, "retransmit": {"timeout_ms": 5},
                                "duplicate_probability": 0.2}}
        events, trace = self.recorded(changes)
        causes = {event["cause"] for event in trace if "cause" in event}
        self.assertLessEqual({"loss", "retransmission", "duplication"}, causes)
        self.check(events, trace, 5)
        lost = {event["message"]: event["cause"] for event in trace if event["event"] == "lost"}
        self.assertEqual({event["id"]: event["args"]["lost"] for event in events
                          if event["ph"] == "e" and "lost" in event["args"]}, lost)
        queued = {event["message"]: event.get("queued_ns", 0) for event in trace
                  if event["event"] in ("delivered", "lost")}
        self.assertGreater(max(queued.values()), 0)
        self.assertEqual({event["id"]: event["args"]["queued_us"] * 1000 for event in events
                          if event["ph"] == "e" and "queued_us" in event["args"]}, queued)

    def test_every_event_has_a_line_of_its_own_and_the_keys_that_viewers_need(self):
        folder = self.run_small("r", RECORDED)
        first, *lines, last = (folder / "timeline.json").read_text().splitlines()
        self.assertEqual((first, last), ('{"displayTimeUnit":"ns","traceEvents":[', "]}"))
        needed = {"M": {"args"}, "X": {"cat", "ts", "dur"}, "i": {"cat", "ts", "s"}, "b": {"cat", "ts", "id"},
                  "e": {"cat", "ts", "id"}, "s": {"cat", "ts", "id"}, "f": {"cat", "ts", "id", "bp"}}
        for line in lines:
            event = json.loads(line.rstrip(","))
            self.assertLessEqual({"ph", "name", "pid", "tid"} | needed[event["ph"]], event.keys(), line)
            self.assertGreater(min(event["pid"], event["tid"]), 0)

    def test_it_is_written_when_asked_for_alone_and_does_not_change_the_run(self):
        with_it, without = self.run_small("with", {"/record/timeline": True}), self.run_small("without")
        self.assertTrue((with_it / "timeline.json").is_file())
        self.assertFalse((without / "timeline.json").exists())
        self.assertEqual((with_it / "progress.csv").read_bytes(), (without / "progress.csv").read_bytes())
        hashes = [json.loads((folder / "summary.json").read_text())["trace_hash"] for folder in (with_it, without)]
        self.assertEqual(hashes[0], hashes[1])

    def test_replay_holds_it_to_the_run_and_a_later_run_replaces_it(self):
        folder = self.run_small("r", {"/record/timeline": True})
        path = folder / "timeline.json"
        whole = path.read_text()
        path.write_text(whole.replace('"dur":0,', '"dur":1,', 1))
        status, out, _ = self.lagnet("replay", "r")
        self.assertEqual(status, 1)
        self.assertRegex(out, "^r: timeline.json:[0-9]+: is ")
        self.write_small()
        self.succeeds("run", "s.json", "--out", "r", "--quiet", "--replace")
        self.assertFalse(path.exists())

    def test_files_that_would_be_too_long_end_at_their_budget_and_the_run_goes_on(self):
        self.write_small({**RECORDED, "/record/every": 1, "/record/file_budget_mb": 0.02})
        status, out, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual(status, 0)
        self.assertIn("ended by rounds after 12 rounds", out)
        for name in ("trace.jsonl", "timeline.json"):
            self.assertRegex(err, fr"run: warning: {name} would take about [0-9.]+ MB; it ends at 0.02 MB, near round "
                                  r"\d+ of 12")
            self.assertRegex(err, fr"run: warning: {name} ends at [0-9.]+ s of simulated time")
            size = (self.folder / "r" / name).stat().st_size
            self.assertTrue(20000 <= size < 30000, size)
        json.loads((self.folder / "r/timeline.json").read_text())
        self.assertEqual(self.succeeds("replay", "r", "--quiet"), "")
        whole = json.loads((self.run_small("whole", {**RECORDED, "/record/every": 1}) / "summary.json").read_text())
        self.assertEqual(json.loads((self.folder / "r/summary.json").read_text())["trace_hash"], whole["trace_hash"])

    def test_an_invalid_window_is_refused(self):
        for window in ([1], [2, 1], [-1, 1], [1, 1, 2]):
            self.write_small({"/record/timeline_window_s": window})
            status, _, err = self.lagnet("run", "s.json", "--out", "r")
            self.assertEqual(status, 2)
            self.assertIn("/record/timeline_window_s: expected none, or two times of which the first is the ear", err)
