#include "tools/flags/preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <set>
#include <type_traits>

#include "scenarios/assembly/load_data.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "tools/flags/data_flag.hpp"

namespace lagnet::tools {

namespace {

constexpr std::string_view uses[] = {"feature", "label", "ignored"};

PreviewedColumn previewed(const SurveyedColumn& column) {
  PreviewedColumn seen{.name = column.key(),
                       .use = std::string(uses[static_cast<std::size_t>(column.use)]),
                       .recipe = std::string(column.recipe.kind()),
                       .least = column.least,
                       .most = column.most,
                       .missing = column.missing};
  column.recipe.visit([&](const auto& recipe) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(recipe)>, MapRecipe>)
      for (const auto& [text, number] : recipe.values.pairs) seen.texts.push_back(fmt::format("{} {}", text, number));
    else
      for (const auto& [text, line] : column.texts) seen.texts.push_back(text);
  });
  seen.texts_count = std::ssize(seen.texts);
  return seen;
}

/// The range of each feature, zeros that are not stored included.
void add_features(const DataSet& data, DataPreview& preview) {
  for (Index j = 0; j < data.X.cols(); ++j) {
    const Vector column = data.X.columns(j, 1).dense().col(0);
    preview.columns.push_back(
        {.name = data.features.empty() ? std::to_string(j + 1) : data.features[static_cast<std::size_t>(j)],
         .use = "feature",
         .least = column.minCoeff(),
         .most = column.maxCoeff()});
  }
}

std::string words_of(const std::set<double>& labels, Index samples) {
  switch (kind_of_labels({labels.begin(), labels.end()}, samples)) {
    case LabelsKind::two_classes:
      return fmt::format("two classes, {} and {}", *labels.begin(), *labels.rbegin());
    case LabelsKind::classes:
      return fmt::format("{} classes, {} to {}", labels.size(), *labels.begin(), *labels.rbegin());
    case LabelsKind::numbers:
      return fmt::format("numbers, {} different ones from {} to {}", labels.size(), *labels.begin(), *labels.rbegin());
  }
  return "";
}

}  // namespace

DataPreview preview_data(const std::string& typed, const std::string& label) {
  const std::string file = data_file_of(typed);
  DataPreview preview{.section = typed_data(typed, label)};
  Choice<DataFamily> source = source_of_section(preview.section, file);
  Diagnostics problems(file);
  std::optional<TableSurvey> table;
  collect_diagnostics(problems, "", [&] { table = survey_of(source); });
  problems.throw_if_any();
  if (table) {
    preview.doubts = table->doubts;
    preview.proposals = table->proposals;
    const bool is_given = preview.section.contains("label_name") || preview.section.contains("label_column");
    if (!preview.proposals.empty()) {
      preview.section = with_proposals(std::move(preview.section), preview.proposals);
      source = source_of_section(preview.section, file);
      collect_diagnostics(problems, "", [&] { table = survey_of(source); });
      problems.throw_if_any();
    }
    preview.label = label_words(*table, is_given);
    preview.problems = table->problems;
    preview.samples = table->samples;
    for (const SurveyedColumn& column : table->columns) preview.columns.push_back(previewed(column));
  }
  if (preview.problems.empty()) {
    DataSet data;
    collect_diagnostics(problems, "", [&] { data = source.make().load(1, false); });
    problems.throw_if_any();
    preview.samples = data.samples;
    preview.features = data.X.cols();
    const std::set<double> labels(data.y.begin(), data.y.end());
    preview.labels = words_of(labels, data.samples);
    if (labels.size() <= SurveyedColumn::few_values) preview.distinct.assign(labels.begin(), labels.end());
    if (!table) add_features(data, preview);
    if (!table && data.learnt) preview.doubts = data.learnt->doubts;
  }
  Choice<DataFamily>::change_paths(preview.section, [](const std::filesystem::path& path) {
    const std::string near = std::filesystem::proximate(path).string();
    return near.starts_with("../../") ? path.string() : near;
  });
  return preview;
}

}  // namespace lagnet::tools
