"""What lies between agents: resources.csv, the bottleneck that `lagnet topology` names, files of underlays, and routes
around links that are off."""

import json

from support import Case

LANS = {"nodes": ["lan 1", "lan 2"], "agents": ["lan 1", "lan 1", "lan 1", "lan 2", "lan 2"],
        "links": [{"ends": ["lan 1", "lan 2"], "latency_ms": 5, "bandwidth_bytes_per_s": 1e5, "name": "wan"}]}
TRIANGLE = {"nodes": ["a", "b", "c"], "agents": ["a", "a", "b", "b", "c"],
            "links": [{"ends": ["a", "b"], "latency_ms": 1}, {"ends": ["b", "c"], "latency_ms": 5},
                      {"ends": ["c", "a"], "latency_ms": 5}]}
OUTAGE = [{"from_s": 0.01, "until_s": 0.05, "inner_links": ["a-b"]}]
PEERS = {"/problem/regularizer": {"kind": "l2", "weight": 0.1}, "/algorithm": {"kind": "dgd"}, "/record/every": 1}


class Underlay(Case):
    def resources(self, run):
        return {row["resource"]: row for row in self.table(f"{run}/resources.csv")}

    def test_resources_carry_what_the_links_over_them_do(self):
        self.run_small("r", {"/network": {"underlay": LANS, "up_bytes_per_s": 1e6}})
        rows, links = self.resources("r"), self.table("r/links.csv")
        self.assertEqual([(name, rows[name]["kind"]) for name in rows],
                         [(f"agent {k}'s up-link", "up") for k in range(5)]
                         + [("wan lan 1 -> lan 2", "inner_link"), ("wan lan 2 -> lan 1", "inner_link")])
        # All messages of the ring have come when the run ends, but for those of the last exchange.
        for name, pairs in (("wan lan 1 -> lan 2", {("2", "3"), ("0", "4")}),
                            ("wan lan 2 -> lan 1", {("3", "2"), ("4", "0")})):
            over = [link for link in links if (link["from"], link["to"]) in pairs]
            row = rows[name]
            self.assertLessEqual(sum(int(link["messages_delivered"]) for link in over), int(row["messages"]))
            self.assertLessEqual(int(row["messages"]), sum(int(link["messages_sent"]) for link in over))
            self.assertGreater(float(row["queueing_s"]), 0)
            self.assertGreater(int(row["most_waiting"]), 0)
        ends = json.loads((self.folder / "r/summary.json").read_text())["stop"]["ended_s"]
        for row in rows.values():
            rate = 1e6 if row["kind"] == "up" else 1e5
            self.assertAlmostEqual(float(row["utilization"]), float(row["busy_s"]) / ends, places=12)
            self.assertLessEqual(float(row["busy_s"]), int(row["bytes"]) / rate + 1e-9)
            self.assertLessEqual(float(row["utilization"]), 1)
            self.assertEqual(row["lost"], "0")

    def test_only_fifo_has_turns_and_only_networks_with_something_between_have_the_file(self):
        for sharing in ("fair", "none"):
            self.run_small(sharing, {"/network": {"underlay": LANS, "sharing": sharing}})
            for row in self.resources(sharing).values():
                self.assertEqual((row["queueing_s"], row["most_waiting"]), ("", ""))
                self.assertAlmostEqual(float(row["busy_s"]), int(row["bytes"]) / 1e5, places=6)
        self.run_small("plain")
        self.assertFalse((self.folder / "plain/resources.csv").exists())

    def test_results_replay_and_a_retimed_run_has_the_resources_of_a_run(self):
        pointer = "/network/underlay/links/0/bandwidth_bytes_per_s=2e5"
        self.run_small("r", {"/network": {"underlay": LANS}})
        self.succeeds("replay", "r", "--quiet")
        self.succeeds("retime", "r", "--set", pointer, "--out", "retimed", "--quiet")
        self.run_small("real", {"/network": {"underlay": LANS}}, "--set", pointer)
        self.assertEqual((self.folder / "retimed/resources.csv").read_text(),
                         (self.folder / "real/resources.csv").read_text())

    def test_topology_names_the_bottleneck(self):
        def facts(network):
            self.write_small({"/network": network})
            return json.loads(self.succeeds("topology", "s.json", "--json"))[0]["bottleneck"]
        self.assertEqual(facts({"underlay": LANS}),
                         {"resource": "wan lan 1 -> lan 2", "kind": "inner_link", "messages": 2, "bytes_per_s": 1e5,
                          "s_per_megabyte": 20.0, "others": 1})
        self.assertIn("wan lan 1 -> lan 2, and 1 other: 2 messages of an exchange, 20 s for each MB of a message\n",
                      self.succeeds("topology", "s.json"))
        server = facts({"interfaces": [{"agents": [0], "up_bytes_per_s": 1e5}]})
        self.assertEqual((server["resource"], server["messages"], server["others"]), ("agent 0's up-link", 2, 0))
        self.assertIsNone(facts({"latency_ms": 2}))
        self.assertNotIn("bottleneck", self.succeeds("topology", "s.json"))
        self.write_small({"/network": {"underlay": {**LANS, "agents": ["lan 1"]}}})
        status, out, err = self.lagnet("topology", "s.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("s.json: /network/underlay/agents: expected 5 nodes, one for each agent, found 1", err)

    def test_parallel_edges_of_a_file_are_links_of_their_own_or_merged_or_refused(self):
        self.write("roads.csv", "from,to,latency_ms,bandwidth_bytes_per_s\na,b,5,10000\nb,a,5,30000\n")
        network = {"underlay": {"path": "roads.csv", "agents": ["a", "a", "a", "b", "b"]}}
        names = {"keep": ["inner link a -> b", "inner link b -> a", "inner link b -> a", "inner link a -> b"],
                 "merge": ["inner link a -> b", "inner link b -> a"]}
        times = {}
        for choice, expected in names.items():
            network["underlay"]["parallel_edges"] = choice
            self.write_small({"/network": network}, f"{choice}.json")
            status, _, err = self.lagnet("run", f"{choice}.json", "--out", choice, "--quiet")
            self.assertEqual((status, err), (0, ""))
            self.assertEqual([row["resource"] for row in self.table(f"{choice}/resources.csv")], expected)
            times[choice] = float(self.table(f"{choice}/progress.csv")[-1]["simulated_s"])
        self.assertGreater(times["keep"], 1.5 * times["merge"])
        network["underlay"]["parallel_edges"] = "refuse"
        self.write_small({"/network": network})
        status, out, err = self.lagnet("run", "s.json", "--out", "none")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("roads.csv:3: expected an edge of a simple graph, found (b,a): ", err)
        self.assertIn('parallel_edges: expected "merge", to make one edge of those between the same nodes', err)
        self.assertFalse((self.folder / "none").exists())

    def test_messages_go_around_a_link_that_is_off(self):
        def run(out, **more):
            return self.run_small(out, {**PEERS, "/network": {"retransmit": {"timeout_ms": 20}, **more}})
        run("on", underlay=TRIANGLE)
        run("off", underlay=TRIANGLE, outages=OUTAGE)
        run("around", underlay={**TRIANGLE, "reroute": True}, outages=OUTAGE)
        ends = {name: float(self.table(f"{name}/progress.csv")[-1]["simulated_s"]) for name in ("on", "off", "around")}
        self.assertLess(ends["on"], ends["around"])
        self.assertLess(ends["around"], ends["off"])
        rows = {name: self.resources(name) for name in ends}
        self.assertEqual(rows["on"]["inner link c -> a"]["messages"], rows["off"]["inner link c -> a"]["messages"])
        self.assertGreater(int(rows["around"]["inner link b -> c"]["messages"]),
                           int(rows["off"]["inner link b -> c"]["messages"]))
        self.assertGreater(int(rows["off"]["inner link a -> b"]["lost"]),
                           int(rows["around"]["inner link a -> b"]["lost"]))

    def test_retiming_takes_routes_that_change_if_lost_messages_are_sent_again(self):
        around = {"underlay": {**TRIANGLE, "reroute": True}, "outages": OUTAGE}
        self.run_small("r", {**PEERS, "/network": {"underlay": TRIANGLE}})
        sections = [f"/network/{key}={json.dumps(value)}" for key, value in around.items()]
        arguments = [one for section in sections for one in ("--set", section)]
        status, out, err = self.lagnet("retime", "r", *arguments, "--out", "refused")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("outages", err)
        again = ("--set", '/network/retransmit={"timeout_ms": 20}')
        self.succeeds("retime", "r", *arguments, *again, "--out", "retimed", "--quiet")
        self.run_small("real", {**PEERS, "/network": {**around, "retransmit": {"timeout_ms": 20}}})
        for table in ("progress.csv", "links.csv", "resources.csv"):
            self.assertEqual((self.folder / "retimed" / table).read_text(), (self.folder / "real" / table).read_text())

    def test_routes_that_cannot_change_are_refused(self):
        for network, problem in (
                ({"underlay": {**TRIANGLE, "reroute": True}}, "without outages of inner_links"),
                ({"underlay": {**TRIANGLE, "reroute": True}, "outages": OUTAGE,
                  "media": [{"name": "cell", "agents": [0, 1], "bandwidth_bytes_per_s": 1e6, "broadcast_once": True}]},
                 "where one transmission reaches several agents (broadcast_once)")):
            self.write_small({"/network": network})
            status, out, err = self.lagnet("validate", "s.json")
            self.assertEqual((status, out), (2, ""))
            self.assertIn(f"s.json: /network/underlay/reroute: expected false {problem}, found true", err)
