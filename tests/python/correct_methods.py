"""Methods in Python, in which `lagnet prove` must find nothing; planted_bugs.py has copies of them with a bug each."""

import numpy as np

import lagnet

GRADIENT_DESCENT = {"alone": "proximal_gradient"}


class Dgd(lagnet.Peers):
    """Decentralized gradient descent, proximal form."""

    claims = {"rate": "neighborhood", "neighborhood": 0.3, "rounds": 300, "gradients": 1, "exchanges": 1, "scalars": 1,
              "draws": "none", **GRADIENT_DESCENT}
    step: float = 0.2

    def part(self, me, x):
        return me.gradient(x)

    async def mixed(self, me, x, t):
        return await me.mix(x)

    async def bill(self, me):
        await me.compute(me.gradient_flops + me.prox_flops + 2 * me.d)

    def place(self, x, before):
        return x

    def length(self, me):
        return self.step

    async def following(self, me, x, before, t):
        gradient = self.part(me, self.place(x, before))
        await self.bill(me)
        mixed, step = await self.mixed(me, x, t), self.length(me)
        return me.prox(mixed - step * gradient, step)

    def told(self, x, before):
        return x

    async def run(self, me):
        x = before = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            before, x = x, await self.following(me, x, before, t)
            me.report(t, self.told(x, before))


class Extra(lagnet.Peers):
    """EXTRA: x+ = W x + x - (x- + W x-)/2 - step (grad f(x) - grad f(x-))."""

    claims = {"rounds": 1500, "gradients": 1, "exchanges": 1, "scalars": 1, "draws": "none", **GRADIENT_DESCENT}
    step: float = 0.3

    def change(self, new, old):
        return self.step * (new - old)

    def gradient(self, me, x, before):
        return me.gradient(x)

    def half(self, x, mixed):
        return (x + mixed) / 2

    async def run(self, me):
        x = before = me.zeros()
        me.report(0, x)
        old = half = None
        for t in me.rounds():
            gradient = self.gradient(me, x, before)
            await me.compute(me.gradient_flops + 6 * me.d)
            mixed = await me.mix(x)
            if old is None:
                following = mixed - self.step * gradient
            else:
                following = x + mixed - half - self.change(gradient, old)
            old, half, before, x = gradient, self.half(x, mixed), x, following
            me.report(t, x)


class Nids(lagnet.Peers):
    """NIDS with a prox: z+ = z - x + (I + W)/2 (2 x - x- - step (grad f(x) - grad f(x-)))."""

    smooth_by = "prox"
    claims = {"rounds": 1500, "gradients": 1, "exchanges": 1, "scalars": 1, "draws": "none", **GRADIENT_DESCENT}
    step: float = 0.3

    def prox(self, me, z, t):
        return me.prox(z, self.step)

    def ahead(self, x, before):
        return 2 * x - before

    def average(self, u, mixed):
        return (u + mixed) / 2

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        z = old = before = None
        for t in me.rounds():
            gradient = me.gradient(x)
            await me.compute(me.gradient_flops + me.prox_flops + 8 * me.d)
            if z is None:
                u = -self.step * gradient
                await me.mix(u)
                z = x - self.step * gradient
            else:
                u = self.ahead(x, before) - self.step * (gradient - old)
                z = z - x + self.average(u, await me.mix(u))
            before, old, x = x, gradient, self.prox(me, z, t)
            me.report(t, x)


class Tracking(lagnet.Peers):
    """Gradient tracking, DIGing: x+ = W x - step y, y+ = W y + grad f(x+) - grad f(x)."""

    claims = {"rounds": 2500, "gradients": 1, "exchanges": 2, "scalars": 1, "draws": "none", **GRADIENT_DESCENT}
    step: float = 0.1

    def first(self, me, gradient):
        return gradient

    async def step_x(self, me, x, y):
        return await me.mix(x) - self.step * y

    def gradient(self, me, x):
        return me.gradient(x)

    def change(self, new, old):
        return new - old

    async def run(self, me):
        x = me.zeros()
        old = self.gradient(me, x)
        await me.compute(me.gradient_flops)
        y = self.first(me, old)
        me.report(0, x)
        for t in me.rounds():
            x = await self.step_x(me, x, y)
            gradient = self.gradient(me, x)
            await me.compute(me.gradient_flops + 4 * me.d)
            y = await me.mix(y) + self.change(gradient, old)
            old = gradient
            me.report(t, x)


