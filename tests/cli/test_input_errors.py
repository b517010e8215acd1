"""Wrong input: every problem in one clear line, all of them at once, status 2, and nothing is written."""

import gzip
import json

from support import VERSION, Case

LIBSVM = {"source": "libsvm", "path": "data.libsvm"}
EDGES = {"kind": "edge_list", "path": "edges.csv"}
COUPLED = {"source": "quadratics", "path": "costs.csv", "coupling_path": "coupling.csv"}
LOGISTIC = {"loss": {"kind": "logistic"}}
SEPARABLE = "1 1:2\n-1 1:-3\n"

# What is wrong: changes of the small scenario, and files. snapshots/input_errors.txt has the messages.
WRONG = [
    ("a misspelt key",
     {"/topology/agent": 5, "/topology/agents": ...}),
    ("an unknown key at the top",
     {"/algoritm": {}}),
    ("wrong types",
     {"/topology/agents": "five", "/problem": [], "/record/trace": 1, "/name": 3, "/seed": 1.5, "/network": 4}),
    ("missing sections",
     {"/data": ..., "/topology": ..., "/algorithm": ..., "/lagnet": ...}),
    ("another version",
     {"/lagnet": 2}),
    ("a version that never was",
     {"/lagnet": 0, "/seed": -1}),
    ("unknown kinds",
     {"/topology/kind": "rnig", "/problem/loss/kind": 3, "/data/source": "gaussian"}),
    ("several sections at once",
     {"/stop/rounds": 0, "/topology/agents": 0, "/problem/regularizer/weight": -1, "/algorithm/tauu": 1,
      "/problem/loss": {"kind": "huber", "threshold": 0}}),
    ("no samples and no features",
     {"/data/samples": 0, "/data/features": 0}),
    ("a Huber threshold below 0",
     {"/problem/loss": {"kind": "huber", "threshold": -1}}),
    ("negative weights of an elastic net",
     {"/problem/regularizer": {"kind": "elastic_net", "l1_weight": -1, "l2_weight": -0.5}}),
    ("steps that are not above 0",
     {"/algorithm/sigma": 0, "/algorithm/tau": -1}),
    ("one step without the other",
     {"/algorithm/sigma": 1}),
    ("constants that are not above 0",
     {"/algorithm/R": 0, "/algorithm/chi": -1, "/algorithm/D": 0, "/algorithm/delta": 0}),
    ("labels with an agent that is none",
     {"/algorithm/label_agent": 5}),
    ("a lattice of five",
     {"/topology/kind": "lattice"}),
    ("a lattice with rows alone",
     {"/topology": {"kind": "lattice", "rows": 2}}),
    ("no connected random graph",
     {"/topology": {"kind": "erdos_renyi", "agents": 30, "probability": 0.01, "attempts": 7}}),
    ("no connected geometric graph",
     {"/topology": {"kind": "random_geometric", "agents": 30, "radius": 0.01}}),
    ("blocks that do not partition the columns",
     {"/partition": {"kind": "feature_blocks", "sizes": [1, 2, 3, 0, 0]}}),
    ("blocks for other agents",
     {"/partition": {"kind": "feature_blocks", "starts": [0, 3]}}),
    ("limits without constraints",
     {"/data": {"source": "quadratics", "path": "costs.csv", "limits_path": "limits.csv"}}),
    ("constraints that no point keeps, of costs without a minimum",
     {"/data": COUPLED | {"limits_path": "limits.csv"}},
     {"costs.csv": "1,2\n0,1\n1,0\n", "coupling.csv": "1,1,1,9\n", "limits.csv": "0,1\n0,1\n0,1\n"}),
    ("limits below a demand",
     {"/data": COUPLED | {"limits_path": "limits.csv"}},
     {"costs.csv": "1,2\n2,1\n1,0\n", "coupling.csv": "1,1,1,9\n", "limits.csv": "0,1\n0,1\n0,1\n"}),
    ("coupled agents with another loss and scaled data",
     {"/data": COUPLED | {"scaling": "max_abs", "intercept": True}, "/problem": LOGISTIC},
     {"costs.csv": "1,2\n2,1\n1,0\n", "coupling.csv": "1,1,1,2\n"}),
    ("coupled agents with another loss",
     {"/data": COUPLED, "/problem": LOGISTIC},
     {"costs.csv": "1,2\n2,1\n1,0\n", "coupling.csv": "1,1,1,2\n"}),
    ("exact local minimizers of agents with limits, and metrics that are not there",
     {"/data": COUPLED | {"limits_path": "limits.csv"}, "/problem": {}, "/topology": {"kind": "star", "agents": 4},
      "/algorithm": {"kind": "consensus_admm"}, "/record/metrics": ["mean_squared_residual"]},
     {"costs.csv": "1,2\n2,1\n1,0\n", "coupling.csv": "1,1,1,2\n", "limits.csv": "0,1\n0,1\n0,1\n"}),
    ("metrics of coupled agents that are none",
     {"/record/metrics": ["coupling_residual", {"kind": "primal_variables", "variables": [0, 0, -1]}]}),
    ("a disconnected graph",
     {"/topology": EDGES},
     {"edges.csv": "0,1\n2,3\n3,4\n"}),
    ("edges of no simple graph",
     {"/topology": {**EDGES, "agents": 5}},
     {"edges.csv": "from,to\n0,1\n1,1\n1,2\n2,1\n9,0\n3,4,-1\n"}),
    ("a minimizer that is 0",
     {"/problem/regularizer/weight": 1000}),
    ("no speed and no bandwidth",
     {"/compute": {"speed_flops_per_s": 0},
      "/network/bandwidth_bytes_per_s": {"kind": "uniform", "low": 0, "high": 1}}),
    ("a distribution upside down",
     {"/network/latency_ms": {"kind": "uniform", "low": 3, "high": 1}}),
    ("topology, data and speed at once",
     {"/compute": {"speed_flops_per_s": 0},
      "/topology": {"kind": "erdos_renyi", "agents": 30, "probability": 0, "attempts": 1}, "/data": LIBSVM},
     {"data.libsvm": "1 1:nan\n2 1:1\n"}),
    ("a sweep that is none",
     {"/sweep": {"topology/agents": [3], "/topology/kind": "ring", "/seed": []}}),
    ("mistakes in points of a sweep",
     {"/sweep": {"/topology/agents": [4, 0, "x"], "/stop/rounds": [1, 0]}}),
    ("a mistake in a point that can be read",
     {"/topology/kind": "lattice", "/topology/agents": 4,
      "/sweep": {"/partition": [{"kind": "features"}, {"kind": "feature_blocks", "sizes": [7]}]}}),
    ("a missing data file",
     {"/data": LIBSVM}),
    ("not a number in the data",
     {"/data": LIBSVM},
     {"data.libsvm": "1 1:2 2:nan\n-1 1:inf\n1 -1:2\n"}),
    ("labels that are no classes",
     {"/data": LIBSVM, "/problem": LOGISTIC},
     {"data.libsvm": "1 1:2\n2 1:3\n"}),
    ("labels that are not finite",
     {"/data": LIBSVM},
     {"data.libsvm": "nan 1:2\n2 1:3\n"}),
    ("an empty data file",
     {"/data": LIBSVM},
     {"data.libsvm": ""}),
    ("no features",
     {"/data": LIBSVM},
     {"data.libsvm": "1\n2\n"}),
    ("a truncated gzip file",
     {"/data": {"source": "libsvm", "path": "data.libsvm.gz"}},
     {"data.libsvm.gz": gzip.compress(b"1 1:2 2:3\n" * 200, mtime=0)[:40]}),
    ("a data file with mistakes in every line, in bytes that are no text",
     {"/data": LIBSVM},
     {"data.libsvm": b"\xfb\xfe 1:2\n" * 30}),
    ("an edge list of bytes that are no text",
     {"/topology": EDGES},
     {"edges.csv": b"\x1f\x8b,1\n"}),
    ("GraphML that ends early",
     {"/topology": {"kind": "graphml", "path": "g.graphml"}},
     {"g.graphml": '<graphml>\n<graph edgedefault="undirected"><node id="a"/>'}),
    ("a CSV file with holes",
     {"/data": {"source": "csv", "path": "data.csv"}},
     {"data.csv": "1,2,3\n4,,6\n7,8\n"}),
    ("fewer labels than rows",
     {"/data": {"source": "matrix_market", "path": "x.mtx", "labels_path": "y.txt"}},
     {"x.mtx": "%%MatrixMarket matrix array real general\n2 1\n1\n2\n", "y.txt": "1\n"}),
    ("reduced data for another loss",
     {"/data/source": "rotated_regression", "/problem": {"loss": {"kind": "absolute"}}}),
    ("separable data without steps",
     {"/data": LIBSVM, "/problem": LOGISTIC},
     {"data.libsvm": "1 1:2\n-1 1:-3\n"}),
    ("a label map for other labels",
     {"/data": {**LIBSVM, "labels": "map", "label_map": [{"from": 1, "to": -1}]}},
     {"data.libsvm": "1 1:2\n2 1:3\n"}),
    ("times that never end",
     {"/network/latency_ms": 1e300, "/compute": {"speed_flops_per_s": 1e-9}}),
    ("faults that cannot be read",
     {"/network/sharing": "fare", "/network/loss_probability": 2, "/network/burst_loss": {"enter": 0.1},
      "/network/retransmit": {"timeout_ms": 0}, "/participation/enough": 0,
      "/participation/missing_neighbor": {"kind": "skip"},
      "/participation/availability": [{"kind": "crash", "agent": 0}]}),
    ("faults of agents and links that do not exist",
     {"/network/interfaces": [{"agents": [5], "up_bytes_per_s": 1e6}],
      "/network/links": [{"links": [[0, 3]], "latency_ms": 3}],
      "/network/partitions": [{"from_s": 5, "until_s": 6, "groups": [[0, 7], [1, 1]]}],
      "/network/outages": [{"from_s": 1, "links": [[0, 2], [0, 1]]}],
      "/compute/speed_flops_per_s": {"kind": "list", "values": [1, 2]},
      "/participation": {"availability": [{"kind": "crash", "agent": 9, "at_s": 1}], "enough": 9,
                         "clients": {"kind": "listed", "rounds": [[1, 2], [8]]}}}),
    ("sizes beyond all that can be held or counted",
     {"/topology/agents": 2**63 - 1, "/data/samples": 2**63 - 1, "/data/features": 2**62,
      "/network/latency_ms": 1e300}),
    ("data beyond any memory",
     {"/data/samples": 10**11, "/data/features": 10**11}),
    ("reduced data whose flops cannot be counted",
     {"/data/source": "rotated_regression", "/data/samples": 10**12, "/data/features": 10**6}),
    ("local steps whose flops cannot be counted",
     {"/topology/kind": "star", "/numerics": "off", "/data/samples": 10**9,
      "/algorithm": {"kind": "fed_avg", "client_step": 0.1, "local_steps": 10**9}}),
    ("local steps without end",
     {"/topology/kind": "star", "/algorithm": {"kind": "fed_avg", "client_step": 0.1, "local_steps": 2**63 - 1}}),
    ("repetitions without end",
     {"/topology/kind": "star", "/algorithm": {"kind": "dave_pg", "repetitions": 2**63 - 1}}),
    ("a complete graph whose links have no numbers",
     {"/topology": {"kind": "complete", "agents": 65537}}),
    ("a lattice whose sides are large together",
     {"/topology": {"kind": "lattice", "rows": 10**9, "columns": 10**9}}),
    ("a sweep of too many points",
     {"/sweep": {"/seed": list(range(1, 1001)), "/stop/rounds": list(range(1, 1001)), "/name": ["a", "b"]}}),
    ("a sweep that undoes its own values",
     {"/sweep": {"/seed": [1, 2], "points": [{"/seed": 3}], "/topology/agents": [4, 5],
                 "/topology": [{"kind": "ring", "agents": 3}]}}),
    ("a full size of pointers that are none",
     {"/full": {"/topology/agents": 0, "/nope": 1, "seed": 2}}),
    ("a full size with values that are wrong",
     {"/full": {"/topology/agents": 0, "/stop/round": 1}, "/sweep": {"/seed": [1, 2]}}),
    ("clients of an algorithm that has no server",
     {"/participation": {"enough": 2, "deadline_ms": 3, "clients": {"kind": "cyclic", "groups": 2}}}),
    ("a recorded availability without rows",
     {"/participation/availability": [{"kind": "trace", "path": "up.csv"}]},
     {"up.csv": "agent,from_s,up\n"}),
    ("GraphML with nodes given twice and edges of others",
     {"/topology": {"kind": "graphml", "path": "g.graphml"}},
     {"g.graphml": '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="a"/>'
                   '<edge source="a" target="c"/></graph></graphml>'}),
    ("GraphML that is nested without end",
     {"/topology": {"kind": "graphml", "path": "g.graphml"}},
     {"g.graphml": "<graphml>" + "<a>" * 200000 + "</a>" * 200000 + "</graphml>"}),
    ("weights beyond double precision",
     {"/topology": EDGES},
     {"edges.csv": "0,1,1e308\n1,2,1e308\n2,0,1e308\n"}),
    ("an end that never comes",
     {"/stop/simulated_s": 1e300}),
]


