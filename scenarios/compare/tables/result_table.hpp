#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// Nothing, a count, a real number or a text.
struct ResultCell {
  enum class Kind { nothing, count, number, text };
  ResultCell() = default;
  ResultCell(std::size_t value) : kind(Kind::count), count(value) {}
  ResultCell(double value) : kind(Kind::number), number(value) {}
  ResultCell(std::optional<double> value) : kind(value ? Kind::number : Kind::nothing), number(value.value_or(0)) {}
  ResultCell(std::string value) : kind(Kind::text), text(std::move(value)) {}
  ResultCell(const char* value) : ResultCell(std::string(value)) {}

  Kind kind = Kind::nothing;  // which of these it is
  std::size_t count = 0;
  double number = 0;
  std::string text = {};
};

struct TableColumn {
  TableColumn(std::string name) : key(name), heading(std::move(name)) {}
  TableColumn(const char* name) : TableColumn(std::string(name)) {}
  TableColumn(std::string k, std::string h) : key(std::move(k)), heading(std::move(h)) {}

  std::string key;      // for programs: "simulated_s"
  std::string heading;  // for people: "simulated time (s)"
};

struct ResultTable {
  std::string name, title;  // "accuracy"; a sentence on what the numbers are
  std::vector<TableColumn> columns;
  std::vector<std::vector<ResultCell>> rows;
  std::size_t keys = 1;  // number of first columns that identify a row
};

/// The size of a table on a terminal.
struct TextLimits {
  std::size_t columns = std::numeric_limits<std::size_t>::max();  // characters in a line
  std::size_t rows = std::numeric_limits<std::size_t>::max();
};

/// Numbers with six digits under headings, columns as wide as they have to be. A table that is too wide has numbers of
/// four digits, and then its columns in several blocks, each with the keys; the number of omitted rows is printed.
std::string as_text(const ResultTable& table, const TextLimits& limits = {});
/// A header of keys, numbers that read back as the same; RFC 4180.
std::string as_csv(const ResultTable& table);
/// A list with an object for each row; null for nothing and for numbers that JSON does not have.
Json as_json(const ResultTable& table);
/// A table environment for the package booktabs, numbers with four digits.
std::string as_latex(const ResultTable& table);

}  // namespace lagnet
