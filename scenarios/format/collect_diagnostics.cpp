#include "scenarios/format/collect_diagnostics.hpp"

#include <fmt/format.h>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

void add_sentence(Problems& problems, const std::string& pointer, const std::string& text, std::string_view wanted) {
  const std::string sentence = printable(text);  // it may quote a file
  constexpr std::string_view expected_mark = ": expected ", found_mark = ", found ";
  const auto expected = sentence.find(expected_mark), found = sentence.rfind(found_mark);
  if (expected == std::string::npos || found == std::string::npos || found < expected)
    return problems.add(pointer, std::string(wanted), sentence);
  const auto start = expected + expected_mark.size();
  problems.add(fmt::format("{}: {}", pointer, sentence.substr(0, expected)), sentence.substr(start, found - start),
               sentence.substr(found + found_mark.size()));
}

}  // namespace lagnet
