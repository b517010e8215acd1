"""Packets take the times, the bandwidths and the losses given to the wire, and nothing of it stays behind.

Lower bounds of times hold on any computer: no packet is early. Upper bounds are of medians, and are skipped where the
wire's own statistics say that the computer let it wait."""

import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from wire_support import (HERE, NAMES, PATIENCE_S, Wire, datagrams, names_of, pings, program, run_tests,
                          skip_if_busy, skip_where_forbidden, transfer_mbit_per_s, two_hosts, written)


def setUpModule():
    skip_where_forbidden()


class Times(unittest.TestCase):
    def test_an_echo_over_twice_5_ms_takes_10_ms_and_little_more(self):
        with Wire(two_hosts(latency_ms=5)) as wire:
            medians = []
            for _ in range(5):  # what disturbs one round may be gone in the next
                times = pings(wire, 40)
                self.assertGreaterEqual(min(by_process for by_process, _ in times), 10)
                medians.append(statistics.median(by_kernel for _, by_kernel in times))
                if medians[-1] <= 10.5:
                    break
            wire.stop()
        if min(medians) > 10.5:
            skip_if_busy(wire, median_us=100, largest_us=2000)
        # A timer wakes the wire within some 60 us, and each of two directions also wakes it for a packet that comes in.
        self.assertLessEqual(min(medians), 10.5, wire.statistics)

    def test_jitter_is_uniform_on_top_of_the_latency(self):
        count, low, width = 400, 3, 4
        with Wire(two_hosts(latency_ms=low, jitter_ms=width, may_reorder=True)) as wire:
            came = datagrams(wire, count, pause_s=0.001, all_come=True)
            wire.stop()
        times = [ms for _, ms in came]
        self.assertEqual(len(times), count)
        self.assertGreaterEqual(min(times), low)
        # The mean of `count` uniform draws has a standard deviation of width / sqrt(12 count), and no packet is early.
        sigma = width / (12 * count) ** 0.5
        self.assertGreaterEqual(statistics.mean(times), low + width / 2 - 5 * sigma)
        # The share above 3/4 of the width, within 5 sigma of a quarter; lateness can only add to it.
        above = sum(ms > low + 0.75 * width for ms in times)
        self.assertGreaterEqual(above, count / 4 - 5 * (count * 3 / 16) ** 0.5)

    def test_jitter_reorders_packets_only_where_the_file_says_so(self):
        for may_reorder in (False, True):
            with Wire(two_hosts(latency_ms=1, jitter_ms=20, may_reorder=may_reorder)) as wire:
                numbers = [number for number, _ in datagrams(wire, 200, all_come=True)]
                wire.stop()
            self.assertEqual(sorted(numbers), list(range(200)))
            self.assertEqual(numbers == sorted(numbers), not may_reorder)


class Bandwidth(unittest.TestCase):
    def check_transfer(self, mbit_per_s, total_bytes, *options):
        # A packet of 1500 bytes has 20 of the IP header and 20 to 32 of the TCP header (12 are timestamps): the
        # payload is 1448 to 1460 bytes of 1500. The queue holds more than the 2 x 2 ms can, and half of it still does,
        # so that TCP's halved window leaves no gap; slow start and the last latency cost below 1 %.
        with Wire(two_hosts(latency_ms=2, bandwidth_mbit_per_s=mbit_per_s, queue_bytes=400_000), *options) as wire:
            rates = []
            for _ in range(3):
                rates.append(transfer_mbit_per_s(wire, total_bytes))
                self.assertLessEqual(rates[-1], mbit_per_s * 1460 / 1500)
                if rates[-1] >= 0.95 * mbit_per_s * 1448 / 1500:
                    break
            wire.stop()
        if max(rates) < 0.95 * mbit_per_s * 1448 / 1500:
            skip_if_busy(wire, median_us=200, largest_us=10_000)
        self.assertGreaterEqual(max(rates), 0.95 * mbit_per_s * 1448 / 1500, wire.statistics)

    def test_a_transfer_fills_10_mbit_per_s(self):
        self.check_transfer(10, 3_000_000)

    def test_a_transfer_fills_100_mbit_per_s(self):
        self.check_transfer(100, 30_000_000)

    def test_a_full_queue_drops_the_latest_packet(self):
        # 200 packets of 1028 bytes at once into 20 times that: one after the other takes 0.8 s at 2 Mbit/s. As many
        # as have been transmitted while the sender was at it may come on top.
        packet, room = 1000 + 28, 20
        with Wire(two_hosts(bandwidth_mbit_per_s=2, queue_bytes=room * packet)) as wire:
            start = time.monotonic()
            numbers = [number for number, _ in datagrams(wire, 200, bytes_each=1000)]
            elapsed = time.monotonic() - start
            wire.stop()
        self.assertEqual(numbers[:room], list(range(room)))
        self.assertLessEqual(len(numbers), room + elapsed * 2e6 / 8 / packet + 1)
        self.assertGreaterEqual(wire.link()["dropped_by_queue"], 200 - len(numbers))


