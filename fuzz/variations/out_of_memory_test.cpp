// Files of the corpus while one allocation of memory fails. The report is that of a process with
// enough memory, or says that memory ran short: nothing is called broken or conformant for that.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <format>
#include <new>
#include <string>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"

namespace {

// Allocations of this thread are counted while `counted`, and the one with this number is refused.
thread_local bool counted = false;
thread_local std::uint64_t allocations = 0, refused = 0;

void* allocated(std::size_t size, std::size_t alignment) {
  if (counted && allocations++ == refused) return nullptr;
  return alignment > alignof(std::max_align_t)
             ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
             : std::malloc(size > 0 ? size : 1);
}

void* allocated_or_thrown(std::size_t size, std::size_t alignment = 1) {
  void* const made = allocated(size, alignment);
  if (!made) throw std::bad_alloc();
  return made;
}

}  // namespace

void* operator new(std::size_t size) { return allocated_or_thrown(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated_or_thrown(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocated(size, 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace hepcheck::conformance {
namespace {

FileReport examined(const Fixture& fixture, std::uint64_t number) {
  FileOptions options;
  options.examine.jobs = 1;
  const std::optional<std::string> subject =
      fixture.asserted ? std::optional(fixture.group) : std::nullopt;
  const Specification* const spec = find_specification(fixture.spec);
  const Input input(Bytes::of_image(fixture.image, fixture.file));
  const Request request{.spec = spec, .subject = subject, .options = options};
  allocations = 0;
  refused = number;
  counted = true;
  FileReport report = examine_within_memory(input, request);
  counted = false;
  return report;
}

class OutOfMemory : public ::testing::TestWithParam<const char*> {};

TEST_P(OutOfMemory, IsReported) {
  std::size_t failures = 0;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != GetParam() || fixture->image.empty() ||
        (fnv1a(fixture->file) >> 8) % 7 > 0)
      continue;
    examined(*fixture, ~std::uint64_t{0});  // what is prepared once is made here
    const std::string whole = findings_text(examined(*fixture, ~std::uint64_t{0}));
    const std::uint64_t all = allocations;
    constexpr int kTimes = 6;
    for (int i = 0; i < kTimes; ++i) {
      const std::uint64_t number = fnv1a(std::format("{} {}", fixture->file, i)) % all;
      const FileReport report = examined(*fixture, number);
      ++failures;
      EXPECT_TRUE(report.lacked_memory || findings_text(report) == whole)
          << std::format("{}: allocation {} of {}\n", fixture->file, number, all)
          << findings_text(report);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(failures, 100u);
}

INSTANTIATE_TEST_SUITE_P(OfFormats, OutOfMemory,
                         ::testing::Values("hep001", "hdf5", "arrow", "rntuple", "tiledb"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace hepcheck::conformance
