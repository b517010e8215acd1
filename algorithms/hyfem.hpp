#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/hybrid.hpp"

/// HyFEM in its linear form: each client keeps a model of its own, which is pulled to the server's.
///
///     w_k -= lr_t (l_i'(x_{k,i}'w_k) x_{k,i} + lambda w_k + mu (w_k - w0|M_k)),   lr_t = a / (b + sqrt t)
///
/// for H samples i of client k, with w0 as it was at the start of the iteration; then the server takes the plain mean
/// for each feature. It needs lr_t (lambda + mu + curvature ||x||^2) < 2. What it minimizes is a matching objective,
/// not P, so that its relative loss has a floor. Sources: X. Zhang, W. Yin, M. Hong, T. Chen, "Hybrid Federated
/// Learning: Algorithms and Implementation", arXiv:2012.12420; T. Overman, G. Blum, D. Klabjan, arXiv:2210.08106v3,
/// section 7.
namespace lagnet {

struct HyfemOptions {
  static constexpr std::string_view kind = "hyfem";
  static constexpr std::string_view summary = "hybrid federated matched averaging, linear form (Zhang et al. 2020)";
  static constexpr bool has_server = true;
  static constexpr Division division = Division::cells;
  std::optional<std::int64_t> local_steps;
  std::optional<double> iic;
  SamplePicker picker = SamplePicker::uniform;
  double a = 0;
  double b = 0;
  double mu = 0;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_inner_iterations(self, field);
    declare_learning_rate(self, field);
    field("mu", self.mu, "weight of the distance to the server's model", at_least(0).required());
  }
  template <class Report>
  void check(Report& report) const {
    check_inner_iterations(*this, report);
  }
};

class Hyfem final : public HybridMethod {
 public:
  Hyfem(const HyfemOptions& options, Assignment assignment);
  void spawn(Simulation& simulation) const override;
  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override;

 private:
  Task<> match(Agent& me) const;
  double a_, b_, mu_;
};

std::unique_ptr<Algorithm> make_algorithm(const HyfemOptions& options, Assignment assignment);

}  // namespace lagnet
