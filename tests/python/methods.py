"""Methods in Python that the tests run: lagnet's own once more, and some that go wrong."""

import asyncio
import inspect

import numpy as np

import lagnet


class MyDGD(lagnet.Peers):
    """`dgd`, with the costs that it declares."""

    keeps_constraint = True
    smooth_by = "prox"
    step: float = 0.1

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            gradient = me.gradient(x)
            await me.compute(me.gradient_flops, me.gradient_bytes)
            x = me.prox(await me.mix(x) - self.step * gradient, self.step)
            await me.compute(2 * me.d + me.prox_flops, 8 * 4 * me.d)
            me.report(t, x)


class OwnSums(lagnet.Peers):
    """The same for least squares, with NumPy's sums."""

    step: float = 0.1

    async def run(self, me):
        X, y = me.X, me.y
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            gradient = me.weight / me.samples * X.T @ (X @ x - y)
            await me.compute(4 * X.size)
            x = await me.mix(x) - self.step * gradient
            me.report(t, x)


class OwnSumsAndProx(OwnSums):
    """The same with a prox, which has no l2 unless the class says so."""

    async def run(self, me):
        me.report(0, me.zeros())
        for t in me.rounds():
            await me.compute(me.prox_flops)
            me.report(t, me.prox(me.zeros(), self.step))


class Descends(lagnet.Peers):
    """Gradient steps and means."""

    step: float = 0.1

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            gradient = me.gradient(x)
            await me.compute(me.gradient_flops)
            x = await me.mix(x) - self.step * gradient
            me.report(t, x)


# A module with it alone, for tests that change a source.
DESCENT = "import lagnet\n\n\n" + inspect.getsource(Descends).replace("class Descends", "class Descent")


class LeavesOut(lagnet.Peers):
    """The same of the loss alone."""

    async def run(self, me):
        x = me.zeros()
        for t in range(2):
            me.report(t, x - me.gradient(x, regularizer=False))


def shrunk(me, x):
    return me.prox(x, 0.1)


class ProxInAHelper(Descends):
    async def run(self, me):
        x = me.zeros()
        for t in range(2):
            me.report(t, shrunk(me, x))


class Overrides(Descends):
    """Has its own run instead of the inherited one."""

    async def run(self, me):
        for t in range(2):
            me.report(t, me.zeros())


class CallsSuper(Descends):
    async def run(self, me):
        await super().run(me)


class Free(lagnet.Peers):
    """Does not wait for its gradients; its means have flops."""

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            x = await me.mix(x - 0.1 * me.gradient(x))
            me.report(t, x)


class FreeSums(lagnet.Peers):
    """The same with NumPy's sums and means of messages, so that no flops are billed."""

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            x = x - 0.1 * me.X.T @ (me.X @ x - me.y) / me.samples
            x = np.mean([x, *(one.body for one in await me.exchange(x))], axis=0)
            me.report(t, x)


class Averaging(lagnet.ServerAndClients):
    """Clients take a gradient step from the server's model, and the server takes the mean."""

    step: float = 0.1

    async def serve(self, me):
        w = me.zeros()
        me.report(0, w)
        for t in me.rounds():
            answers = await me.ask(t, w)
            w = np.average([one.body for one in answers], axis=0, weights=[one.weight for one in answers])
            await me.compute(2 * len(answers) * me.d)
            me.report(t, w)

    async def train(self, me):
        while True:
            request = await me.next_request()
            gradient = me.gradient(request.body)
            await me.compute(me.gradient_flops)
            me.answer(request, request.body - self.step * gradient)


class Newest(lagnet.ServerAndClients):
    """The server takes a step with each answer as it comes."""

    asynchronous = True
    step: float = 0.1

    async def serve(self, me):
        w, sent = me.zeros(), {}
        me.report(0, w)
        for k in me.neighbors:
            me.send(k, 0, w)
            sent[k] = 0
        t = 0
        while True:
            answer = await me.receive()
            t += 1
            w = w - self.step * answer.body / len(me.neighbors)
            me.used(answer.sender, t - 1 - sent[answer.sender])
            me.report(t, w)
            sent[answer.sender] = t
            me.answer(answer, w)

    async def train(self, me):
        while True:
            request = await me.receive()
            await me.compute(me.gradient_flops)
            me.answer(request, me.gradient(request.body))


class Toy(lagnet.Peers):
    """Minimizes nothing, and takes any problem."""

    regularizers = "all"


