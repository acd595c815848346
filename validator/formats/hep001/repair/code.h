// The steps of a repair as programs.
#pragma once

#include <string>
#include <vector>

#include "validator/formats/hep001/repair/step.h"

namespace hepcheck::hep001 {

// Lines of a program that has the file open as `file`.
struct Code {
  std::vector<std::string> python{}, c{};
};

Code code_of(const std::vector<Step>& steps);
// An index that is built again over a column, or dropped (no column).
Code code_of_index(const std::string& table, const std::string& index, const std::string& column);

}  // namespace hepcheck::hep001
