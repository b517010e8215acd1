#include "scenarios/tune/tuned_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/tune/tune.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

constexpr const char* wish = "tune";
constexpr double widest = 32;  // how far candidates are from theory's value, as a factor

/// Replaces the wish in the members of algorithms, of the scenario's own and of those that a sweep lists, by null,
/// which stands for theory's value in every option that has one.
void replace(Json& value) {
  if (value == wish) value = nullptr;
  if (value.is_structured())
    for (Json& part : value) replace(part);
}

/// The keys of the algorithm that are to be tuned.
std::vector<std::string> wishes(const Json& document) {
  std::vector<std::string> keys;
  if (document.contains("algorithm") && document["algorithm"].is_object())
    for (const auto& [key, value] : document["algorithm"].items())
      if (value == wish) keys.push_back(key);
  return keys;
}

/// The name of an option among the constants in use: methods call some by their symbols.
std::string constant_name(const std::string& key) { return key == "client_step" ? "eta_c" : key; }

/// Theory's value of an option of a point's algorithm.
double theory_value(const Experiment& made, const ScenarioFile& point, const std::string& key) {
  const std::vector<Constant> constants = made.algorithm->constants();
  const auto found = std::ranges::find(constants, constant_name(key), &Constant::first);
  if (found != constants.end() && found->second > 0) return found->second;
  Diagnostics problems(point.shown);
  problems.add("/algorithm/" + key, "an option with a theoretical value", wish);
  problems.fail();
}

/// A contestant: its first point, what its options are by theory, and what came out.
struct Contestant {
  Json circumstances;  // of the points, without their seeds
  ScenarioFile file;
  std::vector<std::pair<std::string, double>> theory;  // by key
  Json values;                                         // by pointer
  std::vector<std::uint64_t> seeds = {};               // of its points, if they have several
};

ScenarioFile to_be_tuned(const Contestant& one) {
  ScenarioFile file = one.file;
  Json ranges = Json::object();
  for (const auto& [key, value] : one.theory) {
    ranges["/algorithm/" + key] = {{"low", value / widest}, {"high", value * widest}};
    file.document["algorithm"][key] = value;
  }
  file.document["tune"] = {{"candidates", tuning_budget}, {"draws", "latin_hypercube"}, {"ranges", std::move(ranges)}};
  if (one.seeds.size() > 1) file.document["tune"]["seeds"] = one.seeds;
  return file;
}

void tune(Contestant& one, const fs::path& folder, const ExecuteOptions& options) {
  const ScenarioFile file = to_be_tuned(one);
  const Json facts = execute_tune(file, folder, options);
  if (facts["chosen"].is_null())
    throw OutputError(fmt::format("{}: none of {} candidates can be chosen; candidates.csv says why", folder.string(),
                                  tuning_budget));
  one.values = facts["chosen"]["values"];
}

std::string sentence(const Contestant& one) {
  std::string text = one.file.document["algorithm"].value("kind", "algorithm");
  if (one.file.document.contains("topology") && one.file.document["topology"].is_object())
    text += ", " + one.file.document["topology"].value("kind", "topology");
  for (const auto& [key, theory] : one.theory) {
    const double value = one.values["/algorithm/" + key].get<double>();
    text += fmt::format(": {} = {:.4g}, {:.3g} times theory's", key, value, value / theory);
  }
  return text;
}

/// A point of a sweep with the values found: within the algorithm if the sweep sets that, else beside what it sets.
Json with_found(const SweepPoint& point, const Json& values) {
  Json settings = Json::object();
  if (const std::string label = label_of(point.file.document); !label.empty()) settings["label"] = label;
  for (const auto& [pointer, value] : point.values) settings[pointer] = value;
  for (const auto& [pointer, value] : values.items()) {
    const std::string key = pointer.substr(pointer.rfind('/') + 1);
    if (settings.contains("/algorithm") && settings["/algorithm"].is_object())
      settings["/algorithm"][key] = value;
    else
      settings[pointer] = value;
  }
  return settings;
}

}  // namespace

bool asks_for_tuning(const ScenarioFile& file) { return with_theory(file).document != file.document; }

ScenarioFile with_theory(const ScenarioFile& file) {
  ScenarioFile changed = file;
  if (!changed.document.is_object()) return changed;
  if (changed.document.contains("algorithm")) replace(changed.document["algorithm"]);
  if (!changed.document.contains("sweep") || !changed.document["sweep"].is_object()) return changed;
  for (const auto& [pointer, values] : changed.document["sweep"].items())
    if (pointer.starts_with("/algorithm") || pointer == "points") replace(values);
  return changed;
}

TunedScenario tuned_steps(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options) {
  check_replaceable(out);
  const std::vector<SweepPoint> points = sweep_points(file);
  ExperimentCache cache;
  std::vector<Contestant> contestants;
  std::vector<std::size_t> whose;  // contestant of each point; one past the last for a point without a wish
  for (const SweepPoint& point : points) {
    const std::vector<std::string> keys = wishes(point.file.document);
    Json circumstances = point.file.document;
    circumstances.erase("seed");
    const auto same = std::ranges::find(contestants, circumstances, &Contestant::circumstances);
    whose.push_back(static_cast<std::size_t>(same - contestants.begin()));
    const auto seed = point.file.document.value("seed", std::uint64_t{1});
    if (same != contestants.end()) {
      same->seeds.push_back(seed);
      continue;
    }
    Contestant made{
        .circumstances = std::move(circumstances), .file = point.file, .theory = {}, .values = {}, .seeds = {seed}};
    if (!keys.empty()) {
      const Experiment experiment = assemble(read_scenario(with_theory(point.file)), file.shown, cache);
      for (const std::string& key : keys) made.theory.emplace_back(key, theory_value(experiment, point.file, key));
    }
    contestants.push_back(std::move(made));
  }

  TunedScenario tuned{.file = file, .found = {}};
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    Contestant& one = contestants[i];
    if (one.theory.empty()) continue;
    fs::path folder = out;
    folder += "-tuning";
    tune(one, folder / folder_of_point(i, contestants.size()), options);
    tuned.found.push_back(sentence(one));
  }
  Json& document = tuned.file.document;
  const Json own = contestants[whose.front()].values;
  if (points.size() == 1 && points.front().values.empty()) {
    for (const auto& [pointer, value] : own.items()) document[Json::json_pointer(pointer)] = value;
  } else {
    Json list = Json::array();
    for (std::size_t i = 0; i < points.size(); ++i) list.push_back(with_found(points[i], contestants[whose[i]].values));
    document["sweep"] = {{"points", std::move(list)}};
    document = with_theory(tuned.file).document;  // where every point sets the algorithm, its own wish has no effect
  }
  std::string told = document.value("description", "");
  told += fmt::format("{}options of {} contestants tuned with {} candidates each", told.empty() ? "" : "; ",
                      tuned.found.size(), tuning_budget);
  document["description"] = told;
  return tuned;
}

}  // namespace lagnet
