#include <cmath>
#include <stdexcept>

#include "algorithms/fed_avg.hpp"
#include "algorithms/objectives/l1.hpp"
#include "algorithms/objectives/squared.hpp"
#include "tests/reference/reference_file.hpp"

namespace lagnet::reference {

namespace {

constexpr double radians(Index k, double factor, double offset) { return factor * static_cast<double>(k) + offset; }

/// Client k (n_k samples): X_k[i,j] = sin(1 + 7.3 i + 3.1 j + 0.9 i j + 1.7 k), y_k[i] = cos(0.5 i + 1.3 k) + 0.8 +
/// 2 X_k[i,0] - 1.5 X_k[i,3]; w0[j] = 0.5 cos(2.3 j + 0.4).
Assignment assignment_of(const Json& item) {
  const Index d = item.at("w_shape").at(0).get<Index>();
  Assignment given{.sample_starts = {0, 0}};
  for (const Json& n_k : item.at("n")) given.sample_starts.push_back(given.sample_starts.back() + n_k.get<Index>());
  Matrix X(given.sample_starts.back(), d);
  Vector y(X.rows());
  for (std::size_t client = 1; client + 1 < given.sample_starts.size(); ++client) {
    const double k = static_cast<double>(client - 1);
    for (Index row = given.sample_starts[client]; row < given.sample_starts[client + 1]; ++row) {
      const double i = static_cast<double>(row - given.sample_starts[client]);
      for (Index j = 0; j < d; ++j) X(row, j) = std::sin(radians(j, 3.1 + 0.9 * i, 1 + 7.3 * i + 1.7 * k));
      y(row) = std::cos(0.5 * i + 1.3 * k) + 0.8 + 2 * X(row, 0) - 1.5 * X(row, 3);
    }
  }
  given.start = Vector::NullaryExpr(d, [](Index j) { return 0.5 * std::cos(radians(j, 2.3, 0.4)); });
  given.network.agents = std::ssize(given.sample_starts) - 1;
  given.problem = {.X = std::make_shared<const DataMatrix>(std::move(X)),
                   .y = y,
                   .samples = y.size(),
                   .loss = make_loss(SquaredOptions{}),
                   .regularizer = make_regularizer(L1Options{.weight = item.at("params").at("lambda").get<double>()})};
  given.rounds = item.at("rows").back().at("round").get<Round>();
  return given;
}

std::unique_ptr<Algorithm> algorithm_of(const Json& params, Assignment given) {
  return make_algorithm(FedAvgOptions{.local_steps = params.at("E").get<std::int64_t>(),
                                      .client_step = params.at("eta_client").get<double>(),
                                      .server_step = params.at("eta_server").get<double>()},
                        std::move(given));
}

/// The server's report of each round.
struct Iterates final : Recorder {
  std::vector<Vector> w;
  void reported(AgentId, Round, std::span<const VectorView> parts) override { w.emplace_back(parts[0]); }
};

Rules rules_of(const Json& item) {
  Rules rules;
  if (!item.contains("schedule")) return rules;
  std::vector<std::vector<AgentId>> rounds;
  for (const Json& asked : item["schedule"]) {
    auto& clients = rounds.emplace_back();
    for (const Json& k : asked) clients.push_back(k.get<AgentId>() + 1);
  }
  rules.participation = std::make_shared<const ListedParticipation>(std::move(rounds));
  return rules;
}

}  // namespace

bool is_fed_composite(const Json& item) {
  return item.contains("params") && item["params"].value("algorithm", "") == "FedAvg" &&
         item.value("regulariser", "") == "l1" && item.at("w_shape").size() == 1;
}

Verdict check_fed_composite(const Json& item) {
  Verdict verdict(tolerance_of(item));
  const Assignment given = assignment_of(item);
  const auto algorithm = algorithm_of(item["params"], given);
  const auto agents = static_cast<AgentId>(given.network.agents);
  std::vector<LinkSpec> links;
  for (AgentId k = 1; k < agents; ++k) {
    links.push_back({0, k, Duration::milliseconds(k)});
    links.push_back({k, 0, Duration::milliseconds(2 * k)});
  }
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e9)),
                   {.rules = rules_of(item)});
  Iterates iterates;
  world.record(iterates);
  algorithm->spawn(world);
  world.run();
  for (const Json& row : item.at("rows")) {
    const Round round = row.at("round").get<Round>();
    const Vector& w = iterates.w.at(static_cast<std::size_t>(round));
    const auto compare = [&](const char* what, const std::vector<double>& got, const std::vector<double>& want) {
      verdict.compare("round " + std::to_string(round) + " " + what, got, want);
    };
    compare("w", {w.begin(), w.end()}, numbers(row.at("w")));
    compare("objective", {given.problem.objective(w)}, {row.at("objective").get<double>()});
    compare("norm2", {w.norm()}, {row.at("norm2").get<double>()});
    compare("sum", {w.sum()}, {row.at("sum").get<double>()});
  }
  return verdict;
}

}  // namespace lagnet::reference
