#pragma once

#include <cstddef>
#include <vector>

/// Ranks candidates by several metrics at once: Gray Relational Analysis over the Pareto front. Sources: Z. Wang, G. P.
/// Rangaiah, "Application and analysis of methods for selecting an optimal solution from the Pareto-optimal front
/// obtained by multiobjective optimization", Ind. Eng. Chem. Res. 56(2), 2017; as used in T. Overman, G. Blum, D.
/// Klabjan, arXiv:2210.08106v3, appendix.
namespace lagnet {

struct GrayOptions {
  std::vector<std::size_t> maximized = {};  // metrics whose large values are good; small ones are of all others
  bool pareto_front = true;                 // candidates that another one is nowhere worse than, and somewhere better,
                                            // are left out first
  double zeta = 1;                          // the distinguishing coefficient, above 0; classically 0.5
};

struct GrayGrades {
  std::size_t selected = 0;         // the candidate of the highest grade, the first one of equals
  std::vector<std::size_t> kept;    // candidates that were graded, ascending
  std::vector<double> grades;       // of them, in (0, 1]
  std::vector<std::size_t> ranked;  // the same candidates from the highest grade to the lowest, equals as they are kept
};

/// rows[candidate][metric]; candidates with a metric that is not finite are left out. Each metric is brought to z in
/// [0, 1], 1 the best (a constant one, or one that differs by a rounding error alone: 1); with d = 1 - z and its
/// extremes over the whole table, a candidate's grade is the mean of (dmin + zeta dmax) / (d + zeta dmax) over the
/// metrics, or 1 where dmax = 0. Grades that differ by a rounding error alone are equals. A rounding error is 1e-12 of
/// the number. Throws std::invalid_argument for rows of different lengths, without metrics or without a finite
/// candidate, a zeta that is not above 0, and a maximized metric that is not there.
GrayGrades gray_relational(const std::vector<std::vector<double>>& rows, const GrayOptions& options = {});

}  // namespace lagnet
