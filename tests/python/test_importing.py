"""`lagnet import`: scenarios from files of other tools run as those that are written by hand."""

import json
import os
import pathlib
import shutil
import warnings

import numpy as np

import lagnet
from importing_files import DATA, FILES, ImportingCase
from lagnet.importing import command
from support import ROOT

EVERYBODY = {"topology": {"kind": "complete"}, "algorithm": {"kind": "extra", "step": 0.01}, "stop": {"rounds": 20}}


class ImportedRuns(ImportingCase):
    def setUp(self):
        super().setUp()
        warnings.simplefilter("ignore", lagnet.RunWarning)  # losses are part of what is imported

    def test_an_imported_scenario_has_the_events_of_one_that_is_written_by_hand(self):
        for file, by_hand in FILES.items():
            with self.subTest(file):
                settings = ["network.model_bytes=30000"] if file.startswith("mahimahi") else []
                status, said = self.imported(DATA / file, *settings, replace=True)
                self.assertEqual(status, 0, said)
                self.assertEqual(self.hashes("imported.json"), self.hashes(DATA / by_hand))

    def test_so_has_one_in_which_everybody_sends_to_everybody(self):
        for file, by_hand in FILES.items():
            if not file.startswith(("simgrid", "shadow/two_sites", "shadow/switch")):
                continue
            with self.subTest(file):
                hand = lagnet.documents.parsed((DATA / by_hand).read_text())
                agents = hand["topology"]["agents"]
                sections = {**EVERYBODY, "topology": {"kind": "complete", "agents": agents}}
                settings = [f"{key}={json.dumps(value)}" for key, value in sections.items()]
                if file == "shadow/two_sites.yaml":  # a hand-written link for each edge from a node to itself
                    hand["network"]["underlay"]["links"][1] = {"ends": ["center", "home 2"], "latency_ms": 30,
                                                               "loss_probability": 0.01}
                    hand["network"]["underlay"]["links"].append({"ends": ["home 1", "home 2"], "latency_ms": 12})
                    sections["network"] = hand["network"]
                imported = self.document(DATA / file, *settings)
                self.assertEqual(lagnet.run(imported).summary["trace_hash"],
                                 lagnet.run({**hand, **sections}).summary["trace_hash"])

    def test_another_latency_would_be_noticed(self):
        for file, pointer in (("simgrid/dumbbell.xml", "/network/underlay/links/2/latency_ms"),
                              ("shadow/cities.graphml", "/network/underlay/links/0/latency_ms"),
                              ("simgrid/clusters.xml", "/network/underlay/links/3/bandwidth_bytes_per_s")):
            with self.subTest(file):
                document = self.document(DATA / file)
                before = lagnet.run(document).summary["trace_hash"]
                self.assertNotEqual(lagnet.run(document, set={pointer: 7}).summary["trace_hash"], before)

    def test_the_same_file_gives_the_same_bytes(self):
        for file in FILES:
            self.imported(DATA / file, out="first.json", replace=True)
            self.imported(DATA / file, out="second.json", replace=True)
            self.assertEqual(pathlib.Path("first.json").read_bytes(), pathlib.Path("second.json").read_bytes(), file)


