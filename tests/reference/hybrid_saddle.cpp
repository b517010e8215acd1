#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "algorithms/dual/a_dispa.hpp"
#include "algorithms/dual/cocoa_plus.hpp"
#include "algorithms/dual/dispa.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/reference/hybrid_case.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::reference {

namespace {

constexpr std::array saddle_names{"DiSPA", "A-DiSPA", "CoCoA+", "CoCoA"};

/// Parameters stand among "params" or beside them.
const Json* parameter(const Json& item, const char* key) {
  for (const Json* place : {&item.at("params"), &item})
    if (place->contains(key)) return &place->at(key);
  return nullptr;
}

double number_at(const Json& item, const char* key, std::optional<double> otherwise = {}) {
  const Json* found = parameter(item, key);
  if (!found && otherwise) return *otherwise;
  if (!found) throw std::runtime_error(fmt::format("params/{}: expected a number, found none", key));
  return number_of(*found);
}

/// Texts that begin as those that are understood and end otherwise.
void refuse_word(const Json& item, const char* key, std::string_view word) {
  if (item.contains(key) && item[key].get<std::string>().find(word) != std::string::npos)
    throw std::runtime_error(fmt::format("not understood: {} = {}", key, item[key].dump()));
}

/// Contiguous blocks of samples, the first n mod K one longer.
MethodInput saddle_assignment_of(const Json& item) {
  const Index n = size_at(item, "n"), K = size_at(item, "K");
  if (K > n) throw std::runtime_error(fmt::format("K: expected at most n = {}, found {}", n, K));
  choice_of(item, "partition", "contiguous", {"contiguous"});
  refuse_word(item, "partition", "last");  // blocks are one longer
  MethodInput given{.problem = problem_of_case(item, n, size_at(item, "d")), .sample_starts = {0, 0}};
  for (Index k = 0; k < K; ++k) given.sample_starts.push_back(given.sample_starts.back() + n / K + (k < n % K));
  given.network.agents = K + 1;
  given.rounds = last_round_of(item);
  if (const Json* S = parameter(item, "S")) {
    const Round all = S->get<Round>() * static_cast<Round>(number_at(item, "Ts"));
    if (all < given.rounds) throw std::runtime_error("not understood: rounds after the last stage");
    given.rounds = all;
  }
  return given;
}

void set_saddle(SaddleOptions& options, const Json& item, SaddleMessages messages) {
  options.tau = number_at(item, "tau");
  options.sigma = number_at(item, "sigma");
  options.messages = messages;
  if (const Json* y0 = parameter(item, "y0")) options.dual_start = numbers(*y0);
}

/// Steps may also be said to be exact where their number or their order stands.
bool says_exact(const Json& item, const char* key) {
  return item.contains(key) && item[key].is_string() && item[key].get<std::string>().starts_with("exact");
}

template <class Options>
void set_local_solver(Options& options, const Json& item) {
  if (says_exact(item, "local_iterations") || says_exact(item, "local_order"))
    options.local_solver = LocalSolverKind::exact;
  if (const Json* exact = parameter(item, "exact_local"); exact && exact->get<bool>())
    options.local_solver = LocalSolverKind::exact;
  const Json* found = parameter(item, "local_solver");
  if (!found) return;
  const std::string solver = choice_of({{"local_solver", *found}}, "local_solver", "",
                                       {"spdc", "SPDC", "sdca", "SDCA", "exact", "exact_local"});
  const bool is_spdc = solver == "spdc" || solver == "SPDC";
  options.local_solver = is_spdc                       ? LocalSolverKind::spdc
                         : solver.starts_with("exact") ? LocalSolverKind::exact
                                                       : LocalSolverKind::sdca;
}

template <class Options>
std::unique_ptr<Algorithm> made(Options options, const Json& item, MethodInput given) {
  options.eps = number_at(item, "eps", 0);
  set_local_solver(options, item);
  options.order = StepOrder::cyclic;
  if (options.local_solver != LocalSolverKind::exact) {  // which does not look at steps
    options.local_steps = item.at("local_iterations").get<std::int64_t>();
    choice_of(item, "local_order", "h mod n_k", {"h mod n_k"});
    refuse_word(item, "local_order", "continue");  // in the next round
  }
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> algorithm_of(const Json& item, MethodInput given, SaddleMessages messages) {
  const std::string name = item.at("algorithm");
  if (name.starts_with("CoCoA")) {
    const double K = item.at("K").get<double>();
    CocoaPlusOptions options;
    options.nu = number_at(item, "nu", name == "CoCoA+" ? 1 : 1 / K);
    options.sigma_prime = number_at(item, "sigma_prime", options.nu * K);
    return made(options, item, std::move(given));
  }
  if (name == "DiSPA") {
    if (number_at(item, "vt", 0) != 0) throw std::runtime_error("not understood: vt of DiSPA, which has none");
    DispaOptions options;
    set_saddle(options, item, messages);
    return made(options, item, std::move(given));
  }
  ADispaOptions options;
  set_saddle(options, item, messages);
  options.vt = number_at(item, "vt");
  options.rounds_per_stage = static_cast<std::int64_t>(number_at(item, "Ts"));
  if (const Json* start = parameter(item, "start"))
    options.start = choice_of({{"start", *start}}, "start", "", {"x", "z"}) == "z" ? StageStart::z : StageStart::x;
  for (const char* key : {"alpha_0", "alpha0"})
    if (const Json* given_alpha = parameter(item, key); given_alpha && *given_alpha != "sqrt(q)")
      options.alpha_0 = number_of(*given_alpha);
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
  for (const auto& [name, value] : algorithm.constants())
    if (name == "R" && item.contains("R")) verdict.compare(form + "R", {value}, {item["R"].get<double>()});
  for (const Json& row : item.at("rounds")) {
    const Round t = row.at("t").get<Round>();
    const std::vector<std::vector<Vector>> report{reports.parts.at(static_cast<std::size_t>(t))};
    const Evaluation worth = algorithm.evaluate(t, report, {});
    const auto check = [&](const char* what, double got) {
      if (row.contains(what))
        verdict.compare(form + "round " + std::to_string(t) + " " + what, {got}, {row[what].get<double>()});
    };
    check("primal", worth.objective);
    check("dual", worth.metrics.at(0).value_or(NAN));
    check("gap", worth.metrics.at(1).value_or(NAN));
    check("norm_x", worth.iterate.norm());
  }
  const std::vector<Vector>& last = reports.parts.back();
  const auto check_last = [&](const char* what, const Vector& got) {
    if (item.contains(what)) verdict.compare(form + what, {got.begin(), got.end()}, numbers(item[what]));
  };
  check_last("final_x", last[0]);
  check_last("final_y", last[1]);
}

}  // namespace

bool is_hybrid_saddle(const Json& item) {
  if (!item.contains("params") || !item.contains("rounds")) return false;
  return std::ranges::find(saddle_names, item.value("algorithm", "")) != saddle_names.end();
}

Verdict check_hybrid_saddle(const Json& of_file) {
  const Json item = without_nulls(of_file);
  Verdict verdict(tolerance_of(item));
  check_keys_but_texts(
      item, "", {"data",         "n",          "d",      "K",      "partition",   "loss",    "smooth_hinge_gamma",
                 "lambda",       "R",          "params", "rounds", "optimum",     "final_x", "final_y",
                 "local_order",  "tau",        "sigma",  "vt",     "Ts",          "S",       "start",
                 "alpha_0",      "alpha0",     "eps",    "nu",     "sigma_prime", "y0",      "local_iterations",
                 "local_solver", "exact_local"});
  check_keys(item.at("params"), "params/",
             {"tau", "sigma", "vt", "Ts", "S", "start", "alpha_0", "alpha0", "eps", "nu", "sigma_prime", "y0",
              "local_solver", "exact_local"});
  for (const Json& row : list_at(item, "rounds")) check_keys(row, "rounds/", {"t", "primal", "dual", "gap", "norm_x"});
  const MethodInput given = saddle_assignment_of(item);
  const auto agents = static_cast<AgentId>(given.network.agents);
  compare_optimum(item, given.problem, verdict);  // of the original problem also where eps perturbs it
  const bool has_lean = !item.at("algorithm").get<std::string>().starts_with("CoCoA");
  for (const SaddleMessages messages : {SaddleMessages::paper, SaddleMessages::lean}) {
    if (messages == SaddleMessages::lean && !has_lean) continue;
    const auto algorithm = algorithm_of(item, given, messages);
    compare(item, simulate_star(*algorithm, agents), *algorithm, messages == SaddleMessages::lean ? "lean, " : "",
            verdict);
  }
  return verdict;
}

}  // namespace lagnet::reference
