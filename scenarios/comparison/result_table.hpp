#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/problems.hpp"

namespace lagnet {

/// Nothing, a count, a real number or a text.
using ResultCell = std::variant<std::monostate, std::int64_t, double, std::string>;
inline ResultCell cell_of(std::optional<double> number) { return number ? ResultCell(*number) : ResultCell(); }
inline ResultCell count_cell(std::size_t count) { return static_cast<std::int64_t>(count); }

struct ResultColumn {
  std::string key;      // for programs: "simulated_s"
  std::string heading;  // for people: "simulated time (s)"
};

struct ResultTable {
  std::string name, title;  // "accuracy"; a sentence on what the numbers are
  std::vector<ResultColumn> columns;
  std::vector<std::vector<ResultCell>> rows;
};

/// Numbers with six digits under headings, columns as wide as they have to be.
std::string as_text(const ResultTable& table);
/// A header of keys, numbers that read back as the same; RFC 4180.
std::string as_csv(const ResultTable& table);
/// A list with an object for each row; null for nothing and for numbers that JSON does not have.
Json as_json(const ResultTable& table);
/// A table environment for the package booktabs, numbers with four digits.
std::string as_latex(const ResultTable& table);

}  // namespace lagnet
