#include "scenarios/data/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "scenarios/data/columns.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {

/// What scikit-learn writes into a file's head if a comment is asked for.
constexpr std::string_view counts_from_zero = "Column indices are zero-based";

class LibsvmReader {
 public:
  LibsvmReader(const LibsvmOptions& options, const ReadAs* as)
      : options_(options),
        base_(as && as->index_base ? as->index_base : options.index_base),
        is_base_given_(base_.has_value()),
        diagnostics_(options.path.generic_string()) {}

  void read(std::string_view text) {
    TextLines lines(text);
    for (std::string_view line; lines.next(line);) {
      line_ = lines.number();
      const std::size_t comment = line.find('#');
      if (!base_ && labels_.empty() && comment != std::string_view::npos &&
          line.find(counts_from_zero) != std::string_view::npos)
        base_ = 0;
      read_line(line.substr(0, comment));
    }
    if (!base_) base_ = first_zero_line_ > 0 ? 0 : 1;
    check();
    diagnostics_.throw_if_any();
  }

  DataSet data() {
    const auto samples = static_cast<Index>(labels_.size());
    const Index features = options_.features.value_or(largest_ + 1 - *base_);
    entries_.move_columns([this](Index index) { return index - *base_; });
    DataSet data{.X = entries_.assemble(samples, features, options_.storage, options_.path.generic_string()),
                 .y = VectorView(labels_.data(), samples),
                 .samples = samples,
                 .origin = options_.path.string()};
    LearntSteps steps{.scaling = {}};
    steps.read_as =
        std::make_shared<const ReadAs>(ReadAs{.columns = {}, .label = {}, .learnt = {}, .index_base = base_});
    if (!is_base_given_ && first_zero_line_ > 0)
      steps.doubts.push_back(fmt::format(
          "{}:{}: index 0 occurs, so that features are counted from 0, as scikit-learn does: \"index_base\": 0 "
          "says so",
          options_.path.filename().string(), first_zero_line_));
    data.learnt = std::make_shared<const LearntSteps>(std::move(steps));
    return data;
  }

 private:
  void read_line(std::string_view rest) {
    std::string_view word = next_word(rest);
    if (word.empty()) return;
    double label = 0;
    if (const char* expected = parse_real(word, label)) {
      diagnostics_.add(line_, fmt::format("{} as the label", expected), shown_token(word));
    }
    labels_.push_back(label);
    word = next_word(rest);
    if (word.starts_with("qid:")) word = next_word(rest);
    indices_.clear();
    for (; !word.empty(); word = next_word(rest)) read_entry(word);
    if (!options_.sort) return;
    std::ranges::sort(indices_);
    for (std::size_t k = 1; k < indices_.size(); ++k)
      if (indices_[k] == indices_[k - 1])
        diagnostics_.add(line_, "every index of a line once", fmt::format("{} again", indices_[k]));
  }

  void read_entry(std::string_view word) {
    const std::size_t colon = word.find(':');
    std::int64_t index = 0;
    if (colon == std::string_view::npos || parse_integer(word.substr(0, colon), index) != nullptr) {
      return diagnostics_.add(line_, "index:value", shown_token(word));
    }
    const std::int64_t least = base_.value_or(0), most = options_.features.value_or(index_max) - 1 + base_.value_or(1);
    const bool is_unsorted = !options_.sort && !indices_.empty() && index <= indices_.back();
    if (index < least || index > most || is_unsorted) {
      const bool is_zero = index == 0 && indices_.empty();
      const char* remedy = is_zero ? "; \"index_base\": 0 counts from 0"
                           : is_unsorted && std::ranges::find(indices_, index) == indices_.end()
                               ? "; \"sort\": true takes any order"
                               : "";
      const std::int64_t from = options_.sort || indices_.empty() ? base_.value_or(1) : indices_.back() + 1;
      return diagnostics_.add(line_, fmt::format("an index from {} to {}{}", from, most, remedy), shown_token(word));
    }
    indices_.push_back(index);
    if (index == 0 && first_zero_line_ == 0) first_zero_line_ = line_;
    double value = 0;
    if (const char* expected = parse_real(word.substr(colon + 1), value)) {
      return diagnostics_.add(line_, fmt::format("{} as the value of index {}", expected, index),
                              shown_token(word.substr(colon + 1)));
    }
    if (index > largest_ || largest_line_ == 0) {
      largest_ = index;
      largest_line_ = line_;
    }
    entries_.add(std::ssize(labels_) - 1, index, value);
  }

  /// What only the whole file shows.
  void check() {
    const bool is_empty = largest_line_ == 0;
    if (labels_.empty() && !diagnostics_.any()) diagnostics_.add(0, "at least one sample", "none");
    if (!labels_.empty() && is_empty && !options_.features && !diagnostics_.any())
      diagnostics_.add(0, "at least one feature", "none");
    const std::int64_t most = options_.features.value_or(index_max) - 1 + *base_;
    if (largest_ > most)
      diagnostics_.add(largest_line_, fmt::format("an index from {} to {}", *base_, most), fmt::format("{}", largest_));
  }

  const LibsvmOptions& options_;
  std::optional<std::int64_t> base_;  // nothing while it is not known
  bool is_base_given_;
  DataDiagnostics diagnostics_;
  std::vector<double> labels_;
  std::vector<std::int64_t> indices_;  // of the line
  MatrixEntries entries_;              // by index, whatever the base
  Index largest_ = 0, largest_line_ = 0;
  Index first_zero_line_ = 0;
  Index line_ = 0;
};

}  // namespace

DataSet load(const LibsvmOptions& options, const ReadAs* as) {
  LibsvmReader reader(options, as);
  reader.read(read_data_text(options.path));
  return reader.data();
}

}  // namespace lagnet
