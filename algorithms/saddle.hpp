#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/dual_method.hpp"
#include "algorithms/local/local_steps.hpp"

/// What DiSPA and A-DiSPA share: parameters, the local problem, and the closed form of the central one.
namespace lagnet {

enum class SaddleMessages { paper, lean };
constexpr auto spellings(SaddleMessages) {
  return std::array{Spelling<SaddleMessages>{SaddleMessages::paper, "paper"},
                    Spelling<SaddleMessages>{SaddleMessages::lean, "lean"}};
}

struct SaddleOptions {
  std::optional<double> tau = {};
  std::optional<double> sigma = {};
  LocalSolverKind local_solver = LocalSolverKind::spdc;
  std::optional<std::int64_t> local_steps = {};
  StepOrder order = StepOrder::uniform;
  double eps = 0;
  SaddleMessages messages = SaddleMessages::paper;
  std::vector<double> dual_start = {};
};

template <class Self, class Visitor>
void declare_saddle(Self& self, Visitor& field) {
  field("tau", self.tau,
        "proximal parameter of x; null: (gamma + eps) / (4 R^2), gamma = 1 / (smoothness of the loss), R the largest "
        "norm of a sample. Where it converges a larger one is faster",
        above(0));
  field("sigma", self.sigma, "proximal parameter of y; null: 1 / (gamma + eps)", above(0));
  declare_local_solver(self, field);
  field("eps", self.eps, "perturbation: eps / 2 times the square norms of x and of y, for losses that are not smooth",
        at_least(0));
  field("messages", self.messages,
        "what machines are sent: paper (x and v, 2 d numbers) or lean (v, from which they find x), same iterates");
  field("dual_start", self.dual_start,
        "y^0, one number for each sample, in the order in which the machines hold them; an empty list: 0");
}

class SaddleMethod : public DualMethod {
 public:
  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override;

 protected:
  /// `vt` is the Catalyst weight; none: 4 R^2 / (gamma + eps) - lambda. Throws OptionError for what cannot be used.
  SaddleMethod(std::string_view kind, const SaddleOptions& options, std::optional<double> vt, Assignment assignment);

  /// Argmin over x of (1/n) v'x + (L/2) |x|^2 - vt z'x + |x - x_old|^2 / (2 tau), L = lambda + eps + vt: (6); 5 d
  /// flops.
  Vector central(VectorRef x_old, VectorRef v, VectorRef z) const;
  /// Local-DiSPA: y_[k] goes on towards the saddle point of (5), around x and v, and stays as it is without samples.
  /// What it cost beside local_work().
  Work local_dispa(AgentId machine, const Vector& x, VectorRef v, VectorRef z, std::span<const Index> order,
                   Vector& y) const;
  /// Of local_dispa() and A_k'y: with spdc 4 nnz_k flops and the steps'.
  Work local_work(AgentId machine, std::span<const Index> order) const;
  std::vector<Index> order(const Agent& me, Round round) const;

  /// v = sum_k v_k (d) of what the machines sent last, K d flops.
  Vector sum(std::span<const Payload> v) const;
  Work central_work() const { return vector_work((static_cast<Index>(machines().size()) + 5) * d(), 4); }

  const Vector& dual_start() const { return y0_; }  // (n)
  bool starts_warm() const { return is_warm_; }     // y^0 is not 0
  Vector dual_start(AgentId machine) const { return y0_.segment(first_sample(machine), samples(machine).rows()); }
  bool is_lean() const { return messages_ == SaddleMessages::lean; }
  double vt() const { return vt_; }

 private:
  double tau_, sigma_, vt_;
  double L_;  // lambda + eps + vt
  std::unique_ptr<const LocalSolver> solver_;
  std::optional<std::int64_t> H_;
  StepOrder order_;
  SaddleMessages messages_;
  Vector y0_;
  bool is_warm_ = false;
};

}  // namespace lagnet
