// Basic types and frames of envelopes (chapters 4 to 6). Little-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "validator/formats/rntuple/block.h"
#include "validator/formats/rntuple/notes.h"
#include "validator/integers.h"

namespace hepcheck::rntuple {

// A record or list frame. Offsets are those of the envelope.
struct Frame {
  std::uint64_t begin = 0, end = 0;
  bool list = false;
  std::uint32_t items = 0;  // of a list
};

struct Locator {
  std::uint64_t at = 0, bytes = 0;  // of the locator itself in its envelope
  bool on_disk = true;
  // On disk: the stored bytes. Also of a large locator of later drafts.
  std::uint64_t size = 0, offset = 0;
  std::uint32_t word = 0;  // of others: the negated first word
  ByteSpan payload{};
  bool sound = true;  // it is not malformed

  bool usable() const { return on_disk && sound; }
};

struct Link {
  std::uint64_t length = 0;  // uncompressed
  Locator locator{};
};

// Reads an envelope forwards. Each function returns false if a clause does not hold, and the rest
// cannot be read then.
class Cursor {
 public:
  // `bytes`: the whole envelope. `offset`: of the envelope in the file, if its bytes are raw.
  Cursor(ByteSpan bytes, std::optional<std::uint64_t> offset, const Path& path, bool later_draft,
         Notes& notes)
      : bytes_(bytes), offset_(offset), path_(&path), later_draft_(later_draft), notes_(notes) {}

  std::uint64_t at() const { return at_; }
  std::uint64_t end() const { return end_; }
  std::uint64_t left() const { return end_ - at_; }
  // The bytes up to the end of the payload or frame, which a later revision may have added.
  ByteSpan rest() const { return bytes_.subspan(at_, left()); }
  void go(std::uint64_t at) { at_ = at; }
  // The payload ends there, or the innermost frame.
  void bound(std::uint64_t end) { end_ = end; }
  ByteSpan bytes() const { return bytes_; }
  bool later_draft() const { return later_draft_; }
  Notes& notes() { return notes_; }
  const Path& path() const { return *path_; }
  void in(const Path& path) { path_ = &path; }
  Place place(std::uint64_t at) const {
    return {
        .path = path_, .within = at, .byte = offset_ ? std::optional(*offset_ + at) : std::nullopt};
  }
  Place place() const { return place(at_); }

  // Reads a number that is known to be there.
  template <class T>
  T number() {
    const T value = load<T>(bytes_.data() + at_);
    at_ += sizeof(T);
    return value;
  }
  bool string(std::string_view& into);
  // Chain of feature flags.
  bool flags(std::vector<std::uint64_t>& into);
  // `least`: the bytes of the smallest item of a list.
  bool frame(bool list, std::uint64_t least, Frame& into);
  // An item of a list begins here: there are so many bytes left.
  bool item(std::uint64_t least, const Frame& list, std::uint64_t index);
  // The fixed part of a record is there.
  bool fixed(std::uint64_t bytes, std::string_view what);
  bool locator(Locator& into);
  bool link(Link& into);

 private:
  ByteSpan bytes_;
  std::optional<std::uint64_t> offset_;
  const Path* path_;
  bool later_draft_;
  Notes& notes_;
  std::uint64_t at_ = 0, end_ = 0;
};

// While it exists, the cursor is bound to a frame and at its path; then it is behind the frame.
class Inside {
 public:
  Inside(Cursor& cursor, const Frame& frame, const Path& path)
      : cursor_(cursor), frame_(frame), end_(cursor.end()), path_(&cursor.path()) {
    cursor.bound(frame.end);
    cursor.in(path);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    cursor_.bound(end_);
    cursor_.in(*path_);
    cursor_.go(frame_.end);
  }

 private:
  Cursor& cursor_;
  const Frame& frame_;
  std::uint64_t end_;
  const Path* path_;
};

constexpr std::uint64_t kLeastRecord = 8, kLeastList = 12;

void frame_rules(RuleList& list);

}  // namespace hepcheck::rntuple
