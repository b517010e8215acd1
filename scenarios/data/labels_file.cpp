#include "scenarios/data/labels_file.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scenarios/data/matrix_market.hpp"
#include "scenarios/data/npy.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {

Vector read_labels(const std::filesystem::path& path) {
  const std::string file = path.generic_string();
  if (const std::string bytes = read_data_file(path); is_npy(bytes)) {
    const Matrix read = read_npy(bytes, file);
    if (read.cols() != 1) refuse_data(file, "one column of labels", fmt::format("{} columns", read.cols()));
    return read.col(0);
  }
  const std::string text = read_data_text(path);
  if (is_matrix_market(text)) return read_market_column(text, file);
  DataDiagnostics diagnostics(file);
  std::vector<double> labels;
  TextLines lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = trimmed(line);
    if (word.empty()) continue;
    if (const char* expected = parse_real(word, labels.emplace_back())) {
      diagnostics.add(lines.number(), fmt::format("{} as the label", expected), shown_token(word));
    }
  }
  diagnostics.throw_if_any();
  return VectorView(labels.data(), static_cast<Index>(labels.size()));
}

}  // namespace

Vector read_labels_of(const std::filesystem::path& file, const std::filesystem::path& of, Index rows) {
  Vector labels = read_labels(file);
  if (labels.size() != rows)
    refuse_data(file.generic_string(), fmt::format("{} labels, one for each row of {}", rows, of.string()),
                fmt::format("{}", labels.size()));
  return labels;
}

}  // namespace lagnet
