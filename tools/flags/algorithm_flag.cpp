#include "tools/flags/algorithm_flag.hpp"

#include <boost/algorithm/string.hpp>

#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet::tools {

void refuse_flag(const std::string& flag, const std::string& expected, const std::string& found) {
  Diagnostics problems(flag);
  problems.add("", expected, found);
  problems.fail();
}

Json typed_object(const std::string& first, const std::vector<std::string>& words, const std::string& flag,
                  const std::string& expected) {
  Json object{{first, words.front()}};
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::size_t equals = words[k].find('=');
    if (equals == 0 || equals == std::string::npos) refuse_flag(flag, expected, words[k]);
    const std::string value = words[k].substr(equals + 1);
    object[words[k].substr(0, equals)] = json_or_text(value);
  }
  return object;
}

Json algorithm_of(const std::string& typed) {
  std::vector<std::string> words;
  boost::algorithm::split(
      words, typed, [](char c) { return c == '\n' || c == ' '; }, boost::token_compress_on);
  return typed_object("kind", words, "--algorithm", "a name and options, as in extra step=0.5");
}

namespace {

const auto& entry_of(const std::string& kind) {
  const auto& catalogue = AlgorithmFamily::catalogue();
  const auto* const entry = catalogue.find(kind);
  if (!entry)
    refuse_flag("--algorithm", "one of " + comma_list(catalogue.kinds()), kind + did_you_mean(kind, catalogue.kinds()));
  return *entry;
}

}  // namespace

Json with_tuned_options(Json algorithm) {
  for (const FieldText& field : entry_of(algorithm["kind"]).describe())
    if (field.word_for_none == "theory" && !algorithm.contains(field.key)) algorithm[field.key] = "tune";
  return algorithm;
}

std::vector<std::string> algorithm_settings(const std::vector<std::string>& typed) {
  if (typed.empty()) return {};
  if (typed.size() == 1) return {"/algorithm=" + algorithm_of(typed.front()).dump()};
  Json all = Json::array();
  for (const std::string& one : typed) all.push_back(algorithm_of(one));
  return {"/sweep/~1algorithm=" + all.dump()};
}

bool has_server(const std::string& kind) {
  const auto& entry = entry_of(kind);
  return entry.make(entry.defaults().get()).traits.server;
}

}  // namespace lagnet::tools
