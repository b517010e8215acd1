"""Properties of what a method is billed: flops, bytes, messages, and what these let it know."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import Refused
from .properties_runs import asynchronous, held_counts
from .properties_symmetry import _one_agent, _samples_of_agents
from .proving import Case, prop
from .runs import Document, run, samples_of
from .spies import Said, watching
from .subjects import Subject

# Of the flops that are counted, what may be billed. Sums of vectors are not counted: so many in a round are left to a
# method.
AT_LEAST_BILLED, AT_MOST_BILLED, SUMS_IN_A_ROUND = 0.9, 2, 20
SAME_TIME_S = 1e-9  # moments of events are whole nanoseconds
OUTSIDE = 1e-6  # how far a vector outside of a space is, as a share: rounding is far below


def _in_python(subject: Subject) -> str:
    return "" if subject.in_python else "its kernels count flops themselves; see tests/costs"


@prop("Every message is counted, and rows follow each other.", share=0.25, of_documents=True)
def everything_is_counted(case: Case) -> None:
    outcome = run(case.document)
    held_counts(case, outcome)
    if outcome.summary["status"] == "deadlock":
        raise case.broken(f"it ends in a deadlock: {outcome.result.warnings[0]}")
    if outcome.summary["status"] == "done" and "rounds" in case.document["stop"]:
        wanted = list(range(case.document["stop"]["rounds"] + 1))
        found = [row["round"] for row in outcome.rows]
        if found != wanted:
            raise case.broken(f"rows are of rounds {found}, expected {wanted[0]} to {wanted[-1]}", outcome)


@prop("The flops that it is billed are those that it computes, up to a factor of 2.", leaves_out=_in_python, share=0.25,
      samples=(16, 24))
def flops_are_billed(case: Case) -> None:
    with watching() as seen:
        outcome = run(case.document)
    if outcome.summary["status"] != "done":
        raise Refused("it does not end")
    for row in outcome.result.rows("agents"):
        agent, billed = row["agent"], row["flops"]
        counted = seen.flops[agent]
        rounds = max(1, seen.reports[agent])
        sums = 2 * SUMS_IN_A_ROUND * case.document["data"]["features"] * (rounds + 1)
        if billed < AT_LEAST_BILLED * counted or billed > AT_MOST_BILLED * counted + sums:
            raise case.broken(f"agent {agent} computes {counted} flops of gradients, proxes, products and mixing, and "
                              f"is billed {billed}")
        wanted = case.subject.claims.gradients
        if wanted is not None and row["samples"] > 0:
            allowed = range(wanted * (outcome.rows[-1]["round"]), wanted * (outcome.rows[-1]["round"] + 1) + 2)
            if seen.gradients[agent] not in allowed:
                raise case.broken(f"agent {agent} computes {seen.gradients[agent]} gradients in "
                                  f"{outcome.rows[-1]['round']} rounds, claimed {wanted} in each")


@prop("Bytes are headers and numbers: they follow the declared sizes of both.", share=0.2)
def sizes_are_declared(case: Case) -> None:
    def totals(**sizes: int) -> dict[str, Any]:
        found: dict[str, Any] = run(case.document, changes={"/record": {}, **{
            f"/network/{key}": size for key, size in sizes.items()}}).summary["totals"]
        return found

    if asynchronous(case.subject):
        raise Refused("it is asynchronous: other sizes are other times")
    plain, narrow, headed = totals(), totals(bytes_per_scalar=4), totals(header_bytes=60)
    if headed["bytes_sent"] != plain["bytes_sent"] + 60 * plain["messages_sent"]:
        raise case.broken(f"{plain['messages_sent']} headers of 60 bytes make {plain['bytes_sent']} bytes "
                          f"{headed['bytes_sent']}")
    if not plain["bytes_sent"] / 2 <= narrow["bytes_sent"] <= plain["bytes_sent"]:
        raise case.broken(f"numbers of 4 bytes in place of 8 make {plain['bytes_sent']} bytes {narrow['bytes_sent']}")
    claims, rounds, d = case.subject.claims, case.document["stop"].get("rounds"), case.document["data"]["features"]
    if claims.scalars is not None and plain["bytes_sent"] != 8 * d * claims.scalars * plain["messages_sent"]:
        raise case.broken(f"{plain['messages_sent']} messages have {plain['bytes_sent']} bytes, claimed "
                          f"{claims.scalars:g} times {d} numbers in each")
    if claims.exchanges is not None and rounds is not None:
        outcome = run(case.document)
        links = [row["messages_sent"] for row in outcome.result.rows("links")]
        if any(not claims.exchanges * rounds <= one <= claims.exchanges * rounds + 2 for one in links):
            raise case.broken(f"links carry {sorted(set(links))} messages in {rounds} rounds, claimed "
                              f"{claims.exchanges} in each")


@prop("The bytes that it is billed are those of what it sends.", leaves_out=_in_python, share=0.15)
def messages_are_billed(case: Case) -> None:
    with watching() as seen:
        outcome = run(case.document)
    if seen.compressed:
        raise Refused("its messages are compressed")
    for row in outcome.result.rows("agents"):
        if row["bytes_sent"] > 8 * seen.sent[row["agent"]]:
            raise case.broken(f"agent {row['agent']} sends {seen.sent[row['agent']]} numbers, and is billed "
                              f"{row['bytes_sent']} bytes")
        if outcome.summary["status"] == "done" and row["bytes_sent"] < 8 * seen.sent[row["agent"]]:
            raise case.broken(f"agent {row['agent']} sends {seen.sent[row['agent']]} numbers, and is billed only "
                              f"{row['bytes_sent']} bytes")


@prop("Its random numbers are those of me.draws alone.", leaves_out=_in_python, share=0.15)
def draws_are_its_own(case: Case) -> None:
    with watching() as seen:
        run(case.document)
    if seen.foreign:
        raise case.broken(f"it draws by {', '.join(seen.foreign)}: the same draws for every agent, or others in the "
                          "next run")


@prop("Nobody knows of samples before a message that depends on them can have come.", share=0.4, problem="squared",
      latencies="equal", leaves_out=lambda subject: "the iterates of its agents are not recorded one by one"
      if not subject.in_python else _one_agent(subject))
def nobody_knows_early(case: Case) -> None:
    assert case.world is not None
    X, y = samples_of(case.document)
    first = 1 if case.subject.habitat.server else 0
    other = y.copy()
    other[:case.world.sizes()[0]] += 1  # of the first agent's samples alone
    said = []
    for labels in (y, other):
        with watching() as seen:
            outcome = run(case.document, (X, labels))
        said.append(seen.said)
    differs = {agent: _first_difference(said[0][agent], said[1][agent]) for agent in sorted(said[0])}
    sends = {agent: _first_difference(*([one for one in each[agent] if not one.is_report] for each in said))
             for agent in differs}
    for agent, when in differs.items():
        if agent == first:
            continue
        heard = min((sends.get(link["from"], NEVER) + link["latency_s"] for link in outcome.result.rows("links")
                     if link["to"] == agent), default=NEVER)
        if when < heard - SAME_TIME_S:
            raise case.broken(f"agent {agent} sends or reports after {when * 1e3:.6g} ms what depends on the labels of "
                              f"agent {first}, and no message with them can have come before " + (
                                  "the end" if heard == NEVER else f"{heard * 1e3:.6g} ms"))


NEVER = float("inf")


def _first_difference(one: list[Said], other: list[Said]) -> float:
    """When an agent first says something else; infinite if it does not."""
    for a, b in zip(one, other):
        if a.what != b.what:
            return min(a.when, b.when)
    return NEVER


def _no_span(subject: Subject) -> str:
    if not subject.claims.span or not subject.claims.rotates:
        return "it claims to move by other than gradients of all its samples"
    return asynchronous(subject) or _samples_of_agents(subject)


@prop("It is not better than the gradients that it is billed allow: it stays in their Krylov space.", share=0.2,
      leaves_out=_no_span, problem="squared", regularizer=("l2", "none"))
def not_better_than_its_bill(case: Case) -> None:
    draws = np.random.RandomState(case.document["seed"])
    n, d = 6, 12
    X, y = draws.normal(size=(n, d)), draws.normal(size=n)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    server = case.subject.habitat.server
    topology: Document = {"kind": "star", "agents": 2} if server else {"kind": "complete", "agents": 1}
    outcome = run(case.document, (X, y), {"/topology": topology, "/partition": {"kind": "samples"},
                                          "/stop/rounds": 6})
    A, b = X.T @ X / n, X.T @ y / n
    basis = np.zeros((d, 0))
    spaces = [basis]
    vector = b
    for _ in range(n):
        vector = vector - basis @ (basis.T @ vector)
        vector = vector - basis @ (basis.T @ vector)
        basis = np.column_stack([basis, vector / np.linalg.norm(vector)])
        spaces.append(basis)
        vector = A @ basis[:, -1]
    for row, x in zip(outcome.rows, outcome.iterates):
        gradients = int(row["flops"] / (AT_LEAST_BILLED * 4 * n * d))
        if gradients >= n or not np.isfinite(x).all():
            break
        left = x - spaces[gradients] @ (spaces[gradients].T @ x)
        if np.linalg.norm(left) > OUTSIDE * max(OUTSIDE, float(np.linalg.norm(x))):
            raise case.broken(f"alone, in round {row['round']}, it is billed {row['flops']} flops, those of "
                              f"{gradients} gradients, and is where so few cannot lead")


def _counted(subject: Subject) -> str:
    return "flops_are_billed counts them" if subject.in_python else asynchronous(subject)


@prop("An agent that sends new numbers round after round is billed a flop for each.", share=0.2, leaves_out=_counted)
def new_numbers_cost_flops(case: Case) -> None:
    rounds = case.document["stop"]["rounds"]
    few, more = (run(case.document, changes={"/record": {}, "/stop/rounds": count}) for count in (rounds, 2 * rounds))
    links = [row["from"] for row in few.result.rows("links")]
    for before, after in zip(few.result.rows("agents"), more.result.rows("agents")):
        agent, flops = before["agent"], after["flops"] - before["flops"]
        if before["samples"] == 0:
            continue  # a server that only passes on
        numbers, messages = ((after[key] - before[key]) / max(1, links.count(agent)) for key in
                             ("bytes_sent", "messages_sent"))
        numbers = min(numbers / 8, messages * case.document["data"]["features"])  # encryption makes numbers long
        if flops < numbers:
            raise case.broken(f"agent {agent} sends {numbers:g} numbers to each neighbor in {rounds} more rounds, and "
                              f"is billed {flops} flops for them", more)
