#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/reference/fed_composite_problem.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::reference {

namespace {

constexpr std::array control_starts{"c", "c0", "c_0", "c_init", "c_k"};
constexpr std::array composite_names{"FedAvg", "SCAFFOLD", "FedMiD", "FedDA", "Fast-FedDA", "C-FedDA", "MC-FedDA"};

/// A value as text whether it is written as text or as a number.
std::string text_of(const Json& object, const char* key, const std::string& absent) {
  if (!object.contains(key)) return absent;
  return object[key].is_string() ? object[key].get<std::string>() : object[key].dump();
}

std::optional<double> finite(const Json& object, const char* key) {
  const double x = number_or_infinity(object, key);
  return std::isfinite(x) ? std::optional(x) : std::nullopt;
}

/// The pi_k where they are not n_k / n, which they are written as to 12 digits.
std::vector<double> weights_of(const Json& item, const std::vector<Index>& n) {
  if (!item.contains("pi")) return {};
  const std::vector<double> pi = numbers(item["pi"]);
  const double all = static_cast<double>(std::accumulate(n.begin(), n.end(), Index{0}));
  for (std::size_t k = 0; k < n.size(); ++k)
    if (std::abs(pi.at(k) - static_cast<double>(n[k]) / all) > 1e-9) return pi;
  return {};
}

/// Whether any text of the case says so.
bool is_softmax(const Json& item) {
  if (item.contains("classes")) return true;
  for (const Json& object : {item, item.at("params"), item.value("loss", Json::object())})
    for (const Json& value : object)
      if (value.is_string() && value.get<std::string>().find("oftmax") != std::string::npos) return true;
  return item.at("params").contains("classes");
}

/// The weight that the objective is with: of several stages the last one's, unless the case states it.
double lambda_of(const Json& params) {
  if (params.contains("lambda") || !params.contains("stages")) return params.value("lambda", 0.0);
  return params["stages"].back().at("lambda").get<double>();
}

/// Where a case starts that says so: "w0": a list, "zero" or 0.
std::optional<Vector> start_of(const Json& item, Index size) {
  const Json w0 = item.value("w0", item.at("params").value("w0", Json()));
  if (w0.is_null()) return std::nullopt;
  if (w0 == 0 || (w0.is_string() && w0.get<std::string>().starts_with("zero"))) return Vector::Zero(size);
  const std::vector<double> values = numbers(w0);
  if (std::ssize(values) != size) throw std::runtime_error("w0 has another size than w_shape");
  return VectorView(values.data(), size);
}

/// Control variates start at 0; a case may say so. Throws std::runtime_error for one that starts elsewhere.
void check_control_start(const Json& item) {
  for (const Json* place : {&item, &item.at("params")})
    for (const char* key : control_starts) {
      if (!place->contains(key)) continue;
      const Json& given = (*place)[key];
      const Json flat = given.is_structured() ? given.flatten() : Json{{"", given}};
      for (const Json& one : flat)
        if (!(one.is_number() && one == 0) && !(one.is_string() && one.get<std::string>().starts_with("zero")))
          throw std::runtime_error(std::string("not understood: ") + key + " = " + given.dump());
    }
}

/// Clauses of a case's own text about its data. Throws std::runtime_error for one that is not understood.
std::vector<MatrixChange> changes_of(const Json& item) {
  std::vector<MatrixChange> changes;
  const auto given = item.find("data");
  if (given == item.end() || !given->is_string()) return changes;
  constexpr std::string_view formula = "X_k[i,j]=sin(1+7.3*i+3.1*j+0.9*i*j+1.7*k)";
  std::vector<std::string> clauses;
  const std::string text = given->get<std::string>();
  boost::split(clauses, text, boost::is_any_of(";"));
  for (std::string& clause : clauses) {
    boost::trim_if(clause, boost::is_any_of(" ,."));
    if (clause.empty() || clause == formula) continue;
    auto change = matrix_change(clause);
    if (!change) throw std::runtime_error("not understood: data = \"" + clause + "\"");
    changes.push_back(std::move(*change));
  }
  return changes;
}

MethodInput composite_assignment_of(const Json& item) {
  FedCompositeProblem problem{.shape = shape_of(item.at("w_shape")),
                              .softmax = is_softmax(item),
                              .samples = item.at("n").get<std::vector<Index>>(),
                              .norm = text_of(item, "regulariser", "l1"),
                              .lambda = lambda_of(item.at("params")),
                              .changes = changes_of(item)};
  MethodInput given = assignment_of(problem);
  if (const auto start = start_of(item, problem.shape.size())) given.start = *start;
  given.rounds = item.at("rows").back().at("round").get<Round>();
  return given;
}

template <class Options>
Options local_steps_of(const Json& params, std::vector<double> weights) {
  Options options;
  options.local_steps = params.at("E").get<std::int64_t>();
  options.weights = std::move(weights);
  if constexpr (requires { options.client_step; }) {
    options.client_step = params.at("eta_client").get<double>();
    options.server_step = params.value("eta_server", 1.0);
  }
  return options;
}

/// "1", "constant", "alpha_t = 1"; "(t+a)^2", "polynomial".
Alpha alpha_of(const Json& params) {
  const std::string rule = text_of(params, "alpha", params.contains("a") ? "polynomial" : "constant");
  const auto says = [&](const char* word) { return rule.find(word) != std::string::npos; };
  if (says("^2") || says("**2") || says("poly")) return Alpha::polynomial;
  if (says("const") || rule == "1" || rule == "1.0" || rule.ends_with("= 1") || rule.ends_with("=1"))
    return Alpha::constant;
  throw std::runtime_error("no such alpha here: " + rule);
}

template <class Options>
void set_dual_averaging(Options& options, const Json& params) {
  options.mu = params.at("mu").get<double>();
  options.gamma = params.at("gamma").get<double>();
  options.alpha = alpha_of(params);
  if (options.alpha == Alpha::polynomial) options.a = params.at("a").get<double>();
}

StagedOutput stage_output_of(const Json& params) {
  const std::string rule = text_of(params, "stage_output", "average");
  if (rule.find("average") != std::string::npos) return StagedOutput::average;
  if (rule.find("last") != std::string::npos || rule == "iterate") return StagedOutput::last;
  throw std::runtime_error("no such output of a stage here: " + rule);
}

McFedDaOptions stages_of(const Json& params, std::vector<double> weights) {
  McFedDaOptions options;
  options.weights = std::move(weights);
  set_dual_averaging(options, params);
  options.rho = finite(params, "rho");
  for (const Json& stage : params.at("stages"))
    options.stages.push_back({.lambda = stage.at("lambda").get<double>(),
                              .rounds = stage.at("R").get<std::int64_t>(),
                              .local_steps = stage.at("E").get<std::int64_t>(),
                              .epsilon = finite(stage, "epsilon")});
  options.stage_output = stage_output_of(params);
  return options;
}

/// "eta_s*eta_c*E", "with E"; "eta_s*eta_c", "without E"; "none", 0, null, false.
ServerProx server_prox_of(const Json& params) {
  const std::string rule = text_of(params, "server_prox", "eta_s*eta_c*E");
  const auto says = [&](const char* word) { return rule.find(word) != std::string::npos; };
  if (says("without E") || says("no E")) return ServerProx::single;
  if (says("with E") || rule == "steps" || rule == "default") return ServerProx::steps;
  if (says("eta")) return says("E") ? ServerProx::steps : ServerProx::single;
  for (const char* absent : {"none", "None", "no", "off", "zero", "0", "s=0", "s = 0", "null", "false"})
    if (rule.starts_with(absent)) return ServerProx::none;
  throw std::runtime_error("no such server prox here: " + rule);
}

std::unique_ptr<Algorithm> algorithm_of(const Json& item, MethodInput given, FastOutput output, Messages messages) {
  const Json& params = item.at("params");
  const std::string name = params.at("algorithm");
  const std::vector<double> pi = weights_of(item, item.at("n").get<std::vector<Index>>());
  if (name == "FedAvg") return make_algorithm(local_steps_of<FedAvgOptions>(params, pi), std::move(given));
  if (name == "SCAFFOLD") {
    auto options = local_steps_of<ScaffoldOptions>(params, pi);
    const std::string option = text_of(params, "option", "II");
    const bool one = option == "I" || option == "1" || option.ends_with(" I") || option.ends_with(" 1");
    options.control = one ? ControlVariate::fresh_gradient : ControlVariate::local_path;
    return make_algorithm(options, std::move(given));
  }
  if (name == "FedMiD") {
    auto options = local_steps_of<FedMidOptions>(params, pi);
    options.rho = finite(params, "rho");
    options.server_prox = server_prox_of(params);
    return make_algorithm(options, std::move(given));
  }
  if (name == "FedDA") {
    auto options = local_steps_of<FedDualAvgOptions>(params, pi);
    options.rho = finite(params, "rho");
    return make_algorithm(options, std::move(given));
  }
  if (name == "MC-FedDA") {
    McFedDaOptions options = stages_of(params, pi);
    options.messages = messages;
    return make_algorithm(options, std::move(given));
  }
  if (name == "C-FedDA") {
    auto options = local_steps_of<CFedDaOptions>(params, pi);
    set_dual_averaging(options, params);
    options.rho = finite(params, "rho");
    options.epsilon = finite(params, "epsilon");
    options.messages = messages;
    return make_algorithm(options, std::move(given));
  }
  auto options = local_steps_of<FastFedDaOptions>(params, pi);
  set_dual_averaging(options, params);
  options.rho = finite(params, "rho");
  options.output = output;
  options.messages = messages;
  return make_algorithm(options, std::move(given));
}

/// The parts of the server's report of each round.
struct Iterates final : Recorder {
  std::vector<std::vector<Vector>> parts;
  void reported(AgentId, Round, std::span<const VectorView> of_round) override {
    parts.emplace_back(of_round.begin(), of_round.end());
  }
};

WorldModel rules_of(const Json& item) {
  WorldModel model;
  const Json schedule = item.value("schedule", item.at("params").value("schedule", Json()));
  if (schedule.is_null()) return model;
  std::vector<std::vector<AgentId>> rounds;
  for (const Json& asked : schedule) {
    auto& clients = rounds.emplace_back();
    for (const Json& k : asked) clients.push_back(k.get<AgentId>() + 1);
  }
  model.participation = std::make_shared<const ListedParticipation>(std::move(rounds));
  return model;
}

Iterates simulate(const Json& item, const Algorithm& algorithm, AgentId agents) {
  std::vector<LinkSpec> links;
  for (AgentId k = 1; k < agents; ++k) {
    links.push_back({0, k, Duration::milliseconds(k)});
    links.push_back({k, 0, Duration::milliseconds(2 * k)});
  }
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e9)),
                   {.model = rules_of(item)});
  Iterates iterates;
  world.record(iterates);
  algorithm.spawn(world);
  world.run();
  return iterates;
}

