"""Wrong input: every problem in one clear line, all of them at once, status 2, and nothing is written."""

import gzip
import json

from support import VERSION, Case

LIBSVM = {"source": "libsvm", "path": "data.libsvm"}
EDGES = {"kind": "edge_list", "path": "edges.csv"}
LOGISTIC = {"loss": {"kind": "logistic"}}
SEPARABLE = "1 1:2\n-1 1:-3\n"

# What is wrong: changes of the small scenario, the lines that are expected ({d} stands for the folder), and files.
WRONG = [
    ("a misspelt key",
     {"/topology/agent": 5, "/topology/agents": ...},
     ['/topology: expected key "agents" (number of agents)',
      '/topology/agent: expected one of the keys kind, agents, changes, gossip, found "agent"; did you mean agents?']),
    ("an unknown key at the top",
     {"/algoritm": {}},
     ['/algoritm: expected one of the keys lagnet, name, label, description, source, seed, numerics, data, '
      'problem, partition, topology, network, compute, participation, algorithm, stop, record, sweep, tune, expect, '
      'figure, maps, full, found "algoritm"; did you mean algorithm?']),
    ("wrong types",
     {"/topology/agents": "five", "/problem": [], "/record/trace": 1, "/name": 3, "/seed": 1.5, "/network": 4},
     ['/name: expected a string, found 3',
      '/seed: expected an integer at least 0, found 1.5',
      '/problem: expected an object, found []',
      '/topology/agents: expected an integer at least 1, found "five"',
      '/network: expected an object, found 4',
      '/record/trace: expected true or false, found 1']),
    ("missing sections",
     {"/data": ..., "/topology": ..., "/algorithm": ..., "/lagnet": ...},
     ['expected key "lagnet" (version of the format)',
      'expected key "data" (where the samples come from)',
      'expected key "topology" (which agents are linked)',
      'expected key "algorithm" (what the agents do)']),
    ("another version",
     {"/lagnet": 2},
     ['/lagnet: expected 1, the format that lagnet VERSION reads, found 2, which a newer lagnet reads; or write 1 '
      'and correct what `lagnet validate` then reports']),
    ("a version that never was",
     {"/lagnet": 0, "/seed": -1},
     ['/lagnet: expected 1, the format that lagnet VERSION reads, found 0, which no lagnet has read; write 1 and '
      'correct what `lagnet validate` then reports',
      '/seed: expected an integer at least 0, found -1']),
    ("unknown kinds",
     {"/topology/kind": "rnig", "/problem/loss/kind": 3, "/data/source": "gaussian"},
     ['/data/source: expected one of libsvm, csv, matrix_market, npy, arrays, gaussian_regression, '
      'gaussian_classification, sparse_classification, rotated_regression, sparse_regression, federated_regression, '
      'low_rank_regression, '
      'federated_classification, matrix_completion, found "gaussian"; did you mean '
      'gaussian_regression?',
      '/problem/loss/kind: expected one of squared, logistic, huber, absolute, softmax, hinge, smoothed_hinge, python, '
      'found 3',
      '/topology/kind: expected one of complete, star, ring, path, lattice, erdos_renyi, random_geometric, '
      'random_regular, watts_strogatz, barabasi_albert, exponential, hypercube, binary_tree, barbell, '
      'two_level_cluster, edges, edge_list, graphml, directed_ring, directed_exponential, random_out, orient, '
      'sequence, found "rnig"; did you mean ring?']),
    ("several sections at once",
     {"/stop/rounds": 0, "/topology/agents": 0, "/problem/regularizer/weight": -1, "/algorithm/tauu": 1,
      "/problem/loss": {"kind": "huber", "threshold": 0}},
     ['/problem/loss/threshold: expected a number above 0, found 0',
      '/problem/regularizer/weight: expected a number at least 0, found -1',
      '/topology/agents: expected an integer at least 1, found 0',
      '/algorithm/tauu: expected one of the keys kind, sigma, tau, R, chi, D, delta, edge_scale, constants, '
      'power_iterations, margin, label_agent, l1_weights, l2_weights, found "tauu"; did you mean tau?',
      '/stop/rounds: expected an integer at least 1, found 0']),
    ("no samples and no features",
     {"/data/samples": 0, "/data/features": 0},
     ['/data/samples: expected an integer at least 1, found 0',
      '/data/features: expected an integer at least 1, found 0']),
    ("a Huber threshold below 0",
     {"/problem/loss": {"kind": "huber", "threshold": -1}},
     ['/problem/loss/threshold: expected a number above 0, found -1']),
    ("negative weights of an elastic net",
     {"/problem/regularizer": {"kind": "elastic_net", "l1_weight": -1, "l2_weight": -0.5}},
     ['/problem/regularizer/l1_weight: expected a number at least 0, found -1',
      '/problem/regularizer/l2_weight: expected a number at least 0, found -0.5']),
    ("steps that are not above 0",
     {"/algorithm/sigma": 0, "/algorithm/tau": -1},
     ['/algorithm/sigma: expected a number above 0, found 0',
      '/algorithm/tau: expected a number above 0, found -1']),
    ("one step without the other",
     {"/algorithm/sigma": 1},
     ['/algorithm/tau: expected both sigma and tau, or neither, found only one of them']),
    ("constants that are not above 0",
     {"/algorithm/R": 0, "/algorithm/chi": -1, "/algorithm/D": 0, "/algorithm/delta": 0},
     ['/algorithm/R: expected a number above 0, found 0',
      '/algorithm/chi: expected a number above 0, found -1',
      '/algorithm/D: expected a number above 0, found 0',
      '/algorithm/delta: expected a number above 0, found 0']),
    ("labels with an agent that is none",
     {"/algorithm/label_agent": 5},
     ['/algorithm/label_agent: expected an agent below 5, found 5']),
    ("a lattice of five",
     {"/topology/kind": "lattice"},
     ['/topology/agents: expected a square number, or rows and columns, found 5']),
    ("a lattice with rows alone",
     {"/topology": {"kind": "lattice", "rows": 2}},
     ['/topology/columns: expected a number beside rows, found none']),
    ("no connected random graph",
     {"/topology": {"kind": "erdos_renyi", "agents": 30, "probability": 0.01, "attempts": 7}},
     ['/topology: expected a topology that can be made, found no connected graph in 7 draws of erdos_renyi '
      'with 30 agents and probability 0.01; raise probability or attempts']),
    ("no connected geometric graph",
     {"/topology": {"kind": "random_geometric", "agents": 30, "radius": 0.01}},
     ['/topology: expected a topology that can be made, found no connected graph in 100 draws of '
      'random_geometric with 30 agents and radius 0.01; raise radius or attempts']),
    ("blocks that do not partition the columns",
     {"/partition": {"kind": "feature_blocks", "sizes": [1, 2, 3, 0, 0]}},
     ['/partition: feature_blocks: expected sizes that add up to the 7 columns, found 6']),
    ("blocks for other agents",
     {"/partition": {"kind": "feature_blocks", "starts": [0, 3]}},
     ['/partition: feature_blocks: expected 5 blocks, one for each agent, found 2']),
    ("a disconnected graph",
     {"/topology": EDGES},
     ['/topology: expected a connected graph, found 2 components'],
     {"edges.csv": "0,1\n2,3\n3,4\n"}),
    ("edges of no simple graph",
     {"/topology": {**EDGES, "agents": 5}},
     ['/topology: {d}/edges.csv:3: expected an edge of a simple graph, found (1,1): a self loop',
      '/topology: {d}/edges.csv:5: expected an edge of a simple graph, found (2,1): given twice',
      '/topology: {d}/edges.csv:6: expected an edge of a simple graph, found (9,0): endpoint 9 is not below '
      '5 agents',
      '/topology: {d}/edges.csv:7: expected a finite weight above 0, found -1',
      '/topology: {d}/edges.csv: parallel_edges: expected "merge", to make one edge of those between the same nodes, '
      'found 1 more between nodes that had one'],
     {"edges.csv": "from,to\n0,1\n1,1\n1,2\n2,1\n9,0\n3,4,-1\n"}),
    ("a minimizer that is 0",
     {"/problem/regularizer/weight": 1000},
     ['/algorithm/R: expected R above 0, or sigma and tau: the steps of Theorem 1 are not finite, found a '
      'minimizer that is 0']),
    ("no speed and no bandwidth",
     {"/compute": {"speed_flops_per_s": 0},
      "/network/bandwidth_bytes_per_s": {"kind": "uniform", "low": 0, "high": 1}},
     ['/network/bandwidth_bytes_per_s: expected numbers at least 1, found 0.0',
      '/compute/speed_flops_per_s: expected numbers at least 1, found 0.0']),
    ("a distribution upside down",
     {"/network/latency_ms": {"kind": "uniform", "low": 3, "high": 1}},
     ['/network/latency_ms/high: expected at least low, found 1.0']),
    ("topology, data and speed at once",
     {"/compute": {"speed_flops_per_s": 0},
      "/topology": {"kind": "erdos_renyi", "agents": 30, "probability": 0, "attempts": 1}, "/data": LIBSVM},
     ['/compute/speed_flops_per_s: expected numbers at least 1, found 0.0',
      '/topology: expected a topology that can be made, found no connected graph in 1 draws of erdos_renyi '
      'with 30 agents and probability 0; raise probability or attempts',
      '/data: {d}/data.libsvm:1: expected a finite number as the value of index 1, found "nan"'],
     {"data.libsvm": "1 1:nan\n2 1:1\n"}),
    ("a sweep that is none",
     {"/sweep": {"topology/agents": [3], "/topology/kind": "ring", "/seed": []}},
     ['/sweep/topology~1agents: expected a JSON pointer such as /topology/agents, found "topology/agents"',
      '/sweep/~1topology~1kind: expected a list of one value or more, found "ring"',
      '/sweep/~1seed: expected a list of one value or more, found []']),
    ("mistakes in points of a sweep",
     {"/sweep": {"/topology/agents": [4, 0, "x"], "/stop/rounds": [1, 0]}},
     ['/stop/rounds: expected an integer at least 1, found 0',
      '/topology/agents: expected an integer at least 1, found 0',
      '/topology/agents: expected an integer at least 1, found "x"']),
    ("a mistake in a point that can be read",
     {"/topology/kind": "lattice", "/topology/agents": 4,
      "/sweep": {"/partition": [{"kind": "features"}, {"kind": "feature_blocks", "sizes": [7]}]}},
     ['/partition: feature_blocks: expected 4 blocks, one for each agent, found 1']),
    ("a missing data file",
     {"/data": LIBSVM},
     ['/data: {d}/data.libsvm: expected a file, found nothing there']),
    ("not a number in the data",
     {"/data": LIBSVM},
     ['/data: {d}/data.libsvm:1: expected a finite number as the value of index 2, found "nan"',
      '/data: {d}/data.libsvm:2: expected a finite number as the value of index 1, found "inf"',
      '/data: {d}/data.libsvm:3: expected an index from 1 to 2147483647, found "-1:2"'],
     {"data.libsvm": "1 1:2 2:nan\n-1 1:inf\n1 -1:2\n"}),
    ("labels that are no classes",
     {"/data": LIBSVM, "/problem": LOGISTIC},
     ['/data: y: sample 2 of 2: expected -1 or +1, found 2; /data/labels=sign maps 1 and 2 to -1 and +1'],
     {"data.libsvm": "1 1:2\n2 1:3\n"}),
    ("labels that are not finite",
     {"/data": LIBSVM},
     ['/data: {d}/data.libsvm:1: expected a finite number as the label, found "nan"'],
     {"data.libsvm": "nan 1:2\n2 1:3\n"}),
    ("an empty data file",
     {"/data": LIBSVM},
     ['/data: {d}/data.libsvm: expected at least one sample, found none'],
     {"data.libsvm": ""}),
    ("no features",
     {"/data": LIBSVM},
     ['/data: {d}/data.libsvm: expected at least one feature, found none'],
     {"data.libsvm": "1\n2\n"}),
    ("a truncated gzip file",
     {"/data": {"source": "libsvm", "path": "data.libsvm.gz"}},
     ['/data: {d}/data.libsvm.gz: expected whole gzip data, found a truncated or damaged file'],
     {"data.libsvm.gz": gzip.compress(b"1 1:2 2:3\n" * 200, mtime=0)[:40]}),
    ("a data file with mistakes in every line, in bytes that are no text",
     {"/data": LIBSVM},
     [f'/data: {{d}}/data.libsvm:{line}: expected a number as the label, found "\\xfb\\xfe"' for line in range(1, 21)] +
     ['/data: {d}/data.libsvm: and 10 more problems'],
     {"data.libsvm": b"\xfb\xfe 1:2\n" * 30}),
    ("an edge list of bytes that are no text",
     {"/topology": EDGES},
     ["/topology: {d}/edges.csv:1: expected the name of a node, in printable UTF-8, found \\x1f\\x8b"],
     {"edges.csv": b"\x1f\x8b,1\n"}),
    ("GraphML that ends early",
     {"/topology": {"kind": "graphml", "path": "g.graphml"}},
     ['/topology: {d}/g.graphml: expected GraphML of an undirected graph, found in line 2: no element found'],
     {"g.graphml": '<graphml>\n<graph edgedefault="undirected"><node id="a"/>'}),
    ("a CSV file with holes",
     {"/data": {"source": "csv", "path": "data.csv"}},
     ['/data: {d}/data.csv:3: expected 3 fields, found 2',
      '/data: {d}/data.csv:2: expected a value in column 2; "columns": {"2":{"missing":"mean"}} reads it, found none',
      '/data: {d}/data.csv: expected these keys of the section data: {"columns":{"2":{"missing":"mean"}},'
      '"header":"present"}, found none of them'],
     {"data.csv": "1,2,3\n4,,6\n7,8\n"}),
    ("fewer labels than rows",
     {"/data": {"source": "matrix_market", "path": "x.mtx", "labels_path": "y.txt"}},
     ['/data: {d}/y.txt: expected 2 labels, one for each row of {d}/x.mtx, found 1'],
     {"x.mtx": "%%MatrixMarket matrix array real general\n2 1\n1\n2\n", "y.txt": "1\n"}),
    ("reduced data for another loss",
     {"/data/source": "rotated_regression", "/problem": {"loss": {"kind": "absolute"}}},
     ['/problem/loss: expected squared, the only loss that reduced data stand for, found absolute']),
    ("separable data without steps",
     {"/data": LIBSVM, "/problem": LOGISTIC},
     ['/algorithm/R: expected a bound on the norm of a minimizer, or sigma and tau, found no certified '
      'optimum to take it from'],
     {"data.libsvm": "1 1:2\n-1 1:-3\n"}),
    ("a label map for other labels",
     {"/data": {**LIBSVM, "labels": "map", "label_map": [{"from": 1, "to": -1}]}},
     ['/data: {d}/data.libsvm: expected only labels that label_map has in from, found 1: 2'],
     {"data.libsvm": "1 1:2\n2 1:3\n"}),
    ("times that never end",
     {"/network/latency_ms": 1e300, "/compute": {"speed_flops_per_s": 1e-9}},
     ['/network/latency_ms: expected numbers from 0 to 1000000000, found 1e+300',
      '/compute/speed_flops_per_s: expected numbers at least 1, found 1e-09']),
    ("faults that cannot be read",
     {"/network/sharing": "fare", "/network/loss_probability": 2, "/network/burst_loss": {"enter": 0.1},
      "/network/retransmit": {"timeout_ms": 0}, "/participation/enough": 0,
      "/participation/missing_neighbor": {"kind": "skip"},
      "/participation/availability": [{"kind": "crash", "agent": 0}]},
     ['/network/sharing: expected one of none, fifo, fair, found "fare"; did you mean fair?',
      '/network/loss_probability: expected a number from 0 to 1, found 2',
      '/network/burst_loss: expected key "leave" (probability that a bad link becomes good in a round; 0.25: bursts of '
      '4 rounds on average)',
      '/network/retransmit/timeout_ms: expected a number above 0 and at most 1000000000, found 0',
      '/participation/enough: expected an integer at least 1, found 0',
      '/participation/availability/0: expected key "at_s" (when, in s)',
      '/participation/missing_neighbor: expected key "deadline_ms" (how long an agent waits, in ms)']),
    ("faults of agents and links that do not exist",
     {"/network/interfaces": [{"agents": [5], "up_bytes_per_s": 1e6}],
      "/network/links": [{"links": [[0, 3]], "latency_ms": 3}],
      "/network/partitions": [{"from_s": 5, "until_s": 6, "groups": [[0, 7], [1, 1]]}],
      "/network/outages": [{"from_s": 1, "links": [[0, 2], [0, 1]]}],
      "/compute/speed_flops_per_s": {"kind": "list", "values": [1, 2]},
      "/participation": {"availability": [{"kind": "crash", "agent": 9, "at_s": 1}], "enough": 9,
                         "clients": {"kind": "listed", "rounds": [[1, 2], [8]]}}},
     ['/network/interfaces/0/agents: expected agents below 5, found 5',
      '/network/links/0/links/0: expected a link of the topology, found [0,3]',
      '/compute/speed_flops_per_s/values: expected 5 speeds, one for each agent, found 2',
      '/network/partitions/0/groups/0: expected agents below 5, found 7',
      '/network/partitions/0/groups/1: expected each agent once, found 1',
      '/network/outages/0/links/0: expected a link of the topology, found [0,2]',
      '/participation/enough: expected at most 5, the number of agents, found 9',
      '/participation/clients/rounds/1/0: expected an agent below 5, the number of agents, found 8',
      '/participation/clients/kind: expected full, since fd_primal_dual has no server that asks clients, found listed',
      '/participation/enough: expected null, since fd_primal_dual has no server that asks clients, found 9',
      '/participation/availability/0/agent: expected an agent below 5, the number of agents, found 9']),
    ("sizes beyond all that can be held or counted",
     {"/topology/agents": 2**63 - 1, "/data/samples": 2**63 - 1, "/data/features": 2**62,
      "/network/latency_ms": 1e300},
     ['/data/samples: expected an integer at most 1000000000000, found 9223372036854775807',
      '/data/features: expected an integer at most 1000000000000, found 4611686018427387904',
      '/topology/agents: expected an integer at most 1000000000, found 9223372036854775807',
      '/network/latency_ms: expected numbers from 0 to 1000000000, found 1e+300']),
    ("data beyond any memory",
     {"/data/samples": 10**11, "/data/features": 10**11},
     ['/data: expected samples times features at most 1e+12, found 1e+22']),
    ("reduced data whose flops cannot be counted",
     {"/data/source": "rotated_regression", "/data/samples": 10**12, "/data/features": 10**6},
     ['/data: expected samples times features at most 1e+17, for flops that can be counted, found 1e+18']),
    ("local steps whose flops cannot be counted",
     {"/topology/kind": "star", "/numerics": "off", "/data/samples": 10**9,
      "/algorithm": {"kind": "fed_avg", "client_step": 0.1, "local_steps": 10**9}},
     ['/algorithm: expected samples times features times local steps at most 1e+17, for flops that can be counted, '
      'found 7e+18']),
    ("local steps without end",
     {"/topology/kind": "star", "/algorithm": {"kind": "fed_avg", "client_step": 0.1, "local_steps": 2**63 - 1}},
     ['/algorithm/local_steps: expected an integer at most 1000000000, found 9223372036854775807']),
    ("repetitions without end",
     {"/topology/kind": "star", "/algorithm": {"kind": "dave_pg", "repetitions": 2**63 - 1}},
     ['/algorithm/repetitions: expected an integer at most 1000000000, found 9223372036854775807']),
    ("a complete graph whose links have no numbers",
     {"/topology": {"kind": "complete", "agents": 65537}},
     ['/topology/agents: expected an integer at most 65536, found 65537']),
    ("a lattice whose sides are large together",
     {"/topology": {"kind": "lattice", "rows": 10**9, "columns": 10**9}},
     ['/topology: expected rows times columns at most 1000000000, found 1e+18']),
    ("a sweep of too many points",
     {"/sweep": {"/seed": list(range(1, 1001)), "/stop/rounds": list(range(1, 1001)), "/name": ["a", "b"]}},
     ['/sweep: expected at most 1000000 points, all combinations of its values, found more']),
    ("a sweep that undoes its own values",
     {"/sweep": {"/seed": [1, 2], "points": [{"/seed": 3}], "/topology/agents": [4, 5],
                 "/topology": [{"kind": "ring", "agents": 3}]}},
     ['/sweep/points: expected values that leave /seed as the sweep has set it before, found /seed',
      '/sweep/~1topology: expected values that leave /topology/agents as the sweep has set it before, found '
      '/topology']),
    ("a full size of pointers that are none",
     {"/full": {"/topology/agents": 0, "/nope": 1, "seed": 2}},
     ['/full/seed: expected a JSON pointer such as /topology/agents, found "seed"']),
    ("a full size with values that are wrong",
     {"/full": {"/topology/agents": 0, "/stop/round": 1}, "/sweep": {"/seed": [1, 2]}},
     ['/full/topology/agents: expected an integer at least 1, found 0',
      '/full/stop/round: expected one of the keys rounds, updates, simulated_s, relative_error, stays_rows, metric, '
      'flops, flops_per_agent, bytes, divergence_factor, found "round"; did you mean rounds?']),
    ("clients of an algorithm that has no server",
     {"/participation": {"enough": 2, "deadline_ms": 3, "clients": {"kind": "cyclic", "groups": 2}}},
     ['/participation/clients/kind: expected full, since fd_primal_dual has no server that asks clients, found cyclic',
      '/participation/deadline_ms: expected null, since fd_primal_dual has no server that asks clients, found 3',
      '/participation/enough: expected null, since fd_primal_dual has no server that asks clients, found 2']),
    ("a recorded availability without rows",
     {"/participation/availability": [{"kind": "trace", "path": "up.csv"}]},
     ['/participation/availability: {d}/up.csv: expected at least one row agent,from_s,up, found none'],
     {"up.csv": "agent,from_s,up\n"}),
    ("GraphML with nodes given twice and edges of others",
     {"/topology": {"kind": "graphml", "path": "g.graphml"}},
     ['/topology: {d}/g.graphml: node a: expected each node once, found it twice',
      '/topology: {d}/g.graphml: edge 0: expected the id of a node as target, found c'],
     {"g.graphml": '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="a"/>'
                   '<edge source="a" target="c"/></graph></graphml>'}),
    ("GraphML that is nested without end",
     {"/topology": {"kind": "graphml", "path": "g.graphml"}},
     ['/topology: {d}/g.graphml: expected at most 64 elements of XML within each other, found more'],
     {"g.graphml": "<graphml>" + "<a>" * 200000 + "</a>" * 200000 + "</graphml>"}),
    ("weights beyond double precision",
     {"/topology": EDGES},
     ['/topology: weights: expected numbers for which double precision holds the eigenvalues of the Laplacian, found '
      '1e+308 to 1e+308'],
     {"edges.csv": "0,1,1e308\n1,2,1e308\n2,0,1e308\n"}),
    ("an end that never comes",
     {"/stop/simulated_s": 1e300},
     ['/stop/simulated_s: expected a number above 0 and at most 9000000000, found 1e+300']),
]


