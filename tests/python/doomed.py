"""A method that workers of executors import, and that kills one of them."""

import os
import signal

import methods


class Doomed(methods.MyDGD):
    """Kills the process of a point that draws a small number, unless the file `mark` exists, which it makes first."""

    mark: str = ""

    async def run(self, me):
        if me.id == 0 and me.draws("fate").uniform(1)[0] < 0.4:
            try:
                with open(self.mark, "x"):
                    pass
            except FileExistsError:  # made before, or by another worker at this moment
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        await super().run(me)
