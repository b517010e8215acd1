"""`lagnet serve` and `--watch`: their answers, the requests that they refuse, and unchanged results of runs."""

import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import threading
import time

from support import PROGRAM, Case, SMALL, changed

SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 8000, "/record/every": 100}


class Served:
    """A server of a folder, until the end of the test."""

    def __init__(self, case, folder, *arguments):
        self.process = subprocess.Popen([PROGRAM, "serve", folder, *arguments], cwd=case.folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for end in (self.process.wait, self.process.stdin.close, self.process.stdout.close, self.process.stderr.close,
                    self.process.kill):
            case.addCleanup(end)
        self.set_url(self.process.stdout.readline().strip())

    def set_url(self, url):
        address, self.token = url.split("/#token=")
        self.host, port = address.removeprefix("http://").split(":")
        self.port = int(port)
        return self

    def ask(self, target, method="GET", headers=None, token=True):
        """Status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=200)
        own = {"X-Lagnet-Token": self.token} if token else {}
        connection.request(method, target, headers={**own, **(headers or {})})
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return reply.status, reply.headers, body

    def json(self, target):
        status, _, body = self.ask(target)
        assert status == 200, body
        return json.loads(body)

    def says(self, text):
        """All that comes back for some bytes, until the server ends the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            connection.sendall(text)
            reply = b""
            while piece := connection.recv(65536):
                reply += piece
        return reply

    def status_of(self, text):
        return int(self.says(text).split(b" ")[1])


def served_by(line):
    """The server of a line "watch it at URL"."""
    return Served.__new__(Served).set_url(line.strip().removeprefix("watch it at "))


def wait_until(true, seconds=200, pause=0.01):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(pause)


class Serving(Case):
    def test_page_status_and_model_of_complete_results(self):
        self.run_small("r", {"/sweep": {"/seed": [1, 2, 3]}})
        served = Served(self, "r")
        status, headers, page = served.ask("/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(b"; connect-src 'self'\">", page)
        self.assertNotIn(served.token.encode(), page)
        for name in ("X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Content-Security-Policy",
                     "Cross-Origin-Resource-Policy"):
            self.assertIn(name, headers)
        told = served.json("/status")
        self.assertEqual([told[key] for key in ("state", "points", "finished", "left_s", "can_stop", "trouble")],
                         ["finished", 3, 3, None, False, ""])
        best = min(float(row["relative_error"]) for row in self.table("r/sweep.csv"))
        self.assertEqual(told["best"]["relative_error"], best)
        status, headers, model = served.ask("/model")
        self.assertEqual(headers["ETag"], f'"{told["model"]}"')
        self.assertEqual(len(json.loads(model)["runs"]), 3)
        self.assertEqual(served.ask("/model", headers={"If-None-Match": headers["ETag"]})[::2], (304, b""))
        # Other results in the same place are another model.
        self.run_small("r", {"/sweep": {"/seed": [1, 2]}}, "--replace")
        wait_until(lambda: served.json("/status")["points"] == 2)
        status, _, model = served.ask("/model", headers={"If-None-Match": headers["ETag"]})
        self.assertEqual((status, len(json.loads(model)["runs"])), (200, 2))

    def test_unservable_folders_are_reported(self):
        self.run_small("r")
        self.assertEqual(self.lagnet("serve", "absent"),
                         (2, "", "absent: expected the folder of a run or a sweep, found nothing\n"))
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertEqual(self.lagnet("serve", "r", "--port", str(port)),
                             (2, "", f"serve: cannot listen at port {port} of 127.0.0.1: Address already in use\n"))
        self.assertEqual(self.lagnet("serve", "r", "--address", "localhost"),
                         (2, "", "serve: --address: expected an IP address, found localhost\n"))
        self.assertEqual(self.lagnet("serve", "r", "--port", "65536")[0], 2)

    def test_an_interrupted_server_ends(self):
        self.run_small("r")
        served = Served(self, "r")
        served.process.send_signal(signal.SIGINT)
        self.assertEqual(served.process.wait(timeout=60), 130)


class HostileRequests(Case):
    def setUp(self):
        super().setUp()
        self.run_small("r")

    def test_malformed_and_too_large_requests_get_an_error(self):
        served = Served(self, "r")
        host = f"Host: 127.0.0.1:{served.port}\r\n"
        for status, text in (
                (400, "nonsense\r\n\r\n"),
                (400, f"GET / HTTP/9.9\r\n{host}\r\n"),
                (400, f"GET / HTTP/1.1\r\n{host}no colon\r\n\r\n"),
                (400, f"POST /stop HTTP/1.1\r\n{host}Content-Length: many\r\n\r\n"),
                (400, f"POST /stop HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
                (431, f"GET / HTTP/1.1\r\n{host}X: {'x' * 100000}\r\n\r\n"),
                (431, f"GET /{'x' * 100000} HTTP/1.1\r\n{host}\r\n"),
                (413, f"POST /stop HTTP/1.1\r\n{host}Content-Length: 1000000000\r\n\r\n"),
                (413, f"POST /stop HTTP/1.1\r\n{host}Content-Length: 100000\r\n\r\n{'x' * 100000}"),
        ):
            with self.subTest(text[:80]):
                self.assertEqual(served.status_of(text.encode()), status)
        self.assertEqual(served.ask("/status")[0], 200)

    def test_other_targets_and_methods_are_refused(self):
        served = Served(self, "r")
        for target in ("/..", "/../../etc/passwd", "/r/summary.json", "//", "/status/", "/%2e%2e/", "/favicon.ico"):
            self.assertEqual(served.ask(target)[0], 404, target)
        for method, target in (("POST", "/"), ("PUT", "/model"), ("DELETE", "/status"), ("GET", "/stop"),
                               ("OPTIONS", "/stop"), ("HEAD", "/")):
            self.assertEqual(served.ask(target, method)[0], 405, method)
        proxied = b"GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        self.assertEqual(served.status_of(proxied), 404)

    def test_requests_under_another_name_are_refused(self):
        served = Served(self, "r")
        for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1.evil.example", "", "[::1", "10.0.0.1"):
            for target in ("/", "/status", "/model"):
                self.assertEqual(served.ask(target, headers={"Host": host})[0], 403, host)
        for host in (f"localhost:{served.port}", "LocalHost", "127.0.0.1:9"):
            self.assertEqual(served.ask("/status", headers={"Host": host})[0], 200, host)
        for hosts in ("", "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n"):
            self.assertEqual(served.status_of(f"GET / HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode()), 403)

    def test_only_its_own_page_with_the_token_may_stop(self):
        served = Served(self, "r")
        own = f"http://127.0.0.1:{served.port}"
        for status, token, origin in ((403, None, None), (403, None, own), (403, "0" * 32, own),
                                      (403, served.token[:-1], own), (403, served.token, "http://evil.example"),
                                      (403, served.token, "null"), (403, served.token, own.replace("http", "https")),
                                      (409, served.token, own), (409, served.token, None)):
            headers = {**({"X-Lagnet-Token": token} if token else {}), **({"Origin": origin} if origin else {})}
            with self.subTest(headers):
                self.assertEqual(served.ask("/stop", "POST", headers, token=False)[0], status)

    def test_at_other_addresses_results_take_the_token(self):
        served = Served(self, "r", "--address", "0.0.0.0")
        self.assertNotIn(served.host, ("0.0.0.0", "127.0.0.1"))
        self.assertEqual(served.ask("/", token=False)[0], 200)
        for target in ("/status", "/model"):
            self.assertEqual(served.ask(target, token=False)[0], 403)
            self.assertEqual(served.ask(target, headers={"X-Lagnet-Token": "1"}, token=False)[0], 403)
            self.assertEqual(served.ask(target)[0], 200)
            self.assertEqual(served.ask(target, headers={"Host": "evil.example"})[0], 403)
            self.assertEqual(served.ask(target, headers={"Host": served.host})[0], 200)

    def test_slow_requests_end_and_do_not_block_others(self):
        served = Served(self, "r")
        ends = []

        def ask_slowly():
            with socket.create_connection(("127.0.0.1", served.port), timeout=200) as slow:
                for byte in b"GET / HTTP/1.1\r\nX: " + b"x" * 1000:
                    try:
                        slow.sendall(bytes([byte]))
                        slow.settimeout(0.2)
                        if not slow.recv(100):
                            break
                    except TimeoutError:
                        continue
                    except OSError:
                        break
                else:
                    return
                ends.append(True)

        slow = [threading.Thread(target=ask_slowly) for _ in range(20)]
        for thread in slow:
            thread.start()
        self.assertEqual(served.ask("/status")[0], 200)
        for thread in slow:
            thread.join()
        self.assertEqual(len(ends), len(slow))

    def test_a_thousand_connections_do_not_block_new_ones(self):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most if most == resource.RLIM_INFINITY else min(most, 4096), most))
        served = Served(self, "r")
        idle = []
        for k in range(1000):
            connection = socket.create_connection(("127.0.0.1", served.port), timeout=60)
            if k % 2:
                connection.sendall(b"GET / HT")
            idle.append(connection)
        self.assertEqual(served.ask("/status")[0], 200)
        self.assertEqual(served.ask("/")[0], 200)
        self.assertLess(len(os.listdir(f"/proc/{served.process.pid}/fd")), 200)
        for connection in idle:
            connection.close()
        self.assertEqual(served.ask("/model")[0], 200)


class Watching(Case):
    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def start(self, *arguments, command="sweep"):
        jobs = ("--jobs", "1") if command == "sweep" else ()
        run = subprocess.Popen([PROGRAM, command, "s.json", "--out", "r", *jobs, *arguments], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for end in (run.wait, run.stdout.close, run.stderr.close, run.kill):
            self.addCleanup(end)
        return run

    def finished(self):
        return len(list((self.folder / "r.partial").glob("*.finished")))

    def test_ten_readers_of_a_sweep_change_no_byte_of_it(self):
        self.write("s.json", changed(SMALL, SWEEP))
        self.succeeds("sweep", "s.json", "--out", "whole", "--quiet")
        served = Served(self, "r", "--ends-with-input")
        over, seen, wrong = threading.Event(), [], []

        def read():
            model, version = None, ""
            try:
                while not over.is_set():
                    told = served.json("/status")
                    if told["model"] != version:  # as a page does, but more often
                        model, version = served.json("/model"), told["model"]
                    seen.append((told["state"], told["points"], told["finished"], len(model["runs"]) if model else 0))
                    time.sleep(0.1)
            except BaseException as error:  # pylint: disable=broad-except
                wrong.append(error)

        readers = [threading.Thread(target=read) for _ in range(10)]
        for reader in readers:
            reader.start()
        sweep = self.start("--quiet")
        wait_until(self.finished)
        sweep.send_signal(signal.SIGSTOP)  # so that a slow reader sees it run, too
        wait_until(lambda: ("running", 12) in [(state, points) for state, points, *_ in seen] or wrong)
        sweep.send_signal(signal.SIGCONT)
        self.assertEqual((*sweep.communicate(timeout=250), sweep.returncode), ("", "", 0))
        wait_until(lambda: ("finished", 12, 12, 12) in seen or wrong)
        over.set()
        for reader in readers:
            reader.join()
        self.assertEqual(wrong, [])
        self.assertEqual(self.files("r"), self.files("whole"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["r", "s.json", "whole"])
        self.assertEqual({points for state, points, *_ in seen if state == "running"} - {0}, {12})

    def test_a_stopped_sweep_continues_to_the_same_results_and_no_other_process_is_interrupted(self):
        self.write("s.json", changed(SMALL, {"/record/every": 2000,
                                             "/sweep": {"/stop/rounds": [20, 10**12], "/seed": [1, 2]}}))
        served = Served(self, "r", "--ends-with-input")
        sweep = self.start("--quiet")
        wait_until(lambda: self.finished() == 2)
        with open(self.folder / "r.partial/lagnet.lock", encoding="utf-8"):  # has it open as well, and no lock
            wait_until(lambda: served.json("/status")["can_stop"])
            self.assertTrue(served.json("/status")["keeps_points"])
            self.assertEqual(served.ask("/stop", "POST")[0], 202)
            _, err = sweep.communicate(timeout=200)
        self.assertEqual((sweep.returncode, err), (130, f"lagnet: interrupted, finished points are in {self.folder}/"
                                                        "r.partial, and the same command goes on from there\n"))
        wait_until(lambda: served.json("/status")["state"] == "stopped")
        self.assertEqual([served.json("/status")[key] for key in ("points", "finished")], [4, 2])
        self.assertEqual(served.ask("/stop", "POST")[0], 409)
        # To go on to an end, the others become shorter.
        self.write("s.json", changed(SMALL, {"/record/every": 2000,
                                             "/sweep": {"/stop/rounds": [20, 30], "/seed": [1, 2]}}))
        self.assertIn("2 of 4 points were finished before", self.lagnet("sweep", "s.json", "--out", "r")[2])
        self.succeeds("sweep", "s.json", "--out", "whole", "--quiet")
        self.assertEqual(self.files("r"), self.files("whole"))
        wait_until(lambda: served.json("/status")["state"] == "finished")

    def test_rows_of_a_single_run_are_seen_while_it_goes_on(self):
        self.write("s.json", changed(SMALL, {"/stop/rounds": 10**9, "/record/every": 10**4}))
        served = Served(self, "r", "--ends-with-input")
        self.assertEqual(served.json("/status")["state"], "waiting")
        self.assertIsNone(served.json("/model"))
        run = self.start(command="run")
        rows = lambda: (served.json("/model") or {"runs": [{"rows": 0}]})["runs"][0]["rows"]
        wait_until(lambda: rows() > 0, pause=1)  # as pages do: whoever asks all the time waits for the next model
        first = rows()
        wait_until(lambda: rows() > first, pause=1)
        told = served.json("/status")
        self.assertEqual([told[key] for key in ("state", "points", "finished", "keeps_points")],
                         ["running", 1, 0, False])
        self.assertEqual(told["under_way"][0]["rounds"], 10**9)
        self.assertGreater(told["left_s"], 0)
        self.assertEqual(served.ask("/stop", "POST")[0], 202)
        self.assertEqual((run.communicate(timeout=200)[1], run.returncode),
                         ("lagnet: interrupted, nothing was written\n", 130))
        wait_until(lambda: served.json("/status")["state"] == "waiting")

    def test_watch_prints_the_address_and_changes_nothing_else(self):
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 200}))
        plain = self.lagnet("sweep", "s.json", "--out", "whole", "--jobs", "1")
        run = self.start("--watch")
        served = served_by(run.stderr.readline())
        self.assertIn(served.json("/status")["state"], ("waiting", "running", "finished"))
        out, err = run.communicate(timeout=200)
        self.assertEqual((run.returncode, out.replace("results in r\n", "results in whole\n"), err), plain)
        self.assertEqual(self.files("r"), self.files("whole"))
        wait_until(lambda: self.is_gone(served))

    def test_a_watching_server_ends_with_a_run_that_is_killed(self):
        self.write("s.json", changed(SMALL, SWEEP))
        run = self.start("--watch")
        served = served_by(run.stderr.readline())
        self.assertEqual(served.ask("/status")[0], 200)
        run.kill()
        run.communicate()
        wait_until(lambda: self.is_gone(served))

    def is_gone(self, served):
        try:
            socket.create_connection(("127.0.0.1", served.port), timeout=60).close()
        except ConnectionRefusedError:
            return True
        return False
