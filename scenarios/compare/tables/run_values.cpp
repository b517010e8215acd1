#include "scenarios/compare/tables/run_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace {

/// Whether a point cannot have a value, since its sweep sets another number or kind there. What the scenario makes of
/// other values, such as paths, only its run tells.
bool excludes(const PointValues& point, const KeyValue& wanted) {
  for (const auto& [pointer, value] : point) {
    if (pointer != wanted.pointer) continue;
    const bool are_plain = (value.is_number() && wanted.value.is_number()) ||
                           (value.is_boolean() && wanted.value.is_boolean()) ||
                           (pointer.ends_with("/kind") && value.is_string() && wanted.value.is_string());
    return are_plain && value != wanted.value;
  }
  return false;
}

/// Pointers of what lies beside a kind and not every run has; none beside a key that is no kind.
std::vector<std::string> options_beside(const std::string& pointer, const std::vector<RecordedRun>& runs) {
  std::set<std::string> options;
  if (!pointer.ends_with("/kind")) return {};
  const std::string section = pointer.substr(0, pointer.rfind('/'));
  for (const RecordedRun& run : runs) {
    for (const auto& [key, value] : Document(run.scenario).at(section).items())
      options.insert(child_pointer(section, key));
  }
  std::erase_if(options, [&](const std::string& option) {
    const Json::json_pointer at(option);
    return std::ranges::all_of(runs, [&](const RecordedRun& run) { return run.scenario.contains(at); });
  });
  return {options.begin(), options.end()};
}

/// The keys that `--where` and its like may name.
void add_keys(const Json& scenario, std::set<std::string>& keys) {
  const Json flat = scenario.flatten();
  for (const auto& [at, value] : flat.items()) keys.insert(at.ends_with("/value") ? at.substr(0, at.rfind('/')) : at);
}

[[noreturn]] void throw_unknown_key(const std::string& pointer, std::string_view option,
                                    const std::set<std::string>& known) {
  throw OutputError(fmt::format("{}: expected a key that a run has, found {}{}", option, pointer,
                                did_you_mean(pointer, {known.begin(), known.end()})));
}

void remove_members(Json& scenario, const std::vector<std::string>& pointers) {
  for (const std::string& pointer : pointers) {
    const Json::json_pointer at(pointer);
    if (scenario.contains(at)) scenario[at.parent_pointer()].erase(at.back());
  }
}

}  // namespace

std::string key_pointer(std::string_view key, std::string_view option) {
  // As a setting is applied, so its key is read.
  Json document = Json::object();
  Diagnostics diagnostics{std::string(option)};
  apply_setting(document, std::string(key) + "=0", diagnostics);
  const Json flat = document.flatten();
  if (!diagnostics.empty() || flat.empty())
    throw OutputError(fmt::format("{}: expected a key such as topology.agents, found {}", option, key));
  return flat.begin().key();
}

KeyValue key_value(std::string_view text, std::string_view option) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw OutputError(fmt::format("{}: expected KEY=VALUE such as topology.agents=16, found {}", option, text));
  const std::string written(text.substr(equals + 1));
  Json value = try_json(written);
  return {key_pointer(text.substr(0, equals), option), value.is_discarded() ? Json(written) : std::move(value)};
}

Json simple_value(const Json& scenario, const std::string& pointer) {
  const Document document(scenario);
  const bool is_constant = document.text(pointer + "/kind") == "constant" && document.has(pointer + "/value");
  return document.at(is_constant ? pointer + "/value" : pointer);
}

bool has_value(const Json& scenario, const KeyValue& wanted) {
  const Json found = simple_value(scenario, wanted.pointer);
  if (found.is_object() && wanted.value.is_string()) return found.value("kind", Json()) == wanted.value;
  return found == wanted.value;
}

std::vector<Json> values_at(const std::vector<RecordedRun>& runs, const std::string& pointer, std::string_view option) {
  std::vector<Json> values;
  for (const RecordedRun& run : runs) values.push_back(simple_value(run.scenario, pointer));
  if (std::ranges::any_of(values, [](const Json& value) { return !value.is_null(); })) return values;
  std::set<std::string> known;
  for (const RecordedRun& run : runs) add_keys(run.scenario, known);
  throw_unknown_key(pointer, option, known);
}

WantedPoint may_have(std::vector<KeyValue> values) {
  return [values = std::move(values)](const PointValues& point) {
    return std::ranges::none_of(values, [&](const KeyValue& value) { return excludes(point, value); });
  };
}

namespace {

/// Values by their texts.
using ValuesByText = std::map<std::string, Json>;

/// The values that there are. Of many, those nearest to the wanted one, or the first where not all are numbers.
std::string list_of_values(const ValuesByText& values, const Json& wanted) {
  constexpr std::size_t most = 10;
  std::vector<std::pair<Json, std::string>> listed;
  for (const auto& [text, value] : values) listed.emplace_back(value, text);
  const std::size_t others = listed.size() - std::min(most, listed.size());
  const bool are_numbers = std::ranges::all_of(listed, [](const auto& one) { return one.first.is_number(); });
  if (are_numbers) std::ranges::sort(listed);
  if (others > 0) {
    const auto distance = [&](const auto& one) {
      return std::abs(one.first.template get<double>() - wanted.get<double>());
    };
    if (are_numbers && wanted.is_number()) std::ranges::stable_sort(listed, {}, distance);
    listed.resize(most);
    if (are_numbers) std::ranges::sort(listed);
  }
  std::vector<std::string> texts;
  for (const auto& [value, text] : listed) texts.push_back(text);
  return comma_list(texts) + (others > 0 ? fmt::format(" and {} others", others) : "");
}

/// What runs have in place of the values that were asked for, each looked at in those that have the ones before it.
class ValuesThere {
 public:
  ValuesThere(const std::vector<std::string>& typed, const std::vector<KeyValue>& values)
      : typed_(typed), values_(values), seen_(values.size()) {}

