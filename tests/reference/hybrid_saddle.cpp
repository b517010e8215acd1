#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "algorithms/a_dispa.hpp"
#include "algorithms/cocoa_plus.hpp"
#include "algorithms/dispa.hpp"
#include "algorithms/objectives/l2.hpp"
#include "algorithms/objectives/smoothed_hinge.hpp"
#include "tests/reference/reference_file.hpp"

namespace lagnet::reference {

namespace {

constexpr std::array names{"DiSPA", "A-DiSPA", "CoCoA+"};

/// X[i,j] = sin(1 + 7.3 i + 3.1 j + 0.37 i j), rows divided by their norms; y_i the sign of
/// sum_j X[i,j] cos(1.7 j) + 0.4 sin(5 i); contiguous blocks, the first n mod K one longer.
Assignment assignment_of_case(const Json& item) {
  const Index n = item.at("n").get<Index>(), d = item.at("d").get<Index>(), K = item.at("K").get<Index>();
  Matrix X(n, d);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    const double I = static_cast<double>(i);
    for (Index j = 0; j < d; ++j) {
      const double J = static_cast<double>(j);
      X(i, j) = std::sin(1 + 7.3 * I + 3.1 * J + 0.37 * I * J);
    }
    X.row(i) /= X.row(i).norm();
    double score = 0.4 * std::sin(5 * I);
    for (Index j = 0; j < d; ++j) score += X(i, j) * std::cos(1.7 * static_cast<double>(j));
    y[i] = score >= 0 ? 1 : -1;
  }
  Assignment given{.sample_starts = {0, 0}};
  for (Index k = 0; k < K; ++k) given.sample_starts.push_back(given.sample_starts.back() + n / K + (k < n % K));
  if (item.at("loss") != "smooth_hinge") throw std::invalid_argument("a loss that is not known here");
  given.problem = {.X = std::make_shared<const DataMatrix>(std::move(X)),
                   .y = y,
                   .samples = n,
                   .loss = make_loss(SmoothedHingeOptions{.gamma = item.at("smooth_hinge_gamma").get<double>()}),
                   .regularizer = make_regularizer(L2Options{.weight = item.at("lambda").get<double>()})};
  given.network.agents = K + 1;
  given.rounds = item.at("rounds").back().at("t").get<Round>();
  return given;
}

void set_saddle(SaddleOptions& options, const Json& item) {
  options.tau = item.at("params").at("tau").get<double>();
  options.sigma = item.at("params").at("sigma").get<double>();
}

template <class Options>
std::unique_ptr<Algorithm> made(Options options, const Json& item, Assignment given) {
  options.local_steps = item.at("local_iterations").get<std::int64_t>();
  options.order = StepOrder::cyclic;
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> algorithm_of(const Json& item, Assignment given, SaddleMessages messages) {
  const std::string name = item.at("algorithm");
  const Json& params = item.at("params");
  if (name == "CoCoA+") {
    CocoaPlusOptions options;
    options.nu = params.at("nu").get<double>();
    options.sigma_prime = params.at("sigma_prime").get<double>();
    return made(options, item, std::move(given));
  }
  if (name == "DiSPA") {
    DispaOptions options;
    set_saddle(options, item);
    options.messages = messages;
    return made(options, item, std::move(given));
  }
  ADispaOptions options;
  set_saddle(options, item);
  options.messages = messages;
  options.vt = params.at("vt").get<double>();
  options.rounds_per_stage = params.at("Ts").get<std::int64_t>();
  options.start = params.value("start", "x") == "z" ? StageStart::z : StageStart::x;
  if (params.contains("alpha_0")) options.alpha_0 = params["alpha_0"].get<double>();
  return made(options, item, std::move(given));
}

/// The parts of the center's report of each round.
struct CenterReports final : Recorder {
  std::vector<std::vector<Vector>> parts;
  void reported(AgentId, Round, std::span<const VectorView> of_round) override {
    parts.emplace_back(of_round.begin(), of_round.end());
  }
};

CenterReports simulate_star(const Algorithm& algorithm, AgentId agents) {
  std::vector<LinkSpec> links;
  for (AgentId k = 1; k < agents; ++k) {
    links.push_back({0, k, Duration::milliseconds(k)});
    links.push_back({k, 0, Duration::milliseconds(2 * k)});
  }
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e9)), {});
  CenterReports reports;
  world.record(reports);
  algorithm.spawn(world);
  world.run();
  return reports;
}

void compare(const Json& item, const CenterReports& reports, const Algorithm& algorithm, const std::string& form,
             Verdict& verdict) {
  for (const Json& row : item.at("rounds")) {
    const Round t = row.at("t").get<Round>();
    const std::vector<std::vector<Vector>> report{reports.parts.at(static_cast<std::size_t>(t))};
    const Evaluation worth = algorithm.evaluate(t, report, {});
    const auto check = [&](const char* what, double got) {
      verdict.compare(form + "round " + std::to_string(t) + " " + what, {got}, {row.at(what).get<double>()});
    };
    check("primal", worth.objective);
    check("dual", worth.metrics.at(0).value_or(NAN));
    check("norm_x", worth.iterate.norm());
  }
  const std::vector<Vector>& last = reports.parts.back();
  verdict.compare(form + "final_x", {last[0].begin(), last[0].end()}, numbers(item.at("final_x")));
  verdict.compare(form + "final_y", {last[1].begin(), last[1].end()}, numbers(item.at("final_y")));
}

}  // namespace

bool is_hybrid_saddle(const Json& item) {
  if (!item.contains("params") || !item.contains("rounds")) return false;
  return std::ranges::find(names, item.value("algorithm", "")) != names.end();
}

Verdict check_hybrid_saddle(const Json& item) {
  Verdict verdict(tolerance_of(item));
  const Assignment given = assignment_of_case(item);
  const auto agents = static_cast<AgentId>(given.network.agents);
  const bool has_lean = item.at("algorithm") != "CoCoA+";
  for (const SaddleMessages messages : {SaddleMessages::paper, SaddleMessages::lean}) {
    if (messages == SaddleMessages::lean && !has_lean) continue;
    const auto algorithm = algorithm_of(item, given, messages);
    compare(item, simulate_star(*algorithm, agents), *algorithm, messages == SaddleMessages::lean ? "lean, " : "",
            verdict);
  }
  return verdict;
}

}  // namespace lagnet::reference
