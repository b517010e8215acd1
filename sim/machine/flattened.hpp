#pragma once

/// Inlines every call within the marked function, recursively. Not under sanitizers: with their checks, the engine's
/// loop alone would take 1.3 MB, and half a minute to compile.
#ifdef LAGNET_SANITIZED
#define LAGNET_FLATTENED
#else
#define LAGNET_FLATTENED [[gnu::flatten]]
#endif
