"""`lagnet deploy plan`, `keys` and `collect`, and `lagnet agent`: processes in folders of their own, as on several
computers."""

import json
import random
import shutil
import socket
import stat
import subprocess

from support import PROGRAM, Case

RUN = {"/stop/rounds": 40, "/record/every": 10}


def free_ports(count):
    """Ports at which no process listened just now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Plan(Case):
    def plan(self, changes=()):
        """A plan for the five agents of a small scenario in two processes."""
        self.write_small({**RUN, **dict(changes)})
        self.write("hosts.txt", "".join(f"127.0.0.1:{port}\n" for port in free_ports(2)))
        self.succeeds("deploy", "plan", "s.json", "--agents", "hosts.txt", "--out", "plan.json", "--quiet")

    def computer(self, process, keys="plan.keys"):
        """A folder with only the files that the computer of a process needs."""
        folder = self.folder / f"computer_{process}"
        folder.mkdir()
        shutil.copy(self.folder / "plan.json", folder)
        if keys:
            shutil.copytree(self.folder / keys / f"process_{process}", folder / "plan.keys" / f"process_{process}")
        return folder

    def start(self, folder, agent, *options):
        process = subprocess.Popen([PROGRAM, "agent", "plan.json", "--id", str(agent), "--out", "a.record", *options],
                                   cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def ends(self, processes):
        """Exit status, standard output and standard error of each."""
        texts = [process.communicate(timeout=100) for process in processes]
        return [(process.returncode, *text) for process, text in zip(processes, texts)]

    def collected_alike(self):
        self.succeeds("deploy", "collect", "plan.json", "computer_0/a.record", "computer_1/a.record", "--out", "real",
                      "--quiet")
        self.succeeds("run", "s.json", "--out", "simulated", "--quiet")
        real, simulated = (self.table(f"{name}/progress.csv") for name in ("real", "simulated"))
        self.assertGreater(len(real), 3)
        values = [[[row[key] for key in ("round", "objective")] for row in rows] for rows in (real, simulated)]
        self.assertEqual(*values)
        # How much of it agents that are ahead have sent when a row is complete, each network decides.
        self.assertEqual(real[-1]["bytes"], simulated[-1]["bytes"])

    def test_processes_with_certificates_of_their_plan_compute_the_simulated_run(self):
        self.plan()
        out = self.succeeds("deploy", "keys", "plan.json")
        self.assertIn("plan.keys", out)
        for process in (0, 1):
            key = self.folder / f"plan.keys/process_{process}/private_key.pem"
            self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE((self.folder / "plan.keys").stat().st_mode), 0o700)
        ends = self.ends([self.start(self.computer(0), 2), self.start(self.computer(1), 4)])
        for status, out, err in ends:
            self.assertEqual((status, err), (0, ""))
            self.assertIn("a.record", out)
        self.collected_alike()
        first = [(self.folder / f"computer_{k}/a.record").read_bytes() for k in (0, 1)]
        again = self.ends([self.start(self.folder / f"computer_{k}", 2 + 2 * k) for k in (0, 1)])
        self.assertEqual([(status, err) for status, _, err in again], [(0, ""), (0, "")])
        self.assertEqual([(self.folder / f"computer_{k}/a.record.1").read_bytes() for k in (0, 1)], first)
        (self.folder / "computer_0/a.record").write_text("mine", encoding="utf-8")
        before = self.tree()
        [(status, out, err)] = self.ends([self.start(self.folder / "computer_0", 2)])
        self.assertEqual((status, out), (2, ""))
        self.assertIn("a.record: is no record of an agent's process", " ".join(err.split()))
        self.assertEqual(self.tree(), before)

    def test_a_plan_that_is_refused_leaves_an_earlier_one(self):
        self.plan()
        before = self.tree()
        self.write("bad.txt", "127.0.0.1:4000 0 1 2 3\n")
        before["bad.txt"] = (self.folder / "bad.txt").read_bytes()
        status, out, err = self.lagnet("deploy", "plan", "s.json", "--agents", "bad.txt", "--out", "plan.json",
                                       "--replace")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("one that runs agent 4", err)
        self.assertEqual(self.tree(), before)

    def test_a_private_key_that_others_may_read_is_refused_with_the_remedy(self):
        self.plan()
        self.succeeds("deploy", "keys", "plan.json", "--quiet")
        key = self.folder / "plan.keys/process_0/private_key.pem"
        key.chmod(0o644)
        before = self.tree()
        for command in ("agent", "calibrate"):
            status, out, err = self.lagnet(command, "plan.json", "--id", 0, "--out", "a")
            self.assertEqual((status, out), (2, ""))
            self.assertIn("found mode 0644; run `chmod 600 plan.keys/process_0/private_key.pem`", " ".join(err.split()))
        self.assertEqual(self.tree(), before)

    def test_a_record_with_a_changed_bit_is_refused_by_name(self):
        self.plan()
        ends = self.ends([self.start(self.computer(0, None), 0), self.start(self.computer(1, None), 3)])
        self.assertEqual([end[0] for end in ends], [0, 0], ends)
        record = self.folder / "computer_1/a.record"
        whole = record.read_bytes()
        draws = random.Random(3)
        for _ in range(20):
            at, bit = draws.randrange(len(whole)), draws.randrange(8)
            record.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1:])
            status, out, err = self.lagnet("deploy", "collect", "plan.json", "computer_0/a.record",
                                           "computer_1/a.record", "--out", "real")
            with self.subTest(at=at, bit=bit):
                self.assertEqual((status, out), (2, ""))
                self.assertRegex(err, r"computer_1/a\.record: entry \d+, at byte \d+: a damaged frame|a frame with a")
                self.assertFalse((self.folder / "real").exists())

    def test_an_empty_number_of_an_agent_is_no_number(self):
        self.plan()
        before = self.tree()
        for option in ("--id=", "--id"):
            status, out, err = self.lagnet("agent", "plan.json", *([option] if "=" in option else [option, ""]))
            self.assertEqual((status, out), (2, ""))
            self.assertIn("--id", err)
        self.assertEqual(self.tree(), before)

    def test_processes_of_one_computer_need_no_certificates(self):
        self.plan()
        ends = self.ends([self.start(self.computer(0, None), 0), self.start(self.computer(1, None), 3)])
        self.assertEqual([end[0] for end in ends], [0, 0], ends)
        self.collected_alike()

    def test_a_process_with_its_share_of_the_data_needs_no_others(self):
        samples = [f"{0.5 * row - column} {' '.join(f'{k}:{(row * k + column) % 7 - 3}' for k in range(1, 8))}"
                   for row in range(8) for column in range(3)]
        self.write("d.libsvm", "\n".join(samples) + "\n")
        self.plan({"/data": {"source": "libsvm", "path": "d.libsvm"}})
        folders = [self.computer(process, None) for process in (0, 1)]
        status, _, err = self.lagnet("agent", f"{folders[0]}/plan.json", "--id", 0)
        self.assertEqual(status, 2)
        self.assertIn("d.libsvm", err)
        self.assertIn("plan.data", self.succeeds("deploy", "shares", "plan.json"))
        self.assertEqual(stat.S_IMODE((self.folder / "plan.data").stat().st_mode), 0o700)
        for process, folder in enumerate(folders):
            (folder / "plan.data").mkdir()
            shutil.copy(self.folder / f"plan.data/process_{process}.cbor", folder / "plan.data")
        ends = self.ends([self.start(folders[0], 0), self.start(folders[1], 3)])
        self.assertEqual([end[0] for end in ends], [0, 0], ends)
        self.collected_alike()
        before = self.tree()
        modes = {stat.S_IMODE(path.stat().st_mode) for path in (self.folder / "plan.data").iterdir()}
        self.assertEqual(modes, {0o600})
        status, out, err = self.lagnet("deploy", "shares", "plan.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("plan.data: exists", err)
        shutil.copy(self.folder / "plan.data/process_1.cbor", folders[0] / "plan.data/process_0.cbor")
        status, out, err = self.lagnet("agent", f"{folders[0]}/plan.json", "--id", 0)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("expected the data of process 0 of this plan, found those of process 1", err)
        shutil.copy(self.folder / "plan.data/process_0.cbor", folders[0] / "plan.data")
        self.assertEqual(self.tree(), before)

    def test_a_process_with_other_certificates_or_none_is_refused_and_leaves_no_record(self):
        self.plan()
        self.succeeds("deploy", "keys", "plan.json", "--quiet")
        self.succeeds("deploy", "keys", "plan.json", "--out", "other", "--quiet", "--days", 7)
        first = self.computer(0)
        for keys in ("other", None):
            with self.subTest(keys):
                shutil.rmtree(self.folder / "computer_1", ignore_errors=True)
                second = self.computer(1, keys)
                ends = self.ends([self.start(folder, agent, "--patience-s", "2")
                                  for folder, agent in ((first, 0), (second, 3))])
                for status, out, err in ends:
                    self.assertEqual((status, out), (2, ""))
                    self.assertIn("has not greeted", err)
                    self.assertIn("no connection to process", err)
                self.assertFalse((first / "a.record").exists() or (second / "a.record").exists())

    def test_other_computers_need_certificates_or_a_word_that_they_need_none(self):
        self.write_small(RUN)
        self.write("hosts.txt", "127.0.0.1:7700\n192.0.2.3:7700\n192.0.2.4:7700\n")
        self.succeeds("deploy", "plan", "s.json", "--agents", "hosts.txt", "--out", "plan.json", "--quiet")
        status, out, err = self.lagnet("agent", "plan.json", "--id", 0)
        self.assertEqual((status, out), (2, ""))
        for words in ("/processes/1/host", "/processes/2/host", "lagnet deploy keys plan.json", "--insecure"):
            self.assertIn(words, err)
        self.assertNotIn("/processes/0/host", err)
        status, out, err = self.lagnet("agent", "plan.json", "--id", 0, "--keys", "missing")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("missing/process_0/authority.pem", err)
        self.assertEqual(self.lagnet("agent", "plan.json", "--id", 0, "--keys", "a", "--insecure")[0], 2)

    def test_certificates_are_made_once(self):
        self.plan()
        self.succeeds("deploy", "keys", "plan.json")
        before = self.tree()
        status, out, err = self.lagnet("deploy", "keys", "plan.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("plan.keys: exists", err)
        self.write("no_plan.json", {"lagnet_plan": 1})
        before["no_plan.json"] = json.dumps({"lagnet_plan": 1}).encode()
        status, out, err = self.lagnet("deploy", "keys", "no_plan.json", "--out", "new")
        self.assertEqual((status, out), (2, ""))
        self.assertIn('expected key "scenario"', err)
        self.assertEqual(self.lagnet("deploy", "keys", "plan.json", "--days", 0)[0], 2)
        self.assertEqual(self.tree(), before)
