#!/usr/bin/env python3
"""Holds runs of the scenarios here against what a reproduction must show.

    statements.py FOLDER...

The folders are those of the sweeps, in any order; each is known by the name in its scenario.json, and a statement whose
runs are not there is left out. Prints a table of each figure, values expected in brackets, then each statement with its
verdict. Exit status 1 if one does not hold.
"""
import csv
import json
import math
import pathlib
import sys

# Values expected are those of one run of another program with other draws.
FIGURE1 = {  # final l2 error, l1 error, F1, mean squared residual, non-zeros, rounds to l2 error 5, 1, 0.5
    "FedMiD": (0.706, 13.5, 1.000, 1.80, 808, 400, 990, math.inf),
    "FedMiD single": (0.475, 8.9, 1.000, 1.20, 1005, 430, 940, 1570),
    "FedAvg": (0.453, 8.5, 1.000, 1.15, 1024, 430, 940, 1440),
    "FedDA": (0.449, 8.1, 1.000, 1.14, 514, 440, 940, 1420),
    "FedDA 1/550": (0.451, None, None, None, None, 246, 531, 807),
    "Fast-FedDA": (0.446, 8.1, 1.000, 1.13, 514, 280, 680, 1160),
    "C-FedDA": (0.447, 8.1, 1.000, 1.12, 513, 300, 730, 1230),
    "MC-FedDA": (0.445, 8.1, 1.000, 1.12, 516, 260, 610, 990),
}
FIGURE2 = {  # final Frobenius error, operator error, rank in round 500 and at the end, residual, rounds to 5, 1
    "FedMiD": (0.961, 0.317, 28, 27, 1.87, 220, 560),
    "FedDA": (0.549, 0.191, 23, 16, 1.12, 240, 570),
    "Fast-FedDA": (0.541, 0.189, 16, 16, 1.11, 140, 370),
    "C-FedDA": (0.541, 0.187, 18, 16, 1.11, 160, 400),
    "MC-FedDA": (0.543, 0.189, 16, 16, 1.12, 140, 380),
}
FIGURE3 = {  # final training loss, test accuracy
    "FedMiD": (0.367, 0.972), "FedDA": (0.363, 0.972), "FedAvg": (0.363, 0.972), "Fast-FedDA": (0.164, 0.972),
    "C-FedDA": (0.164, 0.972), "MC-FedDA": (0.161, 0.972),
}
AVERAGING = ("FedDA", "Fast-FedDA", "C-FedDA", "MC-FedDA")


def name_of(algorithm):
    """What the tables call an algorithm; powers of ten are the paper's step sizes."""
    kind, step = algorithm["kind"], algorithm.get("client_step")
    if kind == "fed_mid":
        return "FedMiD single" if algorithm.get("server_prox") == "single" else "FedMiD"
    if kind == "fed_dual_avg" and step not in (0.001, 0.01):
        return f"FedDA 1/{round(1 / step)}"
    return {"fed_avg": "FedAvg", "fed_dual_avg": "FedDA", "fast_fed_da": "Fast-FedDA", "c_fed_da": "C-FedDA",
            "mc_fed_da": "MC-FedDA"}[kind]


