#include "sim/accounts/costs.hpp"

#include <catch2/catch.hpp>

namespace lagnet::costs_test {

namespace {

constexpr Bytes model = 4'000'000;

/// A server in Frankfurt, two agents in Oregon with the same provider, and two phones.
std::vector<Site> three_sites() {
  const TrafficPrices cloud{.same_site_per_gb = 0.01, .other_site_per_gb = 0.02, .internet_per_gb = 0.09};
  return {
      {.name = "frankfurt",
       .provider = "cloud",
       .price = TrafficPrices{.other_site_per_gb = 0.02, .internet_per_gb = 0.09},
       .energy =
           EnergyUse{
               .joules_per_flop = 5e-11, .joules_per_byte_sent = 2e-8, .joules_per_byte_received = 1e-8, .idle_w = 60},
       .carbon_g_per_kwh = 380},
      {.name = "oregon",
       .provider = "cloud",
       .price = cloud,
       .energy = EnergyUse{.joules_per_flop = 4e-11, .idle_w = 50},
       .carbon_g_per_kwh = 120},
      {.name = "phones",
       .provider = "",
       .price = {},
       .energy = EnergyUse{.joules_per_flop = 1e-10,
                           .joules_per_byte_sent = 6e-7,
                           .joules_per_byte_received = 2e-7,
                           .idle_w = 0.5,
                           .busy_w = 3},
       .carbon_g_per_kwh = {}}};
}

AgentAccount account(Flops flops, Bytes sent, Bytes received, double computing_s) {
  AgentAccount made;
  made.flops = flops;
  made.bytes_sent = sent;
  made.bytes_received = received;
  made.computing = Duration::seconds(computing_s);
  return made;
}

/// All links between three agents.
Network triangle() {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < 3; ++a)
    for (AgentId b = 0; b < 3; ++b)
      if (a != b) links.push_back({.from = a, .to = b});
  return Network(3, links);
}

}  // namespace

TEST_CASE("bytes are priced by where they go: the site, another one of its provider, or the internet") {
  const CostModel costs(three_sites(), {0, 1, 1, 2, 2});
  CHECK(costs.price(0, 1, 1'000'000'000) == 0.02);
  CHECK(costs.price(0, 3, 1'000'000'000) == 0.09);
  CHECK(costs.price(1, 2, 1'000'000'000) == 0.01);
  CHECK(costs.price(3, 0, 1'000'000'000) == 0);  // incoming bytes are free, and phones pay nothing
  // 8 MB at 0.02 and 8 MB at 0.09 per GB.
  CHECK(2 * costs.price(0, 1, model) + 2 * costs.price(0, 3, model) == Approx(0.00088).epsilon(1e-12));
}

TEST_CASE("a run of a minute costs 0.00108, 9507.122 J and 0.5728626 g") {
  const CostModel costs(three_sites(), {0, 1, 1, 2, 2});
  const Time minute = Time() + Duration::seconds(60);
  // The server sends a model to each and gets one from each; 1 sends one to 2 as well. 40 kB to a phone are lost.
  const Costs of_agents[]{costs.of(0, account(1'000'000'000, 4 * model, 4 * model, 0.1),
                                   2 * costs.price(0, 1, model) + 2 * costs.price(0, 3, model), minute),
                          costs.of(1, account(40'000'000'000, 2 * model, model, 2),
                                   costs.price(1, 0, model) + costs.price(1, 2, model), minute),
                          costs.of(2, account(40'000'000'000, model, 2 * model, 2), costs.price(2, 0, model), minute),
                          costs.of(3, account(40'000'000'000, model, model, 8), 0, minute),
                          costs.of(4, account(40'000'000'000, model, model - 40'000, 6), 0, minute)};
  // 0.05 J of flops, 0.32 and 0.16 J of bytes, 59.9 s at 60 W.
  CHECK(*of_agents[0].joules == Approx(0.05 + 0.32 + 0.16 + 3594).epsilon(1e-12));
  CHECK(*of_agents[0].grams == Approx(3594.53 / 3.6e6 * 380).epsilon(1e-12));
  // 4 J of flops, 2.4 J and 0.792 J of bytes, 6 s at 3 W, 54 s at 0.5 W.
  CHECK(*of_agents[4].joules == Approx(4 + 2.4 + 0.792 + 18 + 27).epsilon(1e-12));
  CHECK(of_agents[4].price == 0);  // others have a price
  CHECK(of_agents[4].grams == 0);
  Costs run;
  for (const Costs& one : of_agents) run += one;
  CHECK(*run.price == Approx(0.00108).epsilon(1e-12));
  CHECK(*run.joules == Approx(9507.122).epsilon(1e-12));
  CHECK(*run.grams == Approx(0.572862611111).epsilon(1e-11));  // to 12 digits
}

TEST_CASE("time away takes no energy") {
  const CostModel costs(three_sites(), {1});
  AgentAccount away = account(0, 0, 0, 10);
  away.away = Duration::seconds(20);
  CHECK(*costs.of(0, away, 0, Time() + Duration::seconds(60)).joules == Approx(50 * 30).epsilon(1e-12));
}

TEST_CASE("what no site states is absent") {
  const Time now = Time() + Duration::seconds(1);
  const CostModel none({}, {}),
      bare({{.name = "a", .provider = "", .price = {}, .energy = {}, .carbon_g_per_kwh = {}}}, {0});
  for (const CostModel* costs : {&none, &bare}) {
    const Costs of_agent = costs->of(0, account(1, 1, 1, 0), 0, now);
    CHECK_FALSE(of_agent.price);
    CHECK_FALSE(of_agent.joules);
    CHECK_FALSE(of_agent.grams);
  }
  CHECK(none.is_empty());
  CHECK(bare.is_empty());
}

TEST_CASE("the ledger's attempts are priced, and inner links add to the joules of the run alone") {
  const Network network = triangle();
  std::vector<double> inner(network.links(), 0.0);
  inner[network.find(0, 1)] = 1e-6;
  const CostModel costs(three_sites(), {0, 1, 2}, inner);
  Ledger ledger(3, network.links());
  const auto send = [&](AgentId to) {
    ledger.on_event({.what = EventKind::sent, .agent = 0, .peer = to, .link = network.find(0, to), .amount = model});
  };
  send(1);
  send(1);  // again: the first one was lost
  send(2);
  const Time now;
  const Costs alone = costs.of(0, ledger, network, now), with_inner = costs.of_run(0, ledger, network, now);
  CHECK(*alone.price == Approx(0.004 * (2 * 0.02 + 0.09)).epsilon(1e-12));
  CHECK(*alone.joules == Approx(3 * 4e6 * 2e-8).epsilon(1e-12));
  CHECK(*with_inner.joules - *alone.joules == Approx(8).epsilon(1e-12));
  CHECK(*with_inner.grams == *alone.grams);
  CHECK(*with_inner.price == *alone.price);

  const CostModel without_sites({}, {}, inner);
  CHECK(*without_sites.of_run(0, ledger, network, now).joules == Approx(8).epsilon(1e-12));
  CHECK_FALSE(without_sites.of(0, ledger, network, now).joules);
  CHECK_FALSE(without_sites.is_empty());
}

}  // namespace lagnet::costs_test
