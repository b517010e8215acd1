"""The tables of a run folder: whole, numeric, and with the counts that the algorithm's sheet of costs gives."""

import json

from support import Case

TEXT = {"stop", "trace_hash", "point", "folder", "topology"}
# Bound (16) holds from a round on that these runs do not come to; with rounds no update is stale; without sites nothing
# has a price.
MAY_BE_EMPTY = {"excess_bound", "staleness_mean", "staleness_max", "price", "joules", "grams"}


class Tables(Case):
    def check_numbers(self, rows, may_be_empty=()):
        for row in rows:
            for key, cell in row.items():
                if key not in TEXT and not (cell == "" and (key in may_be_empty or key in MAY_BE_EMPTY)):
                    float(cell)  # raises ValueError for anything that pandas would keep as text

    def test_counts_are_those_of_the_method(self):
        # 20 samples, 7 columns on 5 agents in a star: blocks of 2, 2, 1, 1, 1 columns and degrees 4, 1, 1, 1, 1.
        n, columns, degrees, header, scalar = 20, [2, 2, 1, 1, 1], [4, 1, 1, 1, 1], 24, 4
        self.run_small("r", {"/topology/kind": "star", "/network/bytes_per_scalar": scalar,
                             "/network/header_bytes": header})
        flops = [n * (4 * d + 2 * degree + 7) + 5 * d for d, degree in zip(columns, degrees)]
        rows = self.table("r/progress.csv")
        self.check_numbers(rows)
        self.assertEqual([int(row["round"]) for row in rows], [0, 4, 8, 12])
        for row in rows:
            t = int(row["round"])
            # Two exchanges a round over 4 edges in both directions. Agents with few columns are ahead of the
            # last one, by less than a round, until the run ends.
            ahead = 0 if row is rows[-1] else 1
            for key, a_round in {"messages": 4 * 4, "flops": sum(flops), "flops_per_agent_max": max(flops),
                                 "round_trips": 1}.items():
                self.assertGreaterEqual(float(row[key]), t * a_round)
                self.assertLessEqual(float(row[key]), (t + ahead) * a_round)
            self.assertEqual(int(row["bytes"]), int(row["messages"]) * (scalar * n + header))
            self.assertEqual((int(row["late"]), int(row["superseded"]), int(row["participants"])), (0, 0, 5))
            # Figure 2's axis: d/m = 7/5 columns and the largest degree, against n (4 d + 1) + 5 d of one agent.
            per_round = n * (4 * 7 / 5 + 2 * 4 + 7) + 5 * 7 / 5
            # 1e-14: one product and one quotient of doubles.
            self.assertAlmostEqual(float(row["single_agent_iterations"]), t * per_round / (n * (4 * 7 + 1) + 5 * 7),
                                   delta=1e-14 * max(1, t))

        agents = self.table("r/agents.csv")
        self.check_numbers(agents, ["up_utilization", "down_utilization"])  # nothing limits the interfaces
        self.assertEqual([int(row["features"]) for row in agents], columns)
        self.assertEqual({int(row["samples"]) for row in agents}, {n})  # of all samples each has its columns
        self.assertEqual([int(row["degree"]) for row in agents], degrees)
        self.assertEqual([int(row["flops"]) for row in agents], [12 * count for count in flops])
        self.assertEqual([int(row["messages_sent"]) for row in agents], [24 * degree for degree in degrees])

        links = self.table("r/links.csv")
        self.check_numbers(links)
        self.assertEqual([(int(row["from"]), int(row["to"])) for row in links],
                         [(0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (2, 0), (3, 0), (4, 0)])
        for row in links:
            self.assertEqual((int(row["messages_sent"]), int(row["messages_delivered"])), (24, 24))
            self.assertEqual(int(row["bytes_sent"]), 24 * (scalar * n + header))
            self.assertEqual(float(row["latency_s"]), 0.002)

    def test_agents_links_progress_and_summary_add_up(self):
        self.run_small("r", {"/topology": {"kind": "erdos_renyi", "agents": 6, "probability": 0.5},
                             "/stop": {"simulated_s": 0.031}})
        agents, links, last = self.table("r/agents.csv"), self.table("r/links.csv"), self.table("r/progress.csv")[-1]
        summary = json.loads((self.folder / "r/summary.json").read_text())
        totals, stop = summary["totals"], summary["stop"]

        def added(rows, key):
            return sum(int(row[key]) for row in rows)

        self.assertEqual(added(agents, "messages_sent"), totals["messages_sent"])
        self.assertEqual(added(links, "messages_sent"), totals["messages_sent"])
        self.assertEqual(added(agents, "bytes_sent"), totals["bytes_sent"])
        self.assertEqual(added(links, "bytes_delivered"), totals["bytes_delivered"])
        self.assertEqual(added(agents, "flops"), totals["flops"])
        self.assertEqual(totals["messages_sent"],
                         totals["messages_delivered"] + totals["lost"] + totals["messages_in_flight"])
        # An end by time falls into a round: what was sent after the last complete one is in no row.
        self.assertLess(int(last["messages"]), totals["messages_sent"])
        self.assertGreater(totals["messages_in_flight"], 0)
        # So the end is later than the last complete round, and no agent's time is counted beyond it.
        self.assertEqual((stop["reason"], stop["ended_s"]), ("simulated_s", 0.031))
        self.assertEqual(stop["simulated_s"], float(last["simulated_s"]))
        self.assertLess(stop["simulated_s"], stop["ended_s"])
        for row in agents:
            spent = sum(float(row[key]) for key in ("computing_s", "encrypting_s", "idle_s", "sleeping_s", "away_s"))
            self.assertLessEqual(spent, stop["ended_s"] + 1e-12)

    def test_one_agent_sends_nothing_and_does_the_work_of_one(self):
        self.run_small("r", {"/topology/kind": "path", "/topology/agents": 1})
        last = self.table("r/progress.csv")[-1]
        self.assertEqual((int(last["messages"]), int(last["bytes"]), float(last["round_trips"])), (0, 0, 0))
        self.assertEqual(int(last["flops"]), 12 * (20 * (4 * 7 + 1) + 5 * 7))
        self.assertEqual(float(last["single_agent_iterations"]), 12)
        self.assertEqual(self.table("r/links.csv"), [])

    def test_a_sweep_has_a_row_for_each_run_with_its_last_row_of_progress(self):
        self.run_small("r", {"/sweep": {"/topology/kind": ["ring", "star"], "/topology/agents": [3, 4]}})
        rows = self.table("r/sweep.csv")
        self.check_numbers(rows, [key for key in rows[0] if key.startswith("to_")])
        self.assertEqual([(row["point"], row["folder"], row["topology"], row["agents"]) for row in rows],
                         [("000", "./000", "ring", "3"), ("001", "./001", "ring", "4"), ("002", "./002", "star", "3"),
                          ("003", "./003", "star", "4")])
        for row in rows:
            progress = self.table(f"r/{row['folder']}/progress.csv")
            for k in range(1, 7):
                there = [line["simulated_s"] for line in progress if float(line["relative_error"]) <= 10 ** -k]
                self.assertEqual(row.get(f"to_1e-{k}_s", ""), there[0] if there else "")
            last = self.table(f"r/{row['point']}/progress.csv")[-1]
            self.assertEqual({key: row[key] for key in last}, last)
            summary = json.loads((self.folder / "r" / row["point"] / "summary.json").read_text())
            self.assertEqual((row["stop"], row["trace_hash"]), (summary["stop"]["reason"], summary["trace_hash"]))

    def test_without_an_optimum_the_column_is_empty_and_the_summary_says_why(self):
        self.run_small("r", {"/record/optimum": False, "/algorithm/sigma": 1, "/algorithm/tau": 1})
        rows = self.table("r/progress.csv")
        self.check_numbers(rows, ["relative_error", "relative_error_last"])
        self.assertEqual({row["relative_error"] for row in rows}, {""})
        self.assertEqual(json.loads((self.folder / "r/summary.json").read_text())["optimum"],
                         {"value": None, "why": "not asked for: record.optimum is false"})
