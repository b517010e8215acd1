"""Copies of the methods of correct_methods.py with a bug each, which `lagnet prove` has to find; docstrings say what is
wrong."""

import lagnet
import numpy as np

from correct_methods import Accelerated, Admm, Averaging, Compressed, Dgd, Extra, Nids, Sampling, Tracking


class DgdStale(Dgd):
    """Uses the gradient at the iterate before the last."""

    def place(self, x, before):
        return before


class DgdUnbilled(Dgd):
    """Forgets to bill the gradient."""

    async def bill(self, me):
        await me.compute(me.prox_flops + 2 * me.d)


class DgdNotAwaited(Dgd):
    """Makes the computation and does not await it."""

    async def bill(self, me):
        me.compute(me.gradient_flops + me.prox_flops + 2 * me.d)


class DgdFirstToArrive(Dgd):
    """Mixes with the first neighbor that is heard from alone."""

    async def mixed(self, me, x, t):
        me.broadcast(t, x)
        first = await me.receive()
        for _ in me.in_neighbors[1:]:
            await me.receive()
        return (x + first.body) / 2


class DgdClock(Dgd):
    """Lets the step fall by the clock, not by rounds."""

    def length(self, me):
        return self.step / (1 + me.now)


_blackboard = {}


class DgdBlackboard(Dgd):
    """Reads the neighbors' iterates where all agents write theirs, beside the messages."""

    async def mixed(self, me, x, t):
        if me.now == 0:
            _blackboard.clear()
        _blackboard[me.id] = x
        await me.mix(x)
        return (x + sum(_blackboard.get(j, x) for j in me.neighbors)) / (1 + len(me.neighbors))


_shelf = {}


class DgdPeeks(Dgd):
    """Computes with the samples of the agent before it, which never sent them."""

    def part(self, me, x):
        _shelf[me.id] = (np.array(me.X), np.array(me.y))
        X, y = _shelf.get(me.id - 1, _shelf[me.id])
        return (me.gradient(x) + X.T @ (X @ x - y) / len(y)) / 2

    async def bill(self, me):
        await me.compute(2 * me.gradient_flops + me.prox_flops + 2 * me.d)


class DgdUnnormalized(Dgd):
    """Mixes with weights that do not add up to 1."""

    async def mixed(self, me, x, t):
        total = await me.sum(x)
        return (x + total) / (1.3 + len(me.neighbors))


class DgdTwice(Dgd):
    """Counts a round for every second one: two steps are reported as one."""

    async def following(self, me, x, before, t):
        half = await super().following(me, x, before, t)
        return await super().following(me, half, x, t)


class DgdLeader(Dgd):
    """Gives agent 0 a longer step."""

    def length(self, me):
        return 2 * self.step if me.id == 0 else self.step


class ExtraSign(Extra):
    """Has the wrong sign of the correction, its dual."""

    def half(self, x, mixed):
        return (3 * mixed - x) / 2


class ExtraStale(Extra):
    """Uses the gradient at the iterate before the last."""

    def gradient(self, me, x, before):
        return me.gradient(before)


class ExtraOnce(Extra):
    """Adds the whole gradient in place of its change."""

    def change(self, new, old):
        return self.step * new


class NidsNoProx(Nids):
    """Applies the prox with twice the step."""

    def prox(self, me, z, t):
        return me.prox(z, 2 * self.step)


class NidsBehind(Nids):
    """Forgets the correction x - x- of what is mixed."""

    def ahead(self, x, before):
        return x


class TrackingStart(Tracking):
    """Starts the tracker at zero, not at the gradient."""

    def first(self, me, gradient):
        return me.zeros()


class TrackingWeight(Tracking):
    """Weighs the gradient by the share of the next agent."""

    def gradient(self, me, x):
        k = (me.id + 1) % len(me.weights)
        return me.gradient(x) * me.weights[k] / me.weights[me.id]


class TrackingUnmixed(Tracking):
    """Does not mix the iterates, only the trackers; sends them all the same."""

    async def step_x(self, me, x, y):
        await me.mix(x)
        return x - self.step * y


class TrackingSum(Tracking):
    """Weighs the gradient by the number of samples once more, of a squared loss."""

    claims = {**Tracking.claims, "problems": ["squared"]}

    def gradient(self, me, x):
        return me.gradient(x) * me.samples / 5


class AdmmSign(Admm):
    """Has the wrong sign of the dual."""

    def dual(self, p, x, others, degree):
        return p - self.penalty * (degree * x - others)


class AdmmStaleNeighbors(Admm):
    """Adds to the dual from what the neighbors had before: the own iterate against theirs of the last exchange."""

    async def heard(self, me, x, p, others, degree):
        p = self.dual(p, x, others, degree)
        return await self.others(me, x), p


class AdmmDegree(Admm):
    """Takes every agent for one with two neighbors."""

    def degree(self, me):
        return 2


class AveragingPlain(Averaging):
    """Weighs all clients alike, however many samples each has."""

    def mean(self, me, answers, t):
        return np.mean([one.body for one in answers], axis=0)


