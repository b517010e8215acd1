#include <limits>

#include "scenarios/format/kinds/participation_kinds.hpp"

namespace lagnet {

namespace {

using MadeParticipation = std::shared_ptr<const Participation>;

MadeParticipation make_clients(const FullOptions&, std::uint64_t) {
  return std::make_shared<const FullParticipation>();
}

MadeParticipation make_clients(const RandomSubsetOptions& options, std::uint64_t seed) {
  return std::make_shared<const RandomSubset>(
      options.size ? RandomSubset::of_size(seed, static_cast<std::size_t>(*options.size))
                   : RandomSubset::of_fraction(seed, options.fraction.value(), options.rounding));
}

MadeParticipation make_clients(const IndependentOptions& options, std::uint64_t seed) {
  return std::make_shared<const IndependentParticipation>(seed, options.probability, options.nobody_allowed);
}

MadeParticipation make_clients(const CyclicOptions& options, std::uint64_t) {
  return std::make_shared<const CyclicParticipation>(static_cast<std::size_t>(options.groups), options.sets);
}

MadeParticipation make_clients(const ListedOptions& options, std::uint64_t) {
  std::vector<std::vector<AgentId>> rounds;
  for (const auto& listed : options.rounds) {
    auto& members = rounds.emplace_back();
    for (const std::int64_t agent : listed) members.push_back(static_cast<AgentId>(agent));
  }
  return std::make_shared<const ListedParticipation>(std::move(rounds));
}

MadeParticipation make_clients(const PowerOfChoiceOptions& options, std::uint64_t) {
  return std::make_shared<const ServersChoice>(static_cast<std::size_t>(options.size),
                                               std::vector{std::pair(std::string("candidates"), options.candidates)});
}

MadeParticipation make_clients(const OortOptions& options, std::uint64_t) {
  return std::make_shared<const ServersChoice>(static_cast<std::size_t>(options.size),
                                               std::vector{std::pair(std::string("size"), options.size)});
}

MadeParticipation make_clients(const TiersOptions& options, std::uint64_t) {
  return std::make_shared<const ServersChoice>(  // in the first rounds it asks all
      std::numeric_limits<std::size_t>::max(),
      std::vector{std::pair(std::string("tiers"), options.tiers), std::pair(std::string("size"), options.size)});
}

MissingNeighbor make_missing(const WaitOptions&) { return {}; }

MissingNeighbor make_missing(const ReuseLastOptions& options) {
  return {.kind = MissingNeighborKind::reuse_last, .deadline = Duration::milliseconds(options.deadline_ms)};
}

MissingNeighbor make_missing(const SkipOptions& options) {
  return {.kind = MissingNeighborKind::skip, .deadline = Duration::milliseconds(options.deadline_ms)};
}

}  // namespace

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<std::shared_ptr<const Participation>, std::uint64_t>& ClientsFamily::catalogue() {
  static const auto all = Catalogue<std::shared_ptr<const Participation>, std::uint64_t>::of<
      FullOptions,
      RandomSubsetOptions,
      IndependentOptions,
      CyclicOptions,
      ListedOptions,
      PowerOfChoiceOptions,
      OortOptions,
      TiersOptions>([](const auto& options, std::uint64_t seed) {
    return make_clients(options, seed);
  });
  return all;
}

const Catalogue<MissingNeighbor>& MissingNeighborFamily::catalogue() {
  static const auto all = Catalogue<MissingNeighbor>::of<
      WaitOptions,
      ReuseLastOptions,
      SkipOptions>([](const auto& options) {
    return make_missing(options);
  });
  return all;
}
// clang-format on

}  // namespace lagnet
