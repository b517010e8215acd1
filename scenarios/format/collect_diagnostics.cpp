#include "scenarios/format/collect_diagnostics.hpp"

#include <fmt/format.h>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

void add_diagnostic(Diagnostics& diagnostics, const std::string& pointer, const Diagnostic& diagnostic,
                    std::string_view wanted) {
  // Diagnostics may quote a file.
  if (diagnostic.expected.empty())
    return diagnostics.add(pointer, std::string(wanted), printable(sentence(diagnostic)));
  const std::string& where = diagnostic.where;
  diagnostics.add(where.empty() ? pointer : fmt::format("{}: {}", pointer, printable(where)),
                  printable(diagnostic.expected), printable(diagnostic.found));
}

}  // namespace lagnet
