#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/hybrid_fed_avg.hpp"
#include "algorithms/hyfdca.hpp"
#include "algorithms/hyfem.hpp"
#include "algorithms/objectives/hinge.hpp"
#include "algorithms/objectives/l2.hpp"
#include "algorithms/objectives/logistic.hpp"
#include "algorithms/objectives/smoothed_hinge.hpp"
#include "algorithms/objectives/squared.hpp"
#include "scenarios/data/cell_partitions.hpp"
#include "scenarios/gray_relational.hpp"
#include "tests/reference/reference_file.hpp"

namespace lagnet::reference {

namespace {

std::vector<double> as_list(const Vector& v) { return {v.begin(), v.end()}; }

std::shared_ptr<const Loss> loss_of_case(const Json& item) {
  const std::string name = item.at("loss");
  if (name == "hinge") return make_loss(HingeOptions{});
  if (name.find("smooth") != std::string::npos)
    return make_loss(SmoothedHingeOptions{.gamma = item.value("smooth_hinge_gamma", 1.0)});
  if (name.starts_with("logistic")) return make_loss(LogisticOptions{});
  if (name.starts_with("square")) return make_loss(SquaredOptions{});
  throw std::runtime_error("no such loss here: " + name);
}

/// X[i,j] = sin(1 + 7.3 i + 3.1 j + 0.37 i j), each row divided by its norm unless the case says otherwise; y_i = +1 if
/// sum_j X[i,j] cos(1.7 j) + 0.4 sin(5 i) >= 0, else -1.
Problem problem_of_case(const Json& item) {
  const Index N = item.at("N").get<Index>(), M = item.at("M").get<Index>();
  Matrix X(N, M);
  Vector y(N);
  const bool normalized = item.at("data").get<std::string>().find("divided") != std::string::npos;
  for (Index i = 0; i < N; ++i) {
    const double row = static_cast<double>(i);
    double score = 0.4 * std::sin(5 * row);
    for (Index j = 0; j < M; ++j) {
      const double column = static_cast<double>(j);
      X(i, j) = std::sin(1 + 7.3 * row + 3.1 * column + 0.37 * row * column);
    }
    if (normalized) X.row(i) /= X.row(i).norm();
    for (Index j = 0; j < M; ++j) score += X(i, j) * std::cos(1.7 * static_cast<double>(j));
    y[i] = score >= 0 ? 1 : -1;
  }
  return {.X = std::make_shared<const DataMatrix>(std::move(X)),
          .y = std::move(y),
          .samples = N,
          .loss = loss_of_case(item),
          .regularizer = make_regularizer(L2Options{.weight = item.at("lambda").get<double>()})};
}

Assignment assignment_of_case(const Json& item) {
  const Index K = item.at("sample_groups").get<Index>(), Q = item.at("feature_groups").get<Index>();
  Assignment given{.problem = problem_of_case(item), .rounds = item.at("rounds").back().at("t").get<Round>()};
  PartitionContext context{.features = given.problem.X->cols(),
                           .labels = VectorView(given.problem.y.data(), given.problem.y.size()),
                           .holders = K * Q,
                           .X = given.problem.X.get()};
  const std::string kind = item.value("partition", "blocks");
  const DataPartition made = kind.find("chunk") != std::string::npos
                                 ? make_partition(NonzeroChunksOptions{.sample_groups = K, .chunks = Q}, context)
                                 : make_partition(BlocksOptions{.sample_groups = K, .feature_groups = Q}, context);
  given.cells = made.cells;
  given.network.agents = K * Q + 1;
  return given;
}

template <class Options>
Options inner_of(const Json& item) {
  Options options;
  options.local_steps = item.at("H").get<std::int64_t>();
  if (!item.at("picker").get<std::string>().starts_with("cyclic"))
    throw std::runtime_error("no picker that can be compared: " + item.at("picker").get<std::string>());
  options.picker = SamplePicker::cyclic;
  if constexpr (requires { options.a; }) {
    options.a = item.at("params").at("a").get<double>();
    options.b = item.at("params").at("b").get<double>();
  }
  return options;
}

HyfdcaOptions hyfdca_of(const Json& item) {
  auto options = inner_of<HyfdcaOptions>(item);
  if (item.at("local_method") == "safe") options.local_method = LocalDualMethod::safe;
  const Json& gamma = item.at("gamma_t");  // a number, perhaps as text, or "1/t"
  if (gamma == "1/t")
    options.gamma_rule = GammaRule::inverse_t;
  else
    options.gamma = gamma.is_number() ? gamma.get<double>() : std::stod(gamma.get<std::string>());
  options.c = item.at("c_k").is_number() ? std::optional(item["c_k"].get<double>()) : std::nullopt;
  if (item.at("normalise") == "active") options.normalize = NormalizeBy::active;
  if (item.value("sip_mode", "full") == "selected") options.sip_mode = SipMode::selected;
  options.second_sip = item.value("second_sip", false);
  return options;
}

std::unique_ptr<Algorithm> algorithm_of_case(const Json& item, Phases phases) {
  Assignment given = assignment_of_case(item);
  const std::string name = item.at("algorithm");
  if (name == "HyFDCA") {
    HyfdcaOptions options = hyfdca_of(item);
    options.phases = phases;
    return make_algorithm(options, std::move(given));
  }
  if (name == "FedAvg-hybrid") return make_algorithm(inner_of<HybridFedAvgOptions>(item), std::move(given));
  auto options = inner_of<HyfemOptions>(item);
  options.mu = item.at("params").at("mu").get<double>();
  return make_algorithm(options, std::move(given));
}

struct Reports final : Recorder {
  std::vector<std::vector<Vector>> parts;  // of the server, by round
  void reported(AgentId, Round, std::span<const VectorView> of_round) override {
    parts.emplace_back(of_round.begin(), of_round.end());
  }
};

struct Times {
  double serial_s = 0, parallel_s = 0;  // of encryption
};

/// Without latencies, and with speeds that take no time, what passes is the encryption, of the slowest client in each
/// phase.
Times simulate_case(const Json& item, const Algorithm& algorithm, Reports& reports) {
  const auto agents =
      static_cast<AgentId>(item.at("sample_groups").get<Index>() * item.at("feature_groups").get<Index>() + 1);
  std::vector<std::vector<AgentId>> schedule;
  for (const Json& chosen : item.at("schedule_repeated")) {
    auto& clients = schedule.emplace_back();
    for (const Json& k : chosen) clients.push_back(k.get<AgentId>() + 1);
  }
  std::vector<LinkSpec> links;
  for (AgentId k = 1; k < agents; ++k) {
    links.push_back({0, k, Duration()});
    links.push_back({k, 0, Duration()});
  }
  Rules rules;
  rules.participation = std::make_shared<const ListedParticipation>(std::move(schedule));
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e18)),
                   {.rules = std::move(rules)});
  Ledger ledger(agents, world.network().links());
  world.listen(ledger);
  world.record(reports);
  algorithm.spawn(world);
  const Ending ending = world.run();
  return {ledger.total().encrypting.in_seconds(), (ending.last_report - Time()).in_seconds()};
}