class InputErrors(Case):
    def check_refused(self, arguments, lines):
        """Nothing but these lines, status 2, and no file or folder more than before."""
        (self.folder / "out").mkdir(exist_ok=True)
        before = self.tree()
        status, out, err = self.lagnet(*arguments)
        self.assertEqual(err.replace(str(self.folder), "{d}").splitlines(), lines)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(self.tree(), before)

    def test_every_wrong_scenario_is_refused_with_its_message(self):
        for name, changes, lines, *files in WRONG:
            with self.subTest(name):
                self.write_small(changes)
                for file, content in (files[0] if files else {}).items():
                    self.write(file, content)
                lines = ["s.json: " + line.replace("VERSION", VERSION) for line in lines]
                self.check_refused(["run", "s.json", "--out", "out/r"], lines)
                self.check_refused(["validate", "s.json"], lines)
                for file in files[0] if files else []:
                    (self.folder / file).unlink()

    def test_what_is_no_json_is_told_with_line_and_column(self):
        for text, line in (
                ('{\n  "lagnet": 1,\n  "seed": 1 2\n}', "line 3, column 13: expected '}', found number literal"),
                ('{"lagnet": 1', "line 1, column 13: expected '}', found end of input"),
                ('{"seed": NaN}', "line 1, column 10: expected a finite number, found NaN"),
                ('{"seed": 1e999}', "line 1, column 10: expected a number within the range of a double, found 1e999"),
                ('{"lagnet": 1, "lagnet": 1}', None),
                ("[1]", "expected a JSON object, found [1]"),
                ("", "expected a JSON object, found an empty file"),
                (b"\xff", "line 1, column 1: expected UTF-8 text, found the byte 0xff")):
            with self.subTest(text):
                self.write("s.json", text)
                lines = ["s.json: " + line] if line else ['s.json: expected each key once, found "lagnet" twice']
                self.check_refused(["run", "s.json", "--out", "out/r"], lines)

    def test_a_missing_scenario_is_named(self):
        for name, found in (("no.json", "no such file"), (".", "a folder")):
            self.check_refused(["run", name, "--out", "out/r"], [f"{name}: expected a scenario file, found {found}"])

    def test_a_number_with_its_unit_is_told_as_the_number_to_write(self):
        self.write_small({"/network/latency_ms": "50 ms", "/stop/simulated_s": "2 min"})
        self.check_refused(["run", "s.json", "--out", "out/r"], [
            's.json: /network/latency_ms: expected a number or an object with key "kind" (latency), found "50 ms" '
            "(write 50: latency_ms is in ms)",
            's.json: /stop/simulated_s: expected a number above 0 and at most 9000000000, found "2 min" (write 120: '
            "simulated_s is in s)"])

    def test_a_setting_that_leads_nowhere_is_named(self):
        self.write_small()
        for setting, line in (
                ("/seed", '--set /seed: expected a key and its value, as in topology.agents=16, found no "="'),
                ("/~2=2", '--set /~2: expected a JSON pointer such as /topology/agents, found "/~2"'),
                ("data={a: 1}", "--set data: expected JSON, whose keys and texts stand in double quotes, all of it "
                                "in single quotes, found {a: 1}, with a at line 1, column 2"),
                ("/seed/a=2", "--set /seed/a: expected an object or a list at /seed, found 1"),
                ("/topology/agens=3",
                 '/topology/agens: expected one of the keys kind, agents, changes, gossip, found "agens"; did you mean '
                 'agents?')):
            with self.subTest(setting):
                self.write("s.json", json.dumps({**json.loads(self.write_small().read_text()), "seed": 1}))
                self.check_refused(["run", "s.json", "--out", "out/r", "--set", setting], ["s.json: " + line])

    def test_a_start_that_is_a_minimizer_is_told_as_why_relative_errors_are_empty(self):
        self.write_small({"/problem/regularizer/weight": 1000, "/algorithm/sigma": 0.1, "/algorithm/tau": 0.1})
        status, _, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"^run: warning: the start is a minimizer, F\(0\) = F\* = [0-9.]+: relative_error, .* is "
                              r"empty\n$")
        why = json.loads((self.folder / "r/summary.json").read_text())["optimum"]["why"]
        self.assertEqual(err, f"run: warning: {why}\n")
        self.assertIn(f"found none: {why}\n", self.lagnet("compare", "r")[2])

    def test_steps_that_are_too_large_are_a_warning(self):
        self.write_small({"/algorithm/sigma": 100, "/algorithm/tau": 100, "/stop/rounds": 2})
        status, out, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual(status, 0)
        before, after = err.splitlines()
        self.assertRegex(before, r"^run: warning: tau sigma \(chi \+ D\)\^2 / n\^2 is [0-9.]+, above 1: convergence "
                                 r"is not guaranteed$")
        self.assertRegex(after, r"^run: warning: ended worse than it began: the objective is [0-9.]+, and was [0-9.]+ "
                                r"at the start$")
        self.assertEqual(len(json.loads((self.folder / "r/summary.json").read_text())["warnings"]), 2)

    def test_a_tolerance_that_is_not_reached_is_told_with_how_far_the_run_came(self):
        self.write_small({"/stop": {"rounds": 12, "relative_error": 1e-9}})
        status, out, err = self.lagnet("run", "s.json", "--out", "r")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"^run: warning: relative error 1e-09 was not reached: it is [0-9.e-]+ after 12 rounds")

    def test_a_tolerance_that_cannot_be_measured_is_refused_before_the_run(self):
        self.write("data.libsvm", SEPARABLE)
        self.write_small({"/data": LIBSVM, "/problem": LOGISTIC, "/algorithm/sigma": 0.1, "/algorithm/tau": 0.1,
                          "/stop": {"rounds": 5, "relative_error": 1e-3}})
        self.check_refused(["run", "s.json", "--out", "out/r"],
                           ["s.json: /stop/relative_error: expected a problem with a certified optimum, or none, "
                            "found a problem without a minimizer (separable data); a regularizer gives it one"])

    def test_separable_data_run_with_given_steps_and_the_missing_optimum_is_explained(self):
        self.write("data.libsvm", SEPARABLE)
        self.write_small({"/data": LIBSVM, "/problem": LOGISTIC, "/algorithm/sigma": 0.1, "/algorithm/tau": 0.1})
        status, _, err = self.lagnet("run", "s.json", "--out", "r")
        why = "no minimizer exists (separable data): relative_error is empty"
        self.assertEqual((status, err), (0, f"run: warning: {why}\n"))
        self.assertEqual({row["relative_error"] for row in self.table("r/progress.csv")}, {""})
        optimum = json.loads((self.folder / "r/summary.json").read_text())["optimum"]
        self.assertEqual((optimum["value"], optimum["certificate"], optimum["why"]), (None, "no_minimizer", why))