class ImportedFormulas(ImportingCase):
    """decent-bench's algorithms, by the formulas of its documentation, on six agents in a ring."""

    def setUp(self):
        super().setUp()
        draws = np.random.default_rng(5)
        self.A, self.b = draws.normal(size=(6, 10, 3)), draws.normal(size=(6, 10))
        rows = np.hstack([self.A.reshape(60, 3), self.b.reshape(60, 1)])
        np.savetxt("points.csv", rows, delimiter=",", header="x,y,z,label", comments="", fmt="%.17g")
        status, said = self.imported(
            DATA / "decent_bench" / "sunny.py",
            'data={"source": "csv", "path": "points.csv", "label_name": "label"}')
        self.assertEqual(status, 0, said)
        self.W = np.eye(6) / 3
        for i in range(6):
            self.W[i, (i + 1) % 6] = self.W[i, i - 1] = 1 / 3

    def gradient(self, i, x):
        return self.A[i].T @ (self.A[i] @ x - self.b[i])

    def dgd(self, step=0.001, x=None):
        x = np.zeros((6, 3))
        for _ in range(20):
            x = self.W @ x - step * np.array([self.gradient(i, x[i]) for i in range(6)])
        return x

    def gt2(self, step=0.001):
        W = (np.eye(6) + self.W) / 2
        x, y = np.zeros((6, 3)), np.zeros((6, 3))
        y_new = np.array([-step * self.gradient(i, x[i]) for i in range(6)])
        received = np.array([[x[i] + y_new[i] - y[i]] * 6 for i in range(6)])  # each takes its own for the others'
        for _ in range(20):
            own = x + y_new - y
            x = np.array([sum(W[i, j] * (received[i, j] if i != j else own[i]) for j in range(6)) for i in range(6)])
            y, y_new = y_new, np.array([x[i] - step * self.gradient(i, x[i]) for i in range(6)])
            received = np.array([[x[j] + y_new[j] - y[j] for j in range(6)] for _ in range(6)])
        return x

    def admm(self, rho=10, alpha=0.3):
        z = np.zeros((6, 6, 3))
        for _ in range(20):
            x = np.array([np.linalg.solve(self.A[i].T @ self.A[i] + 2 * rho * np.eye(3),
                                          self.A[i].T @ self.b[i] + z[i].sum(axis=0)) for i in range(6)])
            sent = z - 2 * rho * x[:, None]
            for i in range(6):
                for j in ((i + 1) % 6, i - 1):
                    z[i, j] = (1 - alpha) * z[i, j] - alpha * sent[j, i]
        return x

    def test_imported_algorithms_have_the_iterates_of_its_formulas(self):
        for run, iterates in zip(lagnet.sweep("imported.json"), (self.dgd(), self.gt2(), self.admm())):
            found = run.model.set_index("feature")["coefficient"].loc[["x", "y", "z"]]
            np.testing.assert_allclose(found, iterates.mean(axis=0), rtol=1e-10)