/// Rows of rounds, the second one of a round being the output of the stage that it ends; then averages and outputs.
void compare(const Json& item, const Iterates& iterates, const Algorithm& algorithm, const std::string& form,
             Verdict& verdict) {
  const Json& params = item.at("params");
  const std::size_t output = stage_output_of(params) == StagedOutput::last ? 0 : 1;
  Round before = -1;
  for (const Json& row : item.at("rows")) {
    const Round round = row.at("round").get<Round>();
    std::vector<Vector> parts = iterates.parts.at(static_cast<std::size_t>(round));
    const Vector w = parts.at(round == before ? output : 0);
    before = round;
    parts[0] = w;
    const std::vector<std::vector<Vector>> report{parts};
    const auto check = [&](const char* what, const std::vector<double>& got, const std::vector<double>& want) {
      verdict.compare(form + "round " + std::to_string(round) + " " + what, got, want);
    };
    check("w", as_list(w), numbers(row.at("w")));
    check("objective", {algorithm.evaluate(round, report, {}).objective}, {row.at("objective").get<double>()});
    check("norm2", {w.norm()}, {row.at("norm2").get<double>()});
    check("sum", {w.sum()}, {row.at("sum").get<double>()});
  }
  if (item.contains("avg"))
    verdict.compare(form + "average", as_list(iterates.parts.back().at(1)), numbers(item["avg"]));
  if (!item.contains("stage_outputs")) return;
  Round end = 0;
  for (std::size_t i = 0; i < item["stage_outputs"].size(); ++i) {
    end += params.at("stages").at(i).at("R").get<Round>();
    verdict.compare(form + "output of stage " + std::to_string(i),
                    as_list(iterates.parts.at(static_cast<std::size_t>(end)).at(output)),
                    numbers(item["stage_outputs"][i]));
  }
}

