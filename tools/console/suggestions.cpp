#include "tools/console/suggestions.hpp"

#include <boost/algorithm/string.hpp>

namespace lagnet::tools {

namespace {

constexpr const char* mark = "suggests ";

/// "a|b" for "{a,b}", as CLI11 describes a fixed set, or for "value in {a->1,b->2} ..", a set that it translates.
std::string words_of_set(const std::string& description) {
  const std::size_t begin = description.find('{'), end = description.find('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  std::vector<std::string> words;
  const std::string inside = description.substr(begin + 1, end - begin - 1);
  boost::algorithm::split(words, inside, [](char c) { return c == ','; });
  for (std::string& word : words) word = word.substr(0, word.find("->"));
  return boost::algorithm::join(words, "|");
}

}  // namespace

CLI::Validator suggests(const std::string& what) {
  return CLI::Validator([](std::string&) { return std::string(); }, "", mark + what);
}

std::string suggestion_of(CLI::Option& option) {
  std::string found;
  try {
    for (int k = 0; found.empty(); ++k) {
      const CLI::Validator& check = *option.get_validator(k);
      const std::string name = check.get_name();
      found = name.starts_with(mark) ? name.substr(std::char_traits<char>::length(mark))
                                     : words_of_set(check.get_description());
    }
  } catch (const CLI::OptionNotFound&) {  // CLI11 has no other way to say that there are no more
  }
  return found;
}

}  // namespace lagnet::tools