class Admm(lagnet.Peers):
    """Consensus ADMM over edges with linearized steps (DLM): multipliers add up differences to the neighbors."""

    claims = {"rounds": 3000, "gradients": 1, "exchanges": 1, "scalars": 1, "draws": "none"}
    penalty: float = 0.3
    damping: float = 1.5

    def dual(self, p, x, others, degree):
        return p + self.penalty * (degree * x - others)

    def degree(self, me):
        return len(me.neighbors)

    async def others(self, me, x):
        return await me.sum(x)

    async def heard(self, me, x, p, others, degree):
        others = await self.others(me, x)
        return others, self.dual(p, x, others, degree)

    async def run(self, me):
        x, p, degree = me.zeros(), me.zeros(), self.degree(me)
        others = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            gradient = me.gradient(x)
            await me.compute(me.gradient_flops + 12 * me.d)
            x = x - (gradient + p + self.penalty * (degree * x - others)) / (self.damping + 2 * self.penalty * degree)
            others, p = await self.heard(me, x, p, others, degree)
            me.report(t, x)


class Averaging(lagnet.ServerAndClients):
    """Gradient steps of clients, whose mean by their weights is the server's next model."""

    claims = {"rounds": 1500, "gradients": 1, "exchanges": 1, "scalars": 1, "draws": "none", **GRADIENT_DESCENT}
    step: float = 0.3

    def mean(self, me, answers, t):
        return np.average([one.body for one in answers], axis=0, weights=[one.weight for one in answers])

    def step_of(self, me, request):
        return request.body - self.step * me.gradient(request.body)

    async def bill(self, me):
        await me.compute(me.gradient_flops + 2 * me.d)

    def following(self, mean, before):
        return mean

    async def serve(self, me):
        w = before = me.zeros()
        me.report(0, w)
        for t in me.rounds():
            mean = self.mean(me, await me.ask(t, w), t)
            w, before = self.following(mean, before), mean
            me.report(t, w)

    def packed(self, request, following):
        return following

    async def train(self, me):
        while True:
            request = await me.next_request()
            following = self.step_of(me, request)
            await self.bill(me)
            me.answer(request, self.packed(request, following))


class Accelerated(Averaging):
    """The same with the momentum of Nesterov: the server asks at w + k / (k + 3) (w - w-)."""

    claims = {**Averaging.claims, "alone": None, "accelerated": True}

    def momentum(self, t):
        return (t - 1) / (t + 2)

    async def serve(self, me):
        v = w = me.zeros()
        me.report(0, w)
        for t in me.rounds():
            before, w = w, self.mean(me, await me.ask(t, v), t)
            v = w + self.momentum(t) * (w - before)
            me.report(t, w)


class Sampling(Averaging):
    """Stochastic gradient steps: each client draws one of its samples, of a squared loss."""

    claims = {"rate": "neighborhood", "neighborhood": 0.5, "rounds": 300, "problems": ["squared"], "draws": "own",
              "scalars": 1, "regularizers": ["none", "l2"], "span": False}
    step: float = 0.05
    regularizers = "smooth"

    def drawn(self, me, request):
        return int(me.draws("sample", request.round).permutation(me.samples)[0])

    def step_of(self, me, request):
        k = self.drawn(me, request)
        x = np.asarray(me.X)[k]
        # The gradient of what is left, the regularizer, is that of all less that of the loss at 0 samples.
        full = me.gradient(request.body) - me.gradient(request.body, regularizer=False)
        return request.body - self.step * (x * (x @ request.body - me.y[k]) + full)

    async def bill(self, me):
        await me.compute(2 * me.gradient_flops + 6 * me.d)


class Compressed(lagnet.ServerAndClients):
    """EF21: clients send compressed changes of their gradients, and both sides add them up."""

    claims = {"rounds": 3000, "gradients": 1, "exchanges": 1, "draws": "none", "rotates": False, "losses": "retransmit"}
    step: float = 0.1
    compressor: lagnet.Compressor = lagnet.compressor("top_k", k=1)

    def packed(self, me, difference, t):
        return me.compress(self.compressor, difference, t)

    def memory(self, estimate, gradient, packed):
        return estimate + packed.values

    async def serve(self, me):
        w, total = me.zeros(), me.zeros()
        me.report(0, w)
        for t in me.rounds():
            for one in await me.ask(t, w):
                total = total + me.weights[one.sender] * one.body
            w = w - self.step * total
            me.report(t, w)

    async def train(self, me):
        estimate = me.zeros()
        while True:
            request = await me.next_request()
            gradient = me.gradient(request.body)
            await me.compute(me.gradient_flops + 3 * me.d)
            packed = self.packed(me, gradient - estimate, request.round)
            estimate = self.memory(estimate, gradient, packed)
            me.answer(request, packed)


METHODS = [Dgd, Extra, Nids, Tracking, Admm, Averaging, Accelerated, Sampling, Compressed]
