#!/usr/bin/env python3
"""Holds runs of the scenarios here against what a reproduction must show.

    statements.py FOLDER...

The folders are those of the sweeps, in any order; each is known by the name in its scenario.json, and a statement whose
runs are not there is left out. Prints relative loss and test accuracy of each setting, then each statement with its
verdict. Exit status 1 if one does not hold.
"""
import csv
import json
import pathlib
import sys

SHAPES = ("mnist", "news20", "covtype")
METHODS = ("hyfdca", "hybrid_fed_avg", "hyfem")
FRACTIONS = (0.1, 0.5, 0.9)
WIDTH = 5  # rows of a moving average


class Run:
    """A point of a sweep: its line of sweep.csv and its rows of progress.csv."""

    def __init__(self, folder, line):
        self.line = line
        with open(folder / line["point"] / "progress.csv", newline="", encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))

    def value(self, pointer):
        return json.loads(self.line[pointer])

    def column(self, name):
        return [float(row[name]) for row in self.rows]

    def averages(self, name):
        """Moving averages of a column, the last one at the end of the run."""
        values = self.column(name)
        return [sum(values[i:i + WIDTH]) / WIDTH for i in range(max(1, len(values) - WIDTH + 1))]

    def end(self, name):
        return self.averages(name)[-1]

    def last(self, name):
        return self.column(name)[-1]


def runs_of(folder):
    with open(folder / "sweep.csv", newline="", encoding="utf-8") as file:
        return [Run(folder, line) for line in csv.DictReader(file)]


def settings(runs):
    """{(clients, fraction): {method: run}}, clients ascending."""
    found = {}
    for run in runs:
        key = (run.value("/topology/agents") - 1, run.value("/participation/clients/fraction"))
        found.setdefault(key, {})[run.value("/algorithm")["kind"]] = run
    return found


def listed(values, form="{:.2g}"):
    return ", ".join(form.format(value) for value in values)


def table(title, of_settings):
    print(f"{title:32}" + "".join(f"{method:>22}" for method in METHODS))
    for (clients, fraction), runs in of_settings.items():
        cells = (f"{runs[m].end('relative_loss'):14.2e}{runs[m].end('test_accuracy'):8.3f}" for m in METHODS)
        print(f"  {clients:5} clients, fraction {fraction:3}  " + "".join(cells))


def comparisons(of_settings):
    """(is HyFDCA better, by how much, where) for each setting, other method and metric."""
    for (clients, fraction), runs in of_settings.items():
        for other in METHODS[1:]:
            for metric, sign in (("relative_loss", -1), ("test_accuracy", 1)):
                gain = sign * (runs["hyfdca"].end(metric) - runs[other].end(metric))
                yield gain > 0, metric, f"{clients}/{fraction} {other} {metric} by {-gain:.2g}"


def better(statement, what, of_settings, most_exceptions):
    found = list(comparisons(of_settings))
    exceptions = [where for good, _, where in found if not good]
    text = f"{what}: HyFDCA better in {len(found) - len(exceptions)} of {len(found)} comparisons"
    text += f", but {'; '.join(exceptions)}" if exceptions else ""
    losses = all(good for good, metric, _ in found if metric == "relative_loss")
    return statement, text, losses and len(exceptions) <= most_exceptions


