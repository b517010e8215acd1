#pragma once

#include "tests/reference/compressed_case.hpp"

/// Worlds of the cases of server_methods.cpp.
namespace lagnet::reference::server_cases {

constexpr CompressedKind server_kind{.name = "a server's method", .has_server = true};

/// Where draws come from: the formula, whose index counts those of each purpose of a client's round from 0, or goes on
/// from one purpose to the next; or the seed.
enum class DrawnBy { formula, formula_that_goes_on, seed };

/// A case made into things; compares checksums of data on the way.
CompressedCase made_case(const Json& item, DrawnBy drawn_by, Verdict& verdict);

/// The candidates that the server of power_of_choice draws in a round.
std::vector<double> drawn_candidates(const CompressedCase& made, Round round);

}  // namespace lagnet::reference::server_cases
