#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/compute_cost.hpp"
#include "sim/base/options.hpp"

/// Rules by which a server makes one vector a of the vectors v_1, .., v_n (d) that clients have sent. The mean is moved
/// by any of them as far as it likes; the others bound what f of n can do, and cost a bias where clients differ. Sums
/// run over ascending agents, and of equal values the lower agent's comes first. Sources: median and trimmed mean: Yin,
/// Chen, Ramchandran, Bartlett, "Byzantine-robust distributed learning", ICML 2018; Krum: Blanchard, El Mhamdi,
/// Guerraoui, Stainer, "Machine learning with adversaries", NIPS 2017; geometric median: Pillutla, Kakade, Harchaoui,
/// "Robust aggregation for federated learning", 2022 (RFA), Algorithm 2; centered clipping: Karimireddy, He, Jaggi,
/// "Learning from history for Byzantine robust optimization", ICML 2021, without momentum of the workers.
namespace lagnet {

/// What came in a round.
struct Answered {
  Matrix v;  // a vector each, by ascending agent      (d x n)
  Vector q;  // weights, which add up to 1             (n)
  Index n() const { return v.cols(); }
};

/// What a rule makes of it.
struct Aggregate {
  Vector a;        // (d)
  Flops more = 0;  // beside flops(n, d), of a rule whose work depends on the numbers
};

/// Least e with 2^e >= n: comparisons for each value of a sorting.
Index clog2(Index n);

/// q where a rule is weighted, else 1/n.
Vector rule_weights(const Answered& answered, bool weighted);
/// sum_k weights_k v_k  (d)
Vector weighted_sum(const Matrix& v, const Vector& weights);

/// What rules have in common. A rule changes nothing in a round with fewer answers than its least_answers().
struct RuleTraits {
  static constexpr bool keeps_vector = false;  // z (d), from one round to the next
  Index least_answers() const { return 1; }
  bool works_by_numbers() const { return false; }  // so that flops follow from them
};

void declare_weighted(auto& self, auto& field) {
  field("weighted", self.weighted,
        "true: answers weigh by pi_k, which an attacker states itself; false: all answers weigh alike");
}

struct MeanRule : RuleTraits, NoOptions {
  static constexpr std::string_view kind = "mean";
  static constexpr std::string_view summary = "the mean by weights, which one answer moves as far as it likes";
  Aggregate combine(const Answered& answered, Vector& z) const;
  Flops flops(Index n, Index d) const { return 2 * n * d; }
};

struct CoordinateMedianRule : RuleTraits {
  static constexpr std::string_view kind = "coordinate_median";
  static constexpr std::string_view summary = "the median of each entry (Yin et al. 2018)";
  bool weighted = false;
  static void fields(auto& self, auto& field) { declare_weighted(self, field); }
  Aggregate combine(const Answered& answered, Vector& z) const;
  Flops flops(Index n, Index d) const { return d * (n * clog2(n) + 2) + (weighted ? n * d : 0); }
};

struct TrimmedMeanRule : RuleTraits {
  static constexpr std::string_view kind = "trimmed_mean";
  static constexpr std::string_view summary =
      "the mean of each entry without its least and its largest values (Yin et al. 2018)";
  double trim = 0.1;  // beta
  bool weighted = false;
  static void fields(auto& self, auto& field) {
    field("trim", self.trim, "share of the answers that is left out at each end, rounded down to whole ones",
          Limits{.low = 0, .high = 0.5, .high_excluded = true});
    declare_weighted(self, field);
  }
  Aggregate combine(const Answered& answered, Vector& z) const;
  Index left_out(Index n) const;  // g, at each end
  Flops flops(Index n, Index d) const { return d * (n * clog2(n) + 2 * (n - 2 * left_out(n)) + 1); }
};

struct KrumRule : RuleTraits {
  static constexpr std::string_view kind = "krum";
  static constexpr std::string_view summary =
      "the answer, or the mean of some, with the nearest neighbors (Blanchard et al. 2017)";
  std::int64_t attackers = 0;  // f
  std::int64_t keep = 1;
  bool weighted = false;
  static void fields(auto& self, auto& field) {
    field("attackers", self.attackers, "f, the attackers reckoned with; a round takes 2 f + 3 answers",
          at_least(0).required());
    field("keep", self.keep, "answers of least score whose mean is taken; more than there are: all", at_least(1));
    declare_weighted(self, field);
  }
  Index least_answers() const { return 2 * attackers + 3; }
  /// The sum of the n - f - 2 least squared distances of each vector to others  (n)
  Vector scores(const Matrix& v) const;
  /// The places of those that are kept, ascending.
  std::vector<Index> kept(const Vector& scores) const;
  Aggregate combine(const Answered& answered, Vector& z) const;
  Flops flops(Index n, Index d) const;
};

struct GeometricMedianRule : RuleTraits {
  static constexpr std::string_view kind = "geometric_median";
  static constexpr std::string_view summary =
      "the point of least weighted distance to all, by smoothed Weiszfeld steps (Pillutla et al. 2022)";
  double smoothing = 1e-6;      // nu
  std::int64_t iterations = 3;  // R
  std::optional<double> accuracy = {};
  bool weighted = false;
  static void fields(auto& self, auto& field) {
    field("smoothing", self.smoothing, "nu, the least distance that a weight is divided by", above(0));
    field("iterations", self.iterations, "R, steps from the mean, or the most of them with an accuracy", at_least(1));
    field("accuracy", self.accuracy,
          "relative size of a step that is the last; null: R steps. With it flops depend on the numbers", above(0));
    declare_weighted(self, field);
  }
  bool works_by_numbers() const { return accuracy.has_value(); }
  Aggregate combine(const Answered& answered, Vector& z) const;
  Flops flops(Index n, Index d) const { return 2 * n * d + (accuracy ? 0 : iterations * step_flops(n, d)); }

 private:
  static Flops step_flops(Index n, Index d) { return 5 * n * d + 2 * n; }
};

struct CenteredClippingRule : RuleTraits {
  static constexpr std::string_view kind = "centered_clipping";
  static constexpr std::string_view summary =
      "the last round's vector, moved by differences of bounded norm (Karimireddy et al. 2021)";
  static constexpr bool keeps_vector = true;
  double radius = 0;            // rho
  std::int64_t iterations = 1;  // R
  bool weighted = false;
  static void fields(auto& self, auto& field) {
    field("radius", self.radius, "rho, the largest norm of a difference that counts fully", above(0).required());
    field("iterations", self.iterations, "R, times that the vector is moved in a round", at_least(1));
    declare_weighted(self, field);
  }
  Aggregate combine(const Answered& answered, Vector& z) const;
  Flops flops(Index n, Index d) const { return iterations * (5 * n * d + d); }
};

}  // namespace lagnet
