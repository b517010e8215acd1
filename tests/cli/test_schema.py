"""`lagnet schema`, `list`, `describe`, `validate` and `topology` agree, and print JSON on request."""

import json
import math
import re
import subprocess
import unittest

from support import PROGRAM, ROOT, SMALL, VERSION, Case, changed, without_comments

try:
    import jsonschema
except ImportError:
    jsonschema = None

LISTS = ["algorithms", "compressors", "matrix_compressors", "aggregations", "attacks", "topologies",
         "topology_changes", "losses", "regularizers", "constraints",
         "data", "column_recipes", "partitions", "metrics", "claims", "distributions", "speeds", "clocks", "latencies",
         "clients", "availability", "missing_neighbors", "profiles"]


def shipped_scenarios():
    return sorted(path for folder in ("examples", "papers", "golden")
                  for path in (ROOT / "scenarios" / folder).rglob("*.json")
                  if not path.name.endswith(".golden.json") and '"lagnet"' in path.read_text(encoding="utf-8"))


@unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
class Schema(Case):
    def setUp(self):
        super().setUp()
        schema = json.loads(self.succeeds("schema"))
        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def errors(self, document):
        return [f"{error.json_path}: {error.message}" for error in self.validator.iter_errors(document)]

    def test_it_accepts_every_scenario_that_is_shipped(self):
        scenarios = shipped_scenarios()
        self.assertGreaterEqual(len(scenarios), 9)
        for path in scenarios:
            document = json.loads(without_comments(path.read_text(encoding="utf-8")))
            self.assertEqual(self.errors(document), [], path)

    def test_it_accepts_the_resolved_form_of_every_golden_scenario(self):
        for path in shipped_scenarios():
            if path.parent.name != "golden":
                continue
            self.succeeds("run", path, "--out", path.stem, "--quiet")
            resolved = sorted((self.folder / path.stem).rglob("scenario.json"))
            self.assertGreaterEqual(len(resolved), 1)
            for written in resolved:
                self.assertEqual(self.errors(json.loads(written.read_text())), [], written)

    def test_it_refuses_the_readers_own_refusals(self):
        wrong = [{"/stop/round": 3}, {"/topology/agents": 0}, {"/topology/agents": "4"}, {"/topology": ...},
                 {"/problem/loss/kind": "quadratic"}, {"/lagnet": 2}, {"/algorithm/tau": 0}, {"/seed": -1}]
        for changes in wrong:
            document = changed(SMALL, changes)
            self.assertNotEqual(self.errors(document), [], changes)
            self.write("s.json", document)
            self.assertEqual(self.lagnet("validate", "s.json")[0], 2, changes)


