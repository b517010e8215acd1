#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/data/data_set.hpp"
#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

/// A folder of its own for a test's files, gone at the end.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lagnet-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file << content;
    if (!file.flush()) throw std::runtime_error("cannot write " + name);
  }

 private:
  std::filesystem::path path_;
};

/// The problems that `action` reports, without the folder in front of the file names; fails if it reports none.
template <class Action>
std::vector<std::string> problems_of(const std::filesystem::path& folder, Action action) {
  try {
    action();
  } catch (const Diagnosed& error) {
    std::vector<std::string> problems;
    for (const Diagnostic& diagnostic : error.diagnostics) problems.push_back(sentence(diagnostic));
    const std::string prefix = folder.generic_string() + "/";
    for (std::string& problem : problems) {
      if (problem.starts_with(prefix)) problem.erase(0, prefix.size());
    }
    return problems;
  }
  FAIL("no Diagnosed was thrown");
  return {};
}

using Texts = std::vector<std::string>;

}  // namespace lagnet
