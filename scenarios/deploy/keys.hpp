#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "scenarios/deploy/deploy_plan.hpp"
#include "sim/realtime/stream.hpp"

namespace lagnet {

/// Where the certificates of a plan's processes lie unless a user says something else: "plan.keys" for "plan.json".
std::filesystem::path keys_folder(const std::filesystem::path& plan);

/// Makes certificates for all processes of a plan, which are valid for `days` days. Each gets a folder with what its
/// computer needs, its private key among it, which its owner alone can read. Throws Diagnosed for a plan that
/// cannot be read, and OutputError where the folder exists or cannot be written; nothing is left of it then.
void make_keys(const std::filesystem::path& plan, const std::filesystem::path& folder, int days);

struct SecurityOptions {
  std::optional<std::filesystem::path> keys;  // folder of make_keys(); by default keys_folder(), where it exists
  bool is_insecure = false;                   // may talk in plain text to other computers
};

/// By what a process of a plan encrypts its connections; null: it does not. Throws Diagnosed where others are on
/// other computers, there are no certificates, and plain text is not allowed; RunError as Tls does.
std::shared_ptr<const Tls> security_of(const DeployPlan& plan, const std::filesystem::path& file, std::uint32_t process,
                                       const SecurityOptions& options);

}  // namespace lagnet