class Inspection(Case):
    def test_every_scenario_that_is_shipped_with_small_data_is_valid(self):
        for path in shipped_scenarios():
            if path.parent.name in ("golden", "examples"):
                self.assertRegex(self.succeeds("validate", path), f"^{path}: valid, [0-9]+ runs?\n$")

    def test_every_listed_name_is_described(self):
        listed = json.loads(self.succeeds("list", "--json"))
        self.assertEqual(list(listed), LISTS)
        for what, kinds in listed.items():
            self.assertEqual(json.loads(self.succeeds("list", what, "--json")), {what: kinds})
            self.assertIn(f"\n  {kinds[0]['kind']} ", self.succeeds("list", what))
            for kind in kinds:
                described = json.loads(self.succeeds("describe", kind["kind"], "--json"))
                titles = [entry["name"] for entry in described]
                self.assertIn(f"{kind['kind']} ({what})", titles)
                text = self.succeeds("describe", kind["kind"])
                self.assertIn(f"{kind['kind']} ({what}): {kind['summary']}\n", text)
                for entry in described:
                    for field in entry["fields"]:
                        self.assertIn(f"\n  {field['key']}\n", text)
                        self.assertTrue(field["description"] and field["type"], field)

    def test_every_method_says_how_it_treats_l2(self):
        """tests/property/registered/ways_of_l2.cpp compares their behavior with their declarations."""
        by = {"dgd": "by prox, as all", "fed_avg": "by gradient, and the rest of the regularizer by subgradient",
              "lead": "by gradient: .* The rest of the regularizer goes by prox", "gradient_tracking": "by gradient: ",
              "cocoa": "neither by gradient nor by prox", "push_sum": "neither", "edge_admm": "neither",
              "msda": "neither", "python": "by me.gradient, in a class"}
        for name in json.loads(self.succeeds("list", "algorithms", "--json"))["algorithms"]:
            text, = (one["regularizer"] for one in json.loads(self.succeeds("describe", name["kind"], "--json"))
                     if one["name"].endswith("(algorithms)"))
            self.assertRegex(text, f"^l2 goes {by.get(name['kind'], '')}|^Takes no regularizer")
            self.assertIn(" ".join(text.split()), " ".join(self.succeeds("describe", name["kind"]).split()))

    def test_keys_are_described_by_their_names_alone_and_words_of_the_field_lead_somewhere(self):
        for name in ("latency_ms", "network.latency_ms", "/network/latency_ms"):
            self.assertIn("in ms; a distribution is drawn", self.succeeds("describe", name))
        step = self.succeeds("describe", "step")
        self.assertIn("step: key of dgd, extra, nids, gradient_tracking, k_gt, led\n", step)
        self.assertIn("or theory", step)
        self.assertRegex(self.succeeds("describe", "topology.agents"), r"agents: key of complete, ring")
        self.assertTrue(self.succeeds("describe", "dropout").startswith("dropout: see participation\n"))
        self.assertEqual(json.loads(self.succeeds("describe", "dropout", "--json")),
                         json.loads(self.succeeds("describe", "participation", "--json")))

    def test_every_word_that_leads_to_another_name_leads_to_one(self):
        source = (ROOT / "tools/flags/scenario_keys.cpp").read_text(encoding="utf-8")
        words = re.findall(r'\{"(\w+)", "\w+"\}', source.split("words{", 1)[1])
        self.assertGreater(len(words), 10)
        for word in words:
            self.succeeds("describe", word)

    def test_every_name_of_a_method_in_papers_leads_to_a_method(self):
        source = (ROOT / "tools/flags/method_names.cpp").read_text(encoding="utf-8")
        names = re.findall(r'\{"(\w+)", "(\w+)", ', source)
        self.assertGreater(len(names), 20)
        for name, kind in names:
            text = self.succeeds("describe", name)
            self.assertTrue(text.startswith(f"{name}: see {kind}"), text)
            self.assertIn(f"{kind} (algorithms)", text)
        self.assertTrue(self.succeeds("describe", "GT-SGD").startswith("GT-SGD: see gradient_tracking, with batch\n"))

    def test_every_section_is_described(self):
        for section, key in (("scenario", "topology"), ("problem", "loss"), ("topology", "changes"),
                             ("network", "latency_ms"), ("compute", "speed_flops_per_s"),
                             ("compute", "encryption.cores"), ("participation", "deadline_ms"), ("stop", "rounds"),
                             ("record", "every"), ("preprocessing", "scaling")):
            self.assertIn(f"\n  {key}\n", self.succeeds("describe", section))

    def test_keys_that_hold_one_of_several_kinds_are_described_by_these(self):
        for key, what in (("data", "data"), ("partition", "partitions"), ("algorithm", "algorithms"),
                          ("loss", "losses"), ("regularizer", "regularizers"), ("constraint", "constraints"),
                          ("clients", "clients"), ("availability", "availability"), ("changes", "topology_changes"),
                          ("missing_neighbor", "missing_neighbors"), ("metrics", "metrics"), ("expect", "claims")):
            kinds = json.loads(self.succeeds("list", what, "--json"))[what]
            common = {"data": "preprocessing", "expect": "claim"}.get(key)
            text = (f"{key}: one of {', '.join(kind['kind'] for kind in kinds)}; `lagnet list {what}` explains "
                    "them, `lagnet describe KIND` lists the keys of each"
                    + (f", `lagnet describe {common}` the keys of all" if common else "") + "\n")
            said = self.succeeds("describe", key)
            self.assertEqual(said[:len(text)], text)
            self.assertTrue(said == text or said[len(text):].startswith(f"{key} (export: points): "), said)
        for key in ("range", "random", "latin_hypercube"):
            self.assertIn("required", self.succeeds("describe", key))
        self.assertIn("\n  integer\n", self.succeeds("describe", "range"))

    def test_every_key_of_a_scenario_is_described_at_any_depth(self):
        for entry in json.loads(self.succeeds("describe", "scenario", "--json")):
            for field in entry["fields"]:
                self.assertIn(field["key"].split(".")[0].split("[")[0], self.succeeds("describe", field["key"]))
        self.assertIn('"points"', self.succeeds("describe", "sweep"))
        # A kind of clients has this name, too.
        self.assertIn("full (clients): ", self.succeeds("describe", "full"))
        self.assertIn("full: key of a scenario\n", self.succeeds("describe", "full"))
        self.assertIn("\n  figure[].x\n", self.succeeds("describe", "figure"))

    def test_a_kind_says_where_the_keys_are_that_all_of_its_sort_have(self):
        for kind, common, key in (("csv", "preprocessing", "scaling"), ("ring", "topology", "gossip"),
                                  ("bound", "claim", "where")):
            self.assertIn(f"\n  `lagnet describe {common}` lists the keys of all ", self.succeeds("describe", kind))
            self.assertIn(f"\n  {key}\n", self.succeeds("describe", common))

    def test_the_help_of_list_names_all_lists(self):
        words = " ".join(self.succeeds("list", "--help").split())
        for what in [*LISTS, "papers"]:
            self.assertRegex(words, rf"\b{what}\b")

    def test_names_that_do_not_exist_are_answered_with_the_nearest(self):
        self.assertEqual(self.lagnet("describe", "latice"),
                         (2, "", "describe: expected a name that `lagnet list` prints, found latice; did you mean "
                                 "lattice?\n"))
        status, out, err = self.lagnet("list", "topology")
        self.assertEqual((status, out), (2, ""))
        known = ", ".join([*LISTS, "columns", "papers"])
        self.assertEqual(err, f"list: expected one of {known}, found topology; did you mean topologies?\n")

    def test_a_command_that_does_not_exist_is_answered_with_the_nearest(self):
        status, out, err = self.lagnet("--json", "valdate", "s.json")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, "^expected one of the commands .*, found valdate; did you mean validate[?]\n$")
        self.assertIn("A subcommand is required", self.lagnet("--json")[2])

    def test_validate_answers_for_each_file(self):
        self.write_small({"/sweep": {"/seed": [1, 2, 3]}}, "good.json")
        self.write_small({"/stop/rounds": 0}, "bad.json")
        status, out, err = self.lagnet("validate", "good.json", "bad.json")
        self.assertEqual((status, out, err), (2, "good.json: valid, 3 runs\n",
                                              "bad.json: /stop/rounds: expected an integer at least 1, found 0\n"))
        status, out, err = self.lagnet("validate", "good.json", "bad.json", "--json")
        self.assertEqual((status, err), (2, ""))
        self.assertEqual(json.loads(out), [
            {"scenario": "good.json", "valid": True, "problems": [], "runs": 3},
            {"scenario": "bad.json", "valid": False,
             "problems": [{"where": "/stop/rounds", "expected": "an integer at least 1", "found": "0"}]}])

    def test_topology_gives_the_facts_of_a_ring(self):
        self.write_small({"/topology/agents": 6})
        facts = json.loads(self.succeeds("topology", "s.json", "--json"))
        self.assertEqual(len(facts), 1)
        exact = {"kind": "ring", "agents": 6, "edges": 6, "degree_min": 2, "degree_max": 2, "diameter": 3,
                 "draws_until_connected": 1, "distances_exact": True}
        self.assertEqual({key: facts[0][key] for key in exact}, exact)
        # Ring of 6: Laplacian eigenvalues 2 - 2 cos(2 pi k / 6); Metropolis weights of 1/3, so that the gap is
        # 1 - (1 + 2 cos(pi / 3)) / 3; distances 1, 1, 2, 2, 3 from every agent. 1e-9: what spectrum() states.
        for key, value in (("laplacian_max", 4), ("algebraic_connectivity", 1), ("metropolis_spectral_gap", 1 / 3),
                           ("mean_path_length", 9 / 5), ("degree_mean", 2)):
            self.assertAlmostEqual(facts[0][key], value, delta=1e-9 * value, msg=key)
        # What methods mix with: half of W and of I, which halves the distance of the second eigenvalue to 1.
        self.assertEqual(facts[0]["gossip"], "lazy_metropolis")
        self.assertAlmostEqual(facts[0]["gossip_spectral_gap"], 1 / 6, delta=1e-9)
        text = self.succeeds("topology", "s.json", "--set", "topology.kind=path")
        self.assertRegex(text, r"(?m)^degree_mean +1\.67$")
        text = self.succeeds("topology", "s.json", "--set", "topology.gossip=metropolis")
        for line in ("metropolis_spectral_gap +0.333", "gossip +metropolis", "gossip_spectral_gap +0.333"):
            self.assertRegex(text, rf"(?m)^{line}$")
        for k, value in enumerate(sorted(2 - 2 * math.cos(2 * math.pi * k / 6) for k in range(6))):
            self.assertAlmostEqual(facts[0]["laplacian_eigenvalues"][k], value, delta=1e-12 * 4)
        self.assertEqual((facts[0]["bridges"], facts[0]["articulation_points"]), ([], []))

    def test_topology_prints_bridges_and_the_middle_of_a_graph(self):
        self.write_small({"/topology": {"kind": "path", "agents": 5}})
        facts, = json.loads(self.succeeds("topology", "s.json", "--json"))
        self.assertEqual(facts["bridges"], [[0, 1], [1, 2], [2, 3], [3, 4]])
        self.assertEqual(facts["articulation_points"], [1, 2, 3])
        self.assertEqual(facts["middle"], {"agent": 2, "mean_hops": 1.5, "radius": 2})
        text = self.succeeds("topology", "s.json")
        for line in ("bridges                  0-1 1-2 2-3 3-4", "articulation_points      1 2 3",
                     "most_between             agent 2: 0.667 of the shortest paths of others",
                     "middle                   agent 2: 1.5 edges to others on average, 2 to the farthest"):
            self.assertIn(line + "\n", text)

    def test_a_topology_is_drawn_as_svg(self):
        self.write_small({"/topology/agents": 9})
        self.succeeds("topology", "s.json", "-o", "ring.svg")
        svg = (self.folder / "ring.svg").read_text(encoding="utf-8")
        self.assertEqual((svg.count("<circle"), svg.count("<line")), (9, 9))
        self.write_small({"/sweep": {"/topology/agents": [5, 6]}})
        status, out, err = self.lagnet("topology", "s.json", "-o", "two.svg")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("-o: expected one topology to draw, found 2 points of a sweep", err)

    def test_topology_gives_the_facts_of_a_directed_ring_and_draws_arrows(self):
        self.write_small({"/topology": {"kind": "directed_ring", "agents": 6}})
        facts, = json.loads(self.succeeds("topology", "s.json", "--json"))
        exact = {"kind": "directed_ring", "agents": 6, "arcs": 6, "one_way_arcs": 6, "directed": True, "degree_max": 1,
                 "in_degree_min": 1, "in_degree_max": 1, "diameter": 5, "mean_path_length": 3}
        self.assertEqual({key: facts[key] for key in exact}, exact)
        self.assertNotIn("laplacian_max", facts)
        # Weights (I + P) / 2, P a shift of six: |1 + exp(2 pi i / 6)| / 2 = cos(pi / 6).
        for key in ("push_factor", "pull_factor"):
            self.assertAlmostEqual(facts[key], math.cos(math.pi / 6), delta=1e-12)
        text = self.succeeds("topology", "s.json", "-o", "ring.svg")
        self.assertRegex(text, r"(?m)^one_way_arcs +6$")
        svg = (self.folder / "ring.svg").read_text(encoding="utf-8")
        self.assertEqual((svg.count("<line"), svg.count("marker-end")), (6, 6))
        # Of two arcs between the same agents one line is drawn, without arrow.
        self.write_small({"/topology": {"kind": "edges", "agents": 3, "directed": True,
                                        "edges": [[0, 1], [1, 0], [1, 2], [2, 0]]}})
        self.succeeds("topology", "s.json", "-o", "three.svg")
        svg = (self.folder / "three.svg").read_text(encoding="utf-8")
        self.assertEqual((svg.count("<line"), svg.count("marker-end")), (3, 2))

    def test_topology_of_a_weakly_connected_digraph_names_unreachable_agents(self):
        self.write("arcs.csv", "0,1\n1,2\n2,0\n2,3\n")
        self.write_small({"/topology": {"kind": "edge_list", "path": "arcs.csv", "directed": True}})
        self.assertEqual(self.lagnet("topology", "s.json"),
                         (2, "", "s.json: /topology: the digraph has 2 strongly connected components, agents [3] "
                                 "cannot reach agent 0; expected one component\n"))

    def test_topology_of_a_disconnected_graph_is_wrong_input(self):
        self.write("edges.csv", "0,1\n2,3\n")
        self.write_small({"/topology": {"kind": "edge_list", "path": "edges.csv"}})
        self.assertEqual(self.lagnet("topology", "s.json"),
                         (2, "", "s.json: /topology: expected a connected graph, found 2 components\n"))


