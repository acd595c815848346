// What hepcheck export and import have in common.
#pragma once

#include <string>

namespace hepcheck::cli {

// Says why a file is not read or not written, and returns the exit status.
int refused(const std::string& file, std::string why, int status);

// A signal that ends the process leaves no unfinished file behind, and a limit on the size of files
// is a write that fails.
void leave_nothing_behind();

}  // namespace hepcheck::cli
