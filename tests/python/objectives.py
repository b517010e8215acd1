"""Losses, regularizers and metrics in Python that the tests run: lagnet's own once more, and some that go wrong."""

import numpy as np

import lagnet


class Squared(lagnet.Loss):
    smoothness = 1.0

    def value(self, scores, labels):
        return (scores - labels) * (scores - labels) / 2

    def derivative(self, scores, labels):
        return scores - labels


class CurvedSquared(Squared):
    def curvature(self, scores, labels):
        return np.ones_like(scores)


class Logistic(lagnet.Loss):
    smoothness = 0.25
    lipschitz = 1.0
    attains_infimum = False

    def value(self, scores, labels):
        return np.logaddexp(0, -labels * scores)

    def derivative(self, scores, labels):
        with np.errstate(over="ignore"):  # infinity gives the right limit, 0
            return -labels / (1 + np.exp(labels * scores))

    def curvature(self, scores, labels):
        with np.errstate(over="ignore"):
            return 1 / (2 + np.exp(labels * scores) + np.exp(-labels * scores))

    def label_problem(self, label):
        return None if label in (-1, 1) else "-1 or 1"


class Rough(lagnet.Loss):
    """States no smoothness."""

    def value(self, scores, labels):
        return np.abs(scores - labels)

    def derivative(self, scores, labels):
        return np.sign(scores - labels)


class Scaled(lagnet.Loss):
    """Has an option, and a smoothness that follows from it."""

    weight: float = 1.0

    @property
    def smoothness(self):
        return self.weight

    def value(self, scores, labels):
        return self.weight * (scores - labels) ** 2 / 2

    def derivative(self, scores, labels):
        return self.weight * (scores - labels)


class L1(lagnet.Regularizer):
    l1: float = 0.1
    separable = True

    def value(self, x):
        return self.l1 * np.abs(x).sum()

    def prox(self, q, step):
        return np.sign(q) * np.maximum(np.abs(q) - step * self.l1, 0)

    def gradient(self, x):
        return self.l1 * np.sign(x)


class Ridge(lagnet.Regularizer):
    weight: float = 0.1

    def value(self, x):
        return self.weight / 2 * np.dot(x, x)

    def prox(self, q, step):
        return q / (1 + step * self.weight)

    def gradient(self, x):
        return self.weight * x

    def prox_flops(self, d):
        return d

    @property
    def smoothness(self):
        return self.weight


class ProxAlone(lagnet.Regularizer):
    def value(self, x):
        return 0.0

    def prox(self, q, step):
        return q


class Objective(lagnet.Metric):
    def value(self, x, problem):
        return problem.objective(x)


class ByHand(lagnet.Metric):
    """The mean of the squared loss over the samples."""

    scale: float = 1.0

    def value(self, x, problem):
        residual = problem.X @ x - problem.y
        return self.scale * residual @ residual / (2 * len(problem.y))


class NonZeros(lagnet.Metric):
    def value(self, x):
        return np.count_nonzero(x)


class Gives(lagnet.Loss):
    """Gives something else at one function, and after some calls."""

    smoothness = 1.0
    at: str = "derivative"
    what: str = "none"
    calls: int = 0

    def value(self, scores, labels):
        return self.given("value", (scores - labels) ** 2 / 2)

    def derivative(self, scores, labels):
        return self.given("derivative", scores - labels)

    def given(self, function, numbers):
        if function != self.at:
            return numbers
        self.calls -= 1
        return numbers if self.calls >= 0 else wrong(self.what, numbers)


class GivesProx(lagnet.Regularizer):
    at: str = "prox"
    what: str = "none"

    def value(self, x):
        return wrong(self.what, 0.0) if self.at == "value" else 0.0

    def prox(self, q, step):
        return wrong(self.what, q) if self.at == "prox" else q

    def gradient(self, x):
        return wrong(self.what, 0 * x) if self.at == "gradient" else 0 * x


class GivesMetric(lagnet.Metric):
    what: str = "none"

    def value(self, x):
        return None if self.what == "nothing" else wrong(self.what, 1.0)


def wrong(what, numbers):
    match what:
        case "none":
            return None
        case "text":
            return "seven"
        case "short":
            return np.zeros(1)
        case "square":
            return np.ones((2, 2))
        case "nan":
            return numbers * np.nan
        case "complex":
            return np.asarray(numbers) * 1j
        case "raise":
            raise KeyError("seven")
        case "forever":
            begun.append(what)
            while True:
                pass


begun = []


class Keeps(lagnet.Metric):
    kept = []

    def value(self, x, problem):
        self.kept.append(problem)
        return 0


class Judges(lagnet.Loss):
    smoothness = 1.0

    def value(self, scores, labels):
        return scores**2

    def derivative(self, scores, labels):
        return 2 * scores

    def label_problem(self, label):
        raise ZeroDivisionError("no label is any good")


class NoDerivative(lagnet.Loss):
    def value(self, scores, labels):
        return scores**2


class NegativeSmoothness(Squared):
    smoothness = -1


class SmoothWithoutGradient(ProxAlone):
    smoothness = 1.0
