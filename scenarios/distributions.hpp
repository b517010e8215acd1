#pragma once

#include <string_view>

#include "sim/draws.hpp"
#include "sim/options.hpp"

namespace lagnet {

struct ConstantOptions {
  static constexpr std::string_view kind = "constant";
  static constexpr std::string_view summary = "the same number everywhere";
  double value = 0;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("value", self.value, "the number", at_least(0).required());
  }
};

struct UniformOptions {
  static constexpr std::string_view kind = "uniform";
  static constexpr std::string_view summary = "uniform between two numbers";
  double low = 0, high = 1;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("low", self.low, "the least number", at_least(0).required());
    field("high", self.high, "the largest number", at_least(0).required());
  }
  template <class Report>
  void check(Report& report) const {
    if (high < low) report("high", "at least low", high);
  }
};

double draw(const ConstantOptions& options, Draws draws);
double draw(const UniformOptions& options, Draws draws);

}  // namespace lagnet
