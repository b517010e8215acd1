"""Holds simulated round times against those of real TCP connections over the wire, for a matrix of networks.

    sudo LAGNET=build/release/bin/lagnet python3 tests/realtime/validate.py [--quick] [--out TABLE.md]

Each agent is a process in a network namespace of its own. The wire gives each pair of neighbors a latency and a
bandwidth; the simulation gets the same, calibrated for what every packet adds: see calibrated()."""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from wire_support import Wire

LAGNET = os.path.abspath(os.environ.get("LAGNET", "build/release/bin/lagnet"))
MTU, HEADERS = 1500, 52          # bytes of a packet; of IP and TCP with time stamps in it
FRAME = 24 + 64 + 4              # bytes of a frame around the numbers of a message
COMPUTE_S = 0.005                # of each round, by a timer

TOPOLOGIES = {
    "star": lambda m: {"kind": "star", "agents": m},
    "ring": lambda m: {"kind": "ring", "agents": m},
    "lattice": lambda m: {"kind": "lattice", "rows": int(m**0.5), "columns": int(m**0.5)},
}


def neighbors(kind, m):
    """The pairs of agents with a link."""
    if kind == "star":
        return [(0, k) for k in range(1, m)]
    if kind == "ring":
        return sorted({tuple(sorted((k, (k + 1) % m))) for k in range(m)})
    side = int(m**0.5)
    return [(a, b) for a, b in itertools.combinations(range(m), 2)
            if abs(a // side - b // side) + abs(a % side - b % side) == 1]


def calibrated(latency_ms, mbit_per_s):
    """The network of the simulation. Of each packet HEADERS bytes are no payload; the wire hands packets over 0.1 ms
    late in the median, and a socket takes about as long on each side."""
    return {"latency_ms": latency_ms + 0.15, "bandwidth_bytes_per_s": mbit_per_s * 1e6 / 8 * (MTU - HEADERS) / MTU,
            "header_bytes": FRAME}


def scenario(kind, m, latency_ms, mbit_per_s, numbers, rounds):
    return {
        "lagnet": 1, "name": "validation",
        "data": {"source": "gaussian_regression", "samples": 2 * m, "features": numbers},
        "topology": TOPOLOGIES[kind](m),
        "network": calibrated(latency_ms, mbit_per_s),
        "compute": {"speed_flops_per_s": 8 * numbers / COMPUTE_S},
        "algorithm": {"kind": "dgd", "step": 1e-3},
        "stop": {"rounds": rounds}, "record": {"every": 1, "optimum": False},
    }


def config(kind, m, latency_ms, mbit_per_s):
    link = {"latency_ms": latency_ms, "bandwidth_mbit_per_s": mbit_per_s, "queue_bytes": 8_000_000}
    hosts = [{"name": f"h{k}", "address": f"10.77.0.{k + 1}"} for k in range(m)]
    links = [{"from": f"h{a}", "to": f"h{b}", **link} for pair in neighbors(kind, m) for a, b in (pair, pair[::-1])]
    return {"mtu": MTU, "hosts": hosts, "links": links}


def in_namespace(name, *command):
    return ["ip", "netns", "exec", name, *command]


def lagnet(folder, *words):
    run = subprocess.run([LAGNET, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"lagnet {' '.join(map(str, words))}: {run.stderr}")
    return run.stdout


def measure(kind, m, latency_ms, mbit_per_s, numbers, rounds):
    """What `lagnet deploy compare` says of one cell."""
    with tempfile.TemporaryDirectory(prefix="lagnet-validate-") as folder:
        folder = pathlib.Path(folder)
        (folder / "s.json").write_text(json.dumps(scenario(kind, m, latency_ms, mbit_per_s, numbers, rounds)))
        (folder / "hosts.txt").write_text("".join(f"10.77.0.{k + 1}:7700 {k}\n" for k in range(m)))
        lagnet(folder, "run", "s.json", "--out", "simulated", "--quiet")
        lagnet(folder, "deploy", "plan", "s.json", "--agents", "hosts.txt", "--out", "plan.json", "--quiet")
        with Wire(config(kind, m, latency_ms, mbit_per_s), "--realtime") as wire:
            for name in wire.namespaces.values():
                for setting in ("tcp_slow_start_after_idle=0", "tcp_congestion_control=cubic", "tcp_no_metrics_save=1"):
                    subprocess.run(in_namespace(name, "sysctl", "-q", f"net.ipv4.{setting}"), check=False,
                                   stderr=subprocess.DEVNULL)
            agents = [subprocess.Popen(in_namespace(wire.namespaces[f"h{k}"], LAGNET, "agent", "plan.json", "--id",
                                                    str(k), "--insecure", "--quiet", "--patience-s", "120"),
                                       cwd=folder, stderr=subprocess.PIPE, text=True) for k in range(m)]
            errors = [agent.communicate()[1] for agent in agents]
            if any(agent.returncode for agent in agents):
                raise RuntimeError(" ".join(errors))
            statistics = wire.stop()
        lagnet(folder, "deploy", "collect", "plan.json", *[f"agent_{k}.record" for k in range(m)], "--out", "real",
               "--quiet")
        found = json.loads(lagnet(folder, "deploy", "compare", "real", "simulated", "--json"))
        found["lateness_us"] = max(link["lateness_us"]["p95"] for link in statistics["links"])
        return found


def matrix(quick):
    if quick:
        return itertools.product(["ring"], [4], [10], [100], [125, 12500])
    return itertools.product(TOPOLOGIES, [4, 9, 16], [1, 10, 50], [10, 100], [125, 12500, 125000])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two cells alone")
    parser.add_argument("--out", help="file for the table; by default it is printed")
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    head = ["| topology | agents | latency, ms | Mbit/s | message, kB | round, ms | simulated, ms | median error | "
            "95th percentile | same bits |", "|---|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(head))
    rows = []
    for kind, m, latency_ms, mbit_per_s, numbers in matrix(options.quick):
        try:
            found = measure(kind, m, latency_ms, mbit_per_s, numbers, options.rounds)
        except unittest.SkipTest as reason:
            print(f"skipped: {reason}")
            return 77
        rows.append(f"| {kind} | {m} | {latency_ms} | {mbit_per_s} | {numbers * 8 / 1000:g} | "
                    f"{1e3 * found['real_s']:.2f} | {1e3 * found['simulated_s']:.2f} | "
                    f"{100 * found['error_median']:.1f} % | {100 * found['error_p95']:.1f} % | "
                    f"{'yes' if found['same_values'] else 'NO'} |")
        print(rows[-1], flush=True)
    if options.out:
        pathlib.Path(options.out).write_text("\n".join(head + rows) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
