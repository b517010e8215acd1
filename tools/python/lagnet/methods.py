"""Methods in Python: a class whose agents are async functions. It runs inside lagnet's event loop, as lagnet's own
methods do, with the same time, messages, faults and accounts.

>>> import lagnet
>>> class MyDGD(lagnet.Peers):
...     keeps_constraint = True
...     step: float = 0.1
...     async def run(self, me):
...         x = me.zeros()
...         me.report(0, x)
...         for t in me.rounds():
...             gradient = me.gradient(x)
...             await me.compute(me.gradient_flops)
...             x = me.prox(await me.mix(x) - self.step * gradient, self.step)
...             await me.compute(2 * me.d + me.prox_flops)
...             me.report(t, x)
>>> result = lagnet.run(lagnet.example("gossip"), algorithm=MyDGD(step=0.05), set={"stop.rounds": 5})
>>> result.status
'done'

What stands between two awaits takes no simulated time; `await me.compute(flops)` lets the time of so much work pass.
The flops are what the method declares. Whatever it draws should come from `me.draws`, so that a run can be repeated.
"""

from __future__ import annotations

from typing import Any, ClassVar

from .agents import Agent
from .classes import Named


class Method(Named, is_base=True):
    """The base of Peers and ServerAndClients. Annotated attributes of a class are its options: they can be given when
    it is made, swept and tuned, and stand in scenario.json."""

    _sort: ClassVar[str] = "Method"
    _place: ClassVar[str] = "/algorithm"
    roles: ClassVar[str] = ""
    asynchronous: ClassVar[bool] = False  # whether what it computes depends on the order in which messages come

    keeps_constraint: ClassVar[bool] = False  # whether its iterates stay in the problem's constraint set

    def _facts(self) -> dict[str, Any]:
        return {"roles": self.roles, "asynchronous": self.asynchronous, "keeps_constraint": self.keeps_constraint}


class Peers(Method, is_base=True):
    """A method whose agents are all alike: samples are divided among them, and each reports an iterate of its own. The
    row of a round is about the mean of their iterates."""

    roles: ClassVar[str] = "peers"

    async def run(self, me: Agent) -> None:
        """What every agent does."""
        raise NotImplementedError(f"{type(self).__name__} has no function: async def run(self, me)")


class ServerAndClients(Method, is_base=True):
    """A method of a server, agent 0, which reports the iterate, and clients, which hold the samples."""

    roles: ClassVar[str] = "server_and_clients"

    async def serve(self, me: Agent) -> None:
        """What the server does."""
        raise NotImplementedError(f"{type(self).__name__} has no function: async def serve(self, me)")

    async def train(self, me: Agent) -> None:
        """What every client does; the run ends when the server has finished."""
        raise NotImplementedError(f"{type(self).__name__} has no function: async def train(self, me)")
