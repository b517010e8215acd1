#pragma once

#include <filesystem>

#include "sim/base/array.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// The gossip matrix W (m x m) of a CSV file for a topology of m agents. The file has m lines of m numbers; or a header
/// of the agents (numbers or names, with anything in its first field) and for each of them a line with its name and m
/// numbers; or the header from,to,weight and a line for each entry that is not 0, where an entry (i,i) that is not
/// there is what row i lacks to 1. Sums of rows may miss 1 by 1e-9, and W_ij and W_ji differ by 1e-12, which is then
/// mended. Throws Diagnosed for what cannot be read, and with every entry that is wrong and why:
/// negative, not symmetric, at no edge, rows that do not add up to 1, a spectral gap of 0.
SparseMatrix read_gossip_file(const std::filesystem::path& path, const Topology& topology);

}  // namespace lagnet
