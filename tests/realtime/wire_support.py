"""What the tests of the wire share: the program, sockets in its namespaces, echoes and transfers.

The environment variable WIRE names the program; without it the line of README.md compiles it first."""

import atexit
import ctypes
import json
import os
import pathlib
import re
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
NAMES = pathlib.Path("/run/netns")
CLONE_NEWNET = 0x40000000
SO_TIMESTAMPNS = 35
SO_RCVBUFFORCE = 33
PATIENCE_S = 120

_scratch = tempfile.TemporaryDirectory(prefix="wire-")
atexit.register(_scratch.cleanup)
os.chmod(_scratch.name, 0o755)  # one test runs the program as another user
SCRATCH = pathlib.Path(_scratch.name)
_libc = ctypes.CDLL(None, use_errno=True)
_program = os.environ.get("WIRE")


def program():
    """The path of the wire."""
    global _program
    if _program is None:
        line = re.search(r"^ *(g\+\+ .*) -o \S+$", (HERE / "README.md").read_text(), re.M)[1]
        built = SCRATCH / "wire"
        subprocess.run(f"{line} -o {shlex.quote(str(built))}", shell=True, cwd=HERE.parents[1], check=True)
        _program = str(built)
    return _program


def two_hosts(**link):
    """Hosts a and b with the same link in both directions."""
    link.setdefault("latency_ms", 1)
    return {"hosts": [{"name": "a", "address": "10.77.0.1"}, {"name": "b", "address": "10.77.0.2"}],
            "links": [{"from": "a", "to": "b", **link}, {"from": "b", "to": "a", **link}]}


def written(config):
    """The path of a file with the configuration; a text is written as it is."""
    handle, path = tempfile.mkstemp(suffix=".json", dir=SCRATCH)
    with os.fdopen(handle, "w") as file:
        file.write(config if isinstance(config, str) else json.dumps(config))
    os.chmod(path, 0o644)
    return path


def names_of(pid):
    """The namespaces of the wire with this process id."""
    return sorted(path.name for path in NAMES.glob(f"wire-{pid}-*"))


