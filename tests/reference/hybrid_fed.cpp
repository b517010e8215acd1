#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "algorithms/hybrid/hyfdca.hpp"
#include "algorithms/hybrid/hyfem.hpp"
#include "scenarios/data/partitions/cell_partitions.hpp"
#include "scenarios/tune/gray_relational.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/reference/hybrid_case.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::reference {

namespace {

MethodInput hybrid_assignment_of(const Json& item) {
  const Index K = size_at(item, "sample_groups"), Q = size_at(item, "feature_groups");
  MethodInput given{.problem = problem_of_case(item, size_at(item, "N"), size_at(item, "M")),
                    .rounds = last_round_of(item)};
  PartitionContext context{.features = given.problem.X->cols(),
                           .labels = VectorView(given.problem.y.data(), given.problem.y.size()),
                           .holders = K * Q,
                           .X = given.problem.X.get()};
  const bool has_chunks = item.value("partition", "").find("chunk") != std::string::npos;
  if (!has_chunks) choice_of(item, "partition", "blocks", {"blocks"});
  choice_of(item, "client_id", "g*Q+q", {"g*Q+q"});
  choice_of(item, "holders", "all Q clients", {"all Q clients"});
  const DataPartition made = has_chunks
                                 ? make_partition(NonzeroChunksOptions{.sample_groups = K, .chunks = Q}, context)
                                 : make_partition(BlocksOptions{.sample_groups = K, .feature_groups = Q}, context);
  given.cells = made.cells;
  given.network.agents = K * Q + 1;
  return given;
}

template <class Options>
Options inner_of(const Json& item) {
  Options options;
  if (item.contains("H")) options.local_steps = item["H"].get<std::int64_t>();
  if (item.contains("IIC")) options.iic = item["IIC"].get<double>();
  choice_of(item, "picker", "cyclic per client", {"cyclic per client"});
  options.picker = SamplePicker::cyclic;
  if constexpr (requires { options.a; }) {
    choice_of(item, "learning_rate", "a/(b+sqrt t)", {"a/(b+sqrt t)", "a/(b+sqrt(t))"});
    options.a = item.at("params").at("a").get<double>();
    options.b = item.at("params").at("b").get<double>();
  }
  return options;
}

HyfdcaOptions hyfdca_of(const Json& item) {
  auto options = inner_of<HyfdcaOptions>(item);
  if (choice_of(item, "local_method", "practical", {"practical", "safe"}) == "safe")
    options.local_method = LocalDualMethod::safe;
  options.damping = item.value("damping", 1.0);
  const Json gamma = item.value("gamma_t", Json(1));  // a number, perhaps as text, or "1/t"
  if (gamma == "1/t")
    options.gamma_rule = GammaRule::inverse_t;
  else
    options.gamma = number_of(gamma);
  const Json c = item.value("c_k", Json("n_k/N"));
  options.c = c == "n_k/N" ? std::nullopt : std::optional(number_of(c));
  if (choice_of(item, "normalise", "all", {"all", "active"}) == "active") options.normalize = NormalizeBy::active;
  if (choice_of(item, "sip_mode", "full", {"full", "selected"}) == "selected") options.sip_mode = SipMode::selected;
  options.second_sip = item.value("second_sip", false);
  if (choice_of(item, "send_w", "active", {"active", "new", "newcomers"}).starts_with("new"))
    options.send_w = SendW::newcomers;
  return options;
}

std::unique_ptr<Algorithm> algorithm_of_case(const Json& item, Phases phases) {
  MethodInput given = hybrid_assignment_of(item);
  const bool norms_are_1 = (given.cells->squared_norms().array() - 1).abs().maxCoeff() < 1e-12;
  if (!norms_are_1) choice_of(item, "row_norms", "used", {"used"});  // else 1 may stand for them
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

/// The case's lists, repeated; one of them may be empty.
class Schedule final : public Participation {
 public:
  Schedule(const Json& lists, AgentId agents) {
    for (const Json& chosen : lists) {
      auto& clients = rounds_.emplace_back();
      for (const Json& k : chosen) clients.push_back(k.get<AgentId>() + 1);
      std::ranges::sort(clients);
      const bool twice = std::ranges::adjacent_find(clients) != clients.end();
      if (twice || (!clients.empty() && (clients.front() < 1 || clients.back() >= agents)))
        throw std::runtime_error("schedule_repeated: expected different clients, each from 0 and below " +
                                 std::to_string(agents - 1) + ", found " + chosen.dump());
    }
  }
  std::vector<AgentId> chosen(Round round, std::span<const AgentId>) const override {
    return rounds_.at(static_cast<std::size_t>(round - 1) % rounds_.size());
  }

 private:
  std::vector<std::vector<AgentId>> rounds_;
};

struct Times {
  double serial_s = 0, parallel_s = 0;  // of encryption
};

/// Without latencies, and with speeds that take no time, what passes is the encryption, of the slowest client in each
/// phase.
Times simulate_case(const Json& item, const Algorithm& algorithm, Reports& reports) {
  const auto agents =
      static_cast<AgentId>(item.at("sample_groups").get<Index>() * item.at("feature_groups").get<Index>() + 1);
  std::vector<LinkSpec> links;
  for (AgentId k = 1; k < agents; ++k) {
    links.push_back({0, k, Duration()});
    links.push_back({k, 0, Duration()});
  }
  WorldModel model;
  model.participation = std::make_shared<const Schedule>(list_at(item, "schedule_repeated"), agents);
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e18)),
                   {.model = std::move(model)});
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
  if (row.contains("primal_w0"))
    verdict.compare(at + "primal", {problem.objective(parts[0])}, {row["primal_w0"].get<double>()});
  if (row.contains("norm_w0")) verdict.compare(at + "norm", {parts[0].norm()}, {row["norm_w0"].get<double>()});
  if (row.contains("dual_alpha0"))
    verdict.compare(at + "dual", {got.metrics.at(1).value()}, {row["dual_alpha0"].get<double>()});
}

