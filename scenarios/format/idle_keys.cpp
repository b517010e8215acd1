#include "scenarios/format/idle_keys.hpp"

#include <array>
#include <string>
#include <string_view>

#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace {

/// A key of a section that is read only where another key of the section has a value.
struct DependentKey {
  std::string_view kind;  // of the section; "": any
  std::string_view key;
  const char* idle;        // the value that the key may have nevertheless, as JSON
  std::string_view other;  // the key that decides
  const char* needed;  // the value that the other key must have, as JSON; "": any but null and false; "!1": any but 1
  std::string_view sentence;  // what is expected
};

constexpr std::array of_data{DependentKey{"", "choose_samples", R"("first")", "max_samples", "",
                                          "first without max_samples, whose rows it chooses"},
                             DependentKey{"sparse_regression", "spacing", R"("linear")", "condition_number", "!1",
                                          "linear where condition_number is 1, so that all variances are alike"}};
constexpr std::array of_algorithms{
    DependentKey{"fd_primal_dual", "power_iterations", "20", "constants", R"("learned")",
                 "20 unless constants is learned"},
    DependentKey{"fd_primal_dual", "margin", "0.05", "constants", R"("learned")", "0.05 unless constants is learned"},
    DependentKey{"prox_skip", "mu", "null", "p", "null", "null beside p, which otherwise follows from mu"},
    DependentKey{"c_fed_da", "ball", R"("exact")", "epsilon", "", "exact without epsilon, the radius of the ball"}};
constexpr std::array of_records{
    DependentKey{"", "timeline_window_s", "[]", "timeline", "", "[] without timeline, of which it is a part"}};

void check(const Json& section, const std::string& pointer, const auto& keys, Diagnostics& diagnostics) {
  const std::string kind = section.value("kind", section.value("source", std::string()));
  for (const DependentKey& one : keys) {
    if (!one.kind.empty() && one.kind != kind) continue;
    const Json& value = section.at(std::string(one.key));
    const Json& other = section.at(std::string(one.other));
    const std::string needed = one.needed;
    const bool is_read = needed.empty()            ? !other.is_null() && other != false
                         : needed.starts_with("!") ? other != parse_json(needed.substr(1))
                                                   : other == parse_json(needed);
    if (!is_read && value != parse_json(one.idle))
      diagnostics.add(child_pointer(pointer, one.key), std::string(one.sentence), shown(value));
  }
}

}  // namespace

void check_idle_keys(const Scenario& scenario, Diagnostics& diagnostics) {
  check(scenario.data.write(), "/data", of_data, diagnostics);
  check(scenario.algorithm.write(), "/algorithm", of_algorithms, diagnostics);
  const Json record = write_fields(scenario.record);
  check(record, "/record", of_records, diagnostics);
  if (scenario.timing_only() && scenario.record.model_every)
    diagnostics.add("/record/model_every", "null with numerics off: there are no iterates",
                    shown(Json(*scenario.record.model_every)));
  const AlgorithmTraits traits = scenario.algorithm.make().traits;
  if (scenario.compute.clock.kind() != "free" && (traits.has_rounds() || traits.server))
    diagnostics.add("/compute/clock", "free: only asynchronous methods of peers begin updates by a clock",
                    std::string(scenario.compute.clock.kind()));
}

}  // namespace lagnet