class AllThatCanBeAwaited(Toy):
    """Awaits every awaitable once; `seen` has the results."""

    seen = {}

    async def run(self, me):
        seen = self.seen[me.id] = {}
        me.report(0, me.zeros())
        seen["sum"] = (await me.sum(np.full(me.d, me.id))).tolist()
        seen["exchange"] = [(one.sender, one.body.tolist()) for one in await me.exchange([me.id])]
        before = me.now
        await me.sleep(0.25)
        seen["slept"] = me.now - before
        await me.encrypt(3)
        await me.decrypt(2)
        await me.add_ciphertexts(4)
        await me.update(0, 1000)
        me.broadcast(1, [me.id, 1], tag=5)
        seen["collected"] = [one.sender for one in await me.collect(1, me.neighbors, tag=5)]
        me.start(0, 10**6)
        seen["event"] = await me.next_event()
        seen["nothing"] = await me.next_event(me.now + 0.5)
        seen["none in time"] = await me.receive_until(me.now + 0.5)
        draws = me.draws("mine", 1)
        seen["draws"] = [draws.uniform(2).tolist(), draws.normal(1).tolist(), draws.permutation(4).tolist()]
        await me.arrivals()
        me.report(me._handle.rounds, me.zeros())


class Raises(Toy):
    async def run(self, me):
        me.report(0, me.zeros())
        for t in me.rounds():
            await me.compute(100)
            if t == 3 and me.id == 2:
                raise KeyError("seven")
            me.report(t, me.zeros())


class AwaitsAFuture(Toy):
    async def run(self, me):
        loop = asyncio.new_event_loop()
        try:
            await loop.create_future()
        finally:
            loop.close()


class ReportsTooLittle(Toy):
    async def run(self, me):
        me.report(0, np.zeros(me.d - 1))


class ReportsNothing(Toy):
    async def run(self, me):
        for _ in me.rounds():
            await me.mix(me.zeros())


class IsNoCoroutine(Toy):
    def run(self, me):
        return 3


class HasNoRun(Toy):
    pass


class WaitsForNobody(Toy):
    async def run(self, me):
        me.report(0, me.zeros())
        await me.receive()


class NeverEnds(Toy):
    begun = []

    async def run(self, me):
        self.begun.append(me.id)
        while True:
            pass


class Keeps(Toy):
    """Keeps an agent beyond its run."""

    kept = []

    async def run(self, me):
        self.kept.append(me)
        me.report(0, me.zeros())
        for t in me.rounds():
            me.report(t, me.zeros())


class Swallows(Toy):
    """Goes on whatever is raised when it reports."""

    async def run(self, me):
        for t in range(13):
            try:
                me.report(t, me.zeros())
            except Exception:
                pass


class MyChoco(lagnet.Peers):
    """`choco_sgd`, with the costs that it declares."""

    step: float = 0.1
    gamma: float = 0.1
    compressor: lagnet.Compressor = lagnet.compressor("identity")

    async def run(self, me):
        Q, d, degree = me.compressor(self.compressor), me.d, len(me.neighbors)
        x, x_hat, s = me.zeros(), me.zeros(), me.zeros()
        me.report(0, x)
        for t in me.rounds():
            x = x - self.step * me.gradient(x)
            q = me.compress(Q, x - x_hat, t)
            x_hat = x_hat + q.values
            await me.compute(me.gradient_flops + 3 * d + Q.kept + Q.flops, me.gradient_bytes + 8 * 6 * d)
            s = s + await me.mix(q)
            x = x + self.gamma * (s - x_hat)
            await me.compute(3 * d + (2 * degree + 2) * Q.kept, 8 * (degree + 6) * d)
            me.report(t, x)


class Exchanges(Toy):
    """Sends compressed vectors in every possible way; `seen` has those received."""

    seen = {}

    async def run(self, me):
        seen = self.seen[me.id] = {}
        me.report(0, me.zeros())
        x = np.arange(1.0, me.d + 1)
        packed = me.compress({"kind": "top_k", "k": 1}, x, 1)
        seen["packed"] = packed.values.tolist(), packed.bits, packed.bytes
        seen["exchange"] = [one.body.tolist() for one in await me.exchange([packed, packed])]
        seen["sum"] = (await me.sum(packed)).tolist()
        me.broadcast(1, packed, tag=5)
        seen["collected"] = [one.body.tolist() for one in await me.collect(1, me.neighbors, tag=5)]
        draws = me.compress({"kind": "rand_k", "k": 1}, x, 2), me.compress({"kind": "rand_k", "k": 1}, x, 2)
        seen["draws"] = [one.values.tolist() for one in draws]
        me.report(me._handle.rounds, me.zeros())


class Compresses(Toy):
    """Compresses one thing, once."""

    what: str = "nan"

    async def run(self, me):
        me.report(0, me.zeros())
        x = {"nan": np.full(me.d, np.nan), "short": np.ones(me.d - 1)}.get(self.what, me.zeros())
        me.compress({"options": {"kind": "top_k", "k": 0, "fractoin": 1}, "name": {"kind": "topk"}}.get(
            self.what, {"kind": "top_k", "k": 1}), x, 1)
