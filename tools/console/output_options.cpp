#include "tools/console/output_options.hpp"

#include <set>

#include "tools/console/option_checks.hpp"

namespace lagnet::tools {

std::string command_of_page(const std::vector<std::string>& typed) {
  static const std::set<std::string> silent{"--replace", "--quiet", "--json", "--verbose", "-v"};
  std::string command = "lagnet";
  for (std::size_t k = 0; k < typed.size(); ++k) {
    const std::string& word = typed[k];
    if (word == "-o" || word == "--out")
      ++k;
    else if (!silent.contains(word) && !word.starts_with("--out=") && !word.starts_with("-o"))
      command += " " + word;
  }
  return command;
}

void add_replace(CLI::App& command, bool& replace, const std::string& same) {
  command.add_flag("--replace", replace,
                   "replace any earlier results in the folder; without it lagnet keeps results of another scenario or "
                   "of other files, and " +
                       same);
}

void add_output_file(CLI::App& command, OutputFile& given, const std::string& what, bool has_default) {
  CLI::Option* const out = command.add_option("-o,--out", given.path, what)->check(refuse_empty)->option_text("FILE");
  CLI::Option* const replace =
      command.add_flag("--replace", given.replace, "replace a file of this name, even if its content differs");
  if (!has_default) replace->needs(out);
}

}  // namespace lagnet::tools