def read_sweep(folder):
    """{name of the algorithm: {round: row of progress}}."""
    runs = {}
    with open(folder / "sweep.csv", newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            with open(folder / line["point"] / "progress.csv", newline="", encoding="utf-8") as progress:
                rows = {int(row["round"]): {key: float(text) if text else math.nan for key, text in row.items()}
                        for row in csv.DictReader(progress)}
            runs[name_of(json.loads(line["/algorithm"]))] = rows
    return runs


def last(rows):
    return rows[max(rows)]


def first(rows, reached):
    return next((t for t in sorted(rows) if reached(rows[t])), math.inf)


def rounds_to(rows, column, level):
    return first(rows, lambda row: row[column] <= level)


def print_table(title, columns, measured, expected):
    print(f"\n| {title} | " + " | ".join(columns) + " |\n" + "|---" * (len(columns) + 1) + "|")
    for name, values in measured.items():
        others = expected.get(name, (None,) * len(values))
        cells = [f"{value:.4g}" + (f" ({other:.4g})" if other is not None else "")
                 for value, other in zip(values, others)]
        print(f"| {name} | " + " | ".join(cells) + " |")


def figure1(runs):
    columns = ("l2_error", "l1_error", "support_f1", "mean_squared_residual", "non_zeros")
    print_table("figure 1", columns + ("rounds to 5", "to 1", "to 0.5"),
                {name: tuple(last(rows)[column] for column in columns) +
                       tuple(rounds_to(rows, "l2_error", level) for level in (5, 1, 0.5))
                 for name, rows in runs.items()}, FIGURE1)
    reach = {name: rounds_to(rows, "l2_error", 1) for name, rows in runs.items()}
    order = [reach[name] for name in ("MC-FedDA", "Fast-FedDA", "C-FedDA", "FedDA")]
    yield ("1 at the paper's parameters MC-FedDA, Fast-FedDA, C-FedDA, FedDA reach error 1 in this order, FedMiD not "
           "before FedDA", order[0] < order[1] < order[2] < order[3] and reach["FedMiD"] >= order[3],
           f"rounds {order}, of FedDA's " + ", ".join(f"{t / order[3]:.2f}" for t in order[:3]) +
           " (0.65, 0.72, 0.78)")
    errors = {name: last(runs[name])["l2_error"] for name in AVERAGING}
    far = max(last(runs[name])["distance_to_optimum"] for name in AVERAGING)
    yield ("2 dual averaging ends within 0.1 of the minimizer, and within 3% of each other in error",
           far <= 0.1 and max(errors.values()) <= 1.03 * min(errors.values()),
           f"largest distance {far:.3g}, errors " + ", ".join(f"{error:.3f}" for error in errors.values()))
    non_zeros = {name: last(rows)["non_zeros"] for name, rows in runs.items()}
    yield ("3a dual averaging ends with at most 520 non-zeros, FedMiD with hundreds more, FedAvg with all 1024",
           max(non_zeros[name] for name in AVERAGING) <= 520 and non_zeros["FedMiD"] >= 700 and
           non_zeros["FedAvg"] >= 1020, ", ".join(f"{name} {count:.0f}" for name, count in non_zeros.items()))
    f1 = {t: {name: rows[t]["support_f1"] for name, rows in runs.items()} for t in (250, 500)}
    yield ("3b the F1 of round 500 tells them apart, MC-FedDA's being best",
           f1[500]["MC-FedDA"] == max(f1[500].values()),
           ", ".join(f"{name} {value:.3f}" for name, value in f1[500].items()) +
           " (MC 0.999, Fast 0.88, C 0.85, FedDA 0.75, FedMiD 0.85, FedAvg 0.74)")
    others = [f1[250][name] for name in ("FedMiD", "FedAvg", "FedDA", "Fast-FedDA", "C-FedDA")]
    yield ("4 MC-FedDA's F1 is about 0.89 after its first stage and at least 0.99 after the second, the others' below "
           "0.75 in round 250", f1[250]["MC-FedDA"] > 0.8 and f1[500]["MC-FedDA"] >= 0.99 and max(others) < 0.78,
           f"{f1[250]['MC-FedDA']:.3f}, {f1[500]['MC-FedDA']:.3f}, others up to {max(others):.3f}")
    sent = {name: runs[name][reach[name]]["bytes"] for name in ("FedDA", "Fast-FedDA", "C-FedDA")
            if reach[name] < math.inf}
    yield ("9 with all that their messages hold, Fast-FedDA and C-FedDA send more to reach error 1 than FedDA",
           len(sent) == 3 and min(sent["Fast-FedDA"], sent["C-FedDA"]) > sent["FedDA"],
           ", ".join(f"{name} {count / 1e6:.1f} MB" for name, count in sent.items()))
    yield ("10 the order is one of step sizes: FedDA with the first step of Fast-FedDA, 1/550, is faster than it",
           reach["FedDA 1/550"] < reach["Fast-FedDA"], f"{reach['FedDA 1/550']} against {reach['Fast-FedDA']}")


def figure2(runs):
    def values(rows):
        end = last(rows)
        return (end["frobenius_error"], end["operator_error"], rows[500]["rank"], end["rank"],
                end["mean_squared_residual"], rounds_to(rows, "frobenius_error", 5),
                rounds_to(rows, "frobenius_error", 1))
    print_table("figure 2", ("frobenius_error", "operator_error", "rank in round 500", "rank", "mean_squared_residual",
                             "rounds to 5", "to 1"), {name: values(rows) for name, rows in runs.items()}, FIGURE2)
    ranks = {name: last(rows)["rank"] for name, rows in runs.items()}
    errors = {name: last(rows)["frobenius_error"] for name, rows in runs.items()}
    ratio = errors["FedMiD"] / errors["FedDA"]
    yield ("5 dual averaging ends with rank 16, FedMiD with a larger one and about 1.75 times the error",
           all(ranks[name] == 16 for name in AVERAGING) and ranks["FedMiD"] > 20 and 1.4 < ratio < 2.1,
           ", ".join(f"{name} {rank:.0f}" for name, rank in ranks.items()) + f", {ratio:.2f} times")


def figure3(runs, title):
    print_table(title, ("train_loss", "test_accuracy"),
                {name: (last(rows)["train_loss"], last(rows)["test_accuracy"]) for name, rows in runs.items()},
                FIGURE3 if title == "figure 3" else {})
    loss = {name: last(rows)["train_loss"] for name, rows in runs.items()}
    fast, slow = ("Fast-FedDA", "C-FedDA", "MC-FedDA"), ("FedMiD", "FedAvg", "FedDA")
    yield (f"11a {title}: Fast-, C- and MC-FedDA end with less loss than FedMiD, FedDA and FedAvg at the paper's step",
           max(loss[name] for name in fast) < min(loss[name] for name in slow),
           ", ".join(f"{name} {value:.3f}" for name, value in loss.items()))
    level = 0.98 * min(last(runs[name])["test_accuracy"] for name in fast + slow)
    reach = {name: first(rows, lambda row: row["test_accuracy"] >= level) for name, rows in runs.items()}
    yield (f"11b {title}: Fast- and C-FedDA reach 0.98 of the final test accuracy first",
           max(reach["Fast-FedDA"], reach["C-FedDA"]) <= min(reach[name] for name in slow),
           f"accuracy {level:.3f} in rounds " + ", ".join(f"{name} {t}" for name, t in reach.items()))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    groups = {"bao2022-figure1": figure1, "bao2022-figure2": figure2,
              "bao2022-figure3": lambda runs: figure3(runs, "figure 3"),
              "bao2022-figure3-mnist": lambda runs: figure3(runs, "figure 3 on MNIST")}
    verdicts = []
    for folder in map(pathlib.Path, sys.argv[1:]):
        name = json.loads((folder / "scenario.json").read_text(encoding="utf-8"))["name"]
        verdicts += groups[name](read_sweep(folder))
    print("\n| statement | holds | measured |\n|---|---|---|")
    for text, holds, measured in verdicts:
        print(f"| {text} | {'yes' if holds else 'NO'} | {measured} |")
    sys.exit(0 if verdicts and all(holds for _, holds, _ in verdicts) else 1)


if __name__ == "__main__":
    main()