class Losses(unittest.TestCase):
    def test_as_many_packets_are_lost_as_the_probability_says(self):
        count, p = 5000, 0.1
        with Wire({**two_hosts(drop_probability=p), "seed": 7}) as wire:
            numbers = [number for number, _ in datagrams(wire, count)]
            wire.stop()
        # Binomial, within 5 sigma.
        self.assertLessEqual(abs(count - len(numbers) - count * p), 5 * (count * p * (1 - p)) ** 0.5)
        self.assertEqual(wire.statistics["hosts"][0]["device_drops"], 0)
        # Beside these there are the last words, of which all but the last are lost.
        self.assertGreaterEqual(wire.link()["dropped_by_chance"], count - len(numbers))

    def test_the_seed_decides_which_packets_are_lost(self):
        def survivors(seed):
            with Wire({**two_hosts(drop_probability=0.3), "seed": seed}) as wire:
                return [number for number, _ in datagrams(wire, 300)]

        self.assertEqual(survivors(1), survivors(1))
        self.assertNotEqual(survivors(1), survivors(2))

    def test_packets_without_a_link_go_nowhere(self):
        config = two_hosts()
        del config["links"][1]  # from b to a
        with Wire(config) as wire:
            datagrams(wire, 10)
            subprocess.run(["ip", "netns", "exec", wire.namespaces["b"], sys.executable, "-c",
                            "import socket; s = socket.socket(type=socket.SOCK_DGRAM); "
                            "[s.sendto(b'', ('10.77.0.1', 9)) for _ in range(3)]"], check=True)
            time.sleep(0.1)
            wire.stop()
        self.assertGreaterEqual(wire.link()["packets"], 11)  # and one that says that these were all
        self.assertGreaterEqual(wire.statistics["hosts"][1]["without_link"], 3)


