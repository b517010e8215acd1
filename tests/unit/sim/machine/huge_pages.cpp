#include "sim/machine/huge_pages.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>

namespace lagnet::huge_pages_test {

TEST_CASE("Memory that is moved to large pages and its neighbors keep their numbers and addresses") {
  std::vector<std::uint64_t> numbers(5 * huge_page / sizeof(std::uint64_t));
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  const std::uint64_t* const before = numbers.data();
  const std::size_t apart = 1000;  // numbers on either side that are no part of it
  move_to_huge_pages(numbers.data() + apart, (numbers.size() - 2 * apart) * sizeof(std::uint64_t));
  CHECK(numbers.data() == before);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) wrong += numbers[i] != i;
  CHECK(wrong == 0);
}

TEST_CASE("Advice on memory without a whole large page is taken for none") {
  std::vector<char> little(100, 'a');
  advise_huge_pages(little.data(), little.size());
  move_to_huge_pages(little.data(), little.size());
  advise_huge_pages(nullptr, 0);
  CHECK(little == std::vector<char>(100, 'a'));
}

TEST_CASE("A large vector grows and is copied as any other") {
  HugePageVector<int> numbers;
  for (int i = 0; i < 3'000'000; ++i) numbers.push_back(i);  // more than large pages hold
  const HugePageVector<int> copy = numbers;
  CHECK(copy == numbers);
  CHECK(copy.back() == 2'999'999);
}

}  // namespace lagnet::huge_pages_test
