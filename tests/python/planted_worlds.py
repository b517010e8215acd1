"""Methods that fail in some worlds alone, and claims that do. Each comes with the scenario that is hunted in, which
itself does not fail."""

import lagnet

BASE = {
    "lagnet": 1,
    "seed": 3,
    "data": {"source": "gaussian_regression", "samples": 24, "features": 4, "noise": 0.3},
    "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.1}},
    "topology": {"kind": "ring", "agents": 6},
    "network": {"latency_ms": 50, "bandwidth_bytes_per_s": 1e6, "up_bytes_per_s": 1e7, "down_bytes_per_s": 1e7,
                "sharing": "fifo", "header_bytes": 66},
    "compute": {"speed_flops_per_s": 1e6, "memory_bandwidth_bytes_per_s": 1e9},
    "stop": {"rounds": 24, "divergence_factor": 1e6},
    "record": {"every": 1, "metrics": ["mean_squared_residual", "l2_error"]},
}


def scenario(algorithm, **sections):
    return {**BASE, "algorithm": algorithm, **sections}


class Planted(lagnet.Peers):
    """Gradient descent with means of neighbors; `goes_wrong` says whether a round fails."""

    def kept(self, me, name, otherwise):
        return self.__dict__.setdefault("notes", {}).get((me.id, name), otherwise)

    def keep(self, me, name, value):
        self.__dict__.setdefault("notes", {})[me.id, name] = value

    async def run(self, me):
        x, times = me.zeros(), [me.now]
        me.report(0, x)
        for t in me.rounds():
            gradient = me.gradient(x)
            begun = me.now
            await me.compute(me.gradient_flops)
            worked = me.now - begun
            messages = await me.exchange(x)
            times.append(me.now)
            x = (x + sum(one.body for one in messages)) / (1 + len(messages)) - 0.1 * gradient
            if self.goes_wrong(me, t, times, worked, messages):
                x = await self.go_wrong(me, t, x)
            me.report(t, x)

    def goes_wrong(self, me, t, times, worked, messages):
        return False

    async def go_wrong(self, me, t, x):
        raise RuntimeError(f"planted, in round {t}")


class LongRound17(Planted):
    """Waits for a message that was never sent, if round 17 takes 3 s and no round before takes 1 s: in a partition, an
    outage or an absence at that time."""

    def goes_wrong(self, me, t, times, worked, messages):
        return t == 17 and times[-1] - times[-2] >= 3 and all(
            after - before < 1 for before, after in zip(times[:-2], times[1:-1]))

    async def go_wrong(self, me, t, x):
        await me.receive()
        return x


class SlowStraggler(Planted):
    """Diverges if an agent becomes eight times slower than it was, for three rounds in a row."""

    def goes_wrong(self, me, t, times, worked, messages):
        usual = self.kept(me, "usual", worked)
        slow = self.kept(me, "slow", 0)
        self.keep(me, "usual", min(usual, worked))
        self.keep(me, "slow", slow + 1 if worked > 8 * usual else 0)
        return slow + 1 >= 3 and worked > 8 * usual

    async def go_wrong(self, me, t, x):
        return x + 1e9


class OddRing(Planted):
    """Fails on odd rings of seven agents or more. An agent knows the ring's size by who its neighbors are."""

    def goes_wrong(self, me, t, times, worked, messages):
        ring = me.id == 0 and len(me.neighbors) == 2 and me.neighbors[0] == 1
        size = me.neighbors[-1] + 1
        return ring and size >= 7 and size % 2 == 1 and t > 2


class ComesBack(Planted):
    """Fails if agent 0 crashes, loses its state, and begins anew."""

    async def run(self, me):
        if me.id == 0 and self.kept(me, "has begun", False):
            raise RuntimeError("planted: agent 0 begins again")
        self.keep(me, "has begun", True)
        await super().run(me)


class VeryLate(lagnet.Peers):
    """Fails on a message that is more than three rounds old, if it waited for it: one that was sent again, say."""

    asynchronous = True

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in range(1, 13):
            gradient = me.gradient(x)
            await me.compute(me.gradient_flops)
            me.broadcast(t, x)
            begun = me.now
            message = await me.receive_until(me.now + 1)
            if message is not None and message.round < t - 3 and me.now - begun > 0.2:
                raise RuntimeError(f"planted: round {message.round} in round {t}")
            if message is not None:
                x = (x + message.body) / 2
            x = x - 0.1 * gradient
            me.report(t, x)


