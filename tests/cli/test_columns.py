"""`lagnet describe COLUMN` and `lagnet list columns`: every table that is written has all of its columns there."""

import copy
import csv
import fnmatch
import io
import json
import re
import sqlite3

from support import ROOT, Case

PEERS = {"/problem/regularizer": {"kind": "l2", "weight": 0.1}, "/data/test_samples": 8, "/record/every": 3}
CLASSES = {"/data": {"source": "gaussian_classification", "samples": 40, "features": 4, "test_samples": 8},
           "/problem/loss": {"kind": "logistic"}, "/problem/regularizer": {"kind": "l2", "weight": 0.1}}
STAR = {"/topology": {"kind": "star", "agents": 5}}
RUNS = {
    "plain": {},
    "metrics": {**PEERS, "/algorithm": {"kind": "extra"},
                "/record/metrics": ["l1_error", "l2_error", "support_f1", "non_zeros", "train_loss", "test_loss",
                                    "mean_squared_residual", "test_mean_squared_residual", "optimum_gap",
                                    "distance_to_optimum", "local_train_ratio", "local_test_ratio"]},
    "classes": {**CLASSES, "/algorithm": {"kind": "nids"}, "/record/metrics": [
        "accuracy", "test_accuracy", "local_loss", "local_accuracy"]},
    "coupled": {"/data": {"source": "quadratics", "path": "costs.csv", "coupling_path": "coupling.csv"},
                "/problem/regularizer": {"kind": "none"}, "/algorithm": {"kind": "dgd"}, "/record/metrics": [
                    "coupling_residual", "primal_objective", {"kind": "primal_variables", "variables": [1, 2]}]},
    "faults": {**PEERS, "/algorithm": {"kind": "dgd"}, "/network/loss_probability": 0.2,
               "/participation": {"missing_neighbor": {"kind": "reuse_last", "deadline_ms": 30}},
               "/record/trace": True, "/record/timeline": True},
    "waits": {"/record/critical_path": True},
    "cell": {"/network/media": [{"name": "cell", "bandwidth_bytes_per_s": 1e6}]},
    "missed": {"/network/loss_probability": 0.2, "/record/trace": True,
               "/participation": {"missing_neighbor": {"kind": "reuse_last", "deadline_ms": 30}}},
    "learned": {"/algorithm/constants": "learned"},
    "asynchrony": {**PEERS, **STAR, "/algorithm": {"kind": "fed_async", "client_step": 0.1}, "/stop": {"updates": 40},
                   "/record": {"every_updates": 8, "trace": True, "timeline": True}},
    "gossip": {**PEERS, "/algorithm": {"kind": "pairwise_gossip"}, "/problem/regularizer": {"kind": "none"},
               "/stop": {"updates": 40}, "/record": {"every_updates": 8}},
    "compression": {**PEERS, "/algorithm": {"kind": "choco_sgd", "step": 0.1, "gamma": 0.3, "compressor":
                                            {"kind": "top_k", "k": 2}}},
    "averages": {"/problem/regularizer": {"kind": "none"}, "/algorithm": {"kind": "choco_gossip", "gamma": 0.3}},
    "directed": {"/problem/regularizer": {"kind": "none"}, "/algorithm": {"kind": "push_sum"},
                 "/topology": {"kind": "directed_ring", "agents": 5}},
    "dual": {**CLASSES, **STAR, "/algorithm": {"kind": "cocoa", "local_steps": 3}},
    "searches": {**CLASSES, **STAR, "/algorithm": {"kind": "giant", "line_search": True}},
    "attacks": {**CLASSES, **STAR, "/algorithm": {"kind": "fed_avg", "client_step": 0.1},
                "/attackers": [{"kind": "sign_flip", "agents": [1]}]},
    "ciphers": {**CLASSES, **STAR, "/algorithm": {"kind": "hyfdca", "local_steps": 3},
                "/partition": {"kind": "blocks", "feature_groups": 2},
                "/compute/encryption": {"encrypt_ms": 1, "decrypt_ms": 1, "add_ms": 0.1}},
}


