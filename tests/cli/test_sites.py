"""Sites: where agents are, what they pay there, and `lagnet retime` with other prices or another site of the server."""

import contextlib
import json
import sqlite3

from support import Case

PRICES = {"same_site_per_gb": 1000, "other_site_per_gb": 2000, "internet_per_gb": 9000}
ENERGY = {"joules_per_flop": 5e-8, "joules_per_byte_sent": 2e-5, "joules_per_byte_received": 1e-5, "idle_w": 60,
          "busy_w": 20}
SITES = [{"name": "frankfurt", "agents": 2, "provider": "cloud", "up_bytes_per_s": 1e6, "price": PRICES,
          "energy": ENERGY, "carbon_g_per_kwh": 380, "server": {"up_bytes_per_s": 1e7}},
         {"name": "oregon", "agents": 1, "provider": "cloud", "up_bytes_per_s": 2e5,
          "price": {"other_site_per_gb": 500}},
         {"name": "phones", "agents": 1, "up_bytes_per_s": 1e5, "down_bytes_per_s": 3e5,
          "energy": {"idle_w": 0.5, "busy_w": 3}}]
AT_FRANKFURT = {"sites": SITES, "server_site": "frankfurt", "currency": "EUR"}
FEDERATED = {"/algorithm": {"kind": "fed_avg"}, "/topology": {"kind": "star", "agents": 5}, "/record/every": 1,
             "/problem/regularizer": {"kind": "none"}}
LINKS = {"frankfurt": {"frankfurt": 1000, "oregon": 2000, "phones": 9000},
         "oregon": {"frankfurt": 500, "oregon": 0, "phones": 0}, "phones": {}}


