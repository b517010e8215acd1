#include "scenarios/data/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {
class LibsvmReader {
 public:
  LibsvmReader(const LibsvmOptions& options, const std::string& file)
      : index_limit_(options.features.value_or(index_max)), diagnostics_(file) {}

  void read(std::string_view text, bool features_given) {
    TextLines lines(text);
    for (std::string_view line; lines.next(line);) {
      line_ = lines.number();
      read_line(line.substr(0, line.find('#')));
    }
    if (labels_.empty() && !diagnostics_.any()) diagnostics_.add(0, "at least one sample", "none");
    if (!labels_.empty() && largest_ == 0 && !features_given && !diagnostics_.any())
      diagnostics_.add(0, "at least one feature", "none");
    diagnostics_.throw_if_any();
  }

  DataSet data(const LibsvmOptions& options) const {
    const auto samples = static_cast<Index>(labels_.size());
    return {.X = entries_.assemble(samples, options.features.value_or(largest_), options.storage,
                                   options.path.generic_string()),
            .y = VectorView(labels_.data(), samples),
            .samples = samples,
            .origin = options.path.string()};
  }

 private:
  void read_line(std::string_view rest) {
    std::string_view word = next_word(rest);
    if (word.empty()) return;
    double label = 0;
    if (const char* expected = parse_real(word, label)) {
      diagnostics_.add(line_, fmt::format("{} as the label", expected), shown_token(word));
    }
    const auto row = static_cast<Index>(labels_.size());
    labels_.push_back(label);
    std::int64_t previous = 0;
    word = next_word(rest);
    if (word.starts_with("qid:")) word = next_word(rest);
    for (; !word.empty(); word = next_word(rest)) read_entry(word, row, previous);
  }

  void read_entry(std::string_view word, Index row, std::int64_t& previous) {
    const std::size_t colon = word.find(':');
    std::int64_t index = 0;
    if (colon == std::string_view::npos || parse_integer(word.substr(0, colon), index) != nullptr) {
      return diagnostics_.add(line_, "index:value", shown_token(word));
    }
    if (index <= previous || index > index_limit_) {
      return diagnostics_.add(line_, fmt::format("an index from {} to {}", previous + 1, index_limit_),
                              shown_token(word));
    }
    previous = index;
    double value = 0;
    if (const char* expected = parse_real(word.substr(colon + 1), value)) {
      return diagnostics_.add(line_, fmt::format("{} as the value of index {}", expected, index),
                              shown_token(word.substr(colon + 1)));
    }
    largest_ = std::max(largest_, static_cast<Index>(index));
    entries_.add(row, static_cast<Index>(index - 1), value);
  }

  std::int64_t index_limit_;
  DataDiagnostics diagnostics_;
  std::vector<double> labels_;
  MatrixEntries entries_;
  Index largest_ = 0;  // index met so far
  Index line_ = 0;
};
}  // namespace

DataSet load(const LibsvmOptions& options) {
  LibsvmReader reader(options, options.path.generic_string());
  reader.read(read_data_file(options.path), options.features.has_value());
  return reader.data(options);
}

}  // namespace lagnet