class Columns(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        maker = cls()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        listed = json.loads(maker.succeeds("list", "columns", "--json"))
        cls.columns, cls.tables = listed["columns"], {table["kind"]: table for table in listed["tables"]}

    def runTest(self):
        """For the class's own maker."""

    def known(self, table):
        names = list(self.tables[table]["columns"])
        return names + (self.known(self.tables[table]["with"]) if self.tables[table]["with"] else [])

    def check(self, table, header, others=()):
        known = self.known(table)
        for name in header:
            self.assertTrue(name in others or any(fnmatch.fnmatchcase(name, one) for one in known), (table, name))

    def header(self, path):
        with open(self.folder / path, newline="", encoding="utf-8") as file:
            return next(csv.reader(file))

    def check_folder(self, folder):
        """Every table in the folder of a run."""
        seen = set()
        for path in (self.folder / folder).iterdir():
            if path.suffix == ".csv":
                self.check(path.name, self.header(path))
                seen.add(path.name)
            elif path.name == "trace.jsonl":
                self.check(path.name, {key for line in path.read_text().splitlines() for key in json.loads(line)})
            elif path.name == "timeline.json":
                self.check(path.name, {key for one in json.loads(path.read_text())["traceEvents"] for key in one})
        return seen

    def test_every_file_of_a_run_has_its_columns_in_the_dictionary(self):
        seen = set()
        self.write("costs.csv", "".join(f"{k},{k}\n" for k in range(1, 6)))
        self.write("coupling.csv", "1,1,1,1,1,4\n")
        for name, changes in RUNS.items():
            with self.subTest(name):
                self.run_small(name, changes)
                seen |= self.check_folder(name)
        self.assertEqual(seen, {"progress.csv", "agents.csv", "links.csv", "model.csv", "staleness.csv",
                                "critical_path.csv", "resources.csv"})
        progress = {column for name in RUNS for column in self.header(f"{name}/progress.csv")}
        own = set(self.tables["progress.csv"]["columns"])
        # Every entry is a column of one of these runs, but for those of matrices and of single methods.
        families = {"local_loss_*", "local_accuracy_*", "primal_variables_*"}
        of_methods = {"squared_gradient", "reconstruction_error_duals", "reconstruction_error_products"}
        self.assertEqual(own - progress, {"frobenius_error", "operator_error", "rank"} | families | of_methods)

    def test_nodes_with_names_and_matrices(self):
        self.write("graph.csv", "from,to\na,b\nb,c\nc,a\n")
        self.run_small("named", {**PEERS, "/algorithm": {"kind": "dgd"},
                                 "/topology": {"kind": "edge_list", "path": "graph.csv"}})
        self.check_folder("named")
        self.assertIn("node", self.header("named/agents.csv"))
        self.run_small("matrix", {
            "/data": {"source": "low_rank_regression", "clients": 4, "samples_per_client": 10, "rows": 3, "columns": 3,
                      "rank": 1},
            "/problem/regularizer": {"kind": "none"}, **STAR,
            "/algorithm": {"kind": "fed_avg", "client_step": 0.01, "local_steps": 2},
            "/record/metrics": ["frobenius_error", "operator_error", "rank"]})
        self.check_folder("matrix")

    def test_sweeps_tunings_predictions_comparisons_and_exports(self):
        sweep = {**CLASSES, "/algorithm": {"kind": "extra", "step": 0.1}, "/stop/rounds": 40,
                 "/record/critical_path": True,
                 "/sweep": {"/algorithm/step": [0.1, 0.5], "/network/latency_ms": [1, 5], "/seed": [1, 2]}}
        self.run_small("sweep", sweep)
        self.check("sweep.csv", self.header("sweep/sweep.csv"), {"step", "latency_ms", "seed"})
        for table in ("verdict", "series", "curves", "accuracy", "paired", "pareto", "crossings", "waits",
                      "runs"):
            text = self.succeeds("compare", "sweep", "--table", table, "--format", "csv", "--to", "1e-1")
            self.check(f"compare --table {table}", next(csv.reader(io.StringIO(text))),
                       {"step", "latency_ms", "seed"} if table == "runs" else ())
        by = ("compare", "sweep", "--by", "network.latency_ms", "--to", "1e-1", "--format", "csv")
        self.check("compare --by", next(csv.reader(io.StringIO(self.succeeds(*by)))), {"latency_ms"})
        swaps = self.succeeds(*by, "--table", "swaps")
        self.check("compare --table swaps", next(csv.reader(io.StringIO(swaps))), {"latency_ms"})

        tune = {**CLASSES, "/record/metrics": ["test_accuracy"], "/algorithm": {"kind": "extra", "step": 0.1},
                "/tune": {"candidates": 3, "ranges": {"/algorithm/step": {"low": 0.1, "high": 1}}}}
        for name, choice in (("first", {}), ("gray", {"/tune/choose": "gray"}), ("bytes", {"/tune/cost": "bytes"}),
                             ("rounds", {"/tune/cost": "round"})):
            self.write_small(copy.deepcopy({**tune, **choice}), f"{name}.json")
            self.succeeds("tune", f"{name}.json", "--out", name, "--quiet")
            self.check("candidates.csv", self.header(f"{name}/candidates.csv"))

        self.write("samples.csv", "a,b,y\n" + "".join(f"{i % 3},{i % 5},{1 - 2 * (i % 2)}\n" for i in range(20)))
        self.run_small("own", {**CLASSES, "/data": {"source": "csv", "path": "samples.csv"}, "/record/every": 1,
                               "/algorithm": {"kind": "nids"}, "/topology/agents": 3})
        self.succeeds("predict", "own", "samples.csv", "-o", "said.csv")
        self.check("predict --out", self.header("said.csv"))

        self.succeeds("export", "sweep", "--sqlite", "runs.db", "--quiet")
        database = sqlite3.connect(self.folder / "runs.db")
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            header = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            self.check(f"export: {table}", header, {"step", "latency_ms"} if table == "points" else ())
        database.close()

    def test_formulas_of_accounts_hold_on_the_trace(self):
        folder = self.run_small("r", {**RUNS["faults"], "/network/up_bytes_per_s": 2e5, "/network/latency_ms": 4,
                                      "/network/bandwidth_bytes_per_s": 1e5, "/network/duplicate_probability": 0.1,
                                      "/stop/rounds": 40})
        events = [json.loads(line) for line in (folder / "trace.jsonl").read_text().splitlines()]
        ends = json.loads((folder / "summary.json").read_text())["stop"]["ended_s"]
        links = self.table("r/links.csv")

        def total(key, where):
            return sum(one.get(key, 0) for one in events if where(one))

        def count(kind, **ends_at):
            return sum(one["event"] == kind and all(one[key] == end for key, end in ends_at.items()) for one in events)

        agents = self.table("r/agents.csv")
        for row in agents:
            agent = int(row["agent"])
            came = lambda one, agent=agent: one["event"] == "delivered" and one["agent"] == agent  # noqa: E731
            for column, kind in (("messages_sent", "sent"), ("messages_delivered", "delivered"), ("lost", "lost"),
                                 ("late", "late"), ("superseded", "superseded"), ("duplicates", "duplicate"),
                                 ("dropped", "dropped"), ("stale", "stale")):
                self.assertEqual(int(row[column]), count(kind, agent=agent), column)
            self.assertEqual(int(row["bytes_delivered"]), total("bytes", came))
            went = lambda one, agent=agent: one["event"] == "delivered" and one["peer"] == agent  # noqa: E731
            queued, taken = total("queued_ns", came), total("duration_ns", came)
            # Integers of nanoseconds as doubles of seconds: one rounding each. Without a limit for what an agent
            # receives, all queues are those of senders.
            self.assertAlmostEqual(float(row["queueing_s"]), total("queued_ns", went) / 1e9, delta=1e-12)
            self.assertAlmostEqual(float(row["transfer_s"]), (taken - queued) / 1e9, delta=1e-12)
            carried = sum(int(link["bytes_delivered"]) + int(link["bytes_lost"]) for link in links
                          if int(link["from"]) == agent)
            self.assertAlmostEqual(float(row["up_utilization"]), carried / 2e5 / ends, delta=1e-12)
            busy = float(row["computing_s"]) + float(row["encrypting_s"])
            self.assertAlmostEqual(float(row["compute_utilization"]), busy / ends, delta=1e-12)
        for column in ("lost", "late", "duplicates", "dropped", "queueing_s"):
            self.assertGreater(sum(float(row[column]) for row in agents), 0, f"{column} is not tried")
        for link in links:
            ends_of = {"agent": int(link["from"]), "peer": int(link["to"])}
            self.assertEqual(int(link["messages_sent"]), count("sent", **ends_of))
            self.assertEqual(int(link["lost"]), count("lost", **ends_of))
            carried = int(link["bytes_delivered"]) + int(link["bytes_lost"])
            self.assertAlmostEqual(float(link["utilization"]), carried / 1e5 / ends, delta=1e-12)
        last = self.table("r/progress.csv")[-1]
        self.assertAlmostEqual(float(last["relative_error"]), self.relative_error(folder, float(last["objective"])),
                               delta=1e-12)

    @staticmethod
    def relative_error(folder, objective):
        summary = json.loads((folder / "summary.json").read_text())
        start, least = summary["objective_start"], summary["optimum"]["value"]
        return max((objective - least) / (start - least), summary["optimum"]["smallest_error"])

    def test_every_entry_is_described_and_its_page_is_there(self):
        self.assertEqual(self.succeeds("list", "columns").count("\n"), len(self.columns) + 1)
        for column in self.columns:
            self.assertTrue(column["unit"] and column["formula"] and column["summary"].endswith("."), column)
            path, _, section = column["page"].partition("#")
            text = (ROOT / path).read_text(encoding="utf-8")
            slugs = [re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
                     for line in text.splitlines() if line.startswith("#")]
            self.assertTrue(not section or section in slugs, column["page"])

    def test_a_column_is_described_by_its_name_and_misspelt_ones_are_suggested(self):
        self.assertEqual(self.succeeds("describe", "queueing_s"),
                         "queueing_s (progress.csv, agents.csv, links.csv): Time that messages wait for others: the "
                         "sender's in its up-link and its links, the receiver's in its down-link.\n"
                         "  unit\n      s\n  formula\n      sum over delivered messages of (time on the way) - (time "
                         "on the way if no other had been there)\n  page\n      docs/explanations/costs.md\n"
                         "queueing_s (resources.csv): Time that messages waited there; waits at several resources "
                         "overlap. Empty unless sharing is fifo.\n  unit\n      s\n  formula\n      sum over messages "
                         "of (when it began) - (when the first bit came)\n  page\n      docs/reference/results.md\n")
        both = self.succeeds("describe", "consensus_error", "star")
        self.assertEqual(both, self.succeeds("describe", "consensus_error") + "\n" + self.succeeds("describe", "star"))
        self.assertIn("sqrt((1/m) sum_i |theta_i - mean|^2)", both)
        self.assertIn("to_*_rounds (candidates.csv): ", self.succeeds("describe", "to_1e-3_rounds"))
        accuracy = self.succeeds("describe", "accuracy")
        for said in ("accuracy (metrics): ", "accuracy: key of consensus_admm", "accuracy (progress.csv): "):
            self.assertIn(said, accuracy)
        status, out, err = self.lagnet("describe", "consensus_eror")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("did you mean consensus_error?", err)
