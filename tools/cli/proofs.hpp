#pragma once

#include <string_view>
#include <vector>

namespace lagnet::tools {

/// What `lagnet prove` found of one of lagnet's methods.
struct Proof {
  std::string_view kind;
  std::vector<std::string_view> verdicts;  // held, refused or failed, one for each property
};

/// The table that `lagnet prove --all --table algorithms/README.md` writes, as it was when the program was built.
struct Proofs {
  std::vector<std::string_view> properties;  // a sentence each
  std::vector<Proof> methods;
};

const Proofs& proofs();

}  // namespace lagnet::tools
