"""`lagnet export --sqlite` has the content of result files in tables with types, column by column."""

import contextlib
import csv
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time

from support import PROGRAM, ROOT, Case

KEYS = ("algorithm", "topology", "agents", "seed", "latency_ms")


class Export(Case):
    def setUp(self):
        super().setUp()
        self.write_small({"/sweep": {"/topology/kind": ["ring", "star"], "/network/latency_ms": [2, 50],
                                     "/seed": [1, 2]}})
        self.succeeds("sweep", "s.json", "--out", "runs", "--quiet")

    def export(self, *arguments):
        return self.succeeds("export", "runs", "--sqlite", "runs.db", *arguments)

    def ask(self, question, *values):
        with contextlib.closing(sqlite3.connect(self.folder / "runs.db")) as database:
            return database.execute(question, values).fetchall()

    def columns(self, table):
        return {name: declared for _, name, declared, *_ in self.ask(f"PRAGMA table_info({table})")}

    def check_table(self, table, file, counts):
        """Every cell of the files of all points: counts as integers, all else as real numbers, nothing as NULL."""
        types = self.columns(table)
        places = dict(self.ask("SELECT folder, id FROM points"))
        total = 0
        for folder, point in places.items():
            with open(self.folder / folder / file, newline="", encoding="utf-8") as text:
                header, *rows = csv.reader(text)
            wanted = [tuple(None if cell == "" else int(cell) if types[name] == "INTEGER" else float(cell)
                            for name, cell in zip(header, row)) for row in rows]
            names = ", ".join(f'"{name}"' for name in header)
            self.assertEqual(self.ask(f"SELECT {names} FROM {table} WHERE point = ? ORDER BY id", point), wanted)
            total += len(rows)
        self.assertEqual(self.ask(f"SELECT count(*) FROM {table}"), [(total,)])
        for name in counts:
            self.assertEqual(types[name], "INTEGER", name)
        self.assertIn("REAL", types.values())
        return total

    def test_every_cell_of_the_files_is_there_with_its_type(self):
        told = json.loads(self.export("--json"))
        self.assertEqual((told["file"], told["points"]), ("runs.db", 8))
        for table, file, counts in (("rows", "progress.csv", ("round", "bytes", "messages", "flops")),
                                    ("agents", "agents.csv", ("agent", "bytes_sent", "updates")),
                                    ("links", "links.csv", ("from", "to", "messages_sent"))):
            self.assertEqual(told[table], self.check_table(table, file, counts))

    def test_points_have_their_keys_and_how_they_ended(self):
        self.export()
        points = self.ask("SELECT folder, topology, latency_ms, seed, agents, algorithm, stop, trace_hash, bytes_sent, "
                          "scenario FROM points ORDER BY id")
        with open(self.folder / "runs/sweep.csv", newline="", encoding="utf-8") as text:
            table = list(csv.DictReader(text))
        self.assertEqual(len(points), len(table))
        for point, row in zip(points, table):
            folder, topology, latency, seed, agents, algorithm, stop, trace, sent, scenario = point
            self.assertEqual((folder, topology, latency, seed), (
                f"runs/{row['point']}", row["topology"], int(row["latency_ms"]), int(row["seed"])))
            self.assertEqual((agents, algorithm, stop, trace), (5, "fd_primal_dual", row["stop"], row["trace_hash"]))
            summary = json.loads((self.folder / folder / "summary.json").read_text(encoding="utf-8"))
            self.assertEqual(sent, summary["totals"]["bytes_sent"])
            self.assertEqual(json.loads(scenario),
                             json.loads((self.folder / folder / "scenario.json").read_text(encoding="utf-8")))
        self.assertEqual(self.ask("SELECT value FROM facts WHERE key = 'folder'"), [("runs",)])
        latency = "json_extract(scenario, '$.network.latency_ms.value')"
        self.assertEqual(self.ask(f"SELECT {latency} FROM points WHERE id = 3"), [(50.0,)])

    def test_the_question_of_the_page_has_an_answer(self):
        page = (ROOT / "tools/README.md").read_text(encoding="utf-8")
        question = re.search(r"^    (SELECT .*?;)$", page, re.MULTILINE | re.DOTALL)[1].replace("1e-1", "1e0")
        self.export()
        answers = self.ask(question)
        self.assertEqual({topology for topology, *_ in answers}, {"ring", "star"})
        self.assertEqual([seconds for _, seconds, _ in answers], [0, 0])  # all begin at an error of 1

    def test_there_is_an_index_for_each_key_and_for_the_points_of_rows(self):
        self.export()
        indexed = {(table, tuple(row[2] for row in self.ask(f'PRAGMA index_info("{name}")')))
                   for name, table in self.ask("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'")}
        self.assertEqual(indexed, {("points", (key,)) for key in KEYS} |
                         {(table, ("point",)) for table in ("rows", "agents", "links")})

    def test_runs_that_are_selected_and_broken_points_are_there(self):
        told = json.loads(self.export("--where", "topology.kind=star", "--where", "seed=2", "--json"))
        self.assertEqual(told["points"], 2)
        self.assertEqual(self.ask("SELECT DISTINCT topology, seed FROM points"), [("star", 2)])
        for name in ("progress.csv", "agents.csv", "links.csv", "summary.json"):
            (self.folder / "runs/001" / name).unlink()
        (self.folder / "runs/001/error.txt").write_text("agent 3: it broke\n", encoding="utf-8")
        self.assertEqual(json.loads(self.export("--json"))["points"], 8)
        self.assertEqual(self.ask("SELECT folder, stop, error FROM points WHERE error IS NOT NULL"),
                         [("runs/001", "error", "agent 3: it broke")])

    def test_diverged_and_unrecorded_values_differ(self):
        self.write_small({"/algorithm": {"kind": "dgd", "step": 1e6}, "/record": {"every": 40},
                          "/stop": {"rounds": 400, "divergence_factor": None}}, "d.json")
        self.lagnet("run", "d.json", "--out", "runs", "--quiet", "--replace")
        self.export()
        with open(self.folder / "runs/progress.csv", newline="", encoding="utf-8") as text:
            wanted = [row["objective"] for row in csv.DictReader(text)]
        found = [value for value, in self.ask("SELECT objective FROM rows ORDER BY id")]
        self.assertEqual(len(found), len(wanted))
        for number, cell in zip(found, wanted):
            self.assertEqual(number, None if cell in ("", "nan", "-nan") else float(cell))

    def test_unwritable_databases_are_refused_and_nothing_is_lost(self):
        self.write("notes.db", "mine")
        before = self.tree()
        new = "expected a new file or an SQLite database, found "
        for arguments, why in ((("runs", "--sqlite", "notes.db"), f"notes.db: {new}something else"),
                               (("runs", "--sqlite", "runs"), f"runs: {new}a folder"),
                               (("runs", "--sqlite", "none/runs.db"), "none/runs.db"),
                               (("none", "--sqlite", "runs.db"), "none: expected the folder of a run or a sweep"),
                               (("runs", "--sqlite", "runs.db", "--where", "seed=7"), "expected a run with seed=7"),
                               (("runs", "runs/000", "--sqlite", "runs.db"), "runs/000: given twice"),
                               (("runs",), "--sqlite")):
            status, out, err = self.lagnet("export", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(why, err)
            self.assertEqual(self.tree(), before, arguments)
        self.export()
        self.export("--where", "seed=1")  # an older database is replaced
        self.assertEqual(self.ask("SELECT count(*) FROM points"), [(4,)])

    def test_only_its_own_tables_in_a_database_that_it_made_are_replaced(self):
        def own_table(name):
            with contextlib.closing(sqlite3.connect(self.folder / name)) as database:
                database.execute("CREATE TABLE thesis (answer)")
                database.execute("INSERT INTO thesis VALUES (42)")
                database.commit()
        own_table("mine.db")
        before = self.tree()
        status, out, err = self.lagnet("export", "runs", "--sqlite", "mine.db")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("mine.db", err)
        self.assertEqual(self.tree(), before)
        self.export()
        own_table("runs.db")
        self.export("--where", "seed=1")
        self.assertEqual(self.ask("SELECT count(*) FROM points"), [(4,)])
        self.assertEqual(self.ask("SELECT answer FROM thesis"), [(42,)])

    def test_an_interruption_leaves_no_half_database(self):
        """Ctrl-C while many points are read, whose files are those of one."""
        lines = (self.folder / "runs/sweep.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        many = self.folder / "many"
        many.mkdir()
        for k in range(3000):
            shutil.copytree(self.folder / "runs/000", many / f"{k:04}", copy_function=os.link)
        table = [lines[0]] + [lines[1].replace("000", f"{k:04}") for k in range(3000)]
        (many / "sweep.csv").write_text("".join(table), encoding="utf-8")
        for name in ("scenario.json", "sweep.json"):
            shutil.copy(self.folder / "runs" / name, many / name)
        run = subprocess.Popen([PROGRAM, "export", "many", "--sqlite", "many.db"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(run.kill)
        end = time.monotonic() + 100
        while not (self.folder / "many.db.partial").exists() and run.poll() is None:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.001)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=100)
        self.assertEqual(run.returncode, 130)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.db*")), [])
