#include "tools/console/output_options.hpp"

#include "tools/console/option_checks.hpp"

namespace lagnet::tools {

void add_replace(CLI::App& command, bool& replace) {
  command.add_flag("--replace", replace,
                   "replace earlier results in the folder, whatever they are of; without it results of another "
                   "scenario or of other files are left alone, and finished ones of the same are printed");
}

void add_output_file(CLI::App& command, OutputFile& given, const std::string& what, bool has_default) {
  CLI::Option* const out = command.add_option("-o,--out", given.path, what)->check(refuse_empty)->option_text("FILE");
  CLI::Option* const replace =
      command.add_flag("--replace", given.replace, "replace a file of this name, whatever it says");
  if (!has_default) replace->needs(out);
}

}  // namespace lagnet::tools