class AveragingSum(Averaging):
    """Does not divide by the number of clients: adds their answers, less a part of the first one for each."""

    def mean(self, me, answers, t):
        return sum(one.body for one in answers) - (len(answers) - 1) * answers[0].body * 0.9


class AveragingLast(Averaging):
    """Takes the answers of the round before, one exchange too late."""

    def following(self, mean, before):
        return before


class AveragingHalfBill(Averaging):
    """Bills half of the gradient."""

    async def bill(self, me):
        await me.compute(me.gradient_flops // 2)


class AveragingFat(Averaging):
    """Sends the model back along with the step."""

    def packed(self, request, following):
        return np.concatenate([following, request.body])

    def mean(self, me, answers, t):
        return np.average([one.body[:me.d] for one in answers], axis=0, weights=[one.weight for one in answers])


class CompressedMemory(Compressed):
    """Remembers the gradient itself in place of what the server knows of it."""

    def memory(self, estimate, gradient, packed):
        return gradient


class SamplingShared(Sampling):
    """Draws by the round alone, the same for all clients."""

    def drawn(self, me, request):
        return (7 * request.round + 3) % 5 % me.samples


class SamplingForeign(Sampling):
    """Draws by a generator of its own, seeded by the round."""

    def drawn(self, me, request):
        return int(np.random.default_rng(request.round).integers(me.samples))


class TrackingWhole(Tracking):
    """Adds the whole gradient to the tracker, not its change."""

    def change(self, new, old):
        return new


class TrackingSquare(Tracking):
    """Weighs the gradient, which has its weight, once more."""

    def gradient(self, me, x):
        return me.weight * me.gradient(x)


class DgdBehind(Dgd):
    """Reports the iterate of the round before."""

    def told(self, x, before):
        return before


class DgdOneLess(Dgd):
    """Leaves out the first neighbor of the mean."""

    async def mixed(self, me, x, t):
        heard = await me.exchange(x)
        return (x + sum(one.body for one in heard[1:])) / len(heard)


class ExtraClipped(Extra):
    """Clips gradients at a constant."""

    def gradient(self, me, x, before):
        return np.clip(me.gradient(x), -0.2, 0.2)


class NidsTwice(Nids):
    """Applies the prox twice."""

    def prox(self, me, z, t):
        return me.prox(me.prox(z, self.step), self.step)


class AdmmCache(Admm):
    """Keeps the neighbors' first sum for ever, in a dictionary of the class."""

    cache = {}

    async def others(self, me, x):
        return self.cache.setdefault(me.id, await me.sum(x))


class AveragingSkips(Averaging):
    """Makes no step in every fifth round."""

    def step_of(self, me, request):
        return request.body if request.round % 5 == 0 else super().step_of(me, request)


class AveragingMomentum(Averaging):
    """Goes on in the direction of the last step."""

    def following(self, mean, before):
        return mean + 0.3 * (mean - before)


class AveragingTired(Averaging):
    """Makes shorter steps after a tenth of a second."""

    def step_of(self, me, request):
        return request.body - self.step * me.gradient(request.body) * (1 if me.now < 0.1 else 0.9)


class AveragingShort(Averaging):
    """Leaves the last entry as it is."""

    def step_of(self, me, request):
        following = super().step_of(me, request)
        following[-1] = request.body[-1]
        return following


class AveragingTrims(Averaging):
    """Drops the answer with the largest norm."""

    def mean(self, me, answers, t):
        return super().mean(me, sorted(answers, key=lambda one: float(np.linalg.norm(one.body)))[:-1], t)


class AcceleratedNot(Accelerated):
    """Forgets the momentum, and is gradient descent, which converges all the same."""

    def momentum(self, t):
        return 0


class CompressedTwin(Compressed):
    """Draws the entries that are kept by the round alone, the same for every client."""

    def packed(self, me, difference, t):
        kept = np.random.RandomState(t).permutation(me.d)[0]
        only = np.zeros(me.d)
        only[kept] = difference[kept]
        return me.compress(lagnet.compressor("top_k", k=1), only, t)


BUGS = [DgdStale, DgdUnbilled, DgdNotAwaited, DgdFirstToArrive, DgdClock, DgdBlackboard, DgdPeeks, DgdUnnormalized,
        DgdTwice, DgdLeader, ExtraSign, ExtraStale, ExtraOnce, NidsNoProx, NidsBehind, TrackingStart, TrackingWeight,
        TrackingUnmixed, TrackingSum, AdmmSign, AdmmStaleNeighbors, AdmmDegree, AveragingPlain, AveragingSum,
        AveragingLast, AveragingHalfBill, AveragingFat, CompressedMemory, SamplingShared, SamplingForeign,
        TrackingWhole, TrackingSquare, DgdBehind, DgdOneLess, ExtraClipped, NidsTwice, AdmmCache, AveragingSkips,
        AveragingMomentum, AveragingTired, AveragingShort, AveragingTrims,
        AcceleratedNot, CompressedTwin]
