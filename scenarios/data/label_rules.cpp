#include "scenarios/data/label_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

namespace {

constexpr std::size_t labels_shown_max = 10, classes_max = 1000;

std::string listed(const std::set<double>& labels) {
  std::string text = fmt::format("{}: ", labels.size());
  auto label = labels.begin();
  for (std::size_t i = 0; i < std::min(labels.size(), labels_shown_max); ++i) {
    text += fmt::format("{}{}", i > 0 ? ", " : "", *label++);
  }
  return labels.size() > labels_shown_max ? text + ", ..." : text;
}

std::string in_words(const std::map<double, double>& becomes, LabelRule rule) {
  if (rule == LabelRule::classes) return fmt::format(", labels to classes 0 to {}", becomes.size() - 1);
  std::string text;
  for (const auto& [from, to] : becomes)
    text += fmt::format("{} {} to {}", text.empty() ? ", labels" : " and", from, to);
  return text;
}

}  // namespace

std::map<double, double> learn_labels(const DataSet& data, const PreprocessOptions& options) {
  std::map<double, double> becomes;
  const std::set<double> labels(data.y.begin(), data.y.end());
  switch (options.labels) {
    case LabelRule::as_is:
      break;
    case LabelRule::map:
      for (const LabelPair& pair : options.label_map) becomes.emplace(pair.from, pair.to);
      break;
    case LabelRule::sign:
      if (labels.size() != 2) refuse_data(data.origin, "exactly two different labels for labels sign", listed(labels));
      becomes = {{*labels.begin(), -1}, {*labels.rbegin(), 1}};
      break;
    case LabelRule::classes:
      if (labels.size() > classes_max)
        refuse_data(data.origin, fmt::format("at most {} different labels for labels classes", classes_max),
                    listed(labels));
      for (const double label : labels) becomes.emplace(label, static_cast<double>(becomes.size()));
      break;
  }
  return becomes;
}

std::string label_hint(const Vector& labels, const std::function<bool(double)>& is_taken) {
  const std::set<double> found(labels.begin(), labels.end());
  if (found.size() == 2 && is_taken(-1) && is_taken(1))
    return fmt::format("; /data/labels=sign maps {} and {} to -1 and +1", *found.begin(), *found.rbegin());
  if (found.size() > 1 && found.size() <= classes_max && is_taken(0) && is_taken(static_cast<double>(found.size() - 1)))
    return fmt::format("; /data/labels=classes maps the {} different labels to 0 to {}", found.size(),
                       found.size() - 1);
  return "";
}

void change_labels(DataSet& data, const std::map<double, double>& becomes, const PreprocessOptions& options) {
  if (becomes.empty()) return;
  std::set<double> unknown;
  bool changes = false;
  for (double& label : data.y) {
    const auto found = becomes.find(label);
    if (found == becomes.end()) {
      unknown.insert(label);
    } else {
      changes = changes || label != found->second;
      label = found->second;
    }
  }
  const bool by_map = options.labels == LabelRule::map;
  if (!unknown.empty())
    refuse_data(data.origin,
                by_map ? "only labels that label_map has in from" : "only labels that occur beside the test set",
                listed(unknown));
  if (!changes) return;
  data.origin += in_words(becomes, options.labels);
  data.truth.reset();
}

}  // namespace lagnet
