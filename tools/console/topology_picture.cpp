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

std::string matrix_picture(const Topology& topology) {
  constexpr std::size_t side_max = 32;
  const auto agents = static_cast<std::size_t>(topology.agents());
  const std::size_t group = (agents + side_max - 1) / side_max, side = (agents + group - 1) / group;
  std::vector<std::size_t> count(side * side, 0);
  for (const Edge& edge : topology.edges()) {
    const std::size_t a = edge.from / group, b = edge.to / group;
    ++count[a * side + b];
    ++count[b * side + a];
  }
  // From no edge to every possible one.
  constexpr std::string_view shades = ".:-=+*%#";
  const double full = static_cast<double>(group * group);
  std::string text = group == 1
                         ? "adjacency: # an edge, . none\n"
                         : fmt::format("adjacency of groups of {} agents: from . (no edge) to # (every edge)\n", group);
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
  for (const Edge& edge : topology.edges()) canvas.line(x(edge.from), y(edge.from), x(edge.to), y(edge.to));
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
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{} agents, {} edges\" width=\"{}\" "
      "height=\"{}\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n",
      topology.agents(), topology.edges().size(), size, size);
  svg += "<g stroke=\"#888888\" stroke-opacity=\"0.6\">\n";
  for (const Edge& edge : topology.edges())
    svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x(edge.from), y(edge.from),
                       x(edge.to), y(edge.to));
  svg += "</g>\n";
  for (AgentId agent = 0; agent < topology.agents(); ++agent) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"#0b5fa5\"/>\n", x(agent), y(agent),
                       has_numbers ? 9 : 3);
    if (has_numbers)
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#ffffff\">{}</text>\n", x(agent), y(agent) + 4, agent);
  }
  return svg + "</svg>\n";
}

}  // namespace lagnet::tools
