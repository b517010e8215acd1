"""`lagnet diff`: the first event in which two runs part is named, and every other file that differs."""

import json

from support import Case

TRACED = {"/record/trace": True}
NOT_COMPARED = 'trace.jsonl: missing: only runs with "record": {"trace": true} have events to compare\n'


class Diff(Case):
    def differ(self, *arguments):
        """The lines that say how."""
        status, out, err = self.lagnet("diff", *arguments)
        self.assertEqual((status, err), (1, ""), out)
        return out.splitlines()

    def lines_of(self, folder):
        return (self.folder / folder / "trace.jsonl").read_text().splitlines()

    def test_equal_runs_are_the_same(self):
        self.run_small("a", TRACED)
        self.run_small("b", TRACED)
        count = len(self.lines_of("a"))
        for pair in (("a", "b"), ("a/trace.jsonl", "b/trace.jsonl"), ("a", "b/trace.jsonl"), ("a", "a")):
            self.assertEqual(self.succeeds("diff", *pair), f"the same: {count} events\n")
        self.assertEqual(self.succeeds("diff", "a", "b", "--quiet"), "")

    def test_the_first_differing_event_is_printed_with_earlier_ones_and_key_by_key(self):
        self.run_small("a", TRACED)
        lines = self.lines_of("a")
        at = next(k for k, line in enumerate(lines) if k > 20 and '"computed"' in line)
        event = json.loads(lines[at])
        changed = {**event, "flops": event["flops"] + 1, "duration_ns": 7, "cause": "loss"}
        compact = json.dumps(changed, separators=(",", ":"))
        self.write("b.jsonl", "\n".join(lines[:at] + [compact] + lines[at + 1 :]) + "\n")
        before = [f"  both {k + 1:>6}  {lines[k]}" for k in range(at - 5, at)]
        self.assertEqual(self.differ("a", "b.jsonl"),
                         [f"event {at + 1} is the first that differs", *before,
                          f"  A    {at + 1:>6}  {lines[at]}", f"  B    {at + 1:>6}  {compact}",
                          f"  flops is {event['flops']}, and {event['flops'] + 1} in B",
                          f"  duration_ns is {event['duration_ns']}, and 7 in B",
                          '  cause is missing, and "loss" in B'])

    def test_a_trace_that_ends_earlier_is_reported_with_the_others_next_event(self):
        self.run_small("a", TRACED)
        lines = self.lines_of("a")
        self.write("b.jsonl", "".join(line + "\n" for line in lines[:3]))
        before = [f"  both {k + 1:>6}  {lines[k]}" for k in range(3)]
        self.assertEqual(self.differ("a", "b.jsonl"),
                         [f"B ends after 3 events, and A has {len(lines) - 3} more", *before,
                          f"  A    {4:>6}  {lines[3]}"])
        self.assertEqual(self.differ("b.jsonl", "a")[0],
                         f"A ends after 3 events, and B has {len(lines) - 3} more")

    def test_folders_are_compared_event_by_event_and_then_file_by_file(self):
        self.run_small("a", TRACED)
        self.run_small("b", {**TRACED, "/network/latency_ms": 3})
        out = self.differ("a", "b")
        delivered = next(k for k, line in enumerate(self.lines_of("a")) if '"delivered"' in line)
        self.assertEqual(out[0], f"trace.jsonl: event {delivered + 1} is the first that differs")
        named = [line.split(":")[0] for line in out if not line.startswith(" ")]
        self.assertEqual(named, ["trace.jsonl", "scenario.json", "progress.csv", "agents.csv", "links.csv",
                                 "summary.json"])
        self.assertIn("links.csv:2: latency_s is `0.002`, and `0.003` in B", out)

    def test_equal_events_with_other_results_differ(self):
        folder = self.run_small("a", TRACED)
        self.run_small("b", TRACED)
        (folder / "agents.csv").unlink()
        progress = folder / "progress.csv"
        rows = progress.read_text().split("\n")
        cells = rows[2].split(",")
        objective, cells[2] = cells[2], "0.25"
        progress.write_text("\n".join(rows[:2] + [",".join(cells)] + rows[3:]))
        self.assertEqual(self.differ("a", "b"), [f"progress.csv:3: objective is `0.25`, and `{objective}` in B",
                                                 "agents.csv: only in B",
                                                 f"trace.jsonl: the same {len(self.lines_of('b'))} events"])

    def test_without_traces_the_other_files_are_compared_and_the_answer_says_so(self):
        self.run_small("a")
        self.run_small("b")
        self.assertEqual(self.succeeds("diff", "a", "b"), f"A/{NOT_COMPARED}B/{NOT_COMPARED}the same files\n")
        self.assertEqual(self.succeeds("diff", "a", "b", "--quiet"), "")
        self.run_small("c", {**TRACED, "/seed": 2})
        out = self.differ("a", "c")
        self.assertEqual(out[-1] + "\n", "A/" + NOT_COMPARED)
        self.assertTrue(any(line.startswith("progress.csv:2: objective is ") for line in out), out)

    def test_sweeps_are_compared_run_by_run(self):
        changes = {**TRACED, "/sweep": {"/seed": [1, 2]}}
        self.run_small("a", changes)
        self.run_small("b", changes)
        count = len(self.lines_of("a/000")) + len(self.lines_of("a/001"))
        self.assertEqual(self.succeeds("diff", "a", "b"), f"the same: {count} events\n")
        path = self.folder / "b/001/trace.jsonl"
        lines = self.lines_of("b/001")
        path.write_text("\n".join(lines[:-1]) + "\n")
        self.assertEqual(self.differ("a", "b")[0],
                         f"001/trace.jsonl: B ends after {len(lines) - 1} events, and A has 1 more")

    def test_the_answer_is_json_on_request(self):
        self.run_small("a", TRACED)
        lines = self.lines_of("a")
        self.assertEqual(json.loads(self.succeeds("diff", "a", "a", "--json")),
                         {"same": True, "traces": [{"name": "trace.jsonl", "same": True,
                                                    "events_in_common": len(lines),
                                                    "before": [], "a": None, "b": None, "differences": [],
                                                    "events_after_the_end_of_the_other": 0}],
                          "files": [], "missing_traces": []})
        self.write("b.jsonl", "".join(line + "\n" for line in lines[:2]))
        status, out, err = self.lagnet("diff", "a/trace.jsonl", "b.jsonl", "--json")
        self.assertEqual((status, err), (1, ""))
        self.assertEqual(json.loads(out)["traces"],
                         [{"name": "", "same": False, "events_in_common": 2,
                           "before": [json.loads(line) for line in lines[:2]], "a": json.loads(lines[2]), "b": None,
                           "differences": [], "events_after_the_end_of_the_other": len(lines) - 2}])

    def test_other_files_than_traces_and_run_folders_are_wrong_input(self):
        self.run_small("a", TRACED)
        (self.folder / "empty").mkdir()
        expected = "expected a trace (trace.jsonl) or the folder of a run, found "
        self.assertEqual(self.lagnet("diff", "a", "absent"), (2, "", f"absent: {expected}nothing\n"))
        self.assertEqual(self.lagnet("diff", "empty", "a"), (2, "", f"empty: {expected}something else\n"))
        head = (self.folder / "a/progress.csv").read_text()[:60]
        self.assertEqual(self.lagnet("diff", "a/progress.csv", "a"),
                         (2, "", "a/progress.csv:1: expected an event of a trace (trace.jsonl), "
                                 f"found `{head.splitlines()[0]}...`\n"))
        self.write("cut.jsonl", "\n".join(self.lines_of("a")[:3])[:-10])
        status, out, err = self.lagnet("diff", "a", "cut.jsonl")
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith("cut.jsonl:3: expected an event of a trace (trace.jsonl), found `{"), err)
        self.assertEqual(self.lagnet("diff", "a")[0], 2)
