#include "topologies/generators/random_geometric.hpp"

#include <algorithm>
#include <cmath>

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

/// The unit square in equal cells, about as many as there are points, and no narrower than the radius, by a billionth
/// for rounding: whoever is near a point stands in its cell or in one of the eight around it.
class Cells {
 public:
  Cells(std::int64_t points, double radius)
      : side_(std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::min(std::sqrt(static_cast<double>(points)), 1 / (radius * (1 + 1e-9)))))),
        cells_(static_cast<std::size_t>(side_ * side_)) {}

  void add(const Point& point, std::int64_t number) { cells_[place(index(point.x), index(point.y))].push_back(number); }
  /// visit(number) for each point in the nine cells.
  template <class Visit>
  void around(const Point& point, Visit visit) const {
    const std::int64_t column = index(point.x), row = index(point.y);
    for (std::int64_t x = std::max<std::int64_t>(column - 1, 0); x <= std::min(column + 1, side_ - 1); ++x)
      for (std::int64_t y = std::max<std::int64_t>(row - 1, 0); y <= std::min(row + 1, side_ - 1); ++y)
        for (const std::int64_t number : cells_[place(x, y)]) visit(number);
  }

 private:
  std::int64_t index(double coordinate) const {
    return std::min(static_cast<std::int64_t>(coordinate * static_cast<double>(side_)), side_ - 1);
  }
  std::size_t place(std::int64_t column, std::int64_t row) const {
    return static_cast<std::size_t>(column * side_ + row);
  }

  std::int64_t side_;
  std::vector<std::vector<std::int64_t>> cells_;
};

}  // namespace

Topology make_topology(const RandomGeometricOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto description = fmt::format("random_geometric with {} agents and radius {}", options.agents, options.radius);
  const double limit = options.radius * options.radius;
  return draw_until_connected(options.agents, options.attempts, seed, description, "radius", [&](Draws& draws) {
    DrawnGraph drawn;
    Cells cells(options.agents, options.radius);
    for (std::int64_t i = 0; i < options.agents; ++i) {
      const double x = draws.uniform();
      const double y = draws.uniform();
      cells.around({x, y}, [&](std::int64_t j) {
        const double dx = x - drawn.positions[static_cast<std::size_t>(j)].x;
        const double dy = y - drawn.positions[static_cast<std::size_t>(j)].y;
        if (dx * dx + dy * dy < limit) drawn.edges.push_back(edge_between(j, i));
      });
      drawn.positions.push_back({x, y});
      cells.add({x, y}, i);
    }
    return drawn;
  });
}

}  // namespace lagnet
