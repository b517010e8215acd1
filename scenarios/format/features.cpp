#include "scenarios/format/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "scenarios/format/scenario.hpp"
#include "scenarios/json/fields.hpp"

namespace lagnet {

namespace {

template <class T>
constexpr Effects but(Effects effects, T Effects::*member, T value) {
  effects.*member = value;
  return effects;
}

/// Effects that several options have.
constexpr Effects of_steps{.draws_per_message = false,
                           .losses = Losses::none,
                           .by_clock = ByClock::nothing,
                           .keeps_order = true,
                           .needs_numbers = false,
                           .in_recursion = InRecursion::as_steps,
                           .in_processes = InProcesses::yes};
constexpr Effects of_times = but(of_steps, &Effects::in_recursion, InRecursion::as_times);
constexpr Effects of_rounds = but(of_steps, &Effects::losses, Losses::for_good);  // of who takes part in one
constexpr Effects of_other_times = but(of_steps, &Effects::in_recursion, InRecursion::no);
constexpr Effects of_times_by_clock = but(of_other_times, &Effects::by_clock, ByClock::times);
constexpr Effects of_queues = but(but(of_times_by_clock, &Effects::losses, Losses::unless_sent_again),
                                  &Effects::in_processes, InProcesses::left_out);
constexpr Effects of_waiting =
    but(but(of_other_times, &Effects::by_clock, ByClock::values), &Effects::losses, Losses::for_good);
constexpr Effects by_answers = but(of_waiting, &Effects::needs_numbers, true);
constexpr Effects by_losses = but(by_answers, &Effects::by_clock, ByClock::nothing);
constexpr Effects of_absence = but(of_waiting, &Effects::in_processes, InProcesses::no);
constexpr Effects drawn_for_messages{.draws_per_message = true,
                                     .losses = Losses::none,
                                     .by_clock = ByClock::nothing,
                                     .keeps_order = false,
                                     .needs_numbers = false,
                                     .in_recursion = InRecursion::no,
                                     .in_processes = InProcesses::left_out};
constexpr Effects of_drawn_losses = but(drawn_for_messages, &Effects::losses, Losses::unless_sent_again);
constexpr Effects of_lossy_links =
    but(but(of_drawn_losses, &Effects::by_clock, ByClock::times), &Effects::keeps_order, true);
constexpr Effects of_windows = but(but(of_times_by_clock, &Effects::losses, Losses::unless_sent_again),
                                   &Effects::in_processes, InProcesses::left_out);

constexpr Effects for_servers(Effects effects) { return but(effects, &Effects::is_for_servers, true); }

/// Of an option in which some number changes with time.
constexpr std::string_view changing = "(changing)";
/// Of one in which messages are lost.
constexpr std::string_view lossy = "(lossy)";
/// Of one in which what waits is limited.
constexpr std::string_view with_queues = "(queues)";

// One line each, in the order in which reasons are given.
// clang-format off
constexpr Feature all_features[]{
    {"network.latency_ms", "drawn distance matrix", of_times},
    {"network.latency_ms", "schedule trace", of_times_by_clock, "latencies change with time"},
    {"network.sharing", "none fifo", of_times},
    {"network.sharing", "fair", but(of_other_times, &Effects::keeps_order, false),
     "at fair rates each message slows others down"},
    {"network.forwarding", "cut_through store_and_forward", of_times},
    {"network.send_order", "rotated ascending", of_times},
    {"network.in_order", "", of_times},
    {"network.transport", "none tcp", of_times_by_clock, "windows shrink in idle times"},
    {"network.jitter_ms", "drawn", drawn_for_messages},
    {"network.bandwidth_bytes_per_s", "drawn", of_times},
    {"network.bandwidth_bytes_per_s", "schedule trace mahimahi", of_times_by_clock, "bandwidths change with time"},
    {"network.bandwidth_bytes_per_s", "", of_times},
    {"network.symmetric", "", of_times},
    {"network.links", lossy, of_lossy_links},
    {"network.links", with_queues, of_queues, "what waits, and what is lost, is a matter of time"},
    {"network.links", changing, of_times_by_clock, "they change with time"},
    {"network.links", "", of_times},
    {"network.up_bytes_per_s", "drawn", of_times},
    {"network.up_bytes_per_s", "schedule trace mahimahi", of_times_by_clock, "bandwidths change with time"},
    {"network.down_bytes_per_s", "drawn", of_times},
    {"network.down_bytes_per_s", "schedule trace mahimahi", of_times_by_clock, "bandwidths change with time"},
    {"network.interfaces", with_queues, of_queues, "what waits, and what is lost, is a matter of time"},
    {"network.interfaces", changing, of_times_by_clock, "they change with time"},
    {"network.interfaces", "", of_times},
    {"network.underlay", lossy, of_lossy_links},
    {"network.profile", "", of_steps},
    {"network.sites", changing, of_times_by_clock, "they change with time"},
    {"network.sites", "", of_times},
    {"network.server_site", "", of_times},
    {"network.currency", "", of_steps},
    {"network.underlay", with_queues, of_queues, "what waits, and what is lost, is a matter of time"},
    {"network.underlay", changing, of_times_by_clock, "its links or routes change with time"},
    {"network.underlay", "", of_times},
    {"network.media", "", but(of_other_times, &Effects::keeps_order, true), "a page does not know them"},
    {"network.bytes_per_scalar", "", of_steps},
    {"network.header_bytes", "", of_steps},
    {"network.model_bytes", "", of_steps},
    {"network.index_bytes", "", but(of_steps, &Effects::needs_numbers, true),
     "sizes of messages depend on which numbers are zero", "which numbers are zero is not known"},
    {"network.ciphertext_bytes", "", of_steps},
    {"network.loss_probability", "schedule trace", but(of_drawn_losses, &Effects::by_clock, ByClock::times)},
    {"network.loss_probability", "", of_drawn_losses},
    {"network.burst_loss", "", of_drawn_losses},
    {"network.retransmit", "", of_steps},
    {"network.duplicate_probability", "", drawn_for_messages},
    {"network.reordering", "", drawn_for_messages},
    {"network.partitions", "", of_windows, "they begin and end at times"},
    {"network.outages", "", of_windows, "they begin and end at times"},
    {"topology.changes", "graphs", of_waiting, "which graph a round runs on is a matter of time"},
    {"topology.changes", "random_matchings random_edges", of_rounds},
    {"participation.clients", "full random_subset independent cyclic listed", for_servers(of_rounds)},
    {"participation.clients", "power_of_choice", for_servers(by_losses), "whom it asks depends on losses",
     "whom it asks depends on losses"},
    {"participation.clients", "oort", for_servers(by_answers),
     "whom it asks depends on who answers soon", "whom it asks depends on losses"},
    {"participation.clients", "tiers", for_servers(of_waiting), "whom it asks depends on who answers soon"},
    {"participation.deadline_ms", "", for_servers(of_waiting), "who answers before the deadline is a matter of time"},
    {"participation.enough", "", for_servers(of_waiting), "who answers first is a matter of time"},
    {"participation.availability", "on_off diurnal trace crash schedule", of_absence,
     "which round agents are away in is a matter of time",
     "absent agents can only be simulated; stop their processes instead"},
    {"participation.missing_neighbor", "wait reuse_last skip", of_waiting,
     "which neighbors are gone on without is a matter of time"},
    {"compute.straggler", "", of_other_times, "it is drawn for every round"},
    {"compute.update_ms", "", of_other_times, "steps are counted in flops"},
    {"compute.memory_bandwidth_bytes_per_s", "drawn", of_other_times, "steps are counted in flops"},
    {"compute.speed_flops_per_s", "trace", of_times_by_clock, "speeds change with time"},
    {"compute.speed_flops_per_s", "drawn list classes", of_times},
    // Only methods that depend on order have a clock, and these say so by their traits.
    {"compute.clock", "free poisson periodic", of_steps},
    {"compute.encryption", "", of_steps},
};
// clang-format on

constexpr bool says_why(const Feature& line) {
  const Effects& effects = line.effects;
  const bool needs_why = !effects.keep_values() || !(effects.are_in_recursion() || effects.draws_per_message);
  const bool is_elsewhere = effects.needs_numbers || effects.in_processes == InProcesses::no;
  return needs_why == !line.why.empty() && is_elsewhere == !line.why_elsewhere.empty();
}
static_assert(!Effects().keep_values() && !Effects().are_in_recursion() && Effects().losses == Losses::for_good &&
                  Effects().in_processes == InProcesses::no,
              "an option without a line is refused everywhere");
static_assert(std::ranges::all_of(all_features, says_why), "a line has a reason for each refusal, and no other");

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t end = 0; !words.empty(); words.remove_prefix(std::min(end + 1, words.size()))) {
    end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
  }
  return false;
}

