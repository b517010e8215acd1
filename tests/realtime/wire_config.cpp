#include "tests/realtime/wire_config.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace lagnet::wire {

namespace {

/// A value as written in the file, shortened.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

/// A key as a token of a JSON pointer (RFC 6901).
std::string token_of(std::string_view key) {
  std::string token;
  for (const char c : key) token += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return token;
}

/// Collects errors, so that all of them are reported at once.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}
  void add(const std::string& pointer, const std::string& what) {
    const std::string where = pointer.empty() ? file_ : fmt::format("{}: {}", file_, pointer);
    lines_ += fmt::format("{}wire: {}: {}", lines_.empty() ? "" : "\n", where, what);
  }
  void throw_if_any() const {
    if (!lines_.empty()) throw ConfigError(lines_);
  }

 private:
  std::string file_, lines_;
};

/// Finds members that stand twice in one object, of which the parser would silently keep the last.
class TwiceFinder {
 public:
  explicit TwiceFinder(Problems& problems) : problems_(problems) {}

  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      levels_.push_back({.is_array = event == Event::array_start});
    } else if (event == Event::key) {
      levels_.back().key = parsed.get<std::string>();
      if (!levels_.back().keys.insert(levels_.back().key).second) problems_.add(pointer(), "stands here twice");
    } else {
      if (event != Event::value) levels_.pop_back();
      if (!levels_.empty()) ++levels_.back().index;
    }
    return true;
  }

 private:
  struct Level {
    bool is_array = false;
    std::size_t index = 0;
    std::string key{};
    std::set<std::string> keys{};
  };

  std::string pointer() const {
    std::string text;
    for (const Level& level : levels_)
      text += "/" + (level.is_array ? std::to_string(level.index) : token_of(level.key));
    return text;
  }

  Problems& problems_;
  std::vector<Level> levels_;
};

/// The members of one object of the file. What is wrong goes to the problems, and the fallback is returned.
class Members {
 public:
  Members(Problems& problems, const Json& object, std::string pointer, std::initializer_list<std::string_view> known)
      : problems_(problems), object_(object), pointer_(std::move(pointer)) {
    if (!object.is_object()) {
      problems_.add(pointer_, fmt::format("expected an object, found {}", shown(object)));
      return;
    }
    for (const auto& [key, value] : object.items())
      if (std::ranges::find(known, key) == known.end())
        problems_.add(at(key), fmt::format("expected one of {}", fmt::join(known, ", ")));
  }

  std::string at(std::string_view key) const { return fmt::format("{}/{}", pointer_, token_of(key)); }

  /// The member, or nothing (a problem if `is_required`).
  const Json* find(std::string_view key, bool is_required) const {
    if (!object_.is_object()) return nullptr;
    const auto member = object_.find(std::string(key));
    if (member != object_.end()) return &*member;
    if (is_required) problems_.add(at(key), "is missing");
    return nullptr;
  }

  void expected(std::string_view key, std::string_view what) const {
    problems_.add(at(key), fmt::format("expected {}, found {}", what, shown(object_.at(std::string(key)))));
  }

  struct Range {
    double low, high;
    bool is_required = false;
  };
  double number(std::string_view key, double fallback, Range range) const {
    const Json* value = find(key, range.is_required);
    if (!value) return fallback;
    if (value->is_number() && value->get<double>() >= range.low && value->get<double>() <= range.high)
      return value->get<double>();
    expected(key, fmt::format("a number from {} to {}", range.low, range.high));
    return fallback;
  }

  std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t low, std::int64_t high) const {
    const Json* value = find(key, false);
    if (!value) return fallback;
    if (value->is_number_integer() && *value >= low && *value <= high) return value->get<std::int64_t>();
    expected(key, fmt::format("an integer from {} to {}", low, high));
    return fallback;
  }

  bool flag(std::string_view key) const {
    const Json* value = find(key, false);
    if (value && !value->is_boolean()) expected(key, "true or false");
    return value && value->is_boolean() && value->get<bool>();
  }

  std::string text(std::string_view key) const {
    const Json* value = find(key, true);
    if (value && !value->is_string()) expected(key, "a text");
    return value && value->is_string() ? value->get<std::string>() : std::string();
  }

  const Json& list(std::string_view key) const {
    static const Json none = Json::array();
    const Json* value = find(key, true);
    if (value && !value->is_array()) expected(key, "a list");
    return value && value->is_array() ? *value : none;
  }

 private:
  Problems& problems_;
  const Json& object_;
  std::string pointer_;
};

constexpr std::size_t longest_name = 32;

/// The name becomes part of the name of a file.
bool is_host_name(const std::string& name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  return !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, is_plain);
}

