#include "tools/console/shell_word.hpp"

#include <boost/algorithm/string/replace.hpp>

namespace lagnet::tools {

std::string shell_quoted(const std::string& text) {
  return "'" + boost::algorithm::replace_all_copy(text, "'", R"('\'')") + "'";
}

std::string shell_word(const std::string& text) {
  const bool is_plain = !text.empty() && text.find_first_of(" \t\n'\"[]{}$\\;&|<>()*?`!#~") == std::string::npos;
  return is_plain ? text : shell_quoted(text);
}

}  // namespace lagnet::tools
