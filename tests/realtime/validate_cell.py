"""One network of the matrix of validate.py: its scenarios, its wire, and what `lagnet` measures and runs on it."""

import csv
import itertools
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile

from wire_support import Wire

LAGNET = os.path.abspath(os.environ.get("LAGNET", "build/release/bin/lagnet"))
START = 3                        # listed separately: connections begin with few bytes on the way at once
PAIR = 2                         # rounds in a measured step: in a bipartite graph each side waits for the other one in
# turn, so that two durations alternate, and which of them is longer depends on who began first
COMPUTE_S = {1: 0.005, 100: 0.005, 1000: 0.02}  # of each round, by a timer; by kB of a message
WIRE_PRIORITY, AGENT_PRIORITY = 20, 10  # of SCHED_FIFO: whatever else the computer does waits

# Everything else is as Linux has it. Reno's slow start goes on until something is lost; the one of cubic ends as soon
# as packets queue up, which leaves its window smaller than a message for dozens of rounds. Slow start begins anew after
# each pause unless that is switched off.
SETTINGS = ("net.ipv4.tcp_congestion_control={congestion}", "net.ipv4.tcp_slow_start_after_idle=0",
            "net.ipv4.tcp_no_metrics_save=1")

TOPOLOGIES = {
    "star": lambda m: {"kind": "star", "agents": m},
    "ring": lambda m: {"kind": "ring", "agents": m},
    "lattice": lambda m: {"kind": "lattice", "rows": int(m**0.5), "columns": int(m**0.5),
                          "hub_at_center": False},  # row by row
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


class Network:
    """A topology with one latency and one bandwidth."""

    def __init__(self, kind, agents, latency_ms, mbit_per_s):
        self.kind, self.agents, self.latency_ms, self.mbit_per_s = kind, agents, latency_ms, mbit_per_s
        self.pairs = neighbors(kind, agents)
        # The wire forwards some 100000 packets a second: where all links together carry more, packets are jumbo frames.
        self.mtu = 1500 if 2 * len(self.pairs) * mbit_per_s <= 1000 else 9000

    def config(self):
        link = {"latency_ms": self.latency_ms, "bandwidth_mbit_per_s": self.mbit_per_s, "queue_bytes": 8_000_000}
        hosts = [{"name": f"h{k}", "address": f"10.77.0.{k + 1}"} for k in range(self.agents)]
        links = [{"from": f"h{a}", "to": f"h{b}", **link} for pair in self.pairs for a, b in (pair, pair[::-1])]
        return {"mtu": self.mtu, "hosts": hosts, "links": links}

    def message_s(self, kilobytes):
        """The approximate time of a message."""
        return self.latency_ms / 1e3 + 8 * kilobytes / 1e3 / self.mbit_per_s

    def rounds(self, kilobytes, method="dgd"):
        """So many that a cell takes a few seconds."""
        a_round = (1 if method == "dgd" else 2) * self.message_s(kilobytes) + COMPUTE_S[kilobytes]
        return max(START + 12, min(80, int(5 / a_round)))


def scenario(network, kilobytes, method, rounds):
    """Without its section `network`, which is measured."""
    numbers = 125 * kilobytes
    speed = 8 * numbers / COMPUTE_S[kilobytes]
    document = {
        "lagnet": 1, "name": "validation",
        "data": {"source": "gaussian_regression", "samples": 2 * network.agents, "features": numbers},
        "topology": TOPOLOGIES[network.kind](network.agents),
        "compute": {"speed_flops_per_s": speed},
        "algorithm": {"kind": "dgd", "step": 0.1 / numbers},
        "stop": {"rounds": rounds}, "record": {"every": 1, "optimum": False},
    }
    clients = network.agents - 1
    # Speeds that differ: who is among the first, and how old answers are, then depends on times.
    speeds = {"kind": "list", "values": [speed] + [speed * (1 - 0.5 * k / clients) for k in range(clients)]}
    if method == "fed_avg":
        document["algorithm"] = {"kind": "fed_avg", "client_step": 0.1 / numbers}
        document["participation"] = {"clients": {"kind": "random_subset", "size": clients},
                                     "enough": max(1, 3 * clients // 4)}
        document["compute"]["speed_flops_per_s"] = speeds
    if method == "fed_async":
        document["algorithm"] = {"kind": "fed_async", "client_step": 0.1 / numbers}
        document["compute"]["speed_flops_per_s"] = speeds
        document["stop"]["rounds"] = rounds * clients
    return document


def lagnet(folder, *words):
    run = subprocess.run([LAGNET, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"lagnet {' '.join(map(str, words))}: {run.stderr}")
    return run.stdout


def round_times(folder):
    """The time of each round's row, in s."""
    with open(folder / "progress.csv", newline="", encoding="utf-8") as file:
        return {int(row["round"]): float(row["simulated_s"]) for row in csv.DictReader(file)}


def compare(real, simulated, stride=1):
    """The times of rounds after the start, each with the one before: see PAIR. Of a method without rounds, `stride`
    updates stand for one."""
    common = sorted(set(real) & set(simulated))[::stride]
    real, simulated = ([times[k] for k in common] for times in (real, simulated))
    steps = [tuple((times[k + PAIR] - times[k]) / PAIR for times in (real, simulated))
             for k in range(START, len(common) - PAIR)]
    errors = sorted(abs(a - b) / b for a, b in steps if b > 0)
    means = [(times[-1] - times[START]) / (len(common) - 1 - START) for times in (real, simulated)]
    return {"rounds": len(common) - 1 - START, "real_s": means[0], "simulated_s": means[1],
            "error_median": statistics.median(errors), "error_p95": errors[int(0.95 * len(errors))],
            "error_total": abs(means[0] - means[1]) / means[1],
            "start": (real[START] - real[0]) / (simulated[START] - simulated[0]),
            "times": {"real": real, "simulated": simulated}}


def cpu_s():
    """Of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_plan(folder, network):
    (folder / "hosts.txt").write_text("".join(f"10.77.0.{k + 1}:7700 {k}\n" for k in range(network.agents)))
    lagnet(folder, "deploy", "plan", "s.json", "--agents", "hosts.txt", "--out", "plan.json", "--quiet")


def scratch():
    """A folder in memory: a process that writes a record to a disk waits for others that write."""
    return tempfile.TemporaryDirectory(prefix="lagnet-validate-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)


class RunningNetwork:
    """The wire of a network, calibrated, on which cells are measured."""

    def __init__(self, network, congestion="reno", realtime=True):
        self.network, self.realtime = network, realtime
        self.wire = Wire(network.config(), *["--realtime"][:realtime])
        if realtime:
            subprocess.run(["chrt", "-f", "-p", str(WIRE_PRIORITY), str(self.wire.process.pid)], check=True)
        settings = [text.format(congestion=congestion) for text in SETTINGS]
        for name in self.wire.namespaces.values():
            subprocess.run(["ip", "netns", "exec", name, "sysctl", "-q", "-w", *settings], check=True)
        self.measured = None

    def close(self):
        return self.wire.stop()

    def on_all_hosts(self, folder, *words):
        """Runs a command of lagnet on each host, with its agent, and gives the state of sockets at the end."""
        priority = ["chrt", "-f", str(AGENT_PRIORITY)] if self.realtime else []
        agents = [subprocess.Popen(["ip", "netns", "exec", self.wire.namespaces[f"h{k}"], *priority, LAGNET, words[0],
                                    "plan.json", "--id", str(k), "--insecure", "--quiet", "--patience-s", "60",
                                    *words[1:]],
                                   cwd=folder, stderr=subprocess.PIPE, text=True)
                  for k in range(self.network.agents)]
        errors = [agent.communicate()[1] for agent in agents]
        if any(agent.returncode for agent in agents):
            raise RuntimeError(" ".join(errors))

    def calibrate(self):
        """The section `network` as `lagnet calibrate` measures it."""
        with scratch() as name:
            folder = pathlib.Path(name)
            (folder / "s.json").write_text(json.dumps(scenario(self.network, 1, "dgd", 10)))
            write_plan(folder, self.network)
            self.on_all_hosts(folder, "calibrate")
            records = [f"agent_{k}.calibration" for k in range(self.network.agents)]
            lagnet(folder, "calibrate", "plan.json", "--collect", *records, "--out", "measured.json", "--quiet")
            self.measured = json.loads((folder / "measured.json").read_text())["network"]
        return self.measured

    def measure(self, kilobytes, method="dgd", rounds=None):
        """The results of a cell, beside those of the simulation with measured times."""
        with scratch() as name:
            folder = pathlib.Path(name)
            rounds = rounds or self.network.rounds(kilobytes, method)
            document = {**scenario(self.network, kilobytes, method, rounds), "network": self.measured}
            (folder / "s.json").write_text(json.dumps(document))
            lagnet(folder, "run", "s.json", "--out", "simulated", "--quiet")
            write_plan(folder, self.network)
            busy = cpu_s()
            self.on_all_hosts(folder, "agent")
            busy = cpu_s() - busy
            records = [f"agent_{k}.record" for k in range(self.network.agents)]
            lagnet(folder, "deploy", "collect", "plan.json", *records, "--out", "real", "--quiet")
            if keep := os.environ.get("KEEP"):
                shutil.copytree(folder, keep, dirs_exist_ok=True)
            found = compare(round_times(folder / "real"), round_times(folder / "simulated"),
                            stride=self.network.agents - 1 if method == "fed_async" else 1)
            found["agents_cpu_s"] = busy
            if method == "dgd":
                told = json.loads(lagnet(folder, "deploy", "compare", "real", "simulated", "--json"))
                found["same_values"] = told["same_values"]
            return found
