#pragma once

/// Every family of digraphs, declared like those of topologies/generators/families.hpp.
#include "topologies/digraphs/circular.hpp"
#include "topologies/digraphs/orient.hpp"
#include "topologies/digraphs/random_out.hpp"
