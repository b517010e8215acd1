"""Who is first, of random tunings and designs: every choice that `lagnet tune` and `lagnet design` name is that of a
plain script: over the same rows, or by a closed form."""

import json
import math
import random
import re
import statistics
import unittest

import medians
from support import Case

TRIALS = 300
LEVELS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
GIVEN_LEVELS = [0.3, 0.05]
UNITS = {"simulated_s": "s", "bytes": "bytes", "round": "rounds"}


def random_tuning(draws):
    """A tiny problem with candidates: some diverge, some oscillate, and some hardly move."""
    kind, agents = draws.choice([("dgd", 3), ("extra", 3), ("distributed_fista", 3), ("gradient_tracking", 4)])
    topology = "star" if kind == "distributed_fista" else draws.choice(["ring", "complete"])
    section = {"candidates": draws.randint(3, 6), "seed": draws.randint(0, 99), "cost": draws.choice(list(UNITS)),
               "ranges": {"/algorithm/step": {"low": 1e-3, "high": draws.choice([0.1, 1, 4])}}}
    if draws.random() < 0.4:
        section["seeds"] = draws.choice([[1, 2], [1, 2, 3], [4, 5, 6, 7]])
    if draws.random() < 0.3:
        section["to"] = draws.choice(GIVEN_LEVELS)
    return {"lagnet": 1, "seed": draws.randint(0, 99), "tune": section,
            "data": {"source": "gaussian_regression", "samples": 12, "features": 3},
            "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.05}},
            "topology": {"kind": topology, "agents": agents}, "algorithm": {"kind": kind, "step": 0.1},
            "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}},
            "stop": {"rounds": draws.randint(8, 40)}, "record": {"every": draws.choice([1, 1, 3])}}


def median(values):
    """statistics.median() takes the mean of two infinities and of one for nan."""
    middle = statistics.median(values)
    return math.inf if math.isnan(middle) else middle


