#include "scenarios/format/named_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/base/sha256.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

struct NamedFile {
  std::string pointer, path;
};

/// The places where a scenario names files. Marks replace the names, which reveals these places.
std::vector<NamedFile> named_files(Json document) {
  constexpr char mark = '\1';  // in no text of a scenario
  std::vector<std::string> paths;
  field_type<Scenario>().change_paths(document, [&](const fs::path& path) {
    paths.push_back(path.string());
    return mark + std::to_string(paths.size() - 1);
  });
  std::vector<NamedFile> files(paths.size());
  if (paths.empty()) return files;
  const Json flat = document.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (!text.starts_with(mark)) continue;
    const std::size_t which = std::stoul(text.substr(1));
    files[which] = {pointer, paths[which]};
  }
  return files;
}

std::string with_digest(const Json& input) {
  return fmt::format("{} with the SHA-256 {}", Document(input).text("/path"), Document(input).text("/sha256"));
}

Diagnostic differs(const Json& expected, const std::string& found) {
  return {Document(expected).text("/pointer"), with_digest(expected), found, Diagnostic::Place::pointer};
}

/// The SHA-256 of a file as it is now; "" if it cannot be read.
std::string digest_now(const fs::path& path) {
  std::ifstream file = open_regular_file(path);
  const std::string content(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) return "";
  return hexadecimal(sha256(std::as_bytes(std::span(content))));
}

}  // namespace

Json inputs_of(const Json& document, const fs::path& folder, const FileDigests& read) {
  Json inputs = Json::array();
  if (read.empty()) return inputs;
  const fs::path from = canonical_path(folder);
  for (const auto& [pointer, path] : named_files(document))
    if (const auto found = read.find((from / path).lexically_normal()); found != read.end())
      inputs.push_back({{"pointer", pointer}, {"path", path}, {"sha256", found->second}});
  return inputs;
}

Json inputs_in(const Json& summary) {
  const Json& inputs = Document(summary).at("/inputs");
  return inputs.is_array() ? inputs : Json::array();
}

std::optional<Diagnostic> input_difference(const Json& expected, const Json& found,
                                           const std::vector<std::string>& ignored) {
  const auto counts = [&](const Json& input) {
    return std::ranges::none_of(
        ignored, [&](const std::string& start) { return Document(input).text("/pointer").starts_with(start); });
  };
  const auto same_place = [](const Json& inputs, const Json& input) {
    return std::ranges::find_if(inputs, [&](const Json& other) {
      return Document(other).text("/pointer") == Document(input).text("/pointer");
    });
  };
  for (const Json& input : expected) {
    if (!counts(input)) continue;
    const auto other = same_place(found, input);
    if (other == found.end()) return differs(input, "no such file");
    if (Document(*other).text("/sha256") != Document(input).text("/sha256"))
      return differs(input,
                     fmt::format("{} with {}", Document(*other).text("/path"), Document(*other).text("/sha256")));
  }
  for (const Json& input : found)
    if (counts(input) && same_place(expected, input) == expected.end())
      return Diagnostic{Document(input).text("/pointer"), "no file", with_digest(input), Diagnostic::Place::pointer};
  return std::nullopt;
}

std::optional<Diagnostic> changed_input(const Json& inputs, const fs::path& folder, FileDigests& known) {
  const fs::path from = canonical_path(folder / "summary.json").parent_path();  // the folder itself may be a link
  for (const Json& input : inputs) {
    const fs::path path = (from / Document(input).text("/path")).lexically_normal();
    const auto [at, is_new] = known.try_emplace(path);
    if (is_new) at->second = digest_now(path);
    if (at->second == Document(input).text("/sha256")) continue;
    return differs(input, at->second.empty() ? no_regular_file(path).value_or("one that cannot be read")
                                             : fmt::format("one with {}", at->second));
  }
  return std::nullopt;
}

}  // namespace lagnet
