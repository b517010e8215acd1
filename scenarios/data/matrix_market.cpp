#include "scenarios/data/matrix_market.hpp"

#include <fmt/format.h>

#include <vector>

#include "scenarios/data/matrix_market_text.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {
Vector read_labels(const std::string& text, const std::string& file) {
  DataProblems problems(file);
  if (is_matrix_market(text)) {
    const MarketMatrix matrix = read_matrix_market(text, file);
    if (matrix.columns != 1) problems.add(0, "one column of labels", fmt::format("{} columns", matrix.columns));
    problems.throw_if_any();
    return matrix.entries.assemble(matrix.rows, 1, Storage::dense).dense().col(0);
  }
  std::vector<double> labels;
  TextLines lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = trimmed(line);
    if (word.empty()) continue;
    if (const char* expected = parse_real(word, labels.emplace_back())) {
      problems.add(lines.number(), fmt::format("{} as the label", expected), shown_token(word));
    }
  }
  problems.throw_if_any();
  return VectorView(labels.data(), static_cast<Index>(labels.size()));
}
}  // namespace

DataSet load(const MatrixMarketOptions& options) {
  const MarketMatrix matrix = read_matrix_market(read_data_file(options.path), options.path.generic_string());
  const std::string labels_path = options.labels_path.generic_string();
  Vector labels = read_labels(read_data_file(options.labels_path), labels_path);
  DataProblems problems(labels_path);
  if (labels.size() != matrix.rows) {
    problems.add(0, fmt::format("{} labels, one for each row of {}", matrix.rows, options.path.string()),
                 fmt::format("{}", labels.size()));
  }
  problems.throw_if_any();
  return {.X = matrix.entries.assemble(matrix.rows, matrix.columns, options.storage),
          .y = std::move(labels),
          .samples = matrix.rows,
          .truth = std::nullopt,
          .origin = options.path.string()};
}

}  // namespace lagnet