/// An address that a host in a network of 256 addresses can have.
std::optional<std::uint32_t> host_address(const std::string& text) {
  in_addr parsed{};
  if (inet_pton(AF_INET, text.c_str(), &parsed) != 1) return std::nullopt;
  const std::uint32_t address = ntohl(parsed.s_addr);
  const std::uint32_t first = address >> 24, last = address & 255;
  if (first == 0 || first == 127 || first >= 224 || last == 0 || last == 255) return std::nullopt;
  return address;
}

void add_host(Config& config, const Members& members) {
  HostConfig host{.name = members.text("name")};
  const std::string address = members.text("address");
  const auto is_same = [&](const HostConfig& other) { return !host.name.empty() && other.name == host.name; };
  if (!host.name.empty() && !is_host_name(host.name))
    members.expected("name", fmt::format("at most {} letters, digits, - and _", longest_name));
  if (std::ranges::any_of(config.hosts, is_same)) members.expected("name", "a name that no other host has");
  if (const auto parsed = host_address(address)) {
    host.address = *parsed;
    const auto known = std::ranges::find_if(config.hosts, [](const HostConfig& other) { return other.address != 0; });
    if (known != config.hosts.end() && (known->address ^ host.address) >> 8 != 0)
      members.expected("address", "the first three bytes of the other hosts");
    if (std::ranges::any_of(config.hosts, [&](const HostConfig& other) { return other.address == host.address; }))
      members.expected("address", "an address that no other host has");
  } else if (!address.empty()) {
    members.expected("address", "the IPv4 address of a host, such as 10.77.0.1");
  }
  config.hosts.push_back(std::move(host));  // also if it is wrong, so that links to it are no problems of their own
}

void add_link(Config& config, const Members& members) {
  const auto host = [&](std::string_view key) {
    const std::string name = members.text(key);
    if (name.empty()) return config.hosts.size();
    const auto found = std::ranges::find(config.hosts, name, &HostConfig::name);
    if (found == config.hosts.end()) members.expected(key, "the name of a host");
    return static_cast<std::size_t>(found - config.hosts.begin());
  };
  LinkConfig link{.from = host("from"), .to = host("to")};
  if (link.from < config.hosts.size() && link.to < config.hosts.size()) {
    const auto is_same = [&](const LinkConfig& other) { return other.from == link.from && other.to == link.to; };
    if (link.from == link.to) members.expected("to", "another host than that of from");
    if (std::ranges::any_of(config.links, is_same)) members.expected("to", "at most one link between two hosts");
  }
  const auto ns = [&](std::string_view key, bool is_required) {
    return std::llround(1e6 * members.number(key, 0, {.low = 0, .high = 60'000, .is_required = is_required}));
  };
  link.latency_ns = ns("latency_ms", true);
  link.jitter_ns = ns("jitter_ms", false);
  link.drop_probability = members.number("drop_probability", 0, {.low = 0, .high = 1});
  const double mbit_per_s = members.number("bandwidth_mbit_per_s", 0, {.low = 0.001, .high = 100'000});
  if (mbit_per_s > 0) link.ns_per_byte = 8e3 / mbit_per_s;
  link.queue_bytes = members.integer("queue_bytes", std::max(1'000'000, config.mtu), config.mtu, 1'000'000'000);
  link.may_reorder = members.flag("may_reorder");
  config.links.push_back(link);
}

Config read_members(const Json& document, Problems& problems) {
  const Members top(problems, document, "", {"hosts", "links", "mtu", "seed"});
  Config config;
  if (!document.is_object()) return config;
  config.mtu = static_cast<int>(top.integer("mtu", 1500, 576, 65'535));
  config.seed = static_cast<std::uint64_t>(top.integer("seed", 1, 0, std::int64_t{1} << 53));
  const Json& hosts = top.list("hosts");
  const Json& links = top.list("links");
  for (std::size_t k = 0; k < hosts.size(); ++k)
    add_host(config, Members(problems, hosts[k], fmt::format("/hosts/{}", k), {"name", "address"}));
  for (std::size_t k = 0; k < links.size(); ++k)
    add_link(config, Members(problems, links[k], fmt::format("/links/{}", k),
                             {"from", "to", "latency_ms", "jitter_ms", "drop_probability", "bandwidth_mbit_per_s",
                              "queue_bytes", "may_reorder"}));
  return config;
}

}  // namespace

Config read_config(const std::string& file) {
  Problems problems(file);
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();  // nothing where the file is a folder
  if (!in) problems.add("", "cannot be read");
  problems.throw_if_any();
  Config config;
  try {
    config = read_members(Json::parse(text.str(), TwiceFinder(problems)), problems);
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();  // after a number of the library there is the place, or the value
    problems.add("", fmt::format("expected JSON: {}", what.substr(std::min(what.find("] "), what.size() - 2) + 2)));
  }
  problems.throw_if_any();
  return config;
}

}  // namespace lagnet::wire
