// Reports in each format, for tests.
#pragma once

#include <sstream>
#include <string>
#include <utility>

#include "reports/formats.h"

namespace hepcheck::reports {

inline std::string written(const Form& form, const Report& report) {
  std::ostringstream out;
  form.write(out, report);
  return std::move(out).str();
}

}  // namespace hepcheck::reports
