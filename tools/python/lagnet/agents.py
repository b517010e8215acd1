"""What an agent of a method in Python sees and may do; methods.py has the methods."""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

Vector = Any  # what numpy.asarray makes a vector of


class _Wait:
    """Something that an agent awaits: the simulation goes on until it is there. The numbers are those of
    tools/python/module/request.hpp."""

    __slots__ = ("lagnet_wait",)

    def __init__(self, *words: Any) -> None:
        self.lagnet_wait = words

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield self)


class Agent:
    """One agent, as its async function sees it. Vectors that come from lagnet are read-only arrays.

    id: its number. neighbors: to whom it sends, ascending; in_neighbors: whom it hears, the same unless links go one
        way
    X, y: its samples (n, features) and labels (n,); None for a server. samples, features: how many
    weight: of a peer, w_i: what its mean loss counts for in the objective (1/m) sum_i w_i f_i; m n_i / n by default
    d: entries of an iterate; features, times the scores of a loss of several
    now: the simulated time, in s
    """

    __slots__ = ("__dict__", "_handle", "_compressors", "id", "neighbors", "in_neighbors", "samples", "features",
                 "weight", "d")

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._compressors: dict[str, Any] = {}
        self.id: int = handle.id
        self.neighbors: list[int] = handle.neighbors
        self.in_neighbors: list[int] = handle.in_neighbors
        self.samples: int = handle.samples
        self.features: int = handle.features
        self.weight: float = handle.weight
        self.d: int = handle.d

    def __repr__(self) -> str:
        return f"<lagnet agent {self.id}>"

    @functools.cached_property
    def X(self) -> Any:
        return self._handle.X

    @functools.cached_property
    def y(self) -> Any:
        return self._handle.y

    @property
    def now(self) -> float:
        return float(self._handle.now_s)

    def zeros(self) -> Any:
        """A vector of d zeros, which may be written to."""
        import numpy as np

        return np.zeros(self.d)

    def rounds(self) -> Iterator[int]:
        """The rounds from 1 to the last one. An agent that was away goes on with the round that its neighbors are
        in."""
        handle = self._handle
        t, last = 1, handle.rounds
        while t <= last:
            yield t
            t = handle.next_round(t)

    def gradient(self, x: Vector) -> Any:
        """The gradient (d,) of this agent's part of the objective at x, by the scenario's loss, as lagnet's own methods
        compute it; `gradient_flops` is what it costs."""
        return self._handle.gradient(x)

    @property
    def gradient_flops(self) -> int:
        return int(self._handle.gradient_flops)

    def prox(self, u: Vector, step: float) -> Any:
        """argmin over x of step r(x) + |x - u|^2 / 2 for the scenario's regularizer r, or the projection of u on its
        constraint; u itself where there is neither. `prox_flops` is what it costs."""
        return self._handle.prox(u, step)

    @property
    def prox_flops(self) -> int:
        return int(self._handle.prox_flops)

    @property
    def gradient_bytes(self) -> int:
        return int(self._handle.gradient_bytes)

    def draws(self, purpose: str, t: int = 0) -> Any:
        """This agent's random numbers for a purpose and round: uniform(n), normal(n), exponential(n), permutation(n),
        distinct(n, k). They depend on the seed, the purpose, the agent and the round alone."""
        return self._handle.draws(purpose, t)

    # What it does at once.

    def report(self, t: int, x: Vector) -> None:
        """Hands over the iterate (d,) after round t. It belongs to a row of progress, and takes no simulated time."""
        self._handle.report(t, x)

    def enter(self, t: int) -> None:
        """What is computed from now on counts for that round; report() and send() do the same."""
        self._handle.enter(t)

    def send(self, to: int, t: int, x: Vector, tag: int = 0) -> None:
        """Sends a vector to a neighbor, without waiting."""
        self._handle.send(to, t, x, tag)

    def broadcast(self, t: int, x: Vector, tag: int = 0) -> None:
        """Sends a vector to every neighbor, without waiting."""
        self._handle.broadcast(t, x, tag)

    def answer(self, request: Any, x: Vector, tag: int = 0) -> None:
        """Sends the answer to a message, to its sender and in its round."""
        self._handle.answer(request, x, tag)

    def compressor(self, section: Any, d: int | None = None) -> Any:
        """A compressor for this agent, of lagnet.compressor("top_k", k=3) or a section {"kind": "top_k", "k": 3}: of
        vectors with d entries, by default those of an iterate. It has d; bits and bytes, those of a compressed vector;
        kept, how many numbers are other than 0; flops, those of compressing; and what theory asks for, delta, and omega
        or None."""
        from .documents import plain

        d = None if d is None else operator.index(d)
        key = json.dumps([plain(section, "compressor"), d])
        if key not in self._compressors:
            self._compressors[key] = self._handle.compressor(json.dumps(plain(section, "compressor")), d)
        return self._compressors[key]

    def compress(self, compressor: Any, x: Vector, t: int) -> Any:
        """Compresses x with what this agent draws for round t; several vectors of a round take their numbers from one
        sequence. `values` are what x becomes, here as for whom it is sent to, `bits` and `bytes` what it is sent in. It
        can be sent in place of a vector; a list of several goes in one message, one after the other. Its flops are left
        to compute(). `compressor` is what compressor() gives, or what that takes."""
        if isinstance(compressor, Mapping):
            compressor = self.compressor(compressor)
        return self._handle.compress(compressor, x, t)

    def cohort(self, t: int) -> list[int]:
        """The neighbors to ask in a round that starts now, as the scenario's participation chooses them."""
        return list(self._handle.cohort(t))

    def drain(self, tag: int = 0) -> list[Any]:
        """All messages of that tag that are there, in order of arrival."""
        return list(self._handle.drain(tag))

    def start(self, number: int, flops: int) -> None:
        """Begins a computation, the number-th update from 0 on, and goes on at once; next_event() tells when it is
        over."""
        self._handle.start(number, flops)

    def used(self, sender: int, age: int) -> None:
        """Tells the record of staleness that an update used what `sender` knew so many updates ago."""
        self._handle.used(sender, age)

    @property
    def absent(self) -> list[int]:
        """The places among in_neighbors whose values the last exchange does not contain."""
        return list(self._handle.absent)

    # What it waits for.

    def compute(self, flops: float, bytes: float = 0) -> _Wait:
        """Lets the simulated time of this work pass; `bytes` are those read from and written to memory."""
        return _Wait(0, flops, bytes)

    def update(self, number: int, flops: float, bytes: float = 0) -> _Wait:
        """compute() for what the method calls its number-th update, from 0 on."""
        return _Wait(15, flops, bytes, number)

    def mix(self, x: Vector) -> _Wait:
        """Sends x to every neighbor, waits for theirs, and gives the mean by the weights of the gossip matrix, w_ii x_i
        + sum_j w_ij x_j. (2 degree + 1) d flops are billed; of a compressed x none, since the method knows how many of
        its entries count, and what else it adds up."""
        return _Wait(1, x)

    def sum(self, x: Vector) -> _Wait:
        """Sends x to every neighbor and gives the sum of theirs."""
        return _Wait(2, x)

    def exchange(self, x: Vector) -> _Wait:
        """Sends x to every neighbor and gives their messages, in the order of in_neighbors; each has sender, round and
        body."""
        return _Wait(3, x)

    def ask(self, t: int, x: Vector, tag: int = 0) -> _Wait:
        """A server's round: sends x to the clients of the round and gives the answers that come in time, by sender."""
        return _Wait(14, t, x, tag)

    def collect(self, t: int, members: Sequence[int] | None = None, until: float | None = None, tag: int = 0) -> _Wait:
        """The messages of round t from these members that come up to a time, in s; by default as the scenario has
        it."""
        return _Wait(4, t, None if members is None else list(members), until, tag)

    def next_request(self) -> _Wait:
        """A client's wait for the server: the newest message, whose round the client then enters."""
        return _Wait(6)

    def receive(self) -> _Wait:
        """The next message, in order of arrival."""
        return _Wait(5)

    def receive_until(self, until: float | None) -> _Wait:
        """The next message, or None if none comes up to that time, in s."""
        return _Wait(7, until)

    def next_event(self, until: float | None = None) -> _Wait:
        """What comes first: a message; "finished", when what start() began is over; or None, at that time."""
        return _Wait(8, until)

    def sleep(self, seconds: float) -> _Wait:
        return _Wait(9, seconds)

    def arrivals(self) -> _Wait:
        """Waits until everything that was sent with a receipt has arrived."""
        return _Wait(10)

    def encrypt(self, numbers: int) -> _Wait:
        """The time that it takes to encrypt so many numbers; decrypt and add_ciphertexts likewise."""
        return _Wait(11, numbers)

    def decrypt(self, numbers: int) -> _Wait:
        return _Wait(12, numbers)

    def add_ciphertexts(self, additions: int) -> _Wait:
        return _Wait(13, additions)
