"""Records of a league, its tables, profiles, rankings and findings."""

import csv
import importlib
import itertools
import json
import math
import pathlib
import random
import re
import sqlite3
import statistics
import unittest

import lagnet
from lagnet.league import costs, drawn, rankings, records, sentences, tables
from support import Case

league = importlib.import_module("lagnet.league")
SIZES = {"problems": 4, "profiles": 3, "entries": 6, "seeds": 5}
RECORD = "records/problem_1/network_1/entry_1.tuned.json"


def plain_costs(documents, currency, level):
    """Medians by (problem, profile) and entry from the files as they are, of tuned variants of entries that compete."""
    found = {}
    for name, record in documents:
        if name == "league.json" or record["variant"] != "tuned" or record["form"] == "alone":
            continue
        values = [math.inf if one[currency] is None else one[currency]
                  for run in record["runs"] for one in run["levels"] if one["level"] == level]
        cost = statistics.median(values) if values else math.inf
        found.setdefault((record["problem"], record["profile"]), {})[record["entry"]] = cost
    return found


class Reading(Case):
    def damaged(self, name, change):
        """What reading says after a change of one file."""
        drawn.write("out", problems=1, profiles=1, entries=2, seeds=2)
        path = pathlib.Path("out", name)
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))
        with self.assertRaises(lagnet.InputError) as caught:
            records.read("out")
        return str(caught.exception)

    def test_records_are_in_the_order_of_the_suite_and_tuned_before_default(self):
        drawn.write("out", problems=2, profiles=2, entries=2)
        path = pathlib.Path("out/league.json")
        document = json.loads(path.read_text())
        document["problems"].reverse()
        path.write_text(json.dumps(document))
        names = [record.name for record in records.read("out").records]
        self.assertEqual(names, [f"problem_{problem}/network_{network}/entry_{entry}.{variant}"
                                 for problem in (2, 1) for network in (1, 2) for entry in (1, 2)
                                 for variant in ("tuned", "default")])

    def test_what_is_written_and_read_is_what_was_drawn(self):
        drawn.write("out", **SIZES)
        self.assertEqual(records.read("out"), drawn.league(**SIZES))

    def test_each_mistake_is_reported_with_its_file_and_place(self):
        def first_run(key, value):
            return lambda document: document["runs"][0].update({key: value})

        def cost(level, key, value):
            return lambda document: document["runs"][1]["levels"][level].update({key: value})

        for change, expected in (
                (lambda document: document.update(league=2), "/league: expected 1, as league.json has it, found 2"),
                (lambda document: document.update(status="run"), "/status: expected one of ran, refused, found 'run'"),
                (lambda document: document.update(entry="entry_3"),
                 "expected the name problem_1/network_1/entry_3.tuned.json, by its problem, profile"),
                (lambda document: document.pop("form"), "/form: expected text, found none"),
                (lambda document: document.update(runs={}), "/runs: expected a list, found {}"),
                (lambda document: document["runs"].reverse(),
                 "/runs: expected one of each of the seeds [1, 2], found [2, 1]"),
                (lambda document: document.update(status="refused", reason="no"),
                 "/runs: expected none of a cell that is refused, found 2"),
                (first_run("rounds", True), "/runs/0/rounds: expected an integer, found True"),
                (first_run("status", "lost"), "/runs/0/status: expected one of reached, budget, "),
                (first_run("relative_error", "1"), "/runs/0/relative_error: expected a number or null, found '1'"),
                (first_run("levels", []), "/runs/0/levels: expected each of the levels [0.1, 0.01, "),
                (cost(0, "bytes", -1), "/runs/1/levels/0/bytes: expected a number at least 0 or null, found -1"),
                (cost(0, "joules", None), "/runs/1/levels/0: expected all costs or none, found null for joules"),
                (cost(1, "bytes", 1), "/runs/1/levels/1/bytes: expected at least the cost of the level before, ")):
            with self.subTest(expected):
                told = self.damaged(RECORD, change)
                self.assertIn(f"out/{RECORD}: {expected}", told)
                self.assertEqual(told.count("\n"), 0, told)

    def test_a_level_after_one_that_was_not_reached_has_no_costs(self):
        def skip(document):
            for one in document["runs"][0]["levels"]:
                one.update(dict.fromkeys(records.CURRENCIES, None if one["level"] == 1e-3 else 7))
        told = self.damaged(RECORD, skip).splitlines()
        self.assertEqual(len(told), 4)  # a line for each currency
        self.assertIn("/runs/0/levels/3/simulated_s: expected null after a level that was not reached, found", told[0])

    def test_mistakes_of_all_files_are_reported_at_once(self):
        drawn.write("out", problems=1, profiles=1, entries=2, seeds=2)
        pathlib.Path("out", RECORD).write_text("{")
        pathlib.Path("out/records/problem_1/network_1/entry_1.default.json").write_text("[]")
        with self.assertRaises(lagnet.InputError) as caught:
            records.read("out")
        first, second = str(caught.exception).splitlines()
        self.assertIn("entry_1.default.json: expected an object, found []", first)
        self.assertIn("entry_1.tuned.json: expected JSON, found none: ", second)

    def test_a_list_that_cannot_be_used_is_refused_before_any_record(self):
        for change, expected in (
                (lambda document: document.pop("seeds"), "/seeds: expected a list, found none"),
                (lambda document: document.update(levels=[0.1, 0.1]),
                 "/levels: expected numbers above 0 that fall, found [0.1, 0.1]"),
                (lambda document: document.update(problems=["a", "a"]),
                 "/problems: expected distinct names, found ['a', 'a']")):
            with self.subTest(expected):
                self.assertEqual(self.damaged("league.json", change), f"out/league.json: {expected}")

    def test_a_folder_without_records_says_which_command_makes_them(self):
        with self.assertRaisesRegex(lagnet.InputError, "^none/league.json: expected the file, found none$"):
            records.read("none")
        drawn.write("out", problems=1, profiles=1, entries=1)
        for path in pathlib.Path("out/records").rglob("*.json"):
            path.unlink()
        with self.assertRaisesRegex(lagnet.InputError, "expected records, found none; `lagnet league run` writes them"):
            records.read("out")


