"""`lagnet import` of files that are wrong: all of it is said at once, and nothing is written."""

import contextlib
import os
import pathlib

import numpy as np

import lagnet
from importing_files import DATA, FILES, ImportingCase

BENCHMARK = "from decent_bench import benchmark\n"
WRONG = {
    "decent-bench": {
        "no call": (BENCHMARK, ["expected one call benchmark(algorithms=.., benchmark_problem=..), found none"]),
        "no Python": (BENCHMARK + "benchmark.benchmark(algorithms=[\n", ["line 2: expected Python"]),
        "wrong values": (
            BENCHMARK + "benchmark.benchmark(algorithms=[DGD(iterations=0, step_size=-1), ADMM(5, 'a', 1.5), GT2(9)],\n"
            "    benchmark_problem=create_regression_problem(QuadraticCost, n_agents=3, n_neighbors_per_agent=3))\n",
            ["line 2: expected iterations, a whole number of at least 1, found 0",
             "line 2: expected step_size, a number of at least 0, found -1",
             'line 2: expected rho, a number of at least 0, found "a"',
             "line 2: expected alpha, a number above 0 and below 1, found 1.5",
             "line 2: expected the argument step_size, found none",
             "line 3: expected costs of LinearRegressionCost or LogisticRegressionCost, or --set problem=.., found "
             "QuadraticCost",
             "line 3: expected n_neighbors_per_agent below n_agents, and an even product of the two, found 3 and 3"]),
        "a graph by other code": (
            BENCHMARK + "graph = load()\n"
            "problem = BenchmarkProblem(topology_structure=graph, cost_functions=[LinearRegressionCost(A, b)])\n"
            "benchmark.benchmark([DGD(5, 0.1)], problem)\n",
            ["line 3: expected a graph of networkx, by cycle_graph,", "found load(..)"]),
        "arguments of a graph in the wrong order": (
            BENCHMARK + "costs = [LinearRegressionCost(*p) for p in data]\n"
            "problem = BenchmarkProblem(nx.random_regular_graph(100, 3), None, costs)\n"
            "benchmark.benchmark([DGD(5, 0.1)], problem)\n",
            ["random_regular_graph(d, n) with a degree d below the number of nodes n, and d n even, found d=100, n=3"]),
        "no algorithm of lagnet": (
            BENCHMARK + "benchmark.benchmark([GT1(5, 0.1)], create_regression_problem(LinearRegressionCost))\n",
            ["line 2: expected one algorithm that lagnet has, of DGD, GT2 and ADMM, found none"])},
    "flower": {
        "no TOML": ("[tool.flwr.app\n", ["expected a file in TOML"]),
        "no rounds": ("[tool.flwr.app.config]\nlocal-epochs = 1\n",
                      ["[tool.flwr.app.config]: expected num-server-rounds, the number of rounds, found none"]),
        "wrong values": (
            "[tool.flwr.app.config]\nnum-server-rounds = 0\nstrategy = 'FedMagic'\n"
            "[tool.flwr.federations]\ndefault = 'none'\n[tool.flwr.federations.a]\n"
            "options.num-supernodes = 10\n",
            ["num-server-rounds: expected a whole number of at least 1, found 0",
             'strategy: expected one of FedAvg, FedProx, FedAvgM, FedAdagrad, FedAdam, FedYogi, FedMedian, '
             'FedTrimmedAvg, Krum, MultiKrum, found "FedMagic"',
             '[tool.flwr.federations] default: expected one of the federations there, found "none"']),
        "wrong numbers of training": (
            "[tool.flwr.app.config]\nnum-server-rounds = 3\nlocal-epochs = 1.5\nbatch-size = 'all'\nlr = -0.1\n"
            "fraction-fit = 1.5\n[tool.flwr.federations.a]\noptions.num-supernodes = 10\n",
            ["local-epochs: expected a whole number of at least 1, found 1.5",
             'batch-size: expected a whole number of at least 1, found "all"',
             "lr: expected a number above 0, found -0.1",
             "fraction-fit: expected a number from 0 to 1, found 1.5"]),
        "no clients": (
            "[tool.flwr.app.config]\nnum-server-rounds = 3\n[tool.flwr.federations.a]\noptions.num-supernodes = 0\n",
            ["[tool.flwr.federations.a] options.num-supernodes: expected a whole number of at least 1, found 0"])},
    "simgrid": {
        "no XML": ("<platform version='4.1'>\n<zone id='a' routing='Full'></platform>",
                   ["line 2: expected well-formed XML"]),
        "entities": ('<!DOCTYPE platform [\n<!ENTITY a "b">\n]>\n<platform version="4.1"><zone id="&a;"/></platform>',
                     ["line 2: expected no declared entities, found the entity a"]),
        "an old version": (
            "<platform version='3'><zone id='a' routing='Full'/></platform>",
            ['expected a platform of version 4 or 4.1; simgrid_update_xml makes one of an older one, found "3"']),
        "wrong values": (
            "<platform version='4.1'>\n<zone id='a' routing='Full'>\n<host id='h' speed='fast'/>\n"
            "<host id='h' speed='1Gf'/>\n<link id='l' bandwidth='1 parsec' latency='-1s'/>\n"
            "<link bandwidth='1MBps' sharing_policy='MINE'/>\n<route src='h' dst='g'><link_ctn id='m'/></route>\n"
            "<route src='h' dst='h'/>\n<peer/>\n</zone>\n</platform>",
            ['line 3: expected speed of host, such as 1Gf, found "fast"',
             'line 4: expected an id that no other host has, found "h"',
             'line 5: expected bandwidth of link, such as 125MBps, found "1 parsec"',
             'line 5: expected latency of link, such as 50us, found "-1s"',
             "line 6: expected the attribute id of link, found none",
             'line 6: expected a sharing_policy of FATPIPE, FULLDUPLEX, SHARED, SPLITDUPLEX, found "MINE"',
             'line 7: expected dst, a host or router within a, found "g"',
             'line 7: expected a link that is declared before, found "m"',
             "line 8: expected one element link_ctn or more in route, found none",
             "line 9: expected zones, clusters, hosts, routers, links and routes, found the element peer"]),
        "zones that it has not": (
            "<platform version='4.1'>\n<zone id='a' routing='Vivaldi'/>\n</platform>",
            ['line 2: expected a zone with routing Full, Floyd, Dijkstra, DijkstraCache, Cluster, found "Vivaldi"']),
        "a link twice on a way": (
            "<platform version='4.1'><zone id='a' routing='Full'><host id='h' speed='1Gf'/><host id='g' speed='1Gf'/>"
            "<link id='l' bandwidth='1MBps' latency='1s'/>"
            "<route src='h' dst='g'><link_ctn id='l'/><link_ctn id='l'/></route></zone></platform>",
            ["the way from h to g: expected each link once, found l twice"])},
    "shadow": {
        "no YAML": ("network: [\nhosts: {\n", ["expected YAML"]),
        "no graph": ("network:\n  graph:\n    type: gexf\nhosts:\n  a: {network_node_id: 0}\n",
                     ['network.graph.type: expected gml or 1_gbit_switch, found "gexf"']),
        "wrong hosts": (
            "network:\n  graph:\n    type: 1_gbit_switch\nhosts:\n  a: {network_node_id: 7}\n"
            "  b: {network_node_id: 0, bandwidth_up: fast}\n  c: 3\n",
            ["hosts.a.network_node_id: expected the id of a node of the graph, found 7",
             'hosts.b.bandwidth_up: expected a bandwidth such as "100 Mbit", found "fast"',
             "hosts.c: expected an object, found 3"]),
        "wrong edges": (
            'graph [ node [ id 0 host_bandwidth_up "x" host_bandwidth_down "1 Mbit" ] node [ id 1 ]\n'
            'edge [ source 0 target 1 latency "0 ms" packet_loss 2.0 ] edge [ source 1 target 1 packet_loss 0.0 ] ]',
            ['node 0: expected host_bandwidth_up, such as "100 Mbit", found "x"',
             'edge 0 - 1: expected a latency above 0, such as "10 ms", found "0 ms"',
             "edge 0 - 1: expected packet_loss from 0 to 1, found 2.0",
             'edge 1 - 1: expected latency, such as "10 ms", found none']),
        "entities": ('<!DOCTYPE graphml [\n<!ENTITY a "b">\n]>\n<graphml><key attr.name="packet_loss"/></graphml>',
                     ["line 2: expected no declared entities, found the entity a"]),
        "no edge for two hosts at a node": (
            'network:\n  graph:\n    type: gml\n    inline: graph [ node [ id 0 host_bandwidth_up "1 Mbit" '
            'host_bandwidth_down "1 Mbit" ] ]\nhosts:\n  a: {network_node_id: 0}\n  b: {network_node_id: 0}\n',
            ["expected an edge from node 0 to itself, which two hosts there use, found none"])},
    "mahimahi": {
        "a time that falls": ("1\n5\n3\n", ["line 3: expected a time that is not before the 5 ms above it, found 3"]),
        "other lines": ("1\n\n2.5\n-3\n", ["line 2: expected a time in ms, a whole number, found an empty line",
                                           'line 3: expected a time in ms, a whole number, found "2.5"',
                                           'line 4: expected a time in ms, a whole number, found "-3"']),
        "nothing": ("", ["expected times in ms, one a line, found none"]),
        "no time": ("0\n0\n", ["expected a last time above 0 ms, after which the trace repeats, found 0"])}}
