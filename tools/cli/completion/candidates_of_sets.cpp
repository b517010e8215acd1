#include "tools/cli/completion/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "scenarios/format/column_dictionary.hpp"
#include "scenarios/format/kinds/listings.hpp"
#include "scenarios/format/profiles.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/fields.hpp"
#include "tools/flags/scenario_keys.hpp"

namespace lagnet::tools {

namespace {

std::vector<Candidate> kinds_of(std::string_view what) {
  std::vector<Candidate> list;
  for (const Listing& listing : listings())
    if (what.empty() || listing.what == what)
      for (const KindOfOptions* kind : listing.kinds)
        list.push_back({std::string(kind->kind), std::string(kind->summary)});
  return list;
}

std::vector<Candidate> columns() {
  std::vector<Candidate> list;
  std::set<std::string_view> seen;
  for (const ColumnPlaces& places : all_columns())
    if (places.column->name.find('*') == std::string_view::npos && seen.insert(places.column->name).second)
      list.push_back({std::string(places.column->name), std::string(places.column->meaning)});
  return list;
}

std::vector<Candidate> profile_names() {
  std::vector<Candidate> list;
  for (const Profile& profile : profiles()) list.push_back({profile.name, profile.summary});
  return list;
}

std::vector<Candidate> described_names() {
  std::vector<Candidate> list = kinds_of("");
  for (const Section& section : sections()) list.push_back({section.name, std::string(section.text)});
  for (const auto& [key, what] : keys_with_kinds()) list.push_back({key, "a key with kinds"});
  std::ranges::move(columns(), std::back_inserter(list));
  std::ranges::move(profile_names(), std::back_inserter(list));
  return list;
}

std::vector<Candidate> listing_names() {
  std::vector<Candidate> list;
  for (const Listing& listing : listings()) list.push_back({std::string(listing.what)});
  list.push_back({"profiles"});
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

/// Keys of scenarios that begin like `word`, in its spelling ("/topology/agents" or "topology.agents") and up to the
/// end of the part that is typed. `end` follows a whole key.
std::vector<Candidate> keys_like(const std::string& word, const char* end) {
  const bool is_pointer = word.starts_with('/');
  std::map<std::string, std::string> found;
  const auto add = [&](std::string key, std::string_view summary) {
    if (key.find('[') != std::string::npos) return;  // of the elements of a list
    if (is_pointer) key = "/" + boost::replace_all_copy(key, ".", "/");
    key += end;
    const std::size_t next = key.find(is_pointer ? '/' : '.', word.size());
    if (key.starts_with(word)) found.emplace(key.substr(0, next == std::string::npos ? next : next + 1), summary);
  };
  for (const FieldText& field : describe<Scenario>()) {
    if (field.type.starts_with("object")) continue;
    const auto kinds = keys_with_kinds().find(field.key.substr(field.key.rfind('.') + 1));
    std::string_view what = field.key == "topology" ? "topologies" : "";
    if (kinds != keys_with_kinds().end() && !field.type.starts_with("list")) what = kinds->second;
    if (what.empty()) add(field.key, field.description);
    for (const Listing& listing : listings())
      for (const KindOfOptions* kind : listing.what == what ? listing.kinds : std::vector<const KindOfOptions*>()) {
        add(field.key + (what == "data" ? ".source" : ".kind"), fmt::format("one of the {}", what));
        for (const FieldText& option : kind->describe()) add(field.key + "." + option.key, option.description);
      }
  }
  std::vector<Candidate> list;
  for (const auto& [key, summary] : found) list.push_back({key, summary});
  return list;
}

}  // namespace

std::vector<Candidate> named_candidates(const std::string& set, const std::string& word) {
  constexpr std::string_view options = "options of ";
  if (set == "listings") return listing_names();
  if (set == "names") return described_names();
  if (set.starts_with(options)) return options_of(std::string_view(set).substr(options.size()));
  if (set == "columns") return columns();
  if (set == "profiles") return profile_names();
  if (set == "keys") return keys_like(word, "");
  return set == "settings" ? keys_like(word, "=") : kinds_of(set);
}

}  // namespace lagnet::tools
