// The ROOT container of RNTuples, read from raw bytes: its header, directories, key lists and the
// chain of its records. All integers are big-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/rntuple/notes.h"
#include "validator/limits.h"

namespace hepcheck::rntuple {

// The header of a record, or its copy in a list of keys.
struct Key {
  std::int32_t bytes = 0;  // of header and stored object; negative: a gap
  std::uint16_t version = 0, length = 0, cycle = 0;
  std::uint32_t object = 0;  // bytes of the object, uncompressed
  std::uint64_t seek = 0, directory = 0;
  std::string class_name{}, name{}, title{};
  std::uint64_t header = 0;  // bytes of this header
};

// The key header that these bytes begin with.
std::optional<Key> read_key(std::span<const std::byte> bytes);

// Bytes of the file.
struct Range {
  std::uint64_t begin = 0, end = 0;

  friend auto operator<=>(const Range&, const Range&) = default;
};

// Payloads of RBlob records.
struct Blobs {
  std::vector<Range> payloads{};  // ascending
  bool complete = false;          // the chain of records was walked to the end of the data
};

// A key that holds the anchor of an RNTuple.
struct AnchorKey {
  Key key;
  std::string path{};  // of the RNTuple: "data/Events", "Events;2"
};

class RootFile {
 public:
  // Both must outlive it.
  RootFile(const Bytes& file, const Limits& limits, std::uint64_t max_findings,
           const Specification& spec);

  const Bytes& file() const { return file_; }
  std::uint64_t begin() const { return begin_; }  // of the first record
  std::uint64_t end() const { return end_; }      // as the header states it
  // The bytes before it can be read.
  std::uint64_t limit() const { return limit_; }
  bool cut() const { return end_ > file_.size(); }
  const std::vector<AnchorKey>& anchors() const { return anchors_; }
  // Some directory could not be read.
  bool broken() const { return broken_; }
  const Notes& notes() const { return notes_; }
  // The RBlob records from the first record on.
  const Blobs& blobs() const;
  // The payload of the RBlob record whose header ends there.
  std::optional<Range> blob_at(std::uint64_t payload) const;

 private:
  bool read_header();
  void read_directory(std::uint64_t at, std::uint64_t seek, const std::string& path,
                      std::uint64_t depth, bool root);
  void read_keys(std::uint64_t at, std::uint32_t size, const std::string& path,
                 std::uint64_t depth);
  void walk_records() const;

  const Bytes& file_;
  const Limits& limits_;
  Notes notes_;
  std::uint64_t begin_ = 0, end_ = 0, limit_ = 0;
  std::uint32_t name_bytes_ = 0;
  bool broken_ = false;
  std::vector<AnchorKey> anchors_{};
  std::vector<std::uint64_t> entered_{};  // offsets of directories
  mutable bool walked_ = false;
  mutable Blobs blobs_{};
};

void root_file_rules(RuleList& list);

}  // namespace hepcheck::rntuple