NAMES = {"decent-bench": "script.py", "flower": "pyproject.toml", "simgrid": "platform.xml", "shadow": "shadow.yaml",
         "mahimahi": "cell.down"}


class WrongImports(ImportingCase):
    def test_all_that_is_wrong_with_a_file_is_said_at_once_and_nothing_is_written(self):
        for form, files in WRONG.items():
            for what, (text, expected) in files.items():
                with self.subTest(form, what=what):
                    name = NAMES[form]
                    pathlib.Path(name).write_text(text)
                    status, said = self.imported(name, form=form)
                    self.assertEqual(status, 2)
                    for sentence in expected:
                        self.assertIn(sentence, said)
                    for line in said.splitlines():
                        self.assertTrue(line.startswith(name), line)
                    self.assertEqual(os.listdir(), [name])
                    pathlib.Path(name).unlink()

    def test_a_file_that_is_no_such_file_is_refused(self):
        pathlib.Path("other.txt").write_text("hello\n")
        status, said = self.imported("other.txt")
        self.assertEqual(status, 2)
        self.assertIn("found none of them; --from says which it is", said)
        for file, sentence in (("missing.xml", "found nothing"), (".", "found a folder")):
            status, said = self.imported(file)
            self.assertEqual(status, 2)
            self.assertIn(sentence, said)
        self.assertEqual(os.listdir(), ["other.txt"])

    def test_cut_and_changed_files_are_refused_or_imported(self):
        draws = np.random.default_rng(3)
        for file in FILES:
            text = (DATA / file).read_text()
            place = self.folder / pathlib.Path(file).name
            for _ in range(40):
                first, last = sorted(draws.integers(0, len(text), 2))
                changed = (text[:first], text[:first] + text[last:], text[:last] + text[first:])[draws.integers(3)]
                place.write_text(changed)
                with contextlib.suppress(lagnet.InputError):
                    self.document(place, form=file.partition("/")[0].replace("_", "-"))

    def test_a_scenario_that_lagnet_refuses_is_not_written(self):
        status, said = self.imported(DATA / "mahimahi/12mbps", "algorithm.kind=magic", "stop.rounds=0")
        self.assertEqual(status, 2)
        self.assertIn("12mbps, as a scenario: /stop/rounds: expected an integer at least 1, found 0", said)
        self.assertIn("/algorithm", said)
        self.assertEqual(os.listdir(), [])