class Chosen(Case):
    def candidates(self, cost):
        """Of each candidate, {level: median cost}, the median of its last errors, and the last loss of its first run;
        None for one that is no choice."""
        judged = []
        for row in self.table("r/candidates.csv"):
            folders = sorted(path for path in (self.folder / "r").iterdir()
                             if re.fullmatch(rf"{row['folder'].split('_')[0]}(_.*)?", path.name))
            runs = [self.table(path / "progress.csv") for path in folders]
            self.assertTrue(runs)
            if row["outcome"] != "ok":
                judged.append(None)
                continue
            points = [[(float(one[cost]), float(one["relative_error"])) for one in rows] for rows in runs]
            costs = {level: median([medians.arrival(run, level)[2] for run in points])
                     for level in LEVELS + GIVEN_LEVELS}
            judged.append((costs, statistics.median(run[-1][1] for run in points)))
        return judged

    def test_tunings_choose_as_a_plain_script(self):
        seen = {"dear": 0, "no choice": 0, "never": 0, "seeds": 0}
        for trial in range(TRIALS):
            with self.subTest(trial=trial):
                scenario = random_tuning(random.Random(trial))
                section = scenario["tune"]
                self.write("s.json", scenario)
                status, out, err = self.lagnet("tune", "s.json", "--out", "r", "--replace", "--jobs", 1)
                judged = self.candidates(section["cost"])
                choices = [k for k, one in enumerate(judged) if one]
                if not choices:
                    self.assertNotIn("chosen", out)
                    continue
                self.assertEqual(status, 0, err)
                levels = [section["to"]] if "to" in section else LEVELS
                reached = [level for level in levels if any(judged[k][0][level] < math.inf for k in choices)]
                level = reached[-1] if reached else None
                best = min(choices, key=lambda k: (judged[k][0][level] if reached else 0, judged[k][1], k))
                told = f"chosen: candidate {best} of {len(judged)}, {len(judged) - len(choices)} no choice: "
                if reached:
                    told += f"relative error {level:g} after {judged[best][0][level]:.4g} {UNITS[section['cost']]}"
                else:
                    told += f"ended at {judged[best][1]:.3g}"
                self.assertIn(told, out)
                seen["dear"] += bool(reached) and sum(judged[k][0][level] < math.inf for k in choices) > 1
                seen["no choice"] += len(choices) < len(judged)
                seen["never"] += not reached
                seen["seeds"] += "seeds" in section
        self.assertGreater(min(seen.values()), 15, seen)  # each kind of case has occurred

    def test_the_least_of_designs_is_the_least_cycle_mean(self):
        led = set()
        for trial in range(TRIALS):
            with self.subTest(trial=trial):
                draws = random.Random(trial)
                agents = draws.randint(4, 7)
                ms = [[0 if a == b else draws.choice([1, 5, 20]) * draws.uniform(1, 2) for b in range(agents)]
                      for a in range(agents)]
                sites = [f"s{a}" for a in range(agents)]
                self.write("l.csv", "\n".join([",".join(["latency_ms", *sites])] + [
                    ",".join([sites[a], *map(repr, ms[a])]) for a in range(agents)]) + "\n")
                self.write("s.json", {
                    "lagnet": 1, "data": {"source": "gaussian_regression", "samples": 20, "features": 3},
                    "problem": {"loss": {"kind": "squared"}}, "topology": {"kind": "ring", "agents": agents},
                    "network": {"latency_ms": {"kind": "matrix", "path": "l.csv"}, "bandwidth_bytes_per_s": 1e15},
                    "compute": {"speed_flops_per_s": 1e15},  # a round computes for less than 1e-12 s
                    "algorithm": {"kind": "dgd"}, "stop": {"rounds": 10}})
                points = json.loads(self.succeeds("design", "s.json", "--json", "-o", f"{trial}.json"))["points"]
                rounds = [seconds_of_round(point, agents, ms) for point in points]
                agree = [seconds_to_agree(point, agents, taken) for point, taken in zip(points, rounds)]
                self.assertEqual(rounds, sorted(rounds, key=lambda taken: round(taken, 9)))
                table = self.succeeds("design", "s.json", "-o", f"{trial}.json").splitlines()[1:]
                for point, line, taken, mixed in zip(points, table, rounds, agree):
                    self.assertTrue(line.startswith(point["label"]))
                    self.assertAlmostEqual(point["cycle_s"], taken, delta=1e-9)
                    self.assertAlmostEqual(point["mixing_s"], mixed, delta=1e-7)
                    marks = line[len(point["label"]):].split()
                    for mark, own, every in ((marks[2], taken, rounds), (marks[5], mixed, agree)):
                        if min(every) * (1 + 1e-6) < own:
                            self.assertNotIn("*", mark, line)
                        elif sum(other < own * (1 + 1e-6) for other in every) == 1:
                            self.assertIn("*", mark, line)
                led.add(min(zip(agree, points), key=lambda pair: pair[0])[1]["label"].split(" at ")[0])
        # A spanning tree has the shortest rounds, but it is not always on it that agents agree first.
        self.assertGreater(len(led), 3, led)


def seconds_of_round(point, agents, ms):
    """Where each agent waits for its neighbors' messages of the round before: the largest mean delay of a cycle, by
    Karp, "A characterization of the minimum cycle mean in a digraph" (1978)."""
    arcs = [arc for a, b in edges_of(point, agents) for arc in ((a, b), (b, a))]
    longest = [[0.0] * agents]
    for _ in range(agents):
        longest.append([max(longest[-1][a] + ms[a][b] / 1e3 for a, to in arcs if to == b) for b in range(agents)])
    return max(min((longest[agents][b] - longest[k][b]) / (agents - k) for k in range(agents)) for b in range(agents))


def edges_of(point, agents):
    """Those that are proposed, or of the scenario's own ring."""
    ring = [(a, (a + 1) % agents) for a in range(agents)]
    return point["settings"].get("/topology", {}).get("edges", ring)


def seconds_to_agree(point, agents, taken):
    """Metropolis weights; the second largest size of an eigenvalue, by powers of W less its mean."""
    import numpy as np
    w, degree = np.zeros((agents, agents)), [0] * agents
    for a, b in edges_of(point, agents):
        degree[a] += 1
        degree[b] += 1
    for a, b in edges_of(point, agents):
        w[a, b] = w[b, a] = 1 / (1 + max(degree[a], degree[b]))
    w += np.diag(1 - w.sum(axis=0))
    rho = np.abs(np.linalg.eigvalsh(w - 1 / agents)).max()
    return taken / -math.log(rho) if rho > 1e-12 else 0


if __name__ == "__main__":
    unittest.main()