bool is_choice(const Json& value) { return value.is_object() && value.contains("kind"); }
bool is_list_of_choices(const Json& value) { return value.is_array() && !value.empty() && is_choice(value.front()); }

/// Whether some number in it changes with time, or routes do.
bool changes(const Json& value) {
  if (value.is_object() && value.contains("reroute") && value["reroute"] == true) return true;
  if (is_choice(value) && has_word("schedule trace mahimahi", value["kind"].get<std::string>())) return true;
  return value.is_structured() && std::ranges::any_of(value, changes);
}

/// Whether some queue in it is limited.
bool limits(const Json& value) {
  for (const char* key : {"queue", "up_queue", "down_queue"})
    if (value.is_object() && value.contains(key) && !value[key].is_null()) return true;
  return value.is_structured() && std::ranges::any_of(value, limits);
}

/// Whether some link in it loses messages.
bool loses(const Json& value) {
  const Json given = value.is_object() ? value.value("loss_probability", Json()) : Json();
  const Json probability = is_choice(given) && given.contains("value") ? given["value"] : given;
  if (!probability.is_null() && probability != 0) return true;
  return value.is_structured() && std::ranges::any_of(value, loses);
}

bool is_of(const Feature& line, const Json& value) {
  if (is_list_of_choices(value)) return std::ranges::all_of(value, [&](const Json& one) { return is_of(line, one); });
  if (!is_choice(value) && (line.kinds.empty() || !value.is_string()))
    return line.kinds.empty() || (line.kinds == changing && changes(value)) ||
           (line.kinds == with_queues && limits(value)) || (line.kinds == lossy && loses(value));
  const auto kind = (is_choice(value) ? value["kind"] : value).get<std::string>();
  return has_word(line.kinds, DistributionFamily::catalogue().find_kind(kind) ? "drawn" : kind);
}

