#!/usr/bin/env python3
"""Holds runs of the scenarios here against what a reproduction must show.

    statements.py FOLDER...

The folders are those of the sweeps, in any order; each is known by the name in its scenario.json, and a statement whose
runs are not there is left out. Prints P(x) - P(x*) of each run, then each statement with its verdict. Exit status 1 if
one does not hold.
"""
import csv
import json
import pathlib
import sys

WEIGHTS = (1e-6, 1e-7, 1e-8)
DATA = ("breast_cancer", "digits")


def name_of(algorithm):
    """What the tables call an algorithm."""
    if algorithm["kind"] == "cocoa_plus":
        return f"CoCoA+ {algorithm['sigma_prime']}"
    if algorithm["kind"] == "dispa":
        return f"DiSPA {algorithm['tau']}/{algorithm['sigma']}"
    start = "z" if algorithm.get("start") == "z" else f"x, T {algorithm['rounds_per_stage']}"
    return f"A-DiSPA {algorithm['tau']}/{algorithm['sigma']} from {start}"


def points(folder):
    """Of each point: its line of sweep.csv, its rows of progress.csv and its summary."""
    with open(folder / "sweep.csv", newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            with open(folder / line["point"] / "progress.csv", newline="", encoding="utf-8") as progress:
                rows = list(csv.DictReader(progress))
            yield line, rows, json.loads((folder / line["point"] / "summary.json").read_text(encoding="utf-8"))


def excesses(rows, summary):
    """{round: P(x) - P(x*)}."""
    return {int(row["round"]): float(row["objective"]) - summary["optimum"]["value"] for row in rows}


def conditioning(folder):
    """{(data, weight, algorithm): {round: excess}}."""
    runs = {}
    for line, rows, summary in points(folder):
        data = next(name for name in DATA if name in line["/data"])
        name = name_of(json.loads(line["/algorithm"]))
        runs[data, float(line["/problem/regularizer/weight"]), name] = excesses(rows, summary)
    print(f"{'':40}" + "".join(f"{weight:>20g}" for weight in WEIGHTS))
    for data, name in dict.fromkeys((data, name) for data, _, name in runs):
        cells = [runs[data, weight, name] for weight in WEIGHTS]
        print(f"{data + ', ' + name:40}" + "".join(f"{run[100]:10.1e}{run[300]:10.1e}" for run in cells))
    final = {key: run[300] for key, run in runs.items()}
    best = {(data, weight): min(value for (d, w, name), value in final.items()
                                if (d, w) == (data, weight) and "CoCoA" in name)
            for data in DATA for weight in WEIGHTS}
    ratio = {key: value / final[*key, "DiSPA 75/3"] for key, value in best.items()}
    listed = ", ".join(f"{ratio[data, weight]:.2f}" for data in DATA for weight in WEIGHTS)
    yield "D2", f"gap of the best CoCoA+ over that of DiSPA 75/3: {listed}", min(ratio.values()) > 1
    gain = {(data, weight): final[data, weight, "DiSPA 25/10"] / final[data, weight, "A-DiSPA 25/10 from z"]
            for data in DATA for weight in WEIGHTS}
    listed = ", ".join(f"{gain[data, weight]:.1f}" for data in DATA for weight in WEIGHTS)
    yield "D3", f"gap of DiSPA 25/10 over that of A-DiSPA from z: {listed}", min(gain.values()) > 2
    plain = [final[data, weight, "DiSPA 25/10"] / final[data, weight, "A-DiSPA 25/10 from x, T 1"]
             for data in DATA for weight in WEIGHTS]
    most = max(abs(x - 1) for x in plain)
    yield "D3", f"the same from x with T = 1: {min(plain):.3f} to {max(plain):.3f}", most < 0.05
    tuned = [final["digits", weight, "DiSPA 75/3"] / final["digits", weight, "A-DiSPA 75/10 from z"]
             for weight in WEIGHTS]
    yield "D3", f"with tau at the largest useful value, digits: {min(tuned):.3f} to {max(tuned):.3f}", max(tuned) < 1
    for data in DATA:
        slower = best[data, 1e-8] / best[data, 1e-6]
        dispa = final[data, 1e-8, "DiSPA 75/3"] / final[data, 1e-6, "DiSPA 75/3"]
        yield ("D4", f"{data}: gap at 1e-8 over that at 1e-6: CoCoA+ {slower:.2f}, DiSPA {dispa:.2f}",
               slower > dispa)


def machines(folder):
    """The rounds that a gap takes."""
    rounds = {}
    for line, rows, summary in points(folder):
        run = excesses(rows, summary)
        rounds[int(line["/topology/agents"]) - 1] = min(t for t, excess in run.items() if excess <= 8e-3)
    listed = ", ".join(f"{t} ({k})" for k, t in rounds.items())
    yield "D5", f"rounds to a gap of 8e-3 (machines): {listed}", max(rounds.values()) <= 1.5 * min(rounds.values())


def theorem(folder):
    """Contraction per round, and that of Lemma 1."""
    for line, rows, summary in points(folder):
        gaps = {int(row["round"]): float(row["duality_gap"]) for row in rows}
        last = max(t for t, gap in gaps.items() if gap > 1e-9)
        rate = (gaps[last] / gaps[50]) ** (1 / (last - 50))
        theta = summary["constants"]["Theta"]
        weight = line["/problem/regularizer/weight"]
        yield "D1", f"weight {weight}: contraction {rate:.6f} a round, Theta {theta:.6f}", rate <= theta


def main(folders):
    readers = {"yu2017-conditioning": conditioning, "yu2017-machines": machines, "yu2017-theorem": theorem}
    verdicts = []
    for folder in map(pathlib.Path, folders):
        name = json.loads((folder / "scenario.json").read_text(encoding="utf-8"))["name"]
        verdicts.extend(readers[name](folder))
    for statement, text, holds in sorted(verdicts):
        print(f"{statement}  {'holds' if holds else 'DOES NOT HOLD'}  {text}")
    return 0 if all(holds for _, _, holds in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
