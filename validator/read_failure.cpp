#include "validator/read_failure.h"

#include <atomic>
#include <system_error>

namespace hepcheck {

namespace {

constexpr int kNone = -1;
std::atomic<int> first = kNone;

}  // namespace

void record_read_failure(int error) {
  int none = kNone;
  first.compare_exchange_strong(none, error);
}

std::optional<std::string> read_failure() {
  const int error = first;
  if (error == kNone) return std::nullopt;
  return error == 0 ? "the file has become shorter"
                    : "a read failed: " + std::generic_category().message(error);
}

void forget_read_failures() { first = kNone; }

}  // namespace hepcheck
