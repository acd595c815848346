#include "validator/trace/recorder/embedded.h"

#include <fstream>

asm(".section .rodata\n"
    "hepcheck_preload_begin: .incbin \"" HEPCHECK_TRACE_PRELOAD
    "\"\n"
    "hepcheck_preload_end: .byte 0\n"
    "hepcheck_driver_begin: .incbin \"" HEPCHECK_TRACE_DRIVER
    "\"\n"
    "hepcheck_driver_end: .byte 0\n"
    ".previous\n");
extern "C" const char hepcheck_preload_begin[], hepcheck_preload_end[], hepcheck_driver_begin[],
    hepcheck_driver_end[];

namespace hepcheck::trace {

std::string_view preload_recorder() { return {hepcheck_preload_begin, hepcheck_preload_end}; }
std::string_view driver_recorder() { return {hepcheck_driver_begin, hepcheck_driver_end}; }

bool unpack(std::string_view recorder, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  out.write(recorder.data(), static_cast<std::streamsize>(recorder.size()));
  return static_cast<bool>(out.flush());
}

}  // namespace hepcheck::trace
