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
    d: entries of an iterate; features, times the scores of a loss of several
    now: the simulated time, in s
    """

    __slots__ = ("__dict__", "_handle", "_compressors", "id", "neighbors", "in_neighbors", "samples", "features",
                 "d")

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._compressors: dict[str, Any] = {}
        self.id: int = handle.id
        self.neighbors: list[int] = handle.neighbors
        self.in_neighbors: list[int] = handle.in_neighbors
        self.samples: int = handle.samples
        self.features: int = handle.features
        self.d: int = handle.d

    def __repr__(self) -> str:
        return f"<lagnet agent {self.id}>"

    @functools.cached_property
    def X(self) -> Any:
        return self._handle.X

    @functools.cached_property
    def y(self) -> Any:
        return self._handle.y

    @functools.cached_property
    def weights(self) -> Any:
        """The share s_k of each agent k in the objective F(x) = sum_k s_k L_k(x) + r(x), L_k the mean loss of its
        samples (agents,): n_k / N of all N samples, or 1 / m of m peers that weigh alike; 0 of a server. They add up to
        1. `weight` of a message is that of its sender, so that a server's mean over the answers of a round is

            np.average([one.body for one in answers], axis=0, weights=[one.weight for one in answers])
        """
        return self._handle.weights

    @property
    def weight(self) -> float:
        """The factor of the mean loss of this agent's samples in `gradient`, a number without a unit: of one of m peers
        w_i = m weights[i], which is 1 where all hold as many samples; of a client and a server 1.

            gradient = me.weight / me.samples * me.X.T @ (me.X @ x - me.y)  # of the squared loss, without a regularizer
        """
        return float(self._handle.weight)

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

    def gradient(self, x: Vector, *, regularizer: bool = True) -> Any:
        """The gradient (d,) at x (d,) of this agent's smooth part of the objective, as lagnet's own methods compute it:
        weight * grad L_i(x) + grad r(x), L_i the mean loss of its samples, r the regularizer if that is smooth, such as
        l2, or the square of an elastic net. What is left of the regularizer is for `prox`.

        Of clients, whose `weight` is 1, the mean by `weights` is the gradient of F's smooth part; of m peers, whose
        `weight` is m weights[i], the plain mean is. regularizer=False leaves out grad r, and a class with smooth_by =
        "prox" has it in `prox` instead, as dgd, extra and nids do. It takes no simulated time: await
        compute(gradient_flops), which is what it costs.

            x = x - self.step * me.gradient(x)
        """
        return self._handle.gradient(x, regularizer)

    @property
    def gradient_flops(self) -> int:
        return int(self._handle.gradient_flops)

    def prox(self, u: Vector, step: float) -> Any:
        """argmin over x of step r(x) + |x - u|^2 / 2  (d,), for u (d,) and the r that `gradient` leaves out: l1, a
        group norm, the l1 part of an elastic net; all of the regularizer in a class with smooth_by = "prox". The
        projection of u on the problem's constraint where it has one; u itself where nothing is left. r has no factor:
        after a step alpha along `gradient`, the step of the prox is alpha, too, of peers and of a server. `prox_flops`
        is what it costs.

            x = me.prox(await me.mix(x) - self.step * me.gradient(x), self.step)
        """
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
        """Begins a computation, the number-th update from 0 on, and continues at once; next_event() reports when it is
        over."""
        self._handle.start(number, flops)

    def used(self, sender: int, age: int) -> None:
        """Records, for staleness, that an update used the state of `sender` of this age, in updates."""
        self._handle.used(sender, age)

    @property
    def absent(self) -> list[int]:
        """The places among in_neighbors whose values the last exchange does not contain."""
        return list(self._handle.absent)

    # What it waits for.

    def compute(self, flops: float, bytes: float = 0) -> _Wait:
        """Lets the simulated time of this work pass: flops over the agent's speed (compute.speed_flops_per_s), or
        bytes, those read from and written to memory, over its memory's, whichever is longer. Flops are what the method
        declares; work that is not awaited is free.

            await me.compute(me.gradient_flops + 2 * me.d, me.gradient_bytes)
        """
        return _Wait(0, flops, bytes)

    def update(self, number: int, flops: float, bytes: float = 0) -> _Wait:
        """compute() for what the method calls its number-th update, from 0 on."""
        return _Wait(15, flops, bytes, number)

    def mix(self, x: Vector) -> _Wait:
        """Sends x (d,) to every neighbor, waits for theirs, and gives the mean by the gossip matrix W (d,), w_ii x_i +
        sum_j w_ij x_j, once; other than d entries will do, as many from each agent. W is what topology.gossip says, by
        default lazy_metropolis: w_ij = 1 / (2 (1 + max(degree_i, degree_j))), w_ii the rest to 1. The weights of
        neighbors do not depend on how many samples they hold, and W keeps the plain mean over agents; `lagnet topology`
        prints the gap of W. (2 degree + 1) d flops are billed; of a compressed x none, since the method knows how many
        of its entries count, and what else it adds up.

            x = await me.mix(x) - self.step * me.gradient(x)
        """
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
        """The next message, in order of arrival; those of one instant in an order that is drawn for each sender, round
        and tag. Answers have the round of what they answer: a server that gives each message its own round, as by
        me.send(k, t, w), has no agent that is always the first."""
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
        """Lets the simulated time pass that it takes to encrypt a count of numbers: compute.encryption has the time of
        one, in ms, and the cores that share them; by default 18.882 ms and 1 core. Values do not change, and messages
        do not grow: send x itself.

            await me.encrypt(me.d)
        """
        return _Wait(11, numbers)

    def decrypt(self, numbers: int) -> _Wait:
        """The same for decrypting `numbers` numbers."""
        return _Wait(12, numbers)

    def add_ciphertexts(self, additions: int) -> _Wait:
        """The same for `additions` additions of two encrypted numbers."""
        return _Wait(13, additions)
