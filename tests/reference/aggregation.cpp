#include <numeric>
#include <stdexcept>

#include "algorithms/federated/aggregation/aggregation.hpp"
#include "algorithms/interface/attackers.hpp"
#include "scenarios/json/one_of.hpp"
#include "tests/reference/reference_file.hpp"

namespace lagnet::reference {

namespace aggregation_cases {
namespace {

constexpr Tolerance whole_numbers{.absolute = 0.25, .relative = 0, .floor = 0};

template <class Options>
Options options_of(const Json& section) {
  Options options;
  Diagnostics diagnostics("");
  OneOfJson<Options>::read(section, options, "", diagnostics);
  diagnostics.throw_if_any();
  return options;
}

/// The vectors of the case, a column each.
Matrix vectors_of(const Json& item) {
  const Json& rows = list_at(item, "V");
  const Index m = size_at(item, "m"), d = size_at(item, "d");
  Matrix v(d, m);
  if (std::ssize(rows) != m) throw std::runtime_error("V has not as many rows as m says");
  for (Index k = 0; k < m; ++k) {
    const std::vector<double> row = numbers(rows.at(static_cast<std::size_t>(k)));
    if (std::ssize(row) != d) throw std::runtime_error("a row of V has not as many entries as d says");
    v.col(k) = VectorView(row.data(), d);
  }
  return v;
}

void check_rule(const Json& one, const Answered& answered, Verdict& verdict) {
  check_keys(one, "cases/", {"aggregation", "result", "flops", "scores", "chosen", "second_call"});
  const auto rule = options_of<AggregationOptions>(one.at("aggregation"));
  const std::string name = one["aggregation"].dump();
  rule.visit([&](const auto& chosen) {
    Vector z = Vector::Zero(answered.v.rows());
    const Aggregate first = chosen.combine(answered, z);
    verdict.compare(name, as_list(first.a), numbers(one.at("result")));
    if (one.contains("flops"))
      verdict.compare("flops of " + name,
                      {static_cast<double>(chosen.flops(answered.n(), answered.v.rows()) + first.more)},
                      {one["flops"].get<double>()}, whole_numbers);
    if (one.contains("second_call"))
      verdict.compare("second call of " + name, as_list(chosen.combine(answered, z).a), numbers(one["second_call"]));
    if constexpr (requires { chosen.scores(answered.v); }) {
      const Vector scores = chosen.scores(answered.v);
      if (one.contains("scores")) verdict.compare("scores of " + name, as_list(scores), numbers(one["scores"]));
      if (!one.contains("chosen")) return;
      std::vector<double> kept;
      for (const Index k : chosen.kept(scores)) kept.push_back(static_cast<double>(k));
      verdict.compare("chosen by " + name, kept, numbers(one["chosen"]), whole_numbers);
    } else if (one.contains("scores") || one.contains("chosen")) {
      verdict.fail("scores of another rule than krum");
    }
  });
}

/// The last vectors are those of attackers, as many as there are results.
void check_attack(const Json& one, const Matrix& v, Verdict& verdict) {
  check_keys(one, "attacks/", {"attack", "result"});
  const Index attackers = std::ssize(list_at(one, "result")), first = v.cols() - attackers;
  Json section = one.at("attack");
  section["agents"] = Json::array();
  for (Index k = first; k < v.cols(); ++k) section["agents"].push_back(k + 1);
  const Attackers all({options_of<AttackOptions>(section)}, v.cols() + 1, 1);
  std::vector<AgentId> senders(static_cast<std::size_t>(v.cols()));
  std::iota(senders.begin(), senders.end(), AgentId{1});
  Matrix sent = v;
  all.replace(senders, sent);
  for (Index k = 0; k < v.cols(); ++k)
    verdict.compare(one["attack"].dump(), as_list(sent.col(k)),
                    k < first ? as_list(v.col(k)) : numbers(one["result"].at(static_cast<std::size_t>(k - first))));
}

Verdict check(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_keys(item, "",
             {"id", "public", "algorithm", "note", "m", "d", "vectors", "V", "weights", "cases", "attacks", "alie_z"});
  const std::vector<double> weights = numbers(item.at("weights"));
  const Answered answered{vectors_of(item), Vector(VectorView(weights.data(), std::ssize(weights)))};
  for (const Json& one : list_at(item, "cases")) check_rule(one, answered, verdict);
  if (!item.contains("attacks")) return verdict;
  for (const Json& one : list_at(item, "attacks")) check_attack(one, answered.v, verdict);
  if (item.contains("alie_z"))
    verdict.compare("z of alie", {alie_z(answered.n(), std::ssize(item["attacks"].at(0).at("result")))},
                    {item["alie_z"].get<double>()});
  return verdict;
}

}  // namespace
}  // namespace aggregation_cases

bool is_aggregation(const Json& item) { return item.value("algorithm", "") == "aggregation"; }
Verdict check_aggregation(const Json& item) { return aggregation_cases::check(item); }

}  // namespace lagnet::reference
