#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/array.hpp"

/// Sentences about the data of a case, which change its matrix: "then every row divided by its Euclidean norm",
/// "then these columns set to zero: [4]", "entries with (i+2j) mod 3 = 0 set to 0".
namespace lagnet::reference {

using MatrixChange = std::function<void(Matrix& X)>;

/// What a clause does to the matrix; nothing where the clause is not understood.
std::optional<MatrixChange> matrix_change(const std::string& clause);

/// The changes that a text makes after the formula that it begins with, clause by clause. Throws std::runtime_error,
/// with the key and the words that are not understood.
std::vector<MatrixChange> changes_after(const std::string& text, const std::string& formula, const std::string& key);

/// Whether a clause has a word that such sentences have, so that it must not be passed over.
bool tells_of_change(const std::string& clause);

}  // namespace lagnet::reference
