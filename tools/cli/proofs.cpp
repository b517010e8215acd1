#include "tools/cli/proofs.hpp"

#include <utility>

#include "tools/cli/proofs_text.hpp"

namespace lagnet::tools {

namespace {

/// Takes what stands before the mark, and the mark, off the text.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::string_view taken = text.substr(0, text.find(mark));
  text.remove_prefix(taken.size() == text.size() ? taken.size() : taken.size() + mark.size());
  return taken;
}

Proofs read_proofs(std::string_view text) {
  Proofs found;
  while (!text.empty()) {
    std::string_view line = take_until(text, "\n");
    if (line.starts_with("| `")) {  // | `extra` | x | x |   | ! |
      take_until(line, "`");
      Proof row{take_until(line, "`"), {}};
      take_until(line, "|");
      while (!line.empty()) {
        const std::string_view cell = take_until(line, "|");
        row.verdicts.push_back(cell == " x " ? "held" : cell == " ! " ? "failed" : "refused");
      }
      found.methods.push_back(std::move(row));
    } else if (!line.empty() && line.front() >= '0' && line.front() <= '9') {  // 1. A second run gives the same bits.
      take_until(line, ". ");
      found.properties.push_back(line);
    }
  }
  return found;
}

}  // namespace

const Proofs& proofs() {
  static const Proofs all = read_proofs(proofs_text());
  return all;
}

}  // namespace lagnet::tools
