#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/compare/difference.hpp"
#include "scenarios/run/outcome.hpp"

namespace lagnet {

/// The result of a golden scenario's run, compared with NAME.golden.json beside NAME.json.
struct GoldenVerdict {
  std::string name;
  std::vector<Difference> differences;  // of rows one a column
};

/// Whether new goldens would remove a difference: those between two runs of now, and of scenarios that are gone, stay.
bool is_renewed_by_update(const GoldenVerdict& verdict);

/// {"name", "same", "differences": their sentences, "parts": the same in their parts}.
Json as_json(const GoldenVerdict& verdict);

struct GoldenOptions {
  bool update = false;                       // writes the goldens from the first run instead, all or none
  unsigned threads = 2;                      // of the second run
  std::function<void(const Row&)> row = {};  // takes each row of each run when it is recorded
};

/// Runs every scenario of a folder twice, with one thread and with several, and compares: integers and texts (the trace
/// hash among them) exactly, reals within the tolerances that the golden states. Of rows it compares the columns that
/// the golden lists, by name. What a golden states (golden_terms.hpp) stays when it is renewed. A golden whose scenario
/// is gone differs. Throws Diagnosed, and OutputError when a golden cannot be read or written, and where there is no
/// folder or no scenario in it.
std::vector<GoldenVerdict> check_goldens(const std::filesystem::path& folder, const GoldenOptions& options);

}  // namespace lagnet
