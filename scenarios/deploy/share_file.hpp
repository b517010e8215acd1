#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "scenarios/data/data_share.hpp"
#include "scenarios/deploy/deploy_plan.hpp"

namespace lagnet {

/// Where the shares of a plan's data lie: "plan.data" for "plan.json", in which a process has a file.
std::filesystem::path shares_folder(const std::filesystem::path& plan);
std::filesystem::path share_file(const std::filesystem::path& plan, std::uint32_t process);

/// Writes for each process of a plan the data of its agents, so that its computer needs no others. Throws Diagnosed
/// for a plan that cannot be read, RunError where its data cannot be divided, and OutputError where the folder exists
/// or cannot be written; nothing is left of it then.
void make_shares(const std::filesystem::path& plan);

/// A share as the text of a file: CBOR, in which numbers are little-endian binary64.
std::string share_text(const DataShare& share, const Hello::Digest& scenario, std::uint32_t process);
/// Throws RunError where the file is no share of that process of that plan.
DataShare read_share(const std::filesystem::path& file, const DeployPlan& plan, std::uint32_t process);

}  // namespace lagnet