void check_fed_composite_keys(const Json& item) {
  check_keys_but_texts(item, "",
                       {"params", "w_shape", "n", "pi", "rows", "schedule", "avg", "virtual_avg", "stage_outputs", "w0",
                        "loss", "classes", "c", "c0", "c_0", "c_init", "c_k"});
  check_control_start(item);
  const Json& params = item.at("params");
  check_keys_but_texts(params, "params/",
                       {"E",      "eta_client", "eta_server", "lambda",      "rho",    "epsilon",  "mu",
                        "a",      "gamma",      "alpha",      "server_prox", "stages", "schedule", "w0",
                        "option", "classes",    "c",          "c0",          "c_0",    "c_init",   "c_k"});
  if (params.contains("stages"))
    for (const Json& stage : list_at(params, "stages"))
      check_keys(stage, "params/stages/", {"lambda", "epsilon", "R", "E"});
  for (const Json& row : list_at(item, "rows")) check_keys(row, "rows/", {"round", "objective", "norm2", "sum", "w"});
  for (const Json& size : list_at(item, "w_shape"))
    if (!(size.get<Index>() >= 1)) throw std::runtime_error("w_shape: expected sizes from 1, found " + size.dump());
  list_at(item, "n");
}

}  // namespace

bool is_fed_composite(const Json& item) {
  if (!item.contains("params") || !item.contains("rows")) return false;
  return std::ranges::find(composite_names, item["params"].value("algorithm", "")) != composite_names.end();
}

Verdict check_fed_composite(const Json& item) {
  Verdict verdict(fed_composite_tolerance(item));
  check_fed_composite_keys(item);
  const MethodInput given = composite_assignment_of(item);
  const auto agents = static_cast<AgentId>(given.network.agents);
  const bool has_lean = item["params"].contains("gamma");
  for (const Messages messages : {Messages::literal, Messages::lean}) {
    if (messages == Messages::lean && !has_lean) continue;
    const std::string form = messages == Messages::lean ? "lean, " : "";
    const auto algorithm = algorithm_of(item, given, FastOutput::last, messages);
    compare(item, simulate(item, *algorithm, agents), *algorithm, form, verdict);
    if (!item.contains("virtual_avg")) continue;
    const auto inside = algorithm_of(item, given, FastOutput::virtual_average, messages);
    verdict.compare(form + "virtual average", as_list(simulate(item, *inside, agents).parts.back().at(2)),
                    numbers(item["virtual_avg"]));
  }
  return verdict;
}

}  // namespace lagnet::reference
