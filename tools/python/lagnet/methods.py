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

Code between two awaits takes no simulated time; `await me.compute(flops)` lets the time of this work pass.
The flops are what the method declares. Whatever it draws should come from `me.draws`, so that a run can be repeated.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, ClassVar

from .agents import Agent
from .classes import Named


class Method(Named, is_base=True):
    """The base of Peers and ServerAndClients. Annotated attributes of a class are its options: they can be given when
    it is made, swept and tuned, and are in scenario.json."""

    _sort: ClassVar[str] = "Method"
    _place: ClassVar[str] = "/algorithm"
    roles: ClassVar[str] = ""
    asynchronous: ClassVar[bool] = False  # whether what it computes depends on the order in which messages come

    keeps_constraint: ClassVar[bool] = False  # whether its iterates stay in the problem's constraint set

    smooth_by: ClassVar[str] = "gradient"  # which of me.gradient and me.prox has a smooth regularizer, such as l2
    # Which regularizers it takes: "none", "smooth" or "all"; "": those that are in what it calls of me.gradient and
    # me.prox. A problem with another one is refused.
    regularizers: ClassVar[str] = ""

    def _facts(self) -> dict[str, Any]:
        return {"roles": self.roles, "asynchronous": self.asynchronous, "keeps_constraint": self.keeps_constraint,
                "smooth_by": self.smooth_by}

    def _takes(self) -> str:
        """The parts of a regularizer that it computes with: "none", the "smooth" one, the "rest", or "all"."""
        if self.regularizers:
            return self.regularizers
        calls = {name for code in _codes_of(type(self)) for name in _names_in(code)}
        if self.smooth_by == "prox":
            return "all" if "prox" in calls else "none"
        smooth = "gradient" in calls and "regularizer" not in calls  # gradient(x, regularizer=False) leaves it out
        return {(True, True): "all", (True, False): "smooth", (False, True): "rest"}.get((smooth, "prox" in calls),
                                                                                         "none")


def _codes_of(cls: type) -> Iterator[types.CodeType]:
    """The functions of a class, those that it overrides where it uses super(), and those of its module that they
    use."""
    own: dict[str, list[Any]] = {}
    for base in cls.__mro__:
        if base not in (object, Named, Method, Peers, ServerAndClients):
            for name, one in vars(base).items():
                if not name.startswith("__"):
                    own.setdefault(name, []).append(getattr(one, "__func__", getattr(one, "fget", one)))
    waiting = [functions[0] for functions in own.values()]
    met: set[types.CodeType] = set()
    for function in waiting:  # grows
        if not isinstance(function, types.FunctionType) or function.__code__ in met:
            continue
        met.add(function.__code__)
        yield function.__code__
        used = set(_names_in(function.__code__))
        waiting += [one for one in map(function.__globals__.get, sorted(used))
                    if getattr(one, "__module__", "") == cls.__module__]
        if "super" in used:
            waiting += [one for functions in own.values() for one in functions[1:]]


def _names_in(code: types.CodeType) -> Iterator[str]:
    """The names that a function uses, those of keyword arguments and of functions within it included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)
        elif isinstance(constant, tuple):
            yield from (name for name in constant if isinstance(name, str))


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
