#pragma once

/// Every call within the function that it stands before is inlined, theirs as well. Not with the checks of sanitizers:
/// the engine's loop alone would be 1.3 MB of them, half a minute to compile.
#ifdef LAGNET_SANITIZED
#define LAGNET_FLATTENED
#else
#define LAGNET_FLATTENED [[gnu::flatten]]
#endif
