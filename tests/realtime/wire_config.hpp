#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

/// The configuration of `wire`: hosts, and directed links between them. README.md has the members of the file.
namespace lagnet::wire {

using Json = nlohmann::ordered_json;

struct HostConfig {
  std::string name;
  std::uint32_t address = 0;  // IPv4, the first byte on top
};

struct LinkConfig {
  std::size_t from = 0;  // index of a host
  std::size_t to = 0;
  std::int64_t latency_ns = 0;
  std::int64_t jitter_ns = 0;  // uniform from 0 to this, on top of the latency
  double drop_probability = 0;
  double ns_per_byte = 0;  // of transmission; 0: no limit of bandwidth
  std::int64_t queue_bytes = 0;
  bool may_reorder = false;
};

struct Config {
  std::vector<HostConfig> hosts;
  std::vector<LinkConfig> links;
  std::uint64_t seed = 1;
  int mtu = 1500;
};

/// A file cannot be used; what() has a line for everything that is wrong with it.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a file. Throws ConfigError.
Config read_config(const std::string& file);

}  // namespace lagnet::wire
