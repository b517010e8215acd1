#include "tools/console/topology_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "topologies/layout.hpp"

namespace lagnet::tools {

namespace {

/// Calls use(from, to, is_one_way) once for each two agents that are linked.
template <class Use>
void for_each_link(const Topology& topology, const Use& use) {
  for (const Edge& edge : topology.edges()) {
    const bool has_opposite = !topology.is_directed() || topology.sends(edge.to, edge.from);
    if (edge.from < edge.to || !has_opposite) use(edge.from, edge.to, !has_opposite);
  }
}

std::string matrix_picture(const Topology& topology) {
  constexpr std::size_t side_max = 32;
  const auto agents = static_cast<std::size_t>(topology.agents());
  const std::size_t group = (agents + side_max - 1) / side_max, side = (agents + group - 1) / group;
  std::vector<std::size_t> count(side * side, 0);
  for (const Edge& edge : topology.edges()) {
    const std::size_t a = edge.from / group, b = edge.to / group;
    ++count[a * side + b];
    if (!topology.is_directed()) ++count[b * side + a];
  }
  // From no edge to every possible one.
  constexpr std::string_view shades = ".:-=+*%#";
  const double full = static_cast<double>(group * group);
  const std::string ways = topology.is_directed() ? ", from rows to columns" : "";
  std::string text =
      group == 1 ? fmt::format("adjacency{}: # edge, . no edge\n", ways)
                 : fmt::format("adjacency of groups of {} agents{}: from . (no edge) to # (every edge)\n", group, ways);
  for (std::size_t a = 0; a < side; ++a) {
    text += fmt::format("{:>6} ", a * group);
    for (std::size_t b = 0; b < side; ++b) {
      const double share = std::min(1.0, static_cast<double>(count[a * side + b]) / full);
      const auto level =
          share == 0 ? 0 : 1 + static_cast<std::size_t>(share * static_cast<double>(shades.size() - 2) + 0.5);
      text += a == b && group == 1 ? '\\' : shades[std::min(level, shades.size() - 1)];
      text += ' ';
    }
    text += '\n';
  }
  return text;
}

/// Dots in braille characters, two by four in each, and numbers over them.
class DotCanvas {
 public:
  DotCanvas(int columns, int rows) : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns * rows)) {}

  int width() const { return 2 * columns_; }
  int height() const { return 4 * rows_; }

  void line(double x0, double y0, double x1, double y1) {
    const int steps = 1 + static_cast<int>(std::max(std::abs(x1 - x0), std::abs(y1 - y0)));
    for (int k = 0; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      dot(static_cast<int>(std::lround(x0 + share * (x1 - x0))), static_cast<int>(std::lround(y0 + share * (y1 - y0))));
    }
  }

  /// The head of an arrow along a line, some dots before its end, where a number stands.
  void head(double x0, double y0, double x1, double y1) {
    constexpr double before_end = 6, long_as = 5, wide_as = 2.5;
    const double length = std::max(1.0, std::hypot(x1 - x0, y1 - y0));
    const double ux = (x1 - x0) / length, uy = (y1 - y0) / length, room = std::min(before_end, 0.3 * length);
    const double tip_x = x1 - room * ux, tip_y = y1 - room * uy;
    for (const double side : {-wide_as, wide_as})
      line(tip_x, tip_y, tip_x - long_as * ux - side * uy, tip_y - long_as * uy + side * ux);
  }

  /// The text begins in the cell of the dot, or so that it ends at the edge.
  void write(double x, double y, const std::string& text) {
    const int row = std::min(static_cast<int>(y) / 4, rows_ - 1);
    const int column = std::min(static_cast<int>(x) / 2, columns_ - static_cast<int>(text.size()));
    for (std::size_t k = 0; k < text.size(); ++k) at(column + static_cast<int>(k), row).letter = text[k];
  }

