"""Losses, regularizers and metrics in Python: classes whose functions compute on whole arrays. Use
them like lagnet's own, with lagnet's methods and with methods in Python.

>>> import numpy as np
>>> import lagnet
>>> class PseudoHuber(lagnet.Loss):
...     threshold: float = 1.0                      # an option: swept, tuned, in scenario.json
...     smoothness = 1.0                            # the derivative's Lipschitz constant in the score
...     def value(self, scores, labels):
...         return self.threshold**2 * (np.sqrt(1 + ((scores - labels) / self.threshold)**2) - 1)
...     def derivative(self, scores, labels):
...         return (scores - labels) / np.sqrt(1 + ((scores - labels) / self.threshold)**2)
>>> class Ridge(lagnet.Regularizer):
...     weight: float = 0.1
...     def value(self, x):
...         return self.weight / 2 * x @ x
...     def prox(self, q, step):
...         return q / (1 + step * self.weight)
...     def gradient(self, x):
...         return self.weight * x
...     @property
...     def smoothness(self):
...         return self.weight
>>> class Largest(lagnet.Metric):
...     def value(self, x):
...         return np.abs(x).max()
>>> result = lagnet.run(lagnet.example("gossip"), loss=PseudoHuber(threshold=0.5), regularizer=Ridge(),
...                     metrics=[Largest()], algorithm={"kind": "dgd", "step": 0.05},
...                     set={"stop": {"rounds": 5}, "problem.constraint": {}})
>>> result.rows()[-1]["Largest"] > result.rows()[0]["Largest"]
True

What a class gives decides what it goes with: `lagnet.Loss` and `lagnet.Regularizer` say what each part is for. There
are no conjugates, so that methods that compute with them refuse such a loss.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from typing import Any, ClassVar

from .classes import Named

Vector = Any  # an array of NumPy


class Loss(Named, is_base=True):
    """A loss l(a, y) of one score a = x'theta and one label y for each sample, convex in a, never negative. Annotated
    attributes of a class are its options.

    smoothness: the Lipschitz constant of the derivative in the score, which steps follow from; None if it is not known
        or there is none. Methods that need it say so.
    lipschitz: a bound on the derivative's absolute value, or None
    attains_infimum: False of a loss that decreases for ever, as the logistic loss does: where data can be separated,
        there is then no minimizer to look for
    """

    _sort: ClassVar[str] = "Loss"
    _place: ClassVar[str] = "/problem/loss"
    smoothness: float | None = None
    lipschitz: float | None = None
    attains_infimum: bool = True

    def value(self, scores: Vector, labels: Vector) -> Any:
        """l(a_i, y_i) of every sample (n,)."""
        raise NotImplementedError

    def derivative(self, scores: Vector, labels: Vector) -> Any:
        """dl/da of every sample (n,); a subgradient where l has a kink."""
        raise NotImplementedError

    def curvature(self, scores: Vector, labels: Vector) -> Any:
        """d2l/da2 of every sample (n,). With it the optimum is found by Newton's method where the regularizer is none,
        l1, l2 or elastic_net, and ssda and msda take the loss."""
        raise NotImplementedError

    def label_problem(self, label: float) -> str | None:
        """The expected labels, "-1 or 1", if this one is not among them."""
        return None

    def _wrong(self) -> tuple[str, str] | None:
        return (_missing(self, "value(self, scores, labels)", "derivative(self, scores, labels)")
                or _no_bound(self, "smoothness") or _no_bound(self, "lipschitz"))


class Regularizer(Named, is_base=True):
    """A convex regularizer r(x) of the iterate x (d,), of a matrix row by row. Annotated attributes of a class are its
    options.

    smoothness: the Lipschitz constant of `gradient`, of a regularizer that is smooth: methods that have no prox then
        take it, as a part of every agent's objective. None where it has kinks: then `gradient` is a subgradient.
    separable: whether it is a sum over coefficients, so that `prox` may be given a block of them: then methods take it
        that divide the features
    """

    _sort: ClassVar[str] = "Regularizer"
    _place: ClassVar[str] = "/problem/regularizer"
    smoothness: float | None = None
    separable: bool = False

    def value(self, x: Vector) -> float:
        """r(x)."""
        raise NotImplementedError

    def prox(self, q: Vector, step: float) -> Any:
        """argmin over x of step r(x) + |x - q|^2 / 2 (d,)."""
        raise NotImplementedError

    def gradient(self, x: Vector) -> Any:
        """The gradient at x (d,), or a subgradient."""
        raise NotImplementedError

    def prox_flops(self, d: int) -> int:
        """The flops billed for a prox of d numbers; by default those of soft thresholding."""
        return 3 * d

    def gradient_flops(self, d: int) -> int:
        """The same of a gradient, with adding it up."""
        return 2 * d

    def _wrong(self) -> tuple[str, str] | None:
        needs = ["value(self, x)", "prox(self, q, step)"]
        if self.smoothness is not None:
            needs.append("gradient(self, x)")
        return _missing(self, *needs) or _no_bound(self, "smoothness", or_zero=True)


@dataclasses.dataclass(eq=False, kw_only=True)
class Metric(Named, is_base=True):
    """A measure of the iterate of a row: a column of progress.csv with the name of the class. Annotated attributes of a
    class are its options.

    column: another name of the column, for a metric that is recorded twice
    """

    _sort: ClassVar[str] = "Metric"
    _place: ClassVar[str] = "/record/metrics"
    _apart: ClassVar[tuple[str, ...]] = ("column",)
    column: str | None = None

    def value(self, x: Vector, problem: Any) -> float | None:
        """The measure of the iterate x (d,), a finite number, or None for an empty cell. The second argument may be
        left out; it is the problem, with the samples `X` (n, d) and `y` (n,) and the function `objective(x)`. It is
        there as long as the call takes."""
        raise NotImplementedError

    def _facts(self) -> dict[str, Any]:
        return {} if self.column is None else {"column": self.column}

    def _wrong(self) -> tuple[str, str] | None:
        return _missing(self, "value(self, x)")

    def _takes_problem(self) -> bool:
        taken = inspect.signature(self.value).parameters.values()
        placed = [one for one in taken if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        return len(placed) > 1 and (placed[1].default is placed[1].empty or placed[1].name == "problem")


def _missing(instance: Named, *functions: str) -> tuple[str, str] | None:
    """The first of the functions that the class does not have."""
    for function in functions:
        if not instance._gives(function.partition("(")[0]):
            return f"a class with the function {function}", f"{type(instance).__name__}, which has none"
    return None


def _no_bound(instance: Named, name: str, or_zero: bool = False) -> tuple[str, str] | None:
    """What a constant of the class is in place of a number, of Python or of NumPy."""
    number = getattr(instance, name)
    if number is None:
        return None
    is_number = hasattr(number, "__float__") and not isinstance(number, (str, bytes, complex))
    if is_number and math.isfinite(number) and (number > 0 or (or_zero and number == 0)):
        return None
    least = "of at least 0" if or_zero else "above 0"
    return f"{name} of {type(instance).__name__} to be a finite number {least}, or None", f"{number!r:.60}"
