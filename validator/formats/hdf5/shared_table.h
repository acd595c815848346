// The table of shared messages (III.I): messages in a heap, which several objects use.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

class SharedTable {
 public:
  explicit SharedTable(Container& file) : file_(file) {}

  // Reads the table that the message of the superblock extension names, its indexes and their
  // heaps.
  void read(const Region& message);
  // The extension cannot be read: there may be a table.
  void unknown() { state_ = State::kUnreadable; }

  // Whether a message of that type is sound in its plain form.
  using Plain = std::function<bool(const Region& message, MessageType type)>;
  // Passes the message with that id to `use`. False if it is refused, or not known. `at`: of the
  // message that uses it.
  bool use(const Region& id, MessageType type, const Plain& plain,
           const std::function<bool(const Region&)>& use);
  // A message of a header that may be shared, and is not.
  void own_copy(const Message& message);
  // The messages that records should have found in headers, when these have been read.
  void judge_missed();
  // The numbers of uses, when all headers have been read.
  void judge_counts();
  bool known() const { return state_ == State::kRead; }

 private:
  enum class State : std::uint8_t { kNone, kUnreadable, kRead };
  struct Record {
    std::uint8_t location = 0;
    std::uint32_t hash = 0, count = 0;
    std::string id{};  // in the heap
    std::uint8_t type = 0;
    std::uint16_t number = 0;
    std::uint64_t address = kUndefined;
    Place at{};
    bool sound = false;
    std::optional<bool> plain{};
    bool plain_judged = false;
    bool part_refused = false;  // not plain, because a record that a part of it uses is at fault
    std::uint64_t uses = 0;
    std::vector<std::byte> huge{};  // the bytes of a huge object, which the heap does not keep
  };
  // A message of a header that a record does not find there.
  struct Missed {
    std::uint8_t type = 0;
    std::uint64_t address = kUndefined;  // of the header
    std::string trouble{};
    Place at{};  // of the record
  };
  struct Index {
    std::uint8_t version = 0, kind = 0;
    std::uint16_t types = 0;
    bool types_doubtful = false;  // not those of its messages
    std::uint32_t minimum = 0;
    std::uint16_t list_cutoff = 0, tree_cutoff = 0, messages = 0;
    std::uint64_t address = kUndefined, heap_address = kUndefined;
    Place at{};
    bool sound = false;  // its records have been read
    bool known = false;  // and none of them is refused
    std::unique_ptr<FractalHeap> heap{};
    std::vector<Record> records{};
    std::map<std::string, std::size_t> by_id{};

    bool tracks(unsigned type) const;
  };

  bool parse(const Region& table, unsigned count);
  void read_index(Index& index);
  bool list(Index& index);
  bool tree(Index& index);
  Record parse_record(const Region& region) const;
  std::uint64_t record_size() const;
  void judge_records(Index& index);
  bool heap_record(Index& index, Record& record);
  bool header_record(const Index& index, Record& record);

  Container& file_;
  State state_ = State::kNone;
  std::vector<Index> indexes_{};
  std::unordered_map<std::uint32_t, std::uint64_t> copies_{};  // in headers, by hash
  std::vector<Missed> missed_{};
  bool types_twice_ = false;  // several indexes track one type
  bool counting_ = true;
  bool refused_elsewhere_ = false;  // a use was refused without a finding of its own
};

}  // namespace hepcheck::hdf5