def equal_iterations(shape, runs):
    of_settings = settings(runs)
    table(f"{shape}, equal iterations", of_settings)
    floors = [min(runs[m].averages("relative_loss")) for runs in of_settings.values() for m in METHODS[1:]]
    curves = [runs["hyfdca"].averages("relative_loss") for runs in of_settings.values()]
    falling = [sum(curve[-20:]) < sum(curve[len(curve) // 2 - 20:len(curve) // 2]) for curve in curves]
    lower = [runs["hyfdca"].end("relative_loss") < min(min(runs[m].averages("relative_loss")) for m in METHODS[1:])
             for runs in of_settings.values()]
    yield ("S3", f"{shape}: lowest averages of the baselines from {min(floors):.2g} to {max(floors):.2g}; HyFDCA falls "
           f"in the second half in {sum(falling)} of 9, and ends below all that they reach in {sum(lower)} of 9",
           min(floors) > 0.05 and all(falling) and all(lower))
    yield better("S4", f"{shape}, equal iterations", of_settings, 2)
    ratios = [runs["hyfdca"].last("encrypting_s") / runs["hyfdca"].last("computing_s")
              for runs in of_settings.values()]
    yield ("S5", f"{shape}: encrypting takes {min(ratios):.1f} to {max(ratios):.0f} times as long as computing",
           min(ratios) > 1)
    if shape != "news20":
        return
    clients = sorted({clients for clients, _ in of_settings})
    ends = {key: runs["hyfdca"].end("relative_loss") for key, runs in of_settings.items()}
    by_fraction = all(ends[c, 0.1] > ends[c, 0.5] > ends[c, 0.9] for c in clients)
    by_clients = all(ends[a, f] < ends[b, f] for f in FRACTIONS for a, b in zip(clients, clients[1:]))
    text = "; ".join(f"{c} clients {listed(ends[c, f] for f in FRACTIONS)}" for c in clients)
    yield "S6", f"relative loss at fractions 0.1, 0.5, 0.9: {text}", by_fraction and by_clients


def equal_time(shape, runs):
    for latency, most in ((0, None), (128.75, 4), (400, None)):
        of_settings = settings([run for run in runs if run.value("/network/latency_ms") == latency])
        what = f"{shape}, equal time at {2 * latency / 1000:g} s"
        table(what, of_settings)
        yield better("S4" if most else "S4 beyond the paper", what, of_settings, most or 6)


def safe(runs):
    ends, worst_fall = [], 0.0
    for run in runs:
        dual = run.column("dual_objective")
        worst_fall = max(worst_fall, max(a - b for a, b in zip(dual, dual[1:])))
        ends.append(run.last("duality_gap"))
    yield ("S1", f"largest gap after {runs[0].rows[-1]['round']} iterations {max(ends):.2g}, four losses, samples, "
           f"both or features divided; largest fall of the dual {worst_fall:.2g}",
           max(ends) < 1e-4 and worst_fall < 1e-12)


def optimum(runs):
    ends = [run.last("relative_loss") for run in runs]
    yield ("S2", f"largest relative loss after {runs[0].rows[-1]['round']} iterations with all clients or half of "
           f"them: {max(ends):.2g}", max(ends) < 1e-7)


def latency(runs):
    seconds = {}
    for run in runs:
        a_round = run.last("simulated_s") / float(run.rows[-1]["round"])
        seconds[run.value("/algorithm")["kind"], run.value("/network/latency_ms")] = a_round
    messages = [seconds[method, 400] - seconds[method, 0] for method in METHODS]
    # The first iterations of a run have fewer phases.
    yield ("S7", f"messages take {listed(messages, '{:.3f}')} s of an iteration of {', '.join(METHODS)} at 0.8 s",
           abs(messages[0] - 3.6) < 0.05 and max(abs(x - 0.8) for x in messages[1:]) < 1e-6)


def stability(runs):
    ends = {}
    for run in runs:
        algorithm = run.value("/algorithm")
        key = (algorithm.get("local_steps", "safe"), algorithm.get("damping", 1),
               run.value("/participation/clients/fraction"))
        ends[key] = run.end("relative_loss")
    few, many, damped = ends[1, 1, 0.9], ends[2, 1, 0.9], ends[10, 16, 0.9]
    yield ("S8", f"relative loss {few:.2g} with H = 1, {many:.2g} with H = 2, {ends[10, 1, 0.9]:.2g} with H = 10, "
           f"{damped:.2g} with H = 10 and s = 16; safe method, all samples: {ends['safe', 1, 0.9]:.2g}",
           few < 0.05 and damped < 0.05 and many > 0.5 and ends[10, 1, 0.9] > 0.5 and ends["safe", 1, 0.9] < 0.5)
    yield ("S6", f"beyond the stable range more participation is worse: H = 2 with fraction 0.5 {ends[2, 1, 0.5]:.2g}, "
           f"0.9 {many:.2g}", ends[2, 1, 0.5] < many)


def main(folders):
    if not folders:
        sys.exit(__doc__)
    readers = {"safe": safe, "optimum": optimum, "latency": latency, "stability": stability}
    for shape in SHAPES:
        readers[shape] = lambda runs, shape=shape: equal_iterations(shape, runs)
        readers[shape + "-time"] = lambda runs, shape=shape: equal_time(shape, runs)
    verdicts = []
    for folder in map(pathlib.Path, folders):
        name = json.loads((folder / "scenario.json").read_text(encoding="utf-8"))["name"]
        verdicts.extend(readers[name.removeprefix("overman2023-")](runs_of(folder)))
    for statement, text, holds in sorted(verdicts):
        print(f"{statement}  {'holds' if holds else 'DOES NOT HOLD'}  {text}")
    return 0 if all(holds for _, _, holds in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
