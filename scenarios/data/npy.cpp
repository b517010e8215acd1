#include "scenarios/data/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "scenarios/data/labels_file.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/pattern.hpp"

namespace lagnet {

namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

/// The content of a file's head.
struct NpyHead {
  char kind = 0;  // f, i, u or b
  std::size_t bytes = 0;
  bool is_swapped = false;  // in the byte order that this machine does not have
  bool by_columns = false;
  Index rows = 0, columns = 1;
  std::size_t begin = 0;  // of the numbers
};

NpyHead read_head(const std::string& bytes, const std::string& file) {
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    refuse_data(file, expected, found);
  };
  if (!is_npy(bytes)) refuse("an array of NumPy (.npy)", "a file that does not begin like one");
  const auto byte = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U; };
  const bool is_old = byte(6) == 1;
  const std::size_t start = is_old ? 10 : 12;
  std::size_t length = byte(8) + 256 * byte(9);
  if (!is_old) length += 65536 * (byte(10) + std::size_t{256} * byte(11));
  if (bytes.size() < start || bytes.size() - start < length) refuse("a whole head", "a truncated file");
  const std::string text = bytes.substr(start, length);
  const auto found_descr = Pattern("'descr': *'([<>|=]?)([a-zA-Z])([0-9]+)[^']*'").find(text);
  const auto found_order = Pattern("'fortran_order': *(True|False)").find(text);
  const auto found_shape = Pattern("'shape': *\\(([0-9]*),? *([0-9]*)(,[^)]*)?\\)").find(text);
  if (!found_descr || !found_order || !found_shape)
    refuse("an array of numbers with one or two dimensions", shown_token(text));
  const auto &descr = *found_descr, &order = *found_order, &shape = *found_shape;
  NpyHead head{.kind = descr[2][0],
               .bytes = std::stoul(descr[3].substr(0, 4)),
               .is_swapped = (descr[1] == ">") == (std::endian::native == std::endian::little),
               .by_columns = order[1] == "True",
               .begin = start + length};
  constexpr std::string_view kinds = "fiub";
  const bool is_known = kinds.find(head.kind) != std::string_view::npos && std::has_single_bit(head.bytes) &&
                        head.bytes <= 8 && !(head.kind == 'f' && head.bytes < 4);
  if (!is_known)
    refuse("real numbers of at most 8 bytes, integers or booleans",
           head.kind == 'c' ? "complex numbers" : fmt::format("the type {}", descr[2] + descr[3]));
  if (shape[3].size() > 1) refuse("one or two dimensions", fmt::format("the shape ({})", shape[0]));
  const auto size = [&](const std::string& digits) {
    if (digits.size() > 15) refuse("the size of an array", digits);
    return static_cast<Index>(std::stoll(digits));
  };
  if (shape[1].empty()) refuse("one or two dimensions", "a single number");
  head.rows = size(shape[1]);
  if (!shape[2].empty()) head.columns = size(shape[2]);
  const double expected =
      static_cast<double>(head.rows) * static_cast<double>(head.columns) * static_cast<double>(head.bytes);
  if (const std::size_t found = bytes.size() - head.begin; expected != static_cast<double>(found))
    refuse(fmt::format("{:.0f} bytes of numbers, {} x {}", expected, head.rows, head.columns),
           fmt::format("{}", found));
  return head;
}

template <class Number>
double number_at(const char* from, bool is_swapped) {
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), from, sizeof(Number));
  if (is_swapped) std::ranges::reverse(bytes);
  Number number;
  std::memcpy(&number, bytes.data(), sizeof(Number));
  if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    if (std::cmp_greater(number, most) || std::cmp_less(number, -most)) return std::numeric_limits<double>::quiet_NaN();
  }
  return static_cast<double>(number);
}

double (*reader_of(const NpyHead& head))(const char*, bool) {
  switch (head.kind) {
    case 'f':
      return head.bytes == 4 ? number_at<float> : number_at<double>;
    case 'i':
      return head.bytes == 1   ? number_at<std::int8_t>
             : head.bytes == 2 ? number_at<std::int16_t>
             : head.bytes == 4 ? number_at<std::int32_t>
                               : number_at<std::int64_t>;
    default:
      return head.bytes == 1   ? number_at<std::uint8_t>
             : head.bytes == 2 ? number_at<std::uint16_t>
             : head.bytes == 4 ? number_at<std::uint32_t>
                               : number_at<std::uint64_t>;
  }
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with(npy_magic); }

Matrix read_npy(const std::string& bytes, const std::string& file) {
  const NpyHead head = read_head(bytes, file);
  const auto number = reader_of(head);
  Matrix read(head.rows, head.columns);
  DataDiagnostics diagnostics(file);
  const char* from = bytes.data() + head.begin;
  for (Index k = 0; k < read.size(); ++k, from += head.bytes) {
    const Index i = head.by_columns ? k % head.rows : k / head.columns;
    const Index j = head.by_columns ? k / head.rows : k % head.columns;
    read(i, j) = number(from, head.is_swapped);
    if (!std::isfinite(read(i, j)))
      diagnostics.add(0, fmt::format("a finite number that a double holds at [{}, {}]", i, j),
                      head.kind == 'f' ? fmt::format("{}", read(i, j)) : "a larger integer");
  }
  diagnostics.throw_if_any();
  return read;
}

DataSet load(const NpyOptions& options) {
  const std::string file = options.path.generic_string();
  Matrix read = read_npy(read_data_file(options.path), file);
  Vector y;
  Index label = -1;
  if (options.labels_path) {
    y = read_labels_of(*options.labels_path, options.path, read.rows());
  } else {
    label = options.label_column.value_or(read.cols()) - 1;
    if (read.cols() < 2)
      refuse_data(file, "two columns, a feature and the label, or labels_path", fmt::format("{}", read.cols()));
    if (label >= read.cols())
      refuse_data(file, fmt::format("a column {} for the label", label + 1), fmt::format("{} columns", read.cols()));
    y = read.col(label);
  }
  if (read.rows() == 0 || read.cols() == 0)
    refuse_data(file, "at least one sample and one feature",
                fmt::format("the shape ({}, {})", read.rows(), read.cols()));
  MatrixEntries entries;
  for (Index j = 0; j < read.cols(); ++j)
    for (Index i = 0; i < read.rows() && j != label; ++i)
      entries.add(i, j - (label >= 0 && j > label ? 1 : 0), read(i, j));
  const Index features = read.cols() - (label >= 0 ? 1 : 0);
  return {.X = entries.assemble(read.rows(), features, options.storage, file),
          .y = std::move(y),
          .samples = read.rows(),
          .origin = options.path.string()};
}

}  // namespace lagnet
