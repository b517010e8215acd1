"""Gradient descent of peers, with an average over the neighbors in each round."""

import lagnet


class MyDescent(lagnet.Peers):
    """Descends, then mixes. step: step size"""

    step: float = 0.2
    league = {"form": "peers", "author": "A. Author", "source": "none", "tune": {"step": [0.01, 10]}}

    async def run(self, me):
        x = me.zeros()
        me.report(0, x)
        for t in me.rounds():
            await me.compute(me.gradient_flops)
            x = await me.mix(x - self.step * me.gradient(x))
            me.report(t, x)
