#include "scenarios/words/layout.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace words_layout {

using namespace lagnet;

TEST_CASE("every line of an indented text begins with its blanks and stays within its columns") {
  const std::size_t any = std::numeric_limits<std::size_t>::max();
  CHECK(set_in("a  text", 4, any) == "    a  text");
  CHECK(set_in("twenty columns of it and the rest", 2, 22) == "  twenty columns of it\n  and the rest");
  // Never narrower than twenty columns.
  CHECK(set_in("twenty columns of it and the rest", 2, 3) == "  twenty columns of it\n  and the rest");
  CHECK(set_in("", 2, 30) == "  ");
}

TEST_CASE("columns of a table are as wide as their texts and two blanks apart") {
  const std::vector<std::vector<std::string>> rows{{"", "n", "note"}, {"\u00e4b", "12", ""}};
  CHECK(laid_out(rows, {true}, 80) == "     n  note\n\u00e4b  12\n");
  CHECK(laid_out(rows, {true, true, true}, 80) == "    n   note\n\u00e4b  12\n");
  CHECK(laid_out(rows, {true}, 5) == "    \u2026\n\u00e4b  \u2026\n");
}

}  // namespace words_layout
