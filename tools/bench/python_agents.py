"""What agents in Python cost beside those in C++, per agent and round, and what two runs in two threads take.

    PYTHONPATH=tools/python python3 tools/bench/python_agents.py

needs the release build. The same method, DGD, runs by either; `bare` computes and exchanges and does nothing else.
Times are the least of several tries, less those of a run of one round."""

import pathlib
import sys
import tempfile
import threading
import time

import lagnet
from lagnet import inside

AGENTS, ROUNDS, TRIES = 20, 500, 5


class Bare(lagnet.Peers):
    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            await me.compute(100)
            await me.sum(x)
            me.report(t, x)


class DGD(lagnet.Peers):
    step: float = 0.001

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            gradient = me.gradient(x)
            await me.compute(me.gradient_flops)
            x = await me.mix(x) - self.step * gradient
            me.report(t, x)


def scenario(d):
    return {"data": {"source": "gaussian_regression", "samples": 2 * AGENTS, "features": d},
            "topology": {"kind": "ring", "agents": AGENTS}, "stop": {"rounds": ROUNDS},
            "record": {"every": ROUNDS, "optimum": False},
            "network": {"up_bytes_per_s": 1e9, "down_bytes_per_s": 1e9}}


def seconds(call):
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def microseconds(d, algorithm):
    def run(rounds):
        lagnet.run(scenario(d), algorithm=algorithm, set={"stop.rounds": rounds, "record.every": rounds})

    least = min(seconds(lambda: run(ROUNDS)) for _ in range(TRIES)) - min(seconds(lambda: run(1)) for _ in range(TRIES))
    return 1e6 * least / (AGENTS * ROUNDS)


def two_threads():
    """The time of two runs of C++ agents in two threads, of that of one."""
    golden = pathlib.Path(__file__).resolve().parents[2] / "scenarios/examples/gossip.json"

    def run():
        with tempfile.TemporaryDirectory() as folder:
            inside.core().execute("run", golden.read_text(), "gossip", str(golden.parent), ["stop.rounds=4000"],
                                  f"{folder}/r")

    def both():
        threads = [threading.Thread(target=run) for _ in range(2)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()

    return min(seconds(both) for _ in range(TRIES)) / min(seconds(run) for _ in range(TRIES))


def main():
    print(f"{'d':>6}{'C++ dgd':>12}{'Python dgd':>12}{'bare':>12}   us per agent and round")
    for d in (1, 1000):
        row = [microseconds(d, one) for one in ({"kind": "dgd", "step": 0.001}, DGD(), Bare())]
        print(f"{d:>6}" + "".join(f"{us:>12.2f}" for us in row))
    print(f"two runs of C++ agents in two threads take {two_threads():.2f} times one")


if __name__ == "__main__":
    sys.exit(main())