class Tables(Case):
    def test_two_writings_give_the_same_bytes(self):
        made = drawn.league(**SIZES)
        first = [path.read_bytes() for path in tables.write("first", made)]
        second = [path.read_bytes() for path in tables.write("second", made)]
        self.assertEqual(first, second)
        self.assertEqual([path.read_bytes() for path in tables.write("first", made)], first)  # over what is there
        self.assertEqual(sorted(path.name for path in pathlib.Path("first").iterdir() if path.suffix != ".parquet"),
                         ["findings.md", "league.sqlite", "levels.csv", "runs.csv"])

    def test_rows_are_those_of_the_records_in_order_and_numbers_read_back(self):
        made = drawn.league(**SIZES)
        tables.write(".", made)
        with open("runs.csv", newline="") as file:
            head, *rows = csv.reader(file)
        self.assertEqual(",".join(head), "league,problem,profile,form,entry,variant,seed,status,rounds,relative_error,"
                                         "trace_hash,reason")
        self.assertEqual(len(rows), sum(len(record.runs) or 1 for record in made.records))
        refused = [row for row in rows if row[7] == "refused"]
        self.assertTrue(refused)
        for row in refused:
            self.assertEqual(row[6:11], ["", "refused", "", "", ""])
            self.assertRegex(row[11], "needs an l2 regularizer$")
        with open("levels.csv", newline="") as file:
            head, *rows = csv.reader(file)
        self.assertEqual(",".join(head), "league,problem,profile,form,entry,variant,seed,level,simulated_s,bytes,"
                                         "flops_per_agent_max,joules")
        expected = [(record, run, level) for record in made.records for run in record.runs for level in made.levels]
        self.assertEqual(len(rows), len(expected))
        for row, (record, run, level) in zip(rows, expected):
            self.assertEqual(row[:7], ["1", record.problem, record.profile, record.form, record.entry, record.variant,
                                       str(run.seed)])
            self.assertEqual(float(row[7]), level)
            self.assertEqual([float(cell) if cell else None for cell in row[8:]],
                             [run.costs[level][currency] for currency in records.CURRENCIES])

    def test_the_database_has_the_rows_of_the_files(self):
        tables.write(".", drawn.league(**SIZES))
        base = sqlite3.connect("league.sqlite")
        for name in ("runs", "levels"):
            with open(f"{name}.csv", newline="") as file:
                head, *rows = csv.reader(file)
            found = base.execute(f"SELECT * FROM {name}")
            self.assertEqual([one[0] for one in found.description], head)
            for row, line in itertools.zip_longest(found, rows):
                for value, cell in itertools.zip_longest(row, line):
                    if isinstance(value, float):
                        self.assertEqual(value, float(cell))
                    else:
                        self.assertEqual("" if value is None else str(value), cell)
        base.close()

    def test_tables_that_differ_from_the_records_are_named_with_their_first_line(self):
        drawn.write("out", **SIZES)
        self.assertEqual(tables.disagreements("out"), [])
        tables.write("out")
        self.assertEqual(tables.disagreements("out"), [])
        path = pathlib.Path("out/levels.csv")
        lines = path.read_text().splitlines()
        lines[7] = lines[7].replace(",2,", ",3,", 1)
        path.write_text("\n".join(lines[:-1]) + "\n")
        base = sqlite3.connect("out/league.sqlite")
        base.execute("UPDATE runs SET rounds = -1 WHERE rowid = 3")
        base.execute("DROP TABLE profiles")
        base.commit()
        base.close()
        told = tables.disagreements("out")
        self.assertEqual(len(told), 3)
        self.assertRegex(told[0], "^levels.csv: line 8: expected 1,problem_1,network_1,peers,entry_1,tuned,2,.*found 1")
        self.assertEqual(told[1], "league.sqlite: expected the table profiles, found none: no such table: profiles")
        self.assertRegex(told[2], r"^league.sqlite: runs: row 3: expected \(1, .*, found \(1, .* -1, ")

    def test_records_that_cannot_be_used_are_told_in_place_of_differing_tables(self):
        drawn.write("out", problems=1, profiles=1, entries=1)
        tables.write("out")
        pathlib.Path("out", RECORD).write_text("[]")
        self.assertEqual(tables.disagreements("out"), [f"out/{RECORD}: expected an object, found []"])

    def test_medians_follow_from_the_levels_by_sql(self):
        base = tables.database(drawn.league(**SIZES))
        for currency in records.CURRENCIES:
            differing = base.execute(f"""
                SELECT COUNT(*), SUM(cells.{currency} IS NOT middle.cost) FROM cells JOIN
                (SELECT problem, profile, entry, variant, level, {currency} AS cost, ROW_NUMBER() OVER (
                 PARTITION BY problem, profile, entry, variant, level ORDER BY {currency} IS NULL, {currency}) AS place
                 FROM levels) AS middle USING (problem, profile, entry, variant, level) WHERE place = 3""").fetchone()
            self.assertEqual(differing[1], 0)
            self.assertGreater(differing[0], 100)
        base.close()

    def test_entries_compete_tuned_or_untunable_and_the_yardstick_does_not(self):
        documents = [(name, document) for name, document in drawn.documents(1, 1, 6, 1)
                     if not name.endswith("entry_2.tuned.json")]
        made = records.of_documents(documents[0][1], [document for _, document in documents[1:]])
        self.assertEqual([record.name.rpartition("/")[2] for record in costs.chosen(made, "tuned")],
                         ["entry_1.tuned", "entry_2.default", "entry_3.tuned", "entry_4.tuned", "entry_5.tuned"])
        self.assertEqual([record.variant for record in costs.chosen(made, "default")], ["default"] * 5)
        base = tables.database(made)
        self.assertEqual(base.execute("SELECT DISTINCT entry, variant, competes FROM cells WHERE entry IN "
                                      "('entry_1', 'entry_2', 'entry_6')").fetchall(),
                         [("entry_1", "tuned", 1), ("entry_1", "default", 2), ("entry_2", "default", 1),
                          ("entry_6", "tuned", 0), ("entry_6", "default", 0)])
        base.close()