void compare_round(const Json& row, const Problem& problem, const Algorithm& algorithm,
                   const std::vector<Vector>& parts, Verdict& verdict, const std::string& form) {
  const std::vector<std::vector<Vector>> report{parts};
  const Evaluation got = algorithm.evaluate(row.at("t").get<Round>(), report, {});
  const std::string at = form + "round " + row.at("t").dump() + " ";
  verdict.compare(at + "primal", {problem.objective(parts[0])}, {row.at("primal_w0").get<double>()});
  verdict.compare(at + "norm", {parts[0].norm()}, {row.at("norm_w0").get<double>()});
  if (row.contains("dual_alpha0"))
    verdict.compare(at + "dual", {got.metrics.at(1).value()}, {row["dual_alpha0"].get<double>()});
  const std::array<const char*, 3> counts{"enc", "dec", "add"};
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (row.contains(counts[i]))
      verdict.compare(at + counts[i], {parts.at(2)[static_cast<Index>(i)]}, {row[counts[i]].get<double>()});
}

}  // namespace

bool is_hybrid_fed(const Json& item) {
  const std::string name = item.value("algorithm", "");
  return name == "HyFDCA" || name == "FedAvg-hybrid" || name.starts_with("HyFEM");
}

Verdict check_hybrid_fed(const Json& item) {
  Verdict verdict(tolerance_of(item));
  const Problem problem = problem_of_case(item);
  for (const Phases phases : {Phases::all, Phases::needed}) {
    const bool all = phases == Phases::all;
    const std::string form = all ? "" : "needed phases, ";
    const auto algorithm = algorithm_of_case(item, phases);
    Reports reports;
    const Times times = simulate_case(item, *algorithm, reports);
    for (const Json& row : item.at("rounds"))
      compare_round(row, problem, *algorithm, reports.parts.at(row.at("t").get<std::size_t>()), verdict, form);
    verdict.compare(form + "final w0", as_list(reports.parts.back()[0]), numbers(item.at("final_w0")));
    if (item.contains("final_alpha0"))
      verdict.compare(form + "final alpha0", as_list(reports.parts.back()[1]), numbers(item["final_alpha0"]));
    if (item.contains("enc_seconds_serial_total"))
      verdict.compare(form + "serial encryption", {times.serial_s}, {item["enc_seconds_serial_total"].get<double>()});
    if (item.contains("enc_seconds_parallel_total"))
      verdict.compare(form + "parallel encryption", {times.parallel_s},
                      {item["enc_seconds_parallel_total"].get<double>()});
  }
  return verdict;
}

bool is_gray_relational(const Json& item) { return item.value("algorithm", "") == "GRA"; }

Verdict check_gray_relational(const Json& item) {
  Verdict verdict(tolerance_of(item));
  std::vector<std::vector<double>> rows;
  for (const Json& row : item.at("metrics_rows")) {
    auto& metrics = rows.emplace_back();
    for (const Json& x : row)
      metrics.push_back(x.is_number() ? x.get<double>() : std::numeric_limits<double>::infinity());
  }
  GrayOptions options{.pareto_front = item.value("pareto_filter", true)};
  for (const Json& metric : item.at("maximise")) options.maximized.push_back(metric.get<std::size_t>());
  const auto listed = [](const std::vector<std::size_t>& all) { return std::vector<double>(all.begin(), all.end()); };
  for (const auto& [key, want] : item.at("result").items()) {
    options.zeta = std::stod(key.substr(key.find('=') + 1));
    const GrayGrades got = gray_relational(rows, options);
    verdict.compare(key + " selected", listed({got.selected}), {want.at("selected").get<double>()});
    verdict.compare(key + " kept", listed(got.kept), numbers(want.at("kept")));
    verdict.compare(key + " grades", got.grades, numbers(want.at("grades")));
  }
  return verdict;
}

}  // namespace lagnet::reference
