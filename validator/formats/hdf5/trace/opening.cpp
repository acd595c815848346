// Section 3: the marks of a file that is open for writing.
#include <format>

#include "validator/formats/hdf5/trace/watch.h"

namespace hepcheck::hdf5::trace {

namespace {

constexpr std::uint8_t kWriting = 1, kSwmr = 5;

class Opening : public Watch {
 public:
  using Watch::Watch;

  // Only superblock version 3 has such marks, and only an existing file can be opened.
  void event(const Event& event, const Seen& now) override {
    if (event.kind == Event::Kind::kOpen && now.readable && now.version == 3) {
      opened_ = true;
      closed_ = Closed();
    }
    if (event.kind == Event::Kind::kCall && event.data == "swmr-started" && now.version == 3) {
      results_.looked("swmr-open-flags-set-first");
      if ((now.flags & kSwmr) != kSwmr)
        results_.fail("swmr-open-flags-set-first", "/", "the start of SWMR writing",
                      std::format("status flags {:#04x}", now.flags), "bits 0 and 2 set");
    }
  }

  void write(const Step& step) override {
    if (step.after.version != 3 || !step.after.readable) return;
    const bool marks =
        step.span.begin <= step.before.base + 11 && step.span.end > step.before.base + 11;
    if (std::exchange(opened_, false)) {
      results_.looked("swmr-open-flags-set-first");
      if ((step.after.flags & kWriting) == 0 || !marks)
        results_.fail("swmr-open-flags-set-first", step,
                      "the first write after the file was opened does not mark it as open",
                      "a superblock with bit 0 of the status flags");
    }
    if (step.before.readable && (step.before.flags & kWriting) != 0 &&
        (step.after.flags & kWriting) == 0) {
      results_.looked("swmr-open-flags-set-first");
      closed_ = {true, step.number};
    } else if (closed_.marked) {
      results_.fail(
          "swmr-open-flags-set-first", step,
          std::format("a write after the one that cleared the marks, write {}", closed_.by),
          "marks that are cleared last");
      closed_ = Closed();
    }
  }

 private:
  bool opened_ = false;
  struct Closed {
    bool marked = false;
    std::int64_t by = 0;
  } closed_{};
};

}  // namespace

std::unique_ptr<Watch> watch_opening(Results& results) {
  return std::make_unique<Opening>(results);
}

}  // namespace hepcheck::hdf5::trace
