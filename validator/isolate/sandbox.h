// What a worker process can still do in the sandbox: read the open files that it was given, write
// to one pipe, and perhaps to one of the files, compute, allocate memory, and start threads.
// Nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hepcheck::isolate {

// Limits on one worker, enforced by the kernel.
struct Bounds {
  std::uint64_t seconds = 600;                      // wall time
  std::uint64_t cpu_seconds = 0;                    // of all threads together; 0: seconds per core
  std::uint64_t memory = 0;                         // bytes; 0: half of the memory of the machine
  std::uint64_t answer = std::uint64_t{256} << 20;  // bytes that the worker may send
  bool threads = true;                              // whether the worker may start threads
  int output = -1;                                  // the only file that the worker may change
  std::uint64_t output_size = 0;                    // bytes that this file may get
};

// The same with every 0 replaced by its default.
Bounds settled(Bounds bounds);

// Whether there are processes at all. Without (in WebAssembly), everything runs in this one.
bool has_processes();

// Prepares everything that is the same for all sandboxed processes. The parent may call it first to
// save each of them the time.
void get_ready();

// Closes the calling process in, for good. `files` and `pipe` are the only descriptors left to
// it. Returns what the system refused, each with the reason; empty if everything was granted.
std::string close_in(std::span<const int> files, int pipe, const Bounds& bounds);

}  // namespace hepcheck::isolate
