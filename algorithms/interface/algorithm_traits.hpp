#pragma once

#include <string_view>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// How the data matrix is partitioned among the agents that hold data.
enum class PartitionBy {
  features,  // each holds some columns, of all samples
  samples,   // each holds some rows, and their labels
  cells      // each holds some entries: of some rows some columns, and these rows' labels (cells.hpp)
};

/// Which regularizers an algorithm solves problems with. A smooth one has a gradient everywhere, as (b/2) |theta|^2
/// has.
enum class Regularizers {
  none,    // the problem must have none
  smooth,  // it is a part of every f_i
  all      // the method has its prox, or a subgradient of it
};

/// Where a method that takes all regularizers leaves the square (b/2) |theta|_2^2 of an l2 regularizer or an elastic
/// net. Of one that takes a smooth one alone, which is a part of every f_i, whether f_i is `in_subproblems` or goes by
/// its gradient. `lagnet describe` says so of each method.
enum class SquareStands {
  in_prox,            // with all else
  in_every_f,         // by its gradient; the prox has the rest
  smooth_in_every_f,  // with all of a regularizer that is smooth, whether it is a square or not
  in_subgradient,     // with all else: of the whole regularizer, a part of every f_i
  in_subproblems      // with all else: in what agents minimize exactly or by their own solver, or in its dual
};

/// Which clients the rounds of a method may ask that needs every message.
enum class Cohorts {
  all,          // all of them, always
  of_one_size,  // as many in every round, drawn without repetition
  any           // any, with at least one client in every round
};

/// The server, where an algorithm has one.
constexpr AgentId server_agent = 0;

/// Whether a method of peers runs on graphs in turn whose union alone is connected, where a round mixes with weights of
/// its own graph (RoundWeights).
enum class SingleRounds {
  none,
  doubly_stochastic,  // if these weights are: also over one-way links, if all agents have as many in as out
  any                 // whatever they are
};

/// Which roles agents have, how data are partitioned among them, and what else an algorithm needs. Each options struct
/// declares them, and names only what differs from the defaults:
///
///     static constexpr AlgorithmTraits traits{.server = true, .partition_by = PartitionBy::samples};
///
/// or, where they depend on the options, as a function: AlgorithmTraits traits() const.
struct AlgorithmTraits {
  bool server = false;      // agent 0 holds no data; all others are its clients and neighbors
  bool two_levels = false;  // its neighbors are edge servers, which hold no data either, and clients hang below those
  PartitionBy partition_by = PartitionBy::features;
  bool needs_eigenvalues = false;    // of the Laplacian, in NetworkFacts
  bool needs_graph_spectra = false;  // of each graph's Laplacian without edge weights, in NetworkFacts
  bool needs_gossip = false;         // the gossip matrix and its spectrum, in NetworkFacts
  bool needs_two_sides = false;      // of a bipartite topology, in NetworkFacts
  Regularizers takes_regularizers = Regularizers::none;
  SquareStands square = SquareStands::in_prox;
  bool needs_conjugate = false;     // of the loss, its prox or its dual steps
  bool needs_curvature = false;     // of the loss: second derivatives
  bool takes_constraint = false;    // else the problem must have none
  bool takes_empty_shards = false;  // else each agent that holds data has a sample
  bool takes_even_weights = false;  // agents may weigh alike, however many samples each has (AgentWeights)
  bool takes_directed = false;      // links may go one way; else each has its opposite
  bool server_keeps_state = false;  // a crash must not lose what the server knows
  bool agents_keep_state = false;   // nor what any agent knows
  bool waits_for_answers = false;   // of one neighbor each, for ever where a message is lost for good
  /// Why every message must arrive, once and in its round: "lead sends differences that must arrive once". Then all
  /// agents take part in all rounds, over links that never change, and what is lost is sent again. Empty: it need not.
  std::string_view every_message = {};
  /// Why a neighbor's last value must not stand for a message that is missing, as the end of a sentence; empty: it may.
  std::string_view no_last_values = {};
  /// Why no round may run on other links than the last one, as the end of a sentence; empty: it may.
  std::string_view same_links = {};
  Cohorts cohorts = Cohorts::all;  // nevertheless not all clients may be asked in a round
  bool takes_sequence = false;     // graphs may take turns all the same: every message of a round's graph arrives
  SingleRounds takes_single_rounds = SingleRounds::none;
  bool timing_only = false;            // it runs without numbers as well
  bool timing_needs_squared = false;   // but with the squared loss alone: else what it does depends on its numbers
  std::string_view timing_needs = {};  // it would, with options that are not given: "p, or mu and L"
  bool draws_work = false;             // what agents do in a round is drawn, so that rounds are not alike
  bool records_cipher_times = false;   // its own columns have some, beside values
  /// Its results depend on the order in which messages come: it is asynchronous.
  bool depends_on_order = false;
  bool takes_selection = false;  // its server may choose clients by what they answered (Selection)
  bool takes_attackers = false;  // answers may be those of attackers, whom its server can bear by a rule
  bool closes_rounds = false;    // all the same its server waits for some answers, up to the scenario's deadline
  /// Without a clock of the scenario's an update begins as soon as the last one ends, and must take time.
  bool updates_need_time = false;
  /// Asynchronous peers have no rounds: rows are those of moments.
  bool has_rounds() const { return !depends_on_order || server; }

  Index edges = 0;  // with two levels, how many edge servers a topology has: agents 1 .. edges
  Index agents_with_data(Index agents) const { return server ? agents - 1 - edges : agents; }
};

constexpr AlgorithmTraits with_square(AlgorithmTraits traits, SquareStands square) {
  traits.square = square;
  return traits;
}

constexpr AlgorithmTraits with_single_rounds(AlgorithmTraits traits, SingleRounds rounds) {
  traits.takes_single_rounds = rounds;
  return traits;
}

constexpr AlgorithmTraits with_even_weights(AlgorithmTraits traits) {
  traits.takes_even_weights = true;
  return traits;
}

constexpr AlgorithmTraits with_drawn_work(AlgorithmTraits traits) {
  traits.draws_work = true;
  return traits;
}

template <class Options>
constexpr AlgorithmTraits traits_of(const Options& options) {
  if constexpr (requires { options.traits(); })
    return options.traits();
  else
    return Options::traits;
}

}  // namespace lagnet
