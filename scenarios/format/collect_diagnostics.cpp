#include "scenarios/format/collect_diagnostics.hpp"

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

void add_diagnostic(Diagnostics& diagnostics, const std::string& pointer, const Diagnostic& diagnostic,
                    std::string_view wanted) {
  // Diagnostics may quote a file.
  if (diagnostic.expected.empty() && diagnostic.where.empty())
    return diagnostics.add(pointer, std::string(wanted), printable(sentence(diagnostic)));
  const std::string where = printable(diagnostic.where);
  diagnostics.add(pointer + (pointer.empty() || where.empty() ? "" : ": ") + where, printable(diagnostic.expected),
                  printable(diagnostic.found));
}

}  // namespace lagnet