class ImportedPlatforms(ImportingCase):
    """Routes of SimGrid's platforms."""

    def links_on_the_way(self, underlay, source, target):
        """The names of the links that lagnet's rule takes: a stated route, or else the shortest one by latency."""
        ends = {}
        for link in underlay["links"]:
            one, other = link["ends"]
            name, latency = link.get("name", ""), link.get("latency_ms", 0)
            ends.setdefault(one, []).append((other, latency, name))
            if link.get("both_ways", True):
                ends.setdefault(other, []).append((one, latency, name))
        for route in underlay.get("routes", []):
            if (route["from"], route["to"]) == (source, target):
                nodes = [source, *route.get("via", []), target]
                return [name for at, to in zip(nodes, nodes[1:])
                        for name in [next(name for other, _, name in ends[at] if other == to)] if name]
        best, queue = {}, [(0.0, source, [])]
        while queue:
            queue.sort(key=lambda one: one[0])
            length, at, names = queue.pop(0)
            if at in best:
                continue
            best[at] = names
            queue += [(length + latency, other, names + [name] * bool(name))
                      for other, latency, name in ends.get(at, []) if other not in best]
        return best[target]

    def xml(self, platform):
        """A platform of the reference tests as XML, and the links of each of its routes."""
        lines = ["<platform version='4.1'>", "<zone id='all' routing='Full'>"]
        routes = {}
        for number, host in enumerate(platform["hosts"]):
            lines += [f"<host id='host {number}' speed='1Gf'/>",
                      f"<link id='up {number}' bandwidth='{host['up_bytes_per_s']}Bps' latency='1us'/>",
                      f"<link id='down {number}' bandwidth='{host['down_bytes_per_s']}Bps' latency='1us'/>"]
        lines += [f"<link id='inner {number}' bandwidth='{rate}Bps' latency='1ms'/>"
                  for number, rate in enumerate(platform["links_bytes_per_s"])]
        for transfer in platform["transfers"]:
            source, target = f"host {transfer['from']}", f"host {transfer['to']}"
            if (source, target) not in routes:
                way = [f"up {transfer['from']}", *(f"inner {one}" for one in transfer["via"]), f"down {transfer['to']}"]
                routes[source, target] = way
                crossed = "".join(f"<link_ctn id='{one}'/>" for one in way)
                lines.append(f"<route src='{source}' dst='{target}' symmetrical='NO'>{crossed}</route>")
        pathlib.Path("platform.xml").write_text("\n".join([*lines, "</zone>", "</platform>"]))
        return routes

    def test_routes_of_the_reference_platforms_cross_the_links_of_the_file(self):
        for platform in json.loads((ROOT / "tests/reference/simgrid/routes.json").read_text()):
            with self.subTest(platform["name"]):
                routes = self.xml(platform)
                network = self.document("platform.xml")["network"]
                for pair, way in routes.items():
                    self.assertEqual(self.links_on_the_way(network["underlay"], *pair), way, pair)
                bandwidths = {link["name"]: link["bandwidth_bytes_per_s"] for link in network["underlay"]["links"]
                              if "name" in link}
                for number, rate in enumerate(platform["links_bytes_per_s"]):
                    if f"inner {number}" in bandwidths:
                        self.assertEqual(bandwidths[f"inner {number}"], rate)

    def test_a_link_that_many_pairs_of_hosts_cross_is_one_link(self):
        pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
        routes = "".join(f"<route src='{one}' dst='{other}'><link_ctn id='bus'/></route>" for one, other in pairs)
        pathlib.Path("bus.xml").write_text(
            "<platform version='4.1'><zone id='z' routing='Full'>" + "".join(
                f"<host id='{host}' speed='1Gf'/>" for host in "abcd") +
            f"<link id='bus' bandwidth='1MBps' latency='2ms'/>{routes}</zone></platform>")
        underlay = self.document("bus.xml")["network"]["underlay"]
        self.assertEqual([link.get("name") for link in underlay["links"]].count("bus"), 1)
        for one, other in pairs:
            self.assertEqual(self.links_on_the_way(underlay, one, other), ["bus"])
            self.assertEqual(self.links_on_the_way(underlay, other, one), ["bus"])
        result = lagnet.run(self.document("bus.xml"), set={"stop.rounds": 2})
        crossed = result.resources.set_index("resource")["messages"]
        of_bus = [crossed[name] for name in crossed.index if name.startswith("bus ")]
        self.assertEqual(of_bus, [12])  # there and back for three clients in two rounds

    def test_messages_cross_the_links_that_simgrid_has_between_hosts(self):
        pairs = 0
        for name, recorded in json.loads((DATA / "simgrid/routes.json").read_text()).items():
            underlay = self.document(DATA / "simgrid" / name)["network"]["underlay"]
            known = {link["name"]: (link["bandwidth_bytes_per_s"], link.get("latency_ms", 0) / 1000)
                     for link in underlay["links"] if "name" in link}
            for hosts, way in recorded.items():
                found = sorted(known[link] for link in self.links_on_the_way(underlay, *hosts.split()))
                np.testing.assert_allclose(found, sorted(map(tuple, way)), rtol=1e-12, err_msg=f"{name}: {hosts}")
                pairs += 1
        self.assertEqual(pairs, 12 + 20 + 6 + 72)

    def test_clusters_and_zones_have_the_ways_of_the_documentation(self):
        underlay = self.document(DATA / "simgrid/clusters.xml")["network"]["underlay"]
        for source, target, way in (
                ("node-0.one", "node-2.one", ["one_link_0_UP", "one_backbone", "one_link_2_DOWN"]),
                ("node-0.two", "node-2.two", ["two_link_0_UP", "two_link_2_DOWN"]),
                ("node-1.one", "node-2.two", ["one_link_1_UP", "one_backbone", "wan_UP", "two_link_2_DOWN"]),
                ("node-2.two", "node-1.one", ["two_link_2_UP", "wan_DOWN", "one_backbone", "one_link_1_DOWN"])):
            self.assertEqual(self.links_on_the_way(underlay, source, target), way)


