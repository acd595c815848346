// Examines untrusted files in a worker process that is sandboxed before it reads the first byte.
#pragma once

#include <string>

#include "validator/examine_file.h"
#include "validator/isolate/sandbox.h"
#include "validator/isolate/worker.h"

namespace hepcheck::isolate {

// As examine_bytes, of an open file or directory. The report goes to `send` as the worker makes it,
// message by message, for a ReportReader (report_stream.h); if the worker dies or reaches a limit,
// that is reported instead, and if no worker can be started, that. Returns which protection this
// system does not provide; the examination continued without it. A file that is examined with one
// job needs no thread, so its worker cannot start any.
std::string examine_isolated(const Input& input, const Request& wanted, const Bounds& bounds,
                             const Send& send);

}  // namespace hepcheck::isolate
