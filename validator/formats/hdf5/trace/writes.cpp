// Sections 4.2 and 4.3: each write by itself.
#include <deque>
#include <format>

#include "validator/formats/hdf5/trace/watch.h"

namespace hepcheck::hdf5::trace {

namespace {

class Writes : public Watch {
 public:
  using Watch::Watch;

  // The writes that the library passed to its driver, and their effect.
  void event(const Event& event, const Seen&) override {
    if (event.kind == Event::Kind::kAnnounce) {
      announced_any_ = true;
      announced_.push_back(Span::of(event.position, event.size));
    }
  }

  void write(const Step& step) override {
    levels(step);
    if (pending_) judge_pending(step);
    if (!step.swmr) return;
    unchecksummed(step);
    checksum(step);
    pieces(step);
    last_ = step.span;
    last_number_ = step.number;
  }

  void barrier(std::string_view, const Seen&, const Image&, bool) override {
    settle();
    last_ = {};
  }

  void end(const Seen&) override {
    settle();
    if (announced_any_) return;
    constexpr const char* kOneLevel =
        "the log contains system calls, but not the requests of the library to its driver: use "
        "hepcheck trace record --by both";
    results_.not_checked("swmr-io-order-kept", kOneLevel);
    results_.not_checked("swmr-io-atomic", kOneLevel);
  }

 private:
  // Compares library calls with system calls.
  void levels(const Step& step) {
    if (!announced_any_) return;
    if (announced_.empty()) return;  // not through the driver
    const Span next = announced_.front();
    results_.looked("swmr-io-order-kept");
    if (next.begin == step.span.begin && next.end == step.span.end) {
      results_.looked("swmr-io-atomic");
      announced_.pop_front();
    } else if (next.holds(step.span)) {
      if (step.span.begin == next.begin)
        results_.fail("swmr-io-atomic", step,
                      std::format("{} of {} bytes", step.event.data.size(), next.end - next.begin),
                      "the write that the library requested, in one piece");
      if (step.span.end == next.end) announced_.pop_front();
    } else {
      results_.fail("swmr-io-order-kept", step,
                    std::format("the library requested {} bytes at {} first", next.end - next.begin,
                                next.begin),
                    "the order in which the library wrote");
      std::erase_if(announced_, [&](const Span& each) { return each.holds(step.span); });
    }
  }

  void unchecksummed(const Step& step) {
    if (!step.raw()) results_.looked("swmr-unchecksummed-refused");
    const std::string_view kind = !step.kind.empty() ? step.kind
                                  : step.within      ? step.within->kind
                                                     : std::string_view();
    if (kind == "TREE" || kind == "SNOD")
      results_.fail("swmr-unchecksummed-refused", step, "a " + std::string(kind) + " node",
                    "an injected failure of the writer instead");
  }

  void checksum(const Step& step) {
    if (step.kind.empty() && !page(step)) return;
    results_.looked("swmr-checksum-written");
    const bool good = step.kind.empty() ? sum_holds("page", step.event.data) : step.own_sum_good;
    if (good) return;
    pending_ = true;
    pending_step_ = {step.path(), step.where(), step.span, step.number};
  }

  // It may be the first piece of a block whose rest follows.
  void judge_pending(const Step& step) {
    const auto piece = pending_step_;
    if (step.number == piece.number + 1) {
      const BlockSeen* whole = step.after.block_at(piece.span.begin);
      const Span both{piece.span.begin, std::max(piece.span.end, step.span.end)};
      const bool completes = step.span.begin > piece.span.begin &&
                             step.span.begin <= piece.span.end && whole && both.holds(whole->span);
      if (completes && step.event.data.size() > 4) {
        pending_ = false;
        last_number_ = -2;
        charge_pieces(step, piece.number);
        return;
      }
    }
    settle();
  }
  void settle() {
    if (!std::exchange(pending_, false)) return;
    results_.fail("swmr-checksum-written", pending_step_.path, pending_step_.where,
                  "a block without the checksum of its bytes",
                  "a checksum that matches in this write");
  }

  // A page of an array: a part of a block with its own checksum.
  static bool page(const Step& step) {
    return step.kind.empty() && step.within &&
           (step.within->kind == "EADB" || step.within->kind == "FADB") &&
           step.span.begin > step.within->span.begin && step.event.data.size() > 16;
  }

  // A part of a block directly after another part of it.
  void pieces(const Step& step) {
    if (step.raw()) return;
    results_.looked("swmr-one-write-per-object");
    if (!step.within || page(step) || step.within->kind == "EADB" || step.within->kind == "FADB")
      return;
    if (last_number_ + 1 == step.number && step.within->span.holds(last_) && last_.end > 0 &&
        step.span.begin != last_.begin)
      charge_pieces(step, last_number_);
  }
  void charge_pieces(const Step& step, std::int64_t first) {
    results_.fail("swmr-one-write-per-object", step,
                  std::format("a part of a block of which write {} is another part", first),
                  "one write for each block");
  }

  std::deque<Span> announced_{};
  bool announced_any_ = false, pending_ = false;
  struct Piece {
    std::string path{}, where{};
    Span span{};
    std::int64_t number = 0;
  } pending_step_{};
  Span last_{};
  std::int64_t last_number_ = -2;
};

}  // namespace

std::unique_ptr<Watch> watch_writes(Results& results, Shared&) {
  return std::make_unique<Writes>(results);
}

}  // namespace hepcheck::hdf5::trace
