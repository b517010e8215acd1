#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/array.hpp"

/// Files of published reference numbers: {"cases": [{"id" or "name", "algorithm", inputs .., expected numbers ..},
/// ..]}.
namespace lagnet::reference {

using Json = nlohmann::ordered_json;

/// What counts as equal: |got - want| <= absolute + relative * max(floor, largest |want| of the same array).
struct Tolerance {
  double absolute = 1e-12;
  double relative = 1e-9;
  double floor = 1e-3;
};

/// Gathers comparisons of one case. A deviation is relative to what the tolerance allows: at most 1 passes.
class Verdict {
 public:
  explicit Verdict(Tolerance tolerance) : tolerance_(tolerance) {}

  /// Arrays are compared entry by entry; a wrong length or a number that is not finite fails.
  void compare(const std::string& what, const std::vector<double>& got, const std::vector<double>& want);
  void compare(const std::string& what, const std::vector<double>& got, const std::vector<double>& want, Tolerance own);
  void fail(const std::string& why);

  bool passed() const { return failures_.empty(); }
  double largest() const { return largest_; }
  const std::string& largest_in() const { return largest_in_; }
  const std::vector<std::string>& failures() const { return failures_; }
  std::size_t compared() const { return compared_; }

 private:
  Tolerance tolerance_;
  double largest_ = 0;
  std::string largest_in_;
  std::vector<std::string> failures_;
  std::size_t compared_ = 0;
};

/// A case's name: its "id", else its "name".
std::string case_name(const Json& item);
/// The tolerance that a case states for itself, as a number (relative) or an object with these keys, or the usual one.
Tolerance tolerance_of(const Json& item);
std::vector<double> numbers(const Json& list);
std::vector<double> as_list(const Vector& v);

/// Throws std::runtime_error, naming it, for a key that is neither listed nor one that only describes, such as "name":
/// what is not known is not compared. A listed "theta_*" is every key that begins so.
void check_keys(const Json& item, std::string_view where, std::initializer_list<std::string_view> known);
/// The same where cases also explain themselves: a text that is not known does no harm, as it has no numbers.
void check_keys_but_texts(const Json& item, std::string_view where, std::initializer_list<std::string_view> known);
/// A size of the case. Throws std::runtime_error for one below the least.
std::int64_t size_at(const Json& item, const char* key, std::int64_t least = 1);
/// The list there. Throws std::runtime_error for one that is no list, or empty.
const Json& list_at(const Json& item, const char* key);

/// The cases of the feature-distributed primal-dual method, the single agent included.
bool is_fd_primal_dual(const Json& item);
Verdict check_fd_primal_dual(const Json& item);

/// The cases of the federated composite algorithms; those with lean messages are run with both forms.
bool is_fed_composite(const Json& item);
Verdict check_fed_composite(const Json& item);
/// Proximal maps within balls, and optima that the algorithms' limits are compared with.
bool is_ball_prox(const Json& item);
Verdict check_ball_prox(const Json& item);
bool is_fed_composite_optimum(const Json& item);
Verdict check_fed_composite_optimum(const Json& item);

/// Accelerated gradient tracking and its baselines on samples: sparse regression and matrix completion.
bool is_decentralised(const Json& item);
Verdict check_decentralised(const Json& item);
/// Hybrid federated learning: HyFDCA and its baselines; all phases and those needed alone are run.
bool is_hybrid_fed(const Json& item);
Verdict check_hybrid_fed(const Json& item);

/// Gray Relational Analysis.
bool is_gray_relational(const Json& item);
Verdict check_gray_relational(const Json& item);

/// Projections on balls and boxes.
bool is_projections(const Json& item);
Verdict check_projections(const Json& item);

/// Asynchronous methods, in worlds whose times are given.
bool is_asynchronous(const Json& item);
Verdict check_asynchronous(const Json& item);

/// Methods with compressed messages and others on their data, and single compressors.
bool is_compressed(const Json& item);
Verdict check_compressed(const Json& item);
/// The rounds of sequences of graphs, and what they leave of vectors' distances from their mean.
bool is_graph_rounds(const Json& item);
Verdict check_graph_rounds(const Json& item);
bool is_compressors(const Json& item);
Verdict check_compressors(const Json& item);

/// Rules by which servers combine vectors, and attacks on them, without a run.
bool is_aggregation(const Json& item);
Verdict check_aggregation(const Json& item);
/// Whom Oort chooses in a round.
bool is_oort(const Json& item);
Verdict check_oort(const Json& item);

/// Methods of a server whose clients hold samples: local work, aggregation, hierarchies.
bool is_server_method(const Json& item);
Verdict check_server_method(const Json& item);

/// Messages over a network, without a method.
bool is_network(const Json& item);
Verdict check_network_case(const Json& item);
/// What counts of a run cost at the sites of its agents.
bool is_accounts(const Json& item);
Verdict check_accounts(const Json& item);

/// DiSPA, A-DiSPA and CoCoA+; those with lean messages are run with both forms.
bool is_hybrid_saddle(const Json& item);
Verdict check_hybrid_saddle(const Json& item);

}  // namespace lagnet::reference
