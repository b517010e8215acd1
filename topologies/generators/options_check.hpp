#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/base/input_file.hpp"
#include "sim/base/options.hpp"
#include "topologies/topology.hpp"

/// Checks options that a program gives, and files that they name: no reader has checked them, so each generator holds
/// them against their declaration.
namespace lagnet {

/// Collects the limits that the fields of an options struct violate (see sim/base/options.hpp).
class OptionsChecker {
 public:
  explicit OptionsChecker(std::string_view kind) : kind_(kind) {}

  void operator()(std::string_view, bool, std::string_view) {}
  void operator()(std::string_view, const std::string&, std::string_view, Limits = any_value()) {}
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(std::string_view, const Enum&, std::string_view, Limits = any_value()) {}
  void operator()(std::string_view name, const std::filesystem::path& value, std::string_view,
                  Limits limits = any_value()) {
    if (limits.is_required && value.empty()) report(name, "a text", "none");
  }
  template <class T>
  void operator()(std::string_view name, const std::optional<T>& value, std::string_view description,
                  Limits limits = any_value()) {
    if (value) (*this)(name, *value, description, limits);
  }
  template <class T>
  void operator()(std::string_view name, const std::vector<T>& values, std::string_view description,
                  Limits limits = any_value()) {
    for (const T& value : values) (*this)(name, value, description, limits);
  }
  template <class Number>
  void operator()(std::string_view name, const Number& value, std::string_view, Limits limits = any_value()) {
    if (!limits.contains(static_cast<double>(value))) report(name, limits_words(limits), value);
  }

  template <class Found>
  void report(std::string_view name, std::string_view expected, const Found& found) {
    problems_.push_back({fmt::format("{}.{}", kind_, name), std::string(expected), fmt::format("{}", found)});
  }
  bool sound() const { return problems_.empty(); }
  void throw_problems() {
    if (!problems_.empty()) throw Diagnosed(std::move(problems_));
  }

 private:
  std::string_view kind_;
  std::vector<Diagnostic> problems_;
};

/// Throws Diagnosed with every field out of its limits, or else with every rule between fields that is broken.
template <class Options>
void check_options(const Options& options) {
  OptionsChecker checker(Options::kind);
  Options::fields(options, checker);
  if (!checker.sound()) checker.throw_problems();  // rules between fields may rely on the limits
  auto report = [&](std::string_view name, std::string_view expected, const auto& found) {
    checker.report(name, expected, found);
  };
  if constexpr (requires { options.check(report); }) {
    options.check(report);
    checker.throw_problems();
  }
}

/// Throws Diagnosed if there is no file, or one that cannot be read.
inline std::istringstream open_graph_file(const std::filesystem::path& path) {
  std::ifstream in = open_regular_file(path);
  std::string content(std::istreambuf_iterator<char>(in), {});
  if (in.is_open() && !in.bad()) {
    ReadFiles::note(path, content);
    return std::istringstream(std::move(content));
  }
  const std::string found = no_regular_file(path, "none").value_or("one that cannot");
  throw Diagnosed({Diagnostic{path.string(), "a file that can be read", found}});
}

}  // namespace lagnet
