"""Agents as processes while connections break and processes are killed."""

import json
import random
import subprocess
import time

from proxies import Proxy
from support import PROGRAM, Case
from test_deploy_plan import free_ports

AGENTS = 5
PAIRS = [(1, 0), (2, 1), (3, 2), (4, 3), (4, 0)]  # of the ring: who calls whom


class Faults(Case):
    def deploy(self, changes):
        """A process for each agent of a ring, which calls its neighbors through proxies."""
        self.write_small({"/record/every": 100, **changes})
        ports = free_ports(AGENTS)
        self.write("hosts.txt", "".join(f"127.0.0.1:{port}\n" for port in ports))
        self.succeeds("deploy", "plan", "s.json", "--agents", "hosts.txt", "--out", "plan.json", "--quiet")
        plan = json.loads((self.folder / "plan.json").read_text(encoding="utf-8"))
        self.proxies = [Proxy(ports[listener]) for _, listener in PAIRS]
        for proxy in self.proxies:
            self.addCleanup(proxy.close)
        for agent in range(AGENTS):
            for (caller, listener), proxy in zip(PAIRS, self.proxies):
                plan["processes"][listener]["port"] = proxy.port if caller == agent else ports[listener]
            (self.folder / f"{agent}.json").write_text(json.dumps(plan), encoding="utf-8")
        self.running = {agent: self.start(agent) for agent in range(AGENTS)}

    def start(self, agent):
        with open(self.folder / f"{agent}.err", "ab") as err:
            process = subprocess.Popen([PROGRAM, "agent", f"{agent}.json", "--id", str(agent), "--out",
                                        f"{agent}.record", "--quiet"], cwd=self.folder, stderr=err)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def begun(self):
        """Once all have met, so that time has begun for each."""
        deadline = time.monotonic() + 200
        while not all((self.folder / f"{agent}.record").exists() and (self.folder / f"{agent}.record").stat().st_size
                      for agent in range(AGENTS)):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def ends(self):
        for agent, process in self.running.items():
            self.assertEqual(process.wait(timeout=110), 0,
                             (self.folder / f"{agent}.err").read_text(encoding="utf-8")[-2000:])

    def collect(self):
        records = sorted(path.name for path in self.folder.glob("*.record.*")) + [f"{k}.record" for k in range(AGENTS)]
        status, out, err = self.lagnet("deploy", "collect", "plan.json", *records, "--out", "real", "--quiet")
        self.assertEqual(status, 0, err)
        return records

    def is_disturbed(self):
        """Whether the run goes on."""
        return all(process.poll() is None for process in self.running.values())

    def test_nothing_is_lost_or_taken_twice_where_connections_break_freeze_and_slow_down(self):
        # 1,200 rounds of a computation of 10 ms; the faults take 3 s, and each holds up its neighborhood.
        self.deploy({"/stop/rounds": 1200, "/compute": {"speed_flops_per_s": 1.4e4}})
        self.begun()
        draws = random.Random(5)
        faults = 0
        for fault in ["cut"] * 33 + ["freeze"] * 2 + ["slow"] * 5:
            proxy = draws.choice(self.proxies)
            {"cut": proxy.cut, "freeze": proxy.freeze, "slow": lambda at=proxy: at.slow_down(0.3)}[fault]()
            faults += self.is_disturbed()
            time.sleep(draws.uniform(0.02, 0.12))
        self.ends()
        self.assertEqual(faults, 40)
        self.collect()
        self.succeeds("run", "s.json", "--out", "simulated", "--quiet")
        tables = [self.table(f"{name}/progress.csv") for name in ("real", "simulated")]
        real, simulated = ([[row[key] for key in ("round", "objective")] for row in rows] for rows in tables)
        self.assertEqual(real, simulated)
        # Before the end, how many messages agents that are ahead have sent depends on times.
        real, simulated = ([rows[-1][key] for key in ("messages", "bytes")] for rows in tables)
        self.assertEqual(real, simulated)
        for row in self.table("real/links.csv"):
            self.assertEqual(row["messages_delivered"], row["messages_sent"])

    def test_agents_that_are_killed_a_hundred_times_among_broken_connections_reach_the_last_round(self):
        self.deploy({"/stop/rounds": 1000, "/compute": {"speed_flops_per_s": 1.4e4},
                     "/participation": {"missing_neighbor": {"kind": "reuse_last", "deadline_ms": 10}}})
        self.begun()
        draws = random.Random(6)  # each agent is killed long before its thousandth round, and begins anew
        kills, faults = 0, 0
        while faults < 100:
            self.assertTrue(self.is_disturbed(), "the run has ended before its hundredth fault")
            if draws.random() < 0.6:
                agent = draws.randrange(AGENTS)
                self.running[agent].kill()
                self.running[agent].wait()
                self.running[agent] = self.start(agent)
                kills += 1
            else:
                draws.choice(self.proxies).cut()
            faults += 1
            time.sleep(draws.uniform(0.005, 0.05))
        self.assertGreater(kills, 40)
        self.ends()
        records = self.collect()
        self.assertGreater(len(records), AGENTS)
        self.assertEqual(self.table("real/progress.csv")[-1]["round"], "1000")
        for row in self.table("real/links.csv"):
            self.assertLessEqual(int(row["messages_delivered"]), int(row["messages_sent"]))
        warnings = json.loads((self.folder / "real/summary.json").read_text(encoding="utf-8"))["warnings"]
        self.assertIn("records_without_end", [one["code"] for one in warnings])

    def test_a_killed_process_cannot_come_back_where_neighbors_wait_for_all_messages(self):
        self.deploy({"/stop/rounds": 10**6})
        self.begun()
        self.running[2].kill()
        self.running[2].wait()
        self.running[2] = self.start(2)
        for agent, process in self.running.items():
            if agent in (1, 3):  # the others give up, too, but after their patience
                self.assertEqual(process.wait(timeout=100), 2)
                self.assertIn("process 2 was started anew", (self.folder / f"{agent}.err").read_text(encoding="utf-8"))
        self.assertEqual([path.name for path in self.folder.glob("2.record.*")], ["2.record.1"])
