// Loops over a fixed number of elements, without branches, which the compiler vectorises.
#pragma once

// A function with such a loop is compiled once for each instruction set named here; the program
// calls the best that the machine has.
#if defined(__x86_64__) && defined(__ELF__)
#define HEPCHECK_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HEPCHECK_VECTORS
#endif