class InputErrors(Case):
    def refusal(self, arguments):
        """The lines on stderr of a command that prints nothing else, ends with status 2 and writes nothing."""
        (self.folder / "out").mkdir(exist_ok=True)
        before = self.tree()
        status, out, err = self.lagnet(*arguments)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(self.tree(), before)
        return err.replace(str(self.folder), "{d}").splitlines()

    def check_refused(self, arguments, lines):
        self.assertEqual(self.refusal(arguments), lines)

    def test_every_wrong_scenario_is_refused_with_its_message(self):
        messages = {}
        for name, changes, *files in WRONG:
            with self.subTest(name):
                self.write_small(changes)
                for file, content in (files[0] if files else {}).items():
                    self.write(file, content)
                lines = self.refusal(["run", "s.json", "--out", "out/r"])
                self.check_refused(["validate", "s.json"], lines)
                messages[name] = "\n".join(lines).replace(f"lagnet {VERSION}", "lagnet VERSION") + "\n"
                for file in files[0] if files else []:
                    (self.folder / file).unlink()
        self.check_snapshot("input_errors", messages)

    def test_invalid_json_is_reported_with_line_and_column(self):
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

    def test_for_a_number_with_a_unit_the_error_proposes_the_number(self):
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

    def test_a_start_at_a_minimizer_is_the_reason_for_empty_relative_errors(self):
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

    def test_a_missed_tolerance_is_reported_with_the_last_error(self):
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
