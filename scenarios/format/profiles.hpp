#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/json/fields.hpp"

namespace lagnet {

/// Values of the section "network" for a kind of network that people have.
struct Profile {
  std::string name;
  std::string summary;
  std::vector<std::string> sources;  // of the values, one for each of some keys
  Json network;
};

/// Those of scenarios/profiles, by name.
const std::vector<Profile>& profiles();
/// The profile of this name; null for an unknown name.
const Profile* find_profile(std::string_view name);
std::vector<std::string> names_of_profiles();

/// Their names and files, as the program was built with them.
const std::vector<std::pair<std::string_view, std::string_view>>& profile_texts();

}  // namespace lagnet