class ClearingUp(unittest.TestCase):
    def wait_until_gone(self, pid):
        end = time.monotonic() + PATIENCE_S
        while names_of(pid) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(names_of(pid), [])

    def test_every_end_removes_the_namespaces(self):
        for end in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, None):
            with self.subTest(end=end):
                wire = Wire(two_hosts())
                self.assertEqual(names_of(wire.process.pid), sorted(wire.namespaces.values()))
                if end is None:
                    wire.finish()  # closes standard input
                else:
                    wire.stop(end)
                self.assertEqual(names_of(wire.process.pid), [])

    def test_the_end_of_a_killed_parent_is_the_end_of_the_wire(self):
        parent = subprocess.Popen(
            [sys.executable, "-c", "import subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, "
             "stdout=subprocess.PIPE); p.stdout.readline(); print(p.pid, flush=True); p.wait()", program(),
             written(two_hosts())], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        with parent:
            pid = int(parent.stdout.readline())
            self.assertEqual(len(names_of(pid)), 2)
            parent.kill()
        self.wait_until_gone(pid)

    def test_a_reader_that_went_away_does_not_keep_the_namespaces(self):
        read, write = os.pipe()
        os.close(read)
        with subprocess.Popen([program(), written(two_hosts())], stdin=subprocess.PIPE, stdout=write,
                              stderr=subprocess.PIPE) as process:
            os.close(write)
            self.assertEqual(process.wait(PATIENCE_S), 1)
        self.assertEqual(names_of(process.pid), [])

    def test_a_start_that_fails_half_way_leaves_nothing(self):
        def occupy_second():
            (NAMES / f"wire-{os.getpid()}-b").touch()

        with subprocess.Popen([program(), written(two_hosts())], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, preexec_fn=occupy_second) as process:
            _, err = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(names_of(process.pid), [f"wire-{process.pid}-b"])  # not its own
        (NAMES / f"wire-{process.pid}-b").unlink()
        self.assertEqual(process.returncode, 1)
        self.assertIn(f"cannot make /run/netns/wire-{process.pid}-b", err)

    def test_remains_of_a_killed_wire_are_removed(self):
        wire = Wire(two_hosts())
        with Wire(two_hosts()) as other:
            wire.process.kill()
            wire.process.communicate()
            left = names_of(wire.process.pid)
            self.assertEqual(len(left), 2)
            swept = subprocess.run([program(), "--sweep"], capture_output=True, text=True, check=True).stdout.split()
            self.assertLessEqual(set(left), set(swept))
            self.assertEqual(names_of(wire.process.pid), [])
            self.assertEqual(names_of(other.process.pid), sorted(other.namespaces.values()))


class SideBySide(unittest.TestCase):
    def test_two_wires_with_the_same_addresses_do_not_meet(self):
        with Wire(two_hosts(latency_ms=1)) as near, Wire(two_hosts(latency_ms=30)) as far:
            self.assertGreaterEqual(min(by_process for by_process, _ in pings(far, 5)), 60)
            self.assertGreaterEqual(min(by_process for by_process, _ in pings(near, 7)), 2)
            near.stop()
            far.stop()
        self.assertEqual([near.link()["packets"], far.link()["packets"]], [7, 5])

    def test_names_work_with_ip_netns(self):
        with Wire({**two_hosts(), "mtu": 1400}) as wire:
            shown = subprocess.run(["ip", "netns", "exec", wire.namespaces["a"], "ip", "-o", "addr"],
                                   capture_output=True, text=True, check=True).stdout
            links = subprocess.run(["ip", "-n", wire.namespaces["a"], "-o", "link", "show", "up"],
                                   capture_output=True, text=True, check=True).stdout
        self.assertIn("10.77.0.1/24", shown)
        self.assertNotIn("inet6 fe80", shown)
        self.assertIn("mtu 1400", links)
        self.assertIn("lo:", links)


class Readme(unittest.TestCase):
    def test_its_file_is_accepted(self):
        config = next(block for block in re.findall(r"```json\n(.*?)```", (HERE / "README.md").read_text(), re.S)
                      if '"latency_ms"' in block)
        with Wire(config) as wire:
            self.assertEqual(len(wire.namespaces), 2)

    def test_its_lines_have_the_members_that_are_printed(self):
        blocks = [json.loads(block) for block in
                  re.findall(r"```json\n(.*?)```", (HERE / "README.md").read_text(), re.S)]
        ready, end = (next(block for block in blocks if member in block) for member in ("namespaces", "cpu_s"))
        with Wire(two_hosts()) as wire:
            self.assertEqual(wire.ready.keys(), ready.keys())
            wire.stop()
        self.assertEqual(wire.statistics.keys(), end.keys())
        for part in ("links", "hosts"):
            self.assertEqual(wire.statistics[part][0].keys(), end[part][0].keys())


class Refusals(unittest.TestCase):
    def run_wire(self, *arguments, **how):
        return subprocess.run([program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False, **how)

    def test_all_errors_of_a_file_are_reported_at_once(self):
        path = written("""{"mtu": 10, "hots": [],
            "hosts": [{"name": "a", "address": "10.77.0.1"}, {"name": "a", "address": "10.77.0.256"},
                      {"name": "c/d", "address": "10.78.0.1"}, {"address": "10.77.0.1"}],
            "links": [{"from": "a", "to": "a", "latency_ms": -1}, {"from": "a", "to": "x", "latency_ms": "5"},
                      {"from": "a", "to": "c/d", "latency_ms": 1, "latency_ms": 2, "drop_probability": 2},
                      {"from": "a", "to": "c/d", "queue_bytes": 10, "bandwidth_mbit_per_s": 0, "may_reorder": 1},
                      7]}""")
        done = self.run_wire(path)
        self.assertEqual(done.returncode, 2)
        lines = done.stderr.splitlines()
        self.assertTrue(all(line.startswith(f"wire: {path}: /") for line in lines), done.stderr)
        places = sorted(line.split(": ")[2] for line in lines)
        self.assertEqual(places, sorted([
            "/mtu", "/hots", "/hosts/1/name", "/hosts/1/address", "/hosts/2/name", "/hosts/2/address", "/hosts/3/name",
            "/hosts/3/address", "/links/0/to", "/links/0/latency_ms", "/links/1/to", "/links/1/latency_ms",
            "/links/2/latency_ms", "/links/2/drop_probability", "/links/3/to", "/links/3/latency_ms",
            "/links/3/queue_bytes", "/links/3/bandwidth_mbit_per_s", "/links/3/may_reorder", "/links/4"]))

    def test_invalid_files_and_unknown_options_are_wrong_input(self):
        for arguments in ([], ["/nowhere.json"], [written("{")], [written("[]")], ["--busy-wait-us", "101", "x"],
                          ["--no-such"], ["/"]):
            with self.subTest(arguments=arguments):
                done = self.run_wire(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertNotEqual(done.stderr, "")

    def test_a_user_without_the_right_gets_77_and_a_sentence(self):
        if not os.access(program(), os.X_OK) or not os.stat(program()).st_mode & 1:
            self.skipTest("others may not run the program")
        done = self.run_wire(written(two_hosts()), user=65534)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertRegex(done.stderr, r"^wire: this computer does not let it .*; it needs root, .*\n$")


if __name__ == "__main__":
    run_tests()