class Usage(Case):
    def test_help_names_every_command_and_the_exit_statuses(self):
        text = self.succeeds("--help")
        for command in ("new", "ask", "design", "run", "validate", "topology", "list", "describe", "schema", "replay",
                        "check"):
            self.assertIn(f"\n  {command} ", text)
            self.assertIn("Usage: ", self.succeeds(command, "--help"))
        for title in ("Begin:", "Run:", "Look:", "Prove:"):
            self.assertIn(f"\n{title}\n", text)
        text = " ".join(text.split())
        self.assertIn("Exit status: 0 done, 1 a comparison failed or a run diverged or ended in a deadlock, "
                      "2 wrong input", text)
        self.assertRegex(text, r"130, 143 or 129\s+interrupted\s+by\s+Ctrl-C,\s+SIGTERM\s+or\s+a\s+closed\s+terminal")

    def test_the_version_has_build_and_formats(self):
        name, build, formats = self.succeeds("--version").splitlines()
        self.assertEqual(name, f"lagnet {VERSION}")
        self.assertRegex(build, r"^build [0-9a-f]{8}$")
        reads = json.loads(self.succeeds("schema"))["properties"]["lagnet"]
        self.assertEqual(formats, f"formats: scenario {reads['maximum']}, results 1, plan 1, messages and records 3")

    def test_no_line_of_help_is_longer_than_a_terminal_of_80_columns(self):
        names = ("new", "ask", "design", "run", "sweep", "tune", "reproduce", "validate", "topology", "list",
                 "describe", "schema", "compare", "report", "replay", "diff", "check")
        for command in ((), *((name,) for name in names)):
            for line in self.succeeds(*command, "--help").splitlines():
                if not line.startswith("Usage: "):
                    self.assertLessEqual(len(line), 80, line)

    def test_names_of_positionals_are_those_that_every_version_of_cli11_accepts(self):
        for command in re.findall(r"^  ([a-z]+)\s{2,}\S", self.succeeds("--help"), re.MULTILINE):
            usage = re.search(r"^Usage: (.*?)\n\n", self.succeeds(command, "--help"), re.M | re.S)[1]
            with self.subTest(usage=usage):  # from version 2.4 on, names with = : { end the program
                self.assertNotRegex(usage, "[=:{]")

    def test_help_has_tables_and_defaults(self):
        text = " ".join(self.succeeds("compare", "--help").split())
        for words in ("by default relative_error", "by default simulated_s", "by default 20", "by default 0.95",
                      "by default 10000", "series, curves, accuracy, paired, pareto, crossings, waits"):
            self.assertIn(words, text)
        text = self.succeeds("report", "--help")
        self.assertIn("by default 85", text)
        self.assertNotIn("FLOAT", text)

    def test_wrong_usage_has_status_2(self):
        for arguments in ([], ["fly"], ["run"], ["run", "s.json", "--threads", "0"], ["run", "s.json", "--fast"],
                          ["replay"], ["validate"]):
            status, out, err = self.lagnet(*arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertNotEqual(err, "", arguments)

    def test_help_can_be_asked_for_as_a_command(self):
        self.assertEqual(self.succeeds("help"), self.succeeds("--help"))
        self.assertEqual(self.succeeds("help", "run"), self.succeeds("run", "--help"))

    def test_unknown_words_are_reported_with_the_nearest_ones(self):
        self.write_small()
        for arguments, line in (
                (["fly"], "expected one of the commands new, ask, data, import, design, run, sweep, "),
                (["help", "run2"], "found run2; did you mean run?"),
                (["ask", "--agents", "twenty"], "--agents: Value twenty not in range"),
                (["compare", "r", "--confidence", "2"], "--confidence: Value 2 not in range"),
                (["compare", "r", "--to", "1e-3,foo"], "compare: --to: expected a number between commas, found foo"),
                (["report", "--format", "jpg"], "--format: jpg not in {html,svg,png,pdf}"),
                (["ask", "--to", "0"], "--to: Value 0 not in range"),
                (["run", "s.json", "--set", "stop.rounds=3", "seed=5"],
                 "expected --set before every setting, found seed=5 without it"),
                (["run", "s.json", "--sweep", "seed=1;2"],
                 "--sweep: expected values with commas between them, as in 4,9,16, found 1;2"),
                (["ask", "--latency", "5-150"], "or a range as 5..150, found 5-150"),
                (["run"], "SCENARIO is required"),
                (["runn", "s.json"], "found runn; did you mean run?"),
                (["run", "--hel"], "expected one of the options that --help lists, found --hel; did you mean --help?"),
                (["--verson"], "found --verson; did you mean --version?"),
                (["run", "s.json", "--set", "/seed", "5"],
                 "--set: expected a key and its value in one word, as in --set /seed=5, found /seed 5"),
                (["run", "s.json", "--sweep", "seed", "5,6"],
                 "--sweep: expected a key and its value in one word, as in --sweep seed=5,6, found seed 5,6"),
                (["run", "s.json", "--sweep", "seed"],
                 "--sweep: expected a key and its values, as in topology.agents=4,9,16")):
            with self.subTest(arguments):
                status, out, err = self.lagnet(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertIn(line, err)

    def test_every_command_that_writes_takes_the_short_option(self):
        for command in ("ask", "run", "sweep", "tune", "reproduce", "compare", "report"):
            self.assertIn("  -o,--out ", self.succeeds(command, "--help"), command)

    def test_a_full_stdout_is_reported_by_status_and_results_are_complete(self):
        self.write_small()
        self.succeeds("run", "s.json", "--out", "a", "--quiet")
        for arguments in (["list"], ["list", "--json"], ["schema"], ["describe", "star"], ["topology", "s.json"],
                          ["validate", "s.json"], ["--help"], ["replay", "a"], ["compare", "a"], ["diff", "a", "a"],
                          ["run", "s.json", "--out", "b"]):
            with self.subTest(arguments), open("/dev/full", "w", encoding="utf-8") as full:
                run = subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                     text=True, timeout=60, check=False)
                self.assertEqual((run.returncode, run.stderr),
                                 (3, "lagnet: cannot write standard output: No space left on device\n"))
        self.assertEqual(self.succeeds("replay", "b"), "b: the same, byte for byte\n")

    def test_a_full_stderr_changes_no_status(self):
        self.write_small()
        for status, arguments in ((0, ["run", "s.json", "--out", "r"]), (2, ["run", "absent.json"]), (2, ["fly"])):
            with open("/dev/full", "w", encoding="utf-8") as full:
                run = subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=full,
                                     timeout=60, check=False)
                self.assertEqual(run.returncode, status, arguments)

    def test_results_go_to_stdout_in_one_line_a_run(self):
        self.write_small({"/sweep": {"/topology/agents": [3, 5]}})
        lines = self.succeeds("run", "s.json", "--out", "r", "-v").splitlines()
        self.assertEqual(len(lines), 3)
        for number, line in enumerate(lines[:2], 1):
            self.assertRegex(line, rf"^{number}/2 /topology/agents=[35]: ended by rounds after 12 rounds, simulated "
                                   r"[0-9.]+ s: objective [0-9.]+, relative error [0-9.e-]+, [0-9]+ messages, [0-9]+ "
                                   r"bytes, [0-9]+ flops, trace [0-9a-f]{16}$")
        self.assertEqual(lines[2], "results in r")
        self.assertEqual(self.lagnet("run", "s.json", "--out", "q", "--quiet"), (0, "", ""))

    def test_run_gives_its_summaries_as_json_on_request(self):
        self.write_small({"/sweep": {"/topology/agents": [3, 5]}})
        answer = json.loads(self.succeeds("run", "s.json", "--out", "r", "--json"))
        self.assertEqual(answer["folder"], "r")
        self.assertEqual([run["topology"]["agents"] for run in answer["runs"]], [3, 5])

    def test_results_are_named_after_the_scenario_by_default(self):
        self.write_small()
        self.assertTrue(self.succeeds("run", "s.json").endswith("\nresults in runs/s\n"))
        self.assertTrue(self.succeeds("run", "s.json", "--replace").endswith(
            "\nresults in runs/s, in place of earlier ones\n"))
        self.assertTrue((self.folder / "runs/s/summary.json").is_file())

    def test_settings_are_read_as_json_or_else_as_text(self):
        self.write_small()
        latency = '/network/latency_ms={"kind": "uniform", "low": 1, "high": 2}'
        self.succeeds("run", "s.json", "--out", "r", "--quiet", "--set", "/topology/kind=star", "--set",
                      "/topology/agents=4", "--set", latency)
        scenario = json.loads((self.folder / "r/scenario.json").read_text())
        self.assertEqual((scenario["topology"]["kind"], scenario["topology"]["agents"]), ("star", 4))
        self.assertEqual(scenario["network"]["latency_ms"], {"kind": "uniform", "low": 1.0, "high": 2.0})
