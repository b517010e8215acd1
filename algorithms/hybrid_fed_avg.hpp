#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/hybrid.hpp"

/// Federated averaging where clients differ in samples and in features.
///
///     minimize over w   P(w) = (lambda/2) ||w||^2 + (1/N) sum_i l_i(w'x_i)
///
/// A client that takes part goes H steps with one sample each from w0 on its features, with the inner product of its
/// part of the sample alone; the server takes the plain mean for each feature. So it does not converge to the minimizer
/// of P where features are divided. Source: T. Overman, G. Blum, D. Klabjan, arXiv:2210.08106v3, section 7, after
/// McMahan et al. 2017.
namespace lagnet {

struct HybridFedAvgOptions {
  static constexpr std::string_view kind = "hybrid_fed_avg";
  static constexpr std::string_view summary = "federated averaging where clients have parts of samples";
  static constexpr bool has_server = true;
  static constexpr Division division = Division::cells;
  std::optional<std::int64_t> local_steps;
  std::optional<double> iic;
  SamplePicker picker = SamplePicker::uniform;
  double a = 0;
  double b = 0;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_inner_iterations(self, field);
    declare_learning_rate(self, field);
  }
  template <class Report>
  void check(Report& report) const {
    check_inner_iterations(*this, report);
  }
};

class HybridFedAvg final : public HybridMethod {
 public:
  HybridFedAvg(const HybridFedAvgOptions& options, Assignment assignment);
  void spawn(Simulation& simulation) const override;
  std::vector<std::pair<std::string, double>> constants() const override;

 private:
  Task<> descend(Agent& me) const;
  double a_, b_;  // of the learning rate
};

std::unique_ptr<Algorithm> make_algorithm(const HybridFedAvgOptions& options, Assignment assignment);

}  // namespace lagnet