class Profiles(unittest.TestCase):
    """Held against the definitions, computed from the drawn files by plain loops."""

    def test_performance_profiles_are_those_of_dolan_and_more(self):
        documents, made = list(drawn.documents(**SIZES)), drawn.league(**SIZES)
        for currency, level in (("simulated_s", 1e-3), ("bytes", 1e-6), ("joules", 0.1)):
            profile = league.performance_profile(made, currency, level)
            found = plain_costs(documents, currency, level)
            solved = [one for one in found.values() if min(one.values()) < math.inf]
            self.assertEqual(len(profile.instances), len(solved))
            self.assertEqual(len(profile.unsolved), len(found) - len(solved))
            for entry, tau in itertools.product(next(iter(found.values())), (1, 1.5, 2, 5, 30, 1e9)):
                within = sum(one[entry] < math.inf and one[entry] / min(one.values()) <= tau for one in solved)
                self.assertEqual(profile.share(entry, tau), within / len(solved), (currency, entry, tau))

    def test_instances_that_nobody_solves_are_left_out_and_named(self):
        documents = dict(drawn.documents(2, 1, 2, 2))
        for name, record in documents.items():
            if name.startswith("records/problem_2"):
                record.update(status="refused", reason="no", runs=[])
        made = records.of_documents(documents.pop("league.json"), documents.values())
        profile = league.performance_profile(made, level=0.1)
        self.assertEqual((profile.instances, profile.unsolved),
                         ((("problem_1", "network_1"),), (("problem_2", "network_1"),)))
        self.assertEqual(max(profile.share(entry, 1) for entry in profile.curves), 1.0)

    def test_data_profiles_count_instances_within_a_budget_of_cheapest_rounds(self):
        documents, made = list(drawn.documents(**SIZES)), drawn.league(**SIZES)
        unit = {}
        for name, record in documents[1:]:
            for run in record["runs"]:
                if run["status"] == "reached" and record["form"] != "alone":
                    instance = record["problem"], record["profile"]
                    round_s = run["levels"][-1]["simulated_s"] / run["rounds"]
                    unit[instance] = min(unit.get(instance, math.inf), round_s)
        profile = league.data_profile(made, "simulated_s", 1e-3)
        found = plain_costs(documents, "simulated_s", 1e-3)
        self.assertEqual(len(profile.instances), len(unit))
        for entry, budget in itertools.product(next(iter(found.values())), (1, 10, 100, 300, 1e9)):
            within = sum(one[entry] / unit[instance] <= budget for instance, one in found.items() if instance in unit)
            self.assertEqual(profile.share(entry, budget), within / len(unit), (entry, budget))

    def test_ratios_of_nothing_to_nothing_are_one(self):
        self.assertEqual(costs.ratios({("p", "n"): {"a": [0.0], "b": [2.0], "c": [math.inf]}}),
                         {("p", "n"): {"a": 1.0, "b": math.inf, "c": math.inf}})


