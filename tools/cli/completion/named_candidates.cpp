#include "tools/cli/completion/named_candidates.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "scenarios/format/column_dictionary.hpp"
#include "scenarios/format/kinds/listings.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/json/schema.hpp"
#include "tools/cli/completion/key_candidates.hpp"
#include "tools/flags/scenario_keys.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

std::vector<Candidate> kinds_of(std::string_view what) {
  std::vector<Candidate> list;
  for (const Listing& listing : listings())
    if (what.empty() || listing.what == what)
      for (const KindOfOptions* kind : listing.kinds)
        list.push_back({std::string(kind->kind), std::string(kind->summary)});
  return list;
}

std::vector<Candidate> described_names() {
  std::vector<Candidate> list = kinds_of("");
  for (const Section& section : sections()) list.push_back({section.name, std::string(section.text)});
  for (const auto& [key, what] : keys_with_kinds()) list.push_back({key, "a key with kinds"});
  for (const ColumnPlaces& places : all_columns())
    if (places.column->name.find('*') == std::string_view::npos)
      list.push_back({std::string(places.column->name), std::string(places.column->meaning)});
  return list;
}

std::vector<Candidate> listing_names() {
  std::vector<Candidate> list;
  for (const Listing& listing : listings()) list.push_back({std::string(listing.what)});
  list.push_back({"columns"});
  list.push_back({"papers"});
  return list;
}

std::vector<Candidate> options_of(std::string_view algorithm) {
  std::vector<Candidate> list;
  for (const Listing& listing : listings())
    if (listing.what == "algorithms")
      for (const KindOfOptions* kind : listing.kinds)
        if (kind->kind == algorithm)
          for (const FieldText& field : kind->describe())
            list.push_back({std::string(field.key) + "=", std::string(field.description)});
  return list;
}

/// The scenario that was typed with its settings as far as they go, so that its kinds are known; {} if there is none.
Json typed_scenario(const Question& question) {
  constexpr std::uintmax_t longest = 1 << 20;  // a longer one would take longer than one waits for a key
  Json document = Json::object();
  fs::path path = question.scenario;
  std::error_code none;
  if (fs::is_directory(path, none)) path /= "scenario.json";
  Diagnostics ignored("");
  if (fs::is_regular_file(path, none) && fs::file_size(path, none) <= longest) {
    try {
      document = read_json_file(path, ignored);
    } catch (const ScenarioError&) {  // who runs it will be told
    }
  }
  for (const std::string& setting : question.settings)
    if (!setting.starts_with('@')) apply_setting(document, setting, ignored);
  return document;
}

/// The columns of progress.csv in a result folder, or in the first point of a sweep that has one.
std::vector<Candidate> columns_in(const fs::path& folder) {
  std::error_code none;
  fs::path table = folder / "progress.csv";
  std::vector<fs::path> points;
  if (!fs::is_regular_file(table, none))
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (fs::is_regular_file(entry.path() / "progress.csv", none)) points.push_back(entry.path() / "progress.csv");
  if (!points.empty()) table = *std::ranges::min_element(points);
  std::vector<Candidate> list;
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);
  std::istringstream names(line);
  for (std::string name; std::getline(names, name, ',');) list.push_back({name});
  return list;
}

/// "@FILE": shells do not see that a file's name begins behind the sign.
std::vector<Candidate> files_behind_sign(const std::string& word) {
  std::vector<Candidate> list;
  const std::string typed = word.substr(1);
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, none)) {
    const bool is_folder = entry.is_directory(none);
    if (is_folder || entry.path().extension() == ".json")
      list.push_back({"@" + folder + entry.path().filename().string() + (is_folder ? "/" : "")});
  }
  return list;
}

}  // namespace

std::vector<Candidate> named_candidates(const Question& question) {
  constexpr std::string_view options = "options of ";
  const std::string& what = question.what;
  if (what == "listings") return listing_names();
  if (what == "names") return described_names();
  if (what.starts_with(options)) return options_of(std::string_view(what).substr(options.size()));
  if (what == "columns") return columns_in(question.scenario);
  if (what == "settings" && question.word.starts_with('@')) return files_behind_sign(question.word);
  if (what == "keys" || what == "settings" || what == "sweeps")
    return key_candidates(schema_of<Scenario>(), typed_scenario(question), question.word,
                          what == "keys"       ? KeyForm::key
                          : what == "settings" ? KeyForm::value
                                               : KeyForm::values);
  return kinds_of(what);
}

}  // namespace lagnet::tools
