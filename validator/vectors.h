// Loops over a fixed number of elements, without branches: the compiler makes vectors of them.
#pragma once

// A function with such a loop is made once for each width that vectors of the machine may have, and
// the widest is taken.
#if defined(__x86_64__) && defined(__ELF__)
#define HEPCHECK_VECTORS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HEPCHECK_VECTORS
#endif
