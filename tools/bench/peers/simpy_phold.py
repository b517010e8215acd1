#!/usr/bin/env python3
"""PHOLD in SimPy 3 or later, as tools/bench/peers/phold.hpp has it but with Python's random numbers: a process and a
Store for each agent. Prints one line of JSON.

    simpy_phold.py AGENTS POPULATION ARRIVALS"""

import json
import random
import sys
import time

import simpy


def send(env, to, latency, message):
    def arrive(_event):
        to.put(message)

    env.timeout(latency).callbacks.append(arrive)


def send_on(env, mail, links, choices, left, done):
    while True:
        message, hops = yield mail.get()
        left[0] -= 1
        if left[0] == 0:
            done.succeed()
        to, latency = links[choices[(message * 7919 + hops) % len(choices)]]
        send(env, to, latency, (message, hops + 1))


def main():
    agents, population, arrivals = (int(word) for word in sys.argv[1:])
    rng = random.Random(1)
    env = simpy.Environment()
    mail = [simpy.Store(env) for _ in range(agents)]
    distances = [1]
    if agents > 2:
        one_side = rng.sample(range(1, (agents - 1) // 2 + 1), min(4, (agents - 1) // 2))
        distances = [*one_side, *(agents - distance for distance in one_side)]
    links = [[(mail[(agent + distance) % agents], 0.1 + 0.9 * rng.expovariate(1)) for distance in distances]
             for agent in range(agents)]
    choices = [rng.randrange(len(distances)) for _ in range(1 << 16)]
    left, done = [arrivals], env.event()
    for agent in range(agents):
        env.process(send_on(env, mail[agent], links[agent], choices, left, done))
    for message in range(population):
        to, latency = links[message % agents][choices[message * 7919 % len(choices)]]
        send(env, to, latency, (message, 1))
    began = time.process_time()
    env.run(until=done)
    print(json.dumps({"messages": arrivals, "cpu_s": time.process_time() - began, "simulated_s": env.now}))


if __name__ == "__main__":
    main()
