"""Watches agents of methods in Python while they run: what they compute, send, report and draw, and when."""

from __future__ import annotations

import collections
import contextlib
import functools
import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .. import agents


class Said(NamedTuple):
    """What an agent sends or reports, and when, in s."""

    when: float
    what: bytes
    is_report: bool


class Watched:
    """What was seen of one run, by agent."""

    def __init__(self) -> None:
        self.flops: collections.Counter[int] = collections.Counter()  # of gradients, proxes, mixing, products with X
        self.gradients: collections.Counter[int] = collections.Counter()
        self.reports: collections.Counter[int] = collections.Counter()
        self.sent: collections.Counter[int] = collections.Counter()  # numbers of doubles, once for each receiver
        self.compressed = False  # whether something was sent in other than doubles
        # Reports and messages, and when.
        self.said: dict[int, list[Said]] = collections.defaultdict(list)
        self.foreign: list[str] = []  # sources of random numbers other than me.draws


class _Samples(np.ndarray[Any, Any]):
    """The samples of an agent, whose products are counted."""

    seen: Any = None
    owner: int = 0

    def __array_finalize__(self, other: Any) -> None:
        self.seen = getattr(other, "seen", None)
        self.owner = getattr(other, "owner", 0)

    def _count(self, product: Any, inputs: Any, axes: Any = 2) -> list[Any]:
        """The two factors as plain arrays, whose product is counted."""
        plain = [np.asarray(one) if isinstance(one, np.ndarray) else one for one in inputs]
        if self.seen is not None:
            left, right = inputs
            self.seen.flops[self.owner] += 2 * np.size(left) * _columns(product, np.shape(right), axes)
        return plain

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if ufunc is np.matmul:
            return getattr(ufunc, method)(*self._count(ufunc, inputs), **kwargs)
        plain = [np.asarray(one) if isinstance(one, np.ndarray) else one for one in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in (np.dot, np.inner, np.vdot, np.tensordot) and len(args) > 1:
            axes = args[2] if len(args) > 2 else kwargs.get("axes", 2)
            return func(*self._count(func, args[:2], axes), *args[2:], **kwargs)
        plain = [np.asarray(one) if isinstance(one, np.ndarray) else one for one in args]
        return func(*plain, **kwargs)

    def dot(self, other: Any, out: Any = None) -> Any:
        dot: Any = np.dot
        return dot(*self._count(dot, [self, other]), out=out)


def _columns(product: Any, right: tuple[int, ...], axes: Any) -> int:
    """How many vectors each row of the left factor is multiplied with; `axes` are those of tensordot."""
    if product is np.vdot:
        return 1
    if product is np.inner:
        return math.prod(right[:-1])
    if product is np.tensordot:
        summed = range(axes) if isinstance(axes, int) else np.atleast_1d(axes[1])
        return math.prod(length for at, length in enumerate(right) if at not in summed)
    return right[-1] if len(right) > 1 else 1


def _is_list_of_packed(body: Any) -> bool:
    return isinstance(body, (list, tuple)) and any(hasattr(one, "bits") for one in body)


def _size(seen: Watched, body: Any) -> int:
    if hasattr(body, "bits") or _is_list_of_packed(body):
        seen.compressed = True
        return 0
    return int(np.size(body))


def _bytes(body: Any) -> bytes:
    if _is_list_of_packed(body):
        return b"".join(map(_bytes, body))
    return np.asarray(getattr(body, "values", body), dtype=float).tobytes()


def _patches(seen: Watched) -> dict[str, Callable[..., Any]]:
    """What takes the place of the functions of an agent, by their names."""

    def note(me: Any, body: Any, is_report: bool = False) -> None:
        seen.said[me.id].append(Said(me.now, _bytes(body), is_report))

    def gradient(old: Any, me: Any, x: Any, **options: Any) -> Any:
        seen.flops[me.id] += me.gradient_flops
        seen.gradients[me.id] += 1
        return old(me, x, **options)

    def prox(old: Any, me: Any, u: Any, step: float) -> Any:
        seen.flops[me.id] += me.prox_flops
        return old(me, u, step)

    def report(old: Any, me: Any, t: int, x: Any) -> None:
        seen.reports[me.id] += 1
        note(me, x, True)
        old(me, t, x)

    def to_all(old: Any, me: Any, x: Any) -> Any:
        seen.sent[me.id] += len(me.neighbors) * _size(seen, x)
        note(me, x)
        return old(me, x)

    def mix(old: Any, me: Any, x: Any) -> Any:
        seen.flops[me.id] += (2 * len(me.in_neighbors) + 1) * _size(seen, x)
        return to_all(old, me, x)

    def broadcast(old: Any, me: Any, t: int, x: Any, tag: int = 0) -> None:
        seen.sent[me.id] += len(me.neighbors) * _size(seen, x)
        note(me, x)
        old(me, t, x, tag)

    def send(old: Any, me: Any, to: Any, t: Any, x: Any, tag: int = 0) -> None:
        seen.sent[me.id] += _size(seen, x)
        note(me, x)
        old(me, to, t, x, tag)

    def answer(old: Any, me: Any, request: Any, x: Any, tag: int = 0) -> None:
        seen.sent[me.id] += _size(seen, x)
        note(me, x)
        old(me, request, x, tag)

    def ask(old: Any, me: Any, t: int, x: Any, tag: int = 0) -> Any:
        seen.sent[me.id] += len(me.neighbors) * _size(seen, x)
        note(me, x)
        return old(me, t, x, tag)

    return {"gradient": gradient, "prox": prox, "report": report, "mix": mix, "sum": to_all, "exchange": to_all,
            "broadcast": broadcast, "send": send, "answer": answer, "ask": ask}


def _samples(seen: Watched) -> Any:
    def X(me: Any) -> Any:
        own = me._handle.X
        if own is None or not isinstance(own, np.ndarray):
            return own
        made = own.view(_Samples)
        made.seen, made.owner = seen, me.id
        return made

    return property(X)


# What gives random numbers of a process, and not of an agent.
FOREIGN = [(np.random, name) for name in ("default_rng", "rand", "randn", "randint", "normal", "uniform", "choice",
                                          "permutation", "shuffle", "random", "RandomState", "seed")] + [
    (random, name) for name in ("random", "randint", "choice", "shuffle", "sample", "gauss", "uniform", "Random",
                                "randrange", "seed")]


@contextlib.contextmanager
def watching() -> Iterator[Watched]:
    """Watches the runs of a block, one at a time."""
    seen = Watched()
    cls: Any = agents.Agent
    before: list[tuple[Any, str, Any]] = [(cls, "X", cls.__dict__["X"])]
    cls.X = _samples(seen)
    for name, new in _patches(seen).items():
        old = cls.__dict__[name]
        before.append((cls, name, old))
        setattr(cls, name, functools.partialmethod(_called, new, old))
    for module, name in FOREIGN:
        old = getattr(module, name)
        before.append((module, name, old))
        setattr(module, name, _foreign(seen, f"{module.__name__}.{name}", old))
    try:
        yield seen
    finally:
        for owner, name, old in reversed(before):
            setattr(owner, name, old)


def _called(me: Any, new: Any, old: Any, *args: Any, **kwargs: Any) -> Any:
    return new(old, me, *args, **kwargs)


def _foreign(seen: Watched, name: str, old: Any) -> Any:
    @functools.wraps(old)
    def noted(*args: Any, **kwargs: Any) -> Any:
        if name not in seen.foreign:
            seen.foreign.append(name)
        return old(*args, **kwargs)

    return noted