  void add(const Json& scenario) {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (Document(scenario).has(values_[k].pointer))
        seen_[k].has_key = true;
      else
        add_keys(scenario, seen_[k].keys);
      const Json value = simple_value(scenario, values_[k].pointer);
      seen_[k].values.emplace(value_text(value), value);
      if (!has_value(scenario, values_[k])) return;
      seen_[k].has_value = true;
    }
  }

  /// Throws OutputError for the first key or value that is not there.
  void throw_what_lacks() const {
    for (std::size_t k = 0; k < values_.size() && !seen_[k].values.empty(); ++k) {
      if (!seen_[k].has_key) throw_unknown_key(values_[k].pointer, "where", seen_[k].keys);
      if (!seen_[k].has_value)
        throw OutputError(fmt::format("where: expected a run with {}, found none: there are {}", typed_[k],
                                      list_of_values(seen_[k].values, values_[k].value)));
    }
  }

 private:
  struct Seen {
    bool has_key = false, has_value = false;
    std::set<std::string> keys;  // of runs without this one
    ValuesByText values;
  };
  const std::vector<std::string>& typed_;
  const std::vector<KeyValue>& values_;
  std::vector<Seen> seen_;
};

}  // namespace

RecordedRuns read_runs_where(const std::vector<std::filesystem::path>& folders,
                             const std::vector<std::string>& wanted) {
  if (wanted.empty()) return read_recorded_runs(folders);
  std::vector<KeyValue> values;
  for (const std::string& text : wanted) values.push_back(key_value(text, "where"));
  const auto check_all_are_there = [&] {
    ValuesThere there(wanted, values);
    visit_recorded_scenarios(folders, [&](const Json& scenario) { there.add(scenario); });
    there.throw_what_lacks();
  };
  RecordedRuns selected;
  try {
    selected = read_recorded_runs(folders, may_have(values));
  } catch (const OutputError&) {
    check_all_are_there();
    throw;
  }
  std::erase_if(selected.runs, [&](const RecordedRun& run) {
    return !std::ranges::all_of(values, [&](const KeyValue& value) { return has_value(run.scenario, value); });
  });
  // Where nothing is wanted at a key, runs without it have that, too: some run must have the key.
  const bool wants_nothing = std::ranges::any_of(values, [](const KeyValue& value) { return value.value.is_null(); });
  if (selected.runs.empty() || wants_nothing) check_all_are_there();
  label_runs(selected.runs);
  return selected;
}

namespace {

/// Of swept keys.
std::string condition_of(const std::vector<RecordedRun>& runs, const std::vector<std::string>& pointers) {
  std::vector<std::string> conditions;
  for (const std::string& pointer : pointers) {
    std::set<double> values;
    const bool are_numbers = pointer.starts_with("/network/") && std::ranges::all_of(runs, [&](const RecordedRun& run) {
                               const Json value = simple_value(run.scenario, pointer);
                               if (value.is_number()) values.insert(value.get<double>());
                               return value.is_number();
                             });
    if (are_numbers && values.size() > 1) conditions.push_back(pointer);
  }
  return conditions.size() == 1 ? conditions.front() : "";
}

}  // namespace

SweptKeys swept_keys(const std::vector<RecordedRun>& runs) {
  std::vector<std::string> all;
  for (const RecordedRun& run : runs)
    for (const auto& [pointer, value] : run.point)
      if (pointer != "/seed" && std::ranges::find(all, pointer) == all.end()) all.push_back(pointer);
  SweptKeys swept;
  for (const std::string& pointer : all) {
    std::map<std::string, Json> of_label;
    const bool follows = std::ranges::all_of(runs, [&](const RecordedRun& run) {
      const Json value = simple_value(run.scenario, pointer);
      return !label_of(run.scenario).empty() && of_label.emplace(label_of(run.scenario), value).first->second == value;
    });
    (follows && of_label.size() > 1 ? swept.of_labels : swept.pointers).push_back(pointer);
    for (std::string& option : options_beside(pointer, runs)) swept.options_of_kinds.push_back(std::move(option));
  }
  swept.condition = condition_of(runs, swept.pointers);
  return swept;
}

DistinctValues distinct_values(const RecordedRun& run, const SweptKeys& keys) {
  DistinctValues values{.swept = {}, .of_labels = {}, .others = circumstances_of(run)};
  const auto take_out = [&](const std::vector<std::string>& pointers, std::vector<Json>& taken) {
    for (const std::string& pointer : pointers) {
      taken.push_back(Document(values.others).at(pointer));
      if (!taken.back().is_null()) values.others[Json::json_pointer(pointer)] = nullptr;
    }
  };
  take_out(keys.pointers, values.swept);
  take_out(keys.of_labels, values.of_labels);
  remove_members(values.others, keys.options_of_kinds);
  return values;
}

std::size_t ways_to_differ(const DistinctValues& a, const DistinctValues& b) {
  std::size_t ways = (a.of_labels != b.of_labels ? 1 : 0) + (a.others != b.others ? 1 : 0);
  for (std::size_t k = 0; k < a.swept.size(); ++k) ways += a.swept[k] != b.swept[k] ? 1 : 0;
  return ways;
}

Json circumstances_without(const RecordedRun& run, const std::string& pointer, const std::vector<RecordedRun>& all) {
  Json scenario = circumstances_of(run);
  remove_members(scenario, options_beside(pointer, all));
  if (Document(scenario).has(pointer)) scenario[Json::json_pointer(pointer)] = nullptr;
  return scenario;
}

}  // namespace lagnet
