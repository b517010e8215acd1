#include "tools/console/text_layout.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace console_text_layout {

using namespace lagnet::tools;

TEST_CASE("a text that is set in begins every line with its blanks and stays within its columns") {
  const std::size_t any = std::numeric_limits<std::size_t>::max();
  CHECK(set_in("a  text", 4, any) == "    a  text");
  CHECK(set_in("twenty columns of it and the rest", 2, 22) == "  twenty columns of it\n  and the rest");
  // Never narrower than twenty columns.
  CHECK(set_in("twenty columns of it and the rest", 2, 3) == "  twenty columns of it\n  and the rest");
  CHECK(set_in("", 2, 30) == "  ");
}

}  // namespace console_text_layout
