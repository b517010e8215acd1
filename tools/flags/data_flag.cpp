#include "tools/flags/data_flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <filesystem>

#include "scenarios/data/table_survey.hpp"
#include "scenarios/format/scenario.hpp"
#include "tools/console/shell_word.hpp"
#include "tools/flags/algorithm_flag.hpp"
#include "tools/flags/scenario_flags.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

struct Ending {
  std::string_view ending, source;
};
constexpr std::array<Ending, 7> endings{{{".csv", "csv"},
                                         {".tsv", "csv"},
                                         {".libsvm", "libsvm"},
                                         {".svm", "libsvm"},
                                         {".svmlight", "libsvm"},
                                         {".mtx", "matrix_market"},
                                         {".npy", "npy"}}};

/// The end of a file's name in small letters, without that of a compression.
std::string ending_of(fs::path file) {
  for (const char* compression : {".gz", ".bz2", ".xz"})
    if (file.extension() == compression) file.replace_extension();
  return boost::algorithm::to_lower_copy(file.extension().string());
}

std::string source_of_file(const std::string& file) {
  const std::string ending = ending_of(file);
  std::vector<std::string> known;
  for (const Ending& one : endings) {
    if (one.ending == ending) return std::string(one.source);
    known.emplace_back(one.ending);
  }
  refuse_flag("--data",
              fmt::format("a file that ends in {}, perhaps followed by .gz, .bz2 or .xz; or one of source=csv, "
                          "source=libsvm, source=matrix_market, source=npy after the file",
                          comma_list(known)),
              file);
}

Json label_keys(const std::string& label) {
  if (label.empty()) return Json::object();
  const bool is_number = std::ranges::all_of(label, [](char c) { return '0' <= c && c <= '9'; }) && label.size() < 10;
  return is_number ? Json{{"label_column", std::stoll(label)}} : Json{{"label_name", label}};
}

}  // namespace

std::string data_file_of(const std::string& typed) { return typed.substr(0, typed.find('\n')); }

Json typed_data(const std::string& typed, const std::string& label) {
  std::vector<std::string> words;
  boost::algorithm::split(words, typed, [](char c) { return c == '\n'; });
  const Json given =
      typed_object("path", words, "--data", "a file and keys of the section data, as in mine.csv separator=semicolon");
  const std::string& file = words.front();
  Json section{{"source", given.contains("source") ? given["source"] : Json(source_of_file(file))}};
  if (section["source"] == "csv" && ending_of(file) == ".tsv") section["separator"] = "tab";
  section.update(given);
  section.update(label_keys(label));
  Choice<DataFamily>::change_paths(section, [](const fs::path& path) { return fs::absolute(path).string(); });
  return section;
}

Choice<DataFamily> source_of_section(const Json& section, const std::string& shown) {
  Diagnostics problems(shown);
  Choice<DataFamily> data;
  data.read(section, "", problems);
  problems.throw_if_any();
  return data;
}

Json with_proposals(Json section, const Json& proposals) {
  for (const auto& [key, value] : proposals.items()) {
    Json& own = section[key];
    if (key == "ignore_columns" && own.is_array())
      own.insert(own.end(), value.begin(), value.end());
    else if (key == "columns" && own.is_object())
      own.update(value);
    else
      own = value;
  }
  return section;
}

std::string typed_keys(const Json& keys) {
  std::string text;
  for (const auto& [key, value] : keys.items()) {
    const std::string written = value.is_string() ? value.get<std::string>() : on_one_line(value);
    text += fmt::format("{}{}", text.empty() ? "" : " ", shell_word(fmt::format("{}={}", key, written)));
  }
  return text;
}

std::string typed_file(const std::string& file, Json section) {
  section.erase("path");
  try {
    const Json usual = typed_data(file, "");
    for (const auto& [key, value] : usual.items())
      if (section.contains(key) && section[key] == value) section.erase(key);
  } catch (const Diagnosed&) {
    // Its ending does not tell what it is: the key "source" stays.
  }
  const std::string keys = typed_keys(section);
  return shell_word(file) + (keys.empty() ? "" : " " + keys);
}

std::string label_words(const TableSurvey& survey, bool is_given) {
  const auto label = std::ranges::find(survey.columns, ColumnUse::label, &SurveyedColumn::use);
  if (label == survey.columns.end()) return "";
  const std::string name = label->name.empty() ? fmt::format("column {}", label->number) : label->name;
  if (!is_given) return name + (label->name.empty() ? " (the last one)" : " (last column)");
  return label->name.empty() ? name : fmt::format("{} (column {})", name, label->number);
}

LabelsKind kind_of_labels(const std::vector<double>& distinct, Index samples) {
  if (distinct.size() == 2) return LabelsKind::two_classes;
  const bool are_whole = std::ranges::all_of(distinct, [](double label) { return std::trunc(label) == label; });
  const bool are_classes = are_whole && distinct.size() > 2 && distinct.size() <= SurveyedColumn::few_values &&
                           2 * std::ssize(distinct) <= samples;
  return are_classes ? LabelsKind::classes : LabelsKind::numbers;
}

}  // namespace lagnet::tools
