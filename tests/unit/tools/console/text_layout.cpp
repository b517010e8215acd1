#include "tools/console/text_layout.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace console_text_layout {

using namespace lagnet::tools;

TEST_CASE("rows are counted as a terminal breaks lines and colors take no columns") {
  CHECK(rows_of("", 10) == 0);
  CHECK(rows_of("one\ntwo\n", 10) == 2);
  CHECK(rows_of("one\n\nthree", 10) == 3);
  CHECK(rows_of("0123456789\n", 10) == 1);
  CHECK(rows_of("0123456789a\n", 10) == 2);
  CHECK(rows_of("\x1b[1m0123456789\x1b[0m\n", 10) == 1);
  CHECK(rows_of("\u00e4\u00e4\u00e4\u00e4\n", 4) == 1);
}

TEST_CASE("a text that is set in begins every line with its blanks and stays within its columns") {
  const std::size_t any = std::numeric_limits<std::size_t>::max();
  CHECK(set_in("a  text", 4, any) == "    a  text");
  CHECK(set_in("twenty columns of it and the rest", 2, 22) == "  twenty columns of it\n  and the rest");
  // Never narrower than twenty columns.
  CHECK(set_in("twenty columns of it and the rest", 2, 3) == "  twenty columns of it\n  and the rest");
  CHECK(set_in("", 2, 30) == "  ");
}

}  // namespace console_text_layout
