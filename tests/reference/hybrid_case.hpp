#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "algorithms/problem/problem.hpp"
#include "tests/reference/reference_file.hpp"

/// What the cases of hybrid federated learning and of saddle point methods have in common. Whatever a case says that
/// is not understood is an error of the case: nothing is passed over, since it may change the numbers.
namespace lagnet::reference {

/// The case without keys whose value is null: they say as much as absent ones.
Json without_nulls(const Json& item);

/// Which of the choices a text, or the default where it is absent, begins with: the choice is its first words. Throws
/// std::runtime_error for none.
std::string choice_of(const Json& item, const char* key, std::string_view otherwise,
                      std::initializer_list<std::string_view> choices);

/// The t of the last row of "rounds", whose rows are in order and begin at 0 or later.
Round last_round_of(const Json& item);

/// A number, perhaps as text. Throws std::runtime_error for text that is not a number all through.
double number_of(const Json& value);

/// X[i,j] = sin(1 + 7.3 i + 3.1 j + 0.37 i j), each row divided by its norm, perhaps times a number, if "data" says so;
/// y_i = s_i, or +1 if s_i >= 0, else -1, where s_i = sum_j X[i,j] cos(1.7 j) + 0.4 sin(5 i); the loss and
/// (lambda/2) |w|^2 of the case.
Problem problem_of_case(const Json& item, Index samples, Index features);

/// The central optimum of the problem, where the case has it, to 1e-8.
void compare_optimum(const Json& item, const Problem& problem, Verdict& verdict);

}  // namespace lagnet::reference
