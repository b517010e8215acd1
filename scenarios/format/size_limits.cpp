#include "scenarios/format/size_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace lagnet {

namespace {

constexpr std::int64_t most_agents = 1'000'000'000;  // a link has a number of 32 bits in each direction
constexpr std::int64_t most_of_complete = 65'536;    // whose links are nearly the square of the agents
constexpr std::int64_t most_rows = 1'000'000'000'000;
constexpr std::int64_t most_steps = 1'000'000'000;
constexpr double most_numbers = 1e12;  // of a matrix, eight bytes each
constexpr double most_work = 1e17;  // numbers read in a round, at which some flops and sixteen bytes each are counted

/// An integer that a 64-bit field can hold; of others the reader tells.
std::optional<std::int64_t> integer_of(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    return std::nullopt;
  return value.get<std::int64_t>();
}

std::optional<std::int64_t> integer_at(const Json& object, const char* key) {
  const auto member = object.find(key);
  return member == object.end() ? std::nullopt : integer_of(*member);
}

Json section(const Json& scenario, const char* key) {
  const auto member = scenario.find(key);
  return member != scenario.end() && member->is_object() ? *member : Json::object();
}

/// Integers that stand directly in a section.
void check_members(const Json& object, const std::string& pointer, std::int64_t most, Problems& problems) {
  for (const auto& [key, value] : object.items())
    if (const auto number = integer_of(value); number && *number > most)
      problems.add(child_pointer(pointer, key), fmt::format("an integer at most {}", most), shown(value));
}

/// The most local steps at any depth, since stages may have their own.
std::int64_t check_steps(const Json& value, const std::string& pointer, Problems& problems) {
  std::int64_t most = 1;
  if (!value.is_structured()) return most;
  for (const auto& [key, member] : value.items()) {
    const auto number = key == "local_steps" ? integer_of(member) : std::nullopt;
    if (number && *number > most_steps)
      problems.add(child_pointer(pointer, key), fmt::format("an integer at most {}", most_steps), shown(member));
    most = std::max({most, number.value_or(1), check_steps(member, child_pointer(pointer, key), problems)});
  }
  return most;
}

/// How many samples generated data have; 0 where the section does not say.
double samples_of(const Json& data) {
  if (const auto samples = integer_at(data, "samples")) return static_cast<double>(*samples);
  const auto clients = integer_at(data, "clients"), each = integer_at(data, "samples_per_client");
  return clients && each ? static_cast<double>(*clients) * static_cast<double>(*each) : 0;
}

}  // namespace

void check_sizes(const Json& scenario, Problems& problems) {
  if (!scenario.is_object()) return;
  const std::size_t before = problems.count();
  const Json data = section(scenario, "data"), topology = section(scenario, "topology");
  const Json algorithm = section(scenario, "algorithm");
  check_members(data, "/data", most_rows, problems);
  const bool is_complete = topology.value("kind", Json()) == "complete";
  check_members(topology, "/topology", is_complete ? most_of_complete : most_agents, problems);
  const std::int64_t steps = check_steps(algorithm, "/algorithm", problems);
  if (problems.count() != before) return;

  const auto rows = static_cast<double>(integer_at(topology, "rows").value_or(0));
  const auto columns = static_cast<double>(integer_at(topology, "columns").value_or(0));
  if (rows * columns > most_agents)
    problems.add("/topology", fmt::format("rows times columns at most {}", most_agents),
                 fmt::format("{:.6g}", rows * columns));

  const double features = static_cast<double>(integer_at(data, "features").value_or(0));
  const double samples = samples_of(data), numbers = samples * features;
  // Neither reduced data nor those that are not made are held.
  const bool is_held =
      data.value("source", Json()) != "rotated_regression" && scenario.value("numerics", Json()) != "off";
  if (is_held && numbers > most_numbers)
    problems.add("/data", fmt::format("samples times features at most {:g}", most_numbers),
                 fmt::format("{:.6g}", numbers));
  const auto batch = static_cast<double>(integer_at(algorithm, "batch").value_or(0));
  const double work = (batch > 0 ? std::min(batch, samples) : samples) * features * static_cast<double>(steps);
  if (problems.count() == before && std::max(numbers, work) > most_work)
    problems.add(steps > 1 ? "/algorithm" : "/data",
                 fmt::format("samples times features{} at most {:g}, for flops that can be counted",
                             steps > 1 ? " times local steps" : "", most_work),
                 fmt::format("{:.6g}", std::max(numbers, work)));
}

}  // namespace lagnet