class ImportedStrategies(ImportingCase):
    """Flower's strategies, by the code of the server."""

    def setUp(self):
        super().setUp()
        warnings.simplefilter("ignore", lagnet.RunWarning)  # Flower's second moments begin at 0

    def of_server(self, code, *settings, config="", clients=10):
        pathlib.Path("app").mkdir(exist_ok=True)
        pathlib.Path("app/server.py").write_text(f"from flwr.serverapp.strategy import *\n{code}\n")
        pathlib.Path("pyproject.toml").write_text(
            "[tool.flwr.app.components]\nserverapp = 'app.server:app'\n[tool.flwr.app.config]\nnum-server-rounds = 3\n"
            f"local-epochs = 1\nbatch-size = 8\nlr = 0.5\n{config}\n[tool.flwr.federations.local]\n"
            f"options.num-supernodes = {clients}\n")
        return command.draft_of(pathlib.Path("pyproject.toml"), settings=list(settings))

    def test_strategies_have_the_options_of_their_arguments(self):
        mean = {"kind": "fed_avg", "local_epochs": 1, "batch": 8, "client_step": 0.5}
        for code, changed in (
                ("FedAvg()", {}),
                ("FedAvgM(server_learning_rate=0.5, server_momentum=0.9)",
                 {"server_step": 0.5, "server_optimizer": {"kind": "sgd", "momentum": 0.9}}),
                ("FedProx(proximal_mu=0.3)", {"kind": "fed_prox", "mu": 0.3}),
                ("FedAdam(eta=0.2, beta_1=0.8)", {"server_step": 0.2, "server_optimizer": {
                    "kind": "adam", "beta1": 0.8, "beta2": 0.99, "tau": 1e-3, "v0": 0}}),
                ("FedYogi()", {"server_step": 0.01, "server_optimizer": {
                    "kind": "yogi", "beta1": 0.9, "beta2": 0.99, "tau": 1e-3, "v0": 0}}),
                ("FedMedian()", {"aggregation": {"kind": "coordinate_median"}}),
                ("FedTrimmedAvg(beta=0.1)", {"aggregation": {"kind": "trimmed_mean", "trim": 0.1}}),
                ("Krum(num_malicious_nodes=2)", {"aggregation": {"kind": "krum", "attackers": 2, "keep": 1}}),
                ("MultiKrum(num_malicious_nodes=2, num_nodes_to_select=4)",
                 {"aggregation": {"kind": "krum", "attackers": 2, "keep": 4}})):
            with self.subTest(code):
                document = self.of_server(f"strategy = {code}").document
                self.assertEqual(document["algorithm"], {**mean, **changed})
                self.assertEqual(lagnet.run(document).status, "done")

    def test_clients_of_a_round_are_as_many_as_flower_samples(self):
        for code, clients, asked in (("FedAvg(fraction_fit=0.34)", 10, 3), ("FedAvg(fraction_fit=0.01)", 10, 2),
                                     ("FedAvg(fraction_train=0.1, min_train_nodes=5)", 10, 5),
                                     ("FedAvg(fraction_train=0.1, min_train_nodes=50)", 10, None)):
            document = self.of_server(f"strategy = {code}", clients=clients).document
            choice = document.get("participation", {}).get("clients", {}).get("size")
            self.assertEqual(choice, asked, code)

    def test_a_class_of_the_app_is_its_base_with_a_note(self):
        draft = self.of_server("class Mine(FedProx):\n    pass\nstrategy = Mine(proximal_mu=1.0)")
        self.assertEqual(draft.document["algorithm"]["kind"], "fed_prox")
        self.assertIn("what Mine in server.py changes of FedProx.", draft.texts("left out"))

    def test_a_strategy_that_cannot_be_read_is_an_assumption(self):
        draft = self.of_server("strategy = choose()")
        self.assertEqual(draft.document["algorithm"]["kind"], "fed_avg")
        self.assertTrue([text for text in draft.texts("assumed") if text.startswith("the strategy is FedAvg")])


