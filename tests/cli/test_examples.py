"""Every example runs unchanged, replays, and shows what its description says."""

import json

from support import ROOT, Case

EXAMPLES = sorted((ROOT / "scenarios/examples").glob("*.json"))


def first_run(folder):
    """The folder of a run, or of a sweep's first point."""
    return folder / "000" if (folder / "000").exists() else folder


class Examples(Case):
    def run_example(self, name, out, *settings):
        arguments = [argument for setting in settings for argument in ("--set", setting)]
        path = ROOT / f"scenarios/examples/{name}.json"
        status, _, err = self.lagnet("run", path, "--out", out, "--quiet", *arguments)
        self.assertEqual(status, 0, err)
        return self.table(f"{first_run(self.folder / out)}/progress.csv")

    def test_each_runs_to_its_end_and_replays(self):
        self.assertGreaterEqual(len(EXAMPLES), 6)
        for path in EXAMPLES:
            with self.subTest(path.stem):
                rows = self.run_example(path.stem, path.stem)
                summary = json.loads((first_run(self.folder / path.stem) / "summary.json").read_text())
                self.assertEqual(summary["status"], "done")
                if summary.get("numerics") != "off":
                    self.assertLess(float(rows[-1]["relative_error"]), 0.5)
                times = [float(row["simulated_s"]) for row in rows]
                self.assertEqual(times, sorted(times))
                self.succeeds("replay", path.stem, "--quiet")

    def test_the_lattice_is_before_star_and_ring_as_the_example_expects(self):
        self.run_example("which_topology", "which")
        self.assertIn("1 of 1 statements hold", self.succeeds("check", "which"))

    def test_a_server_is_first_in_one_region_and_cheapest_in_another_as_the_example_expects(self):
        self.run_example("server_region", "regions")
        self.assertIn("3 of 3 statements hold", self.succeeds("check", "regions"))
        # A round of 44.7 MB each way: from Virginia to 12 clients, and from those of each region.
        a_round = 0.0447 * (12 * 0.02 + 6 * 0.02 + 4 * 0.086 + 2 * 0.138)
        last = self.table("regions/000/progress.csv")[-1]
        self.assertAlmostEqual(float(last["price"]), a_round * int(last["round"]), places=12)

    def test_networks_beneath_the_agents_do_what_their_examples_expect(self):
        for name, all_hold in (("two_lans", "2 of 2 statements hold"), ("dumbbell", "2 of 2 statements hold"),
                               ("fat_tree", "1 of 1 statements hold"), ("backbone", "2 of 2 statements hold")):
            self.run_example(name, name)
            self.assertIn(all_hold, self.succeeds("check", name))
        # Of the ring over both LANs two messages of 1 MB cross in each direction, of the zigzag eight.
        for folder, messages in (("000", 2), ("001", 8)):
            wan = {row["resource"]: row for row in self.table(f"two_lans/{folder}/resources.csv")}["wan lan 1 -> lan 2"]
            last = self.table(f"two_lans/{folder}/progress.csv")[-1]
            of_next_round = int(wan["messages"]) - messages * int(last["round"])
            self.assertIn(of_next_round, range(messages + 1))
            self.assertGreater(float(wan["utilization"]), 0.98)

    def test_methods_for_unequal_work_attackers_and_edges_do_what_their_examples_expect(self):
        for name, all_hold in (("unequal_work", "5 of 5 statements hold"), ("late_attackers", "5 of 5 statements hold"),
                               ("edge_and_cloud", "4 of 4 statements hold")):
            self.run_example(name, name)
            self.assertIn(all_hold, self.succeeds("check", name))
        # Of 10 MB each way: every client to the cloud, which is another provider, or three edge servers.
        for folder, senders in (("000", 12), ("003", 3)):
            last = self.table(f"edge_and_cloud/{folder}/progress.csv")[-1]
            self.assertAlmostEqual(float(last["price"]), 0.01 * senders * (0.09 + 0.05) * int(last["round"]), places=12)

    def test_prices_of_coupled_agents_lead_to_the_least_cost_as_their_examples_expect(self):
        for name, all_hold in (("dispatch", "5 of 5 statements hold"), ("mpc", "3 of 3 statements hold")):
            self.run_example(name, name)
            self.assertIn(all_hold, self.succeeds("check", name))

    def test_coupled_agents_end_where_independent_solutions_of_their_files_are(self):
        """The numbers are those of NumPy 1.24 and SciPy 1.10 for the same files. dispatch: in each hour
        scipy.optimize.brentq of sum_i clip((price + b_i) / q_i, limits) - demand, to an ulp of the price; the cost is
        the sum of x' A x / 2 - b'x. mpc: numpy.linalg.solve of the KKT equations [[A, B'], [B, 0]] [x; price] =
        [b; rhs], refined once. The price is that of this constraint."""
        for name, cost, place, price in (("dispatch", 757111.516846696, 19, 32.72727272727273),
                                         ("mpc", -15.288644617861639, 0, 0.3832347069402609)):
            with open(ROOT / f"scenarios/examples/{name}.json", encoding="utf-8") as file:
                text = "".join(line for line in file if not line.lstrip().startswith("//"))
            scenario = json.loads(text)
            del scenario["sweep"], scenario["expect"]
            for key in {"path", "coupling_path", "limits_path"} & set(scenario["data"]):
                scenario["data"][key] = str(ROOT / "scenarios/examples" / scenario["data"][key])
            scenario["topology"] = {"kind": "star", "agents": scenario["topology"]["agents"] + 1}
            scenario["stop"] = {"rounds": 400}
            for kind, minimizer in (("distributed_proximal_gradient", None), ("distributed_fista", None),
                                    ("consensus_admm", "gradient" if name == "dispatch" else "exact")):
                with self.subTest(name, kind=kind):
                    scenario["algorithm"] = {"kind": kind} | ({"local_minimizer": minimizer} if minimizer else {})
                    self.write("one.json", json.dumps(scenario))
                    self.succeeds("run", "one.json", "--out", f"{name}_{kind}", "--quiet")
                    last = self.table(f"{name}_{kind}/progress.csv")[-1]
                    # An inexact minimizer stops at 1e-8 of its prices.
                    self.assertLess(float(last["coupling_residual"]), 1e-6)
                    self.assertLess(abs(float(last["primal_objective"]) / cost - 1), 1e-10)
                    prices = self.table(f"{name}_{kind}/model.csv")
                    self.assertAlmostEqual(float(prices[place]["coefficient"]), price, places=8)

    def test_second_derivatives_pay_from_the_turning_latencies_on_that_the_example_names(self):
        self.run_example("newton_over_the_ocean", "ocean")
        self.assertIn("4 of 4 statements hold", self.succeeds("check", "ocean"))

        def line(first):
            """Of the runs of one method, that at 5 ms and that at 150 ms: seconds as a line in the latency in ms."""
            near, far = (float(self.table(f"ocean/{k:03}/progress.csv")[-1]["simulated_s"]) for k in (first, first + 2))
            slope = (far - near) / 145
            return near - 5 * slope, slope

        computed, waited = line(9)  # FedAvg
        for first, turning_ms in [(3, 6.4), (0, 39.4), (6, 98.0)]:  # GIANT, FedNL, DANE
            more, less = line(first)
            self.assertAlmostEqual((more - computed) / (waited - less), turning_ms, delta=0.05)

    def test_the_satellite_takes_nearly_all_of_a_rounds_time(self):
        settings = ["/stop/rounds=100", "/network/loss_probability=0", "/network/burst_loss=null"]
        by_satellite = self.run_example("satellite", "far", *settings)
        by_cable = self.run_example("satellite", "near", "/network/links/0/latency_ms=0.2", *settings)
        keys = ["round", "objective", "bytes", "flops"]
        self.assertEqual([[row[key] for key in keys] for row in by_satellite],
                         [[row[key] for key in keys] for row in by_cable])
        # Two exchanges a round wait 270 ms for the satellite instead of 0.2 ms for a cable.
        per_round = (float(by_satellite[-1]["simulated_s"]) - float(by_cable[-1]["simulated_s"])) / 100
        self.assertAlmostEqual(per_round, 2 * (0.270 - 0.0002), delta=1e-3)  # other waits hide in it for at most 1 ms

    def test_halves_that_stand_still_during_a_partition_arrive_at_the_same_iterates(self):
        settings = ['/participation/missing_neighbor={"kind": "wait"}', "/stop/rounds=700", "/record/every=100"]
        free = self.run_example("partition", "free", "/network/partitions=[]", *settings)
        repaired = self.run_example("partition", "repaired", '/network/retransmit={"timeout_ms": 100}', *settings)
        keys = ["objective", "relative_error", "objective_last"]
        self.assertEqual([[row[key] for key in keys] for row in repaired], [[row[key] for key in keys] for row in free])
        # Nothing passes between 6 s and 10 s, and at most the doubled timeout after that.
        late = float(repaired[-1]["simulated_s"]) - float(free[-1]["simulated_s"])
        self.assertGreater(late, 4)
        self.assertLess(late, 8)

    def test_a_server_far_away_gets_the_same_iterates_later(self):
        frankfurt = self.run_example("regions", "frankfurt")
        sydney = self.run_example("regions", "sydney", '/network/latency_ms/agents/0="sydney"')
        keys = ["round", "objective", "bytes", "flops", "participants"]
        self.assertEqual([[row[key] for key in keys] for row in sydney],
                         [[row[key] for key in keys] for row in frankfurt])
        held = [int(row["samples"]) for row in self.table("frankfurt/agents.csv")]
        self.assertEqual((held[0], sum(held)), (0, 569))  # the server has none of the data
        self.assertGreater(float(sydney[-1]["simulated_s"]), 1.1 * float(frankfurt[-1]["simulated_s"]))

    def test_over_selection_trades_late_answers_for_short_rounds(self):
        some = self.run_example("over_selection", "some")
        everybody = self.run_example("over_selection", "everybody", "/participation/enough=null")

        def per_round(rows):
            return float(rows[-1]["simulated_s"]) / int(rows[-1]["round"])

        self.assertEqual({row["participants"] for row in some[1:]}, {"20"})
        self.assertEqual({row["participants"] for row in everybody[1:]}, {"30"})
        last = some[-1]
        self.assertEqual(int(last["dropped"]), 10 * int(last["round"]))  # asked, and not waited for
        self.assertGreater(int(last["late"]), 0)
        self.assertEqual(int(everybody[-1]["dropped"]), 0)
        self.assertLess(1.5 * per_round(some), per_round(everybody))

    def test_the_fleet_counts_present_agents_and_ages_of_values(self):
        rows = self.run_example("edge_fleet", "fleet", "/stop/rounds=400")
        participants = [int(row["participants"]) for row in rows]
        times = [float(row["simulated_s"]) for row in rows]
        self.assertLess(times[0], 1)  # agents that are down at the start keep no other agent waiting
        self.assertLess(participants[0], 30)
        self.assertLess(min(participants), 29)  # a tenth of the time away, and one that broke down
        summary = json.loads((self.folder / "fleet/summary.json").read_text())
        staleness = summary["totals"]["staleness"]
        self.assertEqual(sum(staleness.values()), summary["totals"]["stale"])
        self.assertGreater(staleness["1"], 1000)
        self.assertGreater(max(map(int, staleness)), 50)  # of the one that broke down
        away = [float(row["away_s"]) for row in self.table("fleet/agents.csv")]
        self.assertGreater(sum(away), 0)

    def test_a_fleet_without_numbers_trades_dropped_clients_for_short_rounds(self):
        settings = ["/stop/rounds=10", "/topology/agents=513", "/data/samples=32768"]
        hurried = self.run_example("fleet", "hurried", *settings)
        patient = self.run_example("fleet", "patient", "/participation/deadline_ms=20000", *settings)
        self.assertEqual({row["objective"] + row["relative_error"] for row in hurried + patient}, {""})
        self.assertGreaterEqual(float(hurried[-1]["simulated_s"]), 10 * 3)  # some agent is always too slow
        self.assertLess(1.5 * float(hurried[-1]["simulated_s"]), float(patient[-1]["simulated_s"]))
        self.assertGreater(int(hurried[-1]["dropped"]), 5 * int(patient[-1]["dropped"]))
        summary = json.loads((self.folder / "hurried/summary.json").read_text())
        self.assertEqual(summary["numerics"], "off")
        self.assertIn("objective, relative_error", summary["why_empty"])
        self.assertEqual(summary["optimum"], {"value": None, "why": "numerics are off: there is no objective"})