/// Ciphertexts, and the time for them, of phases A, C and D in every iteration. Only all phases do, since the needed
/// ones leave out a C without anything new.
void compare_counts(const Json& item, const Reports& reports, Verdict& verdict, const std::string& form) {
  const std::array<const char*, 3> counts{"enc", "dec", "add"};
  for (const Json& row : item.at("rounds"))
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (!row.contains(counts[i])) continue;
      const Vector& got = reports.parts.at(row.at("t").get<std::size_t>()).at(2);
      verdict.compare(form + "round " + row["t"].dump() + " " + counts[i], {got[static_cast<Index>(i)]},
                      {row[counts[i]].get<double>()});
    }
  const auto compare_seconds = [&](const char* key, Index place) {
    if (item.contains(key)) verdict.compare(form + key, {reports.parts.back().at(2)[place]}, {item[key].get<double>()});
  };
  compare_seconds("enc_seconds_serial_total", 3);
  compare_seconds("enc_seconds_parallel_total", 4);
}

/// What passed in the simulation. The cases count one phase after the other: clients to which the server sends nothing
/// begin C while others are at B.
void compare_times(const Json& item, const Times& times, Verdict& verdict) {
  if (item.contains("enc_seconds_serial_total"))
    verdict.compare("serial encryption", {times.serial_s}, {item["enc_seconds_serial_total"].get<double>()});
  if (item.contains("enc_seconds_parallel_total") && !item.value("send_w", "").starts_with("new"))
    verdict.compare("parallel encryption", {times.parallel_s}, {item["enc_seconds_parallel_total"].get<double>()});
}

/// The counts of an iteration (section 7) have one exchange of inner products. A case with a second one may count both,
/// or keep to the formula, which is that without F: those are its counts whose first encryptions are its own.
bool counts_both_products(const Json& item, const Reports& reports) {
  for (const Json& row : item.at("rounds"))
    if (row.contains("enc") && row["enc"] != 0)
      return reports.parts.at(row.at("t").get<std::size_t>()).at(2)[0] == row["enc"].get<double>();
  return false;
}

