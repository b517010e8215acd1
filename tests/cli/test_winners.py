"""Who is first, of random result folders: every winner that `lagnet compare` names, and every doubt that it prints, is
that of a plain script. The folders have ties, dips, rows that are far apart, missing seeds, and groups across
labels."""

import json
import math
import random
import statistics
import unittest
import zlib

import bootstrap
import medians
from support import Case

LEVEL = 1e-2
RESAMPLES = 100
HEADER = "round,simulated_s,relative_error,messages,bytes,flops,flops_per_agent_max,encrypting_s"


def random_rows(draws):
    """(round, seconds, error, bytes) of a run that falls, with or without dips, and may end above the level."""
    every, rounds = draws.choice([1, 1, 2, 7]), draws.randint(10, 60)
    seconds, size, fall = draws.uniform(0.5, 2), draws.choice([10, 100]), draws.uniform(0.5, 0.97)
    bump = draws.choice([0, 0, 0.2, 0.5])
    rows = []
    for t in range(0, rounds + 1, every):
        error = 1 if t == 0 else fall**t * (30 if draws.random() < bump else 1)
        rows.append((t, seconds * t, error, size * t))
    return rows


def random_series(draws):
    """{label: (kind, topology, {seed: (rows, whether it ended by its tolerance)})}."""
    series = {}
    for kind, topology in draws.sample([(k, t) for k in "abc" for t in ("ring", "complete")], draws.randint(2, 4)):
        runs = {}
        for seed in draws.choice([[1], [1], [1, 2, 3], [1, 2, 3], [2, 3, 4]]):
            rows, is_done = random_rows(draws), False
            if draws.random() < 0.3:
                end = next((k for k, row in enumerate(rows) if row[2] <= LEVEL), None)
                rows, is_done = (rows, False) if end is None else (rows[:end + 1], True)
            runs[seed] = rows, is_done
        series[f"{kind} on {topology}"] = kind, topology, runs
    if draws.random() < 0.3:  # a tie to the last digit
        first, second = draws.sample(sorted(series), 2)
        series[second] = *series[second][:2], series[first][2]
    return series


class Arrivals:
    """What the runs of each series pay for the level, in a column: (touched, before, there) by seed."""

    def __init__(self, series, column):
        self.by_seed = {label: {seed: self.arrival(rows, column) for seed, (rows, _) in runs.items()}
                        for label, (_, _, runs) in series.items()}

    @staticmethod
    def arrival(rows, column):
        touched, before, there = medians.arrival([(row[column], row[2]) for row in rows], LEVEL)
        has_each_round = rows[1][0] == 1
        return touched, there if has_each_round else before, there

    def median(self, label, part):
        return statistics.median(arrival[part] for arrival in self.by_seed[label].values())

    def verdict(self):
        """(winner or None, leader or None, whether rows leave open who is first)."""
        known = sorted((label for label in self.by_seed if math.isfinite(self.median(label, 2))),
                       key=lambda label: self.median(label, 2))
        if not known:
            return None, None, False
        leader, is_open, is_tied = known[0], False, False
        for other in known[1:]:
            common = sorted(set(self.by_seed[leader]) & set(self.by_seed[other]))
            pair = [[self.by_seed[label][seed][2] for seed in common] for label in (leader, other)]
            is_ahead = self.median(other, 2) > 1.01 * self.median(leader, 2)
            if len(common) > 1:
                is_ahead = is_ahead and bootstrap.ratio_of_medians(*pair, RESAMPLES)[0] > 1.01
            is_within = self.median(other, 1) < self.median(leader, 2)
            is_open = is_open or (is_ahead and is_within)
            if is_ahead and not is_within:
                break
            is_tied = True
        return None if is_tied else leader, leader, is_open


