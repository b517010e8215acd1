#pragma once

#include <utility>

#include "algorithms/interface/algorithm.hpp"

namespace lagnet::test {

/// Central results that a test knows.
class KnownReference final : public CentralReference {
 public:
  explicit KnownReference(double norm, Optimum best = {}) : norm_(norm), best_(std::move(best)) {}
  double data_norm() const override { return norm_; }
  const Optimum& optimum() const override { return best_; }

 private:
  double norm_;
  Optimum best_;
};

}  // namespace lagnet::test