void check_hybrid_keys(const Json& item) {
  check_keys_but_texts(item, "",
                       {"data",
                        "N",
                        "M",
                        "partition",
                        "sample_groups",
                        "feature_groups",
                        "client_id",
                        "holders",
                        "loss",
                        "smooth_hinge_gamma",
                        "lambda",
                        "H",
                        "IIC",
                        "picker",
                        "schedule_repeated",
                        "gamma_t",
                        "c_k",
                        "local_method",
                        "damping",
                        "normalise",
                        "second_sip",
                        "sip_mode",
                        "send_w",
                        "row_norms",
                        "optimum",
                        "counts",
                        "learning_rate",
                        "params",
                        "rounds",
                        "final_w0",
                        "final_alpha0",
                        "enc_seconds_parallel_total",
                        "enc_seconds_serial_total"});
  if (item.contains("params")) check_keys(item["params"], "params/", {"a", "b", "mu"});
  if (item.at("algorithm") != "HyFDCA")
    for (const char* key : {"final_alpha0", "enc_seconds_parallel_total", "enc_seconds_serial_total"})
      if (item.contains(key)) throw std::runtime_error(std::string("not understood: ") + key + " of a primal method");
  for (const Json& row : list_at(item, "rounds"))
    if (item["algorithm"] == "HyFDCA")
      check_keys(row, "rounds/", {"t", "primal_w0", "dual_alpha0", "norm_w0", "enc", "dec", "add"});
    else
      check_keys(row, "rounds/", {"t", "primal_w0", "norm_w0"});
}

}  // namespace

bool is_hybrid_fed(const Json& item) {
  const std::string name = item.value("algorithm", "");
  return name == "HyFDCA" || name == "FedAvg-hybrid" || name.starts_with("HyFEM");
}

Verdict check_hybrid_fed(const Json& of_file) {
  const Json item = without_nulls(of_file);
  Verdict verdict(tolerance_of(item));
  check_hybrid_keys(item);
  const Problem problem = hybrid_assignment_of(item).problem;
  compare_optimum(item, problem, verdict);
  for (const Phases phases : {Phases::all, Phases::needed}) {
    const bool all = phases == Phases::all;
    const std::string form = all ? "" : "needed phases, ";
    const auto algorithm = algorithm_of_case(item, phases);
    Reports reports;
    const Times times = simulate_case(item, *algorithm, reports);
    for (const Json& row : item.at("rounds"))
      compare_round(row, problem, *algorithm, reports.parts.at(row.at("t").get<std::size_t>()), verdict, form);
    if (item.contains("final_w0"))
      verdict.compare(form + "final w0", as_list(reports.parts.back()[0]), numbers(item["final_w0"]));
    if (item.contains("final_alpha0"))
      verdict.compare(form + "final alpha0", as_list(reports.parts.back()[1]), numbers(item["final_alpha0"]));
    if (!all || item.at("algorithm") != "HyFDCA") continue;
    if (!item.value("second_sip", false)) compare_times(item, times, verdict);
    if (!item.value("second_sip", false) || counts_both_products(item, reports)) {
      compare_counts(item, reports, verdict, form);
      continue;
    }
    Json of_formula = item;
    of_formula["second_sip"] = false;
    Reports without_F;
    simulate_case(item, *algorithm_of_case(of_formula, phases), without_F);
    compare_counts(item, without_F, verdict, "without F, ");
  }
  return verdict;
}

bool is_gray_relational(const Json& item) { return item.value("algorithm", "") == "GRA"; }

Verdict check_gray_relational(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_keys(item, "", {"metrics_rows", "maximise", "pareto_filter", "result"});
  std::vector<std::vector<double>> rows;
  for (const Json& row : item.at("metrics_rows")) {
    auto& metrics = rows.emplace_back();
    for (const Json& x : row)
      metrics.push_back(x.is_number() ? x.get<double>() : std::numeric_limits<double>::infinity());
  }
  GrayOptions options{.pareto_front = item.value("pareto_filter", true)};
  for (const Json& metric : item.value("maximise", Json::array()))
    options.maximized.push_back(metric.get<std::size_t>());
  const auto listed = [](const std::vector<std::size_t>& all) { return std::vector<double>(all.begin(), all.end()); };
  for (const auto& [key, want] : item.at("result").items()) {
    if (!key.starts_with("zeta=")) throw std::runtime_error("not understood: result/" + key);
    check_keys(want, "result/" + key + "/", {"selected", "kept", "grades"});
    options.zeta = number_of(key.substr(key.find('=') + 1));
    const GrayGrades got = gray_relational(rows, options);
    verdict.compare(key + " selected", listed({got.selected}), {want.at("selected").get<double>()});
    verdict.compare(key + " kept", listed(got.kept), numbers(want.at("kept")));
    verdict.compare(key + " grades", got.grades, numbers(want.at("grades")));
  }
  return verdict;
}

}  // namespace lagnet::reference
