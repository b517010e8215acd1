#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// What the options of network, compute, participation and changing topologies do to a run. Each has one line in
/// features.cpp. All that cannot bear an effect asks here: retiming, the recursion of times with what-if pages, runs
/// without numbers, methods that need every message, and agents as processes. An option without a line has every
/// effect, so that all of them refuse it.
namespace lagnet {

struct Scenario;

enum class Losses {
  none,
  unless_sent_again,  // a message is lost for good unless network.retransmit sends it again
  for_good            // a receiver goes on without a message, whether it was lost or not sent
};
enum class ByClock {
  nothing,
  times,  // when messages arrive and steps end
  values  // what agents compute
};
enum class InRecursion {
  no,
  as_steps,  // it decides what agents do and send in a round
  as_times   // it decides when steps end
};
enum class InProcesses {
  no,
  left_out,  // the real network has its own
  yes
};

/// What an option does where it is set. All that asks refuses the defaults.
struct Effects {
  bool draws_per_message = true;
  Losses losses = Losses::for_good;
  ByClock by_clock = ByClock::values;
  bool keeps_order = false;   // of the messages over a link
  bool needs_numbers = true;  // what agents send depends on the numbers
  InRecursion in_recursion = InRecursion::no;
  InProcesses in_processes = InProcesses::no;
  bool is_for_servers = false;  // methods without a server refuse it for themselves

  /// Whether agents compute the same whatever the times are, but for losses.
  constexpr bool keep_values() const { return by_clock != ByClock::values && !needs_numbers; }
  constexpr bool are_in_recursion() const {
    return in_recursion != InRecursion::no && !draws_per_message && keeps_order && by_clock == ByClock::nothing;
  }
};

/// The line of an option, or of some kinds of it.
struct Feature {
  std::string_view key;    // "network.jitter_ms"
  std::string_view kinds;  // "none fifo"; "drawn" is any distribution, "" a value without kind
  Effects effects;
  std::string_view why = {};            // values depend on time, or times do not follow from steps
  std::string_view why_elsewhere = {};  // it cannot be had without numbers, or in processes
};

/// An option that a scenario sets to another value than the usual one.
struct SetFeature {
  std::string key;  // as in Feature
  Feature declared;
  Json value, usual;

  bool is_declared() const { return !declared.key.empty(); }
  const Effects& effects() const { return declared.effects; }
  std::string place() const;  // "/network/jitter_ms"; of a choice its kind, if it always has one
  std::string usual_words() const { return words_for(usual); }
  std::string words() const { return words_for(value); }
  /// The given reason of the declaration, or that nothing is declared.
  std::string_view reason(std::string_view of_feature) const;

 private:
  static std::string words_for(const Json& value);
};

struct SetFeatures {
  std::vector<SetFeature> list;  // in the order of their lines; those without a line last
  bool are_losses_repaired = false;
};

SetFeatures set_features(const Scenario& scenario);
/// The same of sections as JSON, {"network": {..}, "compute": {..}}, beside the usual ones.
SetFeatures set_features(const Json& sections, const Json& usual);

/// Reports what can lose messages for good, for an algorithm that goes wrong then: `since` says why.
void check_losses_repaired(const SetFeatures& features, std::string_view since, Diagnostics& diagnostics);

/// Reports options by which a message may be missing, or a round have other links or agents than the last one, for an
/// algorithm that goes wrong then; `why` is AlgorithmTraits::every_message. Of a method without a server, options about
/// asking clients are left to check_asked(); where rounds may ask some of the clients, which ones is not reported.
void check_every_message(const SetFeatures& features, std::string_view why, bool has_server, Diagnostics& diagnostics,
                         bool takes_cohorts = false);

/// Reports options about asking clients, for an algorithm of this kind, which has no server.
void check_asked(const SetFeatures& features, std::string_view kind, Diagnostics& diagnostics);

/// Reports options about rounds and about what is waited for, for an asynchronous algorithm.
void check_nobody_waits(const SetFeatures& features, Diagnostics& diagnostics);

}  // namespace lagnet
