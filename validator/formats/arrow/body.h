// The buffers of a batch: chapters 2.1 and 4.3, including decompression.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/arrow/batch.h"
#include "validator/formats/arrow/budget.h"
#include "validator/slab.h"
#include "validator/utf8.h"

namespace hepcheck::arrow {

// A buffer that was read, or the reason why not.
struct Loaded {
  enum class State : std::uint8_t {
    kUsable,
    kBroken,  // another clause is violated
    kNotExamined,
  } state = State::kBroken;
  ByteSpan bytes{};          // if the complete contents were requested
  bool in_parts = false;     // they can be read with Parts
  std::uint64_t size = 0;    // without compression
  std::uint64_t stated = 0;  // Buffer.length
  std::uint64_t byte = 0;    // of the file: its first byte
  bool text = false;         // its contents are UTF-8, if that was requested
  bool compressed = false;   // so a position in it is not a position in the file
  std::string_view why{};    // it was not examined

  bool usable() const { return state == State::kUsable; }
  bool unexamined() const { return state == State::kNotExamined; }
  // Its contents were requested, and are available.
  bool open() const { return in_parts || bytes.size() == size; }
};

// The requested part of a buffer.
enum class Want : std::uint8_t {
  kSize,
  kParts,  // its contents from the first to the last byte, once or twice: see Parts
  kAll,    // its contents in any order
  kText,   // the same, and whether all of them are UTF-8
};

// All buffers that are not empty, as placed in the body.
void judge_body(const Batch& batch, const Path& path, Notes& notes);

class Body {
 public:
  // All of them must outlive it. `values`: false if no contents are needed. `memory`: the maximum
  // number of bytes held at a time. `jobs`: threads that may examine one array.
  Body(const Bytes& file, const Batch& batch, InputBudget& budget, SpareSlabs& spare, bool values,
       std::uint64_t memory, unsigned jobs = 1)
      : file_(file), batch_(batch), budget_(budget), spare_(spare), slabs_(spare.take()),
        values_(values), memory_(memory), jobs_(jobs) {}
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  ~Body() { spare_.give_back(std::move(slabs_)); }

  const Batch& batch() const { return batch_; }
  // Judges a buffer by itself; `buffer` is its position among those of its array. Loaded contents
  // stay until they are released.
  Loaded load(std::uint32_t i, const Path& path, unsigned buffer, Notes& notes, Want want);
  // Loads a buffer completely that was loaded for Parts. False if that is impossible.
  bool load_all(Loaded& loaded);

  // Releases the contents loaded since a mark.
  std::size_t mark() const { return held_.size(); }
  void release(std::size_t mark) { held_.resize(mark); }

  InputBudget& budget() { return budget_; }
  unsigned jobs() const { return jobs_; }

 private:
  friend class Parts;

  Slab& spare();
  std::span<std::byte> hold(std::uint64_t size);
  std::uint64_t room() const;
  bool fetch(std::uint64_t at, std::uint64_t size, ByteSpan& into, Utf8Check* check = nullptr);
  void undo(Loaded& loaded, bool contents, const Place& place, Notes& notes);

  const Bytes& file_;
  const Batch& batch_;
  InputBudget& budget_;
  SpareSlabs& spare_;
  Slabs slabs_;
  bool values_;
  std::uint64_t memory_;
  unsigned jobs_;
  std::vector<std::uint64_t> held_{};  // bytes of each slab in use
};

// The contents of an open buffer, part by part, so that the examined part fits in the CPU cache.
// Both must outlive it. Several threads may each have a Parts object of one buffer.
class Parts {
 public:
  static constexpr std::uint64_t kSize = std::uint64_t{256} << 10;

  Parts(const Body& body, const Loaded& of) : body_(body), of_(of), slab_(body.spare_.take_one()) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() { body_.spare_.give_back(std::move(slab_)); }

  // `size` bytes, at most kSize, valid until the next call; fewer if they cannot be read.
  ByteSpan read(std::uint64_t begin, std::uint64_t size);

 private:
  const Body& body_;
  const Loaded& of_;
  std::unique_ptr<Slab> slab_;
};

}  // namespace hepcheck::arrow