class ImportCommand(ImportingCase):
    def test_another_scenario_is_replaced_only_if_asked(self):
        pathlib.Path("imported.json").write_text("mine")
        status, said = self.imported(DATA / "mahimahi/12mbps")
        self.assertEqual(status, 2)
        self.assertIn("imported.json: expected a new file, found another one", said)
        self.assertEqual(pathlib.Path("imported.json").read_text(), "mine")
        self.assertEqual(self.imported(DATA / "mahimahi/12mbps", replace=True)[0], 0)
        self.assertEqual(self.imported(DATA / "mahimahi/12mbps")[0], 0)  # the same bytes
        self.assertEqual(os.listdir(), ["imported.json"])

    def test_comments_name_what_is_assumed_and_left_out(self):
        status, said = self.imported(DATA / "decent_bench/drops.py", out=None)
        self.assertEqual(status, 0)
        comments = " ".join(line.strip().removeprefix("//").strip() for line in said.splitlines()
                            if line.strip().startswith("//"))
        for sentence in ("assumed: decent-bench has no time: links have lagnet's defaults, 1 ms and 1 Gbit/s.",
                         "left out: messages are rounded to 4 significant digits",
                         "left out: in an iteration an agent is active with probability 0.5",
                         "left out: 30 trials of each algorithm"):
            self.assertIn(sentence, comments)
        self.assertEqual(lagnet.documents.parsed(said), self.document(DATA / "decent_bench/drops.py"))

    def test_what_is_set_needs_no_assumption(self):
        pathlib.Path("mine.csv").write_text("a,label\n" + "".join(f"{k},{k % 2}\n" for k in range(40)))
        before = command.draft_of(DATA / "mahimahi/12mbps").texts("assumed")
        draft = command.draft_of(DATA / "mahimahi/12mbps", settings=[
            'data={"source": "csv", "path": "mine.csv"}', 'algorithm={"kind": "fed_avg", "local_steps": 2}'])
        self.assertEqual(draft.document["algorithm"], {"kind": "fed_avg", "local_steps": 2})
        self.assertEqual(draft.document["data"], {"source": "csv", "path": "mine.csv"})
        self.assertEqual(len(draft.texts("assumed")), len(before) - 2)

    def test_forms_are_recognized_by_content(self):
        for file in FILES:
            copy = pathlib.Path("without_an_ending")
            shutil.copy(DATA / file, copy)
            self.assertEqual(command.draft_of(copy, settings=["stop.rounds=3"]).form,
                             file.partition("/")[0].replace("_", "-"), file)

    def test_paths_are_relative_to_the_scenario(self):
        pathlib.Path("sub").mkdir()
        shutil.copy(DATA / "mahimahi/12mbps", "trace")
        self.assertEqual(self.imported("trace", out="sub/s.json")[0], 0)
        document = lagnet.documents.parsed(pathlib.Path("sub/s.json").read_text())
        self.assertEqual(document["network"]["up_bytes_per_s"]["path"], "../trace")
        self.assertEqual(lagnet.run("sub/s.json", set={"stop.rounds": 2}).status, "done")

    def test_nothing_in_the_folder_of_a_file_is_executed(self):
        shutil.copytree(DATA / "flower/adaptive", "app")
        marks = self.folder / "executed"
        code = f"open({str(marks)!r}, 'a').write(__name__)\n"
        for name in ("yaml", "networkx", "tomllib", "ast", "statistics"):
            pathlib.Path("app", f"{name}.py").write_text(code)
        server = pathlib.Path("app/src/adaptive_app/server_app.py")
        server.write_text(code + server.read_text())
        shutil.copy(DATA / "decent_bench/sunny.py", "app/sunny.py")
        pathlib.Path("app/sunny.py").write_text(code + pathlib.Path("app/sunny.py").read_text())
        shutil.copy(DATA / "shadow/two_sites.yaml", "app/shadow.yaml")
        for name in ("pyproject.toml", "sunny.py", "shadow.yaml"):
            status, _, said = self.program("import", name, "-o", f"{name}.json", cwd="app",
                                           env={**os.environ, "PYTHONPATH": str(ROOT / "tools/python")})
            self.assertEqual(status, 0, said)
        self.assertFalse(marks.exists(), marks.read_text() if marks.exists() else "")
        self.assertEqual(len(list(pathlib.Path("app").glob("*.json"))), 3)
