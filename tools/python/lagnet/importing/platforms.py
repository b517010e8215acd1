"""What a description of a network alone leaves open: the method, the data, and who is the server."""

from __future__ import annotations

from .drafts import Draft


def add_workload(draft: Draft, hosts: int, first: str) -> None:
    """A small problem that every network can run: federated averaging with the first host as the server."""
    if not draft.is_given("algorithm"):
        draft.assume("algorithm", "the file has no method: federated averaging; --set algorithm=.. gives another one.")
    if not draft.is_given("topology"):
        draft.assume("topology", f"the file does not say who sends to whom: agent 0, {first}, is a server, and all "
                                 "others are its clients.")
    if not draft.is_given("data"):
        draft.assume("data", "the file has no data: 20 generated samples for each agent.")
    draft.put("data", {"source": "gaussian_regression", "samples": 20 * hosts, "features": 10})
    draft.put("topology", {"kind": "star", "agents": hosts})
    draft.put("algorithm", {"kind": "fed_avg"})
    draft.put("stop", {"rounds": 100})