class Rankings(unittest.TestCase):
    def test_scores_and_intervals_are_those_of_a_bootstrap_by_hand(self):
        sizes = {"problems": 3, "profiles": 1, "entries": 3, "seeds": 3}
        made = drawn.league(**sizes)
        by_seed = {}
        for name, record in drawn.documents(**sizes):
            if name != "league.json" and record["variant"] == "tuned":
                by_seed[record["problem"], record["entry"]] = [
                    math.inf if run["levels"][2]["bytes"] is None else run["levels"][2]["bytes"]
                    for run in record["runs"]] or [math.inf] * 3
        problems, entries = sorted({one for one, _ in by_seed}), sorted({one for _, one in by_seed})

        def scores(chosen):
            """chosen: (problem, seeds) pairs."""
            logs = {entry: [] for entry in entries}
            for problem, seeds in chosen:
                middle = {entry: statistics.median([by_seed[problem, entry][seed] for seed in seeds])
                          for entry in entries}
                if min(middle.values()) < math.inf:
                    for entry in entries:
                        logs[entry].append(math.log(min(100, middle[entry] / min(middle.values()))))
            return {entry: math.exp(sum(one) / len(one)) for entry, one in logs.items()} if logs[entries[0]] else None

        source, samples = random.Random(1), []
        for _ in range(200):
            chosen = []
            for _ in problems:
                problem = problems[int(source.random() * 3)]
                chosen.append((problem, [int(source.random() * 3) for _ in range(3)]))
            samples.append(scores(chosen))
        samples = [sample for sample in samples if sample]
        wanted = scores([(problem, range(3)) for problem in problems])
        found = league.ranking(made, "network_1", "bytes", 1e-3, draws=200)
        self.assertEqual([place.entry for place in found], sorted(wanted, key=wanted.get))
        cut = len(samples) // 40
        for place in found:
            ordered = sorted(sample[place.entry] for sample in samples)
            for value, expected in ((place.score, wanted[place.entry]), (place.low, ordered[cut]),
                                    (place.high, ordered[-1 - cut])):
                self.assertAlmostEqual(value, expected, delta=1e-8 * expected)
        self.assertTrue(any(place.low < place.high for place in found))

    def test_ranks_share_a_place_where_scores_are_equal_and_nobody_is_ranked_where_nothing_is_solved(self):
        documents = dict(drawn.documents(1, 1, 3, 1))
        runs = documents["records/problem_1/network_1/entry_1.tuned.json"]["runs"]
        for name, record in documents.items():
            if name.startswith("records"):
                record.update(status="ran", reason="", runs=[dict(runs[0])])
        made = records.of_documents(documents["league.json"], list(documents.values())[1:])
        found = league.ranking(made, "network_1", "bytes", 0.1, draws=40)
        self.assertEqual([(place.rank, place.score, place.low, place.high, place.best, place.worst) for place in found],
                         [(1, 1.0, 1.0, 1.0, 1, 1)] * 3)
        for record in list(documents.values())[1:]:
            record.update(status="refused", reason="no", runs=[])
        made = records.of_documents(documents["league.json"], list(documents.values())[1:])
        self.assertEqual(league.ranking(made, "network_1", "bytes", 0.1), [])

    def test_what_an_entry_does_not_solve_counts_as_the_cap(self):
        documents = dict(drawn.documents(1, 1, 2, 1))
        documents["records/problem_1/network_1/entry_2.tuned.json"].update(status="refused", reason="no", runs=[])
        made = records.of_documents(documents["league.json"], list(documents.values())[1:])
        found = {place.entry: place for place in league.ranking(made, "network_1", "bytes", 0.1, draws=40)}
        self.assertEqual((found["entry_2"].score, found["entry_2"].solved), (rankings.CAP, 0))


