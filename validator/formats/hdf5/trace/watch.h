// Passes a log through the checks: each write with the file before and after it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/clause_ids.h"
#include "validator/formats/hdf5/trace/check.h"
#include "validator/formats/hdf5/trace/seen.h"
#include "validator/trace/log.h"

namespace hepcheck::hdf5::trace {

using hepcheck::trace::Event;
using hepcheck::trace::Log;
using hepcheck::trace::Memory;

// When bytes of the file were written: first, and last. Times are numbers of writes; bytes from
// before the log have time kBefore.
class Times {
 public:
  static constexpr std::int64_t kBefore = -1, kNever = -2;

  void begin(std::uint64_t size) { first_[0] = last_[0] = {size, kBefore}; }
  void write(const Span& span, std::int64_t time);
  // The time at which the whole span had been written at least once; kNever if it was not.
  std::int64_t complete(const Span& span) const;
  // The time of the last write to the byte; kNever if there was none.
  std::int64_t last(std::uint64_t address) const;

 private:
  struct Piece {
    std::uint64_t end = 0;
    std::int64_t time = 0;
  };
  using Pieces = std::map<std::uint64_t, Piece>;  // by where they begin
  static void cut(Pieces& pieces, std::uint64_t at);
  Pieces first_{}, last_{};
};

// A chunk that is new in an index, or has moved.
struct Named {
  const DatasetSeen& dataset;
  const DatasetSeen* before = nullptr;  // null: there was no such dataset
  ChunkList::Place place{};
  const ChunkSeen& chunk;
  const ChunkSeen* old = nullptr;
};

// One write.
struct Step {
  const Event& event;
  std::int64_t number = 0;  // of the write, counted from 0
  const Seen &before, &after;
  const Image& image;            // after it
  std::string_view old_bytes{};  // of the span, as far as they existed
  Span span{};
  // The kind of the block at the beginning of the write: by its signature, or "superblock"; empty
  // if there is none.
  std::string_view kind{};
  const BlockSeen* within = nullptr;      // a block that contains the write, before or after it
  std::vector<const BlockSeen*> whole{};  // all blocks inside the write, after it
  bool own_sum_good = true;               // of the block that begins with it
  bool swmr = false;                      // it is SWMR writing, and the file was sound before
  bool raw() const { return kind.empty() && !within && whole.empty(); }
  std::vector<Trouble> fresh{};  // of the write
  std::vector<Named> named{};    // by the write

  // The write changes another part than the sound block that it overlaps, and leaves that
  // unchanged.
  bool foreign_to(const BlockSeen& block) const;

  std::string where() const;  // "write 12: EAIB @ 2048"
  std::string path() const;   // of the object that the write belongs to, as far as it is known
};

// The results for the clauses.
class Results {
 public:
  explicit Results(std::uint64_t most) : most_(most) {}

  void looked(const ClauseId& clause, std::uint64_t times = 1) { at(clause).examined += times; }
  void fail(const ClauseId& clause, std::string object, std::string where, std::string observed,
            std::string expected, std::string hint = {});
  void fail(const ClauseId& clause, const Step& step, std::string observed, std::string expected,
            std::string hint = {});
  void not_checked(const ClauseId& clause, std::string why) {
    at(clause).not_checked = std::move(why);
  }
  std::vector<ClauseOutcome> take() &&;

 private:
  ClauseOutcome& at(const ClauseId& clause);

  std::uint64_t most_;
  std::map<std::string_view, ClauseOutcome> outcomes_{};
};

// Receives each event in order, and keeps the state to judge some clauses.
class Watch {
 public:
  explicit Watch(Results& results) : results_(results) {}
  virtual ~Watch() = default;

  virtual void begin(const Seen&, const Image&) {}
  virtual void event(const Event&, const Seen&) {}  // any event, before it happens
  virtual void write(const Step&) {}
  virtual void swmr_begins(const Seen&) {}
  // Everything before is in the file, according to `call`; empty: a descriptor was closed or
  // synced.
  virtual void barrier(std::string_view call, const Seen&, const Image&, bool swmr) {
    (void)call, (void)swmr;
  }
  virtual void end(const Seen&) {}

 protected:
  Results& results_;
};

// State that several of them share.
struct Shared {
  Times times{};
  std::set<std::uint64_t> charged{};  // addresses of blocks whose parent was written first
  std::string structural{};           // a call since the last barrier that is not an append
  bool calls = false;                 // the log contains calls of the library
  std::vector<Span> excused{};        // bytes that a clause has reported
};

std::unique_ptr<Watch> watch_opening(Results& results);
std::unique_ptr<Watch> watch_writes(Results& results, Shared& shared);
std::unique_ptr<Watch> watch_order(Results& results, Shared& shared);
std::unique_ptr<Watch> watch_session(Results& results, Shared& shared);
std::unique_ptr<Watch> watch_append(Results& results, Shared& shared);
std::unique_ptr<Watch> watch_chunks(Results& results, Shared& shared);
std::unique_ptr<Watch> watch_values(Results& results, Shared& shared);
std::unique_ptr<Watch> watch_structures(Results& results, Shared& shared);

// The clause is about the numbers in the header of an extensible array; only the first wrong one is
// reported.
bool of_statistics(std::string_view clause);
// The block ends in the checksum of the bytes before it, or has it after some of its bytes.
bool sum_holds(std::string_view kind, std::string_view bytes);
// The kind of block with this beginning; empty if there is none.
std::string_view kind_of(std::string_view bytes);
std::uint64_t number_at(std::string_view bytes, std::size_t at, unsigned width);

}  // namespace hepcheck::hdf5::trace
