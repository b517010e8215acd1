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

import dataclasses
import hashlib
import importlib
import inspect
import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from .agents import Agent


class Method:
    """The base of Peers and ServerAndClients. Annotated attributes of a class are its options: they can be given when
    it is made, swept and tuned, and stand in scenario.json."""

    roles: ClassVar[str] = ""
    asynchronous: ClassVar[bool] = False  # whether what it computes depends on the order in which messages come

    keeps_constraint: ClassVar[bool] = False  # whether its iterates stay in the problem's constraint set

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "roles" in cls.__dict__:  # Peers and ServerAndClients
            return
        dataclasses.dataclass(eq=False, kw_only=True)(cls)
        _known[name_of(cls)] = cls

    def section(self) -> dict[str, Any]:
        """What stands for it in a scenario."""
        from .documents import plain

        cls = type(self)
        options = {field.name: getattr(self, field.name) for field in dataclasses.fields(cls)}
        return {"kind": "python", "class": name_of(cls), "roles": cls.roles,
                "asynchronous": cls.asynchronous, "keeps_constraint": cls.keeps_constraint,
                "source_sha256": source_of(cls),
                "options": plain(options, "/algorithm/options")}


class Peers(Method):
    """A method whose agents are all alike: samples are divided among them, and each reports an iterate of its own. The
    row of a round is about the mean of their iterates."""

    roles: ClassVar[str] = "peers"

    async def run(self, me: Agent) -> None:
        """What every agent does."""
        raise NotImplementedError(f"{type(self).__name__} has no function: async def run(self, me)")


class ServerAndClients(Method):
    """A method of a server, agent 0, which reports the iterate, and clients, which hold the samples."""

    roles: ClassVar[str] = "server_and_clients"

    async def serve(self, me: Agent) -> None:
        """What the server does."""
        raise NotImplementedError(f"{type(self).__name__} has no function: async def serve(self, me)")

    async def train(self, me: Agent) -> None:
        """What every client does; the run ends when the server has finished."""
        raise NotImplementedError(f"{type(self).__name__} has no function: async def train(self, me)")


_known: dict[str, type[Method]] = {}


def name_of(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def called(section: Mapping[str, Any]) -> str:
    """What an algorithm is called: its kind, or the class in Python."""
    return re.split("[:.]", section["class"])[-1] if section["kind"] == "python" else str(section["kind"])


def source_of(cls: type) -> str:
    """The SHA-256 of the class's source; "" where it is not known, as of what was typed into a prompt."""
    try:
        return hashlib.sha256(inspect.getsource(cls).encode()).hexdigest()
    except (OSError, TypeError):
        return ""


def class_of(name: str) -> type[Method] | None:
    """The class "module:Class", imported if need be."""
    if name not in _known:
        module, _, _ = name.partition(":")
        try:
            importlib.import_module(module)
        except ImportError:
            return None
    return _known.get(name)


def made(name: str, source_sha256: str, options: str) -> Method | tuple[str, str, str]:
    """The instance that a scenario asks for, or what is wrong: key, what was expected, what was found."""
    cls = class_of(name)
    if cls is None:
        return "class", "a class of lagnet.Peers or lagnet.ServerAndClients that can be imported", name
    if source_sha256 and source_sha256 != (now := source_of(cls)):
        found = f"{now[:12]}.." if now else "none"
        return "source_sha256", f"the source of {name} as it was, {source_sha256[:12]}..", found
    given = json.loads(options)
    fields = {field.name: field for field in dataclasses.fields(cls)}
    for key in given:
        if key not in fields:
            return "options", f"options of {name} ({', '.join(fields) or 'none'})", key
    for key, field in fields.items():
        if key not in given and field.default is field.default_factory is dataclasses.MISSING:
            return "options", f"a value of {key}, which {name} has no default for", "none"
    return cls(**given)
