#include "scenarios/results/model_files.hpp"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/data/columns.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/json/fields.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/machine/allowance.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

constexpr const char *table_name = "model.csv", *matrix_name = "model.npy", *history_name = "model_history.npy";
constexpr const char* intercept_row = "intercept";

/// NumPy's format 1.0: a header that is padded to 64 bytes, and the numbers row by row.
std::string npy(const std::vector<double>& numbers, Index rows, Index cols) {
  static_assert(std::endian::native == std::endian::little);
  std::string shape = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, cols);
  constexpr std::size_t alignment = 64, before = 10;
  while ((before + shape.size() + 1) % alignment != 0) shape += ' ';
  shape += '\n';
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += static_cast<char>(shape.size() & 0xff);
  text += static_cast<char>(shape.size() >> 8);
  text += shape;
  text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  return text;
}

/// The numbers of a file that npy() wrote.
std::vector<double> npy_numbers(const fs::path& path, std::size_t count) {
  const std::string text = read_file(path);
  const std::size_t header = text.find('\n') + 1;
  if (!text.starts_with("\x93NUMPY") || header == 0 || text.size() != header + count * sizeof(double))
    throw OutputError(
        fmt::format("{}: expected {} numbers in NumPy's format, found something else", path.string(), count));
  std::vector<double> numbers(count);
  std::copy_n(text.data() + header, count * sizeof(double), reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

Index outputs_of(const Experiment& experiment) { return experiment.problem.loss->outputs(); }

LinearModel model_of_run(const Experiment& experiment, VectorRef iterate) {
  LinearModel model = model_of(iterate, outputs_of(experiment), *experiment.data->learnt, experiment.data->features);
  model.read_as = experiment.data->learnt->read_as;
  return model;
}

/// Coefficients row by row, then the intercepts.
std::vector<double> numbers_of(const LinearModel& model) {
  std::vector<double> numbers;
  for (Index j = 0; j < model.W.rows(); ++j)
    for (Index c = 0; c < model.W.cols(); ++c) numbers.push_back(model.W(j, c));
  numbers.insert(numbers.end(), model.intercept.begin(), model.intercept.end());
  return numbers;
}

std::string table_of(const LinearModel& model) {
  std::vector<std::string> cells{"feature"};
  if (model.outputs() == 1) cells.emplace_back("coefficient");
  for (Index c = 0; model.outputs() > 1 && c < model.outputs(); ++c) cells.push_back(fmt::format("class_{}", c));
  std::string text = csv_line(cells);
  const auto add = [&](std::string name, const auto& row) {
    cells = {std::move(name)};
    for (Index c = 0; c < row.size(); ++c) cells.push_back(fmt::format("{}", row[c]));
    text += csv_line(cells);
  };
  for (Index j = 0; j < model.W.rows(); ++j)
    add(model.features.empty() ? fmt::format("{}", j + 1) : model.features[static_cast<std::size_t>(j)],
        model.W.row(j));
  if (model.intercept.size() > 0) add(intercept_row, model.intercept);
  return text;
}

bool is_matrix(const Experiment& experiment) {
  return experiment.problem.shape.is_matrix && outputs_of(experiment) == 1;
}

}  // namespace

Json write_model(const Experiment& experiment, const Outcome& outcome, const fs::path& folder) {
  const auto none = [](const char* why) { return Json{{"file", nullptr}, {"why", why}}; };
  if (!experiment.has_numbers()) return none("numerics are off");
  if (outcome.iterate.size() != experiment.problem.dim())
    return none("the algorithm's iterate is no model of the data");
  if (!outcome.iterate.allFinite()) return none("the iterate has numbers that are not finite");
  const LinearModel model = model_of_run(experiment, outcome.iterate);
  Json facts{{"file", is_matrix(experiment) ? matrix_name : table_name},
             {"round", outcome.rows.back().round},
             {"features", model.W.rows()},
             {"outputs", model.outputs()},
             {"has_intercept", model.intercept.size() > 0},
             {"rows_to_length_1", model.unit_rows},
             {"label_mean", model.label_mean},
             {"label_deviation", model.label_deviation}};
  if (!model.labels.empty()) {
    facts["labels"] = Json::array();
    for (const auto& [from, to] : model.labels) facts["labels"].push_back({{"from", from}, {"to", to}});
  }
  const ReadAs* const as = model.read_as.get();  // files are counted from 1 unless it says otherwise
  if (as && (!as->label.empty() || !as->learnt.empty() || as->index_base == 0)) facts["read_as"] = write_fields(*as);
  if (is_matrix(experiment)) {
    const IterateShape shape = experiment.problem.shape;
    facts["rows"] = shape.rows;
    facts["intercept"] = Json(std::vector<double>(model.intercept.begin(), model.intercept.end()));
    LinearModel coefficients = model;
    coefficients.intercept.resize(0);
    write_file(folder / matrix_name, npy(numbers_of(coefficients), shape.rows, shape.cols));
  } else {
    write_file(folder / table_name, table_of(model));
  }
  if (outcome.iterates.empty()) return facts;
  std::vector<double> numbers;
  for (const auto& [round, iterate] : outcome.iterates) {
    const std::vector<double> row = numbers_of(model_of_run(experiment, iterate));
    numbers.insert(numbers.end(), row.begin(), row.end());
    facts["history"]["rounds"].push_back(round);
  }
  facts["history"]["file"] = history_name;
  const auto rows = std::ssize(outcome.iterates);
  write_file(folder / history_name, npy(numbers, rows, std::ssize(numbers) / rows));
  return facts;
}

namespace {

void read_table(const fs::path& path, bool has_intercept, LinearModel& model) {
  DataDiagnostics diagnostics(path.string());
  const std::string text = read_file(path);
  CsvRecords records(text, ',', diagnostics);
  std::vector<std::string> fields;
  const auto rows = static_cast<std::size_t>(model.W.rows());
  const std::size_t columns = static_cast<std::size_t>(model.outputs()) + 1, all = rows + (has_intercept ? 1 : 0);
  bool has_names = false;
  std::size_t row = 0;
  for (bool header = true; records.next(fields); header = false) {
    if (fields.size() != columns) {
      diagnostics.add(records.line(), fmt::format("{} fields", columns), fmt::format("{}", fields.size()));
      continue;
    }
    if (header) continue;
    for (std::size_t c = 1; c < columns; ++c) {
      double value = 0;
      if (const char* fault = parse_real(trimmed(fields[c]), value))
        diagnostics.add(records.line(), fault, shown_token(fields[c]));
      else if (row < rows)
        model.W(static_cast<Index>(row), static_cast<Index>(c) - 1) = value;
      else if (row < all)
        model.intercept[static_cast<Index>(c) - 1] = value;
    }
    if (row < rows) {
      has_names |= fields[0] != fmt::format("{}", row + 1);
      model.features.push_back(fields[0]);
    }
    ++row;
  }
  if (row != all) diagnostics.add(0, fmt::format("{} rows after the header", all), fmt::format("{}", row));
  diagnostics.throw_if_any();
  if (!has_names) model.features.clear();
}

/// How the samples were read that the model was learned from.
std::shared_ptr<const ReadAs> read_as_of(const Json& facts, const fs::path& path) {
  auto as = std::make_shared<ReadAs>();
  as->index_base = 1;
  if (!facts.contains("read_as")) return as;
  Diagnostics diagnostics(path.string());
  read_value(facts["read_as"], *as, {}, "/model/read_as", diagnostics);
  diagnostics.throw_if_any();
  return as;
}

}  // namespace

LinearModel read_model(const fs::path& folder) {
  const fs::path path = folder / "summary.json";
  const Json summary = try_json(read_file(path));
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    throw OutputError(fmt::format("{}: expected {}, found {}", path.string(), expected, found));
  };
  if (!summary.is_object() || !summary.contains("model"))
    refuse("the summary of a run with a model", "no model: repeat results of an earlier lagnet with `lagnet run`");
  const Json& facts = summary["model"];
  LinearModel model;
  try {
    if (facts.at("file").is_null()) refuse("a run with a model", "none: " + facts.at("why").get<std::string>());
    const auto features = facts.at("features").get<Index>(), outputs = facts.at("outputs").get<Index>();
    const double bytes = sizeof(double) * static_cast<double>(features) * static_cast<double>(outputs);
    if (features < 1 || outputs < 1 || bytes > static_cast<double>(memory_budget()))
      refuse("the size of a model", fmt::format("{} features and {} outputs", features, outputs));
    model.W = Matrix::Zero(features, outputs);
    const bool has_intercept = facts.at("has_intercept").get<bool>();
    if (has_intercept) model.intercept = Vector::Zero(model.outputs());
    model.unit_rows = facts.at("rows_to_length_1").get<bool>();
    model.label_mean = facts.at("label_mean").get<double>();
    model.label_deviation = facts.at("label_deviation").get<double>();
    if (facts.contains("labels"))
      for (const Json& pair : facts["labels"]) model.labels.emplace(pair.at("from"), pair.at("to"));
    model.read_as = read_as_of(facts, path);
    const auto file = facts.at("file").get<std::string>();
    if (file == table_name) {
      read_table(folder / table_name, has_intercept, model);
    } else {
      const auto numbers = npy_numbers(folder / matrix_name, static_cast<std::size_t>(model.W.rows()));
      model.W.col(0) = VectorView(numbers.data(), model.W.rows());
      if (has_intercept) model.intercept[0] = facts.at("intercept").at(0).get<double>();
    }
  } catch (const Json::exception& error) {
    refuse("the facts of a model under \"model\"", error.what());
  } catch (const Diagnosed& error) {  // of a table that was written by a run, and damaged since
    throw OutputError(error.what());
  }
  return model;
}

}  // namespace lagnet