class Server(lagnet.ServerAndClients):
    """Gradient descent by a server. `goes_wrong` says whether a round fails."""

    async def serve(self, me):
        x, times = me.zeros(), [me.now]
        me.report(0, x)
        for t in me.rounds():
            answers = await me.ask(t, x)
            times.append(me.now)
            if self.goes_wrong(me, t, times, answers):
                raise RuntimeError(f"planted, in round {t}")
            if answers:
                x = x - 0.1 * sum(one.body for one in answers) / len(answers)
            me.report(t, x)

    async def train(self, me):
        while True:
            request = await me.next_request()
            gradient = me.gradient(request.body)
            await me.compute(me.gradient_flops)
            me.answer(request, gradient)

    def goes_wrong(self, me, t, times, answers):
        return False


class ShortDeadline(Server):
    """Fails if a deadline ends a round before any answer can be there."""

    def goes_wrong(self, me, t, times, answers):
        return not answers and times[-1] - times[-2] < 0.1 and t >= 3


class ServerApart(Server):
    """Fails if everybody answers, in five rounds or more, then nobody in two or more, and then everybody: if a
    partition separates the server for a while."""

    def goes_wrong(self, me, t, times, answers):
        heard = self.__dict__.setdefault("heard", [])
        heard.append("all" if len(answers) == len(me.neighbors) else "some" if answers else "none")
        return heard[-1] == "all" and heard[-3:-1] == ["none", "none"] and heard[:5] == ["all"] * 5


class Stale(lagnet.ServerAndClients):
    """An asynchronous server that fails when an answer is older by more than five updates than one for each client."""

    asynchronous = True

    async def serve(self, me):
        x, t, born = me.zeros(), 0, {}
        me.report(0, x)
        for k in me.neighbors:
            born[k] = 0
            me.send(k, 0, x)
        for t in me.rounds():
            message = await me.receive()
            age = t - 1 - born[message.sender]
            if age > 5 + len(me.neighbors):
                raise OverflowError(f"planted: staleness {age}")
            x = x - 0.05 * message.body
            me.report(t, x)
            born[message.sender] = t
            me.send(message.sender, t, x)

    async def train(self, me):
        while True:
            request = await me.next_request()
            gradient = me.gradient(request.body)
            await me.compute(me.gradient_flops)
            me.answer(request, gradient)


class SameInstant(lagnet.ServerAndClients):
    """A server that fails when two answers of a later round arrive at the same moment."""

    async def serve(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            me.broadcast(t, x)
            moments = []
            for _ in me.neighbors:
                message = await me.receive_until(me.now + 5)
                if message is not None:
                    x = x - 0.02 * message.body
                    moments.append(me.now)
            if t > 2 and len(set(moments)) < len(moments):
                raise RuntimeError("planted: two answers at one moment")
            me.report(t, x)

    train = Server.train


STAR = {"topology": {"kind": "star", "agents": 5}}
SECONDS = {"kind": "bound", "statement": "24 rounds take less than 20 s", "metric": "simulated_s", "at_most": 20}
BIAS = {"kind": "bound", "statement": "the error is below 1e-2", "metric": "relative_error", "at_most": 1e-2}

# By name: the scenario, the kind of the failure, and what only this failure says.
PLANTED = {
    "a round 17 of 3 s": (scenario(LongRound17()), "deadlock", "any message"),
    "a straggler 8 times slower": (scenario(SlowStraggler()), "diverged", ""),
    "an odd ring of 7 or more": (scenario(OddRing()), "error", "planted"),
    "agent 0 comes back": (scenario(ComesBack()), "error", "planted"),
    "a message that is very late": (scenario(VeryLate(), stop={"updates": 200}), "error", "planted"),
    "a deadline before any answer": (scenario(ShortDeadline(), **STAR), "error", "planted"),
    "the server apart": (scenario(ServerApart(), **STAR), "error", "planted"),
    "staleness above 5": (scenario(Stale(), **STAR), "error", "planted"),
    "answers at one moment": (scenario(SameInstant(), **STAR, network={
        "latency_ms": {"kind": "uniform", "low": 10, "high": 90}}), "error", "planted"),
    "a latency that is too long": (scenario({"kind": "extra"}, expect=[SECONDS]), "claim", "take less than 20 s"),
    "neighbors that are left out": (scenario({"kind": "nids"}, stop={"rounds": 60}, expect=[BIAS]), "claim", "1e-2"),
}
