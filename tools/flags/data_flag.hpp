#pragma once

#include <string>
#include <vector>

#include "scenarios/data/table_survey.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"
#include "scenarios/json/diagnostics.hpp"

/// The option --data FILE [KEY=VALUE]..., and what such a file holds.
namespace lagnet::tools {

/// The section "data" for a file as it is typed, words apart by line ends, with absolute paths: the reader is that of
/// the file's ending unless a key "source" says it. `label`: the name or number of the label's column, "" if it is not
/// given. Throws Diagnosed.
Json typed_data(const std::string& typed, const std::string& label);

/// The file alone.
std::string data_file_of(const std::string& typed);

/// The source of a section. Throws Diagnosed in the name of `shown`.
Choice<DataFamily> source_of_section(const Json& section, const std::string& shown);

/// The section with these keys; columns and ignored columns are added to those that it has.
Json with_proposals(Json section, const Json& proposals);

/// 'columns={"city": "one_hot"}' ..: keys as they are typed behind a file.
std::string typed_keys(const Json& keys);

/// What is typed behind --data for a section: the file, and the keys that it does not have by its ending.
std::string typed_file(const std::string& file, Json section);

/// "price, the last column": how a survey's label is called; `is_given`: the user said which one it is.
std::string label_words(const TableSurvey& survey, bool is_given);

/// Two classes, classes, or numbers: the interpretation of the labels of this many samples. With classes, most samples
/// share their label.
enum class LabelsKind { two_classes, classes, numbers };
LabelsKind kind_of_labels(const std::vector<double>& distinct, Index samples);

}  // namespace lagnet::tools
