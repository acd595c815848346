#include "validator/shortage.h"

#include <atomic>

namespace hepcheck {

namespace {

std::atomic<bool> recorded = false;

}  // namespace

void record_memory_shortage() { recorded = true; }
bool take_memory_shortage() { return recorded.exchange(false); }

}  // namespace hepcheck
