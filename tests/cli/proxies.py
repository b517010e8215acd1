"""A stretch of network between two processes, which tests can damage."""

import contextlib
import socket
import threading
import time


class Proxy:
    """Passes on each connection to a port. `cut`, `freeze` and `slow_down` act on those that stand; later ones are
    whole."""

    def __init__(self, port):
        self.to = port
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.lock = threading.Lock()
        self.pairs = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                caller, _ = self.server.accept()
            except OSError:
                return
            try:
                listener = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                caller.close()
                continue
            pair = Pair(caller, listener)
            with self.lock:
                self.pairs = [one for one in self.pairs if not one.is_over] + [pair]
            pair.start()

    def _standing(self):
        with self.lock:
            return [pair for pair in self.pairs if not pair.is_over and not pair.is_frozen]

    def cut(self):
        """Ends the connections, perhaps in the middle of a frame."""
        for pair in self._standing():
            pair.end()

    def freeze(self):
        """Half-open connections: both sides keep theirs, and nothing comes through any more."""
        for pair in self._standing():
            pair.is_frozen = True

    def slow_down(self, seconds):
        """Takes bytes so slowly for a while that they wait with their sender."""
        for pair in self._standing():
            pair.slow_until = time.monotonic() + seconds

    def close(self):
        self.server.close()
        with self.lock:
            for pair in self.pairs:
                pair.end()


class Pair:
    def __init__(self, caller, listener):
        self.sockets = (caller, listener)
        for one in self.sockets:  # as little as there may be on the way, so that who does not read is noticed
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_over = self.is_frozen = False
        self.slow_until = 0

    def start(self):
        for source, sink in (self.sockets, self.sockets[::-1]):
            threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source, sink):
        try:
            while True:
                is_slow = time.monotonic() < self.slow_until
                data = source.recv(64 if is_slow else 65536)
                if not data:
                    break
                if is_slow:
                    time.sleep(0.002)
                if not self.is_frozen:
                    sink.sendall(data)
        except OSError:
            pass
        self.end()

    def end(self):
        self.is_over = True
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
