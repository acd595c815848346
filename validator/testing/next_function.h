// For tests that replace functions of a library or of the system: the functions of these names in a
// program take precedence, and call those that they replace.
#pragma once

#include <dlfcn.h>

namespace hepcheck::testing {

// The function of this name that the program would call if it did not replace it.
template <class Function>
Function* next_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace hepcheck::testing
