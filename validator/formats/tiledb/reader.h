// Reads decoded bytes forwards. Every part is compared with what is left before it is taken; the
// first that does not fit is the only finding about the layout, and ends the reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "validator/formats/tiledb/notes.h"
#include "validator/integers.h"

namespace hepcheck::tiledb {

// A value, and where it is stored among the bytes.
template <class T>
struct Stored {
  T value{};
  std::uint64_t at = 0;
};

// A part of `need` bytes where `left` are left.
struct Fit {
  std::string_view what{};
  std::uint64_t need = 0, left = 0;
  std::uint64_t count = 0;  // of entries that need so much; 0: it is one part
};

// The check of every clause about what fits.
inline void fits(const Fit& it, Look& look) {
  look.ask(
      it.need <= it.left,
      [&] {
        if (it.count > 0) return std::format("{} {} in {} bytes", it.count, it.what, it.left);
        return it.need == kLargestNumber
                   ? std::format("{} is longer than any file, {} bytes are left", it.what, it.left)
                   : std::format("{} takes {} bytes, {} are left", it.what, it.need, it.left);
      },
      [&] {
        return it.count > 0 ? std::format("a count whose entries fit, {} bytes at least", it.need)
                            : std::string("a part that fits");
      });
}

// Why reading ended before the end.
struct Stop {
  bool here = false;
  std::string_view clause{};  // that does not hold; empty if there is another reason
  std::string reason{};
};

class BoundedReader {
 public:
  // Places are counted from `base`: the offset of these bytes in the file or the decoded bytes.
  BoundedReader(std::span<const std::byte> bytes, Notes& notes, const Source& source,
                std::uint64_t base = 0, bool decoded = true)
      : bytes_(bytes), notes_(notes), source_(source), base_(base), decoded_(decoded) {}

  bool stopped() const { return stop_.here; }
  const Stop& stop() const { return stop_; }
  std::uint64_t at() const { return base_ + at_; }
  std::uint64_t left() const { return bytes_.size() - at_; }
  Notes& notes() { return notes_; }
  const Source& source() const { return source_; }
  Place place(const Path* path, std::uint64_t byte) const {
    return {.source = &source_, .path = path, .byte = byte, .decoded = decoded_};
  }
  Place here(const Path* path) const { return place(path, at()); }

  // Whether the next part has its bytes; ends the reading if not.
  template <const auto& kRule>
  bool room(const Path* path, std::string_view what, std::uint64_t need) {
    return take<kRule>(path, {.what = what, .need = need, .left = left()});
  }
  // Whether `count` entries of at least so many bytes can follow.
  template <const auto& kRule>
  bool room_for(const Path* path, std::string_view what, std::uint64_t count, std::uint64_t least) {
    return take<kRule>(
        path, {.what = what, .need = product(count, least), .left = left(), .count = count});
  }
  void end(std::string reason, std::string_view clause = {}) {
    if (!stop_.here) stop_ = {true, clause, std::move(reason)};
  }

  // After `room`.
  template <class T>
  Stored<T> get() {
    const Stored<T> made{load<T>(bytes_.data() + at_), at()};
    at_ += sizeof(T);
    return made;
  }
  std::span<const std::byte> take_bytes(std::uint64_t count) {
    const auto made = bytes_.subspan(at_, count);
    at_ += count;
    return made;
  }

 private:
  template <const auto& kRule>
  bool take(const Path* path, const Fit& fit) {
    if (stop_.here) return false;
    if (judge<kRule>(fit, here(path), notes_)) return true;
    end("the bytes end before it", rules_of(kRule)[0].id.str());
    return false;
  }

  std::span<const std::byte> bytes_;
  Notes& notes_;
  const Source& source_;
  std::uint64_t base_, at_ = 0;
  bool decoded_;
  Stop stop_{};
};

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Records that these rules cannot be judged behind the place where reading ended.
template <const auto&... kTables>
void block_behind(const Stop& stop, Notes& notes) {
  block<kTables...>(stop.reason,
                    stop.clause.empty() ? std::vector<std::string_view>{}
                                        : std::vector<std::string_view>{stop.clause},
                    notes);
}

}  // namespace hepcheck::tiledb