class Winners(Case):
    def write_series(self, series):
        """Their folders, in the order in which the program is given them."""
        folders = []
        for label, (kind, topology, runs) in series.items():
            for seed, (rows, is_done) in runs.items():
                scenario = json.dumps({
                    "lagnet": 1, "name": "n", "label": label, "seed": seed,
                    "data": {"source": "libsvm", "path": "../a.txt"}, "problem": {"loss": {"kind": "squared"}},
                    "topology": {"kind": topology, "agents": 5}, "algorithm": {"kind": kind},
                    "stop": {"rounds": 60}, "record": {"every": 1, "trace": False, "timeline": False}})
                reason = "relative_error" if is_done else "rounds"
                summary = {"stop": {"reason": reason, "round": rows[-1][0]},
                           "scenario_crc32": f"{zlib.crc32(scenario.encode()):08x}"}
                folder = self.folder / f"{len(folders)}"
                folder.mkdir(exist_ok=True)
                (folder / "scenario.json").write_text(scenario)
                (folder / "summary.json").write_text(json.dumps(summary))
                lines = [f"{t},{s!r},{error!r},0,{size},0,0,0" for t, s, error, size in rows]
                (folder / "progress.csv").write_text("\n".join([HEADER, *lines]) + "\n")
                folders.append(folder.name)
        return folders

    def test_winners_and_doubts_are_those_of_a_plain_script(self):
        seen = {"winner": 0, "open": 0, "dip": 0, "arrival": 0, "seeds": 0, "merged": 0, "nobody": 0}
        for trial in range(300):
            with self.subTest(trial=trial):
                series = random_series(random.Random(trial))
                folders = self.write_series(series)
                given = ("compare", *folders, "--to", LEVEL, "--resamples", RESAMPLES)
                rows = json.loads(self.succeeds(*given, "--json", "--table", "verdict"))["verdict"]
                text = " ".join(self.succeeds(*given).split())
                self.check_winners(series, rows, text, seen)
                self.check_doubts(series, text, seen)
                self.check_groups(series, given, seen)
        # Each kind of doubt has occurred often enough for its sentence to be missed.
        self.assertGreater(min(seen.values()), 15, seen)

    def check_winners(self, series, rows, text, seen):
        is_open = False
        for row, (currency, column) in zip(rows, (("simulated_s", 1), ("bytes", 3)), strict=True):
            winner, leader, is_open_here = Arrivals(series, column).verdict()
            self.assertEqual((row["currency"], row["winner"], row["leader"]), (currency, winner, leader))
            is_open = is_open or is_open_here
            seen["winner"] += winner is not None
            seen["nobody"] += leader is None
        self.assertEqual("are within a recorded row of each other" in text, is_open, text)
        seen["open"] += is_open

    def check_doubts(self, series, text, seen):
        arrivals = Arrivals(series, 1)
        leader = arrivals.verdict()[1]
        ahead = [label for label in series if label != leader and
                 arrivals.median(label, 0) < min(arrivals.median(label, 2),
                                                 arrivals.median(leader, 2) if leader else math.inf)]
        for label in series:
            if label in ahead:
                self.assertIn(f"{label} touches 1e-2 ", text)
        if leader and arrivals.median(leader, 0) < arrivals.median(leader, 2):
            self.assertIn(f"(touched after {short(arrivals.median(leader, 0))} s)", text)
        seen["dip"] += bool(ahead)
        ends = any(rows[-1][2] <= LEVEL < rows[-2][2] for *_, runs in series.values() for rows, _ in runs.values())
        self.assertEqual("nobody knows if they would have stayed there" in text, ends, text)
        seen["arrival"] += ends
        differ = len({tuple(runs) for *_, runs in series.values()}) > 1
        self.assertEqual("not all series have the same seeds" in text, differ, text)
        seen["seeds"] += differ

    def check_groups(self, series, given, seen):
        kinds = [kind for kind, *_ in series.values()]
        merged = {kind for kind in kinds if kinds.count(kind) > 1}
        if not merged:
            return
        table = json.loads(self.succeeds(*given, "--json", "--table", "pivot", "--by", "topology.kind"))["pivot"]
        self.assertEqual({row["series"] for row in table}, set(kinds), "without the topology, a kind remains")
        seen["merged"] += 1


def short(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    unittest.main()
