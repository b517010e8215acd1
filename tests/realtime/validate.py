"""Holds simulated round times against those of real TCP connections over the wire, for a matrix of networks.

    sudo LAGNET=build/release/bin/lagnet python3 tests/realtime/validate.py --rows runs/validation.jsonl

Each agent is a process in a network namespace of its own. The wire gives each pair of neighbors a latency and a
bandwidth; the simulation gets what `lagnet calibrate` measures there. Each cell adds a row to the file as it ends, and
those that have one are not measured again. --table prints all rows as a table."""

import argparse
import itertools
import json
import pathlib
import sys
import time
import unittest

from validate_cell import Network, RunningNetwork

CELLS = ("kind", "agents", "latency_ms", "mbit_per_s", "kilobytes", "method")


def matrix():
    """Every network, with the messages and methods that run on it."""
    for kind, agents, latency_ms, mbit_per_s in itertools.product(("star", "ring", "lattice"), (4, 9, 16), (1, 10, 50),
                                                                  (10, 100)):
        cells = [(kilobytes, "dgd") for kilobytes in (1, 100, 1000)]
        if kind == "star" and agents == 9 and latency_ms > 1:
            cells += [(kilobytes, method) for method in ("fed_avg", "fed_async") for kilobytes in (1, 100)]
        yield (kind, agents, latency_ms, mbit_per_s), cells


def read_rows(path):
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {tuple(row[key] for key in CELLS): row for row in rows}  # of a cell that was measured again the last one


def table(rows):
    lines = ["| method | topology | agents | latency, ms | Mbit/s | message, kB | round, ms | simulated, ms | "
             "median error | 95th percentile | first 3 |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(
            f"| {row['method']} | {row['kind']} | {row['agents']} | {row['latency_ms']} | {row['mbit_per_s']} | "
            f"{row['kilobytes']} | {1e3 * row['real_s']:.2f} | {1e3 * row['simulated_s']:.2f} | "
            f"{100 * row['error_median']:.1f} % | {100 * row['error_p95']:.1f} % | {row['start']:.1f} x |")
    return "\n".join(lines)


def summary(rows):
    """How many cells are within the target: 2 % where a message's latency is longer than its transmission, else
    5 %."""
    lines = []
    for what, aim, is_of in (("latency", 0.02, True), ("bandwidth", 0.05, False)):
        errors = sorted(row["error_median"] for row in rows
                        if (row["latency_ms"] >= 8 * row["kilobytes"] / row["mbit_per_s"]) == is_of)
        if errors:
            within = sum(error <= aim for error in errors)
            lines.append(f"where {what} rules: {within} of {len(errors)} cells within {100 * aim:g} %, "
                         f"median {100 * errors[len(errors) // 2]:.1f} %, largest {100 * errors[-1]:.1f} %")
    same = [row["same_values"] for row in rows if "same_values" in row]
    lines.append(f"the objectives of dgd are the same bits in {sum(same)} of {len(same)} cells")
    return "\n".join(lines)


def lateness(statistics):
    late = [link["lateness_us"] for link in statistics["links"]]
    return {"late_median_us": max(each["median"] for each in late), "late_p95_us": max(each["p95"] for each in late),
            "cpu_s": statistics["cpu_s"],
            "dropped": sum(link["dropped_by_queue"] for link in statistics["links"])}


def measure_network(place, cells, path, congestion):
    network = Network(*place)
    running = RunningNetwork(network, congestion)
    rows = []
    try:
        start = time.monotonic()
        measured = running.calibrate()
        calibration = {"measured_ms": measured["latency_ms"], "measured_mbit": measured["bandwidth_bytes_per_s"] * 8e-6,
                       "calibration_s": round(time.monotonic() - start, 1)}
        for kilobytes, method in cells:
            start = time.monotonic()
            found = running.measure(kilobytes, method)
            rows.append(dict(zip(CELLS, (*place, kilobytes, method))) | found | calibration
                        | {"mtu": network.mtu, "congestion": congestion, "took_s": round(time.monotonic() - start, 1)})
            print(table(rows[-1:]).splitlines()[-1], flush=True)
    finally:
        late = lateness(running.close())
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(json.dumps(row | late) + "\n" for row in rows)


def wanted(cell, only):
    """Whether a cell has all the values asked for: kind=ring, agents=4, ..."""
    return all(str(dict(zip(CELLS, cell))[key]) == value for key, value in (text.split("=") for text in only))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=pathlib.Path, default=pathlib.Path("validation.jsonl"))
    parser.add_argument("--only", nargs="*", default=[], metavar="KEY=VALUE", help="cells with these values alone")
    parser.add_argument("--again", action="store_true", help="measure cells that have a row as well")
    parser.add_argument("--congestion", default="reno", help="congestion control of TCP; the default is reno")
    parser.add_argument("--table", action="store_true", help="print the table of all rows, and measure nothing")
    options = parser.parse_args()
    done = read_rows(options.rows)
    if options.table:
        places = {(*place, *cell): number for number, (place, cell) in enumerate(
            (place, cell) for place, cells in matrix() for cell in cells)}
        rows = [done[cell] for cell in sorted(done, key=lambda cell: (cell[-1], places.get(cell, 0)))]
        print(f"{table(rows)}\n\n{summary(rows)}")
        return 0
    for place, cells in matrix():
        cells = [cell for cell in cells if wanted((*place, *cell), options.only)
                 and (options.again or (*place, *cell) not in done)]
        if not cells:
            continue
        try:
            measure_network(place, cells, options.rows, options.congestion)
        except unittest.SkipTest as reason:
            print(f"skipped: {reason}")
            return 77
        except RuntimeError as error:
            print(f"{place}: {error}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