class Wire:
    """A running wire. `statistics` are there after stop()."""

    def __init__(self, config, *options):
        self.process = subprocess.Popen([program(), written(config), *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.statistics = None
        line = self.process.stdout.readline()
        if not line:
            _, err = self.process.communicate(timeout=PATIENCE_S)
            if self.process.returncode == 77:
                raise unittest.SkipTest(err.strip())
            raise AssertionError(f"the wire ended with {self.process.returncode}: {err}")
        self.ready = json.loads(line)
        self.namespaces = self.ready["namespaces"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.statistics is None:
            self.stop()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.finish()

    def finish(self):
        out, err = self.process.communicate(timeout=PATIENCE_S)
        if self.process.returncode != 0:
            raise AssertionError(f"the wire ended with {self.process.returncode}: {err}")
        self.statistics = json.loads(out)
        return self.statistics

    def link(self, source="a", target="b"):
        """The statistics of one direction."""
        return next(row for row in self.statistics["links"] if (row["from"], row["to"]) == (source, target))

    def socket(self, host, *kind):
        """A socket of a host: it stays in the namespace in which it was made, whichever thread uses it."""
        with open("/proc/thread-self/ns/net") as own, open(NAMES / self.namespaces[host]) as there:
            try:
                _enter(there)
                made = socket.socket(socket.AF_INET, *kind)
            finally:
                _enter(own)
        made.settimeout(PATIENCE_S)
        return made


def skip_where_forbidden():
    """For setUpModule(): skips everything where the computer permits no namespaces."""
    if os.geteuid() != 0:
        raise unittest.SkipTest("the wire needs root")
    Wire(two_hosts()).stop()


def run_tests():
    """unittest.main(), with exit status 77 where all was skipped."""
    outcome = unittest.main(exit=False).result
    for _, reason in outcome.skipped:
        print(f"skipped: {reason}")
    sys.exit(77 if outcome.skipped and outcome.testsRun == 0 else not outcome.wasSuccessful())


def _enter(namespace):
    if _libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def pings(wire, count, pause_s=0.002):
    """[(by this process, by the kernel)] in ms: the times of echoes from a to b, as `ping` has them. This process sees
    an answer when the scheduler lets it; the kernel stamps it when it comes in."""
    times = []
    with wire.socket("a", socket.SOCK_RAW, socket.IPPROTO_ICMP) as own:
        own.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        for number in range(count):
            head = struct.pack("!BBHHH", 8, 0, 0, 77, number)
            packet = head[:2] + struct.pack("!H", checksum(head)) + head[4:]
            start, wall_start = time.monotonic_ns(), time.time_ns()
            own.sendto(packet, ("10.77.0.2", 0))
            while True:
                answer, extras, _, _ = own.recvmsg(2048, 256)
                if answer[20] == 0 and answer[24:28] == head[4:]:  # after the IP header of 20 bytes
                    break
            end = time.monotonic_ns()
            seconds, ns = struct.unpack("qq", extras[0][2])
            times.append(((end - start) / 1e6, (seconds * 10**9 + ns - wall_start) / 1e6))
            time.sleep(pause_s)
    return times


def datagrams(wire, count, bytes_each=64, pause_s=0.0, all_come=False):
    """[(number, time on the way in ms)] of the numbered datagrams from a that came to b, in the order in which they
    came. Nothing is lost at b: it has room for all of them before anybody reads. Where not all come, a last word that
    stays behind the others says that these were all."""
    with wire.socket("b", socket.SOCK_DGRAM) as there, wire.socket("a", socket.SOCK_DGRAM) as own:
        there.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        there.bind(("10.77.0.2", 0))
        came = []

        def receive():
            while not all_come or len(came) < count:
                data = there.recv(2048)
                number, start = struct.unpack_from("qq", data)
                if number < 0:
                    return
                came.append((number, (time.monotonic_ns() - start) / 1e6))

        reader = threading.Thread(target=receive)
        reader.start()
        for number in range(count):
            data = struct.pack("qq", number, time.monotonic_ns())
            own.sendto(data.ljust(bytes_each, b"\0"), there.getsockname())
            if pause_s:
                time.sleep(pause_s)
        while reader.is_alive():
            if not all_come:
                own.sendto(struct.pack("qq", -1, 0), there.getsockname())  # often, as it may be lost too
            reader.join(0.1)
        return came


def transfer_mbit_per_s(wire, total_bytes):
    """The rate of one TCP transfer from a to b, from before the first byte is sent until the last one has come."""
    with wire.socket("b", socket.SOCK_STREAM) as listener, wire.socket("a", socket.SOCK_STREAM) as own:
        listener.bind(("10.77.0.2", 0))
        listener.listen()
        # Some computers have BBR as the default, which stays below the bandwidth on purpose.
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")
        own.connect(listener.getsockname())
        there, _ = listener.accept()
        with there:
            there.settimeout(PATIENCE_S)
            start = time.monotonic_ns()
            sender = threading.Thread(target=own.sendall, args=(bytes(total_bytes),))
            sender.start()
            missing = total_bytes
            while missing > 0:
                piece = len(there.recv(1 << 20))
                if piece == 0:
                    raise AssertionError("the connection ended early")
                missing -= piece
            end = time.monotonic_ns()
            sender.join()
        return total_bytes * 8e3 / (end - start)


def skip_if_busy(wire, median_us, largest_us):
    """Upper bounds of times are no property of the wire where the computer lets it wait: the wire's own account of how
    late it was woken tells the two apart."""
    for row in wire.statistics["links"]:
        late = row["lateness_us"]
        if late["median"] > median_us or late["largest"] > largest_us:
            raise unittest.SkipTest(f"the computer is too busy for an upper bound: packets were late by a median of "
                                    f"{late['median']} us and by up to {late['largest']} us")