/// The end if there is none.
const Feature* line_of(std::string_view key, const Json& value) {
  return std::ranges::find_if(all_features, [&](const Feature& line) { return line.key == key && is_of(line, value); });
}

std::string pointer_of(std::string_view key) {
  std::string pointer = "/" + std::string(key);
  std::ranges::replace(pointer, '.', '/');
  return pointer;
}

/// A constant probability is a number here, as one writes it.
Json sections_of(const Scenario& scenario) {
  Json network = write_fields(scenario.network);
  Json& loss = network["loss_probability"];
  if (loss["kind"] == ConstantOptions::kind) loss = Json(loss["value"]);
  return {{"network", std::move(network)},
          {"topology", {{"changes", write_value(scenario.topology.common().changes)}}},
          {"participation", write_fields(scenario.participation)},
          {"compute", write_fields(scenario.compute)}};
}

}  // namespace

/// A value in a sentence: of a choice its kind.
std::string SetFeature::words_for(const Json& value) {
  if (is_choice(value)) return value["kind"].get<std::string>();
  if (value.is_array() && value.empty()) return "none";
  if (is_list_of_choices(value)) return fmt::format("{} of them", value.size());
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : shown(value);
}

std::string SetFeature::place() const { return pointer_of(key) + (is_choice(usual) ? "/kind" : ""); }

std::string_view SetFeature::reason(std::string_view of_feature) const {
  return is_declared() ? of_feature : "nothing declares what it does to a run";
}

SetFeatures set_features(const Json& sections, const Json& usual) {
  SetFeatures found;
  std::vector<std::pair<const Feature*, SetFeature>> by_line;
  for (const auto& [section, options] : sections.items())
    for (const auto& [name, value] : options.items()) {
      const std::string key = section + "." + name;
      const Json before = usual.value(Json::json_pointer(pointer_of(key)), Json());
      if (value == before) continue;
      const Feature* const line = line_of(key, value);
      by_line.emplace_back(line, SetFeature{key, line == std::end(all_features) ? Feature() : *line, value, before});
      if (key == "network.retransmit") found.are_losses_repaired = true;
    }
  std::ranges::stable_sort(by_line, {}, &std::pair<const Feature*, SetFeature>::first);
  for (auto& [line, feature] : by_line) found.list.push_back(std::move(feature));
  return found;
}

SetFeatures set_features(const Scenario& scenario) {
  static const Json usual = sections_of(Scenario());
  return set_features(sections_of(scenario), usual);
}

void check_losses_repaired(const SetFeatures& features, std::string_view since, Diagnostics& diagnostics) {
  for (const SetFeature& one : features.list)
    if (!one.is_declared() || (one.effects().losses == Losses::unless_sent_again && !features.are_losses_repaired))
      diagnostics.add(one.place(), fmt::format("{}, or retransmit, since {}", one.usual_words(), since), one.words());
}

void check_every_message(const SetFeatures& features, std::string_view why, bool has_server, Diagnostics& diagnostics,
                         bool takes_cohorts) {
  check_losses_repaired(features, why, diagnostics);
  for (const SetFeature& one : features.list) {
    const bool is_taken = takes_cohorts && one.key == "participation.clients";
    if (one.is_declared() && !is_taken && one.effects().losses == Losses::for_good &&
        (has_server || !one.effects().is_for_servers))
      diagnostics.add(one.place(), fmt::format("{}, since {}", one.usual_words(), why), one.words());
  }
}

namespace {

void check_no_asking(const SetFeatures& features, const std::string& why, Diagnostics& diagnostics) {
  for (const SetFeature& one : features.list)
    if (one.effects().is_for_servers) diagnostics.add(one.place(), one.usual_words() + ", " + why, one.words());
}

}  // namespace

void check_asked(const SetFeatures& features, std::string_view kind, Diagnostics& diagnostics) {
  check_no_asking(features, fmt::format("since {} has no server that asks clients", kind), diagnostics);
}

void check_nobody_waits(const SetFeatures& features, Diagnostics& diagnostics) {
  const std::string why = "since an asynchronous method does not wait";
  check_no_asking(features, why, diagnostics);
  for (const SetFeature& one : features.list)
    if (one.key == "participation.missing_neighbor")
      diagnostics.add(one.place(), one.usual_words() + ", " + why, one.words());
}

}  // namespace lagnet
