#pragma once

namespace lagnet::bench {

/// The main program of a benchmark: runs the registered benchmarks, with Google Benchmark's own flags, and prints a
/// table with one row for each benchmark and one column for each of its counters. A counter's value is the median of
/// the repetitions; their lowest and highest values follow in brackets. Returns the exit status: 1 when a benchmark
/// failed, 2 for a wrong flag.
int run_benchmarks(int argc, char** argv);

}  // namespace lagnet::bench
