#include "scenarios/data/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "scenarios/data/labels_file.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {
/// A matrix as a Matrix Market text gives it.
struct MarketMatrix {
  Index rows = 0;
  Index columns = 0;
  MatrixEntries entries;
};

constexpr std::string_view banner = "%%matrixmarket";

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

class MarketReader {
 public:
  MarketReader(std::string_view text, const std::string& file) : lines_(text), diagnostics_(file) {}

  MarketMatrix read() {
    read_banner();
    diagnostics_.throw_if_any();
    read_size();
    diagnostics_.throw_if_any();
    std::int64_t found = 0;
    for (std::string_view line; next_content(line); ++found) {
      if (found < expected_) coordinate_ ? read_place(line) : read_array_value(line);
    }
    if (found != expected_) diagnostics_.add(0, fmt::format("{} entries", expected_), fmt::format("{}", found));
    if (!diagnostics_.any()) find_repeated();
    diagnostics_.throw_if_any();
    return std::move(matrix_);
  }

 private:
  /// The next line that is neither blank nor a comment.
  bool next_content(std::string_view& line) {
    while (lines_.next(line)) {
      if (!trimmed(line).empty() && line[0] != '%') return true;
    }
    return false;
  }

  std::string word_of(std::string_view& rest, std::span<const std::string_view> choices) {
    const std::string_view word = next_word(rest);
    const std::string wanted = lower(word);
    if (std::find(choices.begin(), choices.end(), wanted) == choices.end()) {
      diagnostics_.add(1, fmt::format("{}", fmt::join(choices, " or ")), shown_token(word));
    }
    return wanted;
  }

  void read_banner() {
    static constexpr std::array<std::string_view, 1> objects{"matrix"};
    static constexpr std::array<std::string_view, 2> layouts{"coordinate", "array"};
    static constexpr std::array<std::string_view, 3> numbers{"real", "integer", "pattern"};
    static constexpr std::array<std::string_view, 2> symmetries{"general", "symmetric"};
    std::string_view rest;
    lines_.next(rest);
    const std::string_view first = next_word(rest);
    if (lower(first) != banner) return diagnostics_.add(1, "the banner %%MatrixMarket", shown_token(first));
    word_of(rest, objects);
    coordinate_ = word_of(rest, layouts) == "coordinate";
    pattern_ = word_of(rest, coordinate_ ? std::span<const std::string_view>(numbers)
                                         : std::span<const std::string_view>(numbers).first(2)) == "pattern";
    symmetric_ = word_of(rest, symmetries) == "symmetric";
  }

  void read_size() {
    std::string_view line;
    const std::string_view expected = coordinate_ ? "rows, columns and number of entries" : "rows and columns";
    if (!next_content(line)) return diagnostics_.add(0, expected, "the end of the file");
    std::string_view rest = line;
    std::array<std::int64_t, 3> sizes{};
    const std::size_t count = coordinate_ ? 3 : 2;
    bool good = true;
    for (std::size_t i = 0; i < count; ++i) {
      good = parse_integer(next_word(rest), sizes[i]) == nullptr && sizes[i] >= (i < 2 ? 1 : 0) &&
             sizes[i] <= index_max && good;
    }
    if (!good || !next_word(rest).empty()) return diagnostics_.add(lines_.number(), expected, shown_token(line));
    const auto [rows, columns, entries] = sizes;
    if (symmetric_ && rows != columns)
      diagnostics_.add(lines_.number(), "a square symmetric matrix", shown_token(line));
    matrix_.rows = rows;
    matrix_.columns = columns;
    expected_ = coordinate_ ? entries : symmetric_ ? rows * (rows + 1) / 2 : rows * columns;
  }

  void read_place(std::string_view line) {
    std::string_view rest = line;
    std::int64_t row = 0, column = 0;
    if (parse_integer(next_word(rest), row) != nullptr || parse_integer(next_word(rest), column) != nullptr ||
        row < 1 || row > matrix_.rows || column < 1 || column > matrix_.columns) {
      return diagnostics_.add(
          lines_.number(), fmt::format("a row from 1 to {} and a column from 1 to {}", matrix_.rows, matrix_.columns),
          shown_token(line));
    }
    if (symmetric_ && row < column) {
      return diagnostics_.add(lines_.number(), "a place on or below the diagonal", shown_token(line));
    }
    double value = 1;
    const bool good = pattern_ || read_value(next_word(rest), value);
    if (!next_word(rest).empty()) {
      return diagnostics_.add(lines_.number(), pattern_ ? "a row and a column" : "a row, a column and a value",
                              shown_token(line));
    }
    if (good) add(row - 1, column - 1, value);
  }

  // An array lists its entries column by column; a symmetric array from the diagonal down.
  void read_array_value(std::string_view line) {
    std::string_view rest = line;
    double value = 0;
    const bool good = read_value(next_word(rest), value);
    if (!next_word(rest).empty()) diagnostics_.add(lines_.number(), "one value", shown_token(line));
    if (good) add(row_, column_, value);
    if (++row_ == matrix_.rows) row_ = symmetric_ ? ++column_ : (++column_, 0);
  }

  bool read_value(std::string_view word, double& value) {
    const char* expected = parse_real(word, value);
    if (expected != nullptr)
      diagnostics_.add(lines_.number(), fmt::format("{} as the value", expected), shown_token(word));
    return expected == nullptr;
  }

  void add(Index row, Index column, double value) {
    if (coordinate_) places_.emplace_back(Place{column, row}, lines_.number());
    matrix_.entries.add(row, column, value);
    if (symmetric_ && row != column) matrix_.entries.add(column, row, value);
  }

  void find_repeated() {
    std::sort(places_.begin(), places_.end());
    for (std::size_t i = 1; i < places_.size(); ++i) {
      const auto& [place, line] = places_[i];
      if (place != places_[i - 1].first) continue;
      diagnostics_.add(line, "every place at most once",
                       fmt::format("row {} column {} again (first on line {})", place.second + 1, place.first + 1,
                                   places_[i - 1].second));
    }
  }

  using Place = std::pair<Index, Index>;  // column, row
  TextLines lines_;
  DataDiagnostics diagnostics_;
  MarketMatrix matrix_;
  std::vector<std::pair<Place, Index>> places_;  // with the line that gives them
  bool coordinate_ = false, pattern_ = false, symmetric_ = false;
  std::int64_t expected_ = 0;   // entries that the size line announces
  Index row_ = 0, column_ = 0;  // where the next value of an array belongs
};

/// Reads the text of `file` (its name is for messages only). Throws Diagnosed with every problem's line.
MarketMatrix read_matrix_market(std::string_view text, const std::string& file) {
  return MarketReader(text, file).read();
}

}  // namespace

bool is_matrix_market(std::string_view text) { return lower(text.substr(0, banner.size())) == banner; }

Vector read_market_column(std::string_view text, const std::string& file) {
  const MarketMatrix matrix = read_matrix_market(text, file);
  if (matrix.columns != 1) refuse_data(file, "one column of labels", fmt::format("{} columns", matrix.columns));
  return matrix.entries.assemble(matrix.rows, 1, Storage::dense, file).dense().col(0);
}

DataSet load(const MatrixMarketOptions& options) {
  const MarketMatrix matrix = read_matrix_market(read_data_text(options.path), options.path.generic_string());
  Vector labels = read_labels_of(options.labels_path, options.path, matrix.rows);
  return {.X = matrix.entries.assemble(matrix.rows, matrix.columns, options.storage, options.path.generic_string()),
          .y = std::move(labels),
          .samples = matrix.rows,
          .origin = options.path.string()};
}

}  // namespace lagnet
