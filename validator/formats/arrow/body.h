// The buffers of a batch: chapters 2.1 and 4.3, and what the compression leaves of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/arrow/batch.h"
#include "validator/formats/arrow/budget.h"
#include "validator/slab.h"

namespace hepcheck::arrow {

// A buffer that has been read, or why not.
struct Loaded {
  enum class State : std::uint8_t {
    kUsable,
    kBroken,  // another clause does not hold
    kNotExamined,
  } state = State::kBroken;
  ByteSpan bytes{};          // if the contents were wanted as a whole
  bool in_parts = false;     // they can be read with Parts
  std::uint64_t size = 0;    // without compression
  std::uint64_t stated = 0;  // Buffer.length
  std::uint64_t byte = 0;    // of the file, where it begins
  bool compressed = false;   // so that a place in it is no place in the file
  std::string_view why{};    // it was not examined

  bool usable() const { return state == State::kUsable; }
  bool unexamined() const { return state == State::kNotExamined; }
  // Its contents were wanted, and are there.
  bool open() const { return in_parts || bytes.size() == size; }
};

// What is wanted of a buffer.
enum class Want : std::uint8_t {
  kSize,
  kParts,  // its contents from the first byte to the last, once or twice: see Parts
  kAll,    // its contents at any place
};

// All buffers that are not empty, as they lie in the body.
void judge_body(const Batch& batch, const Path& path, Notes& notes);

class Body {
 public:
  // All of them must outlive it. `values`: false if no contents are wanted. `memory`: bytes that it
  // may hold at a time. `jobs`: threads that may look at one array.
  Body(const Bytes& file, const Batch& batch, InputBudget& budget, SpareSlabs& spare, bool values,
       std::uint64_t memory, unsigned jobs = 1)
      : file_(file), batch_(batch), budget_(budget), spare_(spare), slabs_(spare.take()),
        values_(values), memory_(memory), jobs_(jobs) {}
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  ~Body() { spare_.give_back(std::move(slabs_)); }

  const Batch& batch() const { return batch_; }
  // Judges a buffer by itself; `buffer` is its place among those of its array. What is loaded stays
  // until it is released.
  Loaded load(std::uint32_t i, const Path& path, unsigned buffer, Notes& notes, Want want);
  // One that was loaded for Parts, as a whole after all. False if that cannot be.
  bool load_all(Loaded& loaded);

  // Gives back what was loaded since a mark was set.
  std::size_t mark() const { return held_.size(); }
  void release(std::size_t mark) { held_.resize(mark); }

  InputBudget& budget() { return budget_; }
  unsigned jobs() const { return jobs_; }

 private:
  friend class Parts;

  Slab& spare();
  std::span<std::byte> hold(std::uint64_t size);
  std::uint64_t room() const;
  bool fetch(std::uint64_t at, std::uint64_t size, ByteSpan& into);
  void undo(Loaded& loaded, bool contents, const Place& place, Notes& notes);

  const Bytes& file_;
  const Batch& batch_;
  InputBudget& budget_;
  SpareSlabs& spare_;
  Slabs slabs_;
  bool values_;
  std::uint64_t memory_;
  unsigned jobs_;
  std::vector<std::uint64_t> held_{};  // bytes of each slab that is in use
};

// The contents of an open buffer, a part at a time, so that what is looked at lies in the cache of
// the machine. Both must outlive it. Several threads may each have theirs of one buffer.
class Parts {
 public:
  static constexpr std::uint64_t kSize = std::uint64_t{256} << 10;

  Parts(const Body& body, const Loaded& of) : body_(body), of_(of), slab_(body.spare_.take_one()) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() { body_.spare_.give_back(std::move(slab_)); }

  // `size` bytes, kSize at most, that are good until the next call; fewer if they cannot be read.
  ByteSpan read(std::uint64_t begin, std::uint64_t size);

 private:
  const Body& body_;
  const Loaded& of_;
  std::unique_ptr<Slab> slab_;
};

}  // namespace hepcheck::arrow
