// examine_file for files from strangers: in a worker process that is closed in before the first
// byte is looked at.
#pragma once

#include "validator/examine_file.h"
#include "validator/isolate/sandbox.h"

namespace hepcheck::isolate {

struct Isolated {
  FileReport report{};
  // Protection that this system would not give; the examination went on without it.
  std::string refused{};
};

// As examine_descriptor. If the worker dies or reaches a limit, the report has what was known
// until then, `stop` and an `error`.
Isolated examine_isolated(int descriptor, const std::string& name,
                          const std::optional<std::string>& group, const Specification& spec,
                          const FileOptions& options, const Bounds& bounds);

}  // namespace hepcheck::isolate