class Sites(Case):
    def with_sites(self, out, network, *arguments, **changes):
        return self.run_small(out, {**FEDERATED, "/network": {"latency_ms": 2, **network}, **changes}, *arguments)

    def summary(self, run):
        return json.loads((self.folder / run / "summary.json").read_text())

    def sums(self, rows, key):
        return sum(float(row[key] or 0) for row in rows)

    def test_costs_follow_from_the_accounts_by_the_formulas(self):
        self.with_sites("r", AT_FRANKFURT)
        agents, links, sites = (self.table(f"r/{name}.csv") for name in ("agents", "links", "sites"))
        self.assertEqual([row["site"] for row in agents], ["frankfurt"] * 3 + ["oregon", "phones"])
        self.assertEqual([(row["site"], row["agents"]) for row in sites],
                         [("frankfurt", "3"), ("oregon", "1"), ("phones", "1")])
        end = self.summary("r")["stop"]["ended_s"]
        for agent in agents:
            price = sum(int(link["bytes_sent"]) / 1e9 * LINKS[link["from_site"]].get(link["to_site"], 0)
                        for link in links if link["from"] == agent["agent"])
            self.assertAlmostEqual(float(agent["price"]), price, places=15)
        server = agents[0]
        computing = float(server["computing_s"])
        joules = (int(server["flops"]) * 5e-8 + int(server["bytes_sent"]) * 2e-5
                  + int(server["bytes_delivered"]) * 1e-5 + 20 * computing + 60 * (end - computing))
        self.assertAlmostEqual(float(server["joules"]), joules, places=9)
        self.assertAlmostEqual(float(server["grams"]), joules / 3.6e6 * 380, places=9)
        totals, last = self.summary("r")["totals"], self.table("r/progress.csv")[-1]
        self.assertEqual(totals["currency"], "EUR")
        for key in ("price", "joules", "grams"):
            self.assertGreater(totals[key], 0)
            for rows in (agents, sites):
                self.assertAlmostEqual(self.sums(rows, key), totals[key], places=9)
        # The run ends with the report of its last row, after which nothing is sent.
        self.assertAlmostEqual(float(last["price"]), totals["price"], places=15)
        prices = [float(row["price"]) for row in self.table("r/progress.csv")]
        self.assertEqual(prices, sorted(prices))

    def test_a_quantity_that_no_site_states_is_absent(self):
        self.with_sites("r", {"sites": [{"name": "a", "agents": 5, "price": PRICES}]})
        totals = self.summary("r")["totals"]
        self.assertIn("price", totals)
        self.assertNotIn("joules", totals)
        self.assertNotIn("grams", totals)
        for table in ("progress", "agents", "sites"):
            for row in self.table(f"r/{table}.csv"):
                self.assertEqual((row["joules"], row["grams"]), ("", ""))
                self.assertNotEqual(row["price"], "")
        self.with_sites("none", {})
        self.assertEqual({row["price"] for row in self.table("none/progress.csv")}, {""})
        self.assertNotIn("site", self.table("none/agents.csv")[0])
        self.assertFalse((self.folder / "none/sites.csv").exists())

    def test_prices_change_no_event(self):
        free = [{key: value for key, value in site.items() if key not in ("price", "energy", "carbon_g_per_kwh")}
                for site in SITES]
        asynchronous = {"/algorithm": {"kind": "fed_async", "client_step": 0.1}, "/stop": {"rounds": 60}}
        for name, changes in (("rounds", {}), ("asynchronous", asynchronous)):
            self.with_sites(name, AT_FRANKFURT, **changes)
            self.with_sites(name + "-free", {"sites": free, "server_site": "frankfurt"}, **changes)
            self.assertEqual(self.summary(name)["trace_hash"], self.summary(name + "-free")["trace_hash"])
            for row, other in zip(self.table(name + "/progress.csv"), self.table(name + "-free/progress.csv"),
                                  strict=True):
                for key in ("price", "joules", "grams"):
                    self.assertEqual(other.pop(key), "")
                    row.pop(key)
                self.assertEqual(row, other)

    def test_a_run_is_priced_later_and_its_server_moved_by_one_key(self):
        method = {"/algorithm": {"kind": "distributed_proximal_gradient"}}
        self.with_sites("r", {"sites": [{"name": "a", "agents": 5}]}, **method)
        for name, network in (("priced", AT_FRANKFURT), ("moved", {**AT_FRANKFURT, "server_site": "phones"})):
            settings = [f"/network/{key}={json.dumps(value)}" for key, value in network.items()]
            words = [word for one in settings for word in ("--set", one)]
            self.succeeds("retime", "r", "--out", name, "--quiet", *words)
            self.with_sites(name + "-real", network, **method)
            for table in ("progress", "agents", "links", "sites"):
                self.assertEqual((self.folder / name / f"{table}.csv").read_bytes(),
                                 (self.folder / f"{name}-real" / f"{table}.csv").read_bytes())
        at_frankfurt, at_phones = (self.table(f"{name}/agents.csv")[0] for name in ("priced", "moved"))
        self.assertEqual((at_frankfurt["site"], at_phones["site"]), ("frankfurt", "phones"))
        self.assertGreater(float(at_frankfurt["price"]), 0)
        self.assertEqual(float(at_phones["price"]), 0)  # phones have no price
        self.assertGreater(float(self.table("moved/progress.csv")[-1]["simulated_s"]),
                           float(self.table("priced/progress.csv")[-1]["simulated_s"]))

    def test_an_export_has_costs_and_their_currency(self):
        self.with_sites("r", AT_FRANKFURT)
        self.succeeds("export", "r", "--sqlite", "r.db", "--quiet")
        with contextlib.closing(sqlite3.connect(self.folder / "r.db")) as database:
            price, currency = database.execute("SELECT price, currency FROM points").fetchone()
            sites = database.execute("SELECT DISTINCT site FROM agents ORDER BY site").fetchall()
        self.assertEqual((price, currency), (self.summary("r")["totals"]["price"], "EUR"))
        self.assertEqual(sites, [("frankfurt",), ("oregon",), ("phones",)])

    def test_a_price_ends_a_run(self):
        self.with_sites("whole", AT_FRANKFURT)
        whole = float(self.table("whole/progress.csv")[-1]["price"])
        self.with_sites("r", AT_FRANKFURT, **{"/stop": {"price": whole / 2, "rounds": 12}})
        summary = self.summary("r")
        self.assertEqual(summary["stop"]["reason"], "price")
        self.assertGreaterEqual(summary["totals"]["price"], whole / 2 * (1 - 1e-12))
        self.assertLess(summary["totals"]["price"], whole)
        self.write_small({**FEDERATED, "/stop/price": 1})
        self.assertEqual(self.lagnet("run", "s.json"), (2, "", "s.json: /stop/price: expected null, since none of "
                                                               "network.sites has prices, found 1.0\n"))

    def test_a_server_needs_a_method_with_one(self):
        self.write_small({"/network": {"sites": [{"name": "a", "agents": 4, "server": {"up_bytes_per_s": 1e6}}],
                                       "server_site": "a"}})
        status, _, err = self.lagnet("validate", "s.json")
        why = "expected null, since fd_primal_dual has no server, found"
        self.assertEqual((status, err), (2, f"s.json: /network/server_site: {why} a\n"
                                            f"s.json: /network/sites/0/server: {why} an interface\n"))

    def test_compare_takes_costs_as_its_axis(self):
        self.write_small({**FEDERATED, "/network": {"latency_ms": 2, **AT_FRANKFURT}, "/stop/rounds": 40,
                          "/sweep": {"/network/server_site": ["frankfurt", "phones"]}})
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet")
        for cost, heading in (("price", "price"), ("joules", "energy (J)"), ("grams", "carbon dioxide (g)")):
            out = self.succeeds("compare", "r", "--against", cost, "--to", "0.5")
            self.assertIn("relative_error over " + heading, out)
            self.assertRegex(out, r"To 5e-1: .* cheapest for \S+ EUR, \S+ times cheaper than ")
        self.with_sites("alone", AT_FRANKFURT)
        self.assertRegex(self.succeeds("compare", "alone", "--to", "0.5"), r"5e-1 for \S+ EUR, \S+ m?s, \S+ k?B")