  std::string text() {
    std::string text;
    for (int row = 0; row < rows_; ++row) {
      std::string line;
      for (int column = 0; column < columns_; ++column) line += text_of(at(column, row));
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  struct Cell {
    std::uint8_t dots = 0;
    char letter = 0;
  };

  Cell& at(int column, int row) { return cells_[static_cast<std::size_t>(row * columns_ + column)]; }

  void dot(int x, int y) {
    // Bits of U+2800: the left column of a character, then the right one; the lowest row was added last.
    constexpr std::array<std::array<std::uint8_t, 4>, 2> bits{{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
    x = std::clamp(x, 0, width() - 1);
    y = std::clamp(y, 0, height() - 1);
    at(x / 2, y / 4).dots |= bits[static_cast<std::size_t>(x % 2)][static_cast<std::size_t>(y % 4)];
  }

  /// In UTF-8: U+2800 and its dots are E2 A0 80 up to E2 A3 BF.
  static std::string text_of(const Cell& cell) {
    if (cell.letter != 0) return {cell.letter};
    if (cell.dots == 0) return " ";
    return {'\xE2', static_cast<char>(0xA0 + (cell.dots >> 6)), static_cast<char>(0x80 + (cell.dots & 0x3F))};
  }

  int columns_, rows_;
  std::vector<Cell> cells_;
};

std::string drawn_picture(const Topology& topology) {
  DotCanvas canvas(64, 20);
  const std::vector<Point> places = layout(topology);
  const auto x = [&](AgentId agent) { return places[agent].x * (canvas.width() - 1); };
  const auto y = [&](AgentId agent) { return (1 - places[agent].y) * (canvas.height() - 1); };
  for_each_link(topology, [&](AgentId from, AgentId to, bool is_one_way) {
    canvas.line(x(from), y(from), x(to), y(to));
    if (is_one_way) canvas.head(x(from), y(from), x(to), y(to));
  });
  for (AgentId agent = 0; agent < topology.agents(); ++agent) canvas.write(x(agent), y(agent), std::to_string(agent));
  return canvas.text();
}

}  // namespace

std::string picture(const Topology& topology) {
  // More cannot be told apart in so few dots.
  constexpr std::int64_t agents_max = 60, edges_max = 150;
  const bool can_be_drawn = topology.agents() <= agents_max && std::ssize(topology.edges()) <= edges_max;
  return can_be_drawn ? drawn_picture(topology) : matrix_picture(topology);
}

std::string svg_picture(const Topology& topology) {
  constexpr double size = 600, margin = 20;
  const std::vector<Point> places = layout(topology);
  const auto x = [&](AgentId agent) { return margin + places[agent].x * (size - 2 * margin); };
  const auto y = [&](AgentId agent) { return margin + (1 - places[agent].y) * (size - 2 * margin); };
  const bool has_numbers = topology.agents() <= 100;
  const int radius = has_numbers ? 9 : 3;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{} agents, {} {}\" width=\"{}\" "
      "height=\"{}\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n",
      topology.agents(), topology.edges().size(), topology.is_directed() ? "arcs" : "edges", size, size);
  if (topology.is_directed())
    svg +=
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
        "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#888888\"/></marker></defs>\n";
  svg += "<g stroke=\"#888888\" stroke-opacity=\"0.6\">\n";
  for_each_link(topology, [&](AgentId from, AgentId to, bool is_one_way) {
    // An arrow ends at the edge of the agent that it leads to.
    const double length = std::max(1.0, std::hypot(x(to) - x(from), y(to) - y(from)));
    const double share = is_one_way ? std::max(0.0, 1 - radius / length) : 1;
    svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", x(from), y(from),
                       x(from) + share * (x(to) - x(from)), y(from) + share * (y(to) - y(from)),
                       is_one_way ? " marker-end=\"url(#arrow)\"" : "");
  });
  svg += "</g>\n";
  for (AgentId agent = 0; agent < topology.agents(); ++agent) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"#0b5fa5\"/>\n", x(agent), y(agent), radius);
    if (has_numbers)
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#ffffff\">{}</text>\n", x(agent), y(agent) + 4, agent);
  }
  return svg + "</svg>\n";
}

}  // namespace lagnet::tools
