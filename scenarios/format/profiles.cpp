#include "scenarios/format/profiles.hpp"

#include <algorithm>

namespace lagnet {

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = [] {
    std::vector<Profile> read;
    for (const auto& [name, text] : profile_texts()) {
      const Json file = Json::parse(text);
      read.push_back({.name = std::string(name),
                      .summary = file.at("summary"),
                      .sources = file.at("sources").get<std::vector<std::string>>(),
                      .network = file.at("network")});
    }
    std::ranges::sort(read, {}, &Profile::name);
    return read;
  }();
  return all;
}

const Profile* find_profile(std::string_view name) {
  const auto found = std::ranges::find(profiles(), name, &Profile::name);
  return found == profiles().end() ? nullptr : &*found;
}

std::vector<std::string> names_of_profiles() {
  std::vector<std::string> names;
  for (const Profile& one : profiles()) names.push_back(one.name);
  return names;
}

}  // namespace lagnet