class Findings(Case):
    def test_each_of_ten_sentences_has_the_numbers_of_its_query_over_the_written_file(self):
        made = drawn.league(**SIZES)
        tables.write(".", made)
        found = league.findings(made)
        self.assertEqual(len(found), 10)
        self.assertEqual(len({finding.name for finding in found}), 10)
        base = sqlite3.connect("league.sqlite")
        for finding, question in zip(found, sentences.QUESTIONS):
            answer = base.execute(finding.sql)
            columns = [one[0] for one in answer.description]
            rows = answer.fetchall()
            self.assertEqual(tuple(rows), finding.rows)
            self.assertTrue(rows, finding.name)
            self.assertEqual(question.say([dict(zip(columns, row)) for row in rows], 1e-3, 1e-6), finding.sentence)
        base.close()
        text = pathlib.Path("findings.md").read_text()
        for number, finding in enumerate(found, 1):
            self.assertIn(f"\n{number}. {finding.sentence}\n", text)
            self.assertIn(f"\n## {number}. {finding.sentence}\n", text)

    def test_the_first_is_the_first_of_the_files(self):
        documents = list(drawn.documents(**SIZES))
        firsts = {}
        for (problem, network), one in plain_costs(documents, "simulated_s", 1e-3).items():
            if min(one.values()) < math.inf:
                winner = network, min(one, key=one.get)
                firsts[winner] = firsts.get(winner, 0) + 1
        finding = league.findings(drawn.league(**SIZES))[0]
        self.assertEqual({row[:2]: row[2] for row in finding.rows}, firsts)
        (network, entry), number = finding.rows[0][:2], finding.rows[0][2]
        self.assertEqual(number, max(firsts.values()))
        self.assertTrue(finding.sentence.startswith(f"Over {network}, {entry} is the first to 1e-3 on "))

    def test_never_names_those_that_reach_the_last_level_nowhere(self):
        documents = dict(drawn.documents(**SIZES))
        for name, record in documents.items():
            if re.search("entry_[35]", name):
                for run in record["runs"]:
                    run.update(status="budget")
                    run["levels"][-1].update(dict.fromkeys(records.CURRENCIES))
        made = records.of_documents(documents.pop("league.json"), documents.values())
        told = {finding.name: finding.sentence for finding in league.findings(made)}
        self.assertEqual(told["never"],
                         "2 of 5 entries never reach 1e-6 on any problem over any network: entry_3 and entry_5.")

    def test_sentences_read_well_with_none_one_and_all(self):
        say = {question.name: question.say for question in sentences.QUESTIONS}

        def told(name, *rows):
            return say[name](list(rows), 1e-3, 1e-6)

        self.assertEqual(told("most_firsts"), "No entry reaches 1e-3 on any problem over any network.")
        self.assertEqual(
            told("most_firsts", {"profile": "lan", "entry": "extra", "firsts": 8, "problems": 8}),
            "Over lan, extra is the first to 1e-3 on all 8 problems; no entry is the first more often over "
            "any network.")
        far, near = ({"profile": name, "firsts": firsts, "problems": 8, "entries": 2}
                     for name, firsts in (("satellite", 5), ("lan", 0)))
        self.assertEqual(told("second_order", far, near),
                         "A second-order method is the first to 1e-3 on 5 of 8 problems over satellite, and on none "
                         "of 8 problems over lan.")
        self.assertEqual(told("second_order", near, near),
                         "A second-order method is the first to 1e-3 on none of 8 problems over any network.")
        factor = {"factor": 3.14159, "pairs": 7, "cells": 9, "only_tuned": 1, "only_default": 0}
        self.assertEqual(told("tuning", factor),
                         "Tuning makes the median entry 3.14 times as fast to 1e-3, over the 7 cells that arrive with "
                         "both; 1 cell arrives with tuned options alone, and none with default options alone.")
        self.assertEqual(told("never", {"entry": "a", "arrived": 0}, {"entry": "b", "arrived": 3}),
                         "1 of 2 entries never reaches 1e-6 on any problem over any network: a.")
        self.assertEqual(told("never", {"entry": "b", "arrived": 3}),
                         "Every entry reaches 1e-6 on some problem over some network.")
        self.assertEqual(told("never", {"entry": "b", "arrived": 0}),
                         "No entry reaches 1e-6 on any problem over any network.")
        self.assertEqual(told("seconds_and_bytes", {"pairs": 8, "differ": 0}, {"pairs": 8, "differ": 0}),
                         "On none of 16 pairs of problem and network, the first to 1e-3 in seconds is another entry "
                         "than the first in bytes.")
        self.assertEqual(told("peers_and_server", {"profile": "lan", "peers_first": 2, "problems": 2}),
                         "The best peers get to 1e-3 before the best method with a server on both pairs of problem "
                         "and network that both solve.")
        self.assertEqual(told("refused", {"entry": "a", "refused": 0, "cells": 4}),
                         "lagnet refuses no entry on any problem.")
        self.assertEqual(told("diverged", {"variant": "default", "diverged": 1, "runs": 5},
                              {"variant": "tuned", "diverged": 0, "runs": 5}),
                         "With default options 1 of 5 runs diverges, with tuned ones none of 5 runs, of the entries "
                         "that have options to tune.")
        self.assertEqual(told("hardest", {"problem": "lasso", "arrived": 1, "entries": 6},
                              {"problem": "ridge", "arrived": 6, "entries": 6}),
                         "lasso is the hardest problem: 1 of 6 entries reaches 1e-6 on it over some network; on ridge "
                         "all 6 entries do.")

    def test_every_sentence_reads_well_in_leagues_of_any_size(self):
        for sizes in itertools.product((1, 2), (1, 2), (1, 4), (1, 2)):
            made = drawn.league(**dict(zip(SIZES, sizes)))
            for finding in league.findings(made):
                self.assertRegex(finding.sentence, r"^[A-Za-z0-9].*[^.]\.$")
                self.assertNotRegex(finding.sentence, r"None(?! of)|nan|\b1 \w+s\b (?!and|over)|@|  ", finding.name)


if __name__ == "__main__":
    unittest.main()
